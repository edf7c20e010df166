"""The sample tables: made again byte for byte, readable, and true to what they say of themselves."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import types
from itertools import product
from pathlib import Path
from statistics import NormalDist

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.special import xlogy
from scipy.stats import mannwhitneyu

import engine
import sample_data
from engine.data.preparing.dictionary import read_dictionary
from engine.data.series import series
from engine.graphs.pdag import skeleton
from engine.methods.registry import METHODS
from sample_data import CATALOG
from sample_data.make import MAKERS, files
from sample_data.regions import LEVELS, SCANS, behind, regions
from sample_data.worked_examples import EXAMPLE, START, example_file, example_of, first_answer

MADE = [key for key, sample in CATALOG.items() if sample.truth_file]
DESCRIBED = [key for key, sample in CATALOG.items() if sample.dictionary_file]
PUBLIC = {
    "adhd": "2557b96c35799b517bc9d02b804d5d749df133df66136fe1f4e4b71f5c46e489",
    "boredom": "fb52efc6583113e17debf629731d747bc2c73706096d46d34461b7e4e830e6bf",
}
"""Table of others -> SHA-256 of the file as it was copied."""
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
    """Every file belongs to a sample or is the worked example's answer, and a sample has its maker or its source."""
    named = {f for s in CATALOG.values() for f in (s.file, s.dictionary_file, s.truth_file) if f} | {
        example_file(slug).name for slug in (START, *METHODS, "compare") if example_of(slug) is not None
    }
    assert {path.name for path in TABLES.iterdir()} == named
    assert set(MADE) == set(MAKERS)
    assert {key for key, s in CATALOG.items() if s.source} == set(PUBLIC) == set(DESCRIBED) - set(MADE)


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


@pytest.mark.parametrize("key", DESCRIBED)
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


def test_sepsis_differs_in_lactate_alone(tables: dict[str, engine.Dataset]) -> None:
    """Numbers stay numbers in their units, the true difference is called alone, and its medians are pandas'."""
    data, truth, result = tables[EXAMPLE], sample_data.truth(EXAMPLE), first_answer()
    units = {name: summary.unit for name, summary in result.numbers.items()}
    assert units == {"age": "years", "lactate": "mmol/L", "creatinine": "µmol/L"} and set(data.numbers) == set(units)
    assert list(result.verdicts.index[result.verdicts["verdict"] == "differs"]) == truth["changed"]
    table = data.to_frame().assign(lactate=sample_data.load(EXAMPLE)["lactate"].to_numpy())
    here = table[(table["shock"] == "yes") & (table["admission"] == "night")]
    medians = here.groupby("hospital", observed=True)["lactate"].median()
    said = result.headline()
    assert f"median {medians['South']:.1f} (IQR" in said and f" v {medians['North']:.1f} (" in said
    learned = engine.learn(data.select(name for name in data.names if name not in ("hospital", "source")))
    assert skeleton_edges(learned) <= skeleton_edges(network(EXAMPLE))


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


def test_one_link_joins_the_two_questionnaires(tables: dict[str, engine.Dataset]) -> None:
    """Without the bridge they fall apart, one pair stands alone, and both show in the answers."""
    truth, graph = sample_data.truth("two_questionnaires"), network("two_questionnaires")
    assert {scale: len(names) for scale, names in truth["scales"].items()} == {"obs": 10, "dep": 14}
    parts = sorted(map(len, nx.weakly_connected_components(graph)))
    assert parts == [2, 22]
    bridge, apart = tuple(truth["bridge"]), set(truth["apart"])
    assert [arc for arc in graph.edges if arc[0][:3] != arc[1][:3]] == [bridge]
    assert apart in list(nx.weakly_connected_components(graph))
    assert truth["bridge"] in truth["directed"]
    best = engine.graphs.cpdag(graph)
    assert {tuple(arc) for arc in truth["directed"]} == {(a, b) for a, b in best.edges if not best.has_edge(b, a)}
    assert len(truth["directed"]) + len(truth["undirected"]) == graph.number_of_edges() == len(truth["arcs"])
    data = tables["two_questionnaires"]
    assert data.shape == (400, 24)
    rank = pd.DataFrame({name: data.column(name) for name in data.names}).corr("spearman").abs()
    strength = {pair: rank.loc[pair] for pair in product(truth["scales"]["obs"], truth["scales"]["dep"])}
    assert max(strength, key=strength.__getitem__) == bridge
    assert rank.loc[sorted(apart), [name for name in data.names if name not in apart]].to_numpy().max() < 0.2


def test_answers_of_the_questionnaires_follow_the_network(tables: dict[str, engine.Dataset]) -> None:
    """Weights, noise and correlations of the truth fit together; numbers are ordinal without a dictionary, too."""
    truth, data = sample_data.truth("two_questionnaires"), tables["two_questionnaires"]
    correlation = pd.DataFrame(truth["correlation"], truth["names"], truth["names"])
    for name, causes in truth["weights"].items():
        weight = pd.Series(causes)
        explained = float(weight @ correlation.loc[weight.index, weight.index] @ weight)
        assert explained + truth["noise"][name] ** 2 == pytest.approx(1.0, abs=1e-4)
    for name in data.names:
        shares = np.bincount(data.column(name)) / data.n_rows
        expected = np.diff([0.0, *map(NormalDist().cdf, truth["thresholds"][name]), 1.0])
        assert np.abs(shares - expected).max() < 0.08
    plain = engine.Dataset.from_frame(sample_data.load("two_questionnaires"))
    assert (plain.levels, plain.kinds) == (data.levels, data.kinds)


def test_the_survey_has_a_chordal_truth(tables: dict[str, engine.Dataset]) -> None:
    """The true association model is decomposable, over all variables but none outside, and can be found."""
    truth = nx.Graph([tuple(edge) for edge in sample_data.truth("health_survey")["edges"]])
    assert nx.is_chordal(truth)
    assert set(truth) <= set(tables["health_survey"].names)
    found = skeleton_edges(engine.learn(tables["health_survey"], engine.BDeu(), search="hill_climbing"))
    true = {frozenset(edge) for edge in truth.edges}
    assert len(found & true) / len(true) > 0.8
    assert len(found & true) / len(found) > 0.8


def test_the_changed_regions_are_coupled_less(tables: dict[str, engine.Dataset]) -> None:
    """Of all 400 pairs of regions the three changed ones differ most between the classes, and are stronger in the
    healthy."""
    data, truth = tables["regions"], sample_data.truth("regions")
    steps = data.steps
    assert steps is not None
    found = series(data)
    assert len(found.subjects) == 40
    assert found.gaps == 14
    lengths = np.bincount(steps.subject)
    assert sorted(set(lengths.tolist()))[-1] == 120
    assert lengths.min() < 90
    ill = data.column("diagnosis") == data.levels["diagnosis"].index("demented")
    assert [len(np.unique(steps.subject[rows])) for rows in (~ill, ill)] == [24, 16]
    names = [name for name in data.names if name != "diagnosis"]
    before, after = found.transitions.T
    weaker = {}
    for a, b in product(names, names):
        strengths = [
            _coupling(data.column(a)[before[rows]], data.column(b)[after[rows]]) for rows in (~ill[before], ill[before])
        ]
        weaker[a, b] = strengths[0] - strengths[1]
    most = sorted(weaker, key=lambda pair: -abs(weaker[pair]))[:3]
    assert {b for _, b in most} == set(truth["changed"])
    assert {tuple(one["link"]) for one in truth["links"]} == set(most)
    assert all(weaker[pair] > 0.03 for pair in most)


def _coupling(one: np.ndarray, two: np.ndarray) -> float:
    """Mutual information of two columns of codes, by the entropy of the second."""
    joint = np.histogram2d(one, two, bins=(one.max() + 1, two.max() + 1))[0] / len(one)
    own, its = joint.sum(axis=1, keepdims=True), joint.sum(axis=0, keepdims=True)
    return float(xlogy(joint, joint / (own * its)).sum() / -xlogy(its, its).sum())


def test_levels_of_a_region_come_back_as_quarters() -> None:
    """Offset and gain are a person's own: quarters of the own values are the levels behind them, with few errors."""
    codes = behind(np.random.default_rng(MAKERS["regions"][1]))[0]
    made = regions(np.random.default_rng(MAKERS["regions"][1])).columns
    who, scan = np.unique(made["subject"], return_inverse=True)[1], np.array(made["scan"], dtype=int) - 1
    assert scan.max() == SCANS - 1
    hits = []
    for region, name in enumerate(list(made)[3:]):
        values = np.array(made[name], dtype=float)
        for person in range(40):
            mine = who == person
            cuts = np.quantile(values[mine], np.arange(1, LEVELS) / LEVELS)
            hits.append(np.mean(np.searchsorted(cuts, values[mine]) == codes[region, person, scan[mine]]))
    assert np.mean(hits) > 0.8


def test_relapse_shows_in_links_and_not_in_answers(tables: dict[str, engine.Dataset]) -> None:
    """No answer differs between the classes by itself; the two changed links differ most in rank correlation."""
    data, truth = tables["screening"], sample_data.truth("screening")
    table = pd.DataFrame({name: data.column(name) for name in data.names})
    ill = table.pop("relapse") == data.levels["relapse"].index("yes")
    assert (len(ill), ill.sum(), table.shape[1]) == (500, 150, 12)
    assert min(mannwhitneyu(table[name][ill], table[name][~ill]).pvalue for name in table) > 0.05
    apart = (table[ill].corr("spearman") - table[~ill].corr("spearman")).abs()
    pairs = {frozenset(pair): apart.loc[pair] for pair in product(table, table)}
    assert set(sorted(pairs, key=lambda pair: -pairs[pair])[:2]) == {frozenset(one["link"]) for one in truth["links"]}
    assert set(truth["changed"]) == {one["link"][1] for one in truth["links"]}


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


@pytest.mark.parametrize("key", PUBLIC)
def test_a_table_of_others_is_unchanged_and_says_whose_it_is(key: str) -> None:
    """Every byte as it was copied; whom to cite and the licence stand beside the table, and no truth is claimed."""
    sample = CATALOG[key]
    assert hashlib.sha256(sample_data.file_bytes(f"{key}.csv")).hexdigest() == PUBLIC[key]
    assert sample_data.truth(key) == {}
    cite, ending, rest = sample.source.partition(". CC-BY 4.0, unchanged.")
    assert cite and ending and not rest
    told = Path(sample_data.__file__).with_name("LICENSES.md").read_text(encoding="utf-8")
    own = told.partition(f"## `tables/{key}.csv`")[2].partition("## ")[0]
    assert f"**Cite:** {cite}." in own
    assert "**Licence:** CC-BY 4.0." in own
    assert "**Changes:** none" in own
    assert "https://creativecommons.org/licenses/by/4.0/" in told


def test_the_diagnosis_is_made_from_the_symptoms(tables: dict[str, engine.Dataset]) -> None:
    """146 with and 209 without; six symptoms of either nine make it, and each is more common with it."""
    data = tables["adhd"]
    assert data.shape == (355, 19)
    assert data.roles == {"group": "group"}
    assert set(data.levels.values()) == {("0", "1")}
    table = pd.DataFrame({name: data.column(name) for name in data.names})
    group = table.pop("group")
    assert np.bincount(group).tolist() == [209, 146]
    made = (table.iloc[:, :9].sum(axis=1) >= 6) | (table.iloc[:, 9:].sum(axis=1) >= 6)
    assert (made == (group == 1)).all()
    assert (table[group == 1].mean() > table[group == 0].mean() + 0.3).all()


def test_boredom_is_rated_in_two_languages(tables: dict[str, engine.Dataset]) -> None:
    """Eight ordered ratings from 1 to 7 of 496 and 490 people, each higher in English; without a dictionary, too."""
    data = tables["boredom"]
    assert data.shape == (986, 9)
    assert data.roles == {"language": "group"}
    table = pd.DataFrame({name: data.column(name) for name in data.names})
    language = table.pop("language")
    assert dict(zip(data.levels["language"], np.bincount(language).tolist(), strict=True)) == {"en": 496, "fr": 490}
    assert {(data.kinds[name], data.levels[name]) for name in table} == {("ordinal", tuple("1234567"))}
    means = table.groupby(language).mean()
    assert (means.loc[0] > means.loc[1] + 0.5).all()
    plain = engine.Dataset.from_frame(sample_data.load("boredom"))
    assert (plain.levels, plain.kinds) == (data.levels, data.kinds)


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


def test_the_vowels_are_read_from_the_package_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unequal lengths, a row a step; without the package a sentence names it."""
    monkeypatch.setitem(sys.modules, "aeon", None)
    with pytest.raises(engine.DataError, match="pip install aeon"):
        sample_data.japanese_vowels()
    made = types.ModuleType("aeon.datasets")
    series = [np.arange(12.0 * n).reshape(12, n) for n in (7, 9, 8, 8)]
    made.load_japanese_vowels = lambda: (series, np.array(["1", "1", "2", "2"]))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "aeon", types.ModuleType("aeon"))
    monkeypatch.setitem(sys.modules, "aeon.datasets", made)
    table = sample_data.japanese_vowels()
    assert table.shape == (32, 15)
    assert table.loc[8, ["utterance", "step", "speaker", "c02"]].tolist() == ["u002", 2, "speaker 1", 10.0]
    data = engine.Dataset.from_frame(
        table, roles={"utterance": "subject", "step": "time", "speaker": "outcome"}, kinds={"speaker": "nominal"}
    )
    assert engine.Discriminative.propose(data).target == "speaker"
