"""The answer of a group comparison: its numbers, and how they are told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from engine.methods import report
from engine.methods.fitting import check_codes, check_counts, check_parents, check_positions, check_shape, check_that
from engine.methods.group_difference import tell
from engine.methods.group_difference.columns import TABLES
from engine.methods.group_difference.verdicts import GroupDifferenceVerdicts, Verdict
from engine.methods.result import CANNOT_TELL as NEITHER
from engine.methods.result import CLAIMS, NO, YES, Result, Section
from engine.methods.storing import storable

if TYPE_CHECKING:
    import pandas as pd

SLUG = "group_difference"
STATES = {Verdict.DIFFERS: YES, Verdict.ALIKE: NO}
"""Verdicts that carry a claim or its opposite; the others carry neither."""


@storable
@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferenceResult(GroupDifferenceVerdicts, Result):
    """The answer to "which variables differ between the two groups?"; see its base for the numbers."""

    method: Any
    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/group-difference/3"
    titles: ClassVar[tuple[str, ...]] = ("Variables", "Links", "Contexts", "Distributions", "Paper", "Settings")
    table_descriptions = TABLES
    no_link_test: ClassVar[str] = "These answers compare two groups already, so only their structure is compared."
    caution: ClassVar[str] = tell.CAUTION

    def headline(self) -> str:
        """The one-sentence answer."""
        return tell.headline(self)

    def sentences(self) -> list[str]:
        """How sure, what is said of every variable, and whether the groups differ anywhere."""
        return tell.sentences(self)

    def row_notes(self) -> list[str]:
        """Sentences on rows that belong together or were left out."""
        return tell.row_notes(self)

    def notes(self) -> list[str]:
        """What limits the answer, one sentence each."""
        return tell.notes(self)

    def explain(self, variable: str) -> list[str]:
        """One variable in plain sentences: the verdict and where, how sure, and what it shows on its own.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        the sentences

        Raises
        ------
        DataError : the variable was not compared
        """
        return tell.explain(self, variable)

    def adding_up(self, variable: str) -> str:
        """How the parts of a variable's contexts make its evidence, over its likeliest parents; one sentence.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        the sentence

        Raises
        ------
        DataError : the variable was not compared
        """
        return tell.adding_up(self.contexts(variable)["part"])

    def sections(self) -> list[Section]:
        """The answer, the ranking, one variable, the networks, and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("ranking", "Which variables differ", tables=("Variables",), figures=("ranking",)),
            Section(
                "variable",
                "One variable, context by context",
                tuple(self.explain(str(self.variables().index[0]))),
                ("Contexts", "Distributions"),
                ("contexts",),
            ),
            Section("networks", "Networks of the groups", (self.caution,), ("Links",), ("networks",)),
            Section("paper", "The paper's own numbers, under one order", tuple(tell.published(self)), ("Paper",)),
            Section("method", "How this is computed, and with which settings", tables=("Settings",)),
        ]

    def claims(self) -> pd.DataFrame:
        """One row a variable: whether it differs.

        "yes" is *differs*, "no" is *alike* within the margin; Bayes factor and probability are those of the average.
        """
        import pandas as pd

        rows = [
            (
                name,
                "differs",
                STATES.get(row["verdict"], NEITHER),
                row["log10_bayes_factor"] * math.log(10),
                row["probability"],
                math.nan,
                row["effect"],
                row["low"],
                row["high"],
                sum(self.n),
            )
            for name, row in self.variables().iterrows()
        ]
        return pd.DataFrame(rows, columns=list(CLAIMS))

    def table(self, title: str) -> pd.DataFrame:
        """One of the tables.

        Parameters
        ----------
        title : "Variables", "Links", "Contexts", "Distributions" (both with all contexts of all variables, over the
            likeliest parents and under both alignments), "Paper" (the paper's own numbers) or "Settings"

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SettingsError : there is no such table
        """
        self._check_title(title)
        if title == "Variables":
            return self.variables().reset_index()
        if title == "Links":
            return self.links() if self.average else self.edges()[["network", "source", "target", "status"]]
        if title == "Paper":
            return self.ranking().reset_index()
        if title == "Settings":
            rows = {f"rows in {label}": n for label, n in zip(self.labels, self.n, strict=True)}
            return report.settings_table(self.settings(), rows, self.fingerprint, self.made.versions)
        if title == "Contexts":  # the shares differ by variable: "Distributions"
            return tell.per_context(self, lambda name, alignment: self.contexts(name, alignment).iloc[:, :7])
        return tell.per_context(self, self.distributions)

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
            for name, one in zip(self.names, blocks, strict=False):
                check_positions(one.parents, n)
                check_that(one.possible >= 1, "a block has no configurations")
                check_shape(one.configurations, None, len(one.parents))
                check_shape(one.counts, len(one.configurations), 2, len(self.levels[name]))
                check_shape(one.bayes, len(one.configurations))
                check_counts(one.counts)
                check_codes(one.configurations.T, [len(self.levels[self.names[x]]) for x in one.parents])
        chance = self.chance_alone
        check_that(len(chance.p) == len(chance.corrected) == n, "variables and their chances are not as many")
        check_that(self.average is None or self.average.arcs.shape[1] == n, "the average is of other variables")

    def document(self) -> dict[str, Any]:
        """Settings, odds, every block and the three networks."""
        return tell.document(self)
