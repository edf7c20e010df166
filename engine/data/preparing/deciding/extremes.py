"""Values that nobody has: impossible for what the name of a column says, or far out alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding, holds
from engine.data.preparing.deciding.missing_codes import codes_of
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.variables import Variable
from engine.data.reading.name_words import name_words, names_person
from engine.data.reading.naming import quoted, shown_name
from engine.data.reading.numbers import level_text
from engine.lazy import pd
from engine.text import Level, Number, People, Text, first, listed, told

EXTREMES = "extremes"
_ONE_EACH, _NAMED = 3, 3
"""Columns up to which each is asked about by itself, as an error in one says nothing of another; and rows named."""
_POSSIBLE: tuple[tuple[set[str], float, float], ...] = (
    ({"age", "ages", "alter", "lebensalter", "edad", "âge", "età", "leeftijd"}, 0, 120),
    ({"bmi"}, 8, 100),
    ({"sbp", "sysbp", "systolic", "systolisch", "rrsys"}, 30, 320),
    ({"dbp", "diabp", "diastolic", "diastolisch", "rrdia"}, 10, 220),
    ({"pulse", "puls", "hr", "heartrate", "herzfrequenz"}, 10, 350),
    ({"ph"}, 6.4, 8.2),
    ({"spo", "saturation", "sao"}, 0, 100),
)
"""Words of names, and the least and the most that a living person can have."""
_MOSTLY, _FEW = 0.9, 0.03
"""Share of the cells that are possible where the unit is the one meant, and that may be impossible."""
_FEWEST_VALUES, _ALONE = 12, 2
_GAP, _LOG_GAP = 1.0, 0.6
"""A cell far out: its distance from the next in widths of all others, also of their logarithms."""
_MOST_APART, _SHARE_APART = 3, 0.01
"""Values that may stand apart together, and the share of the cells that they are."""
_PARTED, _TAIL = 3.0, 4.5
"""Their distance in standard deviations of the logarithms (by quartiles), and how far from the median others may be."""


def extremes(view: TableView) -> Iterator[Finding]:
    """A card for each of few columns with such values, one for all of many; codes for missing have their own."""
    found: dict[str, list[float]] = {}
    answered = view.answered(EXTREMES)
    for name, variable in view.raw.items():
        if name in view.choices.derive or name in view.choices.roles or variable.sort != "number":
            continue
        if view.kinds[name] == "ignore" and name not in answered:
            continue
        values = odd_values(name, variable.known_numbers, variable.counts())
        asked = {code.value for code in codes_of(variable)} if values else set()
        taken = set(view.choices.chosen_for("missing_tokens", name))
        values = [v for v in values if v not in asked and (name in answered or level_text(v) not in taken)]
        if values:
            found[name] = values
    for columns in [list(found)] if len(found) > _ONE_EACH else [[name] for name in found]:
        yield _asked(view, {name: found[name] for name in columns})


def _asked(view: TableView, found: dict[str, list[float]]) -> Finding:
    """The question whether values of these columns are real."""
    every: Change = {
        "missing_tokens": {name: [level_text(value) for value in values] for name, values in found.items()}
    }
    cells = sum(
        int(view.raw[name].counts()[np.isin(view.raw[name].known_numbers, values)].sum())
        for name, values in found.items()
    )
    shown = first(
        (
            told("{} in '{}'", first((Level(level_text(value)) for value in values), 4), shown_name(name, 28))
            for name, values in found.items()
        ),
        most=3,
    )
    become = "becomes a gap" if cells == 1 else "become gaps"
    return Finding(
        EXTREMES,
        list(found),
        {"shown": shown, "far": _far_words(view, found, cells)},
        {"missing": every, "value": {}},
        cells,
        number=cells,
        effects={"missing": told("{} of {} {}", People(cells, "cell"), quoted(list(found)), become)},
        chosen=holds(view.choices, every),
    )


def _far_words(view: TableView, found: dict[str, list[float]], cells: int) -> Text:
    """Whether they are impossible or far from all others, and in which rows, where these are few."""
    never = {bool(_impossible(name, view.raw[name].known_numbers, view.raw[name].counts())) for name in found}
    why = told("Impossible, or far from all other values")
    if len(never) == 1:
        why = told("Impossible in a living person") if True in never else told("Far from all other values")
    if cells > _NAMED or any(view.raw[name].times is not None for name in found):
        return why
    each = ((view.raw[name], value) for name, values in found.items() for value in values)
    rows = dict.fromkeys(row for variable, value in each for row in _rows(variable, [value]))  # as the title names them
    whose = next((name for name, kind in view.kinds.items() if kind == "ignore" and names_person(name)), "")
    named = []
    for row in rows:
        cell = view.table[whose].iloc[row - 1] if whose in view.table else None
        named.append(told("row {}{}", Number(f"{row:,}"), told(" ({})", Level(str(cell))) if pd.notna(cell) else ""))
    return told("{}: {}", why, listed(named))


def _rows(variable: Variable, values: list[float]) -> list[int]:
    """The rows, from 1, that have one of these values."""
    return [row for row, _ in variable.where(np.isin(variable.known_numbers, values))]


def odd_values(name: str, numbers: np.ndarray, counts: np.ndarray) -> list[float]:
    """The values of a column that look like errors: those that nobody has, else those far out alone.

    Parameters
    ----------
    name : of the column
    numbers, counts : (d,) its distinct values, ascending, and how often each is there
    """
    return _impossible(name, numbers, counts) or _far_out(numbers, counts)


def _impossible(name: str, numbers: np.ndarray, counts: np.ndarray) -> list[float]:
    """Values that nobody has, where nearly all others are possible."""
    words = {*name_words(name), "".join(name_words(name))}
    for names, low, high in _POSSIBLE:
        if names.isdisjoint(words):
            continue
        odd = ((numbers < low) | (numbers > high)) & (counts > 0)
        share = counts[odd].sum() / max(counts.sum(), 1)
        if odd.any() and (share <= _FEW or counts[odd].sum() <= _ALONE) and share < 1 - _MOSTLY:
            return [float(value) for value in numbers[odd]]
    return []


def _far_out(numbers: np.ndarray, counts: np.ndarray) -> list[float]:
    """The values at either end that lie further from the others than these spread."""
    numbers, counts = numbers[counts > 0], counts[counts > 0]
    if len(numbers) < _FEWEST_VALUES:
        return []
    logs = np.log(numbers) if numbers[0] > 0 else None
    above = _beyond(numbers, counts, logs)
    below = _beyond(-numbers[::-1], counts[::-1], None if logs is None else -logs[::-1])
    return [*map(float, numbers[len(numbers) - above :]), *map(float, numbers[:below])]


def _beyond(numbers: np.ndarray, counts: np.ndarray, logs: np.ndarray | None) -> int:
    """Count the largest values that stand apart: one of few cells, or some whose logarithms do too."""
    for many in range(1, _MOST_APART + 1):
        rest, cells = numbers[:-many], counts[-many:].sum()
        if cells > max(_ALONE, _SHARE_APART * counts.sum()) or numbers[-many] - rest[-1] <= _GAP * (rest[-1] - rest[0]):
            continue
        if logs is None:
            return many if many == 1 and cells <= _ALONE else 0
        gap, others = logs[-many] - logs[-many - 1], np.repeat(logs[:-many], counts[:-many])
        low, middle, high = np.quantile(others, (0.25, 0.5, 0.75))
        deviation = (high - low) / 1.349
        wide = many == 1 and cells <= _ALONE and gap > _LOG_GAP * (others[-1] - others[0])
        if wide or (gap > _PARTED * deviation > 0 and others[-1] - middle <= _TAIL * deviation):
            return many
    return 0
