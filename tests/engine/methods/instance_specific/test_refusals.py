"""What cannot be asked is answered by one sentence; what limits an answer is said with it."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import engine
from tests.engine.make import random_data
from tests.engine.methods.instance_specific.make import figure_one

METHOD = engine.InstanceSpecific()


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    """800 rows after figure 1."""
    return figure_one()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"mode": "best"}, "mode is 'best'"),
        ({"kappa": 0}, "kappa is 0"),
        ({"kappa": 1.5}, "at most 1"),
        ({"ess": -1}, "ess is -1"),
        ({"structure_prior": 0}, "structure_prior is 0"),
        ({"prior": "flat"}, "prior is 'flat'"),
        ({"empty": "some"}, "empty is 'some'"),
        ({"additions": "yes"}, "additions is 'yes'"),
        ({"max_parents": -1}, "max_parents is -1"),
    ],
)
def test_impossible_settings(settings: dict, words: str) -> None:
    """Every setting is held to its bounds."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.InstanceSpecific(**settings)


@pytest.mark.parametrize(
    ("patient", "target", "words"),
    [
        ({"X9": "1"}, None, "no variable 'X9'"),
        ({"X1": "2"}, None, "no level '2'"),
        (800, None, "no row 800"),
        (-1, None, "no row -1"),
        (True, None, "row number or a table"),
        ("X1", None, "row number or a table"),
        (0, "X9", "no variable 'X9'"),
    ],
)
def test_impossible_patients(table: engine.Dataset, patient: object, target: str | None, words: str) -> None:
    """Names, levels and row numbers that do not exist."""
    with pytest.raises(engine.DataError, match=words):
        METHOD.run(table, patient, target=target)  # type: ignore[arg-type]


def test_constant_target_has_nothing_to_predict() -> None:
    """A target with one value among the rows that count is refused by name."""
    codes = np.array([[0, 0, 0, 1], [0, 1, 0, 1]])
    data = engine.Dataset.from_codes(codes, [2, 2], ["a", "b"])
    with pytest.raises(engine.DataError, match="All other rows have a = 0"):
        METHOD.run(data, 3, target="a")
    with pytest.raises(engine.DataError, match="All rows have a = 0"):
        METHOD.run(data.rows(np.arange(3)), {"b": "1"}, target="a")


def test_tables_too_small_for_a_network() -> None:
    """One variable, or no rows."""
    one = engine.Dataset.from_codes(np.zeros((1, 5), dtype=int), [2], ["a"])
    with pytest.raises(engine.DataError, match="two columns or more"):
        METHOD.run(one, 0)
    none = engine.Dataset.from_codes(np.zeros((2, 0), dtype=int), [2, 2], ["a", "b"])
    with pytest.raises(engine.DataError, match="no rows"):
        METHOD.run(none, {"a": "0"})


def test_population_of_other_data_or_settings_is_refused(table: engine.Dataset) -> None:
    """A population network is only taken where it is what would be learned; what does not move it may change."""
    population = METHOD.learn_population(table)
    assert population.fits(engine.InstanceSpecific(kappa=0.7, mode="published", additions=True), table)
    assert not population.fits(engine.InstanceSpecific(ess=2), table)
    assert not population.fits(METHOD, table, leave_out=3)
    for method, data in ((engine.InstanceSpecific(ess=2.0), table), (METHOD, random_data(50, 4, 3, seed=0))):
        with pytest.raises(engine.SettingsError, match="other data or with other settings"):
            method.run(data, 0, population=population)
    with pytest.raises(engine.SettingsError, match="patient's row left out"):
        METHOD.run(table, 3, target="X2", population=population)
    again = METHOD.run(table, 3, target="X2", population=METHOD.learn_population(table, leave_out=3))
    assert again.to_json() == METHOD.run(table, 3, target="X2").to_json()


def test_population_travels_without_its_tables(table: engine.Dataset) -> None:
    """Pickled (for another process) it is small, and gives the same answers."""
    population = METHOD.learn_population(table)
    first = METHOD.run(table, 0, population=population)
    packed = pickle.dumps(population)
    assert len(packed) < 5_000
    assert METHOD.run(table, 0, population=pickle.loads(packed)).to_json() == first.to_json()  # noqa: S301
    assert pickle.loads(pickle.dumps(first)).to_json() == first.to_json()  # noqa: S301


def test_level_never_seen_is_said() -> None:
    """A declared level that no row has changes nothing, and a sentence says so."""
    data = figure_one()
    wide = engine.Dataset.from_codes(data.codes, [3, 2, 2, 2, 2, 2], data.names)
    result = METHOD.run(wide, {"X0": "2", "X1": "1"})
    assert set(result.arc_changes["status"]) == {"kept"}
    assert "No row has X0 = 2" in result.summary()
    assert result.distributions("X2")["rows"].tolist() == [0, 0]


def test_few_cases_are_marked() -> None:
    """Under 30 similar cases behind a change are called so."""
    rng = np.random.default_rng(2)
    rare = rng.random(1000) < 0.024
    x1 = rng.random(1000) < 0.5
    x2 = rng.random(1000) < np.where(rare, 0.5, np.where(x1, 0.95, 0.05))
    data = engine.Dataset.from_codes(np.array([rare, x1, x2]).astype(int), [2] * 3, ["rare", "x1", "x2"])
    result = engine.InstanceSpecific(kappa=1.0).run(data, {"rare": "1"})
    families = result.families()
    changed = families[families["changed"]]
    assert len(changed) == 1  # x1 or x2, whichever end the data make the common child
    assert changed["few_cases"].all()
    assert changed["cases"].tolist() == [rare.sum()]
    assert "Fewer than 30 similar cases" in result.summary()


def test_two_values_of_a_context_are_joined_by_a_word() -> None:
    """ "With a = 0 and b = 0, c no longer matters": no comma that runs the context into what follows."""
    rng = np.random.default_rng(1)
    a, b, c = (rng.random(4000) < 0.5 for _ in range(3))
    table = np.array([[[0.05, 0.05], [0.2, 0.6]], [[0.35, 0.75], [0.6, 0.97]]])
    y = rng.random(4000) < table[a.astype(int), b.astype(int), c.astype(int)]
    codes = np.array([a, b, c, y]).astype(int)
    data = engine.Dataset.from_codes(codes, [2] * 4, ["a", "b", "c", "y"])
    result = METHOD.run(data, {"a": "0", "b": "0", "c": "1"})
    assert set(result.population.predecessors("y")) == {"a", "b", "c"}
    assert "With a = 0 and b = 0, c no longer matters for y. " in result.sentence("y")
    assert result.families().at["y", "context"] == "a = 0, b = 0"


def test_words_tables_and_json(table: engine.Dataset) -> None:
    """The sentence, the tables and the JSON of one patient."""
    result = METHOD.run(table, {"X0": "0", "X3": "0"})
    link = result.link("X1", "X2")
    assert link is not None and link.compared is not None
    compared = link.compared
    here, low, high, others = (
        f"{100 * share:.0f}".replace("-", "\N{MINUS SIGN}")
        for share in (compared.here, compared.here_low, compared.here_high, compared.others)
    )
    assert result.headline() == (
        f"With X0 = 0, X1 matters less for X2: {here}\N{NO-BREAK SPACE}pp "
        f"(95 % {low} to {high}), otherwise {others}; 1 more differs."
    )
    assert len(result.headline().split()) <= 25
    assert result.sentence("X2").startswith(
        "With X0 = 0, X1 matters less for X2. From X1 = 0 to 1 the share of X2 = 1 changes by "
    )
    assert result.sentence("X0") == "In the population's network X0 depends on no other variable."
    assert list(result.tables()) == [
        "Links",
        "Families",
        "Distributions",
        "Strength",
        "Unusual values",
        "Patient",
        "Settings",
    ]
    assert result.table("Strength")["log_ratio"].iloc[-1] == pytest.approx(result.log_likelihood_ratio)
    document = json.loads(result.to_json())
    assert document["patient"]["values"] == {"X0": "0", "X3": "0"}
    assert document["families"]["X2"]["instance_parents"] == ["X0"]
    assert list(result.graphs()) == ["population", "patient"]
    assert result.graphs()["population"].edges["X1", "X2"]["status"] == "dropped"
    with pytest.raises(engine.SettingsError, match="no table 'x'"):
        result.table("x")
    with pytest.raises(engine.DataError, match="no variable 'q'"):
        result.sentence("q")
    with pytest.raises(engine.DataError, match="not the data"):
        result.similar_rows(table.rows(np.arange(9)), "X2")
