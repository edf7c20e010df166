"""The data set: what it keeps, how it is parted, and a fingerprint that sees everything."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.dataset import Dataset
from engine.errors import DataError
from tests.notebooks import frame_document

LEVELS = {"a": ("x", "y", "z"), "b": ("low", "high"), "c": ("0", "1")}


def small() -> Dataset:
    """Three variables, six rows, level z of a without a row."""
    codes = np.array([[0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 0, 1], [1, 1, 1, 0, 0, 0]])
    return Dataset.from_codes(codes, LEVELS, ["a", "b", "c"], {"b": "ordinal"})


def test_codes_are_small_contiguous_and_locked() -> None:
    """Codes are unsigned, one row a variable, and cannot be changed."""
    data = small()
    assert data.codes.dtype == np.uint8 and data.codes.flags.c_contiguous
    assert (data.n_rows, data.n_variables, data.arity.tolist()) == (6, 3, [3, 2, 2])
    with pytest.raises(ValueError, match="read-only"):
        data.codes[0, 0] = 1


def test_many_levels_get_wider_codes() -> None:
    """More than 256 levels need two bytes."""
    assert Dataset.from_codes(np.array([[0, 299]]), [300], ["a"]).codes.dtype == np.uint16


@pytest.mark.parametrize(
    "change",
    [
        lambda d: replace(
            d, names=("a", "b", "d"), levels={**d.levels, "d": d.levels["c"]}, kinds={**d.kinds, "d": "nominal"}
        ),
        lambda d: replace(d, levels={**d.levels, "b": ("high", "low")}),
        lambda d: replace(d, levels={**d.levels, "a": ("x", "y")}),
        lambda d: replace(d, kinds={**d.kinds, "b": "nominal"}),
        lambda d: replace(d, cuts={"b": (1.5,)}),
        lambda d: d.with_codes(d.codes[:, ::-1]),
        lambda d: d.rows(np.arange(5)),
        lambda d: d.rows(np.array([1, 0, 2, 3, 4, 5])),
        lambda d: d.select(["b", "a", "c"]),
    ],
)
def test_fingerprint_sees_every_change(change: object) -> None:
    """Names, level order, unused levels, kinds, cuts, rows and their order all count."""
    assert change(small()).fingerprint != small().fingerprint  # type: ignore[operator]


def test_fingerprint_sees_every_cell() -> None:
    """Each single cell changed gives another fingerprint, and equal data the same one."""
    data = small()
    seen = {data.fingerprint}
    for i, row in np.ndindex(data.codes.shape):
        codes = data.codes.copy()
        codes[i, row] = 1 - codes[i, row]
        seen.add(Dataset.from_codes(codes, LEVELS, data.names, dict(data.kinds)).fingerprint)
    assert len(seen) == 1 + data.codes.size
    assert small().fingerprint == data.fingerprint


def test_split_keeps_the_levels_of_the_whole() -> None:
    """Each part has the rows of its level, without the group column, with all levels."""
    data = small()
    parts = data.split("a")
    assert list(parts) == ["x", "y"]
    assert parts["x"].names == ("b", "c")
    assert parts["x"].codes.tolist() == [[0, 1, 0], [1, 1, 0]]
    assert parts["y"].levels == {"b": LEVELS["b"], "c": LEVELS["c"]}


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=30))
def test_split_parts_make_the_whole(rows: list[tuple[int, int]]) -> None:
    """Sizes add up and every row is found again in its part."""
    data = Dataset.from_codes(np.array(rows).T, [3, 2], ["g", "v"])
    parts = data.split("g")
    assert sum(part.n_rows for part in parts.values()) == data.n_rows
    for level, part in parts.items():
        assert part.column("v").tolist() == [v for g, v in rows if str(g) == level]


def test_select_and_rows() -> None:
    """Variables in the order asked for, rows by mask or number."""
    data = small().select(["c", "a"])
    assert data.names == ("c", "a") and list(data.levels) == ["c", "a"]
    mask = np.array([True, False, True, False, False, False])
    assert data.rows(mask).codes.tolist() == data.rows(np.array([0, 2])).codes.tolist() == [[1, 1], [0, 0]]


def test_without_empty_levels() -> None:
    """Levels without rows go, the others keep their meaning; nothing to do gives the same object."""
    data, dropped = small().without_empty_levels()
    assert dropped == {"a": ("z",)} and data.levels["a"] == ("x", "y")
    sparse = Dataset.from_codes(np.array([[0, 2, 2]]), LEVELS | {"a": ("x", "y", "z")}, ["a"])
    tidy, dropped = sparse.without_empty_levels()
    assert (tidy.codes.tolist(), tidy.levels["a"], dropped) == ([[0, 1, 1]], ("x", "z"), {"a": ("y",)})
    assert tidy.without_empty_levels()[0] is tidy


def test_to_frame() -> None:
    """Level names in a pandas table, ordered where the variable is."""
    frame = small().to_frame()
    assert frame["a"].tolist() == ["x", "y", "x", "y", "x", "y"]
    assert list(frame["a"].cat.categories) == ["x", "y", "z"]
    assert frame["b"].cat.ordered and not frame["a"].cat.ordered


def test_pickle_keeps_the_data() -> None:
    """A data set survives the way to another process."""
    data = small()
    assert data.planes is not None
    again = pickle.loads(pickle.dumps(data))  # noqa: S301
    assert again.fingerprint == data.fingerprint


@pytest.mark.parametrize(
    ("codes", "levels", "names", "words"),
    [
        ([[0, 1]], [2], ["a", "a"], "same name"),
        ([0, 1], [2], ["a"], "shape"),
        ([[0.5, 1]], [2], ["a"], "whole numbers"),
        ([[0, 2]], [2], ["a"], "code 2"),
        ([[-1, 0]], [2], ["a"], "code -1"),
        ([[0, 1]], [["x", "x"]], ["a"], "same level twice"),
        ([[0, 1]], [2, 2], ["a"], "lists of levels"),
    ],
)
def test_wrong_codes(codes: list[object], levels: list[object], names: list[str], words: str) -> None:
    """Codes, levels and names that do not fit are refused in words."""
    with pytest.raises(DataError, match=words):
        Dataset.from_codes(np.array(codes), levels, names)  # type: ignore[arg-type]


def test_unknown_variable_names_near_ones() -> None:
    """A slip of the pen is met with a suggestion."""
    data = Dataset.from_codes(np.array([[0, 1]]), [2], ["smoking"])
    with pytest.raises(DataError, match="'smoking'"):
        data.column("smokin")
    with pytest.raises(DataError, match="twice"):
        data.select(["smoking", "smoking"])


def test_pandas_manners() -> None:
    """Length, shape, a column by its name, the first rows, and names that can be walked over."""
    data = small()
    assert (len(data), data.shape, list(data), "a" in data, "z" in data) == (6, (6, 3), ["a", "b", "c"], True, False)
    assert data["b"].equals(data.to_frame()["b"]) and data["b"].name == "b"
    assert data.head(2).equals(data.to_frame().head(2)) and len(data.head()) == 5 and len(data.head(9)) == 6
    with pytest.raises(DataError, match="no variable 'z'"):
        data["z"]


def test_a_data_set_is_shown_in_a_line() -> None:
    """The line is short whatever the names, and a notebook gets a table whose names are no markup."""
    assert repr(small()) == "Dataset(6 rows, 3 variables: a, b, c)"
    wide = Dataset.from_codes(np.zeros((90, 3), int), [["<b>x"]] * 90, [f"<i>{i}" + "n" * 90 for i in range(90)])
    assert len(repr(wide)) < 200
    shown = frame_document(wide._repr_mimebundle_())
    assert "<i>" not in shown and "<b>" not in shown and "<table" in shown


def test_roles_are_kept_and_go_with_their_variable() -> None:
    """A group is a variable; what says whose row it is, is none, and stays with every part."""
    roles = {"a": "group", "c": "identifier"}
    data = Dataset.from_codes(small().codes, LEVELS, ["a", "b", "c"], roles=roles)
    assert data.names == ("a", "b") and data.roles == roles
    assert data.split("a")["x"].roles == data.select(["b"]).roles == {"c": "identifier"}
    assert data.rows(np.array([1])).roles == roles
    assert pickle.loads(pickle.dumps(data)).roles == roles  # noqa: S301
    with pytest.raises(DataError, match="'roles' speaks of a column 'z'"):
        Dataset.from_codes(small().codes, LEVELS, ["a", "b", "c"], roles={"z": "group"})


def test_roles_change_the_fingerprint_and_their_absence_does_not() -> None:
    """Methods go by roles, subjects and steps; where a row came from is no part of what the data say."""
    plain = small()
    data = Dataset.from_codes(plain.codes, LEVELS, ["a", "b", "c"], {"b": "ordinal"}, roles={"a": "outcome"})
    assert data.fingerprint != plain.fingerprint == replace(data, roles={}).fingerprint
    assert replace(plain, origin=np.arange(6)[::-1].copy()).fingerprint == plain.fingerprint
    seen = set()
    for who in ([0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 2, 2]):
        codes = np.vstack([plain.codes, [who]])
        one = Dataset.from_codes(codes, {**LEVELS, "who": 3}, ["a", "b", "c", "who"], roles={"who": "subject"})
        seen |= {one.fingerprint, one.rows(np.array([0, 1, 2, 3, 5, 4])).fingerprint}
    assert len(seen) == 4


@pytest.mark.parametrize("role", ["subject", "time", "weight", "identifier"])
def test_a_role_beside_the_variables_is_no_variable_unless_chosen(role: str) -> None:
    """The report says why it was left out; a kind that is chosen makes it one all the same."""
    frame = pd.DataFrame({"k": [*range(6)] * 2, "v": ["x", "y"] * 6, "who": [1] * 6 + [2] * 6})
    roles = {"k": role} | ({"who": "subject"} if role == "time" else {})
    data = Dataset.from_frame(frame, roles=roles)
    assert data.names == (("v",) if role == "time" else ("v", "who")) and data.roles == roles
    assert data.report is not None and data.report.column("k").kind == "ignore"
    both = Dataset.from_frame(frame, roles=roles, kinds={"k": "ordinal"})
    assert both.kinds["k"] == "ordinal" and both.roles == roles


def test_the_values_of_a_number() -> None:
    """As they stood in the table, also of some rows; who has none is told what to do."""
    table = pd.DataFrame({"x": [1.5, np.nan, 2.25, 9.0] * 5, "who": ["a", "b"] * 10})
    data = Dataset.from_frame(table, kinds={"x": "continuous"}, missing="level")
    np.testing.assert_array_equal(data.values("x"), table["x"])
    np.testing.assert_array_equal(data.rows([3, 1]).values("x"), [9.0, np.nan])
    with pytest.raises(DataError, match="'who' is nominal"):
        data.values("who")
    with pytest.raises(DataError, match="There is no variable 'y'"):
        data.values("y")
    with pytest.raises(DataError, match=r"only counted.*data\.recipe\.apply"):
        Dataset.from_batches([table], data.recipe).values("x")
