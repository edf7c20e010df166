"""A number on its own: its p against every labelling that SciPy can make, and what it sees."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
from engine.methods.group_difference.blocks import weigh
from engine.methods.group_difference.chance import Chance, _dealt, chance
from engine.methods.group_difference.rows.groups import Groups, split_groups

METHOD = engine.GroupDifference(group="group", groups=("a", "b"))


def split(frame: pd.DataFrame) -> Groups:
    """Both groups, with the patients as subjects where there are some."""
    numbers = {name: "continuous" for name in frame if name not in ("group", "patient")}
    roles = {"patient": "subject"} if "patient" in frame else {}
    return split_groups(METHOD, engine.Dataset.from_frame(frame, missing="level", rare=0, kinds=numbers, roles=roles))


def alone(frame: pd.DataFrame, least: int = 999) -> Chance:
    """The test of every column but the group."""
    groups = split(frame)
    n = groups.pooled.n_variables
    return chance(METHOD, groups.pooled.names, weigh(METHOD, groups, (((),) * n,) * 3, common=True), least, groups)


@pytest.mark.parametrize("how", ["rows", "subjects", "swaps"])
def test_a_shift_has_the_p_of_scipys_permutations(how: str) -> None:
    """Normal scores under every deal that is allowed: of rows, of whole subjects, of the two rows of each."""
    rng = np.random.default_rng(3)
    second = {"rows": np.repeat([0, 1], [9, 7]), "subjects": np.repeat([0, 1], 12), "swaps": np.tile([0, 1], 10)}[how]
    subject = {"rows": np.arange(16), "subjects": np.repeat(np.arange(8), 3), "swaps": np.repeat(np.arange(10), 2)}[how]
    value = rng.normal(size=len(second)) * 0.6 + 0.7 * second + rng.normal(size=16)[subject] * 0.8
    frame = pd.DataFrame({"x": value, "group": np.where(second, "b", "a"), "patient": subject})
    groups = split(frame)
    dealt = _dealt(METHOD, groups, 0, weigh(METHOD, groups, (((),),) * 3, common=True)[0].counts[0])
    assert dealt is not None and dealt.inside is (how != "subjects")
    dealt.looked_up, dealt.wide = None, dealt.wide * [1.0, 0.0, 0.0]  # location alone
    found = np.mean(dealt.draw(20_000, np.random.default_rng(1)) >= dealt.observed - 1e-9)
    scores = stats.norm.ppf((stats.rankdata(value) - 0.5) / len(value))
    if how == "subjects":
        scores, second = scores.reshape(8, 3).mean(axis=1), second[::3]
    kind = "samples" if how == "swaps" else "independent"

    def shift(first: np.ndarray, other: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.abs(np.mean(first, axis=axis) - np.mean(other, axis=axis))

    parts = scores[second == 0], scores[second == 1]
    expected = stats.permutation_test(parts, shift, permutation_type=kind, alternative="greater", n_resamples=10**5)
    assert found == pytest.approx(expected.pvalue, abs=0.012)


def test_p_is_uniform_where_nothing_differs() -> None:
    """Skewed, tied, heaped and missing values alike."""
    found = []
    for seed in range(15):
        rng = np.random.default_rng(seed)
        columns: dict[str, np.ndarray] = {"group": np.where(rng.permutation(70) < 25, "b", "a")}
        for k in range(5):
            columns[f"skewed{k}"] = rng.exponential(size=70).round(1)
            columns[f"zeros{k}"] = np.where(rng.random(70) < 0.6, 0.0, rng.normal(size=70) + 4)
            columns[f"gaps{k}"] = np.where(rng.random(70) < 0.2, np.nan, rng.normal(size=70))
        found += alone(pd.DataFrame(columns), 100).p.tolist()
    assert stats.kstest(found, "uniform").pvalue > 0.01
    assert np.mean(np.array(found) <= 0.05) <= 0.08


def test_what_levels_hide_is_seen() -> None:
    """A change inside the middle third, and of spread: on levels neither is above chance."""
    rng = np.random.default_rng(5)
    second = np.repeat([False, True], 400)
    inside = rng.uniform(-1, 1, 800)
    moved = second & (np.abs(inside) < 0.33)
    inside[moved] = np.where(inside[moved] > 0, 0.3, -0.3) + rng.normal(size=moved.sum()) * 0.01
    frame = pd.DataFrame(
        {"inside": inside, "spread": rng.normal(size=800) * (1 + 0.3 * second), "group": np.where(second, "b", "a")}
    )
    assert (alone(frame).p <= 0.002).all()
