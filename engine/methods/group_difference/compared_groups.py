"""Two groups that were compared: what was counted, and the paper's own numbers from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engine import words
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.graphs.dag import Parents
from engine.lazy import pd
from engine.methods import frames
from engine.methods.described_rows import DescribedRows
from engine.methods.evidence import Evidence
from engine.methods.group_difference import odds
from engine.methods.group_difference.average.averaging import Average, log_priors
from engine.methods.group_difference.blocks import Blocks, stack
from engine.methods.group_difference.chance import Chance
from engine.methods.group_difference.effects import contexts_counted
from engine.methods.group_difference.gap.evidence import GapEvidence
from engine.methods.group_difference.numbers.child_evidence import ChildEvidence
from engine.methods.group_difference.numbers.described import NumberSummary
from engine.methods.group_difference.numbers.equivalence import FoundContext
from engine.methods.group_difference.numbers.items import ItemScale
from engine.methods.group_difference.rows.clusters import ClusterFacts
from engine.methods.readings import once

ALIGNMENTS = ("published", "common")


@dataclass(frozen=True, eq=False, repr=False)
class ComparedGroups(Evidence):
    """The findings of a comparison of two groups, in numbers.

    Attributes
    ----------
    method : the settings
    names, levels : the variables compared (without the group column) and their levels
    labels, n : what the two groups are called, and their numbers of rows
    structures : parents of every variable in the first group's, the second's and the pooled network
    published, common : the blocks of every variable under the two alignments
    marginal : one block a variable, without parents: the univariate comparison
    average : P(differs) and P(link) averaged over orders; None where they are not
    likeliest, differing : the blocks of every variable over its likeliest parents, and over its likeliest parents where
        it differs, both groups over the same; none where orders are not averaged
    chance_alone : what shuffled labels show of `marginal`
    dropped : levels that neither group has
    fingerprint : of the data set
    clusters : of rows that belong together; None where each is by itself
    left_out : a sentence on rows left out for gaps, where what differs may be that; "" else
    missing : variable -> its level for values that are missing
    made : what it was computed from and with
    ordered : the variables whose levels have an order, numbers among them
    numbers : of those whose values are at hand, in their units
    evidence_likeliest, evidence_differing : what a difference of every variable is, over S* of either kind
    evidence_alone : the same without parents; none of the three where levels alone were compared
    found_contexts : of every variable those in which it differs whatever is said of all rows; none where not looked for
    recording : sentences on how unlike recording was evened out between the groups
    set_aside : columns that others determine, which were not asked together -> a sentence
    described : all rows of both groups, in every variable; None in an answer that an older version saved
    gaps : those that were explained, by what they are of; they are told and saved with the answer
    scales : items of questionnaires added up, a scale each
    rows : the rows that it was made from, as long as it stays where it was made
    """

    levels: Mapping[str, tuple[str, ...]]
    labels: tuple[str, str]
    n: tuple[int, int]
    structures: tuple[Parents, Parents, Parents]
    published: tuple[Blocks, ...]
    common: tuple[Blocks, ...]
    marginal: tuple[Blocks, ...]
    average: Average | None
    likeliest: tuple[Blocks, ...]
    differing: tuple[Blocks, ...]
    chance_alone: Chance
    dropped: Mapping[str, tuple[str, ...]]
    clusters: ClusterFacts | None
    left_out: str
    missing: Mapping[str, str]
    ordered: tuple[str, ...] = ()
    numbers: Mapping[str, NumberSummary] = field(default_factory=dict)
    evidence_likeliest: tuple[ChildEvidence, ...] = ()
    evidence_differing: tuple[ChildEvidence, ...] = ()
    evidence_alone: tuple[ChildEvidence, ...] = ()
    found_contexts: tuple[tuple[FoundContext, ...], ...] = ()
    recording: tuple[str, ...] = ()
    set_aside: Mapping[str, str] = field(default_factory=dict)
    described: DescribedRows | None = None
    gaps: Mapping[str, GapEvidence] = field(default_factory=dict)
    scales: tuple[ItemScale, ...] = ()
    rows: Dataset | None = field(default=None, metadata={"stored": False})

    @property
    def n_rows(self) -> int:
        """Rows of both groups together."""
        return sum(self.n)

    @property
    def alignment(self) -> str:
        """Whose contexts a report shows: "likeliest" where orders are averaged, else those of the settings."""
        return "likeliest" if self.average else self.method.alignment

    def group_names(self) -> tuple[str, str]:
        """Names of the two groups in sentences: with their variable too where a label says nothing without it."""
        first, second = (f"{self.method.group} = {label}" if words.is_bare(label) else label for label in self.labels)
        return first, second

    def graph_titles(self) -> tuple[str, str, str]:
        """Titles of the three networks, different even where the labels are odd."""
        group = self.method.group
        return f"{group} = {self.labels[0]}", f"{group} = {self.labels[1]}", "both groups together"

    @property
    def outcome(self) -> str:
        """The variable that was asked about beforehand; "" where none was, or orders are not averaged."""
        place = -1 if self.average is None else self.average.outcome
        return self.names[place] if place >= 0 else ""

    @property
    def log_priors(self) -> np.ndarray:
        """(n,) ln of the prior probability that each variable is the same."""
        return log_priors(self.method.p_none, len(self.names), -1 if self.average is None else self.average.outcome)

    def context(self, blocks: Blocks, j: int) -> str:
        """Block j of a variable in words: the values of its parents.

        Parameters
        ----------
        blocks : of the variable
        j : position of the block
        """
        if not blocks.parents:
            return "all rows"
        named = zip(blocks.parents, blocks.configurations[j], strict=True)
        return ", ".join(f"{self.names[x]} = {self.levels[self.names[x]][code]}" for x, code in named)

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
        i = self.index(variable)
        return {
            title: tuple(self.names[x] for x in structure[i])
            for title, structure in zip(self.graph_titles(), self.structures, strict=True)
        }

    def index(self, variable: str) -> int:
        """The position of a variable; `DataError` where it was not compared.

        Parameters
        ----------
        variable : its name
        """
        if variable not in self.names:
            raise DataError(f"{variable!r} was not compared; the group column itself never is.")
        return self.names.index(variable)

    # -- the paper's own numbers ---------------------------------------------------------------------------------------

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

        `favour` is "a difference" or "no difference" when both lean so, however little, "one each" when they disagree,
        and "neither" for a variable with one level, whose odds are the prior's. It is no verdict: see `variables`.
        """
        return self._both.copy()

    def tipping_prior(self) -> pd.Series:
        """For each variable the `p_same` (of the same level) at which its odds are even.

        The evidence for a difference is as strong as the prior against it would have to be.
        """
        alignment = self.method.alignment
        unit = odds.log_block_priors(math.exp(-1.0), self.method.p_level, self._stacked[alignment][2])
        return self._series(np.exp(-self._tipping / unit))  # unit is ln p_ieta for ln p = -1

    def ranking(self) -> pd.DataFrame:
        """The paper's own numbers, one row a variable, strongest evidence for a difference first (ties by name).

        Odds are log10. `marginal_log10_odds` is the univariate answer under the same prior; `tipping_prior` is the
        `p_same` that would make the odds even.

        Returns
        -------
        pandas.DataFrame by variable
        """
        return self._ranking.copy()

    @once("p_same", "p_level", "alignment")
    def _ranking(self) -> pd.DataFrame:
        log_p = self._log_block_priors(self.method.alignment)
        prior = -log_p * self._stacked[self.method.alignment][2]  # -ln P(the variable is the same)
        table = self._both.assign(
            log10_odds=self.log_odds / math.log(10),
            p_different=odds.probability(self.log_odds.to_numpy()),
            log10_published=self._both["published"] / math.log(10),
            log10_common=self._both["common"] / math.log(10),
            marginal_log10_odds=self._odds["marginal"][0] / math.log(10),
            prior_log10_odds=(prior + np.log(-np.expm1(-prior))) / math.log(10),
            tipping_prior=self.tipping_prior(),
            **contexts_counted(self.blocks_under(self.method.alignment)),
            silent=self._both["favour"] == "neither",
        )
        table = table.drop(columns=["published", "common"]).sort_index()
        table = table.sort_values(["silent", "log10_odds"], ascending=[True, False], kind="stable")
        return table.drop(columns="silent").copy()

    @once("p_same", "p_level")
    def _both(self) -> pd.DataFrame:
        published, common = (self._odds[alignment][0] for alignment in ALIGNMENTS)
        favour = np.where(published > 0, "a difference", "no difference").astype(object)
        favour[(published > 0) != (common > 0)] = "one each"
        favour[[len(self.levels[name]) < 2 for name in self.names]] = "neither"
        return frames.data_frame(
            {
                "published": published,
                "common": common,
                "p_different_published": odds.probability(published),
                "p_different_common": odds.probability(common),
                "favour": favour,
                "parents_differ": [len({s[i] for s in self.structures}) > 1 for i in range(len(self.names))],
            },
            names=self.names,
        )

    @once("p_same", "p_level")
    def _odds(self) -> dict[str, tuple[np.ndarray, float]]:
        method = self.method
        return {name: odds.paper_odds(own, method.p_same, method.p_level) for name, own in self._stacked.items()}

    @once()
    def _stacked(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Per alignment: all log Bayes factors in a row, where each variable's begin, and H_i."""
        return {name: stack(self.blocks_under(name)) for name in (*ALIGNMENTS, "marginal")}

    @once("alignment")
    def _tipping(self) -> np.ndarray:
        """(n,) ln p_ieta at even odds; the prior does not move it."""
        return odds.tipping_log_block_prior(*self._stacked[self.method.alignment])

    def _log_block_priors(self, alignment: str) -> np.ndarray:
        possible = self._stacked[alignment][2]
        return odds.log_block_priors(self.method.p_same, self.method.p_level, possible)

    def blocks_under(self, alignment: str) -> tuple[Blocks, ...]:
        """The blocks of every variable under an alignment of the paper.

        Parameters
        ----------
        alignment : "published", "common" or "marginal"
        """
        if alignment not in (*ALIGNMENTS, "marginal"):
            raise DataError(f"There is no alignment {alignment!r}; there are 'published' and 'common'.")
        blocks: tuple[Blocks, ...] = getattr(self, alignment)
        return blocks

    def _series(self, values: np.ndarray) -> pd.Series:
        return frames.series_of(values, self.names)
