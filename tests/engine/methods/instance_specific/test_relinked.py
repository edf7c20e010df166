"""What a page asks of one patient's network: variables with other links, the level foretold, arcs by change."""

from __future__ import annotations

import math

import engine
from engine.methods.instance_specific.method import InstanceSpecific
from sample_data.catalog import dataset, truth
from tests.engine.make import random_data


def test_relinked_variables_have_an_edge_that_differs() -> None:
    """Heads of arcs that differ, both ends of lines that do, by net evidence; line by line."""
    data = random_data(300, 6, 8, seed=4, levels=(2, 3))
    patient = {name: data.levels[name][data.column(name)[7]] for name in data.names}
    for mode in ("order_kept", "published"):
        result = InstanceSpecific(mode=mode, kappa=0.9).run(data, patient)
        expected = set()
        for line in result.arc_changes.to_dict("records"):
            if line["status"] != "kept":
                expected |= {line["target"]} if line["directed"] else {line["source"], line["target"]}
        found = result.relinked()
        assert set(found) == expected
        net = [result.families().at[name, "net"] for name in found]
        assert net == sorted(net, reverse=True)


def test_the_level_foretold_is_the_likeliest_and_the_observed_one_has_its_log() -> None:
    """Both from the prediction's own table; nothing without a target."""
    data = dataset("cough_and_smoke")
    patient = truth("cough_and_smoke")["patients"][0]["instance"]
    result = InstanceSpecific().run(data, patient, target="cough")
    table = result.prediction
    assert table is not None
    assert result.foretold == max(table.index, key=lambda level: table.at[level, "instance"])
    own = result.log_probability_of_observed
    if result.observed_target is None:
        assert own is None
    row = InstanceSpecific().run(data, 3, target="cough")
    assert row.observed_target is not None and row.prediction is not None
    expected = tuple(math.log(p) for p in row.prediction.loc[row.observed_target])
    assert row.log_probability_of_observed == expected
    without = InstanceSpecific().run(data, 3)
    assert without.foretold is without.log_probability_of_observed is None


def test_arcs_that_change_for_most_come_first() -> None:
    """No arc is lost, and shares of change fall."""
    data = dataset("cough_and_smoke")
    cohort = engine.InstanceSpecific(kappa=0.9).run_cohort(data, list(range(60)))
    table = cohort.arcs_by_change
    changed = [line["dropped"] + line["added"] + line["reversed"] for line in table.to_dict("records")]
    assert changed == sorted(changed, reverse=True)
    assert len(set(changed)) > 1
    assert table.sort_index().equals(cohort.arc_frequencies)
