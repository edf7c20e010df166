"""The second generator of changed tables: strengths as asked, and another lean."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.papers.discriminative.rotate import rotate_table
from engine.errors import SettingsError
from engine.simulation.nmis import change_table, draw_table
from tests.engine.simulation.test_nmis import divergence, even, pairs_of, slow_nmis


@pytest.mark.parametrize(("arity", "strength"), [(4, 0.21), (4, 0.11), (4, 0.05), (4, 0.0), (3, 0.1), (5, 0.1)])
def test_a_rotated_table_has_the_weaker_link_and_the_other_pair(arity: int, strength: float) -> None:
    """By the definition as well; it lies farther from the old table than the nearest one with the same strengths."""
    parents, child = even(arity, 2)
    farther = []
    for seed in range(4):
        generator = np.random.default_rng(seed)
        old = draw_table((0.3, 0.22), parents, child, generator)
        new = rotate_table(old, parents, 1, strength, generator)
        assert [slow_nmis(new, parents, m) for m in (0, 1)] == pytest.approx([0.3, strength], abs=1e-7)
        assert np.allclose(pairs_of(new, parents)[0], pairs_of(old, parents)[0], atol=1e-10)
        assert np.allclose(new.sum(axis=-1), 1) and (new >= 0).all()
        nearest = change_table(old, parents, (0.3, strength))
        farther.append(divergence(new, old, parents) / max(divergence(nearest, old, parents), 1e-12))
    assert min(farther) > 1 - 1e-6 and (strength == 0 or np.mean(farther) > 1.2)


def test_a_rotation_by_nothing_gives_the_table_and_a_stronger_link_is_refused() -> None:
    """As the paper asks of its generator: the closer the strengths, the closer the tables."""
    parents, child = even(4, 2)
    old = draw_table((0.3, 0.22), parents, child, np.random.default_rng(0))
    assert rotate_table(old, parents, 1, 0.22, np.random.default_rng(1)) is old
    far = [rotate_table(old, parents, 1, s, np.random.default_rng(1)) for s in (0.2199, 0.2, 0.15, 0.1, 0.05)]
    away = [divergence(new, old, parents) for new in far]
    assert away == sorted(away) and away[0] < 1e-3
    for wrong in (0.3, -0.1):
        with pytest.raises(SettingsError, match="strength is"):
            rotate_table(old, parents, 1, wrong, np.random.default_rng(1))


def test_a_rotated_link_alone_ceases_to_help_where_the_paper_says() -> None:
    """Its pair is as far from the weakened one as that tells at a loss of 0.11: the ratio of both is 1 there."""
    parents, child = even(4, 2)
    ratios = {}
    for c in (0.08, 0.11, 0.13):
        found = []
        for seed in range(15):
            generator = np.random.default_rng(seed)
            old = draw_table((0.3, 0.22), parents, child, generator)
            new = rotate_table(old, parents, 1, 0.22 - c, generator)
            one, other = (pairs_of(table, parents)[1] for table in (new, old))
            found.append(float((one * np.log(one / other)).sum()) / ((0.22 - c) * np.log(4)))
        ratios[c] = np.median(found)
    assert ratios[0.08] < 0.6 and ratios[0.11] == pytest.approx(1, abs=0.12) and ratios[0.13] > 1.4
