"""The population network: the best of several searches with BDeu, one DAG of its class, one order of that DAG, and
the share of tables drawn again in which each of its links is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np

from engine.counting.design_effect import design_effect_of
from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.execution import Progress
from engine.graphs.dag import bits, to_networkx, topological_order
from engine.graphs.pdag import Pdag, member
from engine.graphs.pdag import to_networkx as pdag_to_networkx
from engine.lazy import nx
from engine.methods.cost import Size
from engine.methods.fitting import check_names, check_parents, check_that
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.unusual import family_counts
from engine.methods.storing import storable
from engine.methods.unfit import lone_column
from engine.resampling import bootstrap, repeat
from engine.scores.dirichlet import BDeu
from engine.scores.divided import Divided
from engine.scores.instance import InstanceTables
from engine.search.best import Best
from engine.search.equivalence import GES
from engine.search.problem import Problem

Kept = TypeVar("Kept")
Parents = tuple[tuple[int, ...], ...]


_PAIR, _CELL = 3e-7, 2e-12  # seconds of a pair of variables in GES, and of one row and cell of its table
_CLIMBS = 8e-3  # of a variable in the climbs of "best"
_STEP = 3.6e-8  # of a pair at each step of the climbs; there are about as many steps as variables
_MOST_KEPT = 8
"""Tables and solvers kept beside a population network."""


@storable
@dataclass(frozen=True, eq=False)
class Population:
    """A population network. Positions are those of `names`, in alphabetical order, so ties go by name.

    Attributes
    ----------
    names : the variables, sorted
    cpdag : the equivalence class;  parents : its consistent extension;  order : a topological order of that
    totals : (search, score) of every search that ran, natural log;  winner : the one whose network this is
    n_rows : rows it was learned from;  origin : what it was learned from, and with which settings
    """

    names: tuple[str, ...]
    cpdag: Pdag
    parents: Parents
    order: tuple[int, ...]
    n_rows: int
    origin: tuple[Any, ...]
    totals: tuple[tuple[str, float], ...] = ()
    winner: str = ""
    _held: dict[Any, Any] = field(default_factory=dict, repr=False, metadata={"stored": False})

    def _check_read(self) -> None:
        """Nothing where what a file holds fits together, `DataError` elsewhere."""
        check_names(self.names)
        check_parents(self.parents, len(self.names))
        check_that(sorted(self.order) == list(range(len(self.names))), "an order leaves variables out")
        check_that(self.cpdag.n_variables == len(self.names), "a network stands over other variables than its own")

    def fits(self, method: InstanceSpecificSettings, data: Dataset, leave_out: int | None = None) -> bool:
        """True where this is what `method.learn_population(data, leave_out)` would give."""
        return self.origin == origin_of(method, data, leave_out)

    @property
    def gap(self) -> float:
        """Nats between the best and the worst of the searches; 0 where they agree, or where one ran alone."""
        result = [total for _, total in self.totals]
        return max(result) - min(result) if result else 0.0

    @property
    def directed_parents(self) -> Parents:
        """Pa_pop of published mode: the arcs of the CPDAG that have a direction."""
        return tuple(tuple(bits(mask)) for mask in self.cpdag.parents)

    def dag(self, names: Sequence[str]) -> nx.DiGraph:
        """One DAG of the class, the one whose order is kept."""
        return in_column_order(to_networkx(self.parents, self.names), names)

    def equivalence_class(self, names: Sequence[str]) -> nx.DiGraph:
        """The class: an arc one way, an edge without a direction both ways."""
        return in_column_order(pdag_to_networkx(self.cpdag, self.names), names)

    def tables(self, method: InstanceSpecificSettings, data: Dataset) -> InstanceTables:
        """The families of this network in `data` under the method's priors, counted once and kept."""
        parents = self.parents if method.mode == "order_kept" else self.directed_parents
        rows = self.keep("rows", lambda: ordered(data, self.origin[-1]))
        key = (method.mode, method.ess, method.prior, method.empty)
        by = self.keep("divisor", lambda: design_effect_of(rows))
        return self.keep(key, lambda: InstanceTables(rows, parents, method.ess, method.prior, method.empty, by))

    def counts(self, data: Dataset) -> list[np.ndarray] | None:
        """The DAG's families counted in the rows that it was learned from; None where one is too large."""
        rows = self.keep("rows", lambda: ordered(data, self.origin[-1]))
        return self.keep("counts", lambda: family_counts(rows, self.parents))

    def keep(self, key: object, make: Callable[[], Kept]) -> Kept:
        """Return what `make` gives, made once; only the latest few are kept, since a slider leaves many behind."""
        result: Kept | None = self._held.pop(key, None)  # (another thread may have taken it out just now)
        if result is None:
            result = make()
        self._held[key] = result
        for old in list(self._held)[:-_MOST_KEPT]:
            self._held.pop(old, None)
        return result

    def __getstate__(self) -> dict[str, Any]:
        """What was counted stays here; another process counts again."""
        return {**self.__dict__, "_held": {}}


def population_seconds(method: InstanceSpecificSettings, size: Size) -> float:
    """About what the population's network takes on one core."""
    pairs = size.variables**2
    seconds = pairs * (_PAIR + _CELL * size.rows * size.levels**2)
    return seconds + _CLIMBS * size.variables + _STEP * pairs * size.variables if method.search == "best" else seconds


def learn_population(
    method: InstanceSpecificSettings, data: Dataset, leave_out: int | None, progress: Progress
) -> Population:
    """Phase 1 of IGES: BDeu and the structure prior of equation 11, by the best of several searches or by GES alone."""
    if refused := lone_column(data):
        raise DataError(refused)
    rows = ordered(data, leave_out)
    if not rows.n_rows:
        raise DataError("There are no rows to learn a population network from.")
    score = _score(method, design_effect_of(rows))
    problem = Problem(rows, score, method.known().constraints(rows.names), progress=progress)
    totals: tuple[tuple[str, float], ...] = ()
    winner = ""
    if method.search == "ges":
        cpdag = GES(structure_prior=method.structure_prior).find(problem).cpdag
    else:
        searched = Best(structure_prior=method.structure_prior).compare(problem)
        cpdag, totals, winner = searched.structure.cpdag, searched.totals, searched.winner
    if cpdag is None:
        raise RuntimeError("BDeu treats equivalent networks alike, so the searches answer with a class")
    parents = member(cpdag)
    order = topological_order(parents)
    origin = origin_of(method, data, leave_out)
    result = Population(rows.names, cpdag, parents, order, rows.n_rows, origin, totals, winner)
    result.keep("rows", lambda: rows)
    tables = result.tables(method, data)
    for child in range(rows.n_variables):  # while everybody waits for the search anyway, so the first patient need not
        tables.family(child)
    return result


def _score(method: InstanceSpecificSettings, by: float) -> BDeu | Divided:
    return BDeu(method.ess) if by == 1 else Divided(BDeu(method.ess), by)


def in_column_order(graph: nx.DiGraph, names: Sequence[str]) -> nx.DiGraph:
    """The same network, variables and arcs in the order of the table's columns."""
    columns = {name: column for column, name in enumerate(names)}
    result = type(graph)()
    result.add_nodes_from(names)
    result.add_edges_from(sorted(graph.edges, key=lambda arc: [columns[end] for end in arc]))
    return result


def matching(
    method: InstanceSpecificSettings, data: Dataset, leave_out: int | None, given: Population | None, progress: Progress
) -> Population:
    """The population network handed over, after a check, or a new one."""
    if given is None:
        return learn_population(method, data, leave_out, progress)
    if not given.fits(method, data, leave_out):
        without = " with the patient's row left out" if leave_out is not None else ""
        raise SettingsError(
            "The population network handed over was learned from other data or with other settings; learn it again "
            f"with learn_population{without}."
        )
    return given


def ordered(data: Dataset, leave_out: int | None) -> Dataset:
    """The rows that learn and score, variables in alphabetical order."""
    if leave_out is not None:
        if not 0 <= leave_out < data.n_rows:
            raise DataError(f"There is no row {leave_out}; rows are numbered 0 to {data.n_rows - 1}.")
        clusters = data.clusters
        other = np.arange(data.n_rows) != leave_out if clusters is None else clusters != clusters[leave_out]
        data = data.rows(other)
    return data.select(sorted(data.names))


def origin_of(method: InstanceSpecificSettings, data: Dataset, leave_out: int | None) -> tuple[Any, ...]:
    """Key of a population network: the data, the settings of the search, the row left out."""
    return (data.fingerprint, method.search, method.ess, method.structure_prior, method.known(), leave_out)


RUNS = 50
"""Tables drawn again, where nobody says otherwise."""


@storable
@dataclass(frozen=True, eq=False)
class LinkSupport:
    """In how many of the tables drawn again each pair of variables is linked, whatever the direction.

    Attributes
    ----------
    names : the variables, in alphabetical order
    runs : how many tables were drawn;  hits : (p, p) in how many of them a pair is linked
    origin : the data and settings that it belongs to
    """

    names: tuple[str, ...]
    runs: int
    hits: np.ndarray
    origin: tuple[Any, ...]

    def share(self, name: str, other: str) -> float:
        """The share of the tables in which two variables are linked."""
        return float(self.hits[self.names.index(name), self.names.index(other)] / self.runs)

    def probability(self, name: str, other: str) -> float:
        """The probability that a link which the population's network has is there: the root of the share.

        A table drawn again carries the chance of drawing twice, so a true link is missed in it more often than in the
        table itself: on simulated networks links found in half of the tables were true in 75 of 100 cases. The root of
        the share came nearest to the truth; it never reaches 1 (half a table more counts on either side).
        """
        hits = float(self.hits[self.names.index(name), self.names.index(other)])
        return float(np.sqrt((hits + 0.5) / (self.runs + 1)))

    def check(self, population: Population) -> None:
        """Nothing where this belongs to a population network of the same data and settings."""
        if self.origin != population.origin[: len(self.origin)]:
            raise SettingsError("These probabilities of links were worked out for other data or with other settings.")


def link_support(
    method: InstanceSpecificSettings, data: Dataset, runs: int, jobs: int, progress: Progress
) -> LinkSupport:
    """The population's network learned again from tables whose rows, or whole subjects, are drawn with replacement."""
    rows = ordered(data, None)
    if rows.n_variables < 2 or not rows.n_rows:
        raise DataError("Links between variables need at least two variables and some rows; this table has fewer.")
    task = partial(_learn_resampled, method, rows, design_effect_of(rows))
    result = repeat(task, runs, method.seed, jobs=jobs, progress=progress, words="resampled tables")
    return LinkSupport(rows.names, runs, np.sum(result, axis=0), origin_of(method, data, None)[:-1])


def _learn_resampled(
    method: InstanceSpecificSettings, rows: Dataset, by: float, seed: np.random.SeedSequence
) -> np.ndarray:
    """(p, p) 1 where a pair is linked in the network of one table drawn again."""
    drawn = rows.rows(bootstrap(rows.n_rows, np.random.default_rng(seed), rows.clusters))
    problem = Problem(drawn, _score(method, by), method.known().constraints(rows.names))
    prior = method.structure_prior
    search = GES(prior) if method.search == "ges" else Best(prior, tabu=10, restarts=0, exact_up_to=0)
    result = search.find(problem).cpdag
    if result is None:
        raise RuntimeError("BDeu treats equivalent networks alike, so the searches answer with a class")
    return linked(result)


def linked(graph: Pdag) -> np.ndarray:
    """(p, p) 1 where a pair is linked, whatever the direction."""
    p = graph.n_variables
    return np.array([[graph.adjacent(i) >> j & 1 for j in range(p)] for i in range(p)], dtype=np.int64)
