"""The joint test against a slow second version: draw by draw, no blocks, no covariance in place of units."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

from engine.comparison import difference
from engine.comparison.difference import Differences, error_shares, find_differences, three_sums
from engine.comparison.estimates import Estimates


def made(
    seed: int, q: int, units: tuple[int, ...], apart: float = 1.0, shared: int = 0, strong: int = 2
) -> list[Estimates]:
    """Groups whose estimates' errors hang together; the first are far from 0 everywhere, `shared` units are of all."""
    generator = np.random.default_rng(seed)
    mean, begin = np.where(np.arange(q) < strong, 5.0, 0.0), 0
    mix = generator.normal(size=(q, q)) * 0.4 + np.eye(q)
    common = generator.normal(size=(q, shared))
    found = []
    for n in units:
        noise = generator.normal(size=(q, n))
        noise[:, :shared] = 0.7 * common + 0.7 * noise[:, :shared]
        influence = mix @ noise / np.sqrt(n)
        value = mean + apart * generator.normal(size=q)
        own = np.concatenate([np.arange(shared), shared + begin + np.arange(n - shared)])
        found.append(Estimates(value, influence, own, n - 1))
        begin += n - shared
    return found


def slowly(groups: list[Estimates], draws: int, seed: int) -> dict[str, np.ndarray]:
    """Every weight, draw, pair of groups and estimate by itself."""
    generator, k, q = np.random.default_rng(seed), len(groups), len(groups[0].value)
    pairs = list(combinations(range(k), 2))
    e = [dict(zip(one.units.tolist(), one.influence.T, strict=True)) for one in groups]
    v = [sum(own**2 for own in one.values()) for one in e]
    c = {(a, b): sum((e[a][u] * e[b][u] for u in e[a] if u in e[b]), np.zeros(q)) for a, b in pairs}
    error = {(a, b): np.sqrt(v[a] + v[b] - 2 * c[a, b]) for a, b in pairs}
    seen = np.zeros(q, dtype=bool)
    for link in range(q):  # the mean of least squares over groups
        spread = np.array(
            [[v[a][link] if a == b else c[min(a, b), max(a, b)][link] for b in range(k)] for a in range(k)]
        )
        weights = np.linalg.solve(spread, np.ones(k))
        seen[link] = abs(weights @ [one.value[link] for one in groups]) / np.sqrt(weights.sum()) >= 2
    share = np.full(q, 1 / q)
    if seen.any() and not seen.all():
        share = np.array([0.8 / seen.sum() if one else 0.2 / (~seen).sum() for one in seen])

    def told(values: list[np.ndarray]) -> tuple[float, float]:
        """Differences in all, and of strength."""
        among = seen if seen.any() else ~seen
        squares = sum(float((((values[a] - values[b]) / error[a, b]) ** 2)[among].sum()) for a, b in pairs)
        strength = [float((values[g] ** 2 - v[g]).sum()) for g in range(k)]
        return squares, max(abs(strength[a] - strength[b]) for a, b in pairs)

    score = []
    for a, b in pairs:
        df = (v[a] + v[b]) ** 2 / (v[a] ** 2 / groups[a].freedom + v[b] ** 2 / groups[b].freedom)
        score.append(2 * t.sf(abs(groups[a].value - groups[b].value) / error[a, b], df) / share)
    observed = [-np.min(score), *told([one.value for one in groups])]
    null = []
    for _ in range(draws):
        weight = {unit: generator.standard_normal() for one in e for unit in one}
        star = [sum(weight[unit] * own for unit, own in one.items()) for one in e]
        alone = [2 * norm.sf(abs(star[a] - star[b]) / error[a, b]) / share for a, b in pairs]
        noise = [(groups[g].value + star[g]) ** 2 - groups[g].value ** 2 - v[g] for g in range(k)]
        strength = max(abs(noise[a].sum() - noise[b].sum()) for a, b in pairs)
        null.append((-np.min(alone), told(star)[0], strength))
    beyond = np.array(null)
    sums = (1 + (beyond >= observed).sum(axis=0)) / (1 + draws)
    own = np.array([[(beyond[:, i] >= one[i]).mean() for i in range(3)] for one in beyond])
    return {
        "p": (1 + (-beyond[:, 0, None, None] <= np.array(score)).sum(axis=0)) / (1 + draws),
        "sums": sums,
        "corrected": np.array([(1 + (own.min(axis=1) <= one).sum()) / (1 + draws) for one in sums]),
        "least": np.quantile(-beyond[:, 0], 0.05),
        "seen": seen,
        "error": np.array(list(error.values())),
        "covariance": np.array(list(c.values())),
        "observed": np.array(observed),
    }


def alike(p: np.ndarray, other: np.ndarray, draws: int) -> bool:
    """Whether two p of so many draws each differ by no more than five Monte Carlo errors."""
    mean = (p + other) / 2
    return bool((np.abs(p - other) <= 5 * np.sqrt(2 * mean * (1 - mean) / draws) + 2 / draws).all())


@pytest.mark.parametrize(
    ("q", "units", "shared", "strong"),
    [(6, (40, 60), 0, 2), (6, (30, 25, 40), 0, 3), (12, (8, 9), 0, 0), (5, (30, 40), 22, 5), (4, (20, 30, 25), 12, 1)],
    ids=["two groups", "three groups", "fewer units than links", "paired", "three with shared units"],
)
def test_a_slow_second_version_says_the_same(q: int, units: tuple[int, ...], shared: int, strong: int) -> None:
    """All that a draw decides within Monte Carlo error; the rest to rounding."""
    groups, draws = made(q, q, units, apart=0.8, shared=shared, strong=strong), 1500
    wanted, found = slowly(groups, draws, 1), find_differences(groups, draws, 2)
    assert found.seen.tolist() == wanted["seen"].tolist()
    assert found.error == pytest.approx(wanted["error"]) and found.covariance == pytest.approx(wanted["covariance"])
    assert three_sums(groups) == pytest.approx(wanted["observed"])
    for name in ("p", "sums", "corrected"):
        assert alike(getattr(found, name), wanted[name], draws), name
    assert found.least == pytest.approx(wanted["least"], rel=0.4)
    assert ((found.p > 0) & (found.p <= 1)).all() and found.share.sum() == pytest.approx(1)
    bar = norm.isf(found.least * found.share / 2) + norm.ppf(0.8)
    assert found.visible == pytest.approx(bar * found.error)


def test_the_ways_to_draw_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws of the covariance and of the units within Monte Carlo error; blocks change nothing."""
    groups, draws = made(7, 8, (50, 70), apart=0.8), 4000
    gram = find_differences(groups, draws, 0)
    monkeypatch.setattr(difference, "_MOST_GRAM", 0)
    rows = find_differences(groups, draws, 0)
    assert alike(gram.p, rows.p, draws) and alike(gram.sums, rows.sums, draws)
    assert (gram.p != rows.p).any()  # they are two ways
    monkeypatch.setattr(difference, "_BLOCK", 3 * draws)
    blocks = find_differences(groups, draws, 0)
    for name in ("p", "sums", "corrected", "least"):
        assert getattr(blocks, name) == pytest.approx(getattr(rows, name), abs=1.01 / draws), name


def test_p_is_about_uniform_where_nothing_differs() -> None:
    """300 pairs of groups with errors as their influence says, some links strong: the least p, and each sum."""
    generator = np.random.default_rng(8)
    least, sums = [], []
    for seed in range(300):
        groups = made(seed, 10, (60, 90), apart=0.0, strong=seed % 4)
        groups = [
            Estimates(
                one.value + one.influence @ generator.normal(size=len(one.units)), one.influence, one.units, 10**6
            )
            for one in groups
        ]
        found = find_differences(groups, 199, seed)
        least.append(found.p.min())
        sums.append(found.corrected.min())
    p, whole = np.array(least), np.array(sums)
    assert 0.015 < (p <= 0.05).mean() < 0.105  # more than four standard errors on either side
    assert 0.38 < (p <= 0.5).mean() < 0.62
    assert (whole <= 0.05).mean() < 0.09 and 0.25 < (whole <= 0.5).mean() < 0.62  # strength leans to caution


def test_paired_groups_have_the_variance_of_the_difference() -> None:
    """Over subjects; a mean that a difference does not move takes the weights (v_b - c) and (v_a - c)."""
    a, b = made(9, 6, (35, 35), shared=35, strong=3)
    found = find_differences([a, b], 99, 0)
    assert found.error[0] == pytest.approx(np.sqrt(((a.influence - b.influence) ** 2).sum(axis=1)))
    c, (va, vb) = (a.influence * b.influence).sum(axis=1), found.variance
    mean = ((vb - c) * a.value + (va - c) * b.value) / (va + vb - 2 * c)
    assert found.seen.tolist() == (np.abs(mean) / np.sqrt((va * vb - c * c) / (va + vb - 2 * c)) >= 2).tolist()
    apart = Estimates(b.value, b.influence, b.units + 1000, b.freedom)
    assert (find_differences([a, apart], 99, 0).covariance == 0).all()


@settings(max_examples=50)
@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_shares_of_the_error_sum_to_one(flags: list[bool]) -> None:
    """Four fifths for those that are there, unless all or none are."""
    seen = np.array(flags)
    share = error_shares(seen)
    assert share.sum() == pytest.approx(1) and (share > 0).all()
    if seen.any() and not seen.all():
        assert share[seen].sum() == pytest.approx(0.8) and np.ptp(share[seen]) == np.ptp(share[~seen]) == 0
    else:
        assert np.ptp(share) == 0


def test_nothing_apart_and_far_apart() -> None:
    """Equal estimates have p = 1 everywhere; one that is turned round is alone in having the least p."""
    one = made(10, 7, (80,), apart=0.0)[0]
    groups = [one, Estimates(one.value.copy(), one.influence, one.units + 80, one.freedom)]
    same = find_differences(groups, 199, 0)
    assert (same.p == 1).all() and (same.sums == 1).all() and (same.corrected == 1).all()
    groups[1].value[1] *= -1
    turned = find_differences(groups, 199, 0)
    assert turned.p[0, 1] == turned.sums[0] == 1 / 200 and not turned.seen[1]
    assert (np.delete(turned.p[0], 1) == 1).all()


def test_equal_seeds_give_equal_bits() -> None:
    """Another seed gives other draws."""
    groups = made(11, 6, (40, 50), apart=0.5)
    one, same, other = (find_differences(groups, 299, seed) for seed in (3, 3, 4))
    fields = ("p", "sums", "corrected", "least")
    assert all(np.array_equal(getattr(one, name), getattr(same, name)) for name in fields)
    assert any(not np.array_equal(getattr(one, name), getattr(other, name)) for name in fields)
    assert isinstance(one, Differences)
