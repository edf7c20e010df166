"""What laboratories and diaries export: limits, marks, flags; many rows a person, in any language and order."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.exports.reading import OUT, Export, Right
from tests.exports.surveys import answers, text

N = 60


def exports() -> Iterator[Export]:
    """Limits of detection, words among numbers; diaries, waves, before and after."""
    yield from _laboratory()
    yield from _diaries()


def _laboratory() -> Iterator[Export]:
    draw = random.Random(1)
    crp = [f"{draw.uniform(0.5, 80):.1f}" for _ in range(N)]
    limited = ["<0.5" if i % 9 == 0 else cell for i, cell in enumerate(crp)]
    words = ["hemolysed" if i == 7 else "clotted" if i == 21 else cell for i, cell in enumerate(crp)]
    for switch, cells, separator in (
        ("below a limit", limited, ","),
        ("below a limit, decimal comma", [cell.replace(".", ",") for cell in limited], ";"),
        ("words among numbers", words, ","),
        ("one word in many", ["hemolysed" if i % 7 == 3 else cell for i, cell in enumerate(crp)], ","),
        ("flags", [f"{cell}{('', '', ' H', '*')[i % 4]}" if i % 3 else cell for i, cell in enumerate(crp)], ","),
        ("flags and limits", [f"{cell} L" if i % 5 == 1 else cell for i, cell in enumerate(limited)], ","),
    ):
        rows = [["Probe", "CRP", "Befund", "arm"]]
        marks = answers(2, ("neg", "trace", "1+", "2+"), N)
        arms = answers(3, ("A", "B"), N)
        rows += [list(row) for row in zip(range(1001, 1001 + N), cells, marks, arms, strict=True)]
        columns = {
            "Probe": Right(OUT), "CRP": Right("continuous"), "Befund": Right("nominal|ordinal"),
            "arm": Right("nominal"),
        }  # fmt: skip
        yield Export("Laboratory", switch, "lab.csv", text(rows, separator), N, columns)
    many = [[f"{draw.uniform(5, 80):.1f}" for _ in range(N)] for _ in range(10)]
    for i, word in enumerate(
        ["hemolysed", "clotted", "repeat", "see_note", "lost", "qns", "spilled", "late", "broken", "???"]
    ):
        many[i][i + 3] = word
    names = [f"v{i}" for i in range(10)]
    rows = [[*names, "arm"], *[list(row) for row in zip(*many, answers(4, ("A", "B"), N), strict=True)]]
    columns = {**dict.fromkeys(names, Right("continuous", None, 1)), "arm": Right("nominal")}
    yield Export("Laboratory", "ten columns with a word each", "lab.csv", text(rows), N, columns)


def _diaries() -> Iterator[Export]:
    draw = random.Random(5)
    for name, value in (
        ("vpnr", int),
        ("numéro", int),
        ("kod", "P-{}".format),
        ("subject", int),
        ("sujeto", "S{}".format),
    ):
        people = draw.sample(range(1000, 9999), 24)
        lines = []
        for person in people:
            own, arm = draw.gauss(50, 15), draw.choice("AB")
            lines += [[value(person), beep, round(own + draw.gauss(0, 8)), arm] for beep in range(1, 7)]
        for shuffled in (False, True):
            some = draw.sample(lines, len(lines)) if shuffled else lines
            columns = {
                name: Right(OUT, subject=True), "beep": Right("ordinal|ignore|continuous"),
                "mood": Right("continuous", None, 0), "arm": Right("nominal", ("A", "B"), 0),
            }  # fmt: skip
            switch = f"{name}{', shuffled' if shuffled else ''}"
            yield Export("Diary", switch, "diary.csv", text([list(columns), *some]), len(lines), columns)
    rows = [[f"{100 + i // 4}.0{i % 4 + 1}", draw.randint(40, 90), "AB"[i % 2]] for i in range(N)]
    columns = {"ID": Right(OUT), "x": Right("continuous", None, 0), "arm": Right("nominal")}
    for name in ("ID", "kennung"):
        columns = {name if key == "ID" else key: right for key, right in columns.items()}
        yield Export("Diary", f"{name} with a point", "id.csv", text([list(columns), *rows]), N, columns)
        columns = {"ID" if key == name else key: right for key, right in columns.items()}
    before = [[person, when, draw.randint(10, 40), arm] for person in range(1, 31) for arm in [draw.choice("AB")]
              for when in ("before", "after")]  # fmt: skip
    columns = {
        "patient": Right(OUT, subject=True), "when": Right("nominal|ordinal|ignore"),
        "score": Right("continuous", None, 0), "arm": Right("nominal", ("A", "B"), 0),
    }  # fmt: skip
    yield Export("Before and after", "two rows a person", "ba.csv", text([list(columns), *before]), 60, columns)
    first = [draw.randint(10, 40) for _ in range(N)]
    wide = [[i + 1, x, max(0, x + draw.randint(-9, 3)), "AB"[i % 3 % 2]] for i, x in enumerate(first)]
    columns = {
        "id": Right(OUT), "bdi_t1": Right("continuous", None, 0), "bdi_t2": Right("continuous", None, 0),
        "arm": Right("nominal"),
    }  # fmt: skip
    yield Export("Wide waves", "two waves", "waves.csv", text([list(columns), *wide]), N, columns)
