"""A small project that tests open, change and save again, and files made of changed parts."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pandas as pd

import engine
import sample_data
from engine.project.file import to_bytes

Change = Callable[[Any], Any]
"""What a part of a file becomes: plain values of a JSON part, bytes of another."""


@cache
def table() -> pd.DataFrame:
    """120 rows of a sample, with a column of numbers that is cut, and one of mixed objects."""
    found = sample_data.load("two_hospitals").head(120).iloc[:, :5].copy()
    found["weight"] = [50 + (row * 37 % 60) / 2 for row in range(len(found))]
    found["mixed"] = pd.Series([(1, "one", None, True)[row % 4] for row in range(len(found))], dtype=object)
    return found


CHOICES: dict[str, Any] = {
    "kinds": {"weight": "continuous", "mixed": "nominal"},
    "bins": {"weight": 2},
    "missing": {"mixed": "level"},
}


@cache
def data() -> engine.Dataset:
    """Its data set."""
    return engine.Recipe(**CHOICES).apply(table())


@cache
def project() -> engine.Project:
    """Three answers, a layout, notes, choices, and the table."""
    first = str(data().names[0])
    return engine.Project(
        recipe=data().recipe,
        analyses=[
            engine.SavedResult(engine.LogLinear().run(data()), title="links", starred=True, seconds=0.5, key="a"),
            engine.SavedResult(engine.GroupDifference(group=first).run(data()), note="a note", key="b"),
            engine.SavedResult(engine.InstanceSpecific().run(data(), 3), made="2026-01-01T00:00:00+00:00", key="c"),
        ],
        layouts=[{name: (float(place), 0.5) for place, name in enumerate(data().names)}],
        notes="first look",
        table=table(),
        source="two_hospitals.csv",
        screen={"page": "start", "open": [1, 2.5, None]},
        choices=CHOICES,
    )


@cache
def parts() -> dict[str, bytes]:
    """The parts of its file."""
    with zipfile.ZipFile(io.BytesIO(to_bytes(project()))) as whole:
        return {name: whole.read(name) for name in whole.namelist()}


def zipped(members: Mapping[str, bytes]) -> bytes:
    """Parts as a file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as out:
        for name, part in members.items():
            out.writestr(name, part)
    return content.getvalue()


def changed(name: str, change: Change) -> bytes:
    """Its file with one part changed."""
    return zipped({**parts(), name: as_part(name, change(opened(name)))})


def opened(name: str) -> Any:
    """A part as plain values, or as bytes."""
    return json.loads(parts()[name]) if name.endswith(".json") else parts()[name]


def as_part(name: str, value: Any) -> bytes:
    """The other way; a text stands as it is."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def put(path: str, value: Any) -> Change:
    """A change: the value at a path of keys and positions, "a/0/b", is another; None of the keys may be missing."""

    def change(document: Any) -> Any:
        place, *keys = document, *path.split("/")
        for key in keys[:-1]:
            place = place[int(key) if isinstance(place, list) else key]
        last = int(keys[-1]) if isinstance(place, list) else keys[-1]
        place[last] = value(place[last]) if callable(value) else value
        return document

    return change
