"""What all settings and answers share: how they are written and read, shown, and what they know of their making."""

from __future__ import annotations

import json
import math
from html.parser import HTMLParser
from typing import Any

import networkx as nx
import numpy as np
import pytest

import engine
from engine.errors import DataError
from engine.graphs.dag import each_edge
from engine.methods.method import Method
from engine.methods.storing import decode, encode
from tests.engine.make import random_data, two_groups
from tests.engine.methods.bounds import check_ends
from tests.notebooks import frame_document

VALUES: list[Any] = [
    None,
    True,
    3,
    "text",
    2.5,
    math.inf,
    -math.inf,
    (1, ("a", (2.0,))),
    {"a": 1, "b": (2, 3)},
    {("a", "b"): 1.5, 3: "x"},
    {"$odd": 1},
    engine.BDeu(ess=2.0),
    engine.Knowledge(forbidden=[("a", "b")]),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_what_is_written_is_read_again(value: Any) -> None:
    """Through JSON and back, of the same kind; lists come back as tuples."""
    again = decode(json.loads(json.dumps(encode(value), allow_nan=False)))
    assert again == value
    assert type(again) is type(value)


@pytest.mark.parametrize("kind", ["float64", "int64", "uint8", "bool"])
@pytest.mark.parametrize("shape", [(4,), (2, 2), (0,), (0, 3)])
def test_arrays_come_back_to_the_last_bit(kind: str, shape: tuple[int, ...]) -> None:
    """Shape, type and values, what is not a number among them; and nobody can write into them."""
    numbers = np.array([0.1, math.inf, math.nan, -3.0]) if kind == "float64" else np.array([1, 0, 2, 1])
    array = numbers[: math.prod(shape)].astype(kind).reshape(shape)
    again = decode(json.loads(json.dumps(encode(array), allow_nan=False)))
    assert (again.shape, again.dtype) == (array.shape, array.dtype)
    assert np.array_equal(again, array, equal_nan=kind == "float64")
    assert not again.flags.writeable


@pytest.mark.parametrize("damaged", [{"$": "Nobody"}, {"$": "BDeu", "size": 1}, {"$array": "<f8", "shape": [2]}])
def test_what_is_damaged_is_refused(damaged: Any) -> None:
    """An unknown class, a part that does not fit, a part that is missing: one sentence."""
    with pytest.raises(DataError, match="damaged"):
        decode(damaged)


def test_what_is_not_listed_is_not_written() -> None:
    """A class by any name has to be let in first."""
    with pytest.raises(TypeError, match="HTMLParser"):
        encode(HTMLParser())


METHODS: list[tuple[Method, tuple[Any, ...]]] = [
    (engine.GroupDifference(group="group"), ()),
    (engine.InstanceSpecific(), (0,)),
    (engine.LogLinear(), ()),
]


@pytest.mark.parametrize(("method", "asked"), METHODS, ids=lambda one: type(one).__name__)
def test_a_notebook_sees_headline_networks_and_table(method: Method, asked: tuple[Any, ...]) -> None:
    """Text is escaped, the table has no numbers of rows, and at most three networks are drawn."""
    result = method.run(two_groups(80, 4, 4, seed=1), *asked)
    page = frame_document(result._repr_mimebundle_())
    first = result.table(result.table_titles()[0])
    heading = page.split("<thead>")[1].split("</thead>")[0]
    assert heading.count("<th>") == min(12, len(first.columns))
    assert page.count("<figure") == min(3, len(result.graphs()))
    assert "<body><p><b>" in page
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    assert body.count("<tr") == min(10, len(first))


@pytest.mark.parametrize(("method", "asked"), METHODS, ids=lambda one: type(one).__name__)
def test_an_answer_knows_its_rows_and_its_recipe(method: Method, asked: tuple[Any, ...]) -> None:
    """Codes that came ready have no recipe; a table has one, and rows that were left out are counted."""
    data = two_groups(80, 4, 4, seed=1)
    ready = method.run(data, *asked).provenance
    assert (ready.rows_used, ready.rows_given, dict(ready.recipe)) == (160, 160, {})
    frame = data.to_frame().astype(object)
    frame.iloc[:10, 0] = None
    read = engine.Dataset.from_frame(frame, missing="level")
    made = method.run(read, *asked).provenance
    assert (made.rows_used, made.rows_given) == (160, 160)
    whole = method.run(engine.Dataset.from_frame(frame, missing="drop"), *asked).provenance
    assert (whole.rows_used, whole.rows_given) == (150, 160)
    assert made.recipe["missing"] == "level"
    assert set(ready.versions) >= {"numpy", "scipy"}
    assert json.dumps(ready.settings) == json.dumps(method.shown())


def test_knowledge_that_says_nothing_is_not_shown() -> None:
    """Settings as tables show them: searches and scores by name, empty knowledge left out, other knowledge shown."""
    shown = engine.GroupDifference(group="g", score=engine.BDeu(2.0)).shown()
    assert "knowledge" not in shown
    assert shown["score"] == {"name": "BDeu", "ess": 2.0}
    assert list(shown)[:2] == ["group", "groups"]
    told = engine.GroupDifference(group="g", knowledge=engine.Knowledge(forbidden=[("a", "b")])).shown()
    assert told["knowledge"]["name"] == "Knowledge"


def test_every_edge_comes_once() -> None:
    """An arc with its direction, an edge both ways once and without one, an edge of an undirected graph likewise."""
    mixed = nx.DiGraph([("b", "a"), ("a", "c"), ("c", "a"), ("c", "d")])
    mixed.add_node("e")
    assert [one[:3] for one in each_edge(mixed)] == [("b", "a", True), ("a", "c", False), ("c", "d", True)]
    assert [one[:3] for one in each_edge(nx.Graph([("x", "y")]))] == [("x", "y", False)]


def test_answers_are_equal_where_settings_and_data_are() -> None:
    """Another seed is another question; the same question has the same answer and hash; JSON has its format."""
    data = random_data(60, 4, 4, seed=1)
    one, again = engine.LogLinear().run(data), engine.LogLinear().run(data)
    assert one == again
    assert hash(one) == hash(again)
    assert one != engine.LogLinear(seed=1).run(data)
    assert one != engine.LogLinear().run(random_data(60, 4, 4, seed=2))
    assert json.loads(one.to_json())["format"] == type(one).format
    assert type(one).from_dict(one.to_dict()) == one
    with pytest.raises(DataError, match="This is no"):
        type(one).from_dict(engine.InstanceSpecific().run(data, 0).to_dict())


def test_bounds_are_taken_and_what_lies_beyond_is_refused() -> None:
    """Both ends of a closed and of an open range."""
    check_ends(engine.InstanceSpecific, {"kappa": (0.1, [0.0], 1.0), "max_parents": (None, 0, None)})
    check_ends(engine.LogLinear, {"alpha": (0.05, [0.0], [1.0]), "max_clique": (None, 2, None)})
