"""Products of planes, counted with other planes, against rows looked at one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.counting import backend
from engine.counting.products import block, product_counts


@pytest.fixture(params=["compiled", "numpy"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the compiled kernels and again with NumPy's counts."""
    monkeypatch.setattr(backend, "_REPAYS", {"compiled": 0.0, "numpy": np.inf}[request.param])
    return request.param


def table(rows: int, arity: list[int], seed: int) -> engine.Dataset:
    """Random codes."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, r, rows) for r in arity])
    return engine.Dataset.from_codes(codes, arity, [f"v{i}" for i in range(len(arity))])


def by_rows(data: engine.Dataset, one: np.ndarray, two: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The same from indicators of levels."""
    shown = [data.codes[x] == level for x, r in enumerate(data.arity) for level in range(r - 1)]
    bits = np.array(shown, dtype=np.int64).reshape(len(shown), data.n_rows)
    return np.asarray((bits[one] * bits[two]) @ bits[others].T)


@settings(max_examples=40)
@given(
    st.sampled_from([1, 64, 65, 700, 64 * 300 + 5]),
    st.lists(st.integers(1, 4), min_size=2, max_size=7).filter(lambda arity: max(arity) > 1),
    st.integers(0, 1000),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_products_equal_the_rows(rows: int, arity: list[int], seed: int, many: int, others: int) -> None:
    """Any products, planes with themselves among them, and any other planes, none as well."""
    data = table(rows, arity, seed)
    rng = np.random.default_rng(seed)
    one, two, rest = (rng.integers(0, len(data.planes.words), size) for size in (many, many, others))
    found = product_counts(data, one, two, rest)
    assert found.tolist() == by_rows(data, one, two, rest).tolist()


@pytest.mark.parametrize("together", [1, 2, 256])
@pytest.mark.parametrize("scratch", [1, 1 << 20])
def test_how_much_is_laid_out_at_a_time_does_not_show(
    either: str, together: int, scratch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More products than are laid out at a time, more words than that, and a rest."""
    monkeypatch.setattr(block, "_TOGETHER", together)
    monkeypatch.setattr(block, "_SCRATCH", scratch)
    data = table(64 * 600 + 1, [3, 2, 4], 1)
    one, two, rest = np.array([0, 1, 5, 2, 2]), np.array([2, 2, 0, 1, 2]), np.array([5, 0, 3])
    assert product_counts(data, one, two, rest).tolist() == by_rows(data, one, two, rest).tolist()


def test_variables_chosen_from_a_larger_table(either: str) -> None:
    """Planes are numbered by the variables of the data set at hand, whatever stands between them in memory."""
    data = table(200, [2, 3, 2, 4], 2).select(["v3", "v1"])
    one, two, rest = np.array([0, 2, 4]), np.array([3, 1, 4]), np.arange(5)
    assert product_counts(data, one, two, rest).tolist() == by_rows(data, one, two, rest).tolist()
