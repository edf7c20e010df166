"""The examples of the docstrings say what comes out."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import engine.data

MODULES = sorted(one.name for one in pkgutil.walk_packages(engine.data.__path__, "engine.data."))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    """Every example of a module of this room."""
    if name != "engine.data.reading.statistics_child":  # a program of its own, not to be imported
        assert doctest.testmod(importlib.import_module(name)).failed == 0
