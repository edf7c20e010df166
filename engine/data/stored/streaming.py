"""Rows of a source counted, coded by a recipe, and written as bit planes, some at a time."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from engine.data.memory_store import MemoryStore
from engine.data.planes import Planes, plane_starts
from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.prepare import CountedColumns, fixed_by_counts
from engine.data.preparing.report import ColumnReport, ImportReport
from engine.data.store import Store
from engine.data.stored.coding import Coder, check_no_subject, check_streamed, no_row_left
from engine.data.stored.disk_store import PLANES, DiskStore, Layout, PlaneWriter, rows_together
from engine.data.stored.distinct import Distinct
from engine.data.stored.folder import empty_folder, new_file, written_to
from engine.data.stored.manifest import MANIFEST, Manifest, write_manifest
from engine.data.stored.sources import RowSource
from engine.data.stored.subject_column import SubjectColumn
from engine.data.stored.value_counts import count_values
from engine.data.subjects import BITS, CountedSubjects
from engine.errors import InputError
from engine.execution import Progress
from engine.words import duration

MOST_IN_MEMORY = 512 << 20
"""Bytes that coded rows may take where no folder is given."""


_FOLDER_FOR_SUBJECTS = (
    "give an empty folder for the rows that is not kept (folder=...), read the table into memory, or make the recipe "
    "without this role."
)


class TooLargeForMemory(InputError):
    """Coded rows take more memory than they may without a folder."""


def fix(source: RowSource, choices: FrameChoices, progress: Progress) -> CountedColumns:
    """Fix levels and cut points by counting all values once."""
    check_streamed(choices)
    if choices.where or choices.derive:
        raise InputError(
            "Each column is counted by itself, so rows cannot be filtered (where) and columns not made of others "
            "(derive) meanwhile; make the recipe of a sample of the rows, and give it."
        )
    if choices.columns:
        raise InputError("This recipe has its levels already; give it to Dataset.from_parquet as it is.")
    variables = count_values(source, progress)
    if not any(variable.n_rows for variable in variables):
        raise InputError(f"The {source.noun} has no rows, so there is nothing to count.")
    return fixed_by_counts(variables, choices)


class StreamedRows(NamedTuple):
    """Rows that were coded some at a time.

    Attributes
    ----------
    store : of them
    report : what is told of them
    subjects : which of them belong together, where the recipe says so
    """

    store: Store
    report: ImportReport
    subjects: CountedSubjects | None = None


def stream(
    source: RowSource,
    recipe: FrameChoices,
    folder: Any = None,
    *,
    keep: bool = False,
    progress: Progress,
    counted: CountedColumns | None = None,
) -> StreamedRows:
    """Code the rows of a source, and write them to a folder; without one they stay in memory where they fit.

    `counted` is what the recipe came from, where it did.
    """
    coder = Coder(recipe)
    coder.check(source.types)
    if folder is None or keep:
        check_no_subject(recipe, _FOLDER_FOR_SUBJECTS)
    subject = recipe.with_role("subject")
    subjects = None if subject is None else SubjectColumn(subject, source, recipe)
    arity = coder.stored if subjects is None else np.append(coder.stored, np.full(BITS, 2))
    variables, stored = len(coder.arity), len(coder.stored)
    whole = Layout(source.rows or 0, rows_together(arity)[0], tuple(int(r) for r in arity))
    if folder is None:
        if keep:
            raise InputError("keep=True keeps a folder, and none is given; give one that is empty or not there yet.")
        _check_room(whole)
        room = _Room()
        writer = _write(source, coder, room, whole, progress)
        report = _reported(source, coder, counted)
        planes = room.planes(whole._replace(rows=writer.rows))
        store = MemoryStore(coder.arity, None, _first(planes, variables))
        store.beside = MemoryStore(arity, None, planes)
        return StreamedRows(store, report)
    place = empty_folder(folder, (PLANES, MANIFEST), whole.size)
    try:
        with written_to(place.path), new_file(place.path / PLANES) as out:
            writer = _write(source, coder, out, whole, progress, subjects)
        layout = whole._replace(rows=writer.rows)
        report = _reported(source, coder, counted)
        if keep:
            with written_to(place.path):
                write_manifest(place.path, Manifest(layout, writer.digests, recipe.to_dict(), report, writer.beside))
    except BaseException:
        place.remove()
        raise
    if keep:
        place.keep()
    on_disk = DiskStore(place, layout, range(variables), writer.digests)
    on_disk.beside = DiskStore(place, layout, range(stored))
    if subjects is None:
        return StreamedRows(on_disk, report)
    names = tuple(column.name for column in recipe.columns)
    with_bits = DiskStore(place, layout, [*range(variables), *range(stored, len(arity))])
    return StreamedRows(on_disk, report, subjects.subjects(with_bits, names))


def _first(planes: Planes, variables: int) -> Planes:
    """The same planes with the first variables only."""
    arity = planes.arity[:variables]
    return Planes(planes.words[: int(np.maximum(arity - 1, 0).sum())], planes.starts[:variables], arity, planes.n_rows)


def _check_room(layout: Layout, size: int = 0) -> None:
    """Refuse rows that memory would have to hold and that are too many for it."""
    if max(layout.size, size) > MOST_IN_MEMORY:
        raise TooLargeForMemory(
            f"The coded rows take more than {MOST_IN_MEMORY // 1_000_000:,} MB; give a folder that they are written "
            "to: folder=..., empty or not there yet."
        )


class _Room(io.BytesIO):
    """Blocks of planes that are written to memory."""

    def write(self, piece: Any) -> int:
        """Take a part of a block."""
        _check_room(Layout(0, 64, ()), self.tell() + memoryview(piece).nbytes)
        return super().write(piece)

    def planes(self, layout: Layout) -> Planes:
        """All blocks side by side."""
        arity = np.array(layout.arity, dtype=np.int64)
        words = np.zeros((layout.planes, max(1, -(-layout.rows // 64))), dtype=np.uint64)
        for number in range(layout.blocks):
            begin, size = layout.place(number)
            block = np.frombuffer(self.getbuffer(), "<u8", size // 8, begin).reshape(layout.planes, -1)
            first = number * layout.block_rows // 64
            words[:, first : first + block.shape[1]] = block
        return Planes(words, plane_starts(arity), arity, layout.rows)


def _reported(source: RowSource, coder: Coder, counted: CountedColumns | None) -> ImportReport:
    """Report on rows that were coded; a refusal where none is left."""
    report = coder.report(reading=source.report(coder.tally.read).to_dict())
    if counted is not None:
        report = with_reasons(report, counted)
    if not coder.tally.kept:
        raise no_row_left(report, source.noun)
    return report


def with_reasons(report: ImportReport, counted: CountedColumns) -> ImportReport:
    """With what was decided of each column, and why."""
    decided = {column.name: column for column in counted.columns}

    def explained(column: ColumnReport) -> ColumnReport:
        known = decided.get(column.name)
        if known is None:
            return column
        column = replace(column, reason=known.reason, chosen=known.chosen, missing=known.missing)
        return replace(column, missing_tokens=known.missing_tokens, cells=known.cells)

    return replace(
        report,
        columns=tuple(map(explained, report.columns)),
        problems=(*counted.problems, *report.problems),
        suggestions=(*counted.suggestions, *report.suggestions),
    )


def _write(
    source: RowSource,
    coder: Coder,
    out: Any,
    layout: Layout,
    progress: Progress,
    subjects: SubjectColumn | None = None,
) -> PlaneWriter:
    """Code all rows and write them to what is open for writing; after their codes the bits of their subjects."""
    writer = PlaneWriter(out, np.array(layout.arity, dtype=np.int64), layout.block_rows, len(coder.arity))
    began = time.monotonic()
    names = list(source.types)
    columns = [Distinct(column, partial(source.series, column=column)) for column in coder.recipe.columns]
    simple = not coder.recipe.where and not coder.recipe.derive
    for table in source.tables(coder.recipe.needed_columns()):
        if simple:
            every = np.ones(len(table), bool)
            codings = [column.code(table.column(column.name)) for column in columns]
            codes = coder.take(names, codings, every, every)
        else:
            codes = coder.code(source.frame(table))
        if subjects is not None:
            bits = subjects.bits(table.column(subjects.name), coder.used)
            codes = np.concatenate([codes, bits.astype(codes.dtype)])
        writer.add(codes)
        progress(*_how_far(source.share, coder.tally.read, source.rows, time.monotonic() - began))
    writer.end()
    return writer


def _how_far(share: float, read: int, rows: int | None, seconds: float) -> tuple[float, str]:
    left = f"; about {duration(seconds * (1 - share) / share)} left" if seconds > 2 and 0.1 <= share < 1 else ""
    of = f" of {rows:,}" if rows else ""
    return share, f"reading rows: {read:,}{of}{left}"


def missing_tokens(recipe: Any) -> tuple[str, ...] | None:
    """Texts that count as missing, as the recipe has a file read; None for the usual ones."""
    given = recipe.reading.get("missing") if isinstance(recipe, FrameChoices) else None
    return None if given is None else tuple(map(str, (given,) if isinstance(given, str) else given))
