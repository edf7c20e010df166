"""What columns are called on the pages: a code by its label, with the code beside it where there is room."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dashboard.session.cards import Card, ColumnNames
from dashboard.session.keys import value_of, widget_key
from dashboard.session.masking import doubt, headline
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import chart
from engine.data.units import name_without_unit, unit_in
from engine.telling.charts.labels import apart
from engine.text import Name, Text
from engine.words import in_place, is_code, with_labels

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

LETTERS = 28
"""Of a label in a sentence, in a box of a network and at the axis of a chart: it reads alike in all of them."""
BRIEF_LETTERS = 17
"""Of one in a chart, where two stand in a line."""
_GAP = re.compile(r"\s+(?=\S)")
_SEAM = re.compile(r"(?:[:?!]|\.{3}|…|\s[-–—])\s+(?=\S)")
"""Where a question ends and what is asked of each item begins."""
_FEWEST_ALIKE, _LONG_STEM = 3, 20
"""Labels that begin alike before the beginning says nothing of any of them; its letters where it is no sentence."""
SWITCH = widget_key("labels", "on")
"""Of the switch between labels and the names of columns."""
_given: ContextVar[Mapping[str, str] | None] = ContextVar("labels", default=None)


def column_names() -> ColumnNames:
    """What columns are called on the page: as in the table of the results that it shows, else as in the open one."""
    return session().names or work().column_names


def show_names_of(cards: Sequence[Card]) -> None:
    """From here on the page calls columns as the tables of these results do; what two call differently by its code."""
    if any(card.names is not None for card in cards):
        session().names = _common([_names_of(card) for card in cards])


def shown_names_of(card: Card) -> Mapping[str, str]:
    """`shown_names` of the table that a result was made from."""
    return _shown_of(_names_of(card))


def labelled_headline(card: Card) -> str:
    """What a result says, with the labels of its own table in place of codes."""
    return labelled_of(card, headline(card.result))


def labelled_doubt(card: Card) -> str:
    """How sure that is, likewise."""
    return labelled_of(card, doubt(card.result))


def labelled_of(card: Card, text: str) -> str:
    """A text about a result, with the labels of its own table in place of codes."""
    return _labelled(text, shown_names_of(card))


def shown_names(letters: int = LETTERS) -> Mapping[str, str]:
    """Column -> its label, cut to so many letters, of the columns that are called by a code or run backwards."""
    given = _given.get()
    return given if given is not None else _shown_of(column_names(), letters)


@contextmanager
def names_shown(names: Mapping[str, str]) -> Iterator[None]:
    """Let these be what is shown, where no session is at hand: files are made in a thread of their own."""
    token = _given.set(names)
    try:
        yield
    finally:
        _given.reset(token)


def full_name(name: str) -> str:
    """The label with the name beside it, else the name."""
    label = shown_names().get(name)
    return name if label is None else f"{label} ({name})"


def with_code(name: str) -> str:
    """The label behind its code, else the name: for a narrow column, which cuts what is too long."""
    label = shown_names().get(name)
    return name if label is None else f"{name} {label}"


def labelled(text: str) -> str:
    """A sentence with labels in place of codes, each code beside its label."""
    return _labelled(text, shown_names())


def _labelled(text: str, names: Mapping[str, str]) -> str:
    if isinstance(text, Text):
        quoted = {name: f"“{names[name]}” ({name})" for name in text.parts if isinstance(name, Name) and name in names}
        text = text.shown(lambda part: quoted.get(part, part) if isinstance(part, Name) else part)
        return in_place(text, {f"'{label}'": label for label in quoted.values()})
    return with_labels(text, names)


def with_brief_names(text: str, names: Sequence[str]) -> str:
    """A sentence with labels, quoted, in place of these names, and of long ones only so much as tells them apart."""
    shown = shown_names()
    brief = apart({name: shown.get(name, name) for name in names}, LETTERS)
    brief = {name: f"“{item}”" if name in shown else item for name, item in brief.items()}
    return in_place(text, {name: item for name, item in brief.items() if name in text and name != item})


def labelled_table(table: pd.DataFrame) -> pd.DataFrame:
    """A table with labels in place of the codes that stand alone in a cell of texts."""
    names = shown_names()
    texts = [column for column in table.columns if names and table[column].dtype.kind not in "iufbM"]
    return table.assign(**{column: [_cell(item, names) for item in table[column]] for column in texts})


def whole_labels() -> Mapping[str, str]:
    """Column -> its label, uncut, of all columns that have one: for files."""
    return {name: label for name, label in column_names().labels.items() if label}


def without_stems(labels: Mapping[str, str]) -> dict[str, str]:
    """Column -> its label without what several begin with, uncut: for a narrow column of a table."""
    return dict(zip(labels, _without_stems(list(labels.values())), strict=True))


def with_label_columns(table: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """A table with a column of labels behind each column of names: `label`, or two such as `source_label`."""
    named = [
        str(column)
        for column in table.columns
        if labels and any(isinstance(item, str) and item in labels for item in table[column].unique())
    ]
    result = table.copy()
    for column in named:
        name = "label" if len(named) == 1 and "label" not in table else f"{column}_label"
        if name not in result:
            cells = [labels.get(item, "") if isinstance(item, str) else "" for item in table[column]]
            result.insert(result.columns.get_loc(column) + 1, name, cells)
    return result


def labelled_figure(figure: go.Figure) -> go.Figure:
    """A chart with labels in place of codes: alone at the axes, with the code beside in what a pointer shows."""
    names = shown_names()
    if not names:
        return figure
    ticks = {name: chart(label) for name, label in names.items()}
    brief = {name: chart(label) for name, label in _named_where_alike(apart(names, BRIEF_LETTERS), names).items()}
    content = figure.to_plotly_json()
    for trace in content["data"]:
        for key in ("x", "y", "labels"):
            if key in trace:
                trace[key] = _each(trace[key], ticks)
        for key in ("text", "hovertext", "customdata", "name", "hovertemplate"):
            if key in trace:
                trace[key] = _each(trace[key], names, beside=True)
    for name, part in content["layout"].items():
        if name.startswith(("xaxis", "yaxis")):
            for key in ("ticktext", "categoryarray"):
                if key in part:
                    part[key] = _each(part[key], ticks)
            if "text" in part.get("title", {}):
                part["title"]["text"] = _each(part["title"]["text"], ticks)
    for note in content["layout"].get("annotations", ()):
        note |= {"text": _each(note["text"], brief)} if "text" in note else {}
        note |= {"hovertext": _each(note["hovertext"], names, beside=True)} if "hovertext" in note else {}
    return type(figure)(content)


def _named_where_alike(brief: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Labels that are cut, with the variable's name where another label begins as what is left of them does."""
    begins = {name: label.removesuffix("…") for name, label in brief.items() if label.endswith("…")}
    alike = {a for a, text in begins.items() for b, label in names.items() if a != b and label.startswith(text)}
    return {name: f"{label} {name}" if name in alike else label for name, label in brief.items()}


def _each(value: Any, names: Mapping[str, str], *, beside: bool = False) -> Any:
    """A text, or all texts of a list, with labels; whatever else as it is."""
    if isinstance(value, str):
        return with_labels(value, names) if beside else in_place(value, names)
    if isinstance(value, list | tuple):
        return [_each(item, names, beside=beside) for item in value]
    if getattr(value, "dtype", None) is not None and value.dtype.kind in "OUT":
        return [_each(item, names, beside=beside) for item in value.tolist()]
    return value


def _cell(item: object, names: Mapping[str, str]) -> object:
    return full_name(item) if isinstance(item, str) and item in names else item


def _names_of(card: Card) -> ColumnNames:
    return work().column_names if card.names is None else card.names


def _common(tables: Sequence[ColumnNames]) -> ColumnNames:
    """What columns of several tables are called where no two of these disagree."""
    labels, scales = ([getattr(table, about) for table in tables] for about in ("labels", "scales"))
    backwards = dict.fromkeys(name for table in tables for name in table.backwards)
    return ColumnNames(_agreed(labels), _agreed(scales), tuple(backwards))


def _agreed(given: Sequence[Mapping[str, str]]) -> dict[str, str]:
    result = {name: text for texts in given for name, text in texts.items()}
    return {name: text for name, text in result.items() if all(texts.get(name, text) == text for texts in given)}


def has_labels() -> bool:
    """True where any column of the page has a label in place of a code."""
    return any(label and is_code(name) for name, label in column_names().labels.items())


def _shown_of(names: ColumnNames, letters: int = LETTERS) -> Mapping[str, str]:
    return _shown(tuple(names.labels.items()) if value_of(SWITCH, True) else (), names.backwards, letters)


def _without_stems(labels: Sequence[str]) -> list[str]:
    """Labels without what several begin with: of 'How often did you: cry' what stands behind the question."""
    begins = [[label[: seam.end()] for seam in _SEAM.finditer(label)] for label in labels]
    words = [[label[: gap.end()] for gap in _GAP.finditer(label) if gap.end() > _LONG_STEM] for label in labels]
    many = Counter(stem for own in (*begins, *words) for stem in set(own))
    asked = [max((stem for stem in own if many[stem] >= _FEWEST_ALIKE), key=len, default="") for own in begins]
    shared = [max(own, key=lambda stem: (many[stem], len(stem)), default="") for own in words]
    stems = [own or (begin if many[begin] >= _FEWEST_ALIKE else "") for own, begin in zip(asked, shared, strict=True)]
    result = [label.removeprefix(stem) for label, stem in zip(labels, stems, strict=True)]
    return result if len(set(result)) == len(set(labels)) else list(labels)


def _adds_unit_alone(name: str, label: str) -> bool:
    """True of 'FEV1 (L)', which says no more than the name where the unit stands beside its numbers."""
    return name_without_unit(label, unit_in(label)) == name


@lru_cache(maxsize=16)
def _shown(labels: tuple[tuple[str, str], ...], backwards: tuple[str, ...], letters: int) -> Mapping[str, str]:
    codes = {name: label for name, label in labels if label and is_code(name) and not _adds_unit_alone(name, label)}
    result = apart(dict(zip(codes, _without_stems(list(codes.values())), strict=True)), letters)
    return {**result, **{name: f"{result.get(name, name)}, reversed" for name in backwards}}
