"""What is said of many patients, counted from what is said of each."""

from __future__ import annotations

from collections import Counter

import pytest

import engine
from tests.engine.make import random_data


@pytest.mark.parametrize("mode", ["order_kept", "published"])
def test_a_cohort_counts_its_patients(mode: str) -> None:
    """Arcs added, dropped and reversed, by patient, by pattern and by combination."""
    data = random_data(80, 5, 6, seed=0)
    method = engine.InstanceSpecific(mode=mode, kappa=1.0)
    population = method.learn_population(data)
    cohort = method.run_cohort(data, range(24), population=population)
    by_patient, patterns = cohort.by_patient(), cohort.patterns()
    told = []
    for row in range(24):
        result = method.run(data, row, population=population)
        status = Counter(result.arc_changes["status"])
        told.append(tuple(status[kind] for kind in ("added", "dropped", "reversed")))
        here = by_patient.iloc[row]
        assert tuple(here[["added", "dropped", "reversed"]]) == told[-1]
        assert here["log_likelihood_ratio"] == pytest.approx(result.log_likelihood_ratio)
        assert here["held_out_gain"] == pytest.approx(result.held_out.gain)
        pattern = patterns[patterns["pattern"] == here["pattern"]].iloc[0]
        assert tuple(pattern[["added", "dropped", "reversed"]]) == told[-1]
    assert len(set(told)) > 2
    counts = cohort.change_counts().set_index(["added", "dropped", "reversed"])["patients"].to_dict()
    assert counts == dict(Counter(told))
    assert patterns["patients"].sum() == 24
    assert patterns["patients"].is_monotonic_decreasing
    assert patterns["share"].tolist() == pytest.approx((patterns["patients"] / 24).tolist())
    for pattern in patterns.itertuples():
        assert (by_patient["pattern"] == pattern.pattern).sum() == pattern.patients


def test_a_frequency_is_a_share_of_the_patients() -> None:
    """Each arc's share, over the patients that have it in their own network."""
    data = random_data(80, 5, 6, seed=0)
    method = engine.InstanceSpecific(kappa=1.0)
    population = method.learn_population(data)
    table = method.run_cohort(data, range(20), population=population).arc_frequencies
    runs = [method.run(data, row, population=population).arc_changes for row in range(20)]
    kept = Counter((arc.source, arc.target) for run in runs for arc in run.itertuples() if arc.status != "dropped")
    column = "share"
    for arc in table.itertuples():
        assert getattr(arc, column) == pytest.approx(kept[arc.source, arc.target] / 20)
    assert 0 < table[column].min() < 1
