"""The generators do what they say: odds ratios, margins and partial correlations are those that were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.calibration.links import generators as draw


def test_a_log_linear_table_has_its_odds_ratios_and_margins() -> None:
    generator = np.random.default_rng(0)
    pairs = draw.random_pairs(6, 6, generator)
    values = draw.signs(6, generator) * generator.uniform(0.4, 1.4, 6)
    prevalence = generator.uniform(0.1, 0.9, 6)
    shares = draw.joint(draw.coefficients(6, pairs, values), prevalence)
    assert shares @ draw.states(6) == pytest.approx(prevalence)
    for (u, v), value in zip(pairs, values, strict=True):
        others = ~np.isin(np.arange(6), [u, v])
        assert draw.common_log_odds(shares, u, v, others) == pytest.approx(value)


def test_a_two_by_two_table_has_its_odds_ratio_and_margins() -> None:
    shares = draw.two_by_two(0.3, 0.15, 1.2)
    assert shares.sum(axis=1)[1] == pytest.approx(0.3)
    assert shares.sum(axis=0)[1] == pytest.approx(0.15)
    assert np.log(shares[0, 0] * shares[1, 1] / shares[0, 1] / shares[1, 0]) == pytest.approx(1.2)


def test_correlations_have_their_partial_correlations_and_a_leaf_moves_no_other() -> None:
    pairs, values = [(0, 1), (1, 2), (2, 3)], np.array([0.3, -0.2, 0.4])
    correlation = draw.from_partial(4, pairs, values)
    assert draw.partial_correlations(correlation)[[0, 1, 2], [1, 2, 3]] == pytest.approx(values)
    both = [draw.partial_correlations(draw.with_leaf(correlation, 1, r)) for r in (0.5, -0.5)]
    assert both[0][:4, :4] == pytest.approx(both[1][:4, :4])
    assert both[0][1, 4] == pytest.approx(-both[1][1, 4])


def test_cut_normal_values_have_their_log_odds_ratio() -> None:
    assert draw.cut_log_odds(0.41, 0.0, 0.0) == pytest.approx(np.log(3), abs=0.01)
    codes = draw.cut(draw.hidden(draw.neighbours(2, 0.5), 400_000, np.random.default_rng(1)), np.array([[0.3], [-0.2]]))
    table = np.bincount(codes[0] * 2 + codes[1], minlength=4)
    found = np.log(table[0] * table[3] / table[1] / table[2])
    assert found == pytest.approx(draw.cut_log_odds(0.5, 0.3, -0.2), abs=0.03)


def test_a_table_of_subjects_has_its_correlation_within_subjects() -> None:
    generator = np.random.default_rng(2)
    subject = np.repeat(np.arange(20_000), 2)
    values = draw.of_subjects(np.eye(2), np.eye(2), 0.38, subject, generator)
    binary = (values[0] > 0).reshape(-1, 2)
    assert np.corrcoef(binary.T)[0, 1] == pytest.approx(0.25, abs=0.02)
