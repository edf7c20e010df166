"""A small fixed-seed part of the calibration study for one patient: it may not get worse."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.calibration.methods import instance_specific as study


def test_reliability_counts_true_links_by_bin() -> None:
    """A bin's `true` is the share of its links that the network has."""
    rows = study.reliability(2, seed=3, runs=5)
    table = study.bins(rows)
    assert table["links"].sum() == len(rows)
    last = rows[rows["probability"] >= 0.95]
    assert table["true"].iloc[-1] == pytest.approx(last["true"].mean(), nan_ok=True)


def test_links_that_all_have_are_told_and_sums_are_not() -> None:
    """Two tables of 20 against 70 points, eight without interaction: nearly all told, hardly any falsely."""
    kept = [study._kept(20, 70, np.random.default_rng([1, t]))[study.KEPT] for t in range(2)]
    assert sum(hits for hits, _ in kept) >= 0.9 * sum(of for _, of in kept) > 0
    falsely = [study._added_up(6, 500, np.random.default_rng([2, t]))[study.FALSELY][0] for t in range(8)]
    assert sum(falsely) <= 1


def test_effects_add_up_on_the_log_odds() -> None:
    """What a parent moves is the same whatever the other parents are."""
    network = study.additive(8, np.random.default_rng(3))
    assert max(map(len, network.parents)) >= 2
    for family, table in zip(network.parents, network.tables, strict=True):
        logit = np.log(table[:, 1] / table[:, 0]).reshape((2,) * len(family))
        for axis in range(len(family)):
            moved = np.diff(logit, axis=axis)
            assert moved == pytest.approx(np.full(moved.shape, moved.flat[0]))
