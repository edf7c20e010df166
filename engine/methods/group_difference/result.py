"""What a group comparison found: every number the screen shows, and how to ask for more."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError
from engine.methods.group_difference import odds, words

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.methods.group_difference.learn import Blocks
    from engine.methods.group_difference.settings import GroupDifference
    from engine.search.learn import Parents

ALIGNMENTS = ("published", "common")
FEW_ROWS = 10
"""A context with fewer rows than this in one of the groups is marked: its shares are little more than the prior."""


@dataclass(frozen=True, eq=False)
class GroupDifferenceResult:
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
    """

    method: GroupDifference
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

    # -- odds ---------------------------------------------------------------------------------------------------------

    @property
    def log_odds(self) -> pd.Series:
        """ln O_i by variable under the chosen alignment (equation 10), natural log, in column order."""
        return self._series(self._odds[self.method.alignment][0])

    @property
    def overall_log_odds(self) -> float:
        """ln O under the chosen alignment (equation 11), natural log."""
        return self._odds[self.method.alignment][1]

    def both(self) -> pd.DataFrame:
        """The two alignments side by side: ln odds, P(different), parents, and the verdict they agree on.

        `verdict` is "different" or "same" when both say so and "depends on the structure" when they disagree.
        """
        import pandas as pd

        published, common = (self._odds[alignment][0] for alignment in ALIGNMENTS)
        verdict = np.where(published > 0, "different", "same").astype(object)
        verdict[(published > 0) != (common > 0)] = "depends on the structure"
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

    def with_prior(self, p_same: float, p_level: str | None = None) -> GroupDifferenceResult:
        """The same evidence under another prior, at once: nothing is counted or learned again."""
        method = replace(self.method, p_same=p_same, p_level=p_level or self.method.p_level)
        changed = replace(self, method=method)
        changed.__dict__["_stacked"] = self._stacked
        return changed

    def with_alignment(self, alignment: str) -> GroupDifferenceResult:
        """The same evidence read under the other alignment, at once."""
        changed = replace(self, method=replace(self.method, alignment=alignment))
        changed.__dict__["_stacked"] = self._stacked
        return changed

    def tipping_prior(self) -> pd.Series:
        """For each variable the `p_same` (of the same level) at which its odds are even, by variable.

        The evidence for a difference is as strong as the prior against it would have to be.
        """
        bayes, starts, possible = self._stacked[self.method.alignment]
        log_p = odds.tipping_log_block_prior(bayes, starts, possible)
        unit = odds.log_block_priors(math.exp(-1.0), self.method.p_level, possible)  # ln p_ieta for ln p = -1
        return self._series(np.exp(-log_p / unit))

    # -- one variable -------------------------------------------------------------------------------------------------

    def contexts(self, variable: str, alignment: str | None = None) -> pd.DataFrame:
        """The blocks of one variable that have rows, strongest evidence for a difference first.

        Columns: context (parent values in words), rows in each group, log_bayes_factor (natural log, positive for
        different), posterior_different, few_rows, then the share of every level in either group as observed.
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
                columns[f"P({level}) in {label}"] = shares[:, g, k]
        order = np.argsort(-blocks.bayes, kind="stable")
        return pd.DataFrame(columns).iloc[order].reset_index(drop=True)

    def distributions(self, variable: str, alignment: str | None = None) -> pd.DataFrame:
        """Both groups' distributions of one variable in every context, long form, in the order of `contexts`.

        Columns: context, group, level, count, share (posterior mean), low and high (its central 95 % interval under the
        score's prior).
        """
        import pandas as pd
        from scipy.special import betaincinv

        alignment = alignment or self.method.alignment
        blocks = self._blocks(alignment)[self._index(variable)]
        alpha = self.method.score.cell_prior(blocks.possible, len(self.levels[variable]))
        rows = []
        for j in np.argsort(-blocks.bayes, kind="stable"):
            context = self._context(blocks, blocks.configurations[j])
            for g, label in enumerate(self.labels):
                a = alpha + blocks.counts[j, g]
                b = a.sum() - a
                rows += [
                    (context, label, level, int(count), share, low, high)
                    for level, count, share, low, high in zip(
                        self.levels[variable],
                        blocks.counts[j, g],
                        a / a.sum(),
                        betaincinv(a, b, 0.025) if len(a) > 1 else [1.0],
                        betaincinv(a, b, 0.975) if len(a) > 1 else [1.0],
                        strict=True,
                    )
                ]
        return pd.DataFrame(rows, columns=["context", "group", "level", "count", "share", "low", "high"])

    def explain(self, variable: str) -> list[str]:
        """One variable in plain sentences: the verdict, its parents, and the univariate answer beside it."""
        return words.explain(self, variable)

    def parents(self, variable: str) -> dict[str, tuple[str, ...]]:
        """The parents of a variable in the three networks: by group label, and "pooled"."""
        i = self._index(variable)
        titles = (*self.labels, "pooled")
        return {
            title: tuple(self.names[x] for x in structure[i])
            for title, structure in zip(titles, self.structures, strict=True)
        }

    # -- all of it ----------------------------------------------------------------------------------------------------

    def ranking(self) -> pd.DataFrame:
        """One row a variable, strongest evidence for a difference first (ties by name).

        Odds are log10. `marginal_log10_odds` is the univariate answer under the same prior; `contexts_with_rows` of
        `contexts` possible ones have rows; `few_rows` marks variables whose decisive context is thin; `tipping_prior`
        is the `p_same` that would make the odds even.
        """
        both = self.both()
        table = both.assign(
            log10_odds=self.log_odds / math.log(10),
            p_different=odds.probability(self.log_odds.to_numpy()),
            log10_published=both["published"] / math.log(10),
            log10_common=both["common"] / math.log(10),
            marginal_log10_odds=self._odds["marginal"][0] / math.log(10),
            largest_share_difference=[self._largest_difference(i) for i in range(len(self.names))],
            contexts=[blocks.possible for blocks in self._blocks()],
            contexts_with_rows=[len(blocks.bayes) for blocks in self._blocks()],
            few_rows=[self._few_rows(blocks) for blocks in self._blocks()],
            tipping_prior=self.tipping_prior(),
        )
        table = table.drop(columns=["published", "common"])
        return table.sort_index().sort_values("log10_odds", ascending=False, kind="stable")

    def summary(self) -> str:
        """The answer in plain sentences."""
        return words.summary(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}: the ranking, all contexts of all variables under both alignments, the arcs, the settings."""
        import pandas as pd

        contexts = [
            self.contexts(name, alignment).iloc[:, :6].assign(alignment=alignment, variable=name)
            for name in self.names
            for alignment in ALIGNMENTS
        ]
        arcs = [
            (title, source, target, status["status"])
            for title, graph in self.graphs().items()
            for source, target, status in graph.edges(data=True)
        ]
        return {
            "Odds by variable": self.ranking().reset_index(),
            "Contexts": pd.concat(contexts, ignore_index=True),
            "Arcs": pd.DataFrame(arcs, columns=["network", "parent", "child", "status"]),
            "Settings": words.settings_table(self),
        }

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: network} of the first group, the second and both together.

        Arcs carry `status` ("same", "only_a", "only_b", "reversed", "neither"), nodes `log10_odds`, `p_different` and
        `verdict`. Under a score-equivalent score arcs also carry `compelled`: whether all equivalent DAGs agree on it.
        """
        from engine.graphs.compare import panels
        from engine.graphs.dag import to_networkx
        from engine.graphs.pdag import compelled

        graphs = [to_networkx(parents, self.names) for parents in self.structures]
        ranking = self.ranking()
        for graph, arcs in zip(graphs, panels(*graphs), strict=True):
            for name in self.names:
                graph.nodes[name].update(
                    log10_odds=float(ranking.at[name, "log10_odds"]),
                    p_different=float(ranking.at[name, "p_different"]),
                    verdict=str(ranking.at[name, "verdict"]),
                )
            fixed = compelled(graph) if self.method.score.equivalent else set(graph.edges)
            for arc in arcs:
                graph.edges[arc.source, arc.target].update(
                    status=arc.status, compelled=(arc.source, arc.target) in fixed
                )
        titles = words.graph_titles(self)
        return dict(zip(titles, graphs, strict=True))

    def to_json(self) -> str:
        """Everything, versioned: settings, odds, every block, the three networks."""
        return words.to_json(self)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _blocks(self, alignment: str | None = None) -> tuple[Blocks, ...]:
        name = alignment or self.method.alignment
        if name not in (*ALIGNMENTS, "marginal"):
            raise DataError(f"There is no alignment {name!r}; there are 'published' and 'common'.")
        blocks: tuple[Blocks, ...] = getattr(self, name)
        return blocks

    @cached_property
    def _stacked(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Per alignment: all log Bayes factors in a row, where each variable's begin, and H_i."""
        stacked = {}
        for name in (*ALIGNMENTS, "marginal"):
            blocks = self._blocks(name)
            bayes = np.concatenate([one.bayes for one in blocks])
            starts = np.cumsum([0, *(len(one.bayes) for one in blocks)])
            stacked[name] = (bayes, starts, np.array([one.possible for one in blocks]))
        return stacked

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
