"""A network of two steps in other programs' files, and back."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import engine
from engine import exchange
from engine.methods.discriminative.result import DiscriminativeResult
from tests.engine.methods.discriminative.make import METHOD, dataset, row_frame, series_frame


@pytest.fixture(scope="module")
def found() -> DiscriminativeResult:
    """Series with a name that no file may take for its own."""
    return replace(METHOD, shuffles=0).run(dataset(series_frame().rename(columns={"v0": 'a "b" <c>; {d}'})))


def test_both_steps_have_their_names_in_every_file(found: DiscriminativeResult) -> None:
    """GraphML, DOT and JSON; arcs run from t to t + 1."""
    graph = found.graphs()["ill"]
    again = nx.parse_graphml(exchange.to_graphml(graph))
    assert set(again.nodes) | {data.get("label") for _, data in again.nodes(data=True)} >= {"v1 (t)", "v1 (t+1)"}
    assert again.number_of_edges() == graph.number_of_edges()
    assert "v1 (t+1)" in exchange.to_dot(graph)
    assert set(exchange.from_json(exchange.to_json(graph)).edges) == set(graph.edges)
    assert all(source.endswith("(t)") and target.endswith("(t+1)") for source, target in graph.edges)


@pytest.mark.parametrize("title", ["ill", "well"])
def test_bif_has_the_probabilities_that_verdicts_use(found: DiscriminativeResult, title: str) -> None:
    """Names, levels and tables come back; the first step has the class's shares."""
    network = found.fitted(title)
    graph, tables, levels = exchange.from_bif(exchange.network_to_bif(network))
    assert set(graph.edges) == set(found.graphs()[title].edges)
    one = tables["v1 (t+1)"]
    asked = found.cpt(title, "v1")["probability used"].to_numpy()
    assert one.table.ravel() == pytest.approx(asked)
    assert levels["v1 (t)"] == found.levels[found.variables_in_order.index("v1")]
    assert tables["v1 (t)"].table.sum() == pytest.approx(1.0)


def test_networks_over_rows_answer_queries() -> None:
    """As any fitted network does."""
    rows = METHOD.run(engine.Dataset.from_frame(row_frame()))
    network = rows.fitted("ill")
    assert network.names == rows.variables_in_order
    assert network.query("v1").sum() == pytest.approx(1.0)
    sample = network.sample(50, np.random.default_rng(0))
    assert sample.shape == (50, 4)
    with pytest.raises(engine.SettingsError, match="no network 'odd'"):
        rows.fitted("odd")
