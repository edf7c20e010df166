"""What JASP, jamovi, Orange and Weka write as text."""

from __future__ import annotations

from collections.abc import Iterator

from tests.exports.reading import Export, Right
from tests.exports.surveys import answers, numbers, text

N = 50


def exports() -> Iterator[Export]:
    """A comma-separated table, three rows of names, prefixes of names, ARFF."""
    columns = {
        "age": Right("continuous", None, 0), "pain": Right("ordinal", ("none", "mild", "severe"), 0),
        "sex": Right("nominal", ("female", "male"), 0), "outcome": Right("nominal", ("no", "yes"), 0),
    }  # fmt: skip
    data = [
        numbers(90, 20, 80, N), answers(91, ("none", "mild", "severe"), N), answers(92, ("female", "male"), N),
        answers(93, ("no", "yes"), N),
    ]  # fmt: skip
    rows = [list(row) for row in zip(*data, strict=True)]
    yield Export("JASP", "commas", "jasp.csv", text([list(columns), *rows]), N, columns)
    yield Export(
        "jamovi",
        "quotes and byte-order mark",
        "jamovi.csv",
        text([list(columns), *rows], encoding="utf-8-sig"),
        N,
        columns,
    )
    kinds = {
        "words": (["continuous", "discrete", "discrete", "discrete"], ["", "", "", "class"]),
        "letters": (["c", "d", "d", "d"], ["", "", "meta", "class"]),
        "values": (["continuous", "none mild severe", "discrete", "discrete"], ["", "", "", "class"]),
    }
    for switch, (types, flags) in kinds.items():
        lines = [list(columns), types, flags, *rows]
        yield Export("Orange", f"three rows, {switch}", "orange.tab", text(lines, "\t"), N, columns)
    prefixed = ["C#age", "D#pain", "D#sex", "cD#outcome"]
    yield Export("Orange", "prefixes", "orange.csv", text([prefixed, *rows]), N, columns)
    attributes = "\n".join(
        f"@attribute {name} {kind}"
        for name, kind in zip(columns, ("numeric", "{none,mild,severe}", "{female,male}", "{no,yes}"), strict=True)
    )
    body = text(rows).decode()
    arff = f"% made by a program\n@relation study\n\n{attributes}\n\n@data\n{body}"
    yield Export("Weka", "ARFF", "study.arff", arff.encode(), N, columns)
