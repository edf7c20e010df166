"""What was read from a file is held to types, positions and shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

import engine
from engine.graphs.pdag import Pdag, complete
from engine.methods import fitting, storing

if TYPE_CHECKING:
    from nowhere import Unknown  # type: ignore[import-not-found]


@dataclass
class Sample:
    """One field of every form that our classes have."""

    whole: int
    number: float
    text: str
    flag: bool
    maybe: str | None
    pair: tuple[str, int]
    many: tuple[int, ...]
    nested: tuple[tuple[str, float], ...]
    by_name: Mapping[str, tuple[int, ...]]
    some: Sequence[str]
    array: np.ndarray
    other: Pdag
    one_of: Literal["a", "b"]
    anything: Any
    unknown: Unknown


FITTING: dict[str, list[Any]] = {
    "whole": [0, 10**400],
    "number": [1.5, 2, float("nan")],
    "text": ["", "a"],
    "flag": [True, False],
    "maybe": [None, "a"],
    "pair": [("a", 1), ["a", 1]],
    "many": [(), (1, 2)],
    "nested": [(), (("a", 1), ("b", 2.5))],
    "by_name": [{}, {"a": (1,)}],
    "some": [(), ("a",)],
    "array": [np.zeros(2)],
    "other": [Pdag([0], [0], [0])],
    "one_of": ["a"],
    "anything": [object()],
    "unknown": [object()],
}
MISFITS: dict[str, list[Any]] = {
    "whole": [1.5, True, "1", None],
    "number": ["1", True, None],
    "text": [1, None, ("a",)],
    "flag": [1, "yes", None],
    "maybe": [1, ("a",)],
    "pair": [("a",), ("a", "b"), ("a", 1, 2), "ab"],
    "many": ["12", (1, "2"), (True,), 1, {1: 2}],
    "nested": [("a", 1), (("a",),), (("a", "b"),)],
    "by_name": [(), {"a": 1}, {1: (1,)}, {"a": ("x",)}],
    "some": ["a", (1,)],
    "array": [[1, 2], None],
    "other": [None, "Pdag"],
    "one_of": ["c"],
}


@pytest.mark.parametrize("name", [one.name for one in fields(Sample)])
def test_values_are_held_to_the_types_of_fields(name: str) -> None:
    """What fits passes, and what does not is named."""
    for value in FITTING[name]:
        assert fitting.misfit(Sample, {name: value}) == "", value
    for value in MISFITS.get(name, []):
        assert fitting.misfit(Sample, {name: value}) == name, value


def test_most_fields_of_what_is_stored_are_held_to_a_type() -> None:
    """Types that only checkers know are few, or nothing would be looked at."""
    hints = [hint for kind in storing._KINDS.values() for hint in fitting._hints(kind).values()]
    assert len(hints) > 200
    assert sum(hint is Any for hint in hints) < len(hints) / 5


def refused(call: Callable[[], Any], words: str) -> None:
    """One sentence that says what is wrong."""
    with pytest.raises(engine.DataError, match=words) as told:
        call()
    assert str(told.value).endswith(".")


def test_parents_make_a_network() -> None:
    """In range, each once, without a circle where they must be a DAG."""
    fitting.check_parents(((1, 2), (2,), ()), 3)
    fitting.check_parents(((1,), (0,)), 2, acyclic=False)
    for parents, words in (
        (((1,), (0,)), "circle"),
        (((0,), ()), "circle|itself"),
        (((2,), ()), "no variable"),
        (((-1,), ()), "no variable"),
        (((1, 1), ()), "twice"),
        ((("b",), ()), "no variable"),
        (((),), "other variables"),
    ):
        refused(lambda parents=parents: fitting.check_parents(parents, 2), words)
    many = fitting.MOST_VARIABLES + 1
    refused(lambda: fitting.check_parents([()] * many, many), "too many")


def test_both_ends_of_every_edge_agree() -> None:
    """A class of DAGs passes; one bit changed anywhere does not."""
    good = complete(((1, 2), (2,), (), (0, 2)))
    assert fitting.check_pdag(good) is good
    for part in ("parents", "children", "neighbours"):
        for i in range(4):
            for j in range(4):
                changed = good.copy()
                getattr(changed, part)[i] ^= 1 << j
                refused(lambda changed=changed: fitting.check_pdag(changed), "edge")
    n = fitting._AT_ONCE + 9  # more than are laid out at once
    for a, b in ((3, n - 1), (n - 2, 5), (n - 2, n - 1)):
        wide = Pdag([0] * n, [0] * n, [0] * n)
        wide.parents[a] |= 1 << b
        refused(lambda wide=wide: fitting.check_pdag(wide), "one end")
        wide.children[b] |= 1 << a
        assert fitting.check_pdag(wide) is wide
        wide.neighbours[a] |= 1 << 7
        refused(lambda wide=wide: fitting.check_pdag(wide), "one end")
    refused(lambda: fitting.check_pdag(Pdag([0], [0, 0], [0])), "other variables")
    refused(lambda: fitting.check_pdag(Pdag([1 << 5], [0], [0])), "no variable")


def test_names_levels_counts_codes_and_shapes() -> None:
    """The plain checks, at their limits."""
    fitting.check_names(("a", "b"))
    refused(lambda: fitting.check_names(("a", "a")), "same name")
    refused(lambda: fitting.check_names(()), "no names")
    fitting.check_levels(("a",), {"a": ("x", "y")})
    refused(lambda: fitting.check_levels(("a",), {"a": ("x", "x")}), "level twice")
    refused(lambda: fitting.check_levels(("a",), {"a": ("x",), "b": ()}), "other variables")
    fitting.check_counts(0, fitting.MOST_ROWS, np.array([1, 2]), 10**8)  # tables on disk have so many rows
    for strange in (-1, 1.5, fitting.MOST_ROWS + 1, np.array([2**62, 2**62, 2**62]), np.array([-1, 5])):
        refused(lambda strange=strange: fitting.check_counts(strange), "rows")
    fitting.check_codes(np.array([[0, 1], [-1, 2]]), [2, 3], -1)
    for code in (-2, 2):
        refused(lambda code=code: fitting.check_codes(np.array([[code]]), [2], -1), "no level")
    refused(lambda: fitting.check_codes(np.array([[0.5]]), [2]), "no level")
    fitting.check_shape(np.zeros((2, 3)), None, 3)
    for shape in ((3,), (2, 2), (2, 3, 1)):
        refused(lambda shape=shape: fitting.check_shape(np.zeros((2, 3)), *shape), "shape")
    assert fitting.checked_edges(3, ((0, 1), (1, 2))) == ((0, 1), (1, 2))
    for edges in (((1, 0),), ((1, 1),), ((0, 3),)):
        refused(lambda edges=edges: fitting.checked_edges(3, edges), "edge")
    refused(lambda: fitting.checked_edges(10**9, ()), "too many")
