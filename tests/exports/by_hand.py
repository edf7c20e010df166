"""What people make in a spreadsheet and save as text: titles, notes, groups of names, legends, totals, footnotes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tests.exports.reading import OUT, Export, Right
from tests.exports.surveys import answers, numbers, text

N = 32
NAMES = ["pat_id", "age", "sex", "sbp", "hr", "arm"]
RIGHT = {
    "pat_id": Right(OUT), "age": Right("continuous", None, 0), "sex": Right("nominal", ("F", "M"), 0),
    "sbp": Right("continuous", None, 0), "hr": Right("continuous", None, 0), "arm": Right("nominal", ("A", "B"), 0),
}  # fmt: skip


def table() -> list[list[object]]:
    """A small table without a fault."""
    columns = [
        list(range(1, N + 1)), numbers(60, 20, 80, N), answers(61, ("F", "M"), N), numbers(62, 95, 180, N),
        numbers(63, 50, 110, N), answers(64, ("A", "B"), N),
    ]  # fmt: skip
    return [list(row) for row in zip(*columns, strict=True)]


def exports() -> Iterator[Export]:
    """Lines above and rows below, padded with separators or not, behind a blank line or not."""
    yield from _above()
    yield from _below()
    yield from _numbers()
    yield from _derived()


ABOVE: dict[str, list[list[object]]] = {
    "a title": [["Blood pressure study"]],
    "title and subtitle": [["Blood pressure study"], ["Dr N. N., 2024"]],
    "title, blank line": [["Blood pressure study"], [], []],
    "notes and values": [["Study:", "BP-1"], ["Date:", "2024-05-01"], []],
    "notes right above": [["Investigator", "Dr N. N."], ["Date", "2024-05-01"]],
    "many notes": [["Study", "BP-1", "Version", "3"], ["Date", "2024-05-01", "by", "N. N."], [], []],
    "a comment": [["# exported by a program"], ["# version 2"]],
}
BELOW: dict[str, list[list[object]]] = {
    "legend": [["1 = healthy"], ["2 = ill"]],
    "legend behind a blank line": [[], ["Legend"], ["F", "female"], ["M", "male"]],
    "total": [["Total", "", "", 4321, 2345, ""]],
    "mean and SD": [["Mean", 51.2, "", 135.1, 77.2, ""], ["SD", 12.1, "", 20.3, 9.9, ""]],
    "Summe": [[], ["Summe", "", "", 4321, 2345, ""]],
    "footnote": [["* measured twice in two patients"]],
    "a second table": [[], ["Group", "n", "mean"], ["A", 16, 51.2], ["B", 16, 49.9]],
    "blank lines": [[], [], []],
    "N": [["N = 32"], ["exported 2024-05-01"]],
}


def _padded(rows: Sequence[Sequence[object]], width: int, *, padded: bool) -> list[list[object]]:
    return [[*row, *([""] * (width - len(row)) if padded else ())] for row in rows]


def _above() -> Iterator[Export]:
    for switch, lines in ABOVE.items():
        for padded in (False, True):
            for separator in (",", ";", "\t"):
                rows = [*_padded(lines, 6, padded=padded), NAMES, *table()]
                words = f"{switch}{', padded' if padded else ''}, {separator!r}"
                yield Export("Excel by hand", words, "by hand.csv", text(rows, separator), N, RIGHT)
    names = {"Baseline sbp": RIGHT["sbp"], "Baseline hr": RIGHT["hr"], "Baseline arm": RIGHT["arm"]}
    rows = [["", "Person", "", "Baseline", "", ""], NAMES, *table()]
    joined = {"pat_id": Right(OUT), "Person age": RIGHT["age"], "sex": RIGHT["sex"], **names}
    yield Export("Excel by hand", "groups above names", "by hand.csv", text(rows), N, joined)
    units = ["", "years", "", "mmHg", "1/min", ""]
    yield Export("Excel by hand", "units below names", "by hand.csv", text([NAMES, units, *table()]), N, RIGHT)
    rows.insert(2, units)
    yield Export("Excel by hand", "groups above names, units below", "by hand.csv", text(rows), N, joined)


def _below() -> Iterator[Export]:
    for switch, lines in BELOW.items():
        for padded in (False, True):
            for separator in (",", ";"):
                rows = [NAMES, *table(), *_padded(lines, 6, padded=padded)]
                words = f"{switch} below{', padded' if padded else ''}, {separator!r}"
                yield Export("Excel by hand", words, "by hand.csv", text(rows, separator), N, RIGHT)
    rows = [["A study"], [], NAMES, *table(), [], ["1 = healthy"]]
    yield Export("Excel by hand", "title and legend", "by hand.csv", text(_padded(rows, 6, padded=True)), N, RIGHT)
    gone = [[*row[:3], "", "", ""] if i > N - 3 else row for i, row in enumerate(table())]
    lacks = {**RIGHT, **{name: Right(RIGHT[name].kind, None, 2) for name in NAMES[3:]}}
    yield Export("Excel by hand", "last rows with gaps are patients", "by hand.csv", text([NAMES, *gone]), N, lacks)


def _numbers() -> Iterator[Export]:
    """Percent signs, thousands, decimal marks, spellings."""
    draw = random.Random(70)
    values = [draw.randint(300, 2999) for _ in range(N)]
    cells = {
        "percent": [f"{value / 100:.1f}%".replace(".", ",") for value in values],
        "percent and blank": [f"{value / 100:.1f} %".replace(".", ",") for value in values],
        "thousands by blanks": [
            f"{value:,},50".replace(",", " ", 1) if value > 999 else f"{value},50" for value in values
        ],
        "thousands by narrow blanks": [f"{value:,}".replace(",", "\u202f") for value in values],
        "thousands by apostrophes": [f"{value:,}".replace(",", "’") for value in values],
        "thousands by points": [f"{value:,}".replace(",", ".") for value in values],
        "thousands by commas": [f"{value:,}" for value in values],
        "euros": [f"{value:,},50 €".replace(",", ".", value > 999) for value in values],
        "dollars": [f"${value:,}.50" for value in values],
        "a unit": [f"{value / 10} kg" for value in values],
        "three decimals": [f"{value / 1000:.3f}" for value in values],
    }
    for switch, column in cells.items():
        rows = [["cost", "arm"], *zip(column, answers(71, ("A", "B"), N), strict=True)]
        columns = {"cost": Right("continuous", None, 0), "arm": RIGHT["arm"]}
        for separator in (";", "\t"):
            yield Export("Excel by hand", f"{switch}, {separator!r}", "n.csv", text(rows, separator), N, columns)
    ages = [f"{a}{draw.choice('-–')}{a + 4}" for a in [draw.choice((0, 5, 10)) for _ in range(N)]]
    rows = [["ages", "arm"], *zip(ages, answers(71, ("A", "B"), N), strict=True)]
    yield Export("Excel by hand", "dashes", "n.csv", text(rows), N, {"ages": Right("ordinal"), "arm": Right("nominal")})
    odd = numbers(72, 20, 80, N)
    for switch, value in (("age of 200", 200), ("age of -1", -1), ("age of 999", 999)):
        rows = [["age", "arm"], *zip([value, *odd[1:]], answers(71, ("A", "B"), N), strict=True)]
        columns = {"age": Right("continuous", None, 1), "arm": Right("nominal")}
        yield Export("Excel by hand", switch, "n.csv", text(rows), N, columns)
    codes = {"race": answers(73, (1, 2, 3, 4), 90), "marital": answers(74, (1, 2, 3, 4, 5), 90)}
    rows = [["race", "marital", "out"], *zip(*codes.values(), answers(75, ("y", "n"), 90), strict=True)]
    columns = {name: Right("nominal", None, 0) for name in ("race", "marital", "out")}
    yield Export("Excel by hand", "bare codes", "n.csv", text(rows), 90, columns)


def _derived() -> Iterator[Export]:
    """A total beside its items: no copies, and nothing lost."""
    items = [numbers(80 + i, 0, 2, 200) for i in range(4)]
    total = [sum(row) for row in zip(*items, strict=True)]
    names = [*(f"q{i}" for i in range(1, 5)), "total"]
    rows = [names, *zip(*items, total, strict=True)]
    columns = {
        **{name: Right("ordinal", ("0", "1", "2"), 0) for name in names[:4]},
        "total": Right("ordinal|continuous"),
    }
    yield Export("Excel by hand", "items and their sum", "n.csv", text(rows), 200, columns)
