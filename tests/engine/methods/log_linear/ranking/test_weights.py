"""Weights of counts: the tables against their formulas, and what is worked out without one."""

from __future__ import annotations

import numpy as np
import pytest

from engine.methods.log_linear import counts as weights


def plain_log_factorials(n: int) -> np.ndarray:
    """All logarithms at once, summed in the widest type."""
    found = np.zeros(n + 1)
    found[1:] = np.cumsum(np.log(np.arange(1, n + 1)), dtype=np.longdouble)
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 5, 170, 16_383, 16_384, 16_385, 40_000])
def test_tables_have_the_bits_of_the_formulas(n: int) -> None:
    """Piece by piece is the same as at once, at the edges of the pieces too."""
    assert weights.log_factorials(n).tolist() == plain_log_factorials(n).tolist()
    k = np.arange(n + 1)
    assert weights.entropy_terms(n).tolist() == (k * np.log(np.maximum(k, 1))).tolist()


def test_a_table_is_made_once() -> None:
    """Two tables with as many rows share it, and no two sizes do."""
    assert weights.shared_log_factorials(321) is weights.shared_log_factorials(321)
    assert weights.shared_entropy_terms(321) is not weights.shared_log_factorials(321)
    assert len(weights.shared_log_factorials(322)) == 323  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shared", "table"),
    [
        (weights.shared_log_factorials, weights.log_factorials),
        (weights.shared_entropy_terms, weights.entropy_terms),
    ],
)
def test_without_a_table_the_weights_are_the_same(shared, table, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """Single counts, arrays of any shape, and counts from the end, of a size that has no table."""
    monkeypatch.setattr(weights, "MOST_TABLED", 99)
    computed, known = shared(100), table(100)
    assert isinstance(computed, weights.Computed)
    counts = np.array([[0, 1, 2], [50, 99, 100]])
    assert computed[counts] == pytest.approx(known[counts], rel=1e-14)
    assert computed[counts].shape == (2, 3)
    assert [float(computed[k]) for k in (7, -1, -100)] == pytest.approx([known[7], known[-1], known[-100]], rel=1e-14)
