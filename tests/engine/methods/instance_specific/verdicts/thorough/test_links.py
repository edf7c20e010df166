"""The verdict of a link: its counts, its word, its probability, and what was not asked."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.measures.shifts import largest_shift
from engine.methods.instance_specific.links import Comparison, LinkWord, judged
from engine.telling.instance_specific.links import points
from engine.words import NO_BREAK
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
    """X1 into X2 where X0 = 0: counts and both shifts are those counted by hand."""
    result = METHOD.run(table, {"X0": "0"})
    link = result.link("X1", "X2")
    assert link is not None and link.compared is not None
    here = by_hand(table, table.column("X0") == 0)
    others = by_hand(table, table.column("X0") == 1)
    assert link.counts.tolist() == here.tolist()
    assert link.rows == here.sum()
    assert link.here == largest_shift(here)
    for shift, counts in ((link.compared.here, here), (link.compared.others, others)):
        assert shift == pytest.approx(counts[1, 1] / counts[1].sum() - counts[0, 1] / counts[0].sum())
    assert (link.word, link.verdict, link.status) == ("no longer matters", "no", "dropped")
    shifts = f"{points(link.compared.here)}{NO_BREAK}pp (95 % −2 to 6), otherwise {points(link.compared.others)}"
    assert result.headline() == f"With X0 = 0, X1 no longer matters for X2: {shifts}."
    assert f"From X1 = 0 to 1 the share of X2 = 1 changes by 2{NO_BREAK}pp (95 %: −2 to 6)" in result.sentence("X2")


def test_kept_links_are_asked_too(table: engine.Dataset) -> None:
    """The patient's network keeps X0 for X2; where X1 = 1 it shifts X2 the other way."""
    link = METHOD.run(table, {"X0": "1", "X1": "1"}).link("X0", "X2")
    assert link is not None
    assert (link.status, link.word) == ("kept", "matters the other way round")


def compared(here: float, others: float, **changes: object) -> Comparison:
    """One whose difference is sure, by 20 points either way."""
    apart = here - others
    own = (here, here - 0.05, here + 0.05, others, others - 0.05, others + 0.05, apart, apart - 0.2, apart + 0.2)
    return replace(Comparison(0, 1, 1, *own, 0.001, False, False, 80, 1.0, 70), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "found", "expected"),
    [
        ("kept", compared(0.7, 0.2), "matters more"),
        ("kept", compared(0.2, 0.7), "matters less"),
        ("dropped", compared(0.2, 0.7), "matters less"),
        ("kept", compared(0.02, 0.7, inside=True), "no longer matters"),
        ("kept", compared(0.02, -0.4, inside=True), "no longer matters"),
        ("kept", compared(-0.2, 0.4), "matters the other way round"),
        ("kept", compared(-0.7, -0.2), "matters more"),
        ("added", compared(0.5, 0.01), "also matters"),
        ("kept", compared(0.7, 0.2, p=0.051), "cannot tell"),
        ("kept", compared(0.3, 0.2), "cannot tell"),
        ("kept", compared(0.3, 0.2, alike=True), "no difference seen"),
        ("dropped", None, "not asked"),
    ],
)
def test_the_words(status: str, found: Comparison | None, expected: str) -> None:
    """A word needs p and an interval without 0; "no longer" the margin too; nothing seen only where it was asked."""
    assert judged(status, found) == expected


def test_a_wider_margin_lets_no_longer_be_said(table: engine.Dataset) -> None:
    """The word hangs on the farther end of the interval here."""
    found = METHOD.run(table, {"X0": "0"}).link("X1", "X2").compared  # type: ignore[union-attr]
    assert found is not None
    end = max(found.here_high, -found.here_low)
    for margin, word in ((end + 1e-6, "no longer matters"), (end - 1e-6, "matters less")):
        link = engine.InstanceSpecific(margin=margin).run(table, {"X0": "0"}).link("X1", "X2")
        assert link is not None
        assert link.word == word


@pytest.mark.parametrize("rows", [40, 4000])
def test_where_nothing_could_be_asked_that_is_said(rows: int) -> None:
    """A chain has no context at all; few rows give none either. Never "nothing is different"."""
    generator = np.random.default_rng(1)
    a = generator.integers(0, 2, rows)
    b, c = (np.where(generator.random(rows) < 0.9, a, generator.integers(0, 2, rows)) for _ in range(2))
    result = METHOD.run(engine.Dataset.from_codes(np.array([a, b, c]), [2] * 3, list("abc")), 0)
    assert result.links and not any(one.asked for one in result.links)
    assert result.headline().startswith("No value ")
    not_compared = f"None of the population's {len(result.links)} links can be compared: "
    assert any(sentence.startswith(not_compared) for sentence in result.sentences())


def test_only_a_margin_that_holds_every_interval_says_nothing_seen(table: engine.Dataset) -> None:
    """Effects that add up: within 10 points nothing can be told of 900 rows, within 60 nothing is seen to differ."""
    generator = np.random.default_rng(2)
    a, b = generator.integers(0, 2, (2, 900))
    x = generator.random(900) < 0.2 + 0.3 * a + 0.3 * b
    data = engine.Dataset.from_codes(np.array([a, b, x]).astype(int), [2] * 3, list("abx"))
    result = METHOD.run(data, {"a": "0", "b": "1"})
    assert [link.word for link in result.links if link.asked] == [LinkWord.CANNOT_TELL] * 2
    assert "would show" in result.sentence("x") and "rows with the patient's" in result.sentence("x")
    result = engine.InstanceSpecific(margin=0.6).run(data, {"a": "0", "b": "1"})
    assert [link.word for link in result.links if link.asked] == [LinkWord.NOTHING_SEEN] * 2


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
