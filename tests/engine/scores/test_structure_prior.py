"""The structure prior against its formula."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import engine
from engine.scores.structure_prior import with_structure_prior
from tests.engine.make import random_data


def families(n: int, child: int) -> list[tuple[int, ...]]:
    """All parent sets of a child among n variables."""
    others = [x for x in range(n) if x != child]
    return [group for size in range(n) for group in itertools.combinations(others, size)]


def test_local_is_the_score_plus_equation_eleven() -> None:
    """A parent multiplies by e / (n - 1), a variable that is none by 1 - e / (n - 1); n counts variables, not rows."""
    data = random_data(80, 5, 6, seed=0)
    plain = engine.BDeu(1.0).bind(data)
    score = with_structure_prior(plain, 1.5)
    for child, parents in [(0, ()), (1, (0,)), (4, (0, 1, 2, 3))]:
        k = len(parents)
        expected = math.log((1.5 / 4) ** k * (1 - 1.5 / 4) ** (4 - k))
        assert score.local(child, parents) - plain.local(child, parents) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("n", "e"), [(2, 1.0), (3, 0.2), (5, 1.0), (5, 9.0), (1, 1.0)])
def test_the_prior_of_all_parent_sets_sums_to_one(n: int, e: float) -> None:
    """It is a distribution over the parent sets of a variable, also where e has to be capped."""
    plain = engine.BDeu(1.0).bind(random_data(20, n, 0, seed=1))
    score = with_structure_prior(plain, e)
    prior = [score.local(0, group) - plain.local(0, group) for group in families(n, 0)]
    assert sum(map(math.exp, prior)) == pytest.approx(1.0, rel=1e-9)


def test_an_arc_is_never_favoured_beforehand() -> None:
    """Two variables and one expected parent: probability one half, not one."""
    plain = engine.BDeu(1.0).bind(random_data(20, 2, 0, seed=2))
    score = with_structure_prior(plain, 1.0)
    assert score.local(0, ()) - plain.local(0, ()) == pytest.approx(math.log(0.5))
    assert score.local(0, (1,)) - plain.local(0, (1,)) == pytest.approx(math.log(0.5))


def test_additions_are_the_single_families() -> None:
    """Many candidates at once carry the same prior as one by one, and what is in the family stays impossible."""
    score = with_structure_prior(engine.BDeu(1.0).bind(random_data(120, 5, 6, seed=3)), 1.0)
    for child, parents in [(0, ()), (2, (1, 4)), (3, (0, 1, 2, 4))]:
        found = score.additions(child, parents)
        for x in range(5):
            if x == child or x in parents:
                assert found[x] == -np.inf
            else:
                assert found[x] == pytest.approx(score.local(child, tuple(sorted((*parents, x)))), rel=1e-12)
    among = np.array([False, True, False, False, False])
    assert np.flatnonzero(np.isfinite(score.additions(0, (), among))).tolist() == [1]


@pytest.mark.parametrize("e", [0, -1.0, math.nan, math.inf, "1", True, None])
def test_what_is_no_number_above_zero_is_refused(e: object) -> None:
    """The sentence names the setting and what it may be."""
    score = engine.BDeu(1.0).bind(random_data(20, 3, 2, seed=4))
    with pytest.raises(engine.SettingsError, match=r"structure_prior is .* above 0"):
        with_structure_prior(score, e)  # type: ignore[arg-type]
