"""The verdict of a link: its counts, its three states, its probability, and what was not asked."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine
from engine.measures.shifts import Shift, largest_difference, largest_shift
from engine.methods.instance_specific.verdicts.links import _verdict
from tests.engine.make import random_data
from tests.engine.methods.instance_specific.make import figure_one

METHOD = engine.InstanceSpecific()


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    """Enough rows to see that X1 shifts nothing where X0 = 0."""
    return figure_one(rows=4000)


def by_hand(table: engine.Dataset, mask: np.ndarray) -> np.ndarray:
    """X2 by X1 among some rows."""
    x1, x2 = table.column("X1")[mask], table.column("X2")[mask]
    return np.array([[((x1 == a) & (x2 == b)).sum() for b in (0, 1)] for a in (0, 1)])


def test_a_link_is_judged_among_the_rows_like_the_patient(table: engine.Dataset) -> None:
    """X1 into X2 where X0 = 0: the counts, the shift and the difference from X0 = 1 are those counted by hand."""
    result = METHOD.run(table, {"X0": "0", "X3": "0"})
    link = result.link("X1", "X2")
    assert link is not None
    here = by_hand(table, table.column("X0") == 0)
    others = by_hand(table, table.column("X0") == 1)
    assert link.counts.tolist() == here.tolist()
    assert link.rows == here.sum()
    assert link.here == largest_shift(here)
    assert link.difference == largest_difference(here, [others])
    assert (link.word, link.verdict, link.status) == ("no longer matters", "no", "dropped")
    assert result.headline() == "With X0 = 0, X1 no longer matters for X2."
    assert f"among the {here.sum():,} rows like this patient X1 shifts X2 by at most " in result.sentence("X2")


def test_a_wider_margin_lets_more_be_said_and_a_narrower_less(table: engine.Dataset) -> None:
    """The word hangs on the upper end alone."""
    high = METHOD.run(table, {"X0": "0"}).link("X1", "X2").here.high  # type: ignore[union-attr]
    for margin, word in ((high + 1e-6, "no longer matters"), (high - 1e-6, "matters differently")):
        link = engine.InstanceSpecific(margin=margin).run(table, {"X0": "0"}).link("X1", "X2")
        assert link is not None
        assert link.word == word


@pytest.mark.parametrize(
    ("status", "here", "apart", "expected"),
    [
        ("dropped", (0.02, 0.0, 0.09), 0.3, ("no", "no longer matters")),
        ("dropped", (0.02, 0.0, 0.1), 0.3, ("yes", "matters differently")),
        ("dropped", (0.02, 0.0, 0.3), 0.0, ("cannot tell", "cannot tell")),
        ("dropped", (0.3, 0.1, 0.5), 0.0, ("cannot tell", "cannot tell")),
        ("kept", (0.3, 0.1, 0.5), 0.0, ("yes", "applies")),
        ("kept", (0.1, 0.0, 0.5), 0.4, ("cannot tell", "cannot tell")),
        ("kept", (0.03, 0.01, 0.05), 0.0, ("no", "matters by less than the margin")),
        ("added", (0.3, 0.1, 0.5), 0.0, ("yes", "also matters")),
        ("added", (0.3, 0.0, 0.5), 0.0, ("cannot tell", "cannot tell")),
    ],
)
def test_the_states(status: str, here: tuple[float, float, float], apart: float, expected: tuple[str, str]) -> None:
    """Under the margin no; different only where that is sure; otherwise it cannot be told."""
    assert _verdict(status, Shift(*here), Shift(0.4, apart, 0.8), 0.1) == expected


def test_the_bayes_factor_is_the_odds_over_those_beforehand(table: engine.Dataset) -> None:
    """Two parents: posterior odds of X1 over prior odds of kappa, by scores of single families."""
    result = engine.InstanceSpecific(kappa=0.3).run(table, {"X0": "0", "X1": "1"})
    link = result.link("X1", "X2")
    assert link is not None
    patient = result.patient
    whole = ["X0", "X1"]
    score = {
        group: engine.instance_score(table, patient, "X2", list(group), whole)
        for group in (("X0", "X1"), ("X0",), ("X1",))
    }
    odds = (math.exp(score["X0", "X1"] - score["X0",]) + 0.3 * math.exp(score["X1",] - score["X0",])) / 0.3
    assert link.applies == pytest.approx(odds / (1 + odds))
    assert link.log_bayes_factor == pytest.approx(math.log(odds) - math.log((1 + 0.3) / 0.3))


def test_an_only_parent_was_not_asked(table: engine.Dataset) -> None:
    """X2 is all that X3 depends on: no probability, no factor, and the sentence says why."""
    result = METHOD.run(table, {"X0": "0", "X2": "1", "X3": "0"})
    only = result.arc_changes.set_index("target").loc[["X3"]]
    if len(only) == 1:
        row = only.iloc[0]
        assert not row.asked
        assert row.word == "not asked"
        assert math.isnan(row.probability)
    claims = result.claims()
    unasked = claims[claims["kind"] == "not asked"]
    assert len(unasked)
    assert unasked[["log_bayes_factor", "probability", "effect", "low", "high"]].isna().all(axis=None)
    assert (unasked["verdict"] == "cannot tell").all()


def test_in_noise_nothing_applies_with_a_probability() -> None:
    """False links of pure noise are mostly only parents: formerly each of them applied above 99.9 %."""
    arcs = []
    for seed in range(60):
        codes = np.random.default_rng(seed).integers(0, 2, (8, 120))
        data = engine.Dataset.from_codes(codes, [2] * 8, [f"v{i}" for i in range(8)])
        arcs.append(METHOD.run(data, 0).arc_changes)
    found = [row for one in arcs for row in one.itertuples()]
    assert found
    for row in found:
        assert row.word != "no longer matters"
        assert math.isnan(row.probability) == (not row.asked)


def test_an_added_parent_is_judged_by_rows_counted_anew() -> None:
    """Its family in the population has no counts of it."""
    data = random_data(130, 6, 9, seed=6)
    method = engine.InstanceSpecific(additions=True, kappa=0.9)
    for row in range(70):
        result = method.run(data, row)
        for link in result.links:
            if link.status != "added":
                continue
            context = result.context_of(link)
            mask = np.all(
                [data.column(name) == data.levels[name].index(level) for name, level in context.items()], axis=0
            )
            source, child = (data.column(result.name(x))[mask] for x in (link.source, link.child))
            levels, r = link.counts.shape
            counted = [[((source == a) & (child == b)).sum() for b in range(r)] for a in range(levels)]
            assert link.counts.tolist() == counted
            return
    pytest.fail("no patient gained a parent, so nothing was tested")
