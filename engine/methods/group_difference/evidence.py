"""What a group comparison found: every number that is told of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from engine import words
from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.execution import Progress, as_progress, silent
from engine.graphs.comparison import panels
from engine.graphs.dag import Parents, to_networkx
from engine.graphs.pdag import compelled
from engine.lazy import nx, pd
from engine.measures.intervals import beta_interval
from engine.methods import frames
from engine.methods.fitting import check_positions, check_that
from engine.methods.group_difference import odds
from engine.methods.group_difference.average.averaging import Average, Posterior, log_priors
from engine.methods.group_difference.blocks import Blocks, stack
from engine.methods.group_difference.chance import Chance
from engine.methods.group_difference.explain import check_gap, explain
from engine.methods.group_difference.gap.gap import Gap
from engine.methods.group_difference.numbers.child_evidence import ChildEvidence
from engine.methods.group_difference.numbers.described import NumberSummary
from engine.methods.group_difference.numbers.equivalence import FoundContext
from engine.methods.group_difference.rows.clusters import ClusterFacts
from engine.methods.group_difference.rows.groups import split_groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_difference.verdicts import LinkStatus
from engine.methods.readings import once, same_evidence, without_store
from engine.methods.table_one import DescribedResult, TableOne

ALIGNMENTS = ("published", "common")
ARC_STATUS = {
    "same": LinkStatus.BOTH,
    "only_a": LinkStatus.ONLY_FIRST,
    "only_b": LinkStatus.ONLY_SECOND,
    "reversed": LinkStatus.REVERSED,
    "neither": LinkStatus.NEITHER,
}
"""What an arc of the paper's networks is to the two groups, as `edges` has it."""
FEW_ROWS = 10
"""A context with fewer rows than this in one of the groups is marked: its shares are little more than the prior."""


@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferenceEvidence(DescribedResult):
    """The answer to "which variables behave differently in the two groups?"

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
    described: TableOne | None = None
    gaps: dict[str, Gap] = field(default_factory=dict)
    rows: Dataset | None = field(default=None, metadata={"stored": False})

    # -- odds ---------------------------------------------------------------------------------------------------------

    @property
    def n_rows(self) -> int:
        """Rows of both groups together."""
        return sum(self.n)

    @property
    def alignment(self) -> str:
        """Whose contexts a report shows: "likeliest" where orders are averaged, else those of the settings."""
        return "likeliest" if self.average else self.method.alignment

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

    def with_prior(
        self, p_same: float | None = None, p_level: str | None = None, *, p_none: float | None = None
    ) -> Self:
        """The same evidence under another prior, at once: nothing is counted or learned again.

        Parameters
        ----------
        p_same, p_level : of the paper's numbers, as in the settings; what is None stays
        p_none : of P(differs), as in the settings; stays where None

        Returns
        -------
        a result with these settings

        Raises
        ------
        SettingsError : a number is not between 0 and 1, there is no such level, or `p_none` is moved where orders were
            drawn
        """
        given: dict[str, Any] = {"p_same": p_same, "p_level": p_level, "p_none": p_none}
        changed = self._again(replace(self.method, **{name: item for name, item in given.items() if item is not None}))
        _ = changed.posterior  # refused here, not where it is first looked at
        return changed

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

    def with_margin(self, margin: float) -> Self:
        """The same evidence with another difference that would matter, at once.

        Parameters
        ----------
        margin : as in the settings

        Returns
        -------
        a result with this setting

        Raises
        ------
        SettingsError : margin is not between 0 and 1
        """
        return self._again(replace(self.method, margin=margin))

    def tipping_prior(self) -> pd.Series:
        """For each variable the `p_same` (of the same level) at which its odds are even.

        The evidence for a difference is as strong as the prior against it would have to be.
        """
        alignment = self.method.alignment
        unit = odds.log_block_priors(math.exp(-1.0), self.method.p_level, self._stacked[alignment][2])
        return self._series(np.exp(-self._tipping[alignment] / unit))  # unit is ln p_ieta for ln p = -1

    def ranking(self) -> pd.DataFrame:
        """The paper's own numbers, one row a variable, strongest evidence for a difference first (ties by name).

        Odds are log10. `marginal_log10_odds` is the univariate answer under the same prior; `tipping_prior` is the
        `p_same` that would make the odds even.

        Returns
        -------
        pandas.DataFrame by variable
        """
        return self._ranking.copy()

    # -- one variable -------------------------------------------------------------------------------------------------

    def contexts(self, variable: str, alignment: str | None = None) -> pd.DataFrame:
        """The blocks of one variable that have rows, strongest evidence for a difference first.

        Parameters
        ----------
        variable : one of those compared
        alignment : None for the likeliest parents of the average (the pooled network's where orders are not averaged);
            "published" or "common" for the paper's, "marginal" for none

        Returns
        -------
        pandas.DataFrame: context (parent values in words), rows in each group, log_bayes_factor (natural log, positive
        for different), part (log10; at even prior odds the parts add up to minus log10 of twice P(no difference |
        data)), posterior_different, few_rows, then the share of every level in either group as observed

        Raises
        ------
        DataError : the variable was not compared, or there is no such alignment
        """
        i = self._index(variable)
        blocks = self._blocks(alignment)[i]
        first, second = self.labels
        n = blocks.counts.sum(axis=2)
        log_p = self._log_block_prior(alignment, i)
        t = odds.surprise(blocks.bayes, np.full(len(blocks.bayes), log_p))
        columns: dict[str, Any] = {
            "context": [self._context(blocks, j) for j in range(len(blocks.configurations))],
            f"n in {first}": n[:, 0],
            f"n in {second}": n[:, 1],
            "log_bayes_factor": blocks.bayes,
            "part": odds.parts(blocks.bayes, blocks.possible) / math.log(10),
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
        return frames.data_frame(columns).iloc[order].reset_index(drop=True)

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
        blocks = self._blocks(alignment)[self._index(variable)]
        alpha = self.method.score.cell_prior(blocks.possible, len(self.levels[variable]))
        rows = []
        for j in np.argsort(-blocks.bayes, kind="stable"):
            context = self._context(blocks, j)
            for g, label in enumerate(self.labels):
                a = alpha + blocks.counts[j, g]
                low_ends, high_ends = beta_interval(a, a.sum() - a)
                columns = (self.levels[variable], blocks.counts[j, g].tolist(), a / a.sum(), low_ends, high_ends)
                rows += [(context, label, *row) for row in zip(*columns, strict=True)]
        return frames.data_frame(rows, columns=["context", "group", "level", "count", "share", "low", "high"])

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

    def _context(self, blocks: Blocks, j: int) -> str:
        """Block j of a variable in words: the values of its parents."""
        if not blocks.parents:
            return "all rows"
        named = zip(blocks.parents, blocks.configurations[j], strict=True)
        return ", ".join(f"{self.names[x]} = {self.levels[self.names[x]][code]}" for x, code in named)

    # -- a gap --------------------------------------------------------------------------------------------------------

    def explain_gap(
        self,
        outcome: str,
        level: str | None = None,
        draws: int = 2000,
        *,
        first: Sequence[str] = (),
        data: Dataset | None = None,
        progress: Progress = silent,
    ) -> Gap:
        """What explains the gap of an outcome: Shapley shares of the mechanisms that differ, averaged over networks.

        The outcome stands last in every order; shares and what is not explained add up to the observed gap. The gap is
        told and saved with this answer from then on.

        Parameters
        ----------
        outcome : one of the variables compared
        level : whose share of rows is explained; None for the mean of a number, else for the level one speaks of
        draws : networks that are drawn
        first : variables that stand first in every order, such as age and sex
        data : the rows that this answer was made from, where it was saved or came from another process
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `engine.methods.group_difference.gap.gap.Gap`

        Raises
        ------
        DataError : no such variable or level, other rows or none at hand, or too few subjects
        SettingsError : orders were drawn or not averaged, or `draws` is below 1
        """
        check_gap(self, outcome, level, draws)
        rows = self.rows if data is None else data
        if rows is None:
            raise DataError("The rows are not at hand; give them: result.explain_gap(..., data=data).")
        self.check_data(rows)
        for name in first:
            self._index(name)
        groups = split_groups(self.method, rows)
        gap = explain(self, groups, outcome, level, draws, first, self.group_names(), as_progress(progress))
        return self.keep_gap(gap)

    def keep_gap(self, gap: Gap) -> Gap:
        """Let a gap be told and saved with this answer, in the place of another of the same outcome and level.

        Parameters
        ----------
        gap : of this answer

        Returns
        -------
        the gap
        """
        self.gaps[f"{gap.outcome} = {gap.level}" if gap.level else gap.outcome] = gap
        self.__dict__.pop("_parts", None)  # what is said has one part more
        return gap

    def group_names(self) -> tuple[str, str]:
        """What the two groups are called in sentences: by their variable too where a label says nothing without it."""
        first, second = (f"{self.method.group} = {item}" if words.is_bare(item) else item for item in self.labels)
        return first, second

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables that this answer has."""
        return tuple(title for title in self.titles if title != "Gap" or self.gaps)

    def graph_titles(self) -> tuple[str, str, str]:
        """Titles of the three networks, different even where the labels are odd."""
        group = self.method.group
        return f"{group} = {self.labels[0]}", f"{group} = {self.labels[1]}", "both groups together"

    def __getstate__(self) -> dict[str, Any]:
        return {name: item for name, item in without_store(self).items() if name != "rows"}

    def _check_read(self) -> None:
        super()._check_read()
        n = len(self.names)
        evidence = (self.evidence_likeliest, self.evidence_differing, self.evidence_alone)
        check_that(all(len(item) in (0, n) for item in (*evidence, self.found_contexts)), "evidence of other variables")
        check_that(len({len(item) for item in evidence}) == 1, "evidence is given of some parents alone")
        check_that({*self.ordered, *self.numbers} <= set(self.names), "numbers are of other variables")
        for item, blocks in zip(evidence, (self.likeliest, self.differing, self.marginal), strict=True):
            for own, block in zip(item, blocks if item else (), strict=True):
                check_that(item is self.evidence_alone or len(own.blocks) == len(block.bayes), "contexts do not match")
        for name, summary in self.numbers.items():
            i = self.names.index(name)
            pairs = zip((summary.likeliest, summary.differing), (self.likeliest, self.differing), strict=True)
            check_that(
                all(len(own.counts) == len(block[i].bayes) for own, block in pairs if block), "contexts of numbers"
            )
        for found in (item for own in self.found_contexts for item in own):
            check_positions(found.variables, n)
            arity = [len(self.levels[self.names[x]]) for x in found.variables]
            check_that(all(0 <= code < r for code, r in zip(found.codes, arity, strict=True)), "a context has no level")

    # -- inside -------------------------------------------------------------------------------------------------------

    def _blocks(self, alignment: str | None = None) -> tuple[Blocks, ...]:
        if alignment is None:
            return self._likeliest_blocks
        if alignment not in (*ALIGNMENTS, "marginal"):
            raise DataError(f"There is no alignment {alignment!r}; there are 'published' and 'common'.")
        blocks: tuple[Blocks, ...] = getattr(self, alignment)
        return blocks

    def _log_block_prior(self, alignment: str | None, i: int) -> float:
        """ln of the prior probability that one block of variable i is the same."""
        if alignment is not None or self.average is None:
            return float(self._log_block_priors(alignment or "common")[i])
        return float(self.log_priors[i]) / self._likeliest_blocks[i].possible

    def _again(self, method: GroupDifferenceSettings) -> Self:
        """This result under settings that only read the evidence differently; what they do not move is kept."""
        if method == self.method:
            return self  # with all that was worked out
        gaps = self.gaps if method.p_none == self.method.p_none else {}
        changed = replace(self, method=method, gaps=gaps)
        same_evidence(self, changed)
        return changed

    @once()
    def _stacked(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Per alignment: all log Bayes factors in a row, where each variable's begin, and H_i."""
        return {name: stack(self._blocks(name)) for name in (*ALIGNMENTS, "marginal")}

    @once()
    def _tipping(self) -> dict[str, np.ndarray]:
        """Per alignment: (n,) ln p_ieta at even odds; the prior does not move it."""
        return {name: odds.tipping_log_block_prior(*self._stacked[name]) for name in ALIGNMENTS}

    @once("p_none")
    def posterior(self) -> Posterior | None:
        """P(differs) and what belongs to it, under the settings' prior `p_none`; None where orders are not averaged."""
        average = self.average
        if average is None or average.posterior.p_none == self.method.p_none:
            return None if average is None else average.posterior
        if average.families is None:
            raise SettingsError(
                f"Orders of {len(self.names)} variables were drawn under p_none = {average.posterior.p_none:g}; "
                "another prior takes another run.",
                setting="p_none",
            )
        return average.under(self.method.p_none, self.names)

    @property
    def outcome(self) -> str:
        """The variable that was asked about beforehand; "" where none was, or orders are not averaged."""
        place = -1 if self.average is None else self.average.outcome
        return self.names[place] if place >= 0 else ""

    @property
    def log_priors(self) -> np.ndarray:
        """(n,) ln of the prior probability that each variable is the same."""
        return log_priors(self.method.p_none, len(self.names), -1 if self.average is None else self.average.outcome)

    @once("p_none")
    def _likeliest_blocks(self) -> tuple[Blocks, ...]:
        """S*: over the likeliest parents, among models in which the variable differs where that is the likelier."""
        if self.posterior is None:
            return self.common
        pairs = enumerate(zip(self.differing, self.likeliest, strict=True))
        return tuple(item if self.differs_likelier(i) else other for i, (item, other) in pairs)

    def differs_likelier(self, i: int) -> bool:
        """Whether S* of a variable is over models in which it differs.

        Parameters
        ----------
        i : its position in `names`

        Returns
        -------
        bool
        """
        return self.posterior is not None and bool(self.posterior.log_odds[i] >= 0)

    @once()
    def _single_order_networks(self) -> list[nx.DiGraph]:
        """The paper's three networks with what every arc is."""
        graphs = [to_networkx(parents, self.names) for parents in self.structures]
        for graph, arcs in zip(graphs, panels(*graphs), strict=True):
            fixed = compelled(graph) if self.method.score.equivalent else set(graph.edges)
            for arc in arcs:
                graph.edges[arc.source, arc.target].update(
                    status=str(ARC_STATUS[arc.status]), compelled=(arc.source, arc.target) in fixed
                )
        return graphs

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
            **self._about_contexts(self._blocks(self.method.alignment)),
            silent=self._both["favour"] == "neither",
        )
        table = table.drop(columns=["published", "common"]).sort_index()
        table = table.sort_values(["silent", "log10_odds"], ascending=[True, False], kind="stable")
        return table.drop(columns="silent").copy()

    def _about_contexts(self, blocks: Sequence[Blocks]) -> dict[str, list[Any]]:
        """How many contexts each variable could have, how many have rows, and whether the decisive one has few."""
        decisive = [block.counts[int(np.argmax(block.bayes))].sum(axis=1) for block in blocks]
        return {
            "contexts": [block.possible for block in blocks],
            "contexts_with_rows": [len(block.bayes) for block in blocks],
            "few_rows": [bool(rows.min() < FEW_ROWS) for rows in decisive],
        }

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
        return {name: odds.paper_odds(item, method.p_same, method.p_level) for name, item in self._stacked.items()}

    def _log_block_priors(self, alignment: str) -> np.ndarray:
        possible = self._stacked[alignment][2]
        return odds.log_block_priors(self.method.p_same, self.method.p_level, possible)

    def _series(self, values: np.ndarray) -> pd.Series:
        return frames.series_of(values, self.names)

    def _index(self, variable: str) -> int:
        if variable not in self.names:
            raise DataError(f"{variable!r} was not compared; the group column itself never is.")
        return self.names.index(variable)
