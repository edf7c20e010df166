"""Dynamic networks of two classes: links as strong as asked, series that follow the tables, noise by subject."""

from __future__ import annotations

import numpy as np

from engine.simulation.series import random_pair, sample_subjects, with_noise
from tests.engine.simulation.test_series import frequencies, mixed


def test_parents_and_changed_variables_are_drawn_evenly() -> None:
    """Over many pairs every variable is a parent, a changed one and its own parent about equally often."""
    changed, own, parents = np.zeros(4), 0, np.zeros(4)
    for seed in range(400):
        one, _, names = random_pair(4, 1, np.random.default_rng(seed), arity=2, parents=(), before=(0.1,), after=(0.0,))
        place = one.names.index(names[0])
        changed[place] += 1
        parents[one.parents[place][0]] += 1
        own += one.parents[place] == (place,)
    for share in (*changed, *parents, own):
        assert 65 < share < 135


def test_subjects_have_networks_of_their_own() -> None:
    """Each series follows its subject's tables; alike subjects get what one network for all would give."""
    network = mixed()
    rng = np.random.default_rng(2)
    networks = [with_noise(network, 8, rng) for _ in range(3)]
    codes = sample_subjects(networks, 40_000, np.random.default_rng(0))
    for subject, mine in enumerate(networks):
        for child, table in enumerate(mine.tables):
            np.testing.assert_allclose(frequencies(mine, codes[:, [subject]], child), table, atol=0.03)
    alike = sample_subjects([network] * 3, 50, np.random.default_rng(0))
    np.testing.assert_array_equal(alike, network.sample(3, 50, np.random.default_rng(0)))
