"""The part of a wide network that is drawn: against a slow, plain version, and what it promises of any network."""

from __future__ import annotations

import math

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from engine.graphs.neighbourhood import neighbourhood

NAMES = [f"v{i}" for i in range(12)]
PAIRS = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda pair: pair[0] <= pair[1])
LINKS = st.dictionaries(PAIRS, st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, math.nan]), max_size=20)


def plain(links: dict[tuple[str, str], float], centre: list[str], most: int, first: int) -> tuple[str, ...]:
    """The same, looking through all links for every variable that is taken."""
    ranked = sorted(links, key=lambda pair: math.inf if math.isnan(links[pair]) else -links[pair])
    found = list(dict.fromkeys(centre))[:most]
    if not centre:
        for pair in ranked:
            if len({*found, *pair}) > min(first, most):
                break
            found += [name for name in dict.fromkeys(pair) if name not in found]
    while len(found) < most:
        touching = [pair for pair in ranked if (pair[0] in found) != (pair[1] in found)]
        apart = [pair for pair in ranked if not {*pair} & {*found} and len({*found, *pair}) <= most]
        if touching:
            found += [name for name in touching[0] if name not in found]
        elif apart and not centre:
            found += list(dict.fromkeys(apart[0]))
        else:
            break
    return tuple(found)


@given(LINKS, st.lists(st.sampled_from(NAMES), max_size=3), st.integers(1, 12), st.integers(0, 6))
def test_it_is_the_plain_version(links: dict[tuple[str, str], float], centre: list[str], most: int, first: int) -> None:
    """Whatever the network, the centre and the sizes."""
    assert neighbourhood(links, centre, most, first) == plain(links, centre, most, first)


@given(LINKS, st.sampled_from(NAMES))
def test_a_centre_hangs_together_with_all_of_it(links: dict[tuple[str, str], float], centre: str) -> None:
    """Everything around a centre can be reached from it inside the picture; with room enough it is all there is."""
    graph = nx.Graph()
    graph.add_edges_from(links)
    graph.add_node(centre)
    for most in (4, len(NAMES)):
        found = neighbourhood(links, [centre], most)
        assert found[0] == centre
        assert len(set(found)) == len(found) <= most
        assert nx.is_connected(graph.subgraph(found))
    assert set(found) == nx.node_connected_component(graph, centre)


def test_the_strongest_links_come_first() -> None:
    """Their ends, then what they touch, then the next strongest elsewhere; a chain is not followed for ever."""
    chain = {(f"a{i:02d}", f"a{i + 1:02d}"): 100.0 - i for i in range(40)}
    far = {("x", "y"): 99.5, ("y", "z"): 0.1}
    found = neighbourhood(chain | far)
    assert found[:4] == ("a00", "a01", "x", "y")
    assert len(found) == 30
    assert "z" not in found
