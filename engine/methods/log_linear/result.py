"""The answer of a log-linear analysis: the model, how it was built, and how it is told."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.methods import report
from engine.methods.fitting import check_codes, check_positions, check_that
from engine.methods.log_linear import tables, tell
from engine.methods.log_linear.claims.before import beyond_chance
from engine.methods.log_linear.claims.standing import MARGIN, largest_shift
from engine.methods.log_linear.columns import TABLES
from engine.methods.log_linear.counts import Margin
from engine.methods.log_linear.model import LogLinearModel
from engine.methods.log_linear.what_if import WhatIf, edited, what_if
from engine.methods.result import CANNOT_TELL, CLAIMS, NO, YES, Result, Section
from engine.methods.storing import storable

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset

SLUG = "log_linear"


@storable
@dataclass(frozen=True, eq=False, repr=False)
class LogLinearResult(LogLinearModel, Result):
    """The answer to "which variables hang together directly?"; see its base for the model."""

    method: Any
    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/log-linear/1"
    titles: ClassVar[tuple[str, ...]] = ("Edges", "Steps", "Not taken", "Groups", "Message", "Settings")
    table_descriptions = TABLES
    caution: ClassVar[str] = tell.NOT_CAUSAL

    # -- how it was built ---------------------------------------------------------------------------------------------

    @property
    def steps(self) -> pd.DataFrame:
        """The accepted edges in order.

        Columns: step, a, b, saving_bits (its parts graph_bits, parameter_bits, data_bits; positive saves), total_bits
        (of the model after it), separator (names, at entry), df, G, log10_p, joint (came as one of two).
        """
        return tables.steps(self)

    @property
    def refused(self) -> pd.DataFrame:
        """The best edges that were not taken, best first: a, b, separator, short_by_bits, rows_factor (about how many
        times the rows it would need), saving_bits, df, G, log10_p. `short_by_bits` is under the criterion used."""
        return self._refused.copy()

    @cached_property
    def _refused(self) -> pd.DataFrame:
        return tables.refused(self)

    # -- counts -------------------------------------------------------------------------------------------------------

    def expected(self, variables: Sequence[str]) -> pd.Series:
        """Expected counts of all cells of some variables under the model; they sum to the rows.

        A product over cliques divided by one over separators.

        Parameters
        ----------
        variables : names, each once

        Returns
        -------
        pandas.Series by their levels

        Raises
        ------
        DataError : an unknown variable, none or one twice, a table of more than a million cells
        """
        return tables.expected(self, variables)

    def residuals(self, clique: Sequence[str], without: tuple[str, str] | None = None) -> pd.DataFrame:
        """Observed and expected counts of a group of variables, with Pearson and adjusted residuals.

        Inside a group the model reproduces the observed counts. With `without` the two variables of that edge are taken
        as independent given the others of the group (for a whole clique and an edge of no other one, that is the model
        that lacks the edge), so the residuals show what the edge explains. The adjusted ones are Pearson's divided by
        their standard error.

        Parameters
        ----------
        clique : names that lie together in one clique, each once
        without : the two variables of the edge to leave out, None for the model itself

        Returns
        -------
        pandas.DataFrame: the variables, observed, expected, pearson, adjusted, small (expected below 5)

        Raises
        ------
        DataError : an unknown variable or one twice, variables that are not together in one clique, an edge that is not
            between two of them, a table of more than a million cells
        """
        return tables.residuals(self, clique, without)

    def independence(self, a: str, b: str) -> str:
        """What may be said of two variables: linked, no link needed, or nothing seen, and what the rows say of them.

        "No link" is said of the model only; it connects the two by way of the variables named, if at all.

        Parameters
        ----------
        a, b : names of two variables

        Returns
        -------
        one sentence

        Raises
        ------
        DataError : an unknown variable, or one twice
        """
        return tell.independence(self, a, b)

    def doubtful_links(self) -> list[tuple[str, str]]:
        """The links that chance alone could show among so many pairs, or that were given; weakest first."""
        return self._doubtful

    @cached_property
    def _doubtful(self) -> list[tuple[str, str]]:
        return tell.doubtful_links(self)

    # -- what if ------------------------------------------------------------------------------------------------------

    def what_if(self, data: Dataset, a: str, b: str) -> WhatIf:
        """What adding an edge would cost, or taking it away; where that needs further edges, which.

        Parameters
        ----------
        data : the data of this result
        a, b : names of two variables

        Returns
        -------
        `WhatIf`: the bits that the change saves, by their parts, and the G test of the edge

        Raises
        ------
        DataError : other data than those of this result, an unknown variable, one variable twice
        """
        self.check_data(data)
        return what_if(self, data, a, b)

    def edited(
        self, data: Dataset, add: Sequence[tuple[str, str]] = (), remove: Sequence[tuple[str, str]] = ()
    ) -> Self:
        """A model made by hand: this one with some edges fewer and then some more.

        Where a removal or an addition alone would leave a cycle without a chord, further edges go or come with it (as
        `what_if` names them). The method of the answer has all its edges as `start`, none as forced, and forbids what
        was forbidden but for edges added here: its `run` goes on searching from this model.

        Parameters
        ----------
        data : the data of this result
        add, remove : pairs of names

        Returns
        -------
        a result with this model

        Raises
        ------
        DataError : other data than those of this result, an unknown variable, one variable twice
        """
        self.check_data(data)
        return edited(self, data, add, remove)

    def compare(self, other: LogLinearModel) -> pd.DataFrame:
        """The edges of either of two models.

        Parameters
        ----------
        other : a model over the same variables

        Returns
        -------
        pandas.DataFrame, one row an edge: a, b, in_this, in_other, and its evidence in bits in both

        Raises
        ------
        DataError : the models stand over different variables
        """
        return tables.compare(self, other)

    # -- how it is told -----------------------------------------------------------------------------------------------

    @cached_property
    def linked_cliques(self) -> list[tuple[str, ...]]:
        """The cliques of two variables and more, largest first."""
        return [clique for clique in self.cliques if len(clique) > 1]

    def headline(self) -> str:
        """The one-sentence answer."""
        return tell.headline(self)

    def sentences(self) -> list[str]:
        """The strongest link, the largest group, and what the answer rests on."""
        return tell.sentences(self)

    def row_notes(self) -> list[str]:
        """Sentences on rows that belong together or were left out."""
        return tell.row_notes(self)

    def notes(self) -> list[str]:
        """What limits the answer, one sentence each."""
        return list(self._notes)

    @cached_property
    def _notes(self) -> list[str]:
        return tell.notes(self)

    def sections(self) -> list[Section]:
        """The answer, the model, how it was built, and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "The model", (self.caution,), ("Edges", "Groups"), ("networks",)),
            Section("story", "How it was built", tables=("Steps", "Not taken", "Message"), figures=("waterfall",)),
            Section("method", "How this is computed, with which settings and levels", tables=("Settings",)),
        ]

    def claims(self) -> pd.DataFrame:
        """One row a pair that was linked, or nearly: whether it is linked.

        "yes" where the link is in the model and beyond chance, "no" where it is not and a shift of any share by a tenth
        or more is improbable; "cannot tell" of every pair where rows belong to fewer than six subjects. `chance` is p
        of the G test times the number of pairs; `effect` the largest shift of a share, given what the link is given,
        and `high` its upper 95 % posterior bound.
        """
        import pandas as pd

        found = [(pair, self._edge_table(pair), True) for pair in self.graph.edges]
        found += [(self.pair((one.step.a, one.step.b)), one.step.table, False) for one in self.declined]
        rows = [
            (f"{a} -- {b}", "linked", *self._claimed(table, linked=linked), self.n_rows)
            for (a, b), table, linked in found
        ]
        return pd.DataFrame(rows, columns=list(CLAIMS))

    def _claimed(self, table: Margin | None, *, linked: bool) -> tuple[str, float, float, float, float, float, float]:
        """Verdict, log Bayes factor, probability, chance, effect, low and high of one pair."""
        nothing = math.nan
        if table is None or self.undecided:
            return CANNOT_TELL, nothing, nothing, nothing, nothing, nothing, nothing
        stand = self.standing(table)
        shift, high = largest_shift(table, self.sorted_names, self.method.seed, self.effect)
        beyond = beyond_chance(stand.log10_p, self.pairs)
        verdict = CANNOT_TELL
        if linked and beyond:
            verdict = YES
        elif not linked and not beyond and high < MARGIN:
            verdict = NO
        chance = min(1.0, 10.0**stand.log10_p * self.pairs)
        return verdict, stand.log_bayes_factor, nothing, chance, shift, nothing, high

    def variables(self) -> pd.DataFrame:
        """One row a variable: levels, links, and the groups that it is in."""
        import pandas as pd

        graph = self.graph
        groups = Counter(name for group in self.linked_cliques for name in group)
        return pd.DataFrame(
            {
                "levels": [len(self.levels[name]) for name in self.names],
                "links": [graph.degree[name] for name in self.names],
                "groups": [groups[name] for name in self.names],
            },
            index=pd.Index(self.names, name="variable"),
        )

    def graphs(self) -> dict[str, nx.Graph]:
        """{"associations": the model}."""
        return {"associations": self.graph}

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is in bits: what taking the edge away would cost."""
        return "linked", float(about["evidence_bits"]), math.nan, ""

    def table(self, title: str) -> pd.DataFrame:
        """One of the tables.

        Parameters
        ----------
        title : "Edges", "Steps", "Not taken", "Groups", "Message" or "Settings"

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SettingsError : there is no such table
        """
        import pandas as pd

        self._check_title(title)
        if title == "Edges":
            rows = tables.edges(self)
            columns = ["a", "b", "evidence_bits", "removable", "cliques", "entry_bits"]
            columns += ["note"] if self.link_notes else []
            return pd.DataFrame(rows, columns=columns).sort_values(
                "evidence_bits", ascending=False, kind="stable", ignore_index=True
            )
        if title == "Groups":
            return pd.DataFrame([(", ".join(g), len(g)) for g in self.cliques], columns=["variables", "size"])
        if title == "Message":
            return self.message.reset_index(names="model")
        if title == "Settings":
            return report.settings_table(self.settings(), tell.rows_table(self), self.fingerprint, self.made.versions)
        return report.readable(self.steps if title == "Steps" else self.refused)

    def _check_read(self) -> None:
        super()._check_read()
        n = len(self.names)
        check_that(self.sorted_names == tuple(sorted(self.names)), "its network stands over other variables")
        check_that(len(self.chosen.neighbours) == len(self.begun.neighbours) == n, "its networks differ in size")
        check_that(1.0 <= self.effect < math.inf and self.subjects >= 0, "its design effect is none")
        check_that(all(one in self.levels[name] for name, one in self.missing.items()), "a level is not there")
        arity = [len(self.levels[name]) for name in self.sorted_names]
        tables_ = [*(one.table for one in self.accepted), *(one.step.table for one in self.declined)]
        check_that(len(self.singles) == n, "a variable has no counts")
        for one in (*self.margins, *self.singles, *tables_):
            check_positions(one.variables, n)
            check_codes(one.cells.T, [arity[x] for x in one.variables])
            check_that(int(one.counts.sum()) == self.n_rows, "a table counts other rows than the answer")
        for step in (*self.accepted, *(one.step for one in self.declined)):
            check_positions((step.a, step.b), n)
            check_that(0 <= step.separator < 1 << n, "a set of variables holds none of them")
        check_that(all(0 <= one < 1 << n for one in self.separator_sets), "a set of variables holds none of them")

    def document(self) -> dict[str, Any]:
        """Settings, model, steps, refused edges, message lengths."""
        return tell.document(self)
