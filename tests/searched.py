"""One search of the population network serves all tests that ask for the same.

Tests about progress, or about runs that repeat to the bit, ask for `searched_anew`.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.methods.instance_specific import population
from engine.search.best import Best, Compared
from engine.search.problem import Problem

_FOUND: dict[tuple[Any, ...], Compared] = {}


class Remembered(Best):
    """The best of several searches; tables that another test has searched are not searched again."""

    def compare(self, problem: Problem) -> Compared:
        """What every search reached, and the structure of the winner."""
        limits = problem.constraints
        key = (
            *(self, problem.data.fingerprint, problem.score, tuple(problem.order)),
            *(limits.allowed.tobytes(), limits.required, limits.max_parents),
        )
        if key not in _FOUND:
            _FOUND[key] = super().compare(problem)
        return _FOUND[key]


@pytest.fixture(autouse=True)
def searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For modules in which every test would search the same few tables again."""
    monkeypatch.setattr(population, "Best", Remembered)


@pytest.fixture
def searched_anew(searched_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests about the search itself."""
    monkeypatch.setattr(population, "Best", Best)
