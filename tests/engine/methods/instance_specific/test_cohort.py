"""A cohort equals its patients one by one, and its tables are what counting by hand gives."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import engine
from engine.methods.instance_specific.cohort_evidence import ABSENT, ADDED, DROPPED, KEPT, REVERSED
from engine.models import elimination
from engine.words import in_percent
from tests.engine.make import random_data
from tests.engine.methods.instance_specific.make import figure_one, true_drops

WORDS = {"kept": KEPT, "dropped": DROPPED, "added": ADDED, "reversed": REVERSED}


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    """800 rows after figure 1."""
    return figure_one()


@pytest.fixture(scope="module")
def cohort(table: engine.Dataset):
    """All rows of it as patients."""
    return engine.InstanceSpecific().run_cohort(table)


@pytest.mark.parametrize("settings", [{}, {"additions": True, "kappa": 0.9}, {"mode": "published", "kappa": 0.5}])
def test_cohort_equals_the_patients_one_by_one(settings: dict) -> None:
    """Status of every arc, ratio and held-out gain are those of `run` of each, on one process and on two."""
    data = random_data(130, 6, 9, seed=6)
    method = engine.InstanceSpecific(**settings)
    patients = [*range(70), {"v00": "0", "v03": "1"}, {}]
    cohort = method.run_cohort(data, patients)
    assert method.run_cohort(data, patients, jobs=2).to_json() == cohort.to_json()
    matrix, table = cohort.arc_matrix(), cohort.by_patient()
    sums, asked = dict.fromkeys(cohort.arcs, 0.0), dict.fromkeys(cohort.arcs, 0)
    for number, patient in enumerate(patients):
        result = method.run(data, patient)
        assert table["log_likelihood_ratio"].iloc[number] == pytest.approx(result.log_likelihood_ratio, abs=1e-9)
        assert table["held_out_gain"].iloc[number] == pytest.approx(result.held_out.gain, abs=1e-9)
        found = dict.fromkeys(cohort.arcs, ABSENT)
        for row in result.arc_changes.itertuples():
            arc = (row.source, row.target) if (row.source, row.target) in found else (row.target, row.source)
            found[arc] = WORDS[row.status]
            sums[arc] += 0.0 if math.isnan(row.probability) else row.probability
            asked[arc] += not math.isnan(row.probability)
        assert matrix.iloc[number].tolist() == list(found.values())
        counts = result.arc_changes["status"].value_counts()
        for word in ("added", "dropped", "reversed"):
            assert table[word].iloc[number] == counts.get(word, 0)
    means = cohort.arc_frequencies["mean_probability"]
    if method.mode == "order_kept" and not method.additions:
        expected = [sums[arc] / asked[arc] if asked[arc] else math.nan for arc in cohort.arcs]
        assert means.tolist() == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert means.isna().tolist() == [not asked[arc] for arc in cohort.arcs]


def test_shares_are_those_of_the_truth(cohort, table: engine.Dataset) -> None:
    """An arc is dropped for exactly the rows whose context switches it off."""
    shares = cohort.arc_frequencies.set_index(["source", "target"])
    assert shares.at[("X1", "X2"), "dropped"] == pytest.approx((table.column("X0") == 0).mean())
    assert shares.at[("X4", "X5"), "dropped"] == pytest.approx((table.column("X3") == 1).mean())
    assert shares[["kept", "dropped", "added", "reversed"]].sum(axis=1).tolist() == pytest.approx([1.0] * 5)
    assert (shares["low"] <= shares["share"] + 1e-12).all()
    assert (shares["share"] <= shares["high"] + 1e-12).all()


def test_patterns_group_equal_networks(cohort, table: engine.Dataset) -> None:
    """Two contexts make four patterns, commonest first, each named by its context."""
    patterns = cohort.patterns()
    assert len(patterns) == 4
    assert patterns["patients"].sum() == 800
    assert patterns["patients"].is_monotonic_decreasing
    names = set(patterns["contexts"])
    assert "links as in the population" in names
    assert "X0 = 0: X1 is left out for X2" in names
    assert "X3 = 1: X4 is left out for X5" in names
    by_patient = cohort.by_patient()
    for row in range(0, 800, 97):
        patient = {name: table.levels[name][table.codes[i, row]] for i, name in enumerate(table.names)}
        contexts = patterns.set_index("pattern").at[by_patient.at[row, "pattern"], "contexts"]
        assert contexts.count("is left out") == len(true_drops(patient))


def test_clusters_are_a_coarser_grouping(cohort) -> None:
    """Every pattern lies in one cluster; one cluster holds everybody; more clusters than patterns change nothing."""
    for number in (1, 2, 3, 9):
        found = cohort.with_clusters(number)
        by_patient = found.by_patient()
        assert by_patient.groupby("pattern")["cluster"].nunique().max() == 1
        assert len(found.clusters) == by_patient["cluster"].nunique() == min(number, 4)
        assert found.clusters["patients"].sum() == 800
        assert found.clusters["patients"].is_monotonic_decreasing
    with pytest.raises(engine.SettingsError, match="0 clusters"):
        cohort.with_clusters(0)


def test_blanket_counts_patients(cohort, table: engine.Dataset) -> None:
    """X1 is in X2's blanket exactly where X0 = 1; X4 never is."""
    blanket = cohort.blanket("X2")
    assert blanket.at["X1", "share"] == pytest.approx((table.column("X0") == 1).mean())
    assert blanket.at["X3", "share"] == pytest.approx(1.0)
    assert blanket.at["X4", "share"] == 0
    assert blanket["in_population"].to_dict() == {"X0": True, "X1": True, "X3": True, "X4": False, "X5": False}
    parents = cohort.blanket("X3")
    assert parents.at["X4", "share"] == pytest.approx((table.column("X3") == 0).mean())  # as X5's other parent
    with pytest.raises(engine.DataError, match="no variable 'X9'"):
        cohort.blanket("X9")


def test_outcome_by_cluster(cohort, table: engine.Dataset) -> None:
    """The shares of a target's levels within each cluster are those of its rows."""
    four = cohort.with_clusters(4)
    outcome = four.outcome(table, "X5")
    cluster = four.by_patient()["cluster"].to_numpy()
    for row in outcome.itertuples(index=False):
        column = table.column("X5")[cluster == row[0]]
        assert row[1] == len(column)
        assert list(row[2:]) == pytest.approx([(column == 0).mean(), (column == 1).mean()])
    with pytest.raises(engine.DataError, match="not the data"):
        cohort.outcome(table.rows(np.arange(100)), "X5")


def test_words_tables_and_json(cohort) -> None:
    """The summary says how many differ; every table is there; the JSON holds every status."""
    assert "patients" in cohort.headline()
    assert "not a cause" in cohort.summary()
    assert list(cohort.tables()) == ["Links", "Patients", "Patterns", "Clusters", "Changes", "Settings"]
    assert cohort.change_counts()["patients"].sum() == 800
    document = json.loads(cohort.to_json())
    assert document["format"] == "diptych/instance-specific-cohort/1"
    assert len(document["status"]) == 800
    graphs = cohort.graphs()
    assert set(graphs) == {"population", "cluster 1", "cluster 2", "cluster 3", "cluster 4"}
    assert graphs["population"].edges["X1", "X2"]["share"] == pytest.approx(
        cohort.arc_frequencies.set_index(["source", "target"]).at[("X1", "X2"), "share"]
    )
    with pytest.raises(engine.SettingsError, match="no table 'x'"):
        cohort.table("x")


@pytest.mark.usefixtures("searched_anew")
def test_progress_and_cancel(table: engine.Dataset) -> None:
    """Progress only grows, ends at 1, and a callback that raises `Cancelled` stops the work."""
    seen: list[float] = []
    engine.InstanceSpecific().run_cohort(table, progress=lambda fraction, words: seen.append(fraction))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)

    def stop(fraction: float, words: str) -> None:
        if fraction > 0.5:
            raise engine.Cancelled

    with pytest.raises(engine.Cancelled):
        engine.InstanceSpecific().run_cohort(table, progress=stop)


def test_no_patients_are_refused(table: engine.Dataset) -> None:
    """An empty cohort is one sentence."""
    with pytest.raises(engine.DataError, match="no patients"):
        engine.InstanceSpecific().run_cohort(table, [])


def test_number_of_workers_changes_no_bit() -> None:
    """More than one block of patients: statuses and mean posteriors are the same on two processes, bit by bit."""
    data = random_data(700, 6, 9, seed=2)
    method = engine.InstanceSpecific(kappa=0.7)
    one, two = method.run_cohort(data), method.run_cohort(data, jobs=2)
    assert one.status.tolist() == two.status.tolist()
    np.testing.assert_array_equal(one.probabilities, two.probabilities)


def test_patients_whose_probability_cannot_be_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many unknown values hang together: no held-out gain, which the means leave out and JSON calls null."""
    monkeypatch.setattr(elimination, "MOST_CELLS", 10_000)  # three variables pass it, two do not
    rng = np.random.default_rng(0)
    a = rng.integers(0, 12, 1000)
    b, c = (np.where(rng.random(1000) < 0.97, a, rng.integers(0, 12, 1000)) for _ in range(2))
    d = np.where(rng.random(1000) < 0.9, (b + c) % 12, rng.integers(0, 12, 1000))
    e = np.where(rng.random(1000) < 0.9, (d + b) % 12, rng.integers(0, 12, 1000))
    data = engine.Dataset.from_codes(np.array([a, b, c, d, e]), [60] * 5, list("abcde"))
    cohort = engine.InstanceSpecific(ess=200.0).run_cohort(data, [{}, 3])
    gains = cohort.by_patient()["held_out_gain"]
    assert np.isnan(gains.iloc[0])
    assert np.isfinite(gains.iloc[1])
    assert cohort.clusters["mean_held_out_gain"].iloc[0] == pytest.approx(gains.iloc[1])
    nobody = engine.InstanceSpecific(ess=200.0).run_cohort(data, [{}])
    document = json.loads(nobody.to_json())
    assert document["held_out_gain"] == [None]
    assert document["clusters"][0]["mean_held_out_gain"] is None


def test_headline_counts_patterns_without_naming_them(cohort) -> None:
    """The sentence's numbers are those of the tables."""
    assert cohort.n_patterns == len(cohort.patterns()) == 4
    different = (cohort.by_patient()[["added", "dropped", "reversed"]].sum(axis=1) > 0).sum()
    assert cohort.told.any(axis=1).sum() != different  # the headline counts another thing, and each says which
    assert cohort.sentences()[0] == (
        f"The networks of {different} of 800 patients have other links than the population's (4 patterns in all); a "
        "link that stays may differ in size."
    )
    most = cohort.differences[0]
    context = " and ".join(f"{name} = {cohort.levels[name][code]}" for name, code in most.given.items())
    place = cohort.arcs.index((most.source, most.child))
    inside = [
        all(cohort.values[i, cohort.network_of_all.names.index(x)] == c for x, c in most.given.items())
        for i in range(800)
    ]
    assert most.patients == (cohort.told[:, place] & inside).sum()
    assert cohort.headline().startswith(
        f"For {in_percent(most.patients / 800)} of 800 patients ({context}) {most.source} {most.word} for "
        f"{most.child}: "
    )
    assert cohort.headline().endswith(
        f"{round(100 * most.here)} pp, with X3 = 0: {round(100 * most.others)} pp.".replace(
            "-", "\N{MINUS SIGN}"
        ).replace(" pp", "\N{NO-BREAK SPACE}pp")
    )


@pytest.mark.parametrize(
    ("linked", "expected"),
    [
        (
            True,
            "No effect could be compared between the 90 patients; all have the same network, with 2 links.",
        ),
        (False, "The population's network has no links, and so has that of each of 90 patients."),
    ],
)
def test_where_no_effect_can_be_compared_the_headline_is_the_network(linked: bool, expected: str) -> None:
    """A chain has no second parent: nothing is tested, which is said below and is no absence of a difference."""
    rows = np.arange(90)
    a = rows % 2
    b, c = (np.where(rows % 9, a, 1 - a), np.where(rows % 10, a, 1 - a)) if linked else (rows // 2 % 2, rows // 4 % 2)
    cohort = engine.InstanceSpecific().run_cohort(engine.Dataset.from_codes(np.array([a, b, c]), [2] * 3, list("abc")))
    assert math.isnan(cohort.least_p)
    assert cohort.headline() == expected
    assert cohort.sentences()[0].startswith(
        "No link could be compared: that takes a variable with arrows from two others"
    )
    assert cohort.sentences()[1] == "No patient's network has other links than the population's."
