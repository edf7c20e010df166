"""A comparison of rows that belong together and are only counted says what it says of the same rows in memory."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.digest import ROWS
from engine.methods.group_difference import explain
from engine.methods.group_difference.rows import clusters
from engine.methods.group_difference.rows.groups import split_groups
from tests.engine.data.stored.make import frame_of_levels, parquet, stored


def evidence(result: Any) -> str:
    """All that is saved of an answer but what only rows in memory say, and the digest of these."""
    plain = replace(result, made=replace(result.made, rows=()), left_out="", fingerprint="")
    written: str = plain.to_json()
    return written


def table_of(whose: str, rows: int) -> pd.DataFrame:
    """Rows of few clinics or many patients, with one group each, or with both."""
    rng = np.random.default_rng(4)
    table = frame_of_levels(rows)
    owner = rng.integers(0, 40 if whose == "clinics" else rows // 3, rows)
    hidden = rng.normal(size=owner.max() + 1)
    table["ill"] = hidden[owner] + rng.normal(size=rows) > 0
    if whose != "crossing":
        table["sex"] = np.where(rng.random(owner.max() + 1) < 0.5, "f", "m")[owner]
    table["who"] = [None if lost else f"c{k}" for lost, k in zip(rng.random(rows) < 0.02, owner, strict=True)]
    return table


@pytest.fixture(scope="module", params=["clinics", "patients", "crossing"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[engine.Dataset, ...]:
    """The same rows in memory and on disk, those of clinics in several blocks."""
    folder = tmp_path_factory.mktemp(request.param)
    table = table_of(request.param, ROWS + 900 if request.param == "clinics" else 2_500)
    memory = engine.Dataset.from_frame(table, roles={"who": "subject"})
    return memory, stored(parquet(folder, table), memory.recipe, folder / "stored")


def test_the_spread_of_every_family_has_the_same_bits(both: tuple[engine.Dataset, ...]) -> None:
    """Of few rows a unit and many blocks, only those are looked at that the unit has rows of."""
    here, there = (split_groups(engine.GroupDifference("sex"), data).clusters for data in both)
    assert here is not None and there is not None
    for child in range(5):
        others = [x for x in range(5) if x != child]
        for parents in (some for k in range(4) for some in combinations(others, k)):
            assert there.spread(child, parents) == here.spread(child, parents)


def test_counts_of_units_have_bounds(both: tuple[engine.Dataset, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted in a pass and what is remembered fit together, and nothing is counted twice in a row."""
    groups = split_groups(engine.GroupDifference("sex"), both[1])
    counted = groups.clusters
    assert isinstance(counted, clusters.CountedClusters)
    families = [(x, (y, z)) for x in range(5) for y, z in combinations([w for w in range(5) if w != x], 2)]
    rooms = [counted._room((child, *parents)) for child, parents in families]
    monkeypatch.setattr(clusters, "MOST_BYTES", 3 * max(rooms))
    passes = []
    before = clusters.totals_together
    monkeypatch.setattr(
        clusters,
        "totals_together",
        lambda parts, function, items: passes.append(items) or before(parts, function, items),
    )
    for family in families:
        counted.ask([family, *families])
        assert sum(map(counted._room, counted._known)) <= 3 * max(rooms)
        counted.rows(*family)
    assert all(sum(counted._room(item.variables) for item in items) <= 3 * max(rooms) for items in passes)
    many = len(passes)
    counted.rows(*families[-1])
    assert len(passes) == many


def test_another_score_counts_subjects_too(both: tuple[engine.Dataset, ...]) -> None:
    memory, disk = both
    method = engine.GroupDifference("sex")
    assert method.check_score(disk).probabilities.equals(method.check_score(memory).probabilities)


@pytest.mark.parametrize("both", ["patients", "crossing"], indirect=True)
def test_a_gap_is_explained_by_equal_tables(both: tuple[engine.Dataset, ...]) -> None:
    """Rows on disk are seeded otherwise; what each row counts in a family is the same."""
    results = [engine.GroupDifference(group="sex").run(data) for data in both]
    place = results[0].names.index("ill")
    gaps = [result.explain_gap("ill", draws=20) for result in results]
    assert gaps[0].observed == gaps[1].observed
    tables = [
        explain._FamilyTables(result, split_groups(result.method, data), place, 1)
        for result, data in zip(results, both, strict=True)
    ]
    for family in ((place, ()), (place, (0, 1)), (0, (place,))):
        np.testing.assert_allclose(*(table._counts(*family) for table in tables), atol=1e-9)
