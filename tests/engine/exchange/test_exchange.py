"""Out and in again: four formats, hostile names, and what strangers' files may do."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.exchange.bif import from_bif, to_bif
from engine.exchange.graph_json import from_json, to_json
from engine.exchange.graphml_dot import to_dot, to_graphml
from engine.exchange.graphml_reader import from_graphml
from engine.graphs.pdag import cpdag

HOSTILE = [
    'say "hi"',
    "two\nlines\r\nand\ta tab",
    "</script><script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "naïve ü 漢字 🙂 \u202eright to left",
    "x" * 10_000,
    "back\\slash\\",
    "a; property b } variable {",
    "table",
    "v0",
    "\x00\x07\x1b",
    "\ud800",
    "",
    "<b>&amp;</b>",
    "50% of 100%41",
]


def chain(names: list[str]) -> nx.DiGraph:
    """Each name points to the next, with attributes of every kind."""
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for i, (a, b) in enumerate(pairwise(names)):
        graph.add_edge(a, b, strength=np.float64(i) / 3, status="same <b>", count=i, sure=bool(i % 2))
    return graph


def random_data(names: list[str], levels: list[list[str]], n: int = 200, seed: int = 0) -> Dataset:
    """Uniform codes."""
    rng = np.random.default_rng(seed)
    return Dataset.from_codes(np.array([rng.integers(0, len(v), n) for v in levels]), levels, names)


def undo_dot(text: str) -> str:
    """A quoted DOT string as Graphviz draws it, written independently."""
    escapes = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}
    return re.sub(r'\\\\|\\"|\\n', lambda found: escapes[found[0]], text)


def test_json_round_trip_keeps_everything() -> None:
    """Names, order and plain attributes come back; nothing in the text could end a script."""
    graph = chain(HOSTILE)
    text = to_json(graph)
    assert not set("<>&") & set(text)
    assert text.isascii()
    back = from_json(text)
    assert list(back.nodes) == HOSTILE
    assert dict(back.edges) == dict(graph.edges)


@given(st.lists(st.text(max_size=8), unique=True, max_size=6))
@settings(max_examples=40)
def test_json_takes_any_text(names: list[str]) -> None:
    """Whatever a column is called, the file gives it back."""
    assert list(from_json(to_json(chain(names))).nodes) == names


def test_json_knows_dags_cpdags_and_undirected_graphs() -> None:
    """An undirected edge of a CPDAG stays one, and an undirected graph comes back undirected."""
    essential = cpdag(nx.DiGraph([("a", "b"), ("c", "b"), ("c", "d"), ("e", "f")]))
    assert set(from_json(to_json(essential)).edges) == set(essential.edges)
    plain = from_json(to_json(nx.Graph([("a", "b")])))
    assert not plain.is_directed()


def test_what_is_not_a_plain_value_is_left_out() -> None:
    """NaN, lists and None are no attributes of a file."""
    graph = nx.DiGraph()
    graph.add_edge("a", "b", good=1.5, bad=float("nan"), worse=[1], none=None)
    for back in (from_json(to_json(graph)), nx.parse_graphml(to_graphml(graph))):
        assert [words for *_, words in back.edges(data=True)] == [{"good": 1.5}]


def broken(**changes: object) -> str:
    """A good file with some top-level values exchanged."""
    return json.dumps({**json.loads(to_json(chain(["a", "b", "c"]))), **changes})


def edge(a: object, b: object, **more: object) -> dict[str, object]:
    """One edge of a JSON file."""
    return {"source": a, "target": b, **more}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a whole JSON"),
        ("[1", "not a whole JSON"),
        ("[]", "must be an object"),
        ("{}", "lacks 'format'"),
        (broken(format="other"), "not a network saved by Diptych"),
        (broken(version=2), "version 2"),
        (broken(version=True), "version True"),
        (broken(kind="tree"), "'kind' is 'tree'"),
        (broken(extra=1), "unknown key 'extra'"),
        (broken(nodes={}), "must be a list"),
        (broken(nodes=[{"name": 1}]), "must be text"),
        (broken(nodes=[{"name": "a"}, {"name": "a"}]), "Two nodes are called 'a'"),
        (broken(nodes=[{"name": "a", "x": "1"}]), "unknown key 'x'"),
        (broken(nodes=[{"name": "a", "attributes": {"x": [1]}}]), "single texts"),
        (broken(edges=[edge("a", "nowhere")]), "'nowhere', which is not one of the nodes"),
        (broken(edges=[edge("a", ["b"])]), "which is not one of the nodes"),
        (broken(edges=[edge("a", "a")]), "to itself"),
        (broken(edges=[edge("a", "b"), edge("a", "b")]), "listed twice"),
        (broken(edges=[edge("a", "b"), edge("b", "c"), edge("c", "a")]), "'a' -> 'b' -> 'c' -> 'a'"),
        (broken(edges=[edge("a", "b"), edge("b", "a")]), "'a' -> 'b' -> 'a'"),
        (broken(edges=[edge("a", "b", attributes={"w": float("nan")})]), "NaN"),
        ('{"format": 1, "format": 2}', "same key twice"),
        ("[" * 100_000 + "]" * 100_000, "100,000 deep"),
        ("9" * 5000, "not a whole JSON"),
        ('{"format": "' + '\\"' * 100_000, "not a whole JSON"),
    ],
)
def test_bad_json_is_one_sentence(text: str, says: str) -> None:
    """Every wrong file ends as a sentence about what is wrong."""
    with pytest.raises(DataError, match=re.escape(says)):
        from_json(text)


def test_json_has_a_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is too long is refused before it is parsed."""
    monkeypatch.setattr("engine.exchange.graph_json.MAX_CHARACTERS", 100)
    with pytest.raises(DataError, match="up to 100 are read"):
        from_json(to_json(chain(["a", "b"])))


def test_graphml_keeps_names_and_attributes() -> None:
    """The file is XML, networkx reads it, and each exact name is the label or stands beside it as JSON."""
    graph = chain(HOSTILE)
    text = to_graphml(graph)
    ElementTree.fromstring(text)  # noqa: S314  (our own text)
    back = nx.parse_graphml(text)
    names = [
        json.loads(words["name_json"]) if "name_json" in words else words["label"] for _, words in back.nodes(data=True)
    ]
    assert names == HOSTILE
    assert [words for *_, words in back.edges(data=True)] == [
        {**words, "strength": float(words["strength"])} for *_, words in graph.edges(data=True)
    ]
    assert "<script" not in text
    text.encode()


def test_dot_quotes_every_name() -> None:
    """Taking all quoted strings out leaves only our own language, and each label reads back."""
    names = [name for name in HOSTILE if not re.search("[\x00-\x08\x1b\ud800\r]", name)]
    text = to_dot(chain(HOSTILE))
    quoted = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
    rest = quoted.sub("Q", text)
    lines = [line for line in rest.splitlines() if not re.fullmatch(r"  n\d+( -> n\d+)? \[(Q=Q(, )?)+\];", line)]
    assert lines == ["digraph {", "  node [shape=box];", "}"]
    labels = [undo_dot(label) for label in re.findall(r'^  n\d+ \["label"="((?:[^"\\]|\\.)*)"\];$', text, re.M)]
    assert [label for label in labels if label in names] == names
    text.encode()


def test_dot_draws_an_undirected_edge_once() -> None:
    """In a CPDAG without arrowhead; in an undirected graph with two dashes."""
    both = to_dot(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")]))
    assert both.count("->") == 2
    assert both.count('"dir"="none"') == 1
    assert "n0 -- n1" in to_dot(nx.Graph([("a", "b")]))


def test_bif_round_trip_with_hostile_names_and_levels() -> None:
    """Names, level names, arcs and every probability come back exactly."""
    levels = [[f"{level} {i}" if i % 2 else level for level in ("no; } ", "<b>", 'x"y')] for i in range(len(HOSTILE))]
    data = random_data(HOSTILE, levels)
    graph = chain(HOSTILE)
    graph.add_edge(HOSTILE[0], HOSTILE[3])
    text = to_bif(graph, data)
    assert not set("<>&\"'=\\") & set(text)
    assert text.isascii()
    back, cpts, found = from_bif(text)
    assert list(back.nodes) == HOSTILE
    assert set(back.edges) == set(graph.edges)
    assert found == {name: tuple(v) for name, v in data.levels.items()}
    assert cpts[HOSTILE[3]].parents == (HOSTILE[0], HOSTILE[2])
    table = cpts[HOSTILE[3]].table
    for where in np.ndindex(3, 3):
        rows = (data.column(HOSTILE[0]) == where[0]) & (data.column(HOSTILE[2]) == where[1])
        counts = [int((rows & (data.column(HOSTILE[3]) == k)).sum()) + 1 for k in range(3)]
        assert table[where].tolist() == pytest.approx([c / sum(counts) for c in counts], abs=0)


def test_pyagrum_reads_our_bif(tmp_path) -> None:
    """Another program finds the same tables in our file, hostile names included."""
    gum = pytest.importorskip("pyagrum")
    names = ["smoking status", "cough", "=age", "v1"]
    data = random_data(names, [["no", "yes"], ["0", "1", "2"], ["<40", "40+"], ["true", "false"]])
    graph = nx.DiGraph([("smoking status", "cough"), ("=age", "cough"), ("cough", "v1")])
    text = to_bif(graph, data, alpha=0.5)
    (tmp_path / "net.bif").write_text(text)
    net = gum.loadBN(str(tmp_path / "net.bif"))
    words = re.findall(r"^variable (\S+) ", text, re.M)
    _, cpts, _ = from_bif(text)
    assert net.size() == 4
    for name, word in zip(names, words, strict=True):
        theirs = net.cpt(word)
        order = [*(words[names.index(p)] for p in cpts[name].parents), word]
        ours = np.transpose(cpts[name].table, [order.index(v) for v in reversed(theirs.names)])
        np.testing.assert_allclose(theirs[:], ours, atol=1e-12)


COMMON = """// a file of another program
network "dog problem" { property credal no; }
variable light { type discrete [ 2 ] { true, false }; property position = (1, 2) ; }
variable family { type discrete[2] {true,false}; }
variable age { type discrete [ 3 ] { <5, 5-12, >12 }; }
probability ( light | family ) { table 0.6, 0.05, 0.4, 0.95; }  /* child slowest */
probability ( family ) { table 0.15 0.85; }
probability ( age | family, light ) {
  (true, false) 0.2, 0.3, 0.5;
  default 0.1, 0.1, 0.8;
}
"""


def test_bif_of_other_programs_is_read() -> None:
    """Comments, quoted names, whole tables and default lines mean what the format says."""
    graph, cpts, levels = from_bif(COMMON)
    assert set(graph.edges) == {("family", "light"), ("family", "age"), ("light", "age")}
    assert levels["age"] == ("<5", "5-12", ">12")
    assert cpts["light"].table.tolist() == [[0.6, 0.4], [0.05, 0.95]]
    assert cpts["age"].parents == ("family", "light")
    assert cpts["age"].table[0, 1].tolist() == [0.2, 0.3, 0.5]
    assert cpts["age"].table[1, 1].tolist() == [0.1, 0.1, 0.8]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (COMMON, "", "no variables"),
        (COMMON, "<xml/>", "line 1"),
        ("[ 3 ]", "[ 4 ]", "not as many"),
        ("0.15 0.85", "0.15 0.8x", "is not a number"),
        ("0.15 0.85", "0.15 0.45", "do not add up"),
        ("0.15 0.85", "-0.15 1.15", "negative"),
        ("0.15 0.85", "nan nan", "lacks some"),
        ("0.15 0.85", "0.15", "lists 1 numbers where 2 belong"),
        ("  default 0.1, 0.1, 0.8;\n", "", "lacks some"),
        ("(true, false)", "(true, maybe)", "the level 'maybe'"),
        ("(true, false)", "(true)", "names 1 levels for 2 parents"),
        ("| family )", "| nobody )", "'nobody' is not one of the variables"),
        ("( family ) { table", "( family | light ) { default", "'light' -> 'family' -> 'light'"),
        ("probability ( light | family )", "probability ( light | light )", "stands twice"),
        ("variable family", "variable light", "described before"),
        ('"dog problem"', '"dog problem', "line"),
        ("property position = (1, 2)", "property diptych_name t%FF", "percent-encoded"),
        ("property position = (1, 2)", "property diptych_levels t1", "does not fit"),
        ("property position = (1, 2)", "property diptych_name tage", "same name"),
    ],
)
def test_bad_bif_is_one_sentence(old: str, new: str, says: str) -> None:
    """What is wrong in a BIF file is said, with its line where there is one."""
    assert old in COMMON
    with pytest.raises(DataError, match=re.escape(says)):
        from_bif(COMMON.replace(old, new))


def test_bif_needs_a_dag_over_the_data() -> None:
    """Circles, undirected edges, unknown variables, bad pseudo-counts and huge tables are refused."""
    data = random_data(["a", "b"], [["0", "1"]] * 2)
    for arcs, says in (
        ([("a", "b"), ("b", "a")], "direct the undirected"),
        ([("a", "a")], "circle"),
        ([("a", "z")], "no variable 'z'"),
    ):
        with pytest.raises(DataError, match=says):
            to_bif(nx.DiGraph(arcs), data)
    with pytest.raises(SettingsError, match="alpha"):
        to_bif(nx.DiGraph([("a", "b")]), data, alpha=0)
    names = [f"v{i}" for i in range(12)]
    wide = random_data(names, [list("0123456789")] * 12, n=5)
    with pytest.raises(DataError, match="fewer parents"):
        to_bif(nx.DiGraph([(name, "v0") for name in names[1:]]), wide)


def test_graphml_with_labels_comes_back_by_name() -> None:
    """A stranger sees the label and the name beside it; our reader takes the name."""
    text = to_graphml(nx.DiGraph([("q1", "age")]), {"q1": "Felt sad"})
    nodes = dict(nx.parse_graphml(text).nodes(data=True))
    assert nodes["n0"] == {"label": "Felt sad", "name": "q1", "name_json": '"q1"'} and nodes["n1"] == {"label": "age"}
    assert set(from_graphml(text.encode()).nodes) == {"q1", "age"}
