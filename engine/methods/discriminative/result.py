"""The result of class-discriminative networks: their evidence told, and new points classified by it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Self

import numpy as np

from engine import words
from engine.data.dataset import Dataset, as_dataset
from engine.errors import DataError
from engine.execution import Progress, silent
from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.discriminative import families as family_tables
from engine.methods.discriminative.effect import SIGNIFICANCE, chance_of, more_in, turns
from engine.methods.discriminative.evidence import DiscriminativeEvidence
from engine.methods.discriminative.external import ExternalValidation, as_first, validated
from engine.methods.evidence import CANNOT_TELL, CLAIMS, YES, Claim
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.models.network import Network
from engine.telling.discriminative import columns, figures, wording
from engine.telling.discriminative import families as family_words
from engine.telling.sections import Section
from engine.telling.tables import TableDescription, readable
from engine.text import Name, told

SLUG = "discriminative"
TURNS = "turns its direction"
LINKS = (
    *("network", "source", "target", "mark", "status", "strength"),
    *("shift_own", "low_own", "high_own", "shift_other", "low_other", "high_other", "more"),
)
"""Columns of the table of links."""


@storable
@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativeResult(DiscriminativeEvidence, Result):
    """The answer to "which links separate the classes?"; see `DiscriminativeEvidence` for its attributes."""

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/discriminative/1"
    titles: ClassVar[tuple[str, ...]] = ("Families", "Links", "Held-out verdicts", "Confusion", "Settings")
    table_descriptions = columns.TABLES
    no_link_test: ClassVar[str] = (
        "Links of class networks were chosen because they differ between the classes, so a test would be biased."
    )
    caution: ClassVar[str] = wording.NOT_CAUSAL
    thick: ClassVar[str] = "the more all links into its target add to the score"

    # -- what was learned ---------------------------------------------------------------------------------------------

    @property
    def networks(self) -> dict[str, nx.DiGraph]:
        """{class: network}, over the variables of two steps where points are series."""
        return {title: graph for title, graph in self.graphs().items() if title in self.classes}

    def families(self) -> pd.DataFrame:
        """One row a family of each network, the largest gain first.

        Returns
        -------
        pandas.DataFrame: network, child, parents; gain (what the parents add to PACL, less the parameters they add;
        natural log), worth (PACL less those parameters: with what the child's own levels say), pacl, added; used
        (decides on verdicts); chance (share of shuffled classes whose best link of all gains as much); levels (whether
        the levels of one of its variables separate the classes, so that what the link does is inconclusive);
        recurrence (share of folds whose network has its links); effect, low, high (largest difference of a share
        between the classes, its 95 % interval corrected for that choice), where; shift (how far each parent shifts the
        child in either class). With fewer than six subjects in a class no chance is given
        """
        return self._families.copy()

    _families = cached_property(family_words.families)

    cpt = family_tables.cpt

    fitted = family_tables.fitted

    def own_networks(self) -> dict[str, Callable[[], Network]]:
        """See `Result.own_networks`; of series none."""
        return {} if self.series else {title: partial(self.fitted, title) for title in self.graphs()}

    def predict(self, data: Dataset | pd.DataFrame) -> pd.DataFrame:
        """The class of new points, and what every family adds to that.

        Parameters
        ----------
        data : a table as `engine.read_table` or pandas gives it, which is coded by the recipe of the first (rows that
            the recipe leaves out get no class); or a data set of the same variables. The target need not be known

        Returns
        -------
        pandas.DataFrame: subject (or row), score, class, log_likelihood of either network (a mean over observations),
        observations; "start" (the score half-way between the classes, 0 for a likelihood ratio) and one "push" a
        variable, which sum to the score. Of more than two classes those of the class it is classified as

        Raises
        ------
        DataError : a variable or a level is missing; rows where series are needed

        Examples
        --------
        >>> table = sample_data.load("two_hospitals")
        >>> first = engine.Dataset.from_frame(table[:900])
        >>> result = engine.Discriminative("hospital", shuffles=0).run(first)
        >>> result.predict(table[900:].drop(columns="hospital"))["class"].iloc[0]
        'South'
        """
        if type(data).__name__ == "DataFrame":
            data, _ = as_first(self, data, classes=False)
        return family_tables.predicted(self, as_dataset(data, "result.predict(data)"))

    def test(self, data: Dataset | pd.DataFrame) -> ExternalValidation:
        """The classification of a second table, of which nothing was learned.

        Parameters
        ----------
        data : a table as `engine.read_table` or pandas gives it, which is coded by the recipe of the first; or a data
            set of the same variables and the target

        Returns
        -------
        `ExternalValidation`: `headline()`, `sentences()`, accuracy, sensitivity, specificity and area with their
        intervals, `roc()`, `confusion()`, `table()`. Its `notes` say where both tables have the same subjects, which
        rows were left out, and numbers that look like other units

        Raises
        ------
        DataError : the target, a variable, a class or a level is missing; rows where series are needed

        Examples
        --------
        >>> table = sample_data.load("two_hospitals")
        >>> first = engine.Dataset.from_frame(table[:900])
        >>> result = engine.Discriminative("hospital", shuffles=0).run(first)
        >>> result.test(table[900:]).n
        300
        """
        return validated(self, data)

    # -- its sentences ------------------------------------------------------------------------------------------------

    _own_figures = figures.figure_makers

    def short_title(self) -> str:
        """The class column."""
        return self.method.target

    def table_description(self, title: str) -> TableDescription:
        """See `Result.table_description`; with the class column above the classes of networks.

        Parameters
        ----------
        title : one of `table_titles()`
        """
        about = super().table_description(title)
        return about.with_headers({"network": f"{self.method.target} ="}) if "network" in about.columns else about

    headline = wording.headline

    question = wording.question

    sentences = wording.sentences

    notes = wording.notes

    def sections(self) -> list[Section]:
        """The answer, the networks and their families, as on the page, then the verdicts and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section(
                "networks",
                told("Networks of the classes of {}", Name(self.method.target)),
                (*filter(None, [wording.links_in_short(self)]), self.caution),
                ("Families", "Links"),
                ("networks",),
            ),
            Section(
                "verdicts",
                told("How well the class networks classify held-out {}", f"{self.held_out.noun}s"),
                tuple(wording.verdict_sentences(self.held_out)),
                ("Held-out verdicts", "Confusion"),
                ("roc", "scatter"),
            ),
            Section("method", "How this is computed, and with which settings", tables=("Settings",)),
        ]

    def claims(self) -> pd.DataFrame:
        """One row a family with parents, and one for the classes: whether they are separated beyond chance.

        `chance` is the share of shuffled classes whose best link gains as much (of the classes: whose held-out
        verdicts are as often right); the effect is the largest difference of a share, of the classes the
        accuracy.
        """
        evaluation, n = self.held_out, self.held_out.n
        rows = []
        for row in self._families.itertuples():
            if row.parents:
                tells = row.chance <= SIGNIFICANCE and not row.levels  # nan: too few subjects
                about = f"{', '.join(row.parents)} -> {row.child} in {row.network}"
                effect = {"chance": row.chance, "effect": row.effect, "low": row.low, "high": row.high}
                rows.append(Claim(about, "tells classes apart", YES if tells else CANNOT_TELL, **effect, n=n))
        low, high = evaluation.interval
        effect = {"chance": evaluation.p, "effect": evaluation.accuracy, "low": low, "high": high}
        rows.append(
            Claim(self.method.target, "classes told", YES if evaluation.separates else CANNOT_TELL, **effect, n=n)
        )
        return frames.data_frame(rows, columns=list(CLAIMS))

    def variables(self) -> pd.DataFrame:
        """One row a variable: levels, and what its best link gains, of which network, after which parents."""
        best = self._families.drop_duplicates("child").set_index("child").loc[list(self.names)]
        place = {name: i for i, name in enumerate(self.variables_in_order)}
        levels = [len(self.levels[place[name]]) for name in self.names]
        table = best.assign(levels=levels, parents=best["parents"].map(", ".join)).rename_axis("variable")
        return table[["levels", "network", "parents", "gain", "chance"]]

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: network}; of series from what comes before ("x (t)") to what comes after ("x (t+1)").

        Arcs carry `status` (of two classes which networks have them: "same", "only_a", "only_b"), `gain`, `chance`,
        `recurrence`, `used`, `shifts` (how far the source shifts the target in the network's own class and in the
        other, each with its interval), `turn` (of one that turns its direction the contrast and both shifts, in words)
        and `more`: in which class it shifts the target more ("only_a", "only_b"), "turned" where it turns, "same" where
        neither is clearly ahead, "plain" where that is not known or classes are more than two.
        """
        return {title: graph.copy() for title, graph in self._graphs.items()}

    @cached_property
    def _graphs(self) -> dict[str, nx.DiGraph]:
        order = [*map(self.earlier, self.names), *map(self.later, self.names)] if self.series else list(self.names)
        result = {}
        arcs = {title: self._arcs(title, c, net) for title, c, net in self.networks_in_order}
        for title, _, net in self.networks_in_order:
            graph = nx.empty_graph(order, nx.DiGraph)
            for (source, target), facts in arcs[title].items():
                graph.add_edge(source, target, status=self._status(title, (source, target), arcs, net), **facts)
            result[title] = graph
        return result

    def _status(self, title: str, arc: tuple[str, str], arcs: Mapping[str, Any], net: int) -> str:
        if len(self.classes) != 2:
            return "plain"
        other = arcs[self.classes[1 - net]]
        return "same" if arc in other else ("only_a", "only_b")[net]

    def _arcs(self, title: str, c: int, net: int) -> dict[tuple[str, str], dict[str, Any]]:
        network = self.learned[c].networks[net]
        result = {}
        for child, parents in enumerate(network.parents):
            for place, x in enumerate(parents):
                shifts = network.shifts[child, place]
                names = self.variables_in_order[child], self.variables_in_order[x]
                source, target = self.earlier(names[1]), self.later(names[0])
                result[source, target] = {
                    "gain": float(network.gain[child]),
                    "chance": chance_of(self.gains_by_chance, float(network.gain[child])),
                    "recurrence": float(self.held_out.recurrence[c, net, child, x]),
                    "used": bool(network.used[child]),
                    "shifts": tuple(tuple(shift) for shift in shifts[::-1].tolist()),
                    "more": self._more(net, shifts),
                    "turn": str(family_words.turn_between(self, title, *names)),
                }
        return result

    def _more(self, net: int, shifts: np.ndarray) -> str:
        """The kind of line of an arc by the class in which it shifts its target more; "plain" if that is not known."""
        if turns(shifts):
            return "turned"
        if len(self.classes) != 2 or not np.isfinite(shifts).all():
            return "plain"
        more = more_in(shifts)
        return "same" if more < 0 else ("only_b" if more == net else "only_a")

    def links(self) -> pd.DataFrame:
        """One row an arc: which networks have it, and how far it shifts its target in either class.

        Returns
        -------
        pandas.DataFrame: network, source, target, mark, status (networks that have it: "both", or "only" one; of more
        than two classes empty), strength (the gain of its family), shift_own and shift_other with the ends of their
        95 % intervals (largest shift of a level of the target, in the network's own class and in the other; signed of
        one contrast where the link turns), more (the class in which it is clearly larger, or "turns its direction";
        empty where neither is)
        """
        rows = []
        for title, graph in self._graphs.items():
            own, other = self.titles_of(*self.place_of(title))
            for source, target, about in graph.edges(data=True):
                ends = [value for item in about["shifts"] for value in item]
                more = {1: own, 0: other}.get(more_in(np.array(about["shifts"])[::-1]), TURNS if about["turn"] else "")
                has = {"same": "both", "plain": ""}.get(about["status"], f"only {title}")
                rows.append((title, source, target, "->", has, about["gain"], *ends, more))
        return frames.data_frame(rows, columns=list(LINKS))

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is the gain of the arc's family: what its parents add to PACL, less their parameters."""
        return str(about["status"]), float(about["gain"]), math.nan, ""

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        return {
            "Families": lambda: readable(self._families.drop(columns="shift")),
            "Links": lambda: self.edges().drop(columns=["probability", "sign"]),
            "Held-out verdicts": self.held_out.table,
            "Confusion": lambda: self.held_out.confusion().reset_index(),
            "Settings": lambda: self.settings_table({self.held_out.noun + "s": self.held_out.n}),
        }

    def rerun(self, data: Dataset, progress: Progress = silent) -> Self:
        """The same question of other data.

        Parameters
        ----------
        data : rows of the same variables; series where this answer is about series
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        the answer for these data

        Raises
        ------
        DataError, SettingsError : as the method's `run`; rows where series are needed, or series where rows are
        """
        if self.series != (data.steps is not None and "time" in data.roles.values()):
            here, there = ("series", "rows") if self.series else ("rows", "series")
            raise DataError(f"The answer is about {here}, and these data hold {there}; give the subject's role.")
        return super().rerun(data, progress)

    def described_rows(self) -> str:
        """Every point that was classified."""
        return f"the name, class and verdict of each of its {words.count(self.held_out.n, self.held_out.noun)}"

    def document(self) -> dict[str, Any]:
        """Settings, classes, families, verdicts."""
        return {"settings": self.method.shown(), "data": self.described_data(**columns.sizes(self))} | columns.document(
            self
        )
