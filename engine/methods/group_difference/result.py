"""The answer of a group comparison: its numbers, and how they are told."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Self

from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.execution import Progress, as_progress, silent
from engine.lazy import pd
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, NO, YES, Claim
from engine.methods.fitting import check_codes, check_counts, check_parents, check_positions, check_shape, check_that
from engine.methods.group_difference.evidence import READ, GroupDifferenceEvidence
from engine.methods.group_difference.explain import check_gap, explain
from engine.methods.group_difference.gap.gap import Gap
from engine.methods.group_difference.numbers.described import NumberSummary
from engine.methods.group_difference.rows.groups import split_groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_difference.verdicts import Alone, Verdict, Where
from engine.methods.readings import once, same_evidence
from engine.methods.storing import storable
from engine.methods.table_one import TITLE, DescribedResult, TableOne
from engine.telling.group_difference import figures, forms, one_variable, tables, wording
from engine.telling.group_difference.columns import TABLES, described_for
from engine.telling.group_difference.gap import sections_of
from engine.telling.group_difference.gap import table_of as gaps_table
from engine.telling.group_difference.one_variable import headings, means_left_out
from engine.telling.sections import METHOD_TITLE, Section
from engine.telling.table_one import odd_values
from engine.telling.tables import TableDescription
from engine.text import told

SLUG = "group_difference"
_STATES = {Verdict.DIFFERS: YES, Verdict.ALIKE: NO}
"""Verdicts that carry a claim or its opposite; the others carry neither."""


@storable
@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferenceResult(GroupDifferenceEvidence, DescribedResult):
    """The answer to "which variables differ between the two groups?"; see its base for the fields."""

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/group-difference/4"
    titles = ("Variables", "Links", "Contexts", "Distributions", "Paper", TITLE, "Gap", "Settings")
    table_descriptions = TABLES
    no_link_test: ClassVar[str] = "These answers compare two groups already, so only their structure is compared."
    caution: ClassVar[str] = wording.CAUTION
    thick: ClassVar[str] = "the more probable the link"

    described: TableOne | None = None
    gaps: dict[str, Gap] = field(default_factory=dict)

    headline = wording.headline
    question = wording.question
    how_sure = wording.how_sure
    left_open = wording.left_open
    sentences = wording.sentences
    row_notes = wording.row_notes
    notes = wording.notes
    explain = one_variable.explain
    adding_up = one_variable.adding_up
    contexts = tables.contexts
    distributions = tables.distributions
    differences = tables.differences
    contexts_in_units = tables.contexts_in_units
    segments = tables.segments
    _own_figures = figures.figure_makers

    def variables(self) -> pd.DataFrame:
        """One row a variable, as the page shows them: what differs first, then by P(differs).

        `verdict` is one of `Verdict`, `alone` one of `Alone`.

        Returns
        -------
        pandas.DataFrame by variable: verdict; probability of a difference and its Monte Carlo error (0 where sums are
        exact); what differs, in words, of a variable that is called; unit; first and second, both groups as one tells
        them over all rows; difference of the means given the parents and overall, of a number in its unit, with ends;
        through, the variables that it is seen to differ through; where, the context that carries most of the
        evidence; level, that whose share differs most within the contexts of S*, of variables with the same levels that
        do not differ that of the surest: every difference of a share is of it, second group minus first. These are
        effect with low and high (95 %), held within the contexts;
        where_effect, in `where`, its interval widened for the choice among the contexts; all these are NaN where
        `alone` says "differs through others", which rests on all networks; and effect_alone, without parents; alone and
        p_alone (corrected by Holm); p_over_margin, the posterior probability that a difference in any context of S*
        exceeds the margin, on which no verdict hangs; bound, the largest difference that all rows, and those held
        within S*, allow at 95 %; found, a context in which it differs by more than the margin where none is seen
        overall; rows_needed, a group, where it cannot be told, for P(differs) of .95 in 8 of 10 tables with
        a difference of the margin; log10 Bayes factor of the average; parents, the likeliest, and their probability;
        contexts, contexts_with_rows and few_rows of S*; then the columns of `ranking`, the paper's own numbers
        """
        return self._in_words.copy()

    @once(*READ)
    def _in_words(self) -> pd.DataFrame:
        return tables.variables(self)

    def where(self, variable: str) -> Where | None:
        """The context of S* with the largest odds for a difference.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        `Where`; None for a variable of one level, and where no context has rows of both groups

        Raises
        ------
        DataError : the variable was not compared
        """
        return self.places[self.index(variable)]

    def number(self, variable: str) -> NumberSummary | None:
        """A number in its unit: means, quartiles and histogram of both groups, differences of means.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        `engine.methods.group_difference.numbers.described.NumberSummary`; None where it is none, or its values are not
        at hand

        Raises
        ------
        DataError : the variable was not compared
        """
        self.index(variable)
        return self.numbers.get(variable)

    def links(self) -> pd.DataFrame:
        """One row a pair of variables: the probability of a link, in either direction, in each group's network.

        Returns
        -------
        pandas.DataFrame: source, target; probability_first and probability_second, and the larger of them; status,
        "both", "only A", "only B", "neither" or "cannot tell"; error, the larger Monte Carlo error. The most probable
        first; no rows where orders are not averaged. "Only" is said where P(link) is at least .9 in one group and at
        most .1 in the other, P(differs) of the ends adds up to .95, and that of one is at least .5
        """
        return self.link_table.copy()

    def rows_of_networks(self, data: Dataset) -> tuple[Dataset, ...]:
        """The rows that each network of `graphs` was learned on: of the first group, of the second, of both.

        Parameters
        ----------
        data : the rows that the answer was made from

        Returns
        -------
        a data set a network
        """
        groups = split_groups(self.method, data)
        return groups.first, groups.second, groups.pooled

    # -- other readings of the same evidence ---------------------------------------------------------------------------

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
        changed = self._again(
            replace(self.method, **{name: value for name, value in given.items() if value is not None})
        )
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

    def _again(self, method: GroupDifferenceSettings) -> Self:
        """This result under settings that only read the evidence differently; what they do not move is kept."""
        if method == self.method:
            return self  # with all that was worked out
        gaps = self.gaps if method.p_none == self.method.p_none else {}
        changed = replace(self, method=method, gaps=gaps)
        same_evidence(self, changed)
        return changed

    # -- a gap ---------------------------------------------------------------------------------------------------------

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
        """Explain the gap of an outcome: Shapley shares of the mechanisms that differ, averaged over networks.

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
            self.index(name)
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

    # -- how it is told ------------------------------------------------------------------------------------------------

    def short_title(self) -> str:
        """The group column and its two groups."""
        first, second = self.labels
        return f"{self.method.group}: {first} v {second}"

    def table_description(self, title: str) -> TableDescription:
        """See `Result.table_description`; with the names of the groups.

        Parameters
        ----------
        title : one of `table_titles()`
        """
        if title not in TABLES:
            return super().table_description(title)
        result = described_for(title, *headings(self))
        if title != "Variables":
            return result
        odd = odd_values(self.described, 1)  # names alone: this is shown to everybody
        unsaid = tuple(name for name in self.names if means_left_out(self, name))
        why = " Means are left out (pp of “level”) where they do not show what differs, or values look like errors."
        through = (self.verdicts["alone"] == Alone.THROUGH_OTHERS).any()
        others = " No adjusted one is told (–) where it is not clear that a variable differs given others."
        about = result.about + others * bool(through) + why * bool(unsaid)
        inside = tuple(name for name in self.names if not forms.is_of_all_rows(self, name))
        return replace(result, about=" ".join(filter(None, [about, odd])), unsaid=unsaid, inside=inside)

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables that this answer has."""
        return tuple(title for title in self.titles if title != "Gap" or self.gaps)

    def sections(self) -> list[Section]:
        """The answer, the ranking, one variable, the networks, and how it was computed."""
        published = told("The paper's own numbers, under one order")
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            self._described_section(),
            Section("ranking", "Which variables differ", tables=("Variables",), figures=("ranking",)),
            Section(
                "variable",
                told("The clearest difference"),
                tuple(self.explain(str(self.variables().index[0]))),
                ("Contexts", "Distributions"),
                ("contexts",),
            ),
            *sections_of([self]),
            Section("networks", "Networks of the groups", (self.caution,), ("Links",), ("networks",), networks=2),
            Section("paper", published, tuple(wording.published(self)), ("Paper",)),
            Section("method", METHOD_TITLE, tables=("Settings",)),
        ]

    def claims(self) -> pd.DataFrame:
        """One row a variable: whether it differs.

        "yes" is *differs*, "no" is *alike* within the margin; Bayes factor and probability are those of the average.
        """
        return claims_of(self.verdicts, self.n_rows)

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        rows = {f"rows in {label}": n for label, n in zip(self.labels, self.n, strict=True)}
        return {
            "Variables": lambda: tables.told_in_one_word(
                one_variable.above_lowest(self, one_variable.with_means(self, self.variables()))
            ).reset_index(),
            "Links": lambda: self.links() if self.average else self.edges()[["network", "source", "target", "status"]],
            "Contexts": lambda: tables.per_context(  # the shares differ by variable: "Distributions"
                self, lambda name, alignment: self.contexts(name, alignment).iloc[:, :7]
            ),
            "Distributions": lambda: tables.per_context(self, self.distributions),
            "Paper": lambda: self.ranking().reset_index(),
            TITLE: self._described_table,
            "Gap": lambda: gaps_table([self]),
            "Settings": lambda: self.settings_table(rows),
        }

    def document(self) -> dict[str, Any]:
        """See `Result.document`."""
        return tables.document(
            self,
            self.described_data(
                groups=list(self.labels),
                rows=list(self.n),
                clusters=None if self.clusters is None else asdict(self.clusters),
                dropped_levels={name: list(levels) for name, levels in self.dropped.items()},
            ),
        )

    # -- inside --------------------------------------------------------------------------------------------------------

    def _check_read(self) -> None:
        super()._check_read()
        n = len(self.names)
        check_counts(*self.n)
        check_that(len(set(self.labels)) == 2, "the groups are one")
        for parents in self.structures:
            check_parents(parents, n)
        for blocks in (self.published, self.common, self.marginal, self.likeliest, self.differing):
            optional = blocks is self.likeliest or blocks is self.differing
            check_that(len(blocks) == (n if self.average or not optional else 0), "variables and blocks do not match")
            for name, block in zip(self.names, blocks, strict=False):
                check_positions(block.parents, n)
                check_that(block.possible >= 1, "a block has no configurations")
                check_shape(block.configurations, None, len(block.parents))
                check_shape(block.counts, len(block.configurations), 2, len(self.levels[name]))
                check_shape(block.bayes, len(block.configurations))
                check_counts(block.counts)
                check_codes(block.configurations.T, [len(self.levels[self.names[x]]) for x in block.parents])
        chance = self.chance_alone
        check_that(len(chance.p) == len(chance.corrected) == n, "variables and their chances are not as many")
        check_that(self.average is None or self.average.arcs.shape[1] == n, "the average is of other variables")
        evidence = (self.evidence_likeliest, self.evidence_differing, self.evidence_alone)
        check_that(all(len(of) in (0, n) for of in (*evidence, self.found_contexts)), "evidence of other variables")
        check_that(len({len(of) for of in evidence}) == 1, "evidence is given of some parents alone")
        check_that({*self.ordered, *self.numbers} <= set(self.names), "numbers are of other variables")
        for of, blocks in zip(evidence, (self.likeliest, self.differing, self.marginal), strict=True):
            for own, block in zip(of, blocks if of else (), strict=True):
                check_that(of is self.evidence_alone or len(own.blocks) == len(block.bayes), "contexts do not match")
        for name, summary in self.numbers.items():
            i = self.names.index(name)
            pairs = zip((summary.likeliest, summary.differing), (self.likeliest, self.differing), strict=True)
            check_that(
                all(len(own.counts) == len(block[i].bayes) for own, block in pairs if block), "contexts of numbers"
            )
        for found in (context for own in self.found_contexts for context in own):
            check_positions(found.variables, n)
            arity = [len(self.levels[self.names[x]]) for x in found.variables]
            check_that(all(0 <= code < r for code, r in zip(found.codes, arity, strict=True)), "a context has no level")


def claims_of(variables: pd.DataFrame, rows: int) -> pd.DataFrame:
    """The claims that the verdicts of variables make: one a row, that it differs."""
    every = [
        Claim(
            str(name),
            "differs",
            _STATES.get(row["verdict"], CANNOT_TELL),
            row["log10_bayes_factor"] * math.log(10),
            **row[["probability", "effect", "low", "high"]],
            n=rows,
        )
        for name, row in variables.iterrows()
    ]
    return frames.data_frame(every, columns=list(CLAIMS))
