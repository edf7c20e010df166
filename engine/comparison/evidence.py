"""The evidence of a comparison: which links differ between groups in numbers, and what the networks share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.comparison.difference import LEVEL, Compare
from engine.comparison.nodes import node_table, permuted
from engine.comparison.scales import PARTIAL, Scale
from engine.comparison.structure import Side, Structure
from engine.comparison.table import COLUMNS, LinkTest, link_table
from engine.errors import DataError
from engine.lazy import pd
from engine.methods.evidence import Evidence
from engine.methods.fitting import check_counts, check_shape, check_that
from engine.methods.storing import storable
from engine.methods.verdicts import Verdict

ROUNDING = 1e-9
"""Sums that differ by less are equal."""


@storable
@dataclass(frozen=True, eq=False)
class Shuffles:
    """The sums that shuffles gave.

    Attributes
    ----------
    observed : (3,) the three sums of the groups as they are
    sums : (B, 3) of every shuffle
    shared, union : (B,) edges that the first two groups' networks share, and edges of either
    seconds : that the shuffles took, all together
    nodes : (B, 2) the largest |z| of any node's difference, and that of global strength; none in older files
    """

    observed: np.ndarray
    sums: np.ndarray
    shared: np.ndarray
    union: np.ndarray
    seconds: float
    nodes: np.ndarray = field(default_factory=lambda: np.empty((0, 2)))

    @property
    def many(self) -> int:
        """The number of shuffles."""
        return len(self.sums)

    @property
    def reached(self) -> np.ndarray:
        """(3,) in how many a sum is as large as it is."""
        return np.asarray((self.sums >= self.observed - ROUNDING).sum(axis=0))

    @property
    def p(self) -> np.ndarray:
        """(3,) of each sum by itself."""
        return (1 + self.reached) / (1 + self.many)

    @property
    def corrected(self) -> float:
        """p of the smallest of the three, against the smallest of every shuffle."""
        rank = (self.sums[None, :, :] >= self.sums[:, None, :] - ROUNDING).mean(axis=1)
        return float((1 + (rank.min(axis=1) <= self.p.min() + ROUNDING).sum()) / (1 + self.many))

    def __add__(self, other: Shuffles) -> Shuffles:
        names = ("sums", "shared", "union", "nodes")
        parts = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names}
        return replace(self, seconds=self.seconds + other.seconds, **parts)

    def _check_read(self) -> None:
        check_shape(self.observed, 3)
        check_shape(self.sums, None, 3)
        check_shape(self.shared, len(self.sums))
        check_shape(self.union, len(self.sums))


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonEvidence(Evidence):
    """Two to six answers beside each other.

    Attributes
    ----------
    method : draws and seed
    names : the variables that all have, in the order of the first
    fingerprint : of the table that the groups were taken out of; of several tables joined
    made : of the first answer, with the rows of all
    answers : what is compared
    labels : what the groups are called
    rows : of each group; subjects are in the notes
    group, levels : the column and its levels that the groups are; empty where they are none
    test : the tested numbers; None where there is no test, and `no_test` says why
    networks : title in the first -> title in the second, where other pairs were asked for
    shuffles : what learning again in shuffles found; None where that was not asked
    """

    method: Compare
    answers: tuple[Any, ...]
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    group: str = ""
    levels: tuple[str, ...] = ()
    test: LinkTest | None = None
    no_test: str = ""
    networks: Mapping[str, str] = field(default_factory=dict)
    shuffles: Shuffles | None = None

    # -- links ---------------------------------------------------------------------------------------------------------

    @property
    def scale(self) -> Scale:
        """The scale on which links are compared.

        Raises
        ------
        DataError : nothing was tested
        """
        return self.tested.of

    @property
    def tested(self) -> LinkTest:
        """The tested numbers; `DataError` where nothing was tested."""
        if self.test is None:
            raise DataError(f"No link is tested here. {self.no_test}")
        return self.test

    def links(self) -> pd.DataFrame:
        """Every pair of variables: both signed estimates, their difference, corrected p, and a word.

        Returns
        -------
        pandas.DataFrame, those of least p first: source, target, a, a_low, a_high, b, b_low, b_high, difference, low,
        high (log odds ratios a step, correlations, or differences of means in SD; 95 % intervals), p (corrected over
        all pairs), probability (P(differs)), log_bayes_factor, word (of `engine.methods.verdicts.Verdict`), what
        ("stronger in A", "turns its sign", "only in A" where it differs), levels (of nominal variables: those that are
        set against each other), drawn ("both", or the groups whose network has it), visible (the difference of which p
        would be below .05 in 8 of 10), group_a, group_b, scale, p_any (of any two groups), source_up, target_up (the
        level that counts as up, of two without an order). Empty without a test
        """
        return self._links.copy()

    @cached_property
    def _links(self) -> pd.DataFrame:
        if self.test is None:
            return pd.DataFrame(columns=list(COLUMNS))
        return link_table(self.test, self.names, self.labels, [side.links for side in self.sides], self.method.p_none)

    @cached_property
    def union(self) -> frozenset[frozenset[str]]:
        """The links that any of the networks has."""
        return frozenset(ends for side in self.sides for ends in side.links)

    def called(self) -> pd.DataFrame:
        """The rows of `links` that differ, surely or probably."""
        return self._links[self._links["word"].isin([word for word in Verdict if word.called])]

    def leading(self) -> pd.Series | None:
        """The row of `links` that is named first: differing most surely, and of these one that a search found.

        Where none differs one that a search found, unless p of another says that it does.
        """
        rows = self.called() if len(self.called()) else self._links
        surely = rows[rows["word"] == Verdict.DIFFERS]
        rows = surely if len(surely) else rows
        found = rows[rows["drawn"] != ""]
        by_p = not len(self.called()) and (rows["p"].head(1) < LEVEL).any()
        return next((row for _, row in (found if len(found) and not by_p else rows).head(1).iterrows()), None)

    def nodes(self) -> pd.DataFrame:
        """Global strength, and every node's strength and expected influence, in both groups and their difference.

        Returns
        -------
        pandas.DataFrame, of nodes with a link that counts: measure, node ("all" of global strength), a, a_low, a_high,
        b, b_low, b_high, difference, low, high (95 % intervals), p (corrected over nodes and both measures), group_a,
        group_b, and where rows were shuffled p_permuted. Empty without a test
        """
        if self.test is None or self.test.nodes is None:
            return pd.DataFrame(columns=["measure", "node"])
        table = node_table(self.test.nodes, self.test.variables, self.labels)
        if self.shuffles is not None and len(self.shuffles.nodes):
            table["p_permuted"] = permuted(self.test.nodes, self.shuffles.nodes)
        return table[(table[["a", "b"]] != 0).any(axis=1)].reset_index(drop=True)

    def drawn_links(self) -> pd.DataFrame:
        """The rows of `links` that are drawn: those of any network, and those that differ."""
        drawn = self.union_and_called()
        return self._links[[ends in drawn for ends in both_ends(self._links)]]

    def union_and_called(self) -> frozenset[frozenset[str]]:
        """The links that are drawn: those of any network, and those that differ."""
        return frozenset((self.union & {*both_ends(self._links)}) | {*both_ends(self.called())})

    def tested_pairs(self) -> int:
        """The number of pairs of variables that were tested."""
        return len({*both_ends(self._links)})

    def visible(self, scale: str) -> float:
        """The difference that would have been seen in 8 of 10: the median of the links of a scale, drawn ones first.

        Parameters
        ----------
        scale : of the links, as their table names it

        Returns
        -------
        the difference on that scale, of odds ratios its logarithm; NaN without such a link
        """
        drawn, links = self.drawn_links(), self._links
        some = drawn[drawn["scale"] == scale] if len(drawn) else drawn
        some = some if len(some) else links[links["scale"] == scale]
        return float(some["visible"].median()) if len(some) else math.nan

    def determined_in(self, place: int) -> Mapping[str, float]:
        """Of a group the variables that others nearly determine, where links are partial correlations given all others.

        Parameters
        ----------
        place : of its answer
        """
        partial = self.test is not None and self.test.scale == PARTIAL
        return getattr(self.answers[place], "determined", {}) if partial else {}

    # -- structure ----------------------------------------------------------------------------------------------------

    @cached_property
    def sides(self) -> list[Side]:
        """The sides that are compared, one an answer."""
        return [Side(answer) for answer in self.answers]

    def structure(self, first: int = 0, second: int = 1) -> Structure:
        """The structure that two of the answers share.

        Parameters
        ----------
        first, second : their places

        Returns
        -------
        `Structure`
        """
        result = self._structures.get((first, second))
        if result is None:
            networks = self.networks if (first, second) == (0, 1) and self.networks else None
            result = Structure(self.sides[first], self.sides[second], networks)
            self._structures[first, second] = result
        return result

    @cached_property
    def _structures(self) -> dict[tuple[int, int], Structure]:
        return {}

    def _check_read(self) -> None:
        super()._check_read()
        check_that(2 <= len(self.answers) == len(self.labels) == len(self.rows), "its groups do not fit")
        check_counts(*self.rows)
        if self.test is not None:
            check_that(self.test.differences.value.shape[0] == len(self.answers), "its test is of other groups")
            check_that(set(self.test.variables) <= set(self.names), "its test is of other variables")


def both_ends(rows: pd.DataFrame) -> list[frozenset[str]]:
    """The two variables of every row."""
    return [frozenset(ends) for ends in zip(rows["source"], rows["target"], strict=True)]
