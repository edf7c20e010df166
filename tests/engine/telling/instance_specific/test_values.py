"""How rows are told by their values alone."""

from __future__ import annotations

from engine import Dataset
from engine.models.kinds import extreme_rows, value_kinds
from engine.telling.instance_specific.values import extremes_table, farthest_row, how_far, in_doubt, kinds_table
from tests.engine.models.test_kinds import table


def test_the_farthest_row_is_told_by_what_sets_it_apart() -> None:
    """By its name and its values as they are in the table; the distance stands beside the usual one."""
    data = Dataset.from_frame(table(0.0))
    found = extreme_rows(data)
    about = data, found, "row {}".format, {}
    assert farthest_row(*about) == "row 7 lies farthest from the other 299 patients: lactate = 40."
    assert how_far(*about).startswith(f"Distance {found.rows[0][1]:.1f}, where half of the patients have at most 1.")
    rows = extremes_table(*about)
    assert rows["patient"][0] == "row 7" and rows["what sets it apart most"][0].startswith("lactate = 40")


def test_a_number_in_doubt_is_not_the_headline() -> None:
    """The next row is named first, and what is asked of the farthest is said beside it and in its row."""
    data = Dataset.from_frame(table(0.0))
    found = extreme_rows(data)
    doubted = in_doubt(data, found, {"lactate": {40.0}, "gone": {1.0}})
    assert doubted == {7: ("lactate",)}
    about = data, found, "row {}".format, doubted
    first = found.rows[1]
    assert farthest_row(*about).startswith(
        f"row {first[0]} lies farthest from the other 299 patients without a number in doubt: "
    )
    assert how_far(*about).startswith(f"Distance {first[1]:.1f}, ")
    assert how_far(*about).endswith("Row 7 lies farther out: lactate = 40 may be an error; see the question on Data.")
    assert extremes_table(*about)["what sets it apart most"][0].startswith("lactate = 40 (may be an error)")


def test_kinds_are_told_by_medians_and_shares() -> None:
    """Those of the kind beside those of all others."""
    data = Dataset.from_frame(table(5.0))
    told = kinds_table(data, value_kinds(data))
    assert told["rows"].tolist() == [200, 100]
    assert "ward = icu in 100\u00a0% (others 0\u00a0%)" in told["what sets it apart"][1]
    inside = table(5.0)["ward"] == "icu"
    assert f"lactate median {table(5.0)['lactate'][inside].median():.4g}" in told["what sets it apart"][1]
