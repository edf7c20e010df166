"""do(x) against sums over all rows that a network can have, without the tables of what is set."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.errors import DataError
from engine.models import Network, intervene, posteriors, random_network
from engine.simulation.networks import random_dag


def enumerated(network: Network, do: dict[str, str], seen: dict[str, str], lots: set[str]) -> list[np.ndarray]:
    """Posteriors of all variables by the truncated factorisation, one row after the other."""
    totals = [np.zeros(len(levels)) for levels in network.levels]
    fixed = {network.names.index(name): int(level) for name, level in do.items()}
    known = {network.names.index(name): int(level) for name, level in seen.items()}
    for row in itertools.product(*(range(len(levels)) for levels in network.levels)):
        p = 1.0
        for child, family in enumerate(network.parents):
            if child in fixed:
                p *= row[child] == fixed[child]
            elif network.names[child] in lots:
                p /= len(network.levels[child])
            else:
                place = 0
                for parent in family:
                    place = place * len(network.levels[parent]) + row[parent]
                p *= network.tables[child][place, row[child]]
        if all(row[child] == code for child, code in known.items()):
            for child, code in enumerate(row):
                totals[child][code] += p
    return [total / total.sum() for total in totals]


def test_setting_variables_equals_the_truncated_factorisation() -> None:
    """300 random networks: some variables set, one by lot, some seen; every posterior to 1e-10."""
    worst = 0.0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        p = int(rng.integers(2, 7))
        parents = random_dag(p, int(rng.integers(0, p * (p - 1) // 2 + 1)), rng)
        network = random_network(parents, rng.integers(2, 4, p), rng)
        names = [network.names[i] for i in rng.permutation(p)]
        levels = {name: str(rng.integers(len(network.levels[network.names.index(name)]))) for name in names}
        cut = int(rng.integers(1, p + 1))
        do = {name: levels[name] for name in names[: cut - 1]}
        lots = set(names[cut - 1 : cut])
        seen = {name: levels[name] for name in names[cut:] if rng.random() < 0.3}
        result = posteriors(intervene(network, do, lots), seen)
        expected = enumerated(network, do, seen, lots)
        worst = max(worst, *(np.abs(result[n] - e).max() for n, e in zip(network.names, expected, strict=True)))
    assert worst < 1e-10


def test_what_cannot_be_set_is_refused() -> None:
    """A variable or level that there is not, and one that is set and drawn by lot at once."""
    network = random_network(((), (0,)), [2, 2], np.random.default_rng(0))
    for do, lots in (({"X9": "0"}, ()), ({"X1": "7"}, ()), ({}, ("X9",)), ({"X1": "0"}, ("X1",))):
        with pytest.raises(DataError):
            intervene(network, do, lots)
