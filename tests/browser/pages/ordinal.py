"""The real page of ordinal networks over two scales with hostile names, or over as many long ones as `items` says."""

from pathlib import Path

import networkx as nx
import numpy as np
import streamlit as st

from dashboard.session.session import session
from dashboard.styles import PAGE, sheet
from engine.simulation.ordinal import cut_graph

st.set_page_config(layout="wide")
st.html(sheet(PAGE))

HOSTILE = ["a_![p](http://evil.example/p.png)", "a_<b>age</b>", "b_</script><i>", "b_=cmd()", "b_calm"]
WORDS = ("feeling_down", "sleep_problems", "feeling_bad_about_self", "appetite", "worry_too_much", "trouble_relaxing")


def hostile() -> nx.DiGraph:
    """Five variables that four links join."""
    graph = nx.DiGraph()
    graph.add_nodes_from(HOSTILE)
    graph.add_edge(HOSTILE[0], HOSTILE[2], weight=1.2)
    graph.add_edge(HOSTILE[1], HOSTILE[2], weight=1.2)
    graph.add_edge(HOSTILE[2], HOSTILE[3], weight=-1.2)
    graph.add_edge(HOSTILE[3], HOSTILE[4], weight=1.0)
    return graph


def questionnaires(items: int) -> nx.DiGraph:
    """Items of two scales that depend on one or two before them."""
    names = [f"{'phq' if i < items // 2 else 'gad'}_{WORDS[i % len(WORDS)]}_{i}" for i in range(items)]
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for i in range(1, items):
        graph.add_edge(names[(i - 1) // 2], names[i], weight=0.9)
        graph.add_edge(names[max(0, i - 3)], names[i], weight=-0.5 if i % 3 else 0.5)
    return graph


state = session()
if state.dataset is None:
    items = int(st.query_params.get("items", "0"))
    graph = questionnaires(items) if items else hostile()
    data = cut_graph(graph, 3).sample(500 if items else 250, np.random.default_rng(2))
    state.table, state.source, state.dataset = data.to_frame(), "**hostile**.csv", data
    settings = {"approach": "gpc"} if items else {"draws": 20, "bootstrap": 10}
    state.begin("ordinal", settings)

page = Path(__file__).parents[3] / "dashboard" / "app_pages" / "ordinal.py"
exec(compile(page.read_text(encoding="utf-8"), str(page), "exec"))  # noqa: S102
