"""How rows are told by their values alone."""

from __future__ import annotations

from engine import Dataset
from engine.models.kinds import extreme_rows, value_kinds
from engine.telling.instance_specific.values import extremes_table, farthest_row, how_far, kinds_table
from tests.engine.models.test_kinds import table


def test_the_farthest_row_is_told_by_what_sets_it_apart() -> None:
    """By its name and its values as they are in the table; the distance stands beside the usual one."""
    data = Dataset.from_frame(table(0.0))
    found = extreme_rows(data)
    assert (
        farthest_row(data, found, "row {}".format) == "row 7 lies farthest from the other 299 patients: lactate = 40."
    )
    assert how_far(found).startswith(f"Distance {found.rows[0][1]:.1f}, where half of the patients have at most 1.")
    rows = extremes_table(data, found, "row {}".format)
    assert rows["patient"][0] == "row 7" and rows["what sets it apart most"][0].startswith("lactate = 40")


def test_kinds_are_told_by_medians_and_shares() -> None:
    """Those of the kind beside those of all others."""
    data = Dataset.from_frame(table(5.0))
    told = kinds_table(data, value_kinds(data))
    assert told["rows"].tolist() == [200, 100]
    assert "ward = icu in 100\u00a0% (others 0\u00a0%)" in told["what sets it apart"][1]
    inside = table(5.0)["ward"] == "icu"
    assert f"lactate median {table(5.0)['lactate'][inside].median():.4g}" in told["what sets it apart"][1]
