"""What a group comparison found: every number that is told of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine.errors import DataError
from engine.graphs.compare import panels
from engine.graphs.dag import Parents, to_networkx
from engine.graphs.pdag import compelled
from engine.measures.intervals import beta_interval
from engine.methods.group_difference import odds
from engine.methods.group_difference.blocks import Blocks, stack
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.result import Made

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


ALIGNMENTS = ("published", "common")
FEW_ROWS = 10
"""A context with fewer rows than this in one of the groups is marked: its shares are little more than the prior."""


@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferenceEvidence:
    """The answer to "which variables behave differently in the two groups?"

    Attributes
    ----------
    method : the settings
    names, levels : the variables compared (without the group column) and their levels
    labels, n : what the two groups are called, and their numbers of rows
    structures : parents of every variable in the first group's, the second's and the pooled network
    published, common : the blocks of every variable under the two alignments
    marginal : one block a variable, without parents: the univariate comparison
    dropped : levels that neither group has
    fingerprint : of the data set
    made : what it was computed from and with
    """

    method: GroupDifferenceSettings
    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    labels: tuple[str, str]
    n: tuple[int, int]
    structures: tuple[Parents, Parents, Parents]
    published: tuple[Blocks, ...]
    common: tuple[Blocks, ...]
    marginal: tuple[Blocks, ...]
    dropped: Mapping[str, tuple[str, ...]]
    fingerprint: str
    made: Made

    # -- odds ---------------------------------------------------------------------------------------------------------

    @property
    def n_rows(self) -> int:
        """Rows of both groups together."""
        return sum(self.n)

    @property
    def log_odds(self) -> pd.Series:
        """ln O_i by variable under the chosen alignment (equation 10), natural log, in column order."""
        return self._series(self._odds[self.method.alignment][0])

    @property
    def overall_log_odds(self) -> float:
        """ln O under the chosen alignment (equation 11), natural log."""
        return self._odds[self.method.alignment][1]

    def both(self) -> pd.DataFrame:
        """The two alignments side by side.

        `verdict` is "different" or "same" when both say so, "depends on the structure" when they disagree, and
        "no evidence" for a variable with one level, whose odds are the prior's.

        Returns
        -------
        pandas.DataFrame by variable: ln odds, P(different) and verdict, and whether the three networks' parents differ
        """
        return self._both.copy()

    def with_prior(self, p_same: float, p_level: str | None = None) -> Self:
        """The same evidence under another prior, at once: nothing is counted or learned again.

        Parameters
        ----------
        p_same, p_level : as in the settings; the level stays where None

        Returns
        -------
        a result with these settings

        Raises
        ------
        SettingsError : p_same is not between 0 and 1, or there is no such level
        """
        return self._again(replace(self.method, p_same=p_same, p_level=p_level or self.method.p_level))

    def with_alignment(self, alignment: str) -> Self:
        """The same evidence read under the other alignment, at once.

        Parameters
        ----------
        alignment : "published" or "common"

        Returns
        -------
        a result with this setting

        Raises
        ------
        SettingsError : there is no such alignment
        """
        return self._again(replace(self.method, alignment=alignment))

    def tipping_prior(self) -> pd.Series:
        """For each variable the `p_same` (of the same level) at which its odds are even.

        The evidence for a difference is as strong as the prior against it would have to be.

        Returns
        -------
        pandas.Series by variable, from 0 to 1
        """
        alignment = self.method.alignment
        unit = odds.log_block_priors(math.exp(-1.0), self.method.p_level, self._stacked[alignment][2])
        return self._series(np.exp(-self._tipping[alignment] / unit))  # unit is ln p_ieta for ln p = -1

    # -- one variable -------------------------------------------------------------------------------------------------

    def contexts(self, variable: str, alignment: str | None = None) -> pd.DataFrame:
        """The blocks of one variable that have rows, strongest evidence for a difference first.

        Parameters
        ----------
        variable : one of those compared
        alignment : "published", "common" or "marginal" (without parents); that of the settings where None

        Returns
        -------
        pandas.DataFrame: context (parent values in words), rows in each group, log_bayes_factor (natural log, positive
        for different), posterior_different, few_rows, then the share of every level in either group as observed

        Raises
        ------
        DataError : the variable was not compared, or there is no such alignment
        """
        import pandas as pd

        alignment = alignment or self.method.alignment
        i = self._index(variable)
        blocks = self._blocks(alignment)[i]
        first, second = self.labels
        n = blocks.counts.sum(axis=2)
        log_p = self._log_p(alignment)[i]
        t = odds.surprise(blocks.bayes, np.full(len(blocks.bayes), log_p))
        columns: dict[str, Any] = {
            "context": [self._context(blocks, row) for row in blocks.configurations],
            f"n in {first}": n[:, 0],
            f"n in {second}": n[:, 1],
            "log_bayes_factor": blocks.bayes,
            "posterior_different": -np.expm1(-t),
            "few_rows": n.min(axis=1) < FEW_ROWS,
        }
        with np.errstate(invalid="ignore"):
            shares = blocks.counts / n[:, :, None]
        for k, level in enumerate(self.levels[variable]):
            for g, label in enumerate(self.labels):
                title = f"P({level}) in {label}"
                while title in columns:  # odd levels can spell the same title
                    title += "*"
                columns[title] = shares[:, g, k]
        order = np.argsort(-blocks.bayes, kind="stable")
        return pd.DataFrame(columns).iloc[order].reset_index(drop=True)

    def distributions(self, variable: str, alignment: str | None = None) -> pd.DataFrame:
        """Both groups' distributions of one variable in every context, long form, in the order of `contexts`.

        Parameters
        ----------
        variable, alignment : as for `contexts`

        Returns
        -------
        pandas.DataFrame: context, group, level, count, share (posterior mean), low and high (its central 95 % interval
        under the score's prior)

        Raises
        ------
        DataError : the variable was not compared, or there is no such alignment
        """
        import pandas as pd

        alignment = alignment or self.method.alignment
        blocks = self._blocks(alignment)[self._index(variable)]
        alpha = self.method.score.cell_prior(blocks.possible, len(self.levels[variable]))
        rows = []
        for j in np.argsort(-blocks.bayes, kind="stable"):
            context = self._context(blocks, blocks.configurations[j])
            for g, label in enumerate(self.labels):
                a = alpha + blocks.counts[j, g]
                low_ends, high_ends = beta_interval(a, a.sum() - a)
                rows += [
                    (context, label, level, int(count), share, low, high)
                    for level, count, share, low, high in zip(
                        self.levels[variable],
                        blocks.counts[j, g],
                        a / a.sum(),
                        low_ends,
                        high_ends,
                        strict=True,
                    )
                ]
        return pd.DataFrame(rows, columns=["context", "group", "level", "count", "share", "low", "high"])

    def parents(self, variable: str) -> dict[str, tuple[str, ...]]:
        """The parents of a variable in the three networks.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        title of `graphs()` -> names

        Raises
        ------
        DataError : the variable was not compared
        """
        i = self._index(variable)
        return {
            title: tuple(self.names[x] for x in structure[i])
            for title, structure in zip(self.graph_titles(), self.structures, strict=True)
        }

    # -- all of it ----------------------------------------------------------------------------------------------------

    def ranking(self) -> pd.DataFrame:
        """One row a variable, strongest evidence for a difference first (ties by name, no evidence last).

        Odds are log10. `marginal_log10_odds` is the univariate answer under the same prior; `contexts_with_rows` of
        `contexts` possible ones have rows; `few_rows` marks variables whose decisive context is thin; `tipping_prior`
        is the `p_same` that would make the odds even.

        Returns
        -------
        pandas.DataFrame by variable
        """
        return self._ranking.copy()

    def graph_titles(self) -> tuple[str, str, str]:
        """Titles of the three networks, different even where the labels are odd."""
        group = self.method.group
        return f"{group} = {self.labels[0]}", f"{group} = {self.labels[1]}", "both groups together"

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: network} of the first group, the second and both together.

        Arcs carry `status` ("same", "only_a", "only_b", "reversed", "neither"), nodes `log10_odds`, `p_different` and
        `verdict`. Under a score-equivalent score arcs also carry `compelled`: whether all equivalent DAGs agree on it.
        """
        graphs = [graph.copy() for graph in self._networks]
        about = self._ranking[["log10_odds", "p_different", "verdict"]].to_dict("index")
        for graph in graphs:
            for name in self.names:
                graph.nodes[name].update(about[name])
        return dict(zip(self.graph_titles(), graphs, strict=True))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _blocks(self, alignment: str | None = None) -> tuple[Blocks, ...]:
        name = alignment or self.method.alignment
        if name not in (*ALIGNMENTS, "marginal"):
            raise DataError(f"There is no alignment {name!r}; there are 'published' and 'common'.")
        blocks: tuple[Blocks, ...] = getattr(self, name)
        return blocks

    def _again(self, method: GroupDifferenceSettings) -> Self:
        """This result under settings that only read the evidence differently; what they do not move is kept."""
        changed = replace(self, method=method)
        kept = ["_stacked", "_tipping", "_networks"]
        if (method.p_same, method.p_level) == (self.method.p_same, self.method.p_level):
            kept += ["_odds", "_both"]
        changed.__dict__.update({name: self.__dict__[name] for name in kept if name in self.__dict__})
        return changed

    @cached_property
    def _stacked(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Per alignment: all log Bayes factors in a row, where each variable's begin, and H_i."""
        return {name: stack(self._blocks(name)) for name in (*ALIGNMENTS, "marginal")}

    @cached_property
    def _tipping(self) -> dict[str, np.ndarray]:
        """Per alignment: (n,) ln p_ieta at even odds; the prior does not move it."""
        return {name: odds.tipping_log_block_prior(*self._stacked[name]) for name in ALIGNMENTS}

    @cached_property
    def _networks(self) -> list[nx.DiGraph]:
        """The three networks with what every arc is, but without the odds."""
        graphs = [to_networkx(parents, self.names) for parents in self.structures]
        for graph, arcs in zip(graphs, panels(*graphs), strict=True):
            fixed = compelled(graph) if self.method.score.equivalent else set(graph.edges)
            for arc in arcs:
                graph.edges[arc.source, arc.target].update(
                    status=arc.status, compelled=(arc.source, arc.target) in fixed
                )
        return graphs

    @cached_property
    def _both(self) -> pd.DataFrame:
        import pandas as pd

        published, common = (self._odds[alignment][0] for alignment in ALIGNMENTS)
        verdict = np.where(published > 0, "different", "same").astype(object)
        verdict[(published > 0) != (common > 0)] = "depends on the structure"
        verdict[[len(self.levels[name]) < 2 for name in self.names]] = "no evidence"
        return pd.DataFrame(
            {
                "published": published,
                "common": common,
                "p_different_published": odds.probability(published),
                "p_different_common": odds.probability(common),
                "verdict": verdict,
                "parents_differ": [len({s[i] for s in self.structures}) > 1 for i in range(len(self.names))],
            },
            index=pd.Index(self.names, name="variable"),
        )

    @cached_property
    def _ranking(self) -> pd.DataFrame:
        blocks = self._blocks()
        log_p = self._log_p(self.method.alignment)
        prior = -log_p * self._stacked[self.method.alignment][2]  # -ln P(the variable is the same)
        table = self._both.assign(
            log10_odds=self.log_odds / math.log(10),
            p_different=odds.probability(self.log_odds.to_numpy()),
            log10_published=self._both["published"] / math.log(10),
            log10_common=self._both["common"] / math.log(10),
            marginal_log10_odds=self._odds["marginal"][0] / math.log(10),
            prior_log10_odds=(prior + np.log(-np.expm1(-prior))) / math.log(10),
            largest_share_difference=[self._largest_difference(i) for i in range(len(self.names))],
            contexts=[one.possible for one in blocks],
            contexts_with_rows=[len(one.bayes) for one in blocks],
            few_rows=[self._few_rows(one) for one in blocks],
            tipping_prior=self.tipping_prior(),
            silent=self._both["verdict"] == "no evidence",
        )
        table = table.drop(columns=["published", "common"]).sort_index()
        table = table.sort_values(["silent", "log10_odds"], ascending=[True, False], kind="stable")
        return table.drop(columns="silent")

    @cached_property
    def _odds(self) -> dict[str, tuple[np.ndarray, float]]:
        return {
            name: odds.log_odds(bayes, starts, possible, self._log_p(name))
            for name, (bayes, starts, possible) in self._stacked.items()
        }

    def _log_p(self, alignment: str) -> np.ndarray:
        possible = self._stacked[alignment][2]
        return odds.log_block_priors(self.method.p_same, self.method.p_level, possible)

    def _series(self, values: np.ndarray) -> pd.Series:
        import pandas as pd

        return pd.Series(values, index=pd.Index(self.names, name="variable"))

    def _index(self, variable: str) -> int:
        if variable not in self.names:
            raise DataError(f"{variable!r} was not compared; the group column itself never is.")
        return self.names.index(variable)

    def _context(self, blocks: Blocks, row: np.ndarray) -> str:
        if not blocks.parents:
            return "all rows"
        return ", ".join(
            f"{self.names[x]} = {self.levels[self.names[x]][code]}" for x, code in zip(blocks.parents, row, strict=True)
        )

    def _largest_difference(self, i: int) -> float:
        """Largest difference of a level's share between the groups, second minus first, over all rows."""
        counts = self.marginal[i].counts[0]
        difference = counts[1] / counts[1].sum() - counts[0] / counts[0].sum()
        return float(difference[np.argmax(np.abs(difference))])

    @staticmethod
    def _few_rows(blocks: Blocks) -> bool:
        decisive = int(np.argmax(blocks.bayes))
        return bool(blocks.counts[decisive].sum(axis=1).min() < FEW_ROWS)
