"""Who may import whom: the table of rooms, no circle, and every import of ours at the top of its file."""

from __future__ import annotations

from tests.floor.rooms import DASHBOARD, ENGINE, allowed, room
from tests.floor.shrinking import held
from tests.floor.tree import arrows, foreign, modules

DRAWS = {"streamlit", "pyvis", "plotly"}

AGAINST_THE_TABLE: set[str] = set()
"""source -> target, of modules."""

CIRCLES: set[str] = set()
"""The modules of a circle, in alphabetical order."""

INNER: set[str] = set()
"""Modules with imports of ours inside functions."""


def test_every_file_is_in_a_room_of_the_table() -> None:
    """A new folder has to be drawn before it can be built."""
    drawn = {*ENGINE, *DASHBOARD, "sample_data", "dashboard"}
    assert not [name for name in modules() if room(name) not in drawn and not room(name).startswith("methods.")]


def test_rooms_import_only_those_that_the_table_allows() -> None:
    """Every import counts, also inside functions and for types only."""
    wrong = {f"{one.source} -> {one.target}" for one in arrows() if not allowed(one.source, one.target)}
    held(wrong, AGAINST_THE_TABLE)


def test_the_engine_draws_nothing() -> None:
    """No engine module imports anything that puts things on a screen; charts have Plotly when they are called."""
    drawn = [one for one in foreign() if one.source.startswith("engine") and one.target in DRAWS]
    called = {one for one in drawn if one.target == "plotly"}
    called = {one for one in called if one.typing or (one.inner and one.source.startswith("engine.telling.charts"))}
    assert not [str(one) for one in drawn if one not in called]


def test_no_circle_of_imports() -> None:
    """No file imports, by whatever way round, a file that imports it.

    One kind does not count: for the type checker only, of a file in the same folder. Sentences (`wording.py`) are made
    of the result beside them, and its methods call them; without the type nobody would check what they read of it.
    """
    held((" ".join(sorted(circle)) for circle in circles()), CIRCLES)


def test_imports_of_ours_stand_at_the_top() -> None:
    """Inside functions only heavy libraries are imported, never to hide a circle."""
    held({one.source for one in arrows() if one.inner}, INNER)


def circles() -> list[set[str]]:
    """Sets of modules that all reach each other."""
    reached = {name: _reached(name) for name in modules()}
    found: list[set[str]] = []
    for name, those in reached.items():
        if name in those and not any(name in circle for circle in found):
            found.append({other for other in those if name in reached[other]})
    return found


def _reached(start: str) -> set[str]:
    """The modules that one imports, and those that they import, and so on; with itself only where there is a circle."""
    seen: set[str] = set()
    to_do = [start]
    while to_do:
        new = _next()[to_do.pop()] - seen
        seen |= new
        to_do += new
    return seen


def _next() -> dict[str, set[str]]:
    if not _NEXT:
        _NEXT.update({name: set() for name in modules()})
        for one in arrows():
            beside = one.source.rpartition(".")[0] == one.target.rpartition(".")[0]
            if not (one.typing and beside):
                _NEXT[one.source].add(one.target)
    return _NEXT


_NEXT: dict[str, set[str]] = {}
