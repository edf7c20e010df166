"""What is called equivalent: bounds of all rows, and contexts in which a variable differs all the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import fisher_exact, ks_2samp, kstwobign

import engine
from engine.measures.risk_difference import risk_difference
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.numbers.equivalence import _exact, bound_of, bound_of_numbers, scan
from engine.methods.group_difference.rows.groups import split_groups
from engine.methods.group_difference.verdicts import Verdict
from engine.telling.group_difference.one_variable import verdict_words
from engine.telling.group_difference.wording import lists, verdict_rules
from engine.telling.terms import TERMS


def one_block(counts: list[list[int]]) -> Blocks:
    """All rows of a variable."""
    table = np.array([counts])
    return Blocks((), 1.0, np.zeros((1, 0), dtype=np.int64), table, np.zeros(1))


def both_ways(rows: int, seed: int) -> engine.Dataset:
    """Cured alike overall, more often where drug and sex agree and less often elsewhere."""
    rng = np.random.default_rng(seed)
    group, drug, sex = (rng.integers(0, 2, rows) for _ in range(3))
    cure = rng.random(rows) < np.where(sex == group, np.where(drug == 1, 0.75, 0.3), 0.525)
    codes = np.array([group, drug, sex, cure]).astype(np.uint8)
    return engine.Dataset.from_codes(
        codes, [["A", "B"], 2, ["f", "m"], ["no", "yes"]], ["group", "drug", "sex", "cure"]
    )


def test_bounds_are_of_levels_or_of_cut_points_together() -> None:
    """Each level by Bonferroni; with an order the shares up to every cut; of numbers Kolmogorov and Smirnov's limit."""
    counts = [[30, 40, 30], [20, 60, 20]]
    levels = max(np.abs(risk_difference(np.array([counts]))[k]).max() for k in (1, 2))
    assert bound_of(one_block(counts), ordered=False) == pytest.approx(levels)
    cuts = [risk_difference(np.array([table]), 0.975) for table in ([[30, 70], [20, 80]], [[70, 30], [80, 20]])]
    expected = max(abs(end[0]) for cut in cuts for end in cut[1:])
    assert bound_of(one_block(counts), ordered=True) == pytest.approx(expected)
    rng = np.random.default_rng(1)
    values, inside = rng.normal(size=700), np.arange(700) < 300
    reach = kstwobign.ppf(0.95) * math.sqrt(1 / 300 + 1 / 400)
    assert bound_of_numbers(values, inside) == pytest.approx(
        ks_2samp(values[inside], values[~inside]).statistic + reach
    )
    values[300:500] = math.nan
    assert bound_of_numbers(values, inside) > 0.5


def test_small_contexts_have_fishers_p() -> None:
    """Twice the smaller tail, so never below the two-sided p."""
    rng = np.random.default_rng(0)
    n = rng.integers(10, 40, (2, 20))
    a, b = rng.integers(0, n[0] + 1), rng.integers(0, n[1] + 1)
    for k, p in enumerate(_exact(a, b, n)):
        table = [[a[k], n[0, k] - a[k]], [b[k], n[1, k] - b[k]]]
        tails = [fisher_exact(table, side).pvalue for side in ("less", "greater")]
        assert p == pytest.approx(min(1.0, 2 * min(tails)))


def test_differences_that_run_both_ways_are_found_in_their_contexts() -> None:
    """Nothing differs overall; the context is named, and the word is not *equivalent*."""
    result = engine.GroupDifference(group="group").run(both_ways(800, 6))
    row = result.variables().loc["cure"]
    assert row["verdict"] == Verdict.NOT_SEEN and row["bound"] < 0.1
    assert "sex = " in row["found"]
    said = next(text for text in result.sentences() if text.startswith("cure: "))
    assert said.startswith(f"cure: no difference seen overall; where {row['found']}: “yes” ")
    assert "cure" not in [name for names in lists(result).values() for name in names]
    assert result.with_margin(0.5).variables().at["cure", "verdict"] == Verdict.ALIKE


def test_the_scan_is_the_same_of_rows_and_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contexts, levels and p of products of indicators, and of tables that were counted."""
    groups = split_groups(engine.GroupDifference(group="group"), both_ways(900, 5))
    found = scan(groups, (), [1.0] * 3)
    monkeypatch.setattr("engine.methods.group_difference.numbers.equivalence._MANY_ROWS", 0)
    assert scan(groups, (), [1.0] * 3) == found and found[2]
    assert not scan(groups, (), [0.01] * 3)[2], "rows that count little show little"


def test_equivalent_is_said_of_all_rows_only() -> None:
    """The word, the rules and the sentences have *overall*, and none speaks of every context."""
    rng = np.random.default_rng(3)
    codes = np.array([rng.integers(0, 2, 6000), rng.integers(0, 2, 6000), rng.integers(0, 3, 6000)], dtype=np.uint8)
    result = engine.GroupDifference(group="g").run(engine.Dataset.from_codes(codes, [2, 2, 3], ["g", "a", "b"]))
    assert verdict_words(Verdict.ALIKE, 0.1) == "equivalent overall, ±10\u00a0pp"
    assert result.headline().startswith("All 2 variables are equivalent overall, ±10\u00a0pp, between")
    told = [
        *verdict_rules(result),
        *result.sentences(),
        *result.explain("a"),
        TERMS["Equivalent overall"],
    ]
    assert not [text for text in told if "any context" in text or "every context" in text]
    assert [text for text in told if text.startswith("Equivalent overall, ±10\u00a0pp; a context may differ: ")]
    assert all(len(text.split()) <= 25 for text in told)
