"""Tables without interaction: what they are fitted to, what they tell, and the headline of a cohort beside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

import engine
from engine.methods.instance_specific.null import additive, main_effects
from engine.methods.storing import decode, encode
from engine.words import in_percent
from tests.engine.methods.instance_specific.make import figure_one

METHOD = engine.InstanceSpecific(search="ges", seed=3)


@pytest.mark.parametrize("seed", [0, 1])
def test_main_effects_are_the_logistic_ones_of_highest_likelihood(seed: int) -> None:
    """Multinomial logistic regression on the parents' levels, by a general optimiser."""
    generator = np.random.default_rng(seed)
    counts = generator.integers(1, 60, (2, 3, 3)).astype(float)
    first, second = np.eye(2)[:, 1:], np.eye(3)[:, 1:]
    design = np.array([[1, *a, *b] for a in first for b in second])

    def shares(weights: np.ndarray) -> np.ndarray:
        logs = np.column_stack([np.zeros(6), design @ weights.reshape(4, 2)])
        return np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)

    found = minimize(lambda weights: -(counts.reshape(6, 3) * np.log(shares(weights))).sum(), np.zeros(8), tol=1e-10)
    assert main_effects(counts).reshape(6, 3) == pytest.approx(shares(found.x), abs=1e-4)


def test_the_interaction_goes_and_the_rest_stays() -> None:
    """X1 matters for X2 where X0 = 1 only; refitted its odds ratio is one, and the margins are the table's."""
    table = figure_one(rows=4000)
    population = METHOD.learn_population(table)
    network = additive(table, population.parents)
    child = network.names.index("X2")
    assert network.parents[child] == (0, 1)
    shares = network.tables[child].reshape(2, 2, 2)
    ratios = [shares[a, 1, 1] * shares[a, 0, 0] / (shares[a, 1, 0] * shares[a, 0, 1]) for a in (0, 1)]
    assert ratios[0] == pytest.approx(ratios[1], rel=1e-4)
    for name in ("X0", "X1"):
        for level in (0, 1):
            here = table.column(name) == level
            cells = [
                ((table.column("X0") == a) & (table.column("X1") == b) & here).sum() for a in (0, 1) for b in (0, 1)
            ]
            fitted = sum(n * share for n, share in zip(cells, shares[:, :, 1].ravel(), strict=True)) / here.sum()
            assert fitted == pytest.approx(table.column("X2")[here].mean(), abs=2e-3)


def test_the_headline_names_a_difference_and_the_line_below_the_excess_over_tables_without_interaction() -> None:
    """Contexts are an excess; a table without any is none; with few tables nothing is said of chance."""
    table = figure_one()
    population = METHOD.learn_population(table)
    cohort = METHOD.run_cohort(table, range(60), population=population)
    found = METHOD.without_context(table, population)
    assert 0 <= found.span[0] <= found.mean <= found.span[1] <= 1
    assert found.mean <= 0.2 and cohort.least_p < 1e-6
    said = cohort.with_chance(found)
    assert said.headline() == cohort.headline()
    assert said.sentences()[0].startswith(
        "Some effect is larger or smaller than among patients with other values for "
        f"{in_percent(cohort.told.any(axis=1).mean())} of 60 patients. In 20 tables without interaction: "
    )
    uneven = cohort.with_chance(replace(found, shares=np.arange(20) / 50)).sentences()[0]
    assert "interaction: 0\u00a0% to 38\u00a0%, 19\u00a0% on average (strongest difference: " in uneven
    assert len(said.headline().split()) <= 25
    assert any("20 tables without interaction" in one for one in said.sentences())
    assert said.document()["without_interaction"] == found.shares.tolist()
    nowhere = replace(found, shares=np.zeros(20))
    assert any("without interaction: 0\u00a0% (strongest" in one for one in cohort.with_chance(nowhere).sentences())
    as_likely = replace(found, least=np.where(np.arange(20) < 2, 0.0, found.least))
    assert cohort.with_chance(as_likely).headline().startswith("No effect is seen to differ")
    assert "more than in tables" not in cohort.with_chance(METHOD.without_context(table, population, runs=3)).headline()


def test_it_belongs_to_its_data() -> None:
    """Other data are refused; it is read back as it was written."""
    table, other = figure_one(), figure_one(seed=9)
    cohort = METHOD.run_cohort(table, range(20))
    with pytest.raises(engine.SettingsError, match="other data"):
        cohort.with_chance(METHOD.without_context(other, runs=1))
    found = METHOD.without_context(table, runs=19)
    written = encode(found)
    np.testing.assert_array_equal(decode(written).least, found.least)
