"""Which variables differ, as bars, boxes, lines and words: what must not be confused looks different."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

import engine
from dashboard.charts.group_difference import (
    MOST_CONTEXTS,
    SORTS,
    VERDICT_STYLES,
    brief,
    contexts_figure,
    differences_alt,
    differences_figure,
    in_order,
    odds_display,
    outcome_words,
    variables_display,
)
from dashboard.network.panel import Edge, of_share
from dashboard.views.group_difference.networks import CHOICES, STATUS, chosen_panels, difference_panel, panels
from dashboard.views.group_difference.result import shares_of
from engine.methods.group_difference.verdicts import ALL_ROWS, Alone, Verdict, verdict_words
from sample_data.catalog import dataset
from tests.engine.make import two_groups


@pytest.fixture(scope="module")
def result() -> Any:
    """A comparison with variables that differ and others that do not, and links of every kind."""
    found = engine.GroupDifference(group="group").run(two_groups(400, 6, 9, seed=3, changed=True))
    assert {"differs", "no difference seen"} <= set(found.variables()["verdict"])
    return found


@pytest.fixture(scope="module")
def hospitals() -> Any:
    """The worked example: one variable differs, in one of its six contexts."""
    return engine.GroupDifference(group="hospital").run(dataset("two_hospitals"))


def told(verdict: str, alone: str = Alone.NOT_SEEN, rows: float = float("nan")) -> pd.Series:
    """A row of `variables` as far as words go."""
    return pd.Series({"verdict": verdict, "alone": str(alone), "rows_needed": rows})


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_a_look_and_its_own_words(verdict: Verdict) -> None:
    """No verdict looks like another, by colour and pattern and by sign; its words are the engine's."""
    looks = list(VERDICT_STYLES.values())
    assert len({(one.colour, one.pattern) for one in looks}) == len({one.sign for one in looks}) == len(Verdict)
    assert outcome_words(told(verdict), 0.1) == verdict_words(verdict, 0.1)


def test_what_differs_through_others_is_no_second_verdict() -> None:
    """The verdict stays the first word; what would tell, or what the variable shows on its own, stands behind it."""
    words = outcome_words(told(Verdict.CANNOT_TELL, Alone.THROUGH_OTHERS), 0.1)
    assert words == "cannot tell; on its own it differs"
    assert outcome_words(told(Verdict.CANNOT_TELL, rows=1200.0), 0.1) == "cannot tell (needs 1,200 rows a group)"


@pytest.mark.parametrize(
    ("p", "words"), [(1.0, "> 0.99"), (0.9949, "0.99"), (0.5, "0.50"), (0.004, "< 0.01"), (float("nan"), "")]
)
def test_no_probability_claims_certainty(p: float, words: str) -> None:
    """Two decimals; what would round to 0 or 1 says on which side of it."""
    assert brief(p) == words


def test_bars_hold_the_probabilities(result: Any) -> None:
    """A bar of P(differs) in the colour of its verdict, the sign at its end, one outlined, each named in words."""
    found = result.variables()
    figure = differences_figure(found, 0.1, result.labels, picked=str(found.index[1]))
    whole, *bars = [one for one in figure.data if one.type == "bar"]
    assert list(whole.x) == [1.0] * len(found) and list(whole.customdata) == list(range(len(found)))
    assert [width == 2 for width in whole.marker.line.width].index(True) == 1
    drawn = {row: (x, one.marker.color) for one in bars for row, x in zip(one.customdata, one.x, strict=True)}
    assert sorted(drawn) == list(range(len(found)))
    for i, (_, row) in enumerate(found.iterrows()):
        assert drawn[i] == (pytest.approx(row["probability"]), VERDICT_STYLES[row["verdict"]].colour)
    signs = {
        row: sign
        for one in figure.data
        if one.type == "scatter" and one.mode == "markers+text"
        for row, sign in zip(one.customdata, one.text, strict=True)
    }
    assert [signs[i] for i in range(len(found))] == [VERDICT_STYLES[one].sign for one in found["verdict"]]
    for label, name in zip(figure.layout.yaxis.ticktext, found.index, strict=True):
        assert name in label and outcome_words(found.loc[name], 0.1)[:20] in label
    assert outcome_words(found.iloc[0], 0.1) in differences_alt(found, 0.1)


def test_names_of_a_table_are_no_markup() -> None:
    """A variable, a level and a group that are HTML arrive as letters in labels, tips and contexts."""
    data = two_groups(300, 3, 3, seed=3, changed=True)
    wild = "<b onclick=x>v</b>"
    names = [wild, *data.names[1:]]
    levels = [
        ["<i>a</i>", *map(str, range(1, len(data.levels[n])))] if i == 0 else data.levels[n]
        for i, n in enumerate(data.names)
    ]
    found = engine.GroupDifference(group="group").run(engine.Dataset.from_codes(data.codes, levels, names))
    text = differences_figure(found.variables(), 0.1, ("<u>1</u>", "b")).to_json()
    assert "<b onclick" not in text and "<i>a" not in text and "<u>" not in text
    shares = found.distributions(found.names[-1], "marginal").assign(context=wild)
    drawn = contexts_figure(shares, found.levels[found.names[-1]], False, {wild: "<u>12</u>"}).to_json()
    assert "<b onclick" not in drawn and "<u>" not in drawn


def test_tables_have_every_number_under_a_heading(result: Any) -> None:
    """One row a variable, one verdict each; the verdict's and the odds' tables share nothing but the name."""
    found = result.variables()
    one, other = variables_display(found, 0.1), odds_display(result.ranking())
    assert list(one["variable"]) == list(found.index)
    assert list(one["verdict"]) == [verdict_words(verdict, 0.1) for verdict in found["verdict"]]
    assert one["difference there, pp"].to_numpy() == pytest.approx(100 * found["where_effect"].to_numpy(), nan_ok=True)
    assert set(one) & set(other) == {"variable"}
    assert not [name for name in (*one, *other) if "_" in name]


@pytest.mark.parametrize("by", SORTS)
def test_every_order_keeps_every_variable(result: Any, by: str) -> None:
    """Sorted by what it says, what has no number last."""
    found = result.variables()
    given = in_order(found, by)
    assert sorted(given.index) == sorted(found.index)
    if by == "P(differs)":
        assert given["probability"].is_monotonic_decreasing
    if by == "On its own":
        assert given["p_alone"].is_monotonic_increasing


def test_the_context_that_decides_comes_first_and_all_rows_last(hospitals: Any) -> None:
    """As many contexts as fit, each with its difference of the level that differs most there."""
    place = hospitals.where("early_antibiotics")
    shares, notes, hidden = shares_of(hospitals, "early_antibiotics")
    contexts = list(dict.fromkeys(shares["context"]))
    assert (contexts[0], contexts[-1], len(contexts), hidden) == (place.context, ALL_ROWS, MOST_CONTEXTS, 1)
    assert notes[place.context] == '"yes": -43 percentage points (95 %: -55 to -29)'
    assert set(notes) == set(contexts)
    only = shares_of(hospitals, "sex")
    assert (set(only[0]["context"]), only[2]) == ({ALL_ROWS}, 0)


def test_lines_are_drawn_by_probability_and_by_what_is_said(result: Any) -> None:
    """Every link of either group once; "only in" only where the result says so; pale and thin what cannot be told."""
    table = result.links()
    most = table[["probability_first", "probability_second"]].max(axis=1)
    drawn = {frozenset((edge.source, edge.target)): edge for edge in difference_panel(result).edges}
    assert set(drawn) == {frozenset(pair) for pair in table.loc[most > 0.1, ["source", "target"]].to_numpy()}
    for row, p in zip(table.itertuples(), most, strict=True):
        edge = drawn.get(frozenset((row.source, row.target)))
        if edge is not None:
            assert (edge.status, edge.weight) == (STATUS[row.status], of_share(p))
            assert (edge.certainty == 1.0) == (p >= 0.9)
    assert {"only_a", "only_b"} & {edge.status for edge in drawn.values()}


def test_a_line_has_an_arrow_only_where_its_direction_is_clear(result: Any) -> None:
    """In a group's own network as its graph has it; in both together only where the groups agree."""
    graphs = list(result.graphs().values())
    for panel, graph in zip(panels(result), graphs, strict=True):
        for edge in panel.edges:
            assert edge.directed == (not graph.has_edge(edge.target, edge.source))
        assert len({frozenset((edge.source, edge.target)) for edge in panel.edges}) == len(panel.edges)
    for edge in difference_panel(result).edges:
        if edge.directed:
            assert not any(graph.has_edge(edge.target, edge.source) for graph in graphs[:2])


def test_boxes_say_sign_and_probability(result: Any) -> None:
    """Orange for what differs, blue for what is alike, white for all else; one panel a network, three side by side."""
    found = result.variables()
    for node in difference_panel(result).nodes:
        row = found.loc[node.name]
        assert node.value.startswith(VERDICT_STYLES[row["verdict"]].sign)
        assert node.value.endswith(brief(row["probability"]))
        blank = row["verdict"] in (Verdict.CANNOT_TELL, Verdict.NOT_SEEN, Verdict.ONE_LEVEL)
        assert (node.log10_odds is None) == blank
    assert [len(chosen_panels(result, choice)) for choice in CHOICES] == [1, 1, 1, 1, 3]
    assert chosen_panels(result, "second")[0].title == "b"


def test_one_order_draws_the_papers_networks(result: Any) -> None:
    """Not averaged: arcs with what they are to both groups, as wide and as dark as any."""
    single = replace(result.method, average="none").run(two_groups(400, 6, 9, seed=3, changed=True))
    first, second, _ = single.graphs().values()
    arcs = {(edge.source, edge.target): edge for edge in difference_panel(single).edges}
    only = {arc for arc in second.edges if second.edges[arc]["status"] == "only B"}
    assert set(arcs) == set(first.edges) | only
    plain = Edge("a", "b")
    for arc, edge in arcs.items():
        assert edge.status == STATUS[(first if arc in first.edges else second).edges[arc]["status"]]
        assert (edge.directed, edge.weight, edge.certainty) == (True, plain.weight, plain.certainty)
