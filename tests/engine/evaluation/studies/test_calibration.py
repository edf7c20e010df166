"""The calibration study: its truths worked out apart, its blocks and bars, and a small part that may not get worse."""

from __future__ import annotations

import itertools
from functools import partial
from zlib import crc32

import numpy as np
import pytest

from engine.evaluation.studies import every_study
from engine.evaluation.studies.calibration import group_difference as groups
from engine.evaluation.studies.calibration.cell import Bar, Cell
from engine.evaluation.studies.calibration.study import CalibrationStudy, Plan, bars, parts
from engine.evaluation.studies.study import OUTSIDE, WITHIN
from engine.methods import METHODS
from engine.models.network import Network


@pytest.fixture(scope="module")
def network() -> Network:
    """A random network of four variables."""
    found = groups._drawn(4, np.random.default_rng(1))
    assert any(len(family) for family in found.parents)
    return found


def test_the_joint_is_the_product_of_the_tables(network: Network) -> None:
    """Every cell, one by one; it sums to one."""
    joint = groups.joint(network)
    assert joint.sum() == pytest.approx(1.0)
    for cell in itertools.product(*(range(size) for size in joint.shape)):
        assert joint[cell] == pytest.approx(np.exp(network.log_probability(np.array(cell)[:, None]))[0])


def test_true_differences_are_those_of_many_rows(network: Network) -> None:
    """Shares in a context of both networks, counted in 400,000 rows of each; the order of parents is theirs."""
    generator = np.random.default_rng(2)
    other, changed = groups._perturbed(network, 0.2, generator)
    child = 0 if changed else 1
    given = [x for x in range(4) if x != child][::-1][:2]
    places = [np.array([0, 1]), np.array([1, 0])]
    found = groups.differences((groups.joint(network), groups.joint(other)), child, given, places, 2)
    samples = [one.sample_codes(400_000, generator) for one in (network, other)]
    for row in range(2):
        shares = []
        for codes in samples:
            here = np.all([codes[x] == place[row] for x, place in zip(given, places, strict=True)], axis=0)
            shares.append(np.bincount(codes[child, here], minlength=found.shape[1]) / here.sum())
        assert found[row] == pytest.approx(shares[1] - shares[0], abs=0.02)


def test_a_change_is_as_large_as_it_is_said() -> None:
    """Both ways of changing a variable move so much in every context, and leave all other tables."""
    generator = np.random.default_rng(3)
    for _ in range(5):
        one, other, child = groups._shifted(6, 0.2, generator)
        change = other.tables[child] - one.tables[child]
        assert np.abs(change).max(axis=1) == pytest.approx(np.full(len(change), 0.2))
        assert (np.sign(change) == np.sign(change[0])).all(), "between the same two levels"
        assert all(
            np.array_equal(a, b) for i, (a, b) in enumerate(zip(one.tables, other.tables, strict=True)) if i != child
        )
        mixed, place = groups._perturbed(one, 0.1, generator)
        assert np.abs(mixed.tables[place] - one.tables[place]).max(axis=1) == pytest.approx(0.1)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kinds of small tables in place of all."""
    small = [
        Cell("none", partial(groups._null, 200, 5)),
        Cell("shift", partial(groups._changed, 1000, 20, True), share=0.5),
    ]
    monkeypatch.setattr(groups, "cells", lambda: small)


@pytest.mark.usefixtures("few")
def test_blocks_add_up_and_no_sentence_gets_worse() -> None:
    """Thirty tables are two blocks; equal seeds give equal rows; what is barred holds on a fixed seed."""
    study = CalibrationStudy.run(tables=30, only="group_difference", seed=1)
    rows = study.rows
    assert list(rows.loc[rows["quantity"] == groups.FALSE, "of"]) == [25, 5]
    assert list(rows.loc[rows["quantity"] == groups.FOUND.format(20), "of"]) == [15]
    some = CalibrationStudy.run(tables=5, only="group_difference", seed=1).rows
    assert some["of"].sum() < rows["of"].sum()
    alone = groups._null(200, 5, np.random.default_rng([1, crc32(b"group_difference: none"), 27]))
    assert alone == groups._null(200, 5, np.random.default_rng([1, crc32(b"group_difference: none"), 27]))
    held = study.verdicts()
    assert set(held["verdict"]) <= {WITHIN, OUTSIDE}
    assert len(held) == len(study.tables()["Held to a bar"])
    share = {what: one["hits"].sum() / one["of"].sum() for what, one in rows.groupby("quantity")}
    assert share[groups.FALSE] <= 0.07
    assert share[groups.FOUND.format(20)] >= 0.9
    assert 0.92 <= share[groups.COVERED] <= 1.0
    assert study.compared()["ours"].between(0, 1).all()
    assert set(study.runs().columns) == {"method", "cell", "quantity", "run", "value"}


@pytest.mark.usefixtures("few")
def test_a_false_sentence_would_be_seen() -> None:
    """A cell in which everything is said to differ is outside its bar: the study is no rubber stamp."""
    rows = CalibrationStudy.run(tables=4, only="group_difference").rows
    rows.loc[rows["quantity"] == groups.FALSE, "hits"] = rows["of"]
    broken = CalibrationStudy(Plan(4, 0), rows, {}).verdicts()
    assert set(broken.loc[broken["what"].str.startswith(groups.FALSE), "verdict"]) == {OUTSIDE}


def test_bars_hold_what_they_say() -> None:
    """Ends are within; words name them; every barred quantity belongs to a method that has cells."""
    assert Bar(high=0.07).holds(0.07) and not Bar(high=0.07).holds(0.0701)
    assert Bar(low=0.95).holds(0.95) and not Bar(low=0.95).holds(0.9499)
    assert [one.words() for one in (Bar(high=0.07), Bar(low=0.5), Bar(0.92, 0.98))] == [
        "at most 0.07",
        "at least 0.5",
        "0.92 to 0.98",
    ]
    assert set(bars()) == set(parts()) <= set(METHODS)
    assert list(every_study())[-1] == "calibration"
