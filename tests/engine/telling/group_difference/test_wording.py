"""Sentences with a threshold: when they come and when they do not."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.telling.group_difference.figures import figure_makers


def compared(levels: int, rows: int, apart: bool = False):  # type: ignore[no-untyped-def]
    """Two groups of rows and one variable of many levels (or one that tells the groups apart) beside a dull one."""
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1], rows)
    many = np.arange(2 * rows) % levels
    if apart:
        many = 2 * rng.integers(0, levels // 2, 2 * rows) + group
    codes = np.array([group, many, rng.integers(0, 2, 2 * rows)])
    data = engine.Dataset.from_codes(codes, [2, levels, 2], ["group", "many", "dull"])
    return engine.GroupDifference(group="group").run(data)


@pytest.mark.parametrize(
    ("levels", "rows", "said"),
    [
        (20, 100, False),
        (21, 100, True),
        (20, 51, False),
        (20, 50, False),
        (20, 49, True),
        (4, 10, False),
        (5, 10, True),
    ],
)
def test_many_levels_are_warned_of(levels: int, rows: int, said: bool) -> None:
    """More than twenty, or more than a fifth of the rows (and than two)."""
    notes = " ".join(compared(levels, rows).notes())
    assert ("many: many levels" in notes) == said


@pytest.mark.parametrize(("apart", "levels"), [(True, 2), (True, 4), (False, 4)])
def test_the_group_under_another_name_is_warned_of(apart: bool, levels: int) -> None:
    """No value occurs in both groups."""
    notes = " ".join(compared(levels, 40, apart).notes())
    assert ("no value occurs in both groups" in notes) == apart


def test_tables_of_all_variables_stand_one_below_the_other() -> None:
    """Rows numbered through, likeliest parents and both alignments, each part as its variable's own table."""
    result = compared(3, 60)
    for title, make in (("Contexts", result.contexts), ("Distributions", result.distributions)):
        table = result.table(title)
        assert table.index.tolist() == list(range(len(table)))
        assert list(table.columns[:2]) == ["variable", "alignment"]
        for (name, alignment), part in table.groupby(["variable", "alignment"], sort=False):
            own = make(name, None if alignment == "likeliest" else alignment)
            assert len(part) == len(own)
        assert set(table["alignment"]) == {"likeliest", "published", "common"}
    settings = result.table("Settings")
    assert "group" in settings.to_string()
    assert result.fingerprint in settings.to_string()


@pytest.mark.parametrize(
    ("labels", "order"),
    [(["North", "South"], "South − North"), (["0", "1"], "site 1 − site 0")],
    ids=["words", "numbers"],
)
def test_every_difference_says_which_group_is_subtracted_from_which(labels: list[str], order: str) -> None:
    """In the sentences, above the columns of the report and below its chart, and so it is computed."""
    rng = np.random.default_rng(4)
    site = np.repeat([0, 1], 300)
    ill = (rng.random(600) < np.where(site == 1, 0.6, 0.2)).astype(int)
    data = engine.Dataset.from_codes(
        np.array([site, ill, rng.integers(0, 2, 600)]), [labels, ["no", "yes"], 2], ["site", "ill", "dull"]
    )
    result = engine.GroupDifference(group="site").run(data)
    row = result.variables().loc["ill"]
    sign = 1 if row["level"] == "yes" else -1
    assert row["effect_alone"] == pytest.approx(sign * (ill[300:].mean() - ill[:300].mean()))
    columns = result.table_description("Variables").columns
    places = [
        " ".join(result.explain("ill")),
        *(columns[name].header for name in ("effect", "where_effect", "effect_alone")),
        str(figure_makers(result)["ranking"]().layout.xaxis.title.text),
        str(engine.report([result])),
    ]
    assert all(order in text.replace("\u00a0", " ") for text in places)
