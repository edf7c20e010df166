"""Small tables with cells of one to four people, and all that is shown of an answer about one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

import engine
from engine.methods.masked import Masked
from engine.methods.result import Result
from engine.project.report.tables import format_value
from engine.telling.masking import OTHER, fewer, hidden_counts
from tests.masking.reader import Reader

METHODS = ("group_difference", "log_linear", "instance_specific", "ordinal", "discriminative", "comparison")


def drawn(seed: int, method: str) -> pd.DataFrame:
    """Two groups and two columns; in one or two levels of these are one to four rows."""
    random = np.random.default_rng([seed, METHODS.index(method)])
    shape = (2, int(random.integers(2, 4)), int(random.integers(2, 7)))
    rows = int(random.integers(60, 400))
    shares = random.dirichlet(np.full(int(np.prod(shape)), 0.8)).reshape(shape)
    cells = random.multinomial(rows, shares.ravel()).reshape(shape)
    axis, level = int(random.integers(1, 3)), int(random.integers(0, 2))
    rare = [slice(None)] * 3
    rare[axis] = level
    if seed % 2:
        rare[0] = int(random.integers(0, 2))
    inside = cells[tuple(rare)]
    few = int(random.integers(1, 5))
    inside[...] = random.multinomial(few, np.full(inside.size, 1 / inside.size)).reshape(inside.shape)
    every = np.argwhere(cells >= 0)
    codes = np.repeat(every, cells.ravel(), axis=0)
    names = [
        [f"{letter}{'abcdefg'[i]}{letter}" for i in range(size)] for letter, size in zip("gxy", shape, strict=True)
    ]
    columns = dict(zip(("Group", "Ward", "Grade"), zip(*codes, strict=True), strict=True))
    return pd.DataFrame({name: [names[k][i] for i in column] for k, (name, column) in enumerate(columns.items())})


def answers(method: str, frame: pd.DataFrame) -> Iterator[tuple[Result, engine.Dataset]]:
    """What a method says of the table; several where it has several kinds of answers."""
    data = engine.Dataset.from_frame(frame, kinds=dict.fromkeys(frame, "ordinal") if method == "ordinal" else None)
    if method == "group_difference":
        result = engine.GroupDifference(group="Group").run(data)
        yield result, data
    elif method == "log_linear":
        yield engine.LogLinear(criterion="bic").run(data), data
    elif method == "instance_specific":
        yield engine.InstanceSpecific().run(data, 0), data
        yield engine.InstanceSpecific().run(data, 0, target="Group"), data
        yield engine.InstanceSpecific().run_cohort(data, list(range(0, len(frame), 2))), data
    elif method == "ordinal":
        yield engine.Ordinal(draws=100).run(data), data
    elif method == "discriminative":
        yield engine.Discriminative(target="Group", shuffles=0).run(data), data
    else:
        parts = list(engine.by_group(data, "Group").values())
        yield engine.compare(*(engine.LogLinear(criterion="bic").run(part) for part in parts), data=parts), data


def sentences(result: Result) -> list[str]:
    """All that an answer says, on pages, in reports, and in JSON."""
    parts = result.sections()
    every = [result.headline(), *result.sentences(), *result.notes(), *(part.title for part in parts)]
    every += [sentence for part in parts for sentence in part.sentences]
    return list(dict.fromkeys(every))


def levels(reader: Reader, data: engine.Dataset) -> None:
    """The rows of every level, as the data page, the import report and the chapter on the table show them."""
    for name in data.names:
        counts = np.bincount(data.column(name), minlength=len(data.levels[name])).tolist()
        small, others = hidden_counts(counts, reader.least)
        shown = [fewer(reader.least) if i in small else OTHER if i in others else str(n) for i, n in enumerate(counts)]
        reader.texts(pd.DataFrame({"level": data.levels[name], "rows": shown}), ["level"])


def tables(reader: Reader, masked: Masked) -> None:
    """The tables of an answer: as files and pages have them, and as the report prints them."""
    result = masked.result
    for title in filter(masked.shows, result.table_titles()):
        about, written = result.table_description(title), masked.written(title)
        if title in ("Characteristics", "Settings"):
            keys = ["variable", "level"] if title == "Characteristics" else ["setting"]
            blanks = (
                written.assign(variable=written["variable"].replace("", None).ffill())
                if "variable" in written
                else written
            )
            reader.texts(blanks, keys)
            continue
        kinds = {str(name): about.column(str(name), written[name].dtype.kind in "iu").kind for name in written}
        if "count" not in kinds.values():  # shares of folds and the like
            continue
        reader.table(
            written.drop(columns=[end for pair in about.ends.values() for end in pair if end in written]), kinds
        )
        printed = masked.frame(title).copy().astype(object)
        for name in printed:
            hidden = [masked.cells[title].words((i, name)) for i in range(len(printed))]
            printed[name] = [
                text or format_value(value, kinds[str(name)]) for text, value in zip(hidden, printed[name], strict=True)
            ]
        ends = {end for pair in about.ends.values() for end in pair}
        shares = [name for name in printed if kinds[str(name)] == "share" and name not in ends]
        keys = [name for name in printed if kinds[str(name)] == "text"]
        reader.texts(printed[[*keys, *shares]], keys)


def read(reader: Reader, result: Result, data: engine.Dataset) -> list[str]:
    """Everything that is shown of an answer; gives the sentences."""
    masked = Masked(result, reader.least)
    levels(reader, data)
    tables(reader, masked)
    shown = masked.publishable(sentences(result))
    for sentence in shown:
        reader.sentence(sentence)
    return shown
