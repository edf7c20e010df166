"""The chart of a table: rows in their order, estimates where they belong, and marks that a verdict decides."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from engine.project.report.intervals import LEFT, MOST_ROWS, RIGHT, intervals_figure
from engine.telling.tables import TableDescription, described
from tests.engine.project.report.answers import answer

ABOUT = TableDescription(
    "",
    described(text="name; where", verdict="word", signed="size: size (95 %); low; high"),
    keys=("name",),
    ends={"size": ("low", "high")},
    chart="size",
    place="where",
    differing=("differs",),
)


def made_up(number: int, word: str = "cannot tell") -> pd.DataFrame:
    """Rows with estimates from 0.1 up, and one without."""
    size = np.arange(1, number + 1) / 10
    rows = pd.DataFrame({"name": [f"v{i}" for i in range(number)], "where": "<b>", "word": word, "size": size})
    rows = rows.assign(low=size - 0.05, high=size + 0.05)
    return pd.concat([rows, pd.DataFrame([{"name": "unknown", "where": "", "word": word}])], ignore_index=True)


def test_rows_in_their_order_and_where_they_belong() -> None:
    """A value's place is linear in the value; what has no estimate is left out; names are text."""
    drawn = str(intervals_figure(made_up(4), ABOUT, "Figure 1"))
    xs = [float(x) for x in re.findall(r"<circle cx='([\d.]+)'", drawn)]
    assert len(xs) == 4
    assert np.allclose(np.diff(xs), np.diff(xs)[0], atol=0.11)
    assert min(xs) > LEFT
    assert max(xs) < RIGHT
    assert "unknown" not in drawn
    assert "<b><" not in drawn
    assert "&lt;b&gt;" in drawn
    ends = [(float(a), float(b)) for a, b in re.findall(r"<line x1='([\d.]+)' y1='([\d.]+)' x2=", drawn)]
    assert ends
    assert re.findall(r"end' fill='#\w+'>([^<]+)<", drawn)[0] == "+0.10 (+0.05 to +0.15)"


def test_the_level_of_an_estimate_stands_beside_its_name() -> None:
    """As in "sleep = fair", and in the table of the report too."""
    about, rows = replace(ABOUT, level="level"), made_up(2).assign(level=["fair", "<i>", ""])
    drawn = str(intervals_figure(rows, about, ""))
    assert "v0 = fair" in drawn and "v1 = &lt;i&gt;" in drawn
    result = answer("group_difference")
    described = result.table_description("Variables")
    assert described.level == "level" and "level" not in described.left_out


def test_a_long_name_takes_two_lines_and_its_row_the_room_of_them() -> None:
    """Nothing is left out of it; the rows below begin where it ends."""
    rows = made_up(3)
    rows.loc[1, "name"] = "Walking outdoors without help – Spirometry, pattern read by a physician"
    drawn = str(intervals_figure(rows, ABOUT, ""))
    texts = re.findall(r"<text x='0' y='([\d.]+)'[^>]*>([^<]+)</text>", drawn)
    assert [text for _, text in texts if text[0] in "WS"] == [
        "Walking outdoors without help – Spirometry,",
    ]
    assert "pattern read by a physician" in drawn and "…" not in drawn
    heights = [float(height) for height, _ in texts]
    assert heights == sorted(heights)
    assert min(np.diff(heights)) >= 12


def test_the_verdict_decides_the_mark() -> None:
    """Orange and a triangle only for a difference; hollow for all else, even where the interval is without 0."""
    assert "#DD8432" not in str(intervals_figure(made_up(3), ABOUT, ""))
    differs = str(intervals_figure(made_up(3, "differs"), ABOUT, ""))
    assert differs.count("#DD8432") == differs.count("▲") == 3
    assert "<circle" not in differs


def test_what_no_share_shows_stands_in_words() -> None:
    """What differs in its spread has no place on the axis, but both groups beside its name."""
    rows = made_up(2, "differs")
    rows.loc[2, ["word", "first", "second"]] = ["differs in spread", "6 [5, 7]", "6 [4, 8]"]
    drawn = str(intervals_figure(rows, ABOUT, ""))
    assert "▲ unknown" in drawn and "differs in spread: 6 [4, 8] v 6 [5, 7]" in drawn
    assert drawn.count("<path") == 2 and "nan" not in drawn


def test_a_long_table_is_cut_and_a_short_one_is_not_drawn() -> None:
    """What is cut is counted."""
    long = str(intervals_figure(made_up(MOST_ROWS + 3), ABOUT, ""))
    assert long.count("<circle") == MOST_ROWS
    assert "4 more rows in the table." in long
    assert intervals_figure(made_up(1), ABOUT, "") == ""
    assert intervals_figure(made_up(5), TableDescription(), "") == ""


def test_numbers_are_drawn_too_and_that_is_said() -> None:
    """By the range whose share differs most, since the table has them in their unit; one without an estimate is not."""
    about, rows = replace(ABOUT, instead={"unit": "size"}), made_up(4).assign(unit=[1.0, 2.0, np.nan, np.nan, np.nan])
    drawn = str(intervals_figure(rows, about, "", where="the report"))
    assert [name for name in rows["name"] if f">{name}<" in drawn] == ["v0", "v1", "v2", "v3"]
    assert "Of a number the range whose share differs most. 1 more row in the report." in drawn
    assert "Of a number" not in str(intervals_figure(rows[2:], about, ""))


def test_a_groups_chart_is_of_the_rows_that_its_sentence_is_of() -> None:
    """Every number in the chart is one of the table's: of the context that is told, of all rows where none is."""
    result = answer("group_difference")
    rows, about = result.table("Variables"), result.table_description("Variables")
    inside = rows["variable"].isin(about.inside)
    told = [" where " in str(text) for text in rows["what"]]
    assert inside.tolist() == told and 0 < inside.sum() < len(rows)
    drawn = str(intervals_figure(rows, about, ""))
    assert drawn.count("▲") == int((rows["verdict"] == "differs").head(MOST_ROWS).sum())
    shown = re.findall(r"end' fill='#\w+'>([^<]+) \(", drawn)
    every = rows["where_effect"].where(inside, rows["effect_alone"]).head(MOST_ROWS)
    assert shown == [f"{100 * value:+.0f}".replace("-", "−") for value in every]
    assert re.findall(r"x='0'[^>]* font-size='11'[^>]*>([^<]+)<", drawn) == rows["where"][inside].tolist()


def test_ticks_are_few_whatever_the_size() -> None:
    """Bits of a table of 10^8 rows; what is infinite is left out."""
    for size in (0.003, 1.0, 7.3e8):
        rows = made_up(4)
        rows[["size", "low", "high"]] *= size
        drawn = str(intervals_figure(rows, ABOUT, ""))
        assert 2 <= drawn.count("text-anchor='middle'") <= 6
        assert drawn.count("<circle") == 4
    rows.loc[0, "high"] = np.inf
    assert str(intervals_figure(rows, ABOUT, "")).count("<circle") == 3
