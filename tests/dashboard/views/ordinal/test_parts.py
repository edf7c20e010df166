"""The parts of the page of ordinal networks that can be looked at without a page."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from dashboard.network.boxes import SHAPES
from dashboard.network.panel import drawn_sizes, panel_data
from dashboard.session.work import work
from dashboard.views.ordinal.card import link_sentences, linked_pairs, variable_sentences
from dashboard.views.ordinal.compare_approaches import (
    LOST,
    agreement_words,
    approach_panels,
    loss_sentences,
    path_words,
    second_method,
    values_of,
)
from dashboard.views.ordinal.heat_maps import own_settings
from dashboard.views.ordinal.lesson import lesson_panels
from dashboard.views.ordinal.networks import (
    averaged_panel,
    label_of,
    network_panel,
    nodes,
    order_of,
    scales,
    shape_of,
    shape_words,
    words_of,
)
from dashboard.views.ordinal.scales_by_hand import scales_code, scales_title, set_scales
from dashboard.views.ordinal.stability import stability_table
from engine.evaluation.lessons.ordinal import EXAMPLES, cutting
from engine.methods.ordinal.approaches import agreement, resample_approaches, shares_by_approach
from engine.methods.ordinal.method import learn_halves
from engine.methods.ordinal.recurrence import HALVES, HALVES_SHOWN
from engine.methods.ordinal.result import OrdinalResult
from engine.simulation.ordinal import cut_graph
from engine.telling.charts.recurrence import recurrence_figure, threshold_figure
from engine.telling.ordinal.figures.tables import (
    approach_shares_figure,
    correlation_figure,
    correlation_values,
    cutting_figure,
    fixed_order,
    largest_gap,
    losses_figure,
    path_figure,
    shares_figure,
    thresholds_alt,
    thresholds_figure,
)
from tests.engine.methods.ordinal import make

BAD = "x_<b>mood</b>"
NAMES = ["x_a", "y_b", BAD, "y_c"]
METHOD = engine.Ordinal(draws=20)


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    """Four answers on two scales, one link going down, a hostile name."""
    graph = nx.DiGraph()
    graph.add_nodes_from(NAMES)
    graph.add_edge("x_a", BAD, weight=1.2)
    graph.add_edge("y_b", BAD, weight=-1.2)
    graph.add_edge(BAD, "y_c", weight=1.0)
    return cut_graph(graph, 3).sample(300, np.random.default_rng(1))


@pytest.fixture(scope="module")
def found(data: engine.Dataset) -> OrdinalResult:
    """Its network."""
    return METHOD.run(data)


@pytest.fixture(scope="module")
def sure(data: engine.Dataset, found: OrdinalResult) -> OrdinalResult:
    """The same with rows drawn again and other seeds."""
    return found.with_parts(METHOD.edge_strength(data, runs=8)).with_parts(METHOD.monte_carlo(data, seeds=2))


def test_a_scale_is_how_all_names_begin() -> None:
    """Two to four beginnings that share out all variables, each at least twice; else there are none."""
    assert scales(["a_1", "b_1", "a_2", "b_2"]) == {"a_1": "a", "b_1": "b", "a_2": "a", "b_2": "b"}
    for names in (["poor_sleep", "poor_hunger", "low_mood", "low_joy", "worry"], ["a_1", "a_2"], ["a_1", "a_2", "b_1"]):
        assert scales(names) == {}
    assert scales([f"{scale}_{i}" for scale in "abcde" for i in "12"]) == {}
    assert len(set(shape_of(scales(["a_1", "b_1", "a_2", "b_2"])).values())) == 2


def test_a_dictionary_tells_scales(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand before what names begin with; what it says nothing of is on no scale, and too many have no shapes."""
    told = {"sad": "mood", "a_1": "sleep", "a_2": "sleep", "other": "of another table"}
    monkeypatch.setattr(work(), "scales", told)
    found = scales(["sad", "a_1", "a_2", "b_1"])
    assert found == {"sad": "mood", "a_1": "sleep", "a_2": "sleep"}
    assert len(set(shape_of(found).values())) == 2
    assert list(shape_words(found).values()) == ["mood (1)", "sleep (2)"]
    assert [label_of(name, found) for name in found] == ["", "", ""]
    monkeypatch.setattr(work(), "scales", {f"item{i}": f"scale {i}" for i in range(5)})
    many = scales([f"item{i}" for i in range(5)])
    assert len(set(many.values())) == 5
    assert shape_of(many) == shape_words(many) == {}
    monkeypatch.setattr(work(), "scales", {"x": "mood"})
    assert scales(["a_1", "b_1", "a_2", "b_2"])["a_1"] == "a"
    assert shape_words(scales(["a_1", "b_1", "a_2", "b_2"]))["box"] == "a_… (2)"
    assert label_of("a_1", scales(["a_1", "b_1", "a_2", "b_2"])) == "1"
    joined = {f"{scale} item {i}": scale for scale in "ab" for i in range(2)}
    assert label_of("a item 0", joined) == "item 0"
    assert shape_words(joined)["box"] == "a … (2)"


def test_scales_are_set_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand before names; an empty one is none, other tables' scales stay, and the title counts the rest."""
    names = ["a_1", "a_2", "b_1", "b_2"]
    monkeypatch.setattr(work(), "scales", {"elsewhere": "sleep"})
    set_scales(names, ["low  mood ", "low mood", None, "b"])
    assert scales(names) == {"a_1": "low mood", "a_2": "low mood", "b_2": "b"}
    assert work().scales["elsewhere"] == "sleep"
    assert scales_title(names, scales(names)) == "Scales: low mood (2 variables) and b (1 variable); 1 on none"
    set_scales(names, ["", "", "", ""])
    assert scales(names) == {}
    assert scales_title(names, {}) == "Say which variables form a scale"


def test_the_order_of_heat_maps_is_by_scale_and_column(found: OrdinalResult) -> None:
    """Whatever was found."""
    assert order_of(found) == (["x_a", BAD, "y_b", "y_c"], [2])
    assert fixed_order(["b", "a"], {}) == ["b", "a"]


def test_the_network_says_sign_size_and_scale(found: OrdinalResult) -> None:
    """Colour and dash by sign, width by size, shape by scale; the box drops what the shape says."""
    panel = network_panel(found)
    status = {frozenset((edge.source, edge.target)): edge for edge in panel.edges}
    assert status[frozenset(("x_a", BAD))].status == "positive"
    assert status[frozenset(("y_b", BAD))].status == "negative"
    assert "partial correlation" in panel.edges[0].words
    boxes = {node.name: node for node in panel.nodes}
    assert boxes["y_b"].label == "b"
    assert boxes["y_b"].shape != boxes["x_a"].shape
    told = panel_data([panel], dict.fromkeys(found.names, (0.0, 0.0)), words=words_of(found))
    legend = [entry["words"] for entry in told["legend"]]
    assert legend == ["one rises with the other", "one falls as the other rises", "x_… (2)", "y_… (2)"]
    assert drawn_sizes(nodes(found))["y_b"] > drawn_sizes(nodes(found))["x_a"] - 1


def test_lines_are_counted_as_such(data: engine.Dataset) -> None:
    """An undirected edge is drawn without a head."""
    two = METHOD.run(data.select(["x_a", BAD]))
    panel = network_panel(two)
    assert [edge.directed for edge in panel.edges] == [False]
    assert panel.subtitle == "1 link, 1 without a direction"


def test_the_averaged_network_follows_the_threshold(sure: OrdinalResult) -> None:
    """Above every share there is no link; at the L1 rule as many as the engine says."""
    assert not averaged_panel(sure, 1.0).edges
    assert sure.strength is not None
    usual = averaged_panel(sure, sure.strength.threshold)
    assert len(usual.edges) == len({frozenset(edge) for edge in sure.averaged().edges})
    assert "of 8 bootstrap samples" in usual.title
    assert "bootstrap samples" in usual.edges[0].words


def test_cards_are_in_words(found: OrdinalResult, sure: OrdinalResult) -> None:
    """What was not asked is said not to have been; a pair outside the network is said to be outside."""
    pair = linked_pairs(found)[0]
    assert "No bootstrap was run" in " ".join(link_sentences(found, pair))
    said = " ".join(link_sentences(sure, pair))
    assert "of 8 networks (95 % interval" in said
    assert "Other seeds, same rows: in 100\u00a0% of 2." in said
    assert "Not among the links of the searched network." in link_sentences(found, ("x_a", "y_b"))
    assert "given all other variables" in link_sentences(found, ("x_a", "y_b"))[0]
    assert " ".join(link_sentences(found, pair)).count("orrelation") == 1  # one effect; the others are in the tables
    assert variable_sentences(found, "y_c")[1].startswith("Levels from low to high: 1 3")
    assert set(map(frozenset, linked_pairs(sure))) >= {frozenset(ends) for ends, _ in sure.edge_pairs}


def test_heat_maps_have_every_arrow_once(sure: OrdinalResult) -> None:
    """Shares of the engine in the fixed order, nothing on the diagonal, no name as markup."""
    assert sure.strength is not None
    order, breaks = order_of(sure)
    figure = shares_figure(sure.strength.directed, sure.strength.runs, sure.names, order, breaks)
    heat = figure.data[0]
    assert heat.z[0][1] == pytest.approx(sure.strength.directed_share("x_a", BAD))
    assert np.isnan(heat.z[0][0])
    assert len(figure.layout.shapes) == 2
    assert "<b>mood" not in str(heat.hovertext) + str(figure.layout.xaxis.ticktext)
    start, fitted = sure.start, sure.correlation
    assert correlation_values("start", start, fitted, order)[0, 1] == start.at["x_a", BAD]
    gap = correlation_values("difference", start, fitted, order)
    assert gap[0, 1] == pytest.approx(fitted.at["x_a", BAD] - start.at["x_a", BAD])
    assert largest_gap(np.zeros((2, 2))) == 0.1
    assert correlation_figure(gap, order, breaks, largest_gap(gap)).data[0].zmax == largest_gap(gap)


def test_heat_maps_of_approaches_have_one_order_and_one_scale(data: engine.Dataset) -> None:
    """Shares of each approach on the same bootstrap samples; the Gaussian BIC climbs at penalty 1."""
    method = engine.Ordinal(draws=10, seed=2)
    methods = {name: own_settings(method, name) for name in ("gpc", "bic")}
    seen: list[float] = []
    strengths = resample_approaches(methods, data, 4, progress=lambda share, words: seen.append(share))
    assert seen == sorted(seen) and seen[-1] == 1.0
    climbing = replace(method, approach="bic", penalty=1.0, search="hill_climbing").edge_strength(data, 4)
    assert (strengths["bic"].directed == climbing.directed).all()
    assert own_settings(replace(method, approach="bic"), "bic").search == "order_mcmc", "the page's own"
    shares = {name: strength.directed_shares for name, strength in strengths.items()}
    order = ["y_c", "x_a", BAD, "y_b"]
    figure = approach_shares_figure(shares, NAMES, order, [1])
    for heat, name in zip(figure.data, shares, strict=True):
        assert heat.z[1][2] == pytest.approx(strengths[name].directed_share("x_a", BAD))
        assert np.isnan(heat.z[0][0]) and heat.coloraxis == "coloraxis"
    assert [note.text for note in figure.layout.annotations] == ["gpc", "bic"]
    assert figure.layout.xaxis.ticktext == figure.layout.yaxis2.ticktext
    table = shares_by_approach(strengths)
    assert table.columns[0] == "approach"
    assert len(table) == sum(len(strength.frame()) for strength in strengths.values())


def test_links_stand_with_their_shares(sure: OrdinalResult, found: OrdinalResult) -> None:
    """Those of the network first, the least sure on top; drawn tables and seeds apart."""
    table = stability_table(sure)
    inside = table[table["inside"]]
    assert list(inside["share"]) == sorted(inside["share"])
    figure = recurrence_figure(table)
    assert [trace.name for trace in figure.data] == [
        "bootstrap samples",
        "not in the network",
        "other seeds, same rows",
    ]
    assert "<b>mood" not in str(figure.layout.yaxis.ticktext)
    steps = threshold_figure(pd.Series([0.2, 0.9, 1.0]), 0.5, 0.95)
    assert list(steps.data[0].y) == [3, 2, 1, 0, 0]
    assert [one.text for one in steps.layout.annotations] == ["L1 rule: 50\u00a0%", "chosen: 95\u00a0%"]


def test_a_normal_curve_is_cut_into_its_shares() -> None:
    """An area a level, with its name and share; names are text."""
    figure = thresholds_figure((-0.5, 0.5), (0.3, 0.4, 0.3), ("<i>low", "middle", "high"))
    assert len(figure.data) == 4
    words = [one.text for one in figure.layout.annotations]
    assert any("&lt;i&gt;low" in one and "30\u00a0%" in one for one in words)
    assert "+.50" in words
    assert (
        thresholds_alt((-0.5,), (0.3, 0.7), ("low", "high"))
        == "A normal curve cut at −.50; low 30\u00a0%, high 70\u00a0%."
    )


def test_the_path_marks_the_value_that_was_chosen() -> None:
    """Two curves without a loss, three with one; the best for prediction is named with its doubt."""
    table = pd.DataFrame(
        {
            "setting": "penalty",
            "penalty": [1.0, 3.0],
            "links": [9, 6],
            "distance": [3.0, 0.0],
            "log_loss": [10.0, 10.2],
            "low": [9.9, 10.2],
            "high": [10.1, 10.2],
        }
    )
    assert len(path_figure(table, 3.0, "penalty").data) == 3
    said = path_words(table, 3.0, "penalty (lambda)")
    assert "predicted best with 1 (9 links" in said
    assert "leaves 0 out" in said
    bare = table.assign(log_loss=np.nan)
    assert len(path_figure(bare, 3.0, "penalty").data) == 2
    assert path_words(bare, 3.0, "penalty (lambda)") == "With 3, the one chosen: 6 links."
    assert 2.5 in values_of(engine.Ordinal(penalty=2.5))
    assert values_of(engine.Ordinal(approach="npc", alpha=0.3))[-1] == 0.3


def test_a_loss_says_what_it_means() -> None:
    """Worse, better, alike within the error; where the ordinal approach loses, why that may be."""
    table = pd.DataFrame(
        [
            ("osem", 10.0, 0.0, 0.0, 0.0, 5, 20),
            ("bge", 10.1, 0.1, -0.1, 0.3, 3, 20),
            ("bde", 9.0, -1.0, -1.5, -0.5, 0, 20),
        ],
        columns=["approach", "log_loss", "difference", "low", "high", "better", "n"],
    )
    said = loss_sentences(table, 5)
    assert "5 splits with 20 rows" in said[0]
    assert "predict alike within the error (+0.100 nats a row, 95 % interval −0.100 to +0.300" in said[1]
    assert "predicts better (−1.000" in said[2]
    assert said[3].startswith(LOST)
    assert len(loss_sentences(table.head(2), 5)) == 2
    assert len(losses_figure(table, {}).data[0].x) == 2


def test_two_approaches_stand_side_by_side(data: engine.Dataset, found: OrdinalResult) -> None:
    """What differs is marked in both, and counted."""
    second = second_method(METHOD, "npc").run(data)
    panels = approach_panels(found, second)
    assert [panel.title for panel in panels] == ["Ordinal (OSEM)", "PC, levels without an order (NPC)"]
    table = agreement(found, second)
    assert {edge.status for panel in panels for edge in panel.edges} <= {"same", "only_a", "only_b", "reversed"}
    assert agreement_words(table)
    assert agreement_words(agreement(found, found)).startswith("**Both have the same network: ")
    assert agreement_words(table.head(0)) == "Neither network has a link."
    latent = engine.Ordinal(missing="latent")
    assert second_method(latent, "bge").missing == "refuse"


def test_the_lesson_shows_what_was_drawn_and_what_was_found() -> None:
    """A bar an approach, whiskers, and networks of the first table."""
    lesson = cutting(EXAMPLES["Two causes of one effect"], 3, 100, ("bge", "npc"), tables=2)
    frame = lesson.frame()
    assert frame["found"].between(0, 1).all()
    assert len(cutting_figure(frame, {}).data) == 4
    panels = lesson_panels(lesson, ["bge"])
    assert [panel.title for panel in panels] == ["What was drawn", "Levels taken as numbers (BGe)"]
    assert len(panels[0].edges) == 3
    with pytest.raises(engine.SettingsError, match="no arrow"):
        cutting((), 3, 100)


def test_every_shape_differs_by_its_outline() -> None:
    """Without the tint too."""
    assert len({(shape.radius, shape.dash) for shape in SHAPES.values()}) == len(SHAPES)


def test_what_does_not_return_in_half_samples_is_pale_and_a_line(data: engine.Dataset, found: OrdinalResult) -> None:
    """A link of half the networks, an arrow that points both ways; the card and the picture say the same."""
    from engine.graphs.pdag import Pdag
    from engine.methods.ordinal.recurrence import HalfSamples, origin_of

    (source, target) = next(pair for pair, directed in found.edge_pairs if directed)
    a, b = found.names.index(source), found.names.index(target)
    forth, back, none = (Pdag([0] * 4, [0] * 4, [0] * 4) for _ in range(3))
    for graph, (i, j) in ((forth, (a, b)), (back, (b, a))):
        graph.parents[j], graph.children[i] = 1 << i, 1 << j
    origin = origin_of(found.method, found.fingerprint)
    known = found.with_parts(HalfSamples.of(found.names, [forth, forth, back, none], 0, origin))
    edge = next(edge for edge in network_panel(known).edges if {edge.source, edge.target} == {source, target})
    assert not edge.directed
    assert edge.certainty < 0.7
    assert "in 75\u00a0% of 4 half samples" in edge.words
    assert all(edge.certainty == 1 for edge in network_panel(found).edges)
    said = link_sentences(known, (source, target))
    assert (
        "Searched again in 4 random halves of the rows: the link returns in 75\u00a0%; 67\u00a0% of these have the "
        "arrow this way, so it is drawn as a line." in said
    )
    assert any("after correction for all pairs" in one for one in said)
    assert not any("Chance" in one for one in said)


def test_half_samples_in_parts_are_those_of_one_go_and_say_how_far_all_are(data: engine.Dataset) -> None:
    """Whatever the parts; the bar counts in all of them and only rises."""
    said: list[tuple[float, str]] = []
    method = engine.Ordinal(approach="gpc")
    first = learn_halves(method, data, 2, None, lambda *words: said.append(words))
    second = learn_halves(method, data, 5, first, lambda *words: said.append(words))
    assert np.array_equal(second.directed, method.half_samples(data, 5).directed)
    assert said[0] == (0.0, f"half samples: 0 of {HALVES}") and said[-1] == (5 / HALVES, f"half samples: 5 of {HALVES}")
    assert [fraction for fraction, _ in said] == sorted(fraction for fraction, _ in said)
    assert HALVES_SHOWN[-1] == HALVES and list(HALVES_SHOWN) == sorted(HALVES_SHOWN)


@pytest.mark.parametrize("by_hand", [{"x_a": "low 'mood'", "y_b": "low 'mood'", "y_c": "sleep"}, {}, None])
def test_the_script_has_scales_that_were_set_by_hand(by_hand: dict[str, str] | None) -> None:
    """Run, it gives the same scales and bridges; scales by the beginnings of names need no line."""
    names = ["x_a", "x_b", "y_b", "y_c"]
    drawn = make.chain(200)
    levels = [len(drawn.levels[name]) for name in drawn.names]
    renamed = engine.Dataset.from_codes(drawn.codes, levels, names, kinds=dict.fromkeys(names, "ordinal"))
    method = engine.Ordinal(approach="gpc")
    result = method.run(renamed)
    assert result.lines is not None and dict(result.lines.scales) == {"x_a": "x", "x_b": "x", "y_b": "y", "y_c": "y"}
    assert scales_code(result) == []
    wanted = result if by_hand is None else result.with_parts(method.partial_network(renamed, by_hand))
    scope = {"result": result, "method": method, "data": renamed}
    exec("\n".join(scales_code(wanted)), scope)  # noqa: S102 - our own script
    made = scope["result"]
    assert isinstance(made, OrdinalResult) and made.lines is not None and wanted.lines is not None
    assert dict(made.lines.scales) == dict(wanted.lines.scales)
    assert set(made.lines.centralities) == set(wanted.lines.centralities)
