"""What a user sees of a result, of a report and of a project file, in plain values that no renaming inside changes."""

from __future__ import annotations

import io
import math
import zipfile
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd

import engine

_SPACING = ("script", "style", "svg")


def of_result(result: Any) -> dict[str, Any]:
    """Sentences, claims, edges, variables, tables and networks."""
    return {
        "sentences": [result.headline(), *result.sentences(), *result.notes(), result.caution],
        "claims": of_table(result.claims()),
        "edges": of_table(result.edges()),
        "variables": of_table(result.variables()),
        "tables": {title: of_table(table) for title, table in result.tables().items()},
        "networks": {title: sorted(map(list, graph.edges())) for title, graph in result.graphs().items()},
        "sections": [[part.title, *part.sentences, *part.tables, *part.figures] for part in result.sections()],
        "settings": {name: str(value) for name, value in result.settings().items()},
    }


def of_table(table: pd.DataFrame) -> dict[str, Any]:
    """Columns with their values; the index first."""
    flat = table.reset_index()
    return {str(name): [_plain(value) for value in flat[name]] for name in flat.columns}


def of_report(results: list[Any]) -> dict[str, list[str]]:
    """Every text of the document in order, with small counts shown and hidden, a cell or sentence each."""
    found = {}
    for name, least in (("whole", 0), ("hidden", 5)):
        reader = _Texts()
        reader.feed(str(engine.report(results, title="Golden", hide_below=least, when="2026-11-23")))
        found[name] = reader.texts
    return found


def of_project(results: list[Any]) -> dict[str, Any]:
    """What a project file gives back: the same answers, the notes and the layout."""
    layout = {name: (float(i), 1.0) for i, name in enumerate(results[0].names)}
    project = engine.Project(analyses=results, notes="golden", layouts=[layout], source="table.csv")
    file = io.BytesIO()
    engine.save(project, file)
    assert zipfile.is_zipfile(file)
    file.seek(0)
    read: Any = engine.load(file)
    assert [one.result for one in read.analyses] == results
    return {
        "notes": read.notes,
        "layouts": [{name: list(place) for name, place in one.items()} for one in read.layouts],
        "source": read.source,
        "headlines": [one.result.headline() for one in read.analyses],
        "tables": [{title: len(table) for title, table in one.result.tables().items()} for one in read.analyses],
    }


class _Texts(HTMLParser):
    """The texts between tags, but for scripts, styles and drawings."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._outside = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._outside += tag in _SPACING

    def handle_endtag(self, tag: str) -> None:
        self._outside -= tag in _SPACING

    def handle_data(self, data: str) -> None:
        if not self._outside and data.strip():
            self.texts.append(" ".join(data.split()))


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)
