"""The result of class-discriminative networks: what was learned, how well it classifies, and its sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from engine import words
from engine.data.dataset import Dataset, as_dataset
from engine.errors import DataError, SettingsError
from engine.execution import Progress, silent
from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.discriminative import families as family_tables
from engine.methods.discriminative import figures, wording
from engine.methods.discriminative.coding import Coding
from engine.methods.discriminative.effect import more_in, turns
from engine.methods.discriminative.evaluation import Evaluation
from engine.methods.discriminative.external import ExternalValidation, as_first, validated
from engine.methods.discriminative.families import TABLES, predicted
from engine.methods.discriminative.structure import Learned
from engine.methods.evidence import CANNOT_TELL, CLAIMS, YES, Claim
from engine.methods.fitting import check_codes, check_parents, check_shape, check_that
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.telling.sections import Section
from engine.telling.tables import readable

EARLIER, LATER = "{} (t)", "{} (t+1)"
SLUG = "discriminative"
TURNS = "turns its direction"
LINKS = (
    *("network", "source", "target", "mark", "status", "strength"),
    *("shift_own", "low_own", "high_own", "shift_other", "low_other", "high_other", "more"),
)
"""Columns of the table of links."""


@storable
@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativeResult(Result):
    """The answer to "which links separate the classes?".

    Attributes
    ----------
    digest : of the numbers behind intervals, which were cut again
    classes : of the target, in its order
    series : whether a point is a series of a subject; else it is a row
    variables_in_order : p names, as networks have them
    levels : names of each one's codes
    coding : how numbers became codes, fitted to all points
    cut : (p,) whether a variable's codes are its numbers cut here; else they are those of the data set
    learned : of two classes one contrast (the second against the first), of more one a class
    likelihoods : (S, C, 2) of the points that were learned from
    chance : (B,) the most a link gains where classes are dealt at random
    chance_levels : (B,) the most that any variable's own levels are worth there
    derived : variables that were made of the table's: the change of the only one
    held_out : verdicts on points that nothing was learned from
    words : what was passed over
    block : observations that every series was cut to, since classes had series of unlike length; 0 where none was
    """

    digest: str
    classes: tuple[str, ...]
    series: bool
    variables_in_order: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    coding: Coding
    cut: np.ndarray
    learned: tuple[Learned, ...]
    likelihoods: np.ndarray
    chance: np.ndarray
    chance_levels: np.ndarray
    derived: tuple[str, ...]
    held_out: Evaluation
    words: tuple[str, ...]
    block: int
    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/discriminative/1"
    titles: ClassVar[tuple[str, ...]] = ("Families", "Links", "Held-out verdicts", "Confusion", "Settings")
    table_descriptions = TABLES
    no_link_test: ClassVar[str] = (
        "Links of class networks were chosen because they differ between the classes, so a test would be biased."
    )
    caution: ClassVar[str] = wording.NOT_CAUSAL

    # -- names of things ----------------------------------------------------------------------------------------------

    @property
    def names_of_table(self) -> tuple[str, ...]:
        """The variables that the table itself has; a series of one variable has a second made of it."""
        return tuple(name for name in self.names if name not in self.derived)

    @property
    def parameters(self) -> str:
        """Which probabilities the tables have."""
        return str(self.method.parameters) if self.method.score == "acl" else "ml"

    @property
    def sides(self) -> tuple[str, str]:
        """What the two networks of a contrast are called: that of the others, and that of the class."""
        return (self.classes[0], self.classes[1]) if len(self.classes) == 2 else ("others", "class")

    @cached_property
    def networks_in_order(self) -> list[tuple[str, int, int]]:
        """Title, contrast and network (0 of the others, 1 of the class) of all that are shown."""
        if len(self.classes) == 2:
            return [(self.classes[0], 0, 0), (self.classes[1], 0, 1)]
        visible = [(name, c, 1) for c, name in enumerate(self.classes)]
        return visible + [(f"not {name}", c, 0) for c, name in enumerate(self.classes)]

    def place_of(self, network: str) -> tuple[int, int]:
        """Contrast and network (0 of the others, 1 of the class) of a title.

        Parameters
        ----------
        network : one of the titles of `graphs`

        Returns
        -------
        both numbers

        Raises
        ------
        SettingsError : there is no such network
        """
        known = {title: (c, net) for title, c, net in self.networks_in_order}
        if network not in known:
            raise SettingsError(f"There is no network {network!r}; there are {', '.join(map(repr, known))}.")
        return known[network]

    def titles_of(self, c: int, net: int) -> tuple[str, str]:
        """What a network is of, and what it is held against.

        Parameters
        ----------
        c, net : contrast and network, as `place_of` gives them
        """
        if len(self.classes) == 2:
            return self.classes[net], self.classes[1 - net]
        both = f"not {self.classes[c]}", self.classes[c]
        return both[net], both[1 - net]

    def earlier(self, name: str) -> str:
        """A variable as what comes before; of rows the variable itself.

        Parameters
        ----------
        name : of the variable
        """
        return EARLIER.format(name) if self.series else name

    def later(self, name: str) -> str:
        """A variable as what comes after; of rows the variable itself.

        Parameters
        ----------
        name : of the variable
        """
        return LATER.format(name) if self.series else name

    def configuration(self, parents: tuple[int, ...], j: int) -> dict[str, str]:
        """Names and levels of a configuration of parents; the first changes slowest.

        Parameters
        ----------
        parents : by position in `variables_in_order`
        j : number of the configuration
        """
        result: dict[str, str] = {}
        for x in reversed(parents):
            j, code = divmod(j, len(self.levels[x]))
            result[self.variables_in_order[x]] = self.levels[x][code]
        return dict(reversed(result.items()))

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

    _families = cached_property(family_tables.families)

    cpt = family_tables.cpt

    fitted = family_tables.fitted

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
        return predicted(self, as_dataset(data, "result.predict(data)"))

    def test(self, data: Dataset | pd.DataFrame) -> ExternalValidation:
        """How well the networks classify a second table, of which nothing was learned.

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
        """The class column and the score."""
        return f"{self.method.target}, {self.method.score.upper().replace('_', ' ')}"

    headline = wording.headline

    sentences = wording.sentences

    notes = wording.notes

    def sections(self) -> list[Section]:
        """The answer, the networks and their families, as on the page, then the verdicts and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "Networks of the classes", (self.caution,), ("Families", "Links"), ("networks",)),
            Section(
                "verdicts",
                "Accuracy, class by class",
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
                tells = row.chance <= family_tables.SIGNIFICANCE and not row.levels  # nan: too few subjects
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
        shuffled = self.chance if not self.held_out.too_few else self.chance[:0]
        for child, parents in enumerate(network.parents):
            for place, x in enumerate(parents):
                shifts = network.shifts[child, place]
                names = self.variables_in_order[child], self.variables_in_order[x]
                source, target = self.earlier(names[1]), self.later(names[0])
                result[source, target] = {
                    "gain": float(network.gain[child]),
                    "chance": family_tables.chance_of(shuffled, float(network.gain[child])),
                    "recurrence": float(self.held_out.recurrence[c, net, child, x]),
                    "used": bool(network.used[child]),
                    "shifts": tuple(tuple(shift) for shift in shifts[::-1].tolist()),
                    "more": self._more(net, shifts),
                    "turn": family_tables.turn_text(
                        family_tables.turn_words(self, title, *names), self.titles_of(c, net)
                    ),
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

    def asks_of(self) -> tuple[str, ...]:
        """The variables that the table itself has, and the target."""
        return tuple(dict.fromkeys((*self.names_of_table, self.method.target)))

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

    def _check_read(self) -> None:
        super()._check_read()
        p, evaluation = len(self.variables_in_order), self.held_out
        check_that(sorted(self.variables_in_order) == sorted(self.names), "its networks stand over other variables")
        check_that(len(self.levels) == p and len(self.coding.arity) == p, "a variable has no levels")
        check_that(1 < len(set(self.classes)) == len(self.classes) < 20, "two of its classes have one name")
        check_that(len(self.learned) == (1 if len(self.classes) == 2 else len(self.classes)), "a class has no network")
        for item in (network for pair in self.learned for network in pair.networks):
            check_parents(item.parents, p, acyclic=not self.series)
            check_that(len(item.counts) == p, "a variable has no counts")
            for array in (item.pacl, item.alone, item.added, item.used):
                check_shape(array, p)
            check_shape(item.shifts, p, max(map(len, item.parents), default=0), 2, 3)
        check_that(
            evaluation.classes == self.classes and len(evaluation.labels) == len(evaluation.units) > 0,
            "verdicts are of other points",
        )
        check_that(evaluation.n == len(evaluation.ids), "verdicts are of other points")
        check_codes(evaluation.labels[None], [len(self.classes)])
        check_shape(evaluation.scores, None, len(evaluation.labels), len(self.learned))
        check_shape(evaluation.recurrence, len(self.learned), 2, p, p)

    document = wording.document
