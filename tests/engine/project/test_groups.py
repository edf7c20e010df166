"""The rows of each group."""

from __future__ import annotations

import numpy as np
import pytest

import engine
import sample_data
from tests.engine.make import two_groups


def test_groups_have_all_rows_once_and_the_levels_of_the_whole() -> None:
    """Disjoint origins that make the table; the group itself is gone; levels without rows stay."""
    data = sample_data.dataset("two_hospitals")
    parts = engine.by_group(data, "hospital")
    assert list(parts) == list(data.levels["hospital"])
    origins = np.concatenate([part.origin for part in parts.values()])
    assert sorted(origins.tolist()) == data.origin.tolist()
    for level, part in parts.items():
        assert "hospital" not in part
        assert all(part.levels[name] == data.levels[name] for name in part.names)
        assert (data.column("hospital")[part.origin] == data.levels["hospital"].index(level)).all()


def test_a_level_only_one_group_has_stays_a_level_of_both() -> None:
    """So that answers of the two can be compared."""
    codes = [[0, 0, 1, 1], [0, 1, 2, 2]]
    parts = engine.by_group(engine.Dataset.from_codes(codes, {"g": 3, "x": 3}, ["g", "x"]), "g")
    assert list(parts) == ["0", "1"]
    assert parts["0"].levels["x"] == parts["1"].levels["x"] == ("0", "1", "2")


def test_what_cannot_be_parted_is_said() -> None:
    """No such variable, no data set."""
    data = sample_data.dataset("two_hospitals")
    with pytest.raises(engine.DataError, match="no variable 'hospitl'"):
        engine.by_group(data, "hospitl")
    with pytest.raises(engine.DataError, match=r"Dataset\.from_frame"):
        engine.by_group(data.to_frame(), "hospital")  # type: ignore[arg-type]


def test_parts_know_the_table_they_are_of() -> None:
    """However they were taken out of it; another table is another, and neither fingerprint nor rows tell."""
    data, other = two_groups(60, 4, 2, seed=0), two_groups(60, 4, 2, seed=1)
    assert data.whole == data.fingerprint != other.whole
    parts = [
        *engine.by_group(data, "group").values(),
        data.rows(np.array([3, 4])).select(data.names[:2]),
        data.select(data.names[1:]),
    ]
    assert {one.whole for one in parts} == {data.whole}
    assert all(one.fingerprint != data.fingerprint for one in parts)
    assert {one.whole for one in engine.by_group(other, "group").values()} == {other.whole}
