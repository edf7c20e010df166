"""What one asks of a stored run: against reading its tables line by line."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from engine.evaluation.studies.reading import extremes, farthest, largest, of_cell, printed_share, repeats, scores_of
from engine.measures.comparing import compare
from engine.measures.curves import auc


def block() -> pd.DataFrame:
    """Three repeats of twelve variables; the second has no case."""
    rng = np.random.default_rng(1)
    truth = np.tile([True, False, False], 12)
    truth[12:24] = False
    return pd.DataFrame(
        {"repeat": np.repeat([0, 1, 2], 12), "truth": truth, "one": rng.normal(size=36), "two": rng.normal(size=36)}
    )


def test_a_line_a_repeat_that_has_a_curve() -> None:
    """Counted from 1; areas and p as the measures give them."""
    table = repeats(block(), ["one", "two"], "changed", "unchanged")
    assert table["repeat"].tolist() == [1, 3]
    assert table[["changed", "unchanged"]].to_numpy().tolist() == [[4, 8], [4, 8]]
    for line in table.to_dict("records"):
        here = scores_of(block(), int(line["repeat"]))
        assert set(here["repeat"]) == {line["repeat"] - 1}
        assert line["AUC, two"] == auc(here["two"], here["truth"]).value
        assert line["DeLong p"] == compare(here["one"], here["two"], here["truth"]).p
    assert "DeLong p" not in repeats(block(), ["one"], "changed", "unchanged")


def test_cells_are_measured_by_their_numbers() -> None:
    """The largest size in any column, the farthest difference, the share that is printed, the range of runs."""
    nan = math.nan
    cells = pd.DataFrame(
        {"printed": [1.0, nan, -7.0, 2.0], "ours": [1.5, 3.0, nan, 1.0], "difference": [0.5, nan, nan, -1]}
    )
    assert largest(cells, ["printed", "ours"]) == 7.0
    assert largest(cells, ["difference"]) == 1.0
    assert math.isnan(largest(cells.iloc[1:2], ["difference"]))
    assert farthest(cells) == 3
    assert farthest(cells.iloc[1:3]) == 1
    assert printed_share(cells) == 0.75
    assert extremes(pd.DataFrame({"value": [3.0, -1.0, 2.0]})) == (-1.0, 3.0)


def test_lines_of_a_cell_share_its_keys_also_missing_ones() -> None:
    """Numbers by value whatever their type, texts as they are, none with none; line by line."""
    table = pd.DataFrame({"rows": [50, 50, 100, 50], "kappa": [0.1, math.nan, 0.1, 0.1], "search": list("aaab")})
    cells = table.astype(object)
    for _, cell in cells.iterrows():
        expected = [
            i
            for i, line in enumerate(table.itertuples(index=False))
            if line.rows == cell["rows"]
            and (line.kappa == cell["kappa"] or (line.kappa != line.kappa and cell["kappa"] != cell["kappa"]))
        ]
        assert list(of_cell(table, cell, ["rows", "kappa"]).index) == expected
