"""What the compiled climber weighs, on a table long enough for histograms and for lnGammas by Stirling's series."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaln

import engine
from engine.counting import climber
from engine.counting.walk_state import CLIMB, LARGE_COUNT, LONG_TABLE, PLANE_CELLS_LONG, new_rows, new_state
from engine.data.planes import build_planes

ARITY = np.array([2, 3, 4, 3, 2, 4, 3])


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(2.0)])
def test_gains_of_a_long_table_are_differences_of_scores(score: engine.K2 | engine.BDeu) -> None:
    """Families of few cells by planes, of many by histograms, some candidates counted together."""
    rng = np.random.default_rng(0)
    codes = np.stack([rng.choice(r, LONG_TABLE + 100, p=rng.dirichlet(np.full(r, 2.0))) for r in ARITY]).astype(
        np.uint8
    )
    data = engine.Dataset.from_codes(codes, ARITY.tolist(), [f"v{i}" for i in range(len(ARITY))])
    p, bound = len(ARITY), score.bind(data)
    parents: list[tuple[int, ...]] = [(), (0,), (1, 3), (), (), (), (2, 5, 0)]
    assert 4 * 3 * 3 <= PLANE_CELLS_LONG < 4 * 4 * 2 * 3
    state = new_state(parents, ~np.eye(p, dtype=bool), [()] * p, p, 10)
    ess = score.ess if isinstance(score, engine.BDeu) else 0.0
    rows = new_rows(build_planes(codes, ARITY), codes, ess, np.zeros(p + 1))
    climber.make_moves(state, rows, CLIMB, 0)
    for child, group in enumerate(parents):
        own = bound.local(child, group)
        for x in set(range(p)) - {child, *group}:
            gain = bound.local(child, tuple(sorted((*group, x)))) - own
            assert state.add[child, x] == pytest.approx(gain, abs=1e-7)
        for at, x in enumerate(state.parents[child, : len(group)].tolist()):
            gain = bound.local(child, tuple(y for y in sorted(group) if y != x)) - own
            assert state.drop[child, at] == pytest.approx(gain, abs=1e-7)


def test_log_gamma_of_large_numbers() -> None:
    """As SciPy has it, to rounding."""
    for x in np.geomspace(LARGE_COUNT, 1e9, 50):
        assert climber.log_gamma(x) == pytest.approx(float(gammaln(x)), rel=1e-14)
