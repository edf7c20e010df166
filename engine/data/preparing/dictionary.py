"""The data dictionary: a small CSV (name, type, label, levels, unit, scale) that says what the columns mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.data.preparing.choices import LONGEST_UNIT
from engine.data.reading.filetype import file_type
from engine.data.reading.headers import clean_text, without_guard
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.naming import quoted_values, uncounted
from engine.data.reading.read import Source, source_bytes
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import text_rows
from engine.errors import InputError
from engine.words import short

FIELDS = ("name", "type", "label", "levels", "unit", "scale")

_SYNONYMS = {
    "name": {"name", "variable", "column", "field", "variable name", "column name", "field name"},
    "type": {"type", "kind", "data type", "field type", "measure", "variable type"},
    "label": {"label", "description", "field label", "variable label", "meaning"},
    "levels": {"levels", "values", "categories", "choices", "value labels"},
    "unit": {"unit", "units"},
    "scale": {"scale", "subscale", "questionnaire", "instrument", "form name"},
}
_KINDS = {
    "nominal": "nominal categorical category categories factor binary boolean bool dichotomous text string",
    "ordinal": "ordinal ordered likert ranked",
    "continuous": "continuous numeric number float integer int scale interval ratio real decimal double",
    "ignore": "ignore ignored identifier id skip date datetime time notes none exclude excluded",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()} | {"free text": "ignore"}


@dataclass(frozen=True)
class Entry:
    """One variable: its kind ("" when not said), label, levels in order, unit, and the scale that it is a part of."""

    name: str
    kind: str = ""
    label: str = ""
    levels: tuple[str, ...] = ()
    unit: str = ""
    scale: str = ""


@dataclass(frozen=True)
class Dictionary:
    """Entries in the order of the file, and sentences on what in it could not be used."""

    entries: tuple[Entry, ...]
    problems: tuple[str, ...] = ()

    def choices(self, columns: Iterable[str]) -> tuple[dict[str, dict[str, Any]], tuple[str, ...]]:
        """`kinds`, `levels` and `units` for `Dataset.from_frame`, and sentences on entries no column answers to.

        Names are matched as they are, then without regard to capitals.
        """
        columns = list(columns)
        folded = {name.casefold(): name for name in reversed(columns)}
        kinds: dict[str, Any] = {}
        levels: dict[str, Any] = {}
        units: dict[str, Any] = {}
        problems = list(self.problems)
        for entry in self.entries:
            name = entry.name if entry.name in columns else folded.get(entry.name.casefold())
            if name is None:
                problems.append(f"The dictionary describes '{short(entry.name, 60)}', which the table does not have.")
                continue
            if entry.kind:
                kinds[name] = entry.kind
            if entry.levels and entry.kind not in ("continuous", "ignore"):
                levels[name] = list(entry.levels)
            if entry.unit:
                units[name] = entry.unit[:LONGEST_UNIT]
        missing = [name for name in columns if name not in kinds and name not in levels]
        if missing:
            problems.append(f"The dictionary says nothing of {quoted_values(missing, most=5)}.")
        return {"kinds": kinds, "levels": levels, "units": units}, tuple(map(uncounted, problems))

    def labels(self) -> dict[str, str]:
        """Name -> label with its unit, for entries that have one."""
        return {
            entry.name: f"{entry.label or entry.name} [{entry.unit}]" if entry.unit else entry.label
            for entry in self.entries
            if entry.label or entry.unit
        }

    def scales(self) -> dict[str, str]:
        """Name -> the scale (questionnaire, form) that the variable is a part of, for entries that have one."""
        return {entry.name: entry.scale for entry in self.entries if entry.scale}


def read_dictionary(source: Source, *, name: str | None = None) -> Dictionary:
    """Read a data dictionary: CSV with a header that has at least `name`, in any order and separator.

    Levels are parted by `|`, in order; `code=label` and `code, label` count as the code. Lines that make no
    sense are left out and named in `problems`.
    """
    data, result = source_bytes(source, Limits(file_bytes=10_000_000))
    if file_type(data) != "text":
        raise InputError("A data dictionary is a CSV file; save it as CSV.")
    rows, _ = text_rows(data, Choices(), ReadingReport(name or result, "text"))
    filled = [(line, [clean_text(cell) for cell in cells]) for line, cells in rows if any(map(str.strip, cells))]
    columns = _places(filled[0][1])
    entries: dict[str, Entry] = {}
    problems: list[str] = []
    for line, cells in filled[1:]:
        entry = _entry(line, {field: cells[at] for field, at in columns.items() if at < len(cells)}, problems)
        if entry is None:
            continue
        if entry.name in entries:
            problems.append(
                f"Line {line} of the dictionary describes '{short(entry.name, 60)}' again; the first counts."
            )
        entries.setdefault(entry.name, entry)
    return Dictionary(tuple(entries.values()), tuple(problems))


def _split(text: str) -> list[str]:
    """Levels of a cell; a backslash keeps the character after it from parting anything."""
    levels = []
    for part in re.findall(r"(?:\\.|[^|\\])+|(?<=\|)(?=\|)", text, re.DOTALL):
        code = re.match(r"((?:\\.|[^\\=])*?)\s*=", part.strip(), re.DOTALL)
        redcap = re.match(r"(-?\d+)\s*,\s*\S", part.strip())
        code_part = code.group(1) if code else redcap.group(1) if redcap else part
        levels.append(clean_text(re.sub(r"\\(.)", r"\1", code_part, flags=re.DOTALL)))
    return levels


def _places(header: Sequence[str]) -> dict[str, int]:
    positions = {}
    for position, cell in enumerate(header):
        word = cell.lstrip("'").casefold().replace("_", " ").strip()
        for field, synonyms in _SYNONYMS.items():
            if word in synonyms and field not in positions:
                positions[field] = position
    if "name" not in positions:
        raise InputError(
            "The data dictionary has no column 'name'. Its first line must be: name,type,label,levels,unit,scale."
        )
    return positions


def _entry(line: int, cells: dict[str, str], problems: list[str]) -> Entry | None:
    cells = {field: without_guard(text) for field, text in cells.items()}
    name = cells.get("name", "")
    if not name:
        problems.append(f"Line {line} of the dictionary has no name and was left out.")
        return None
    type_text, scale = cells.get("type", "").casefold().replace("_", " "), cells.get("scale", "")
    if scale.casefold() in _KIND_OF:  # some call the kind a scale, of measurement
        type_text, scale = type_text or scale.casefold(), ""
    kind = _KIND_OF.get(type_text, "")
    if type_text and not kind:
        problems.append(
            f"Line {line} of the dictionary gives '{short(name, 60)}' the type '{short(type_text, 40)}'; "
            "it can be nominal, ordinal, continuous or ignore."
        )
    levels = _split(cells.get("levels", ""))
    if "" in levels or len(set(levels)) != len(levels):
        problems.append(
            f"Line {line} of the dictionary lists an empty level or the same level twice for '{short(name, 60)}'; "
            "such levels were left out."
        )
        levels = [level for level in dict.fromkeys(levels) if level]
    return Entry(name, kind, cells.get("label", ""), tuple(levels), cells.get("unit", ""), scale)
