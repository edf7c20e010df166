"""The sample tables: made again byte for byte, readable, and true to what they say of themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import engine
import sample_data
from engine.data.preparing.dictionary import read_dictionary
from engine.graphs.pdag import skeleton
from sample_data import CATALOG
from sample_data.make import MAKERS, files

MADE = [key for key, sample in CATALOG.items() if sample.file]
TABLES = Path(sample_data.__file__).with_name("tables")


@pytest.fixture(scope="module")
def tables() -> dict[str, engine.Dataset]:
    """Every sample as a data set."""
    return {key: sample_data.dataset(key) for key in CATALOG}


def network(key: str) -> nx.DiGraph:
    """The true arcs as a graph."""
    return nx.DiGraph([tuple(arc) for arc in sample_data.truth(key)["arcs"]])


@pytest.mark.parametrize("key", MADE)
def test_files_are_what_the_script_makes(key: str) -> None:
    """Running the script again gives the committed files, byte for byte."""
    for name, content in files(key).items():
        assert (TABLES / name).read_bytes() == content
        assert sample_data.file_bytes(name) == content


def test_nothing_else_lies_in_the_folder() -> None:
    """Every file belongs to a sample, and every sample has its maker."""
    named = {f for s in CATALOG.values() for f in (s.file, s.dictionary_file, s.truth_file) if f}
    assert {path.name for path in TABLES.iterdir()} == named
    assert set(MADE) == set(MAKERS)


@pytest.mark.parametrize("key", CATALOG)
def test_every_sample_opens(key: str, tables: dict[str, engine.Dataset]) -> None:
    """Table and data set open, the card has its words, the settings name what is there."""
    sample, data = CATALOG[key], tables[key]
    assert data.n_rows > 200
    assert sample.title
    assert sample.story.endswith(".")
    assert sample.question.endswith("?")
    group = sample.settings.get("group")
    if group is not None:
        assert set(sample.settings["groups"]) == set(data.levels[group])


@pytest.mark.parametrize("key", MADE)
def test_dictionaries_fit_their_tables(key: str, tables: dict[str, engine.Dataset]) -> None:
    """A dictionary describes every column and no other, without a problem, and its level order holds."""
    table = sample_data.load(key)
    dictionary = read_dictionary(sample_data.file_bytes(CATALOG[key].dictionary_file))
    _, problems = dictionary.choices(table.columns)
    assert dictionary.problems == problems == ()
    assert len(dictionary.entries) == table.shape[1]
    for entry in dictionary.entries:
        if entry.levels:
            assert tables[key].levels[entry.name] == entry.levels


def test_two_hospitals_differ_in_one_thing(tables: dict[str, engine.Dataset]) -> None:
    """The comparison finds the one changed variable, in the one context, and nothing else."""
    truth = sample_data.truth("two_hospitals")
    result = engine.GroupDifference(**CATALOG["two_hospitals"].settings).run(tables["two_hospitals"])
    assert list(result.log_odds[result.log_odds > 0].index) == truth["changed"]
    contexts = result.contexts("early_antibiotics").set_index("context")["posterior_different"]
    assert list(contexts[contexts > 0.5].index) == ["severity = severe, admission = night"]
    assert truth["contexts"][0]["context"] == {"severity": "severe", "admission": "night"}
    learned = engine.learn(tables["two_hospitals"].select(v for v in tables["two_hospitals"].names if v != "hospital"))
    assert skeleton_edges(learned) == skeleton_edges(network("two_hospitals"))


def skeleton_edges(graph: nx.Graph) -> set[frozenset[str]]:
    """Edges without direction."""
    return {frozenset(edge) for edge in skeleton(graph).edges}


def test_age_is_irrelevant_to_cough_without_smoke(tables: dict[str, engine.Dataset]) -> None:
    """Cough rates by age are alike among non-smokers and far apart among smokers, and both patients exist as rows."""
    table, truth = tables["cough_and_smoke"].to_frame(), sample_data.truth("cough_and_smoke")
    rate = table.assign(cough=table["cough"] == "yes").groupby(["smoking", "age"], observed=True)["cough"].mean()
    assert np.ptp(rate["no"]) < 0.06
    assert np.ptp(rate["yes"]) > 0.3
    for patient in truth["patients"]:
        assert all(level in tables["cough_and_smoke"].levels[name] for name, level in patient["instance"].items())
    assert [p["instance"]["smoking"] for p in truth["patients"]] == ["no", "yes"]


def test_symptoms_follow_their_thresholds() -> None:
    """Level shares are those of a cut standard normal, and about one answer in a hundred is missing."""
    from scipy.stats import norm

    table, truth = sample_data.load("symptoms"), sample_data.truth("symptoms")
    assert 0.002 < float(table.isna().to_numpy().mean()) < 0.02
    assert np.linalg.eigvalsh(np.array(truth["correlation"])).min() > 0
    for entry in read_dictionary(sample_data.file_bytes("symptoms_dictionary.csv")).entries:
        shares = table[entry.name].value_counts(normalize=True).reindex(entry.levels).to_numpy(dtype=float)
        expected = np.diff([0.0, *norm.cdf(truth["thresholds"][entry.name]), 1.0])
        assert np.abs(shares - expected).max() < 0.07


def test_the_survey_has_a_chordal_truth(tables: dict[str, engine.Dataset]) -> None:
    """The true association model is decomposable, over all variables but none outside, and can be found."""
    truth = nx.Graph([tuple(edge) for edge in sample_data.truth("health_survey")["edges"]])
    assert nx.is_chordal(truth)
    assert set(truth) <= set(tables["health_survey"].names)
    found = skeleton_edges(engine.learn(tables["health_survey"], engine.BDeu(), search="hill_climbing"))
    true = {frozenset(edge) for edge in truth.edges}
    assert len(found & true) / len(true) > 0.8
    assert len(found & true) / len(found) > 0.8


def test_the_export_keeps_its_traps() -> None:
    """Read without any help: numbers with decimal commas are numbers, the id, dates and remarks are left out."""
    table = sample_data.load("clinic_export")
    assert table.shape == (300, 30)
    kinds = {c.name: c.kind for c in engine.Dataset.from_frame(table).report.columns}
    assert {kinds[name] for name in ("Patient-ID", "Visit date", "Remarks", "Export version")} == {"ignore"}
    assert kinds["HbA1c %"] == kinds["Weight kg"] == "continuous"


def test_breast_cancer_is_the_real_one(tables: dict[str, engine.Dataset]) -> None:
    """569 rows, 30 measures, and the diagnosis in words."""
    data = tables["breast_cancer"]
    assert (data.n_rows, data.n_variables) == (569, 31)
    counts = dict(zip(data.levels["diagnosis"], np.bincount(data.column("diagnosis")).tolist(), strict=True))
    assert counts == {"benign": 357, "malignant": 212}


def test_unknown_names_are_refused() -> None:
    """Neither another key nor a path gets anything but a sentence."""
    with pytest.raises(engine.DataError, match="two_hospitals"):
        sample_data.load("nothing")
    with pytest.raises(engine.DataError, match="CATALOG"):
        sample_data.file_bytes("../__init__.py")


def test_the_catalog_is_light() -> None:
    """Importing the catalog loads neither pandas nor scikit-learn."""
    code = "import sys, sample_data; print(json.dumps([m for m in ('pandas', 'sklearn') if m in sys.modules]))"
    out = subprocess.run([sys.executable, "-c", "import json; " + code], capture_output=True, text=True, check=True)
    assert json.loads(out.stdout) == []
