"""A network out of any file: what we write comes back, what strangers write is read or refused in a sentence."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

import engine
import sample_data
from engine.exchange import graphml_reader
from engine.exchange.graphml_reader import from_graphml

DAG = nx.DiGraph([("age", "chest x ray"), ("smoking", "cough <&>"), ("age", "cough <&>")])
LINES = nx.Graph([("age", "cough"), ("cough", "smoking")])
CPDAG = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
HOSPITALS = sample_data.dataset("two_hospitals")
FLAT = nx.DiGraph([("age", "severity"), ("hospital", "severity")])


def same(one: nx.Graph, other: nx.Graph) -> bool:
    """Nodes, edges and whether they have directions."""
    edges = [
        {tuple(edge) if graph.is_directed() else tuple(sorted(edge)) for edge in graph.edges} for graph in (one, other)
    ]
    return set(one) == set(other) and edges[0] == edges[1] and one.is_directed() == other.is_directed()


@pytest.mark.parametrize("graph", [DAG, LINES, CPDAG], ids=["dag", "lines", "cpdag"])
@pytest.mark.parametrize("write", [engine.exchange.to_json, engine.exchange.to_graphml])
def test_what_we_write_comes_back(graph: nx.Graph, write: Callable[[nx.Graph], str], tmp_path: Path) -> None:
    """By its bytes, by a path, and by an open file."""
    content = write(graph).encode()
    (tmp_path / "network").write_bytes(content)
    for source in (content, tmp_path / "network", str(tmp_path / "network"), io.BytesIO(content)):
        assert same(engine.exchange.read_graph(source), graph)


def test_bif_and_edge_lists_come_back() -> None:
    """Probabilities and scores are passed over; lines run both ways."""
    bif = engine.exchange.to_bif(FLAT, HOSPITALS).encode()
    assert same(engine.exchange.read_graph(bif), FLAT)
    listed = b"source;target;directed;score\na;b;no;0.5\nb;c;yes;1\n"
    assert same(engine.exchange.read_graph(listed, "edges.csv"), CPDAG)


def test_names_are_the_surest_that_a_file_has() -> None:
    """The exact one, the label, the name, the id; yEd's label inside its own elements."""
    text = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="yed">
    <key id="d0" for="node" attr.name="label"/><key id="d1" for="node" attr.name="name_json"/>
    <key id="d2" for="node" attr.name="name"/><key id="d3" for="node" yfiles.type="nodegraphics"/>
    <graph edgedefault="directed"><node id="n0"><data key="d0">shown</data><data key="d1">"ex\\u0007act"</data></node>
    <node id="n1"><data key="d2">named</data><data key="d0">label</data></node><node id="n2"/>
    <node id="n3"><data key="d3"><y:ShapeNode><y:NodeLabel>yed's</y:NodeLabel></y:ShapeNode></data></node>
    <node id="n4"><data key="d1">not json</data><data key="d2">named</data></node>
    <edge source="n0" target="n1"/><edge source="n1" target="n2" directed="false"/></graph></graphml>"""
    found = from_graphml(text.encode())
    assert set(found) == {"ex\x07act", "label", "n2", "yed's", "named"}
    assert set(found.edges) == {("ex\x07act", "label"), ("label", "n2"), ("n2", "label")}


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><graphml><graph><node id="&c;"/></graph></graphml>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>
<graphml><graph><node id="a"><data key="d">&e;</data></node></graph></graphml>"""


def graphml(inside: str) -> bytes:
    """A file around nodes and edges."""
    return f"<graphml><graph edgedefault='directed'>{inside}</graph></graphml>".encode()


NODES = "<node id='a'/><node id='b'/>"
HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "spaces": (b" \n ", "empty"),
    "laughs": (LAUGHS, "document type or an entity"),
    "outside": (OUTSIDE, "document type or an entity"),
    "cut": (graphml(NODES)[:-5], "at line 1"),
    "no xml": (b"<<<<", "at line 1"),
    "another encoding": (b"<?xml version='1.0' encoding='ebcdic-nowhere'?><graphml/>", "cannot be read"),
    "not utf-8": (b"<graphml><graph><node id='\xff'/></graph></graphml>", "at line 1"),
    "deep": (b"<graphml>" + b"<graph><node id='a'>" + b"<x>" * 200, "nest too deep"),
    "graph in graph": (graphml("<node id='a'><graph/></node>"), "inside another"),
    "many nodes": (graphml("".join(f"<node id='n{i}'/>" for i in range(1001))), "more than 1,000 variables"),
    "many edges": (graphml(NODES + "<edge source='a' target='b'/>" * 200_001), "more than 200,000 edges"),
    "no nodes": (graphml(""), "no variables"),
    "no id": (graphml("<node/>"), "no id"),
    "id twice": (graphml("<node id='a'/><node id='a'/>"), "that of another"),
    "edge to nobody": (graphml(NODES + "<edge source='a' target='c'/>"), "leads to no variable"),
    "edge from nobody": (graphml(NODES + "<edge target='b'/>"), "leads to no variable"),
    "loop": (graphml(NODES + "<edge source='a' target='a'/>"), "to itself"),
    "hyperedge": (graphml(NODES + "<hyperedge/>"), "more than two"),
    "long name": (
        b"<graphml><key id='d' for='node' attr.name='label'/><graph><node id='a'><data key='d'>"
        + b"x" * 20_000
        + b"</data></node></graph></graphml>",
        "too long",
    ),
    "names twice": (
        b"<graphml><key id='d' for='node' attr.name='label'/><graph><node id='a'><data key='d'>x</data></node>"
        b"<node id='x'/></graph></graphml>",
        "same name",
    ),
    "gexf": (b"<gexf></gexf>", "not read here"),
    "dot": (b"digraph { a -> b }", "not read here"),
    "deep json": (b'{"a":' + b"[" * 100_000, "nest"),
    "other json": (b'{"a": 1}', "unknown key|lacks|not a network"),
    "circle": (
        engine.exchange.to_json(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])).encode(),
        "circle|cycle",
    ),
    "broken bif": (b"network x {\n}\nvariable a {", "line"),
    "one column": (b"a\nb\nc\n", "two columns|one"),
    "zeros": (b"\x00" * 100, "."),
    "pickle": (b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00}", "."),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_network_is_refused_in_a_sentence(name: str) -> None:
    """Nothing outside is opened, nothing grows, and one sentence says why."""
    content, words = HOSTILE[name]
    begun = time.perf_counter()
    with pytest.raises(engine.DataError, match=words) as told:
        engine.exchange.read_graph(content)
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)
    assert time.perf_counter() - begun < 5


def test_sources_that_are_none_are_refused(tmp_path: Path) -> None:
    """No file, a folder, a text file that is open, a number."""
    with pytest.raises(engine.DataError, match="no file 'nowhere'"):
        engine.exchange.read_graph(tmp_path / "nowhere")
    with pytest.raises(engine.DataError, match="is a folder"):
        engine.exchange.read_graph(tmp_path)
    with pytest.raises(engine.DataError, match="for bytes"):
        engine.exchange.read_graph(io.StringIO("a,b"))  # type: ignore[arg-type]
    with pytest.raises(engine.DataError, match="Give a path, bytes"):
        engine.exchange.read_graph(7)  # type: ignore[arg-type]


def test_limits_are_those_of_what_is_compared() -> None:
    """As many variables and edges as an edge list may have."""
    assert graphml_reader.MOST_NODES == engine.exchange.network_reader.MOST_VARIABLES
    assert graphml_reader.MOST_EDGES == engine.exchange.network_reader.MOST_EDGES
