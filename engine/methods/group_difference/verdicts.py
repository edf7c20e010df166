"""What is said of each variable: differs, alike, or cannot tell; and which of four plain classes it belongs to.

Two questions are asked of a variable: does it differ *on its own*, and does it differ *beyond its parents*, within the
contexts of its parents in the pooled network (the paper's question, on common parents)? Each gets a chance, by shuffled
labels, and a Bayes factor, at even prior odds. The published odds and the prior on screen decide nothing here.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import words
from engine.measures.risk_difference import largest_difference, risk_difference, rows_needed
from engine.methods.group_difference import odds
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.chance import Chance
from engine.methods.group_difference.evidence import FEW_ROWS, GroupDifferenceEvidence
from engine.methods.group_difference.readings import once

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

DIFFERS, ALIKE, CANNOT_TELL, ONE_LEVEL = "differs", "alike", "cannot tell", "one level"
"""Verdicts on "beyond its parents"."""
EXPLAINED, WITHIN, NOTHING = "differs, explained by ", "differs only within ", "no difference seen"
"""How the classes begin that are not simply "differs"."""
DISPUTED = "networks disagree"
"""The class where shuffles rarely show as much and the published comparison favours no difference: not called."""
IMPROBABLE = 0.05
"""Alike: a larger difference than the margin is at most this probable."""
DRAWS = 1000
_POSITIVE = math.log(3)
_READ = ("p_same", "p_level", "alignment", "margin")
"""Settings that can be moved after the evidence is there."""
_FOUND = (
    "verdict",
    "class",
    "level",
    "effect",
    "low",
    "high",
    "effect_alone",
    "low_alone",
    "high_alone",
    "rows_needed",
)
VERDICT_COLUMNS = (*_FOUND, "chance_alone", "chance_beyond", "p_over_margin")
"""What `variables` says beside Bayes factors and odds."""


def called(chance: Chance, factors: Mapping[str, np.ndarray], level: float) -> np.ndarray:
    """(n,) whether a variable is said to differ: chance at most `level` and both Bayes factors for a difference.

    Parameters
    ----------
    chance : beyond the parents;  level : share of false ones among those called
    factors : "common" and "published" -> (n,) log Bayes factors
    """
    return (chance.corrected <= level) & (factors["common"] > 0) & (factors["published"] > 0)


@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferenceVerdicts(GroupDifferenceEvidence):
    """The evidence of a group comparison with what may be said of it."""

    def variables(self) -> pd.DataFrame:
        """One row a variable, as the page shows them: what differs first, then by Bayes factor beyond the parents.

        `verdict` is "differs", "alike" (within `margin`), "cannot tell" or "one level"; `class` is "differs",
        "differs, explained by ...", "differs only within ...", "networks disagree" or "no difference seen".

        Returns
        -------
        pandas.DataFrame by variable: verdict, class; chance_alone and chance_beyond, how often shuffled labels show as
        much, corrected for the number of variables; effect with low and high (95 %), the largest difference of a
        share (of `level`), second group minus first, held within the contexts of the parents; the same on its own;
        p_over_margin, the posterior probability that a difference in any context exceeds the margin; rows_needed, a
        group, to see the margin in 80 % of tables, where it cannot be told; log10 Bayes factors, and the one beyond the
        parents that 95 of 100 shuffles stay below; contexts, contexts_with_rows and few_rows, of the pooled network's
        parents whatever the alignment; then the other columns of `ranking`
        """
        return self._variables.copy()

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

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: network} of the first group, the second and both together.

        Arcs carry `status` ("same", "only_a", "only_b", "reversed", "neither"), nodes `verdict`, `class`, `effect`,
        `log10_bf_beyond`, `log10_odds` and `p_different`. Under a score-equivalent score arcs also carry `compelled`:
        whether all equivalent DAGs agree on it.
        """
        graphs = [graph.copy() for graph in self._networks]
        shown = self._verdicts[["verdict", "class", "effect", "log10_bf_beyond"]]
        about = shown.join(self._ranking[["log10_odds", "p_different"]]).to_dict("index")
        for graph in graphs:
            for name in self.names:
                graph.nodes[name].update(about[name])
        return dict(zip(self.graph_titles(), graphs, strict=True))

    # -- inside -------------------------------------------------------------------------------------------------------

    @once()
    def largest_differences(self) -> np.ndarray:
        """(n, DRAWS) draws from the posterior of the largest difference in any context of each variable's parents."""
        return np.array([self._largest(i, blocks) for i, blocks in enumerate(self.common)])

    @once(*_READ)
    def _variables(self) -> pd.DataFrame:
        """What `variables` gives away a copy of: every sentence on the page asks for it."""
        table = self._verdicts
        table = table.join(self._ranking.drop(columns=table.columns, errors="ignore"))
        last = table["verdict"] == ONE_LEVEL
        place = [_place(kind) for kind in table["class"]]
        table = table.assign(last=last, place=place).sort_index(kind="stable")
        table = table.sort_values(["last", "place", "log10_bf_beyond"], ascending=[True, True, False], kind="stable")
        return table.drop(columns=["last", "place"])

    @once("margin")
    def _verdicts(self) -> pd.DataFrame:
        """The columns of `variables` that are not those of `ranking`, in column order."""
        import pandas as pd

        asked = np.array([len(self.levels[name]) > 1 for name in self.names])
        level = self.method.chance
        alone, beyond = self.chance_alone.corrected, self.chance_beyond.corrected
        factors = self.bayes_factors
        is_alone = (alone <= level) & (factors["marginal"] > 0)
        is_beyond = (beyond <= level) & (factors["common"] > 0)
        is_called = called(self.chance_beyond, factors, level)  # which asks the published odds too
        over = (self.largest_differences > self.method.margin).mean(axis=1)
        verdict = np.full(len(asked), CANNOT_TELL, dtype=object)
        verdict[(over <= IMPROBABLE) & ~is_beyond] = ALIKE
        verdict[is_called] = DIFFERS
        verdict[~asked] = ONE_LEVEL
        rows = []
        for i, blocks in enumerate(self.common):
            kind = (
                DISPUTED if is_beyond[i] and not is_called[i] else self._class(i, bool(is_alone[i]), bool(is_beyond[i]))
            )
            needed = rows_needed(blocks.counts, self.method.margin, level / max(int(asked.sum()), 1))
            shown = (*self._effect(i, blocks), *self._effect(i, self.marginal[i])[1:])
            rows.append((verdict[i], kind, *shown, needed if verdict[i] == CANNOT_TELL else math.nan))
        table = pd.DataFrame(rows, columns=list(_FOUND), index=pd.Index(self.names, name="variable"))
        return table.assign(
            chance_alone=alone,
            chance_beyond=beyond,
            log10_bf_alone=factors["marginal"] / math.log(10),
            log10_bf_beyond=factors["common"] / math.log(10),
            log10_bf_published=factors["published"] / math.log(10),
            log10_bf_shuffled=self.chance_beyond.band[:, -1] / math.log(10),
            p_over_margin=over,
            **self._about_contexts(self.common),
        )

    def _effect(self, i: int, blocks: Blocks) -> tuple[str, float, float, float]:
        """The level whose share differs most between the groups, that difference, and its interval."""
        effect, low, high = risk_difference(blocks.counts)
        if not np.isfinite(effect).any():
            return "", math.nan, math.nan, math.nan
        size = np.round(np.abs(effect), 9)
        k = int(np.flatnonzero(size == size.max())[-1])  # of two levels, which mirror each other, the second
        return self.levels[self.names[i]][k], float(effect[k]), float(low[k]), float(high[k])

    def _class(self, i: int, alone: bool, beyond: bool) -> str:
        if len(self.levels[self.names[i]]) < 2:
            return ONE_LEVEL
        if alone == beyond:
            return DIFFERS if alone else NOTHING
        blocks = self.common[i]
        if alone:
            return EXPLAINED + words.first([self.names[x] for x in blocks.parents], most=2)
        decisive = [int(j) for j in np.argsort(-blocks.bayes, kind="stable") if blocks.bayes[j] > _POSITIVE]
        shown = decisive or [int(np.argmax(blocks.bayes))]
        return WITHIN + words.first([self._context(blocks, j) for j in shown], most=2, between="; or ")

    def _largest(self, i: int, blocks: Blocks) -> np.ndarray:
        seed = [self.method.seed, zlib.crc32(self.names[i].encode()), len(blocks.parents), 1]
        # the order of levels and of contexts shall change no draw
        counts = np.array([one[:, np.lexsort(one)] for one in blocks.counts])
        counts = counts[np.lexsort(counts.reshape(len(counts), -1).T)]
        prior = self.method.score.cell_prior(blocks.possible, counts.shape[2])
        return largest_difference(counts, prior, DRAWS, np.random.default_rng(seed))

    @once(*_READ)
    def _ranking(self) -> pd.DataFrame:
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
            **self._about_contexts(self._blocks()),
            tipping_prior=self.tipping_prior(),
            silent=self._both["favour"] == "neither",
        )
        table = table.drop(columns=["published", "common"]).sort_index()
        table = table.sort_values(["silent", "log10_odds"], ascending=[True, False], kind="stable")
        return table.drop(columns="silent").join(self._verdicts[["verdict", "class"]])

    def _largest_difference(self, i: int) -> float:
        """Largest difference of a level's share between the groups, second minus first, over all rows."""
        counts = self.marginal[i].counts[0]
        difference = counts[1] / counts[1].sum() - counts[0] / counts[0].sum()
        return float(difference[np.argmax(np.abs(difference))])

    def _about_contexts(self, blocks: Sequence[Blocks]) -> dict[str, list[Any]]:
        """How many contexts each variable could have, how many have rows, and whether the decisive one has few."""
        return {
            "contexts": [one.possible for one in blocks],
            "contexts_with_rows": [len(one.bayes) for one in blocks],
            "few_rows": [self._few_rows(one) for one in blocks],
        }

    @staticmethod
    def _few_rows(blocks: Blocks) -> bool:
        decisive = int(np.argmax(blocks.bayes))
        return bool(blocks.counts[decisive].sum(axis=1).min() < FEW_ROWS)


def _place(kind: str) -> int:
    """Where a class stands in the list of variables."""
    beginnings = (EXPLAINED, WITHIN, DISPUTED, NOTHING)  # plainly different ones come first
    return next((place for place, one in enumerate(beginnings, 1) if kind.startswith(one)), 0)
