"""How sure the population's links are."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.resampling import bootstrap
from tests.engine.methods.instance_specific.make import figure_one

METHOD = engine.InstanceSpecific(search="ges", seed=3)


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    """800 rows after figure 1."""
    return figure_one()


def test_a_share_is_how_often_a_pair_is_linked_in_tables_drawn_again(table: engine.Dataset) -> None:
    """Each table learned by GES over rows drawn here with the seeds of the runs."""
    support = METHOD.link_support(table, runs=6)
    linked = dict.fromkeys([("X0", "X2"), ("X1", "X3"), ("X2", "X3")], 0)
    for seed in np.random.SeedSequence(3).spawn(6):
        rows = table.rows(bootstrap(table.n_rows, np.random.default_rng(seed)))
        graph = engine.learn(rows, engine.BDeu(), engine.GES(structure_prior=1.0))
        for one, other in linked:
            linked[one, other] += graph.has_edge(one, other) or graph.has_edge(other, one)
    for pair, hits in linked.items():
        assert support.share(*pair) == support.share(*pair[::-1]) == hits / 6
        assert support.probability(*pair) == pytest.approx(((hits + 0.5) / 7) ** 0.5)


def test_it_is_multiplied_into_every_probability(table: engine.Dataset) -> None:
    """Before, the population's link is taken for granted; what was not asked stays without a probability."""
    population = METHOD.learn_population(table)
    before = METHOD.run(table, {"X0": "0", "X1": "1", "X3": "0"}, population=population)
    support = METHOD.link_support(table, runs=4)
    after = before.with_support(support)
    assert before.arc_changes["in_population"].isna().all()
    for then, now in zip(before.arc_changes.itertuples(), after.arc_changes.itertuples(), strict=True):
        sure = support.probability(then.source, then.target)
        assert now.in_population == pytest.approx(sure)
        assert now.probability == pytest.approx(then.probability * sure, nan_ok=True)
    assert engine.InstanceSpecific is type(after.method)
    assert type(after).from_dict(after.to_dict()) == after


def test_it_fits_a_patient_whose_row_was_left_out_and_no_other_data(table: engine.Dataset) -> None:
    """The row that a target leaves out of the population does not matter; data and settings do."""
    support = METHOD.link_support(table, runs=2)
    assert METHOD.run(table, 5, target="X2").with_support(support).support is support
    for method, data in ((engine.InstanceSpecific(search="ges", ess=2.0), table), (METHOD, figure_one(seed=5))):
        with pytest.raises(engine.SettingsError, match="other data or with other settings"):
            method.run(data, 5).with_support(support)


def test_equal_seeds_give_equal_tables_on_any_number_of_workers(table: engine.Dataset) -> None:
    """All randomness comes from the seed."""
    one, two = (METHOD.link_support(table, runs=3, jobs=jobs) for jobs in (1, 2))
    assert one.hits.tolist() == two.hits.tolist()


def test_the_probability_is_said_of_the_arrow_and_not_of_its_size(table: engine.Dataset) -> None:
    """A link that matters less with p < .001 may all the same be an arrow of this patient's network: both are said."""
    result = METHOD.run(table, {"X0": "0", "X1": "1", "X3": "0"}).with_support(METHOD.link_support(table, runs=2))
    said = " ".join(result.sentence(name) for name in result.names)
    assert "Probability that this patient has an arrow from X0 to X2, whatever its size: " in said
    assert "as in the population" not in said
