"""The correlation-stability coefficient: tables with a known answer, and its definition by hand."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.methods.ordinal.case_dropping import STEPS, CaseDropping
from tests.engine.methods.ordinal.test_partial_network import table, true_weights


def dropped(*shares: float) -> CaseDropping:
    """20 draws a step, of which these shares are above .7."""
    runs = [np.where(np.arange(20) < round(20 * share), 0.9, 0.5) for share in shares]
    return CaseDropping(("a", "b"), STEPS[: len(shares)], {"strength": np.array(runs)}, 0, "")


def test_it_is_the_largest_share_that_can_be_dropped() -> None:
    """More than 95 % of the draws above .7: 19 of 20 are not enough."""
    assert dropped(1.0, 1.0, 0.95, 0.4).coefficient("strength") == pytest.approx(STEPS[1])
    assert dropped(0.9, 1.0, 0.5).coefficient("strength") == pytest.approx(STEPS[1])
    assert dropped(0.9, 0.5).coefficient("strength") == 0.0


def test_equal_seeds_give_equal_bits_whatever_the_order_of_rows() -> None:
    """And another seed gives others."""
    data = table(2, true_weights(), 200)
    moved = data.rows(np.random.default_rng(0).permutation(200))
    first, second = (engine.Ordinal().case_dropping(item, runs=3) for item in (data, moved))
    other = engine.Ordinal(seed=1).case_dropping(data, runs=3)
    for name, values in first.correlations.items():
        assert np.array_equal(values, second.correlations[name], equal_nan=True)
        assert not np.array_equal(values, other.correlations[name], equal_nan=True)


def test_samples_of_fewer_rows_than_items_and_three_are_not_drawn() -> None:
    """Of 22 rows of 8 items half are 11, which is enough; steps beyond have no correlation."""
    found = engine.Ordinal().case_dropping(table(2, true_weights(), 22), runs=2).correlations["expected_influence"]
    many = np.round((1 - np.array(STEPS)) * 22)
    assert 11 in many and (np.isfinite(found).all(axis=1) == (many >= 11)).all()


def test_a_hundred_draws_of_each_of_ten_shares_are_made_unless_said_otherwise() -> None:
    """From 5 % to 75 % of the rows, as the paper has it."""
    data = table(2, true_weights(), 40)
    values = engine.Ordinal().case_dropping(data.select(data.names[:3])).correlations["strength"]
    assert (values.shape, STEPS[0], STEPS[-1]) == ((10, 100), 0.05, 0.75)


def test_a_result_keeps_it_and_says_it() -> None:
    """Written and read; that of other scales is left out; that of other data is refused."""
    data = table(2, true_weights(), 200)
    method = engine.Ordinal(approach="gpc")
    found = method.case_dropping(data, runs=3)
    result = method.run(data).with_parts(found)
    assert "correlation-stability coefficient" in result.summary() or any(
        "correlation-stability coefficient" in line for part in result.sections() for line in part.sentences
    )
    again = type(result).from_dict(result.to_dict())
    assert again == result and again.table("Case dropping").equals(result.table("Case dropping"))
    other = method.partial_network(data, dict.fromkeys(data.names[:4], "x") | dict.fromkeys(data.names[4:], "y"))
    assert result.with_parts(other).dropping is None
    with pytest.raises(engine.SettingsError, match="of other data"):
        result.with_parts(method.case_dropping(table(3, true_weights(), 200), runs=1))
