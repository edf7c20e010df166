"""The real page of ordinal networks over two scales with hostile names."""

from pathlib import Path

import networkx as nx
import numpy as np
import streamlit as st

from dashboard.session.session import session
from engine.simulation.ordinal import cut_graph

st.set_page_config(layout="wide")

NAMES = ["a_![p](http://evil.example/p.png)", "a_<b>age</b>", "b_</script><i>", "b_=cmd()", "b_calm"]

state = session()
if state.dataset is None:
    graph = nx.DiGraph()
    graph.add_nodes_from(NAMES)
    graph.add_edge(NAMES[0], NAMES[2], weight=1.2)
    graph.add_edge(NAMES[1], NAMES[2], weight=1.2)
    graph.add_edge(NAMES[2], NAMES[3], weight=-1.2)
    graph.add_edge(NAMES[3], NAMES[4], weight=1.0)
    data = cut_graph(graph, 3).sample(250, np.random.default_rng(2))
    state.table, state.source, state.dataset = data.to_frame(), "**hostile**.csv", data
    state.begin("ordinal", {"draws": 20, "bootstrap": 10})

page = Path(__file__).parents[3] / "dashboard" / "app_pages" / "ordinal.py"
exec(compile(page.read_text(encoding="utf-8"), str(page), "exec"))  # noqa: S102
