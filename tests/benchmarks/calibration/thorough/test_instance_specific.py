"""A small fixed-seed part of the calibration study for one patient: it may not get worse."""

from __future__ import annotations

from benchmarks.calibration.methods import instance_specific as study


def test_intervals_cover_and_verdicts_are_right() -> None:
    """16 tables: at least 92 % of the true shifts inside, and none over the margin that is said not to matter."""
    rows = study.verdicts(16, seed=1)
    assert len(rows) > 100
    assert rows["covered"].mean() >= 0.92
    said = rows[rows["word"] == "no longer matters"]
    assert len(said)
    assert not said["wrong"].any()


def test_a_run_can_be_taken_up_again() -> None:
    """Table 3 is the same whether the run began with table 0 or with table 3."""
    whole = study.told_without_context(4, seed=2)
    rest = study.told_without_context(1, seed=2, first=3)
    assert whole[whole["table"] == 3].reset_index(drop=True).equals(rest)
