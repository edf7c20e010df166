"""The examples in the docstrings run, and every public name has one that is short."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import engine
import sample_data
from engine.methods import storing
from engine.methods.result import Result
from tests.floor.test_docstrings import NAMES

FACES = [engine, *(one for name in engine.__all__ if isinstance(one := getattr(engine, name), ModuleType))]
"""Where public names stand."""
MOST_LINES = 5


def modules() -> list[str]:
    """All modules of the engine, by name."""
    found = pkgutil.walk_packages(engine.__path__, "engine.")
    return ["engine", *(one.name for one in found if not one.name.endswith("__main__"))]


def public() -> Iterator[tuple[str, Any]]:
    """Every public function and class with the name it is reached by."""
    for face in FACES:
        for name in getattr(face, "__all__", ()) or _own(face):
            thing = getattr(face, name)
            if callable(thing) and not (isinstance(thing, type) and issubclass(thing, Exception)):
                yield f"{face.__name__}.{name}", thing


def _own(face: ModuleType) -> list[str]:
    """The functions of a module that lists no public names."""
    found = inspect.getmembers(face, inspect.isfunction)
    return [name for name, one in found if one.__module__ == face.__name__ and not name.startswith("_")]


PUBLIC = dict(public())


@pytest.mark.parametrize("name", modules())
def test_examples_run(name: str) -> None:
    """What an example shows is what comes out."""
    module: ModuleType = importlib.import_module(name)
    names = {"engine": engine, "sample_data": sample_data, "np": np}
    for example in doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs=names):
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
        said: list[str] = []
        runner.run(example, out=said.append)
        assert not runner.failures, "".join(said)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_an_example(name: str) -> None:
    """At most five lines that can be typed as they stand."""
    text = inspect.getdoc(PUBLIC[name]) or ""
    lines = [line for line in text.splitlines() if line.lstrip().startswith((">>>", "..."))]
    assert lines, "no example"
    assert len(lines) <= MOST_LINES
    assert "+SKIP" not in text


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_function_says_what_it_takes_and_gives(name: str) -> None:
    """Parameters where it has any, every one by its name, what it returns, and what it raises where it raises."""
    thing = PUBLIC[name]
    text = inspect.getdoc(thing) or ""
    listed = f"{_section(thing, 'Parameters')}\n{_section(thing, 'Attributes')}"
    names = {one.lstrip("*") for some in NAMES.findall(listed) for one in some.split(", ")}
    assert set(inspect.signature(thing).parameters) <= names
    if isinstance(thing, type):
        assert "Parameters\n---" in text or "Attributes\n---" in text or not inspect.signature(thing).parameters
        return
    if inspect.signature(thing).parameters:
        assert "Parameters\n---" in text
    if inspect.signature(thing).return_annotation not in ("None", None):
        assert "Returns\n---" in text


@pytest.mark.parametrize("slug", engine.METHODS)
def test_a_method_lists_its_settings(slug: str) -> None:
    """One line or more for each, by name, and nothing that is no setting."""
    method = engine.METHODS[slug]
    listed = re.findall(r"^(\w[\w, ]*) : ", _section(method, "Parameters"), re.MULTILINE)
    named = [name for names in listed for name in names.split(", ")]
    assert named == [one.name for one in dataclasses.fields(method)]  # type: ignore[arg-type]


ANSWERS = [one for one in vars(storing)["_KINDS"].values() if issubclass(one, Result)]
ASKED = {
    f"{kind.__name__}.{name}": one
    for kind in (*(one for one in PUBLIC.values() if isinstance(one, type)), *ANSWERS)
    for name, one in inspect.getmembers(kind, inspect.isroutine)
    if not name.startswith("_") and callable(one) and one.__module__.startswith("engine.")
}
"""What a script may ask of a value, a method or an answer."""


@pytest.mark.parametrize("name", ASKED)
def test_what_can_be_asked_says_what_it_takes(name: str) -> None:
    """Every parameter beside the object is named under Parameters, and what comes back is said."""
    taken = list(inspect.signature(ASKED[name]).parameters)
    if inspect.isfunction(ASKED[name]):
        del taken[0]  # the object: self, or what a function of wording.py calls it
    names = {one for some in NAMES.findall(_section(ASKED[name], "Parameters")) for one in some.split(", ")}
    assert set(taken) <= names
    assert inspect.getdoc(ASKED[name])


def _section(thing: Any, title: str) -> str:
    """The text below a title in a docstring."""
    text = inspect.getdoc(thing) or ""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n\w+\n---|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""
