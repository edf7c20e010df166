"""Everything that pages send to a browser: texts, cells of tables, charts, components, files."""

from __future__ import annotations

import base64
import csv
import json
import re
import zipfile
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from typing import Any

import pyarrow as pa
import pytest
import streamlit as st
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

UNSEEN = {
    "id",
    "hash",
    "element_hash",
    "form_id",
    "x",
    "y",
    "width",
    "height",
    "widthConstraint",
    "progress",
    "template",
}
"""Fields of a message that name or place something, and how far a job is."""
STATISTICS = {"bits", "worth", "pacl", "gain", "G", "strength"}
"""Last word above a column of numbers that are no counts and may be as large; in three figures they look like such."""
_NUMBER = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?(?![\w]|[.,]\d)")
_SHARE = re.compile(r"(?<![\w.])0?\.\d{4,}")


@dataclass
class Sent:
    """What was sent.

    Attributes
    ----------
    texts : every text, with the field it stood in
    numbers : every number in a cell of a table, a chart or a component
    files : name -> content of what the page offers to save
    """

    texts: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[tuple[str, float]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def watch(self, patch: pytest.MonkeyPatch) -> Sent:
        """Take down what is sent from now on."""
        patch.setattr(ForwardMsgQueue, "_before_enqueue_msg", lambda message: self.take(message))
        button = st.download_button

        def download_button(label: str, data: Any, *args: Any, **more: Any) -> Any:
            content = data() if callable(data) else data
            self.files[more["file_name"]] = content if isinstance(content, bytes) else str(content).encode()
            return button(label, data, *args, **more)

        patch.setattr(st, "download_button", download_button)
        return self

    def take(self, message: Any) -> None:
        """Everything in a message."""
        if message.WhichOneof("type") == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._walk(message.delta.new_element, "")

    def whole(self) -> str:
        """All texts, those in files too."""
        return "\n".join([*(text for _, text in self.texts), *map(readable, self.files.values())])

    def shares(self) -> list[float]:
        """Every number between 0 and 1 that was sent with four figures or more."""
        written = map(float, _SHARE.findall(self.whole()))
        return [share for share in [*written, *(value for _, value in self.numbers)] if 0 < share < 1]

    def counts(self) -> dict[float, list[str]]:
        """Whole number -> where it was sent."""
        found: dict[float, list[str]] = {}
        named = [item for name, content in self.files.items() for item in texts_of(name, content)]
        for place, text in [*self.texts, *named]:
            for number in _NUMBER.finditer(text):
                around = text[max(0, number.start() - 50) : number.end() + 50]
                found.setdefault(float(number[1].replace(",", "")), []).append(f"{place}: {around}")
        for place, value in self.numbers:
            found.setdefault(value, []).append(place)
        return found

    def _walk(self, part: Any, place: str) -> None:
        for about, value in part.ListFields():
            where = f"{place}.{about.name}"
            for item in value if about.is_repeated else [value]:
                if about.name in UNSEEN:
                    continue
                if isinstance(item, str):
                    self._text(where, item)
                elif isinstance(item, bytes):
                    self._table(where, item)
                elif hasattr(item, "ListFields"):
                    self._walk(item, where)
                elif hasattr(value, "items"):
                    self._walk_map(where, value)

    def _walk_map(self, where: str, value: Any) -> None:
        for item in value.values():
            self._walk(item, where) if hasattr(item, "ListFields") else self._text(where, str(item))

    def _table(self, where: str, content: bytes) -> None:
        try:
            table = pa.ipc.open_stream(content).read_all()
        except pa.ArrowInvalid:
            return
        for name in table.column_names:
            self.texts.append((where, str(name)))
            for value in [] if is_statistic(str(name)) else table[name].to_pylist():
                self._leaf(f"{where} {name}", value)

    def _text(self, where: str, text: str) -> None:
        if text[:1] in "{[":
            try:
                self._leaf(where, json.loads(text))
                return
            except ValueError:
                pass
        self.texts.append((where, text.replace("\\", "")))
        for picture in re.findall(r"base64,([A-Za-z0-9+/=]+)", text):
            self.texts.append((f"{where} picture", base64.b64decode(picture).decode("utf-8", "replace")))

    def _leaf(self, where: str, value: Any) -> None:
        if isinstance(value, dict):
            for name, item in value.items():
                if name not in UNSEEN or (name in ("x", "y") and ".plotly_chart" in where):
                    self._leaf(f"{where}.{name}", item)
        elif isinstance(value, list | tuple):
            for item in value:
                self._leaf(where, item)
        elif isinstance(value, str):
            self.texts.append((where, value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self.numbers.append((where, float(value)))


def is_statistic(column: str) -> bool:
    """Whether the numbers of a column are no counts."""
    return column.replace("_", " ").split(" ")[-1] in STATISTICS


def texts_of(name: str, content: bytes) -> list[tuple[str, str]]:
    """Place and text of what a file holds; of a CSV each column that may hold counts."""
    if not name.endswith("csv"):
        return [(f"file {name}", readable(content))]
    rows = zip(*csv.reader(StringIO(content.decode("utf-8-sig"))), strict=True)
    return [(f"file {name} {head}", "\n".join(cells)) for head, *cells in rows if not is_statistic(head)]


def readable(content: bytes) -> str:
    """A file as text; of an archive the texts of its members."""
    if content[:2] == b"PK":
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return "\n".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    return without_scripts(content.decode("utf-8-sig", "replace"))


def without_scripts(text: str) -> str:
    """A page without its program, its style and its drawing, whose numbers are places and colours."""
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.S)
    return re.sub(r"<(?!img)[^>]*>", " ", text)
