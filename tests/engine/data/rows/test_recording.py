"""Steps in which groups recorded a number: found, common, and never claimed for want of evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.rows.recording import Recording, recording_sentence, recording_steps, rounded


def normal(step: float, seed: int = 0, rows: int = 300, mean: float = 37, sd: float = 0.7) -> np.ndarray:
    """Numbers recorded in a step."""
    return rounded(np.random.default_rng(seed).normal(mean, sd, rows), step)


@given(st.sampled_from([1.0, 0.5, 0.1, 0.05, 0.01, 0.005, 0.001]), st.integers(0, 99), st.floats(5, 40))
def test_a_step_is_found_whatever_the_numbers(step: float, seed: int, sd: float) -> None:
    """12.3 is a multiple of .1; order, sign and a copy of the rows change nothing, nor does a slip in fifty."""
    values = normal(step, seed, sd=sd)
    assert recording_steps([values, values]) == Recording(0.0, (step, step))
    assert recording_steps([-values[::-1], np.tile(values, 2)]).own == (step, step)
    slips = values + (np.arange(300) % 50 == 0) * 0.0123456
    assert recording_steps([slips, values]).own == (step, step)
    assert recording_steps([normal(0, seed, sd=sd), values]) == Recording(step, (0.0, step))


def test_the_coarser_step_rounds_all() -> None:
    """Half degrees and tenths: both become half degrees, and it is said."""
    result = recording_steps([normal(0.1, 1), normal(0.5, 2)])
    assert result == Recording(0.5, (0.1, 0.5)) and result.differed
    sentence = recording_sentence(result, ["North", "South"], "°C")
    assert sentence == "South notes multiples of 0.5 °C; both groups were rounded to 0.5 °C."
    whole = recording_steps([normal(1, 1, sd=9), normal(1, 2, sd=9), normal(0.1, 3, sd=9)])
    said = recording_sentence(whole, ["A", "B", "C"], "years")
    assert said == "A and B note whole numbers; all groups were rounded to 1 years."


def test_heaps_at_tens_and_fives() -> None:
    """Half of a group's blood pressures end in 0, and none of the other's do more than chance has it."""
    plain, heaped = normal(1, 1, mean=130, sd=20), normal(1, 2, mean=130, sd=20)
    heaped[::2] = rounded(heaped[::2], 10)
    result = recording_steps([plain, heaped])
    assert result == Recording(10.0, (1.0, 10.0), heaped=True)
    assert recording_sentence(result, ["a", "b"]) == "b prefers multiples of 10; both groups were rounded to 10."
    assert not recording_steps([heaped, heaped[::-1]]).differed
    fives = normal(0.1, 3, mean=40, sd=3)
    fives[::2] = rounded(fives[::2], 0.5)
    assert recording_steps([fives, normal(0.1, 4, mean=40, sd=3)]).step == 0.5


@pytest.mark.parametrize(
    "groups",
    [
        [normal(0.1, 1, 19), normal(0.5, 2)],
        [np.full(300, 36.5), normal(0.1)],
        [np.array([]), normal(0.1)],
        [np.full(300, np.nan), normal(0.1)],
        [np.array([0.0, 1.0] * 90), normal(0.1)],
        [np.random.default_rng(1).poisson(3, 200), np.random.default_rng(2).poisson(0.3, 200)],
        [np.repeat([0.0, 1, 2, 3], [150, 30, 15, 5]), np.repeat([0.0, 1, 2, 3, 4], [40, 40, 40, 40, 40])],
        [np.where(np.arange(300) < 288, 0, normal(0.1)), np.where(np.arange(300) < 200, 0, normal(0.1))],
        [np.append(normal(1, sd=9), [1e300, -1e300, np.inf, -np.inf, np.nan]), normal(1, 3, sd=9)],
        [np.random.default_rng(1).normal(0, 1, 99) * 1e300, np.random.default_rng(2).normal(0, 1, 99) * 1e300],
        [normal(0, 1), normal(0, 2)],
    ],
)
def test_no_claim_without_evidence(groups: list[np.ndarray]) -> None:
    """Few values, constants, two values, counts with many zeros, gaps, endless numbers."""
    result = recording_steps(groups)
    assert not result.differed and recording_sentence(result, ["a", "b"]) == ""


def test_counts_of_any_mean_are_not_said_to_be_heaped() -> None:
    """Poisson and geometric counts of groups that differ: no preference in 400 pairs."""
    generator = np.random.default_rng(8)
    for mean in (0.5, 2, 5, 10, 40):
        for _ in range(40):
            pair = [generator.poisson(mean, 40).astype(float), generator.poisson(1.5 * mean, 200).astype(float)]
            assert not recording_steps(pair).differed
            pair = [generator.geometric(1 / (1 + mean), 40) - 1.0, generator.geometric(1 / (2 + mean), 200) - 1.0]
            assert not recording_steps(pair).differed


@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1), st.sampled_from([0, 0.1, 0.5, 0.25, 1, 10])
)
def test_rounding_twice_is_rounding_once(values: list[float], step: float) -> None:
    """Every number is a multiple afterwards, and written as one; what is no number stays."""
    once = rounded(np.array(values), step)
    np.testing.assert_array_equal(rounded(once, step), once)
    assert (np.isfinite(once) == np.isfinite(values)).all()
    assert rounded(np.array([12.34, 0.25, -3.26]), 0.1).tolist() == [12.3, 0.2, -3.3]
