"""A network drawn step by step: what each step leaves alone, and what is refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.errors import DataError
from engine.models import Network
from engine.models.drawing import (
    LONGEST_NAME,
    MOST_VARIABLES,
    add_arrow,
    add_variable,
    draw_tables,
    empty_network,
    remove_arrow,
    remove_variable,
    rename_variable,
    set_table,
)


def drawn() -> Network:
    """Four variables, a collider with two parents of two and three levels, tables drawn."""
    network = empty_network()
    for name, levels in (("a", ("x", "y", "z")), ("b", ("no", "yes")), ("c", ("no", "yes")), ("d", ("no", "yes"))):
        network = add_variable(network, name, levels)
    for source, target in (("b", "c"), ("a", "c"), ("c", "d")):
        network = add_arrow(network, source, target)
    return draw_tables(network, 3)


def test_an_arrow_has_no_effect_until_its_table_is_set() -> None:
    """Every probability stays as it was, whichever place the new parent takes in the family."""
    network = drawn()
    for source, target in (("a", "d"), ("a", "b"), ("b", "d")):
        changed = add_arrow(network, source, target)
        for name in network.names:
            assert changed.query(name, {"c": "yes"}) == pytest.approx(network.query(name, {"c": "yes"}), abs=1e-12)
        back = remove_arrow(changed, source, target)
        assert back.parents == network.parents
        for one, other in zip(back.tables, network.tables, strict=True):
            assert one == pytest.approx(other, abs=1e-12)


def test_the_table_keeps_its_rows_by_parent() -> None:
    """The first parent's level is the most significant digit, as everywhere."""
    network = set_table(drawn(), "d", np.array([[0.9, 0.1], [0.2, 0.8]]))
    wide = add_arrow(network, "a", "d")  # a comes before c
    assert wide.parents[3] == (0, 2)
    assert wide.tables[3].tolist() == [[0.9, 0.1], [0.2, 0.8]] * 3


def test_without_an_arrow_the_child_is_as_frequent_as_before() -> None:
    """Where the parents are independent, the mean over the removed one leaves the child's share alone."""
    network = drawn()
    apart = remove_arrow(network, "a", "c")
    assert apart.query("c") == pytest.approx(network.query("c"), abs=1e-12)
    assert apart.parents[2] == (1,)


def test_a_removed_variable_takes_its_arrows_along() -> None:
    """Positions of the others move up; their tables fit."""
    network = remove_variable(drawn(), "b")
    assert network.names == ("a", "c", "d") and network.parents == ((), (0,), (1,))
    assert remove_variable(network, "c").parents == ((), ())


def test_names_and_tables_change() -> None:
    """Renaming leaves tables, a draw is seeded and can be of some variables only."""
    network = rename_variable(drawn(), "b", "smokes", ("never", "now"))
    assert network.names[1] == "smokes" and network.levels[1] == ("never", "now")
    once, same, other = draw_tables(network, 1), draw_tables(network, 1), draw_tables(network, 2, names=["d"])
    assert all(np.array_equal(x, y) for x, y in zip(once.tables, same.tables, strict=True))
    assert np.array_equal(other.tables[2], network.tables[2]) and not np.array_equal(other.tables[3], network.tables[3])


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (lambda n: add_arrow(n, "d", "a"), "d → a would close a circle: a → c → d → a"),
        (lambda n: add_arrow(n, "c", "a"), "linked already"),
        (lambda n: add_arrow(n, "a", "a"), "two different"),
        (lambda n: add_arrow(n, "a", "e"), "no variable 'e'"),
        (lambda n: remove_arrow(n, "a", "d"), "no arrow a → d"),
        (lambda n: add_variable(n, " a "), "already"),
        (lambda n: add_variable(n, " "), "needs a name"),
        (lambda n: add_variable(n, "e" * (LONGEST_NAME + 1)), "at most 60"),
        (lambda n: add_variable(n, "e", ("no", "no")), "different names"),
        (lambda n: add_variable(n, "e", ("no",)), "2 to 12 levels"),
        (lambda n: rename_variable(n, "a", "b"), "already"),
        (lambda n: rename_variable(n, "a", "a", ("no", "yes")), "has 3 levels"),
        (lambda n: set_table(n, "d", np.array([[0.5, 0.5], [0.5, 0.4]])), "Row 2 of d sums to 0.9"),
        (lambda n: set_table(n, "d", np.array([[0.5, 0.5], [-0.5, 1.5]])), "Row 2 of d holds"),
        (lambda n: set_table(n, "d", np.array([[0.5, np.nan], [0.5, 0.5]])), "Row 1 of d holds"),
        (lambda n: set_table(n, "d", np.array([[0.5, 0.5]])), "shape"),
    ],
)
def test_what_is_refused(step: Callable[[Network], Network], words: str) -> None:
    """One sentence each."""
    with pytest.raises(DataError, match=words):
        step(drawn())


def test_a_full_network_is_refused() -> None:
    """Sixty variables at the most."""
    network = empty_network()
    for number in range(MOST_VARIABLES):
        network = add_variable(network, f"v{number}")
    with pytest.raises(DataError, match="at most 60 variables"):
        add_variable(network, "more")
