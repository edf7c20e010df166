"""Which variables differ, as bars, boxes and words: two outcomes that must not be confused look different."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import engine
from dashboard.charts.contexts import contexts_figure
from dashboard.charts.differences import (
    LOOKS,
    SORTS,
    alt_text,
    differences_figure,
    in_order,
    odds_display,
    outcome,
    outcome_words,
    variables_display,
)
from dashboard.views.group_difference.networks import CHOICES, chosen_panels, difference_panel
from tests.engine.make import two_groups


@pytest.fixture(scope="module")
def result() -> Any:
    """A comparison with variables that differ and others that do not."""
    found = engine.GroupDifference(group="group").run(two_groups(400, 6, 9, seed=3, changed=True))
    assert {"differs", "cannot tell"} <= set(found.variables()["verdict"])
    return found


ROWS = [
    ({"verdict": "differs", "class": "differs"}, "differs", "differs"),
    ({"verdict": "alike", "class": "no difference seen"}, "alike", "alike within 10 points"),
    ({"verdict": "alike", "class": "differs, explained by x"}, "differs, explained by ", "differs, explained by x"),
    ({"verdict": "differs", "class": "differs only within x = 1"}, "differs only within ", "differs only within x = 1"),
    ({"verdict": "cannot tell", "class": "no difference seen"}, "cannot tell", "cannot tell (1,200 rows a group)"),
    ({"verdict": "cannot tell", "class": "networks disagree"}, "networks disagree", "networks disagree"),
    ({"verdict": "one level", "class": "one level"}, "one level", "one level"),
]


@pytest.mark.parametrize(("row", "kind", "words"), ROWS)
def test_every_outcome_has_a_look_and_words_of_its_own(row: dict[str, str], kind: str, words: str) -> None:
    """What is explained, within a context, alike or unknown is never told as another."""
    told = pd.Series(row | {"rows_needed": 1200.0})
    assert outcome(told) == kind
    assert outcome_words(told, 0.1) == words


def test_no_two_looks_are_alike() -> None:
    """Colour and pattern together, and the sign in a box; nothing seen and alike differ in all."""
    looks = list(LOOKS.values())
    assert len({(one.colour, one.pattern) for one in looks}) == len(looks)
    assert LOOKS["alike"].sign != LOOKS["cannot tell"].sign
    assert LOOKS["alike"].colour != LOOKS["cannot tell"].colour


def test_bars_dots_and_bands_hold_the_numbers(result: Any) -> None:
    """A bar of each variable's Bayes factor, a dot on its own, filled where chance is small, a band of the shuffles."""
    found = result.variables()
    figure = differences_figure(found, 0.1, 0.05, picked=str(found.index[1]))
    band, *bars = [one for one in figure.data if one.type == "bar"]
    tops = [x + band.base for x in band.x]
    cap = max(figure.layout.xaxis.range) / 1.36
    assert tops == pytest.approx([min(one, cap) for one in found["log10_bf_shuffled"]])
    drawn = {row: x for one in bars for row, x in zip(one.customdata, one.x, strict=True)}
    assert sorted(drawn) == list(range(len(found)))
    for i, value in enumerate(found["log10_bf_beyond"]):
        assert drawn[i] == pytest.approx(max(-cap, min(cap, value)))
    dots = next(one for one in figure.data if one.name == "on its own")
    seen = (found["chance_alone"] <= 0.05) & (found["log10_bf_alone"] > 0)
    assert [colour != "#FFFFFF" for colour in dots.marker.color] == list(seen)
    outlined = [width for one in bars for width in one.marker.line.width]
    assert outlined.count(2.5) == 1
    for label, name in zip(figure.layout.yaxis.ticktext, found.index, strict=True):
        assert name in label and outcome_words(found.loc[name], 0.1)[:20] in label
    assert "differs" in alt_text(found)


def test_names_of_a_table_are_no_markup() -> None:
    """A variable and a level that are HTML arrive as letters in labels, tips and contexts."""
    data = two_groups(300, 3, 3, seed=3, changed=True)
    wild = "<b onclick=x>v</b>"
    names = [wild, *data.names[1:]]
    levels = [
        ["<i>a</i>", *map(str, range(1, len(data.levels[n])))] if i == 0 else data.levels[n]
        for i, n in enumerate(data.names)
    ]
    found = engine.GroupDifference(group="group").run(engine.Dataset.from_codes(data.codes, levels, names))
    text = differences_figure(found.variables(), 0.1, 0.05).to_json()
    assert "<b onclick" not in text and "<i>a" not in text
    shares = found.distributions(found.names[-1], "marginal").assign(context=wild)
    drawn = contexts_figure(shares, found.levels[found.names[-1]], False, {wild: "<u>12</u>"}).to_json()
    assert "<b onclick" not in drawn and "<u>" not in drawn


def test_tables_have_every_number_under_a_heading(result: Any) -> None:
    """One row a variable; the verdict's and the odds' tables have no column in common but the name."""
    found = result.variables()
    one, other = variables_display(found), odds_display(result.ranking())
    assert list(one["variable"]) == list(found.index)
    assert set(one) & set(other) == {"variable"}
    assert not [name for name in (*one, *other) if "_" in name]
    for by in SORTS:
        assert sorted(in_order(found, by).index) == sorted(found.index)


def test_one_network_shows_where_the_groups_differ(result: Any) -> None:
    """Every arc of either group once, with its kind; each box says sign, word and number."""
    first, second, _ = result.graphs().values()
    panel = difference_panel(result)
    arcs = {(edge.source, edge.target): edge.status for edge in panel.edges}
    assert set(arcs) == set(first.edges) | {e for e in second.edges if second.edges[e]["status"] == "only_b"}
    assert len(arcs) == len(panel.edges)
    for arc, status in arcs.items():
        assert status == (first if arc in first.edges else second).edges[arc]["status"]
    found = result.variables()
    for node in panel.nodes:
        assert node.value.endswith(f"{found.loc[node.name, 'log10_bf_beyond']:+.1f}")
        assert (node.log10_odds is None) == (
            outcome(found.loc[node.name]) not in ("differs", "alike", "differs only within ")
        )
    assert [len(chosen_panels(result, choice)) for choice in CHOICES] == [1, 1, 1, 1, 3]
    assert chosen_panels(result, "second")[0].title == "b"
