"""The shared picture: no overlaps, arcs down, the same again, and places that stay."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graphs.dag import to_networkx
from engine.graphs.drawing.labels import LINE, LINES, WORD, box_sizes, label, wrapped, wrapped_apart
from engine.graphs.drawing.layers import HEIGHT, without_cycles
from engine.graphs.drawing.layout import MOST_IN_GAPS, WIDTH, clear_layout, layout, remove_overlaps, runs_behind
from tests.engine.graphs.test_dag import dags

HOSTILE = ["", "a\nb", "x" * 10_000, "</script>", "=cmd", "naïve ü", "two  words", "worst_concave_points_of_all_v2"]


def overlaps(places: dict, widths: dict | None = None) -> list[tuple]:
    """Pairs of boxes that share a pixel, from the definition."""
    width = {name: (widths or {}).get(name, WIDTH) for name in places}
    return [
        (a, b)
        for a, b in itertools.combinations(places, 2)
        if abs(places[a][0] - places[b][0]) < (width[a] + width[b]) / 2 and abs(places[a][1] - places[b][1]) < HEIGHT
    ]


def random_dag(n: int, seed: int) -> nx.DiGraph:
    """Up to three parents among the 25 variables before; some variables stay alone."""
    rng = random.Random(seed)
    graph = nx.DiGraph()
    graph.add_nodes_from(f"variable {i}" for i in range(n))
    for i in range(1, n):
        for j in rng.sample(range(max(0, i - 25), i), min(i, rng.choice([0, 1, 1, 2, 3]))):
            graph.add_edge(f"variable {j}", f"variable {i}")
    return graph


@given(dags(10), dags(10), st.lists(st.floats(20, 500), min_size=10, max_size=10), st.booleans())
@settings(max_examples=60)
def test_boxes_never_overlap(first, second, lengths, directed) -> None:
    """Whatever the graphs and the sizes, every variable has a place of its own."""
    n = max(len(first), len(second))
    names = [f"v{i}" for i in range(n)]
    graphs = [to_networkx([*parents, *[()] * (n - len(parents))], names) for parents in (first, second)]
    if not directed:
        graphs = [graph.to_undirected() for graph in graphs]
    widths = dict(zip(names, lengths, strict=False))
    places = layout(graphs, sizes=widths)
    assert list(places) == names
    assert not overlaps(places, widths)
    assert layout(graphs, sizes=widths) == places


@given(dags(8))
@settings(max_examples=40)
def test_arcs_of_one_dag_never_point_up(parents) -> None:
    """In a layered picture of one DAG a child is not higher than its parent."""
    graph = to_networkx(parents, [f"v{i}" for i in range(len(parents))])
    places = layout([graph])
    assert all(places[a][1] <= places[b][1] for a, b in graph.edges)


def test_a_small_graph_has_one_row_a_layer() -> None:
    """Parents stand strictly above children when there is room."""
    graph = nx.DiGraph([("smoking", "cough"), ("age", "cough"), ("cough", "visit"), ("age", "visit")])
    places = layout([graph])
    assert places["smoking"][1] == places["age"][1] < places["cough"][1] < places["visit"][1]


@pytest.mark.parametrize("undirected", [False, True])
def test_places_stay_when_arcs_change(undirected: bool) -> None:
    """With `previous`, other arcs move nothing, and a new variable moves nobody."""
    graph = random_dag(30, 1)
    places = layout([graph.to_undirected() if undirected else graph])
    other = random_dag(30, 2)
    assert layout([other], previous=places) == places
    other.add_edge("variable 3", "new one")
    again = layout([other], previous=places)
    assert {name: again[name] for name in places} == places
    assert not overlaps(again)


def test_an_old_place_that_would_cover_another_moves() -> None:
    """Two variables cannot keep one spot: the first stays, the second goes to the side."""
    graph = nx.DiGraph([("a", "b")])
    places = layout([graph], previous={"a": (0.0, 0.0), "b": (1.0, 0.0)})
    assert places["a"] == (0.0, 0.0)
    assert not overlaps(places)


def test_two_directions_of_one_arc_still_make_a_picture() -> None:
    """Graphs that disagree on a circle of directions share one acyclic set of layers."""
    arcs = without_cycles(4, [(0, 1), (1, 2), (2, 0), (1, 0), (3, 3), (2, 3)])
    assert nx.is_directed_acyclic_graph(nx.DiGraph(arcs))
    assert {frozenset(arc) for arc in arcs} == {frozenset(x) for x in [(0, 1), (1, 2), (0, 2), (2, 3)]}
    a, b = nx.DiGraph([("a", "b")]), nx.DiGraph([("b", "a")])
    assert layout([a, b])["a"][1] < layout([a, b])["b"][1]


def test_hostile_names_get_labels_and_places() -> None:
    """Labels have at most two lines, none longer than a line unless it is one word, and are never empty."""
    for name in HOSTILE:
        lines = label(name).split("\n")
        assert 1 <= len(lines) <= LINES
        assert all(0 < len(line) <= (WORD if " " not in line else LINE) for line in lines)
    graph = nx.DiGraph()
    graph.add_nodes_from(HOSTILE)
    nx.add_path(graph, HOSTILE[:5])
    sizes = box_sizes(HOSTILE)
    assert not overlaps(layout([graph], sizes=sizes), sizes)
    assert label("mean_pressure_left_ventricle_day_2") == "mean_pressure_\n…ventricle_day_2"
    assert layout([]) == {}
    assert wrapped("diastolic pressure", 9) == "diastolic\npressure"
    assert wrapped("Systolic BP (mmHg)", 15) == "Systolic BP\n(mmHg)"


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("smoothness error", 9, "smoothness\nerror"),  # a word longer than the line widens its box
        ("systolicBloodPressure", 12, "systolic\nBlood\nPressure"),
        ("worst_concave-points", 12, "worst_\nconcave-\npoints"),
        ("mean of the worst concave points", 12, "mean of the\nworst\n…points"),
        ("x" * 40, 12, "x" * (WORD - 1) + "…"),  # one word, and no box is as wide
        ("", 12, ""),
    ],
)
def test_names_are_parted_between_words(name: str, width: int, lines: str) -> None:
    """At spaces, underscores, hyphens and capitals; no word is cut unless it is longer than any box."""
    assert wrapped(name, width, 3) == lines


def test_a_box_shows_the_word_that_parts_its_name_from_those_that_begin_alike() -> None:
    """Also where the ends of the names differ already."""
    names = [f"Untersuchung {number}: sehr langer Name der Variable | T{number % 4}" for number in (8, 17)]
    assert [text.split("\n")[0] for text in wrapped_apart(names, 14).values()] == [
        "Untersuchung 8:",
        "Untersuchung 17:",
    ]


@given(st.text(max_size=80), st.integers(6, 20), st.integers(2, 4))
@settings(max_examples=100)
def test_what_is_left_of_a_name_are_its_own_words(name: str, width: int, lines: int) -> None:
    """Whatever the name, no more lines than asked for, and without line ends and ellipses it is made of the name."""
    rows = wrapped(name.replace("\n", " "), width, lines).split("\n")
    assert len(rows) <= lines
    assert all(row.strip("…") in name.replace("\n", " ") for row in rows)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("n", "wide"), [(10, 480), (30, 660), (60, 780)])
def test_pictures_are_as_wide_as_a_page_shows(n: int, wide: int, directed: bool) -> None:
    """Crowded pictures grow downwards: of 60 boxes no more than a narrow page shows with letters one can read."""
    graph = random_dag(n, 3)
    sizes = box_sizes(graph)
    places = layout([graph if directed else graph.to_undirected()], sizes=sizes)
    left, right = (
        pick(x + way * sizes[name] / 2 for name, (x, _) in places.items()) for pick, way in ((min, -1), (max, 1))
    )
    assert right - left <= wide
    given = layout([graph], sizes=sizes, room=1080.0)
    assert np.ptp([y for _, y in given.values()]) <= np.ptp([y for _, y in places.values()]) + 1 or not directed


def test_boxes_that_have_grown_are_pushed_apart() -> None:
    """Places made for names stay where the boxes still fit; where a value is written in, nothing covers anything."""
    graph = random_dag(20, 4)
    small = box_sizes(graph)
    places = layout([graph], sizes=small)
    assert remove_overlaps(places, small) == places
    large = {name: width + 70 for name, width in small.items()}
    grown = remove_overlaps(places, large, height=70.0)
    assert grown == remove_overlaps(grown, large, height=70.0)
    for (a, (ax, ay)), (b, (bx, by)) in itertools.combinations(grown.items(), 2):
        assert abs(ax - bx) >= (large[a] + large[b]) / 2 or abs(ay - by) >= 70 - 1e-6, (a, b)


def test_wide_layers_wrap() -> None:
    """One parent of 24 children is no strip: the picture stays near the shape of a panel."""
    graph = nx.DiGraph([("cause", f"a long named effect {i}") for i in range(24)])
    x, y = np.array(list(layout([graph]).values())).T
    assert np.ptp(x) + 180 < 3 * (np.ptp(y) + HEIGHT)


def test_taller_boxes_get_the_room_they_need() -> None:
    """Boxes of three lines never overlap either, nor where places are kept."""
    graph = nx.gn_graph(14, seed=2)
    graph = nx.relabel_nodes(graph, {i: f"v{i}" for i in graph})
    sizes = dict.fromkeys(graph, 90.0)
    tall = layout([graph], sizes=sizes, height=60.0)
    assert layout([graph], previous=tall, sizes=sizes, height=60.0) == tall
    for (a, (ax, ay)), (b, (bx, by)) in itertools.combinations(tall.items(), 2):
        assert abs(ax - bx) >= 90 or abs(ay - by) >= 60, (a, b)


def test_a_few_lone_variables_stand_in_free_room_clear_of_arcs() -> None:
    """Inside what the others take, over no box and under no arc, so that the picture is no larger for them."""
    chain = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "d"), ("a", "e"), ("e", "f")])
    alone = layout([chain])
    chain.add_node("lone")
    places = layout([chain])
    heights = [[y for _, y in some.values()] for some in (alone, places)]
    assert max(heights[1]) - min(heights[1]) == max(heights[0]) - min(heights[0])
    assert not runs_through(chain, places, ["lone"])
    for seed in range(40):
        network = random_dag(9, seed)
        lone = list(nx.isolates(network))
        assert len(lone) > MOST_IN_GAPS or not runs_through(network, layout([network]), lone)


def runs_through(network: nx.DiGraph, places: dict, lone: list[str]) -> bool:
    """Whether a point of an arc, of 200, lies in the box of a lone variable."""
    points = [
        share * np.array(places[a]) + (1 - share) * np.array(places[b])
        for a, b in network.edges
        for share in np.linspace(0, 1, 200)
    ]
    off = np.abs(np.array(points)[:, None] - [places[name] for name in lone]) if lone else np.zeros((0, 0, 2))
    return bool((off < [WIDTH / 2, HEIGHT / 2]).all(axis=-1).any())


@pytest.mark.parametrize("room", [300.0, 2000.0])
def test_many_lone_variables_stand_together_where_the_picture_is_best_shaped(room: float) -> None:
    """At the right of a high network where there is room for it, else below; never wider than that room."""
    network = nx.DiGraph([(f"v{i}", f"v{i + 1}") for i in range(5)])
    network.add_nodes_from(f"lone {i}" for i in range(6))
    places = layout([network], room=room)
    lone, others = ([at for name, at in places.items() if name.startswith("lone") == which] for which in (True, False))
    beside = min(x for x, _ in lone) > max(x for x, _ in others)
    below = min(y for _, y in lone) > max(y for _, y in others)
    assert (beside, below) == ((True, False) if room > 1000 else (False, True))
    assert not overlaps(places)


def test_a_line_behind_a_box_is_seen() -> None:
    """Between two ends of it; not where it ends at the box or passes beside."""
    places = {"a": (0.0, 0.0), "b": (200.0, 0.0), "c": (400.0, 0.0)}
    sizes, height = dict.fromkeys(places, 80.0), 30.0
    assert runs_behind(places, [nx.Graph([("a", "c")])], sizes, height)
    assert not runs_behind(places, [nx.Graph([("a", "b"), ("b", "c")])], sizes, height)
    assert not runs_behind(places | {"b": (200.0, 20.0)}, [nx.Graph([("a", "c")])], sizes, height)


def test_a_picture_takes_more_room_where_that_shows_every_link() -> None:
    """Of six wide boxes in two columns a link must run behind one; a little wider, rows are shifted and none does."""
    graph = nx.Graph(
        [("a", "w"), ("a", "f"), ("f", "w"), ("f", "c"), ("f", "n"), ("f", "u"), ("w", "c"), ("n", "c"), ("n", "u"),
         ("c", "u"), ("w", "u")]
    )  # fmt: skip
    sizes = dict.fromkeys(graph, 115.0)
    assert runs_behind(layout([graph], sizes=sizes, height=43.0, room=280.0), [graph], sizes, 43.0)
    assert not runs_behind(clear_layout([graph], sizes=sizes, height=43.0, room=280.0), [graph], sizes, 43.0)
    graph.remove_node("c")
    narrow = layout([graph], sizes=sizes, height=43.0, room=280.0)
    assert clear_layout([graph], sizes=sizes, height=43.0, room=280.0) == narrow


@pytest.mark.parametrize(
    "name", ["I felt I wasn't worth much…", "felt that life was not worthwhile", "das Leben ist nicht lebenswert"]
)
def test_a_shorter_name_denies_what_the_name_denies(name: str) -> None:
    """'I felt I …worth much…' says the opposite of the item."""
    first, denial, _ = name.partition("n't" if "n't" in name else " nicht" if " nicht" in name else " not")
    assert first and denial.strip() in wrapped_apart([name, "age"], 12, 2)[name]
