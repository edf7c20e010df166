"""How rows are told by their values alone."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from engine import Dataset
from engine.models.kinds import extreme_rows, value_kinds
from engine.telling.instance_specific.values import (
    distance_names,
    extremes_table,
    farthest_row,
    how_far,
    in_doubt,
    kinds_table,
    kinds_words,
)
from engine.words import fraction
from tests.engine.models.test_kinds import table


def test_the_farthest_row_is_told_by_what_sets_it_apart() -> None:
    """By its name and its values as they are in the table; the distance stands beside the usual one."""
    data = Dataset.from_frame(table(0.0))
    found = extreme_rows(data)
    about = data, found, "row {}".format, {}
    assert farthest_row(*about) == "Row 7 lies farthest from the other 299 patients: lactate 40 (highest)."
    usual = farthest_row(data, replace(found, chance=(1.0, 99.0)), "row {}".format, {})
    assert usual == "None of the 300 patients lies farther out than the farthest would by chance."
    said, (low, high) = how_far(data, found, {}), found.chance
    far, middle = found.rows[0][1], found.middle
    distances = f"{far:.1f} for the farthest, {found.rows[1][1]:.1f} for the next, at most {middle:.1f} for half of"
    assert distances in said
    assert said.startswith("Overall distance of 2 variables (Mahalanobis): ") and "not severity" in said
    assert distance_names(found) == "The distance is of lactate and pulse.", "ward has no order"
    beyond = sum(far > high for _, far, _ in found.rows)
    assert 0 < beyond < len(found.rows), "of some it is told"
    lie = "lies" if beyond == 1 else "lie"
    assert f"{low:.1f} to {high:.1f} (95 %); {beyond} of the 10 farthest {lie} beyond. " in said
    skewed = how_far(data, replace(found, skewed=("CRP", "lactate", "pulse")), {})
    assert ". CRP, lactate, pulse are skewed, so that some rows lie far out without an error. " in skewed
    apart = "error. The farthest lies apart even so. "
    assert (apart in skewed) == (far >= 1.5 * found.rows[1][1])
    near = replace(found, skewed=("CRP",), rows=((7, 1.4 * found.rows[1][1], ("lactate",)), *found.rows[1:]))
    assert "even so" not in how_far(data, near, {})
    just = replace(found, chance=(1.0, far / 1.05))
    assert "1 of the 10 farthest lies just beyond. " in how_far(data, just, {})
    assert "299 patients, just beyond chance: " in farthest_row(data, just, "row {}".format, {})
    marked = extremes_table(data, just, "row {}".format, {})["overall distance"]
    assert marked[0] == f"▲ {far:.1f}" and not marked[1:].str.contains("▲").any()
    fewer = data.rows(np.arange(225))
    assert "Not ranked" not in said and "Not ranked: 75 rows with gaps or left out. " in how_far(fewer, found, {})
    assert all(len(sentence.split()) <= 25 for sentence in said.split(". "))
    visits = Dataset.from_frame(table(0.0).assign(who=lambda frame: frame.index // 3), roles={"who": "subject"})
    assert "farthest from the other 299 rows: " in farthest_row(visits, extreme_rows(visits), "row {}".format, {})
    rows = extremes_table(*about)
    assert rows["distance if those were typical"][0] == f"{found.without[0]:.1f}"
    assert rows["patient"][0] == "row 7" and rows["what sets it apart most"][0].startswith("lactate 40 (highest)")
    [second] = [row for row in rows["what sets it apart most"] if "higher than in" in row][:1]
    value, share = re.match(r"lactate (\S+) \(higher than in (\S+)\u00a0%\)", second).groups()
    assert float(share) == pytest.approx(100 * (table(0.0)["lactate"] < float(value)).mean(), abs=0.5)


def test_a_row_far_out_by_many_values_is_not_told_by_a_few() -> None:
    """Where it still lies far without those named, or none stands out by itself, the others are spoken of."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(300, 12)), columns=[f"x{i}" for i in range(12)]).round(2)
    frame.loc[5], frame.loc[9] = 1.7, 1.7
    frame.loc[9, "x0"] = 4.0
    data = Dataset.from_frame(frame)
    found = extreme_rows(data)
    said = dict(extremes_table(data, found, "row {}".format, {}).iloc[:, :2].to_numpy())
    assert said["row 5"] == "many values together, none by itself"
    assert said["row 9"] == "x0 4 (highest); more values together"
    assert farthest_row(data, found, "row {}".format, {}).endswith(": x0 4 (highest); more values together.")


def test_where_no_value_is_rare_the_combination_is_told() -> None:
    """By high and low, in headline and table; a value that is rare by itself is told as before."""
    first = np.random.default_rng(6).normal(size=400)
    frame = pd.DataFrame({"left": first, "right": first + 0.05 * np.random.default_rng(7).normal(size=400)}).round(3)
    frame.loc[11] = [1.3, -1.3]
    data = Dataset.from_frame(frame)
    found = extreme_rows(data)
    said = farthest_row(data, found, "row {}".format, {})
    assert re.search(
        r"399 patients: an unusual combination of "
        r"(left high \(1.3\) with right low \(−1.3\)|right low \(−1.3\) with left high \(1.3\))",
        said,
    )
    assert extremes_table(data, found, "row {}".format, {}).iloc[0, 1] in said
    frame.loc[11] = [9.0, -1.3]
    rare = Dataset.from_frame(frame)
    assert "combination" not in farthest_row(rare, extreme_rows(rare), "row {}".format, {})


def test_a_number_in_doubt_is_called_so_beside_the_next_patient() -> None:
    """The headline has the first row of the table, and the farthest without doubt; the line below counts the rest."""
    data = Dataset.from_frame(table(0.0))
    found = extreme_rows(data)
    doubted = in_doubt(data, found, {"lactate": {40.0}, "gone": {1.0}})
    assert doubted == {7: ("lactate",)}
    about = data, found, "row {}".format, doubted
    assert farthest_row(*about).startswith(
        "Row 7 lies farthest from the other 299 patients: lactate 40 (highest; may be an error). Without such doubt: "
        f"row {found.rows[1][0]}, {found.rows[1][2][0]} "
    )
    in_error = "In 1 of the 10 most extreme rows a number may be an error: see the questions on"
    assert in_error in how_far(data, found, doubted)
    assert extremes_table(*about)["what sets it apart most"][0].startswith("lactate 40 (highest; may be an error)")


def test_kinds_are_told_by_medians_and_shares() -> None:
    """Those of the kind beside those of all others."""
    data = Dataset.from_frame(table(5.0))
    told = kinds_table(data, value_kinds(data))
    assert told["rows"].tolist() == [200, 100]
    assert "ward = icu in 100\u00a0% (others 0\u00a0%)" in told["what sets it apart"][1]
    inside = table(5.0)["ward"] == "icu"
    assert f"lactate median {table(5.0)['lactate'][inside].median():.4g}" in told["what sets it apart"][1]


def test_how_separate_kinds_are_is_said() -> None:
    """By the average silhouette; one cloud has none, however its halves are called."""
    some, none = (value_kinds(Dataset.from_frame(table(shift).drop(7))) for shift in (5.0, 0.0))
    assert kinds_words(some).startswith(f"2 kinds; average silhouette {fraction(some.silhouette)} (1: far apart")
    assert kinds_words(none).startswith("No separate kinds of patients are seen: ")
