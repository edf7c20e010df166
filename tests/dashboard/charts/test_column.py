"""Pictures of one column: what they count is the rows that are used."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dashboard.charts.column import BARS, SMALL_BARS, distribution_alt, distribution_picture, interval_picture, outlines
from engine.data.dataset import Dataset
from engine.data.preparing.variables import make_variable


def dataset(numbers: list[float], words: list[str | None]) -> Dataset:
    table = pd.DataFrame({"x": numbers, "w": words})
    return Dataset.from_frame(table, kinds={"x": "continuous", "w": "nominal"}, bins=2)


@given(st.lists(st.tuples(st.integers(-50, 50), st.sampled_from(["a", "b", None])), min_size=12))
def test_a_histogram_counts_the_rows_that_are_used(rows: list[tuple[int, str | None]]) -> None:
    """Bars as NumPy counts them among the rows without a gap; so few or many of them, all rows are there."""
    rows += [(99, "a"), (-99, "b"), (99, "b"), (-99, "a")]
    data = dataset([float(x) for x, _ in rows], [w for _, w in rows])
    assert data.report is not None
    used = [x for x, w in rows if w is not None]
    figure = interval_picture(data.numbers["x"], data.report.column("x"))
    assert figure is not None
    assert list(figure.data[0].y) == np.histogram(used, bins=BARS)[0].tolist()
    bars = outlines(data)
    assert bars["x"] == np.histogram(used, bins=SMALL_BARS)[0].tolist()
    assert bars["w"] == [sum(w == level for _, w in rows) for level in data.levels["w"]]


def test_one_value_far_out_is_no_scale_of_a_small_picture() -> None:
    """The rows lie over the bars as they did without it; it is counted in the last one, and no row is lost."""
    column = [float(i % 40) for i in range(400)]
    for far, end in ((1e6, -1), (-1e6, 0)):
        without, bars = (outlines(dataset(some, ["a", "b"] * 200))["x"] for some in (column, [*column[:-1], far]))
        assert sum(bars) == 400
        assert bars[end] >= without[end]
        assert max(bars) <= max(without) + 1


def test_a_part_of_the_rows_has_its_own_range() -> None:
    """A value that no row of the part has does not stretch its histogram."""
    data = dataset([1.0, 2, 3, 4, 5, 1000] * 3, ["a", "b"] * 9)
    few = data.rows(np.flatnonzero(data.numbers["x"].column < 10))
    figure = interval_picture(few.numbers["x"], data.report.column("x"))  # type: ignore[union-attr]
    assert figure is not None
    assert max(figure.data[0].x) < 5


def test_a_column_without_a_kind() -> None:
    """Few values have a bar each, many numbers a histogram; each is told in words."""
    words = make_variable(pd.Series(["<b>", "y", "y", None]), "![n](x)")
    assert list(distribution_picture(words).data[0].x) == words.counts().tolist()
    assert "y 2" in distribution_alt(words)
    numbers = make_variable(pd.Series(np.arange(100) ** 2), "squares")
    assert sum(distribution_picture(numbers).data[0].y) == 100
    assert "from 0 to 9801" in distribution_alt(numbers)
