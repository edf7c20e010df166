"""The fields of a comparison, and the numbers that follow from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine.comparison.difference import LEVEL
from engine.comparison.scales import Scale
from engine.comparison.settings import Compare
from engine.comparison.shuffles import Shuffles
from engine.comparison.sides import Side
from engine.comparison.structure import Structure
from engine.comparison.table import COLUMNS, LinkTest, link_table
from engine.errors import DataError
from engine.methods.made import Made
from engine.methods.result import each_edge

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonNumbers:
    """What was compared and tested; see `ComparisonResult`.

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
    names: tuple[str, ...]
    fingerprint: str
    made: Made
    answers: tuple[Any, ...]
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    group: str = ""
    levels: tuple[str, ...] = ()
    test: LinkTest | None = None
    no_test: str = ""
    networks: Mapping[str, str] = field(default_factory=dict)
    shuffles: Shuffles | None = None

    # -- links --------------------------------------------------------------------------------------------------------

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
        high (log odds ratios a step, or partial correlations; 95 % intervals), p (corrected over all pairs), word
        ("agrees", "stronger in A", "turns its sign", "only in A", "cannot tell"), levels (of nominal variables: those
        that are set against each other), drawn ("both", or the groups whose network has it), visible (the difference
        that would have been called in 8 of 10), group_a, group_b, p_any (of any two groups). Empty without a test
        """
        return self._links.copy()

    @cached_property
    def _links(self) -> pd.DataFrame:
        import pandas as pd

        if self.test is None:
            return pd.DataFrame(columns=list(COLUMNS))
        return link_table(self.test, self.names, self.labels, self._drawn)

    @cached_property
    def _drawn(self) -> list[set[frozenset[str]]]:
        """The links of each answer's first network, whatever their directions."""
        return [
            {frozenset((source, target)) for source, target, *_ in each_edge(next(iter(side.graphs.values())))}
            if side.graphs
            else set()
            for side in self.sides
        ]

    @cached_property
    def union(self) -> frozenset[frozenset[str]]:
        """The links that any of the networks has."""
        return frozenset(ends for drawn in self._drawn for ends in drawn)

    def called(self) -> pd.DataFrame:
        """The rows of `links` that differ beyond chance."""
        return self._links[self._links["p"] < LEVEL]

    def drawn_links(self) -> pd.DataFrame:
        """The rows of `links` that are drawn: those of any network, and those that differ."""
        drawn = self.union_and_called()
        return self._links[[frozenset((row.source, row.target)) in drawn for row in self._links.itertuples()]]

    def union_and_called(self) -> frozenset[frozenset[str]]:
        """The links that are drawn: those of any network, and those that differ."""
        tested = {frozenset((row.source, row.target)) for row in self._links.itertuples()}
        called = {frozenset((row.source, row.target)) for row in self.called().itertuples()}
        return (self.union & tested) | called

    def tested_pairs(self) -> int:
        """How many pairs of variables were tested."""
        return len({frozenset((row.source, row.target)) for row in self._links.itertuples()})

    def visible(self) -> float:
        """The difference that would have been seen in 8 of 10, as the middle over the links that are drawn."""
        drawn = self.drawn_links()
        shown = drawn if len(drawn) else self._links
        return float(shown["visible"].median()) if len(shown) else math.nan

    # -- structure ----------------------------------------------------------------------------------------------------

    @cached_property
    def sides(self) -> list[Side]:
        """What is compared of each answer."""
        return [Side(answer) for answer in self.answers]

    def structure(self, first: int = 0, second: int = 1) -> Structure:
        """What two of the answers share.

        Parameters
        ----------
        first, second : their places

        Returns
        -------
        `Structure`
        """
        found = self._structures.get((first, second))
        if found is None:
            networks = self.networks if (first, second) == (0, 1) and self.networks else None
            found = Structure(self.sides[first], self.sides[second], networks)
            self._structures[first, second] = found
        return found

    @cached_property
    def _structures(self) -> dict[tuple[int, int], Structure]:
        return {}
