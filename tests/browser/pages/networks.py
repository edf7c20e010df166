"""A page for the browser tests: three networks with hostile names, and what came back from the last click."""

import networkx as nx
import numpy as np
import streamlit as st

from dashboard.network.boxes import node_height, node_sizes
from dashboard.network.component import network_panels
from dashboard.network.panel import Edge, Node, Panel
from dashboard.session.session import session
from engine.graphs.comparison import panels as statuses
from engine.graphs.drawing.layout import layout

st.set_page_config(layout="wide")

HOSTILE = [
    "![p](http://evil.example/p.png)",
    "<img src=http://evil.example/x onerror=alert(1)>",
    "href_code",
    "</script><script>document.title='ran'</script>",
    "blood pressure, systolic",
    "age",
    "smoking status at baseline",
]


def graph(names: list[str], arcs: int, seed: int) -> nx.DiGraph:
    rng = np.random.default_rng(seed)
    made = nx.DiGraph()
    made.add_nodes_from(names)
    for _ in range(arcs):
        a, b = sorted(rng.choice(len(names), 2, replace=False))
        made.add_edge(names[a], names[b])
    return made


many = int(st.query_params.get("nodes", "0"))
names = [f"marker {i} of panel {i % 4}" if i % 3 else f"sym_{i}" for i in range(many)] or HOSTILE
common = graph(names, len(names), 1)
a, b = common.copy(), common.copy()
a.add_edges_from(graph(names, max(2, len(names) // 6), 2).edges)
b.add_edges_from(graph(names, max(2, len(names) // 6), 3).edges)
first = next(iter(common.edges))
b.remove_edge(*first)
b.add_edge(*first[::-1])

held = session()
places = held.layouts.of(names, layout([common, a, b], sizes=node_sizes(names), height=node_height(names)))
odds = np.random.default_rng(0).normal(0, 1.5, len(names))
nodes = [Node(name, float(value), f"log10 odds {value:.2f}") for name, value in zip(names, odds, strict=True)]
least = (0.1, 0.5, 0.9) if "least" in st.query_params else ()
sure = (0.3, 0.95, 0.7)
drawn = [
    Panel(
        title,
        f"{rows:,} rows",
        nodes,
        [
            Edge(e.source, e.target, e.status, 0.3, "weight 3", p=sure[i % 3] if least else None)
            for i, e in enumerate(arcs)
        ],
    )
    for title, rows, arcs in zip(
        ("Placebo", "Treated <b>arm</b>", "Both groups"), (512, 498, 1010), statuses(a, b, common), strict=True
    )
]
st.title("Networks")
event = network_panels(
    drawn,
    places,
    held.picked.get("networks"),
    key="networks",
    words={"only_a": "only in placebo", "only_b": "only in treated"},
    evidence="groups alike … groups differ",
    least=least,
)
if event.node is not None or event.cleared:
    held.picked["networks"] = event.node
if event.moved:
    held.layouts.move(names, event.moved)
    st.text("moved: " + ", ".join(event.moved))
st.text(f"picked: {held.picked.get('networks')}")
st.text(f"edge: {event.edge}")
