"""Each card appears for what it is about, in words that say it, and for nothing that only looks a little like it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.deciding.decision import Decision

N = 400
RNG = np.random.default_rng(0)
AGES = RNG.integers(18, 90, N)


def cards(columns: Any, **choices: Any) -> dict[str, Decision]:
    """Kind -> card (one each in these tests), of a table."""
    found = engine.decisions(pd.DataFrame(columns), engine.Recipe(**choices))
    assert len({one.kind for one in found}) == len(found), [one.key for one in found]
    return {one.kind: one for one in found}


def some(values: np.ndarray, code: Any, share: float, seed: int = 1) -> np.ndarray:
    """The values with a code in a share of the rows."""
    return np.where(np.random.default_rng(seed).random(len(values)) < share, code, values)


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        (some(RNG.integers(150, 320, N), 999, 0.05), "999"),
        (some(RNG.integers(100, 2001, N), 999, 0.3), "999"),
        (some(RNG.normal(5, 1, N).round(2), 99, 0.02), "99"),
        (some(RNG.normal(5, 1, N).round(2), -9, 0.02), "-9"),
        (some(AGES, 99, 0.08), "99"),
        (some(some(AGES % 30, 77, 0.03), 99, 0.03, 2), "77|99"),
        (some(some(AGES % 5 + 1, 8, 0.03), 9, 0.03, 2), "8|9"),
        (some(some(RNG.integers(0, 12, N), 98, 0.02), 97, 0.02, 2), "97|98"),
        (some(RNG.normal(72, 9, N).clip(40, 110).round(), 0, 0.05), "0"),
        (some(AGES % 4 + 5, -1, 0.03), "-1"),
        (some(RNG.choice(["a", "b", "c"], N), "unknown", 0.1), "unknown"),
        (some(RNG.choice(["a", "b", "c"], N), "keine Angabe", 0.1), "keine Angabe"),
        (some(AGES.astype(str), "?", 0.02), "?"),
        (some(AGES.astype(str), ".a", 0.02), ".a"),
    ],
)
def test_codes_of_missing_values(values: np.ndarray, codes: str) -> None:
    """Outside the range and inside it, alone or several, as numbers and as words."""
    found = cards({"x": values})["missing-code"]
    assert found.key == f"missing-code:x:{codes}"
    cells = sum(int(np.isin(values.astype(str), [code, f"{code}.0"]).sum()) for code in codes.split("|"))
    assert found.cost == cells
    assert found.options[0].effect.startswith(f"{cells} cell")
    tokens = found.option("missing").change["missing_tokens"]["x"]
    assert set(tokens) == set(codes.split("|"))


@pytest.mark.parametrize(
    "values",
    [
        RNG.poisson(0.6, N),
        RNG.poisson(3, N),
        some(RNG.poisson(3, N), 0, 0.4),
        some(RNG.integers(0, 101, N), 100, 0.3),
        (RNG.normal(130, 18, N) / 10).round() * 10,
        some(RNG.integers(95, 180, N), 120, 0.2),
        (AGES / 5).round() * 5,
        some(AGES, 60, 0.2),
        RNG.integers(1950, 2021, N),
        RNG.choice([1998, 1999, 2000, 2001], N),
        RNG.integers(1, 10, N),
        RNG.integers(0, 10, N),
        RNG.choice([1, 2, 3, 4, 5, 6, 7], N),
        RNG.choice([-1, 0, 1], N),
        RNG.integers(-9, 10, N),
        RNG.normal(0, 4, N).round(1),
        RNG.lognormal(3, 2, N).round(2),
        some(RNG.lognormal(3, 2, N).round(2), 0, 0.3),
        some(RNG.integers(0, 3000, N) * 10, 0, 0.9),
        RNG.integers(50, 300, N),
        RNG.integers(900, 1100, N),
        np.where(RNG.random(N) < 0.03, 90, AGES.clip(None, 90)),
        RNG.choice(["a", "b", "other"], N),
        RNG.choice(["-", "+", "++"], N),
        RNG.choice([88, 99], N),
    ],
)
def test_ordinary_values_are_no_codes(values: np.ndarray) -> None:
    """Zeros in counts, full percentages, rounded pressures, heaped ages, years, top codes, signs of grades."""
    assert "missing-code" not in cards({"x": values})


def test_columns_that_share_a_code_share_a_card() -> None:
    """One code, two columns, one card; a column that has it in its range joins, one that has it once does not."""
    chol, trig = some(RNG.integers(150, 320, N), 999, 0.1), some(RNG.integers(100, 2001, N), 999, 0.05, 2)
    steps = np.arange(900, 900 + N)[RNG.permutation(N)]
    found = cards({"chol": chol, "trig": trig, "steps": steps})["missing-code"]
    assert found.columns == ("chol", "trig")
    counts = int((chol == 999).sum()), int((trig == 999).sum())
    assert (
        found.sentence
        == f"999 stands {counts[0]} times in 'chol' and {counts[1]} times in 'trig': does it mean missing?"
    )
    assert found.option("missing").label == "Missing in both"


def test_codes_in_the_same_rows_are_found_together() -> None:
    """A two-digit code among the values, not frequent enough alone, stands in the rows of another column's."""
    x, y = RNG.integers(0, 200, 2000), RNG.integers(0, 250, 2000)
    assert "missing-code" not in cards({"x": x, "y": y})
    rows = RNG.permutation(2000)[:35]
    apart = RNG.permutation(2000)[:35]
    together, alone = (np.where(np.isin(np.arange(2000), some), 99, y) for some in (rows, apart))
    x = np.where(np.isin(np.arange(2000), rows), 99, x)
    assert cards({"x": x, "y": together})["missing-code"].columns == ("x", "y")
    assert getattr(cards({"x": x, "y": alone}).get("missing-code"), "columns", None) != ("x", "y")


def test_limits_of_detection() -> None:
    """A level, the bound, missing: cells, words and the cut where the level is."""
    values = np.where(np.arange(N) % 10 == 0, "<0.5", (1 + AGES / 7).round(2).astype(str))
    table = pd.DataFrame({"crp": values, "age": AGES})
    found = {one.kind: one for one in engine.decisions(table, engine.Recipe())}["detection-limit"]
    assert [one.key for one in found.options] == ["level", "bound", "missing"]
    assert found.cost == 40
    data = {
        key: engine.Recipe(**engine.settle({}, found, found.option(key))).apply(table) for key in ("level", "missing")
    }
    level = data["level"]
    assert level.n_rows == N
    assert level.cuts["crp"][0] == 0.5
    assert (np.asarray(level["crp"] == level.levels["crp"][0]) == (values == "<0.5")).all()
    assert data["missing"].n_rows == N - 40


@pytest.mark.parametrize("levels", [["<18", "18-30", ">30"], ["<5", "5", ">5"], ["low", "<5", "high"], ["1", "2", "3"]])
def test_ranges_are_no_limits(levels: list[str]) -> None:
    """Groups of ages are levels."""
    assert "detection-limit" not in cards({"x": RNG.choice(levels, N)})


def test_gaps_that_cost_rows() -> None:
    """The columns are those without which most rows are complete; brute force over pairs agrees."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({f"x{i}": rng.normal(size=N).round(1) for i in range(8)})
    for name, share in (("x1", 0.2), ("x4", 0.15), ("x6", 0.02)):
        table.loc[rng.random(N) < share, name] = np.nan
    found = {one.kind: one for one in engine.decisions(table, engine.Recipe())}["gaps"]
    assert found.columns == ("x1", "x4")
    assert found.cost == N - len(table.dropna())
    pairs = {
        (a, b): len(table.drop(columns=[a, b]).dropna()) for i, a in enumerate(table.columns) for b in table.columns[:i]
    }
    best = max(pairs.values())
    assert found.option("columns").effect == f"keeps {best} of {N} rows and 6 columns"
    assert found.option("level").effect.endswith(f"keeps {best} of {N} rows and 8 columns")
    assert found.option("rows").now


def test_few_gaps_ask_nothing() -> None:
    """Gaps in one row of fifty are dropped without a word, and rows that lack everything too."""
    values = RNG.normal(size=N).round(1)
    assert not cards({"x": np.where(np.arange(N) % 50 == 0, np.nan, values), "y": AGES})
    lacking = {f"x{i}": np.where(np.arange(N) % 10 == 0, np.nan, values + i) for i in range(9)}
    assert "gaps" not in engine.decisions(pd.DataFrame(lacking), engine.Recipe())[0].kind


@pytest.mark.parametrize(
    ("codes", "asked"), [((-77, -66), True), ((-11, -22), True), ((-98,), True), ((-12, -35), False)]
)
def test_negative_codes_of_survey_programs_are_asked(codes: tuple[int, ...], asked: bool) -> None:
    """Repeated digits below answers that are all positive; other negative numbers are numbers."""
    answers = [*(1 + i % 5 for i in range(60)), *(code for code in codes for _ in range(4))]
    found = engine.decisions(pd.DataFrame({"q": answers, "arm": (["a", "b"] * 40)[: len(answers)]}), engine.Recipe())
    missing = [one for one in found if one.kind == "missing-code"]
    assert bool(missing) is asked
    if asked:
        chosen = missing[0].option("missing").change["missing_tokens"]["q"]
        assert sorted(chosen) == sorted(map(str, codes))
