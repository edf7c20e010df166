"""Networks that somebody brings: every format, every sort of line, and what is refused."""

from __future__ import annotations

import networkx as nx
import pandas as pd
import pytest

import engine
from engine.exchange.bif import to_bif
from engine.exchange.graph_json import to_json
from engine.exchange.graphml_dot import to_dot, to_graphml
from engine.exchange.network_reader import (
    MOST_EDGES,
    MOST_VARIABLES,
    Columns,
    NetworkRead,
    directed,
    guess_columns,
    network_from_table,
    read_network,
)
from tests.engine.make import random_data


def listed(text: str, columns: Columns | None = None) -> NetworkRead:
    """The network of an edge list in CSV."""
    table = read_network(text.encode(), "edges.csv")
    assert not isinstance(table, NetworkRead)
    return network_from_table(table, columns or guess_columns(table))


def test_an_edge_list_becomes_arcs_lines_and_scores() -> None:
    """Directed or not, scored or not, and a line with one name is a variable without an edge."""
    found = listed("from,to,directed,weight\na,b,yes,0.5\nb,c,no,2\nc,b,1,3\nlonely,,,\n")
    assert set(found.graph.edges) == {("a", "b"), ("b", "c"), ("c", "b")}
    assert list(found.graph.nodes) == ["a", "b", "c", "lonely"]
    assert found.scores == {frozenset("ab"): 0.5, frozenset("bc"): 3.0}
    assert found.notes == (
        "1 line with fewer than two names: no edge, but the name counts.",
        "1 edge listed more than once; each counts once.",
    )


def test_numbers_are_names_without_a_point() -> None:
    """Variables called 1, 2, 3 keep these names, also where a cell is empty."""
    assert list(listed("source,target\n1,2\n2,3\n4,\n").graph.nodes) == ["1", "2", "3", "4"]
    table = pd.DataFrame({"source": [1.0, 2.0], "target": [2.0, None]})
    assert list(network_from_table(table, guess_columns(table)).graph.nodes) == ["1", "2"]


def test_whole_scores_may_be_missing() -> None:
    """A link without a score has none, also where the scores are whole numbers."""
    found = listed("from,to,score\na,b,3\nb,c,\nc,d,2\n")
    assert found.graph.number_of_edges() == 3
    assert found.scores == {frozenset("ab"): 3.0, frozenset("cd"): 2.0}


def test_a_column_of_types_that_says_nothing_of_directions_is_not_guessed() -> None:
    """ "type" may be anything; one with a single yes or no is meant, and its slips are told."""
    assert set(listed("from,to,type\na,b,causal\n").graph.edges) == {("a", "b")}
    with pytest.raises(engine.DataError, match="Row 2"):
        listed("from,to,type\na,b,Undirected\nb,c,causal\n")


def test_an_arc_listed_both_ways_is_undirected() -> None:
    """As in a CPDAG."""
    assert set(listed("source,target\na,b\nb,a\n").graph.edges) == {("a", "b"), ("b", "a")}


@pytest.mark.parametrize(
    ("header", "guess"),
    [
        ("Source,Target", Columns("Source", "Target")),
        ("weight,child,parent", Columns("parent", "child", None, "weight")),
        ("left,right,score", Columns("left", "right", None, "score")),
        ("to,from,type,note", Columns("from", "to", "type", None)),
    ],
)
def test_columns_are_known_by_their_usual_names(header: str, guess: Columns) -> None:
    """In any order; without usual names the first two are the ends; a score must be numbers."""
    names = header.split(",")
    values = {"weight": 1.5, "score": 1.5, "type": "Directed"}
    table = pd.DataFrame({name: [values.get(name, "x")] for name in names})
    assert guess_columns(table) == guess


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("source,target\na,b\nb,b\n", "Row 2"),
        ("source,target,directed\na,b,yes\nb,c,perhaps\n", "yes or no"),
        ("only\na\nb\n", "two columns"),
    ],
)
def test_a_bad_line_is_named(text: str, words: str) -> None:
    """One sentence says where and what to do."""
    with pytest.raises(engine.DataError, match=words):
        listed(text)


def test_one_column_is_not_both_ends_and_nothing_is_too_large() -> None:
    """Wrong choices and tables or networks beyond the limits are refused before work."""
    table = pd.DataFrame({"a": ["x"], "b": ["y"]})
    with pytest.raises(engine.DataError, match="same column"):
        network_from_table(table, Columns("a", "a"))
    with pytest.raises(engine.DataError, match="lines"):
        network_from_table(pd.DataFrame({"a": ["x"] * (MOST_EDGES + 1), "b": "y"}), Columns("a", "b"))
    with pytest.raises(engine.DataError, match="variables"):
        directed(nx.empty_graph(MOST_VARIABLES + 1))


def test_what_diptych_saves_is_read_again() -> None:
    """JSON of a DAG, a CPDAG and an undirected graph, and BIF."""
    data = random_data(50, 4, 4, 1)
    dag = nx.DiGraph()
    dag.add_nodes_from(data.names)
    dag.add_edges_from([(data.names[0], data.names[1]), (data.names[2], data.names[1])])
    cpdag = dag.copy()
    cpdag.add_edge(data.names[1], data.names[0])
    for text, wanted in (
        (to_json(dag), dag),
        (to_json(cpdag), cpdag),
        (to_json(dag.to_undirected()), dag.to_undirected().to_directed()),
        (to_bif(dag, data), dag),
    ):
        found = read_network(text.encode(), "network")
        assert isinstance(found, NetworkRead)
        assert set(found.graph.edges) == set(wanted.edges)
        assert set(found.graph.nodes) == set(data.names)


@pytest.mark.parametrize("text", [to_graphml(nx.path_graph(3)), to_dot(nx.path_graph(3)), '{"a": 1}', "graph G {a--b}"])
def test_formats_that_are_not_read_say_what_is(text: str) -> None:
    """GraphML, DOT and somebody else's JSON are refused in a sentence."""
    with pytest.raises(engine.DataError, match=r"not read here|saved by Diptych|lacks|unknown key"):
        read_network(text.encode(), "network.txt")


def test_the_size_counts_edges_without_direction_once() -> None:
    """Variables, arcs, and pairs of opposite arcs."""
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
    graph.add_node("d")
    assert NetworkRead(graph).size == (4, 1, 1)
