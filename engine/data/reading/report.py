"""Findings and decisions of reading a file, in numbers and in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from engine.data.reading.headers import Renamed
from engine.data.reading.naming import shown_name, shown_value, uncounted
from engine.lazy import pd
from engine.text import Count, Name, Number, People, Text, told

KEY = "reading"
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "space"}


@dataclass(frozen=True)
class Cell:
    """One cell: its column, 1-based row of the table, line of the file (or row of the sheet) and text."""

    column: str
    row: int
    line: int
    value: str


@dataclass(frozen=True)
class ReadingReport:
    """The way a file became a table. Lists of cells and lines hold at most the first 20; counts are complete.

    Attributes
    ----------
    file, format : name and kind ("text", "xlsx", "ods", "parquet", "feather", "sav", "dta", "xpt", "sas7bdat"; "table"
        for one in memory)
    encoding, delimiter, decimal : of a text file, else None
    header_line : 1-based line of the header, None when there is none
    skipped_lines : lines above the header that were passed over
    rows, columns : of the table
    renamed : headers that were changed
    short_lines, long_lines, blank_lines, name_lines : first line numbers; `counts` has how many there are
    missing_tokens : column -> token -> how many cells
    invalid : cells that are no finite number in a column of numbers; they count as missing
    not_numeric : cells that kept a column of numbers from being one; `not_numeric_counts` column -> how many
    conversions : column -> what was done to its texts ("thousands separators removed")
    units : column -> what stood at each of its numbers and was taken off
    left_out : column -> why it could not be read
    labels, measures : column -> label and "nominal"/"ordinal"/"scale", where the file declares them; "assumed" where it
        says nominal by default
    labelled : column -> (code, label) of its values in the order of the codes, where the labels were applied
    name_rows : what can become of names in two rows -> the names that come of it, the usual first; {} of one row
    decimal_open : whether only the user knows if numbers such as 1,234 have thousands or decimals
    rows_below : what stands in rows at the end that look like none of the table; `skipped_last` how many were left out
    sheet, sheets : the worksheet read, and all there are
    notes : sentences on decisions; `problems` : sentences on what needs a look
    """

    file: str
    format: str
    rows: int = 0
    columns: int = 0
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header_line: int | None = None
    skipped_lines: tuple[int, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    short_lines: tuple[int, ...] = ()
    long_lines: tuple[int, ...] = ()
    blank_lines: tuple[int, ...] = ()
    name_lines: tuple[int, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    missing_tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    invalid: tuple[Cell, ...] = ()
    not_numeric: tuple[Cell, ...] = ()
    not_numeric_counts: Mapping[str, int] = field(default_factory=dict)
    conversions: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, str] = field(default_factory=dict)
    labelled: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    name_rows: Mapping[str, str] = field(default_factory=dict)
    decimal_open: bool = False
    rows_below: tuple[str, ...] = ()
    skipped_last: int = 0
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries, lists, texts and numbers."""
        return plain(asdict(self))

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> ReadingReport:
        """The report that `to_dict` wrote."""
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in plain.items() if name in known
        }
        for name in ("invalid", "not_numeric"):
            values[name] = tuple(Cell(**cell) for cell in values.get(name, ()))
        values["labelled"] = {
            str(name): tuple((str(code), str(label)) for code, label in pairs)
            for name, pairs in values.get("labelled", {}).items()
        }
        values["renamed"] = tuple(Renamed(**item) for item in values.get("renamed", ()))
        return cls(**values)

    def attach(self, table: pd.DataFrame) -> pd.DataFrame:
        """Put the report into `table.attrs["reading"]`, from where every copy of the table inherits it."""
        table.attrs[KEY] = _Shared(self.to_dict())
        return table

    def sentences(self) -> list[str]:
        """The report in words: how the file was read, then what was changed."""
        words = [self._how()]
        words += map(uncounted, self.notes)  # of lines and names, never of a value's rows
        if self.skipped_lines:
            words.append(told("Above the header, {} skipped.", Number(_lines(self.skipped_lines))))
        if self.skipped_last:
            last = Count(self.skipped_last, "row(s)", "row(s)")
            words.append(told("The last {} are none of the table and were left out.", last))
        renamed = "Column {}, '{}', is now called '{}': {}."
        words += [
            told(renamed, Number(item.position + 1), shown_name(item.was), shown_name(item.now), item.why)
            for item in self.renamed
        ]
        words += [told("Column '{}' was left out: {}.", Name(name), why) for name, why in self.left_out.items()]
        for kind, what in (
            ("short_lines", "had too few fields and were filled with missing values"),
            ("long_lines", "ended in superfluous separators, which were dropped"),
            ("blank_lines", "had no value at all"),
            ("name_lines", "had the names of the columns once more and were left out"),
        ):
            count = self.counts.get(kind, 0)
            if count:
                words.append(
                    told("{} line(s) {}: {}.", Count(count), what, Number(_numbers(getattr(self, kind), count)))
                )
        words += [told("Column '{}': {}.", Name(name), what) for name, what in self.conversions.items()]
        odd = "Column '{}': {} cell(s) kept it from being numeric, the first in {}: '{}'."
        for name, count in self.not_numeric_counts.items():
            cell = next(cell for cell in self.not_numeric if cell.column == name)
            words.append(told(odd, Name(name), People(count), Number(self._place(cell)), shown_value(cell.value, 60)))
        infinite = "Column '{}', {}: '{}' is not a finite number and counts as missing."
        words += [
            told(infinite, Name(cell.column), People(1, written=self._place(cell)), shown_value(cell.value, 60))
            for cell in self.invalid
        ]
        return words + list(self.problems)

    def _place(self, cell: Cell) -> str:
        """Where a cell stands: its row of the table, as everywhere, and where to look for it in the file."""
        if self.format == "text":
            return f"row {cell.row} (line {cell.line} of the file)"
        return f"row {cell.row} (row {cell.line} of the sheet)" if self.sheet else f"row {cell.row}"

    def _how(self) -> Text:
        if self.format != "text":
            how = f"{self.format}, sheet '{self.sheet}'" if self.sheet else self.format
            return self._read(how)
        parted = f"separated by {_NAMES.get(self.delimiter, repr(self.delimiter))}" if self.delimiter else "one column"
        decimal = {",": "decimal comma", ".": "decimal point"}[self.decimal or "."]
        return self._read(f"text, {self.encoding}, {parted}, {decimal}")

    def _read(self, how: str) -> Text:
        size = People(self.rows, "rows", "rows"), Count(self.columns, "columns", "columns")
        return told("{} and {} read from '{}' ({}).", *size, Name(self.file), Number(how))


def reading_facts(table: pd.DataFrame) -> Mapping[str, Any]:
    """The report of the reading that made a table, as plain values; nothing where it did not come from `read_table`."""
    facts = table.attrs.get(KEY)
    return facts if isinstance(facts, Mapping) else {}


def reading_report(table: pd.DataFrame) -> ReadingReport | None:
    """The report of the reading that made `table`, or None when it did not come from `read_table`."""
    facts = reading_facts(table)
    return ReadingReport.from_dict(facts) if facts else None


class _Shared(dict[str, Any]):
    """A dictionary that copies of a table share; pandas copies `attrs` deeply at every step."""

    def __deepcopy__(self, memo: object) -> _Shared:
        return self


def plain(value: Any) -> Any:
    """`value` with mappings as dictionaries and tuples as lists, as JSON has them."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(entry) for entry in value]
    return value


def _lines(numbers: tuple[int, ...]) -> str:
    if len(numbers) == 1:
        return f"line {numbers[0]} was"
    return f"lines {_numbers(numbers, len(numbers))} were"


def _numbers(numbers: tuple[int, ...], count: int) -> str:
    shown = ", ".join(str(number) for number in numbers[:10])
    return f"{shown}, ..." if count > min(len(numbers), 10) else shown
