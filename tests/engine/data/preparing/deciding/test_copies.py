"""Columns that follow from others: the glances that spare a wide table most pairs change nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.data.preparing.deciding import copies as module
from engine.data.preparing.deciding.copies import _columns, _cut_card, _determined, _determines
from engine.data.preparing.deciding.table_view import TableView, view_table


def plain(seen: TableView) -> list[str]:
    """Keys of the cards, every pair of columns looked at on the same 64 rows, one by one."""
    columns = _columns(seen)
    rows = np.linspace(0, len(columns[0].few) - 1, 64).astype(np.int64) if columns else np.zeros(0, np.int64)
    least, taken, found = max(3, 0.005 * seen.n), set(), []
    for coarse in sorted((one for one in columns if one.counts.min() >= least), key=lambda one: one.levels):
        finer = []
        for fine in columns:
            pairs = sorted(zip(fine.few[rows].tolist(), range(64), coarse.few[rows].tolist(), strict=True))
            steps = [(a[0] == b[0], a[2] != b[2]) for a, b in pairwise(pairs)]
            if any(same and changes for same, changes in steps):
                continue
            interval = sum(changes for _, changes in steps) < len(set(coarse.few[rows].tolist()))
            right = fine.levels > coarse.levels and fine.name not in taken
            if right and _determines(fine, coarse, interval=interval):
                finer.append(fine)
        if finer:
            taken.add(coarse.name)
            found += [one.key for one in _cut_card(seen, min(finer, key=lambda one: one.levels), coarse)]
    return found


@given(st.integers(0, 10_000), st.integers(30, 400))
@settings(max_examples=40, deadline=None)
def test_the_glances_change_nothing(seed: int, rows: int) -> None:
    """Numbers, intervals of them, groups of levels, copies with gaps and columns that have nothing to do with these."""
    generator = np.random.default_rng(seed)
    number = generator.integers(0, int(generator.integers(3, 40)), rows)
    words = generator.integers(0, int(generator.integers(3, 9)), rows)
    table = {
        "number": number.astype(float),
        "cut": np.where(number < np.median(number), "low", "high"),
        "word": [f"w{i}" for i in words],
        "group": [f"g{i // 2}" for i in words],
        "pair": [f"p{i % 2}" for i in words],
        "gaps": [None if generator.random() < 0.02 else f"g{i // 3}" for i in words],
    }
    table |= {f"free{i}": generator.integers(0, i + 2, rows).astype(str) for i in range(4)}
    frame = pd.DataFrame({name: table[name] for name in generator.permutation(list(table))})
    seen = view_table(frame, engine.Recipe())
    assert [one.key for one in _determined(seen, _columns(seen))] == plain(seen)


def test_most_pairs_are_never_looked_at_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 200 unrelated columns hardly any pair is compared row by row."""
    asked = []

    def noted(fine: Any, coarse: Any, *, interval: bool) -> bool:
        asked.append(fine)
        return _determines(fine, coarse, interval=interval)

    monkeypatch.setattr(module, "_determines", noted)
    values = np.random.default_rng(0).integers(0, 3 + np.arange(200)[:, None] % 5, (200, 300))
    frame = pd.DataFrame({f"c{i}": values[i].astype(str) for i in range(200)})
    seen = view_table(frame, engine.Recipe())
    assert not list(_determined(seen, _columns(seen)))
    assert len(asked) < 20
