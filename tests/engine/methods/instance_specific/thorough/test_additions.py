"""The search for extra parents written out slowly, over names and whole tables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

import networkx as nx
import numpy as np
import pytest

import engine
from tests.engine.make import random_data


class Slow:
    """One variable of one patient whose values are all known."""

    def __init__(
        self, method: engine.InstanceSpecific, data: engine.Dataset, dag: nx.DiGraph, patient: dict[str, str], name: str
    ) -> None:
        self.method, self.data, self.patient, self.name = method, data, patient, name
        self.population = frozenset(dag.predecessors(name))
        order = list(nx.lexicographical_topological_sort(dag))
        self.earlier = order[: order.index(name)]
        self.most = len(order) if method.max_parents is None else method.max_parents
        self.base = self.score(self.population)

    def score(self, parents: frozenset[str]) -> float:
        """IS-Score of one parent set."""
        method, known = self.method, (self.patient, self.name, sorted(parents), sorted(self.population))
        return engine.instance_score(self.data, *known, ess=method.ess, prior=method.prior, empty=method.empty)

    def net(self, parents: Iterable[str]) -> float:
        """IS-Score over the population's, and kappa for every difference."""
        group = frozenset(parents)
        if group == self.population:
            return 0.0
        return self.score(group) - self.base + math.log(self.method.kappa) * len(group ^ self.population)

    def met(self, parents: Iterable[str]) -> bool:
        """Whether a row has her values of all these."""
        rows = np.ones(self.data.n_rows, dtype=bool)
        for x in parents:
            rows &= self.data.column(x) == self.data.levels[x].index(self.patient[x])
        return bool(rows.any())

    def weighed(self, pool: frozenset[str]) -> Iterator[frozenset[str]]:
        """The subsets of a pool that may be chosen."""
        for size in range(len(pool) + 1):
            for chosen in itertools.combinations(sorted(pool), size):
                group = frozenset(chosen)
                if group == self.population:
                    yield group
                elif not group and self.method.empty == "population":
                    continue
                elif group < self.population or (len(group) <= self.most and self.met(group)):
                    yield group

    def best_of(self, pool: frozenset[str]) -> frozenset[str]:
        """Among equals the subset nearest to the population, then the one of the first names."""
        place = {x: 1 << i for i, x in enumerate(sorted(pool))}

        def key(group: frozenset[str]) -> tuple[float, int, int]:
            return round(self.net(group), 7), -len(group ^ self.population), -sum(place[x] for x in group)

        return max(self.weighed(pool), key=key)

    def parents(self) -> frozenset[str]:
        """Widen the pool by the best extra parent while the best subset gains."""
        pool = self.population
        chosen = self.best_of(pool)
        while len(chosen) < self.most:
            extra = [x for x in sorted(self.earlier) if x not in pool and self.met(chosen | {x})]
            best = max(extra, key=lambda x: round(self.net(chosen | {x}), 7), default=None)
            if best is None or self.net(chosen | {best}) <= self.net(chosen) + 1e-6:
                break
            pool |= {best}
            chosen = self.best_of(pool)
        return chosen


@pytest.mark.parametrize("limit", [None, 1, 2])
@pytest.mark.parametrize(("prior", "empty"), [("union", "population"), ("paper", "population"), ("union", "all_rows")])
@pytest.mark.parametrize(("rows", "levels"), [(15, (2, 3)), (40, (3, 4))])
def test_extra_parents_are_those_of_the_slow_search(
    rows: int, levels: tuple[int, int], prior: str, empty: str, limit: int | None
) -> None:
    """For patients drawn level by level, many of whose combinations have no row, every variable chooses the same."""
    data = random_data(rows, 6, 8, seed=0, levels=levels)
    settings = {"prior": prior, "empty": empty, "additions": True, "max_parents": limit}
    method = engine.InstanceSpecific(kappa=1.0, structure_prior=0.3, **settings)  # type: ignore[arg-type]
    population = method.learn_population(data)
    rng = np.random.default_rng(1)
    added = 0
    for _ in range(40):
        codes = {name: int(rng.integers(data.arity[data.index(name)])) for name in sorted(data.names)}
        patient = {name: data.levels[name][code] for name, code in codes.items()}
        result = method.run(data, patient, population=population)
        for name, family in result.families().iterrows():
            slow = Slow(method, data, result.population_dag, patient, str(name))
            assert frozenset(family["instance_parents"]) == slow.parents()
            added += bool(set(family["instance_parents"]) - slow.population)
    assert added
