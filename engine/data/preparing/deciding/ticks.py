"""Answers of which several may be ticked: a column each, with one value or nothing, or all in one cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.data.preparing.conditions import OF_CHOICES
from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.variables import Variable
from engine.text import Count, Level, Name, told

TICKS, CHOICES = "ticks", "several-answers"
_COLUMNS, _SHARE = 2, 0.05
"""Columns of one value or nothing from which they are ticks, and the share of the rows that one of them has at least;
what has fewer is a remark."""
_MARKS = (";", "|", "\n", ",")
_MOST_WORDS, _MOST_ANSWERS = 5_000, 40


def ticks(view: TableView) -> Iterator[Finding]:
    """One card for all columns that hold one value or nothing."""
    settled = {name for columns in view.settled_columns(TICKS) for name in columns}
    columns = [
        name
        for name, variable in view.now.items()
        if name in settled
        or (
            variable.n_distinct == 1
            and variable.n_missing
            and variable.n_rows - variable.n_missing >= _SHARE * variable.n_rows
            and name not in view.choices.derive
            and name not in view.choices.roles
        )
    ]
    if len(columns) < _COLUMNS:
        return
    free = [name for name in columns if name in settled or f"{name} ticked" not in view.now]
    made: Change = {
        "derive": {f"{name} ticked": ("if", ((name, "is known"),)) for name in free},
        "kinds": dict.fromkeys(free, "ignore"),
    }
    yield Finding(
        TICKS,
        columns,
        {},
        {"ticked": made, "leave": {}},
        view.n,
        effects={"ticked": "a new column of yes and no for each", "leave": "they are left out, having one value only"},
        chosen=any(name in view.choices.kinds for name in columns),
    )


def several_answers(view: TableView) -> Iterator[Finding]:
    """A card for each column whose cells hold one or more of a few answers, such as "fever; cough"."""
    for name, variable in view.now.items():
        if name in view.choices.derive or name in view.choices.roles:
            continue
        answers, mark = answers_in(variable)
        made = {f"{name}: {answer}": answer for answer in answers}
        if not answers or (name not in view.choices.kinds and any(column in view.now for column in made)):
            continue
        changes: dict[str, Change] = {
            way: {
                "derive": {column: ("if", (*known, (name, OF_CHOICES, (made[column], mark)))) for column in made},
                "kinds": {name: "ignore"},
            }
            for way, known in (("split", ()), ("empty", ((name, "is known"),)))
            if way == "split" or variable.n_missing
        }
        columns = told("{} of yes and no", Count(len(answers), "new column"))
        effects = {"split": columns, "empty": told("{}; no where a cell is empty", columns)}
        rows = dict(zip(variable.level_names(), variable.counts().tolist(), strict=True))
        usual = max((cell for cell in rows if mark in cell.strip(f"{mark} ")), key=lambda cell: rows[cell])
        yield Finding(
            CHOICES,
            [name],
            {"name": Name(name), "cell": Level(" ".join(usual.split())), "answers": Count(len(answers), "answer")},
            {**changes, "leave": {}},
            view.n,
            effects={**effects, "leave": "each combination of answers is one word"},
            chosen=name in view.choices.kinds,
        )


def answers_in(variable: Variable) -> tuple[list[str], str]:
    """The answers of which each cell holds one or more, and the mark between; none where cells hold one value."""
    words = variable.words or ()
    if variable.sort != "words" or variable.ordered or not 2 < len(words) <= _MOST_WORDS:
        return [], ""
    for mark in _MARKS:
        cells = [[part.strip() for part in word.split(mark) if part.strip()] for word in words]
        sizes = set(map(len, cells))
        if max(sizes) < 2:
            continue
        within = Counter(part for cell in cells for part in cell)
        again = sum(cells_with > 1 for cells_with in within.values())
        several = sum(int(rows) for rows, cell in zip(variable.counts(), cells, strict=True) if len(cell) > 1)
        codes = 2 * sum(part.isdigit() for part in within) > len(within)  # 1,5 beside 2 is a number
        if (
            len(within) < min(len(words), _MOST_ANSWERS + 1)
            and len(sizes) > 1
            and 2 * again > len(within)
            and all(len(set(cell)) == len(cell) for cell in cells)
            and several >= _SHARE * (variable.n_rows - variable.n_missing)
            and (not codes or (max(sizes) > 2 and max(map(len, within)) <= 2))
        ):
            return [part for part, _ in within.most_common()], mark
    return [], ""
