"""From an ugly file to a ROC curve, with every default as it is proposed; and networks in files of other programs."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from engine import exchange
from engine.data.preparing.roles import propose_roles
from engine.methods.discriminative.result import DiscriminativeResult
from tests.engine.methods.discriminative.make import METHOD, dataset, row_frame, series_frame


def ugly_long() -> bytes:
    """Rows in no order, an extra id column, steps that are missing, numbers with gaps, 14 subjects of two classes."""
    frame = series_frame(subjects=21, steps=60, numbers=True)
    frame = frame[frame["who"].map(lambda name: int(name[1:]) % 2 == 0 or int(name[1:]) < 9)]
    rng = np.random.default_rng(0)
    frame = frame.drop(index=rng.choice(frame.index, 25, replace=False))
    for name in ("v0", "v2"):
        frame.loc[rng.choice(frame.index, 30, replace=False), name] = np.nan
    frame = frame.rename(columns={"who": "Patient ID", "time": "Visit (day)", "class": "Diagnosis"})
    frame = frame.sample(frac=1, random_state=1)
    frame.insert(0, "record_id", np.arange(len(frame)) + 10_000)
    return frame.to_csv(index=False, na_rep="n/a").encode()


def ugly_wide() -> bytes:
    """One row a person, an id, gaps, a third of them ill; semicolons."""
    frame = row_frame(240)
    rng = np.random.default_rng(0)
    frame["v4"] = rng.normal(50, 10, len(frame)).round(1)
    frame = frame.rename(columns={"class": "Diagnosis"})
    for name in ("v1", "v4"):
        frame.loc[rng.choice(frame.index, 12, replace=False), name] = None
    frame.insert(0, "patient_id", [f"P{i:04d}" for i in rng.permutation(len(frame))])
    return frame.to_csv(index=False, sep=";").encode()


@pytest.mark.parametrize("name", ["long", "wide"])
def test_an_ugly_file_leads_to_a_curve_by_defaults_alone(name: str) -> None:
    """Roles, kinds and the class column as proposed; no id is a variable; the ill are told from the well."""
    content = {"long": ugly_long, "wide": ugly_wide}[name]()
    table = engine.read_table(content, name=f"{name}.csv")
    roles = propose_roles(table)
    expected = {"Patient ID": "subject", "Visit (day)": "time", "Diagnosis": "outcome"}
    assert roles == (expected if name == "long" else {})
    data = engine.Dataset.from_frame(table, roles=roles)
    assert not {"record_id", "patient_id", "Patient ID", "Visit (day)"} & set(data.names)
    method = engine.Discriminative.propose(data)
    assert method.target == "Diagnosis"
    result = engine.Discriminative(method.target, shuffles=19).run(data)
    held = result.held_out
    assert result.series == (name == "long")
    assert held.n == (15 if name == "long" else len(data))
    assert held.unequal
    curve = held.roc("ill")
    assert curve.cases == held.sizes[held.classes.index("ill")]
    assert held.auc("ill").value > 0.75
    if name == "long":
        assert any("inside the series" in note for note in result.notes())
    assert pd.notna(held.p)


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
