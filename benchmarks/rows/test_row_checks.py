"""What the data page asks of rows: which belong together, copies, neighbours, gaps; 100,000 rows of 30 columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.notes import left_out_note

ROWS, COLUMNS, CLINICS = 100_000, 30, 500
MOST = 0.3
"""CPU seconds of all checks together."""
ROUNDS: dict[str, int] = {"rounds": 3, "warmup_rounds": 1}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """Words of three levels and numbers, a code of clinics, two groups, and one column with gaps."""
    rng = np.random.default_rng(0)
    found = {f"x{i}": rng.choice(["low", "mid", "high"], ROWS) for i in range(COLUMNS - 10)}
    found |= {f"y{i}": rng.normal(size=ROWS).round(2) for i in range(10)}
    frame = pd.DataFrame(found).assign(arm=rng.choice(["A", "B"], ROWS))
    frame["x0"] = frame["x0"].where(rng.random(ROWS) > 0.1)
    return frame.assign(clinic=[f"c{i:05d}" for i in rng.integers(0, CLINICS, ROWS)])


def check(data: engine.Dataset) -> str:
    """All checks, of a data set that has not been asked yet."""
    fresh = engine.Dataset(**{name: getattr(data, name) for name in data.__dataclass_fields__})
    assert not fresh.relations
    return left_out_note(fresh, "arm")


def test_checks_of_rows(benchmark: Any, table: pd.DataFrame) -> None:
    """Relations and gaps by group, once for a data set."""
    data = engine.Recipe(roles={"arm": "group", "clinic": "identifier"}).apply(table)
    assert benchmark.pedantic(check, args=(data,), **ROUNDS) == ""
    assert benchmark.stats.stats.min <= MOST


def test_checks_of_few_rows(benchmark: Any, table: pd.DataFrame) -> None:
    """Of 1,000 rows a tenth of that."""
    some = table.head(1_000).assign(clinic=table["clinic"].str[:5].head(1_000))
    data = engine.Recipe(roles={"arm": "group", "clinic": "identifier"}).apply(some)
    benchmark.pedantic(check, args=(data,), **ROUNDS)
    assert benchmark.stats.stats.min <= MOST / 10
