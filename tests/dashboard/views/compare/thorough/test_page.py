"""The page that compares: its first screen, groups of a column, other methods, shuffles, and a kept comparison."""

from __future__ import annotations

from dashboard.session.comparing import BATCH, Comparisons
from tests.dashboard.views.compare.test_page import page, said, session_with


def test_shuffles_come_in_batches_and_stay_when_stopped() -> None:
    """None by itself; asked for, what two random parts share is said, and a second batch adds to it."""
    held = session_with()
    at = page(held)
    kept = held.state(Comparisons)
    (key,) = kept.shuffling
    assert kept.shuffling[key].job is None and kept.results[key].shuffles is None
    kept.shuffling[key].want(BATCH)
    at.run()
    for expected in (BATCH, 2 * BATCH):
        job = kept.shuffling[key].job
        assert job is not None and job.wait(120) and job.error is None
        at.run()
        assert not at.exception
        found = kept.results[key]
        assert found.shuffles is not None and found.shuffles.many == expected
        assert f"Learned again in {expected} shuffles" in said(at)
        assert "two random parts of these sizes share" in said(at)
        if expected == BATCH:
            kept.shuffling[key].want(BATCH)
            at.run()
    kept.shuffling[key].want(BATCH)
    at.run()
    job = kept.shuffling[key].job
    assert job is not None
    job.cancel()
    job.wait(20)
    at.run()
    assert kept.results[key].shuffles.many == 2 * BATCH  # type: ignore[union-attr]
