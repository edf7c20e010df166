"""One patient's network under one method, population network and tables, and what both networks say about a patient.

Every variable's distribution is a posterior mean (count + pseudo-count over their sums). Unknown values are summed out
exactly, one variable at a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.counting.requests import family_table
from engine.data.dataset import Dataset
from engine.data.table_rows import rows_of_subject
from engine.execution import Progress
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import Pdag
from engine.graphs.pdag import to_networkx as pdag_to_networkx
from engine.lazy import nx
from engine.methods.instance_specific.contrasts import FamilyRows, subjects_of_family, without_subject
from engine.methods.instance_specific.links import Link, Questions, conditioning_parents, links_of, turned_families
from engine.methods.instance_specific.parent_choices import (
    NodeChoice,
    OrderKept,
    network_choices,
    ratio_terms,
    search_network,
)
from engine.methods.instance_specific.population import Population
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.storing import storable
from engine.models.elimination import Factor, sum_out
from engine.scores.instance import UNKNOWN, InstanceTables, PopulationFamily

DRAWS = 400
"""Draws behind the interval of a prediction."""


@storable
@dataclass(frozen=True)
class HeldOut:
    """Natural-log probability of a patient's known values under the patient's network and the population's.

    Attributes
    ----------
    instance, population : the two; NaN where too many unknown values hang together
    variables : how many known values they are the probability of
    exact : whether both networks are proper probability models (not so in published mode)
    """

    instance: float
    population: float
    variables: int
    exact: bool

    @property
    def gain(self) -> float:
        """Instance minus population: above 0, the patient's own network foretold better."""
        return self.instance - self.population


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Rows that do not count for a patient: the own one, and with subjects all rows of the own subject.

    Attributes
    ----------
    subject : its number, -1 for a row that stands alone
    codes : (p, k) of the rows
    """

    subject: int
    codes: np.ndarray

    def counts(self, child: int, parents: Sequence[int], values: Sequence[int], levels: int) -> np.ndarray:
        """(levels,) of the child among these rows, as far as they have the patient's values of the parents."""
        own = list(parents)
        agree = (self.codes[own] == np.array([values[x] for x in own], dtype=np.int64)[:, None]).all(axis=0)
        return np.bincount(self.codes[child][agree], minlength=levels)


def key_of(leave_out: LeftOut | None) -> int | None:
    """Part of a factor's key beside the patient's values: whose rows were left out."""
    return None if leave_out is None else leave_out.subject


class Factors:
    """The factors of one population network's tables, each worked out once: they need few of a patient's values."""

    def __init__(self, tables: InstanceTables) -> None:
        self.tables = tables
        self._known: dict[tuple[object, ...], Factor] = {}

    def of_patient(self, choices: Sequence[NodeChoice], values: np.ndarray, leave_out: LeftOut | None) -> list[Factor]:
        """One factor a variable under the patient's network; `leave_out`: rows that do not count."""
        codes = values.tolist()
        result = []
        for choice in choices:
            if not self.own_row(choice, codes):
                result.append(self._population(choice.child, choice.population, codes, leave_out))
                continue
            key = (
                choice.child,
                choice.parents,
                tuple([codes[x] for x in choice.parents]),
                codes[choice.child],
                key_of(leave_out),
            )
            if key not in self._known:
                self._known[key] = self._shared(choice, codes, leave_out)
            result.append(self._known[key])
        return result

    def own_row(self, choice: NodeChoice, codes: Sequence[int]) -> bool:
        """True where all cases like the patient share one row of parameters for this variable."""
        # published mode scores parents whose value is unknown, or that no row has, as the population's family
        unknown = UNKNOWN in [codes[x] for x in choice.parents] or not choice.cases.any()
        return choice.changed and not unknown and bool(choice.parents or self.tables.empty != "population")

    def of_population(
        self, parents: Sequence[tuple[int, ...]], values: np.ndarray, leave_out: LeftOut | None
    ) -> list[Factor]:
        """One factor a variable under the population's DAG."""
        codes = values.tolist()
        return [self._population(child, group, codes, leave_out) for child, group in enumerate(parents)]

    def _shared(self, choice: NodeChoice, codes: list[int], leave_out: LeftOut | None) -> Factor:
        """The row of parameters that all cases like the patient share."""
        counts = choice.cases.astype(float)
        code = codes[choice.child]
        if leave_out is not None:
            counts -= leave_out.counts(choice.child, choice.parents, codes, len(counts))
        prior = self.tables.shared_prior(choice.child, choice.parents)
        share = (counts + prior / len(counts)) / (counts.sum() + prior)
        return ((choice.child,), share) if code == UNKNOWN else ((), share[code])

    def _population(self, child: int, group: tuple[int, ...], codes: list[int], leave_out: LeftOut | None) -> Factor:
        key = ("population", child, group, tuple([codes[x] for x in group]), codes[child], key_of(leave_out))
        if key not in self._known:
            free = tuple(x for x in group if codes[x] == UNKNOWN)
            table = _counted(self.tables, child, group, np.array(codes, dtype=np.int64))
            r = table.shape[-1]
            prior = self.tables.ess / self.tables.configurations(group)
            if leave_out is not None:  # a row of the table is known whole, so its configuration is the only one
                table -= leave_out.counts(child, group, codes, r)
            table = (table + prior / r) / (table.sum(axis=-1, keepdims=True) + prior)
            unknown = codes[child] == UNKNOWN
            self._known[key] = ((*free, child), table) if unknown else (free, table[..., codes[child]])
        return self._known[key]


def _counted(tables: InstanceTables, child: int, group: tuple[int, ...], values: np.ndarray) -> np.ndarray:
    """(levels of each unknown parent ..., r) rows that have the patient's values of the known parents."""
    if group == tables.parents[child]:
        configurations, counts = tables.family(child).configurations, tables.family(child).counts
    else:
        configurations, counts = family_table(tables.data, child, group)
    own = values[list(group)]
    known = own != UNKNOWN
    free = [int(tables.data.arity[x]) for x in np.array(group, dtype=np.int64)[~known]]
    result = np.zeros((*free, counts.shape[1]))
    seen = (configurations[:, known] == own[known]).all(axis=1)
    for row, count in zip(configurations[seen], counts[seen], strict=True):
        result[tuple(row[~known].tolist())] = count
    return result


_MOST_LINKS = 50_000
"""Kinds of patients, a child each, whose links are kept."""


@storable
@dataclass(frozen=True, eq=False)
class Network:
    """A patient's network by position: the choice of every variable, a DAG, and in published mode its CPDAG."""

    choices: tuple[NodeChoice, ...]
    parents: tuple[tuple[int, ...], ...]
    cpdag: Pdag | None

    def drawn(self, names: Sequence[str]) -> nx.DiGraph:
        """The DAG, in published mode the CPDAG, over these names."""
        return to_networkx(self.parents, names) if self.cpdag is None else pdag_to_networkx(self.cpdag, names)


class Solver:
    """The patient's network under one method, population network and tables; used for one patient after another."""

    def __init__(self, method: InstanceSpecificSettings, population: Population, tables: InstanceTables) -> None:
        self.method, self.population, self.tables = method, population, tables
        self.log_kappa = math.log(method.kappa)
        self.factors = Factors(tables)
        self.constraints = method.known().constraints(population.names)
        self.by = tables.by
        self._wider: dict[tuple[int, tuple[int, ...]], PopulationFamily] = {}
        self._links: dict[object, tuple[Link, ...]] = {}
        self._asked = conditioning_parents(population.cpdag, population.parents)
        self._beside: list[set[int]] = [set() for _ in population.names]
        for (child, _), group in self._asked.items():
            self._beside[child].update(group)
        self._subjects: dict[tuple[int, tuple[int, ...]], FamilyRows] = {}
        self._order_kept = (
            OrderKept(tables, population.order, self.log_kappa, self.constraints, method.additions)
            if method.mode == "order_kept"
            else None
        )

    def network(self, values: np.ndarray, progress: Progress) -> Network:
        """Choose the parents of every variable, and return them with the graph they make."""
        if self._order_kept is not None:
            choices = self._order_kept.choose(values)
            return Network(choices, tuple(choice.parents for choice in choices), None)
        values = self._met(values)
        cpdag, parents = search_network(
            self.tables, self.population, values, self.log_kappa, self.constraints, progress
        )
        return Network(network_choices(self.tables, parents, values, self.log_kappa), parents, cpdag)

    def ratio(self, network: Network, values: np.ndarray) -> np.ndarray:
        """(p,) terms of the log-likelihood ratio, in the order of the population's names."""
        if network.cpdag is None:
            return np.array([choice.gain if choice.changed else 0.0 for choice in network.choices])
        return ratio_terms(self.tables, network.parents, self.population, self._met(values))

    def _met(self, values: np.ndarray) -> np.ndarray:
        """Values that no row has count as unknown: the paper's score would else choose parents by the prior alone."""
        met = values.copy()
        met[list(unseen(self.tables, values))] = UNKNOWN
        return met

    def family_of(self, choice: NodeChoice) -> PopulationFamily:
        """A variable's rows by the configuration of all the parents that it has in either network."""
        own = self.tables.parents[choice.child]
        return self._family(choice.child, tuple(sorted({*own, *choice.population, *choice.parents})))

    def _family(self, child: int, group: tuple[int, ...]) -> PopulationFamily:
        """A variable's rows by the configuration of some others."""
        if group == self.tables.parents[child]:
            return self.tables.family(child)
        key = (child, group)
        if key not in self._wider:
            configurations, counts = family_table(self.tables.data, child, group)
            possible = self.tables.configurations(group)
            self._wider[key] = PopulationFamily(group, possible, configurations, counts, np.empty(0))
        return self._wider[key]

    def links(self, network: Network, values: np.ndarray, subject: int | None = None) -> list[Link]:
        """Evidence on every link of either network; empty in published mode, which has no probabilities.

        `subject` : the number of the patient's own, whose rows are not among those that are compared.
        """
        codes = values.tolist()
        result: list[Link] = []
        for choice in network.choices if network.cpdag is None else ():
            family = self.family_of(choice)
            own = {x: codes[x] for x in sorted({*family.parents, *self._beside[choice.child]})}
            key = (choice.child, choice.parents, tuple(own.items()), subject)
            if key not in self._links:
                if len(self._links) > _MOST_LINKS:
                    self._links.clear()
                self._links[key] = links_of(
                    self.questions,
                    choice,
                    own,
                    self.method.margin,
                    wider=None if family.parents == choice.population else self._rows(choice.child, family, subject),
                    others=None if subject is None else partial(self._others, choice.child, subject),
                    candidates=len(network.choices),
                    by=self.by,
                )
            result += self._links[key]
        return result

    @property
    def questions(self) -> Questions:
        """Every question that the population's families allow, asked once for all patients and settings."""
        return self.population.keep("questions", self._questions)

    def _questions(self) -> Questions:
        turned = turned_families(self.population.cpdag, self._asked)
        return Questions(
            {(child, x): self._others(child, None, x) for child, x in self._asked},
            {
                link: [(self._rows(last, self._family(last, group), None), sources) for last, group, sources in each]
                for link, each in turned.items()
            },
            few=(counted := self.tables.data.subject_count) is not None and counted.too_few,
        )

    def _others(self, child: int, subject: int | None, source: int) -> FamilyRows:
        """The rows that a link is asked of, those of one subject left out."""
        return self._rows(child, self._family(child, self._asked[child, source]), subject)

    def _rows(self, child: int, family: PopulationFamily, subject: int | None) -> FamilyRows:
        """The rows of a family, those of one subject left out."""
        key = (child, family.parents)
        if key not in self._subjects:
            self._subjects[key] = FamilyRows(family, subjects_of_family(self.tables.data, child, family.parents))
        rows = self._subjects[key]
        if subject is None or rows.subjects is None:
            return rows
        return without_subject(family, rows.subjects, subject)

    def subject_of(self, row: int | None) -> int | None:
        """The number of a row's subject; None where it stands alone or there is no row."""
        clusters = self.tables.data.clusters
        return None if row is None or clusters is None else int(clusters[row])

    def left_out(self, row: int | None) -> LeftOut | None:
        """The rows that do not count for a patient who is a row."""
        subject = self.subject_of(row)
        if row is None:
            return None
        data = self.tables.data
        rows = rows_of_subject(data, row)
        return LeftOut(-1 if subject is None else subject, data.store.some(rows).astype(np.int64))

    def expected(
        self, values: np.ndarray, target: str, choices: Sequence[NodeChoice] | None = None
    ) -> np.ndarray | None:
        """(2, r) ends of the central 95 % interval of a target's shares under the population's network.

        All distributions are drawn many times from their posteriors (Jeffreys' prior, half a row a cell), and the
        shares worked out for every draw, counts divided by `by`; None where too many unknown values hang together.
        With a patient's choices: under that network, with the rows alike of each variable whose parents differ.
        """
        generator = np.random.default_rng(self.method.seed)
        arity = np.append(self.tables.data.arity, DRAWS)
        last, codes = len(self.population.parents), values.tolist()
        factors: list[Factor] = []
        for child, group in enumerate(self.population.parents):
            choice = None if choices is None else choices[child]
            if choice is not None and self.factors.own_row(choice, codes):
                group, table = (), choice.cases
            else:
                table = _counted(self.tables, child, group, values)
            free = tuple(x for x in group if codes[x] == UNKNOWN)
            counts = table / self.by
            weights = generator.gamma(counts[..., None, :] + 0.5, size=(*counts.shape[:-1], DRAWS, counts.shape[-1]))
            drawn = weights / weights.sum(axis=-1, keepdims=True)
            unknown = codes[child] == UNKNOWN
            factors.append(((*free, last, child), drawn) if unknown else ((*free, last), drawn[..., codes[child]]))
        result = sum_out(factors, arity, (last, self.population.names.index(target)))
        if result is None:
            return None
        shares = result[1] / result[1].sum(axis=1, keepdims=True)
        return np.quantile(shares, (0.025, 0.975), axis=0)

    def predict(
        self, network: Network, values: np.ndarray, row: int | None, target: str | None = None
    ) -> tuple[HeldOut, np.ndarray | None]:
        """The held-out log probability of a patient, and (2, r) shares of the target, the patient's network first.

        `row`: which the patient is, taken out of all counts with all rows of its subject; None for no row.
        """
        leave_out = self.left_out(row)
        arity = self.tables.data.arity
        own = self.factors.of_patient(network.choices, values, leave_out)
        theirs = self.factors.of_population(self.population.parents, values, leave_out)
        keep = None if target is None else self.population.names.index(target)
        result = [sum_out(factors, arity, () if keep is None else (keep,)) for factors in (own, theirs)]
        logs = [math.nan if item is None else item[0] for item in result]
        known = int((values != UNKNOWN).sum())
        held_out = HeldOut(logs[0], logs[1], known, self.method.mode == "order_kept")
        if keep is None or result[0] is None or result[1] is None:
            return held_out, None
        return held_out, np.array([result[0][1], result[1][1]])


def solver_of(method: InstanceSpecificSettings, population: Population, data: Dataset) -> Solver:
    """The solver of these settings, kept beside the population network, so that patients and sliders share its work."""
    return population.keep(method, lambda: Solver(method, population, population.tables(method, data)))


def unseen(tables: InstanceTables, values: np.ndarray) -> tuple[int, ...]:
    """Variables whose value no row has."""
    rows = tables.level_rows
    return tuple(x for x, value in enumerate(values.tolist()) if value != UNKNOWN and not rows[x][value])
