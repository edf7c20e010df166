"""What cannot be asked is answered by one sentence."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.methods.log_linear import method as learn
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.result import LogLinearResult
from tests.engine.methods.log_linear.make import chain, named


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    """A chain of five."""
    return chain(400, 5)


@pytest.fixture(scope="module")
def result(data: engine.Dataset) -> LogLinearResult:
    """Its model."""
    return engine.LogLinear().run(data)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"criterion": "aic"}, "criterion is 'aic'"),
        ({"joint": "yes"}, "joint is 'yes'"),
        ({"joint": True, "criterion": "smt"}, "joint is for the criteria 'mml' and 'bic', not for 'smt'"),
        ({"max_clique": 1}, "max_clique is 1; it must be a whole number from 2 up"),
        ({"max_clique": 2.5}, "max_clique is 2.5"),
        ({"alpha": 0.0}, "alpha is 0.0"),
        ({"alpha": 1.0}, "alpha is 1.0"),
        ({"alpha": float("nan")}, "alpha is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"forced": "ab"}, "forced is 'ab'; it must be a list of pairs"),
        ({"start": 3}, "start is 3; it must be a list of pairs"),
        ({"forbidden": ["ab"]}, "forbidden has 'ab'; every entry must be a pair"),
        ({"forced": [("a", "b", "c")]}, "forced has .*; every entry must be a pair"),
        ({"forced": [5]}, "forced has 5; every entry must be a pair"),
        ({"start": [("a", "a")]}, "start joins 'a' to itself"),
        ({"forced": [("a", "b")], "forbidden": [("b", "a")]}, "'a' and 'b' is forbidden, but also in forced"),
        ({"start": [("a", "b")], "forbidden": [("b", "a")]}, "'a' and 'b' is forbidden, but also in start"),
    ],
)
def test_impossible_settings(settings: dict, words: str) -> None:
    """Every setting is held to its bounds when the method is made."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.LogLinear(**settings)


@pytest.mark.parametrize("field", ["forced", "forbidden", "start"])
def test_edges_to_variables_that_do_not_exist(data: engine.Dataset, field: str) -> None:
    """The name that is not there is named."""
    with pytest.raises(engine.SettingsError, match="no variable 'z' in this table to draw an edge to"):
        engine.LogLinear(**{field: [("a", "z")]}).run(data)


def test_a_forbidden_chord(data: engine.Dataset) -> None:
    """A circle to start from whose only chords are forbidden."""
    circle = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    method = engine.LogLinear(forced=circle, forbidden=[("a", "c"), ("b", "d")])
    with pytest.raises(engine.SettingsError, match=r"make a circle that needs .* as a chord, which is forbidden"):
        method.run(data)


def test_nothing_to_count() -> None:
    """No variables, no rows."""
    with pytest.raises(engine.DataError, match="no variables to relate"):
        engine.LogLinear().run(named(np.zeros((0, 5), int), []))
    with pytest.raises(engine.DataError, match="no rows to count"):
        engine.LogLinear().run(named(np.zeros((2, 0), int), [2, 2]))
    with pytest.raises(engine.DataError, match="no rows to count"):
        engine.LogLinear().stability(named(np.zeros((2, 0), int), [2, 2]), runs=2)


@pytest.mark.parametrize("runs", [0, -3, 2.0, True, "many"])
def test_impossible_numbers_of_samples(data: engine.Dataset, runs: object) -> None:
    """A whole number from 1 up."""
    with pytest.raises(engine.SettingsError, match="it must be a whole number from 1 up"):
        engine.LogLinear().stability(data, runs=runs)  # type: ignore[arg-type]


def test_unknown_variables(data: engine.Dataset, result: LogLinearResult) -> None:
    """Every question names the variable that is not there."""
    for ask in (
        lambda: result.what_if(data, "a", "z"),
        lambda: result.edited(data, add=[("z", "a")]),
        lambda: result.edited(data, remove=[("z", "a")]),
        lambda: result.independence("z", "a"),
        lambda: result.expected(["a", "z"]),
        lambda: result.residuals(["a", "z"]),
    ):
        with pytest.raises(engine.DataError, match="no variable 'z' in this analysis"):
            ask()


def test_one_variable_twice(data: engine.Dataset, result: LogLinearResult) -> None:
    """An edge needs two ends; a table names its variables once."""
    for ask in (
        lambda: result.what_if(data, "a", "a"),
        lambda: result.edited(data, add=[("a", "a")]),
        lambda: result.edited(data, remove=[("a", "a")]),
        lambda: result.independence("a", "a"),
    ):
        with pytest.raises(engine.DataError, match="needs two different variables"):
            ask()
    for names in (["a", "a"], []):
        with pytest.raises(engine.DataError, match="one or more different variables"):
            result.expected(names)
        with pytest.raises(engine.DataError, match="one or more different variables"):
            result.residuals(names)


def test_other_data(data: engine.Dataset, result: LogLinearResult) -> None:
    """Prices need the rows the model was made from."""
    other = data.rows(np.arange(399))
    for ask in (lambda: result.what_if(other, "a", "b"), lambda: result.edited(other)):
        with pytest.raises(engine.DataError, match="not the data of this result"):
            ask()


def test_groups_that_are_none(data: engine.Dataset, result: LogLinearResult) -> None:
    """Residuals are for one group; the edge to leave out lies inside it."""
    with pytest.raises(engine.DataError, match="not together in one group"):
        result.residuals(["a", "e"])
    for edge in (("a", "c"), ("a", "a")):
        with pytest.raises(engine.DataError, match="must lie between two of these variables"):
            result.residuals(["a", "b"], without=edge)


def test_steps_that_are_none(result: LogLinearResult) -> None:
    """Steps are numbered from 0, the start."""
    for step in (-1, 99):
        with pytest.raises(engine.DataError, match=f"no step {step}; steps are numbered 0 to {len(result.steps)}"):
            result.replay(step)


def test_other_variables_to_compare_with(data: engine.Dataset, result: LogLinearResult) -> None:
    """Both models stand over the same table."""
    with pytest.raises(engine.DataError, match="different variables"):
        result.compare(engine.LogLinear().run(data.select(["a", "b"])))


def test_a_table_that_is_none(result: LogLinearResult) -> None:
    """The titles there are are named."""
    with pytest.raises(engine.SettingsError, match="no table 'Nodes'; there are 'Edges'"):
        result.table("Nodes")


def test_more_variables_than_can_be_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    """One variable more than the limit, whatever the criterion."""
    monkeypatch.setattr(learn, "MOST_VARIABLES", 4)
    for criterion in CRITERIA:
        method = engine.LogLinear(criterion=criterion)
        assert method.run(chain(50, 4)).names
        with pytest.raises(engine.DataError, match=r"5 variables are more than .* gigabyte of memory; choose fewer"):
            method.run(chain(50, 5))


def test_tables_too_large_to_be_shown() -> None:
    """A million cells are the most; a group that is too large for its table is refused before it is built."""
    rng = np.random.default_rng(0)
    wide = named(rng.integers(0, 2, (24, 50)), [2] * 24)
    result = engine.LogLinear().run(wide)
    with pytest.raises(engine.DataError, match="table of 24 variables has too many cells"):
        result.expected(list(wide.names))
    large = named(rng.integers(0, 300, (3, 50)), [300] * 3)
    one = engine.LogLinear(start=[("a", "b"), ("a", "c"), ("b", "c")]).run(large)
    with pytest.raises(engine.DataError, match="too many cells to be worked out"):
        one.expected(["a"])
    with pytest.raises(engine.DataError, match="too many cells to be shown"):
        one.residuals(["a", "b", "c"])
