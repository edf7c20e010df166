"""Numbers such as 999 and words such as "unknown" that may mean missing, and how surely a number does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding, holds
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.proposals import suspicious
from engine.data.preparing.variables import Variable
from engine.data.reading.naming import quoted, quoted_values, shown_name
from engine.data.reading.numbers import level_text
from engine.text import Count, Level, People, joined, listed, told
from engine.words import times

_NINES = [float(digit * size) for size in range(2, 7) for digit in "789"]
_NEAR = [float("9" * size + last) for size in range(1, 5) for last in "678"]
_BELOW = [-float(digit * size) for size in range(1, 7) for digit in "123456789"]
USUAL = np.array([*_NINES, *_NEAR, *_BELOW, *(-near for near in _NEAR)])
"""Numbers that stand for missing in files of statistics programs and surveys."""
_REFUSED = np.array([7.0, 8.0, 9.0])
_NEIGHBOURS = 10
"""Values on each side of a value whose frequency is compared with its own."""
_SPIKE = 5
"""A value that is so many times as frequent as each of its neighbours is no ordinary mode."""
_MOST_ANSWERS = 6
_MOST_CODES = 4
"""Codes below zero; more are ordinary numbers."""
_FAR = 5
"""Usual steps between values that are a gap."""
_MOST_ZEROS, _MOST_SURE_ZEROS, _BEGINS = 0.6, 0.2, 0.08
"""Shares of zeros among the values, and of the middle value at which the others begin at least."""


@dataclass(frozen=True)
class Code:
    """A number that may mean missing: `why`, as a part of a sentence, and whether the column alone is enough to ask."""

    value: float
    rows: int
    why: str
    sure: bool


def codes_of(variable: Variable) -> list[Code]:
    """Numbers of a column that may mean missing."""
    if variable.sort != "number" or variable.numbers is None:
        return []
    counts = variable.counts()
    present = counts > 0
    numbers, counts = variable.numbers[present], counts[present]
    if len(numbers) < 3:
        return []
    result: dict[float, Code] = {}
    for code in chain.from_iterable(find(numbers, counts) for find in (_refused, _beyond, _inside, _zero)):
        if code.value not in result or code.sure > result[code.value].sure:
            result[code.value] = code
    return [result[value] for value in sorted(result)]


def _refused(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """7, 8 and 9 above a few answers that are numbered from 0 or 1."""
    others = numbers[numbers < 7]
    codes = numbers[numbers >= 7]
    if not 2 <= len(others) <= _MOST_ANSWERS or not len(codes) or not np.isin(codes, [*_REFUSED, *USUAL]).all():
        return []
    low, high = others[0], others[-1]
    answers = low in (0, 1) and len(others) == high - low + 1
    few = counts[numbers >= 7].sum() <= 0.4 * counts.sum()
    if not answers or not few or codes[0] < high + 2 or not np.isin(codes, _REFUSED).any():
        return []
    # a count such as a number of children ends in a tail; a refusal stands apart
    certain = codes[0] >= high + 3 and 9 in codes and counts[numbers >= 7].sum() >= 3
    why = told("the answers are {} to {}", Level(level_text(low)), Level(level_text(high)))
    return [Code(float(code), int(n), why, bool(certain)) for code, n in zip(numbers, counts, strict=True) if code >= 7]


def _among(numbers: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Flags of those of rising numbers that are some few."""
    place = np.searchsorted(numbers, some)
    there = place < len(numbers)
    result = np.zeros(len(numbers), bool)
    result[place[there][numbers[place[there]] == some[there]]] = True
    return result


def _beyond(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """Usual codes below or above all other values."""
    usual = _among(numbers, USUAL)
    if not usual.any() or usual.all():
        return []
    first, last = np.flatnonzero(~usual)[[0, -1]]
    others = numbers[first : last + 1]
    low, high = float(others[0]), float(others[-1])
    step = float(np.median(np.diff(others))) if len(others) > 1 else 1.0
    around = told("the other values are {} to {}", Level(level_text(low)), Level(level_text(high)))
    result = []
    for i in [*range(first), *range(last + 1, len(numbers))]:
        value, n = float(numbers[i]), int(counts[i])
        if value < 0:
            alone = n == 1 and len(others) > _MOST_ANSWERS and value > -7  # one may be a slip
            few = low >= 0 and first <= _MOST_CODES and not alone
            certain, maybe = few and _is_below(value, numbers[:first], low, high, step), few
        else:
            far_off = value > high + max(high - low, 1) and value >= 2 * high
            stands_apart = (
                value - high >= max(_FAR * step, 2) and n >= 5 and n >= 3 * counts[: last + 1][-_NEIGHBOURS:].max()
            )
            certain, maybe = far_off or stands_apart, value >= 90 and value - high >= 2 * step
        if certain or maybe:
            result.append(Code(value, n, around, bool(certain)))
    return result


def _is_below(value: float, below: np.ndarray, low: float, high: float, step: float) -> bool:
    """True where a negative code is one: nothing else is negative, and small ones are no end of a scale."""
    if low < 0 or high - low < 2 or (low - below[-1] < 2 * step and below[-1] > -7):
        return False
    return value <= -7 or (high >= 5 and len(below) <= 2)


def _inside(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """Codes of nines, eights or sevens among the other values, far more frequent than those around them."""
    result = []
    for i in np.flatnonzero(_among(numbers, np.array(_NINES))):
        others = np.r_[counts[max(i - _NEIGHBOURS, 0) : i], counts[i + 1 : i + 1 + _NEIGHBOURS]]
        if i < 3 or len(others) < _NEIGHBOURS or counts[i] < 3 * np.median(others):
            continue
        certain = counts[i] >= max(5, 0.01 * counts.sum(), _SPIKE * others.max())
        if certain or counts[i] >= max(3, 2 * others.max()):
            why = "it is far more frequent than the values around it"
            result.append(Code(float(numbers[i]), int(counts[i]), why, bool(certain)))
    return result


def _zero(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """Zero below a range that begins far above it, as of a blood pressure."""
    if numbers[0] != 0 or len(numbers) < 12:
        return []
    others, step = numbers[1:], float(np.median(np.diff(numbers[1:21])))
    middle = float(np.repeat(others, counts[1:])[(counts[1:].sum() - 1) // 2])
    share = counts[0] / counts.sum()
    if counts[0] < 3 or share > _MOST_ZEROS or others[0] < max(_FAR * step, _BEGINS * middle):
        return []
    # a measure that can be small has values between nothing and a third of its middle
    certain = share <= _MOST_SURE_ZEROS and others[0] >= middle / 3
    why = told("the other values begin at {}", Level(level_text(float(others[0]))))
    return [Code(0.0, int(counts[0]), why, bool(certain))]


_ROWS_LOOKED_THROUGH = 200_000
"""In larger tables nothing is compared row by row."""
_NAMED = 3
_TOGETHER = 5
"""Codes that stand in the same rows so many times as often as by chance belong together."""


def missing_codes(view: TableView) -> Iterator[Finding]:
    """A card for each code, about all columns that have it for the same reason; one for words that share columns."""
    words: dict[str, tuple[str, ...]] = {}
    numbers: dict[str, tuple[Variable, list[Code]]] = {}
    answered = view.answered("missing-code")
    for name, variable in view.raw.items():
        if name in view.choices.derive:
            continue  # it is made of what is known already, and has no tokens of its own
        if view.kinds[name] == "ignore" and variable.sort in ("unusable", "date"):
            continue
        limited = name in view.choices.limits and name not in answered  # what becomes of words was decided with them
        marks = suspicious(variable) if variable.sort == "words" and not limited else ()
        if marks and variable.n_distinct - len(marks) >= 2:
            words[name] = marks
        chosen = [token for token in view.choices.chosen_for("missing_tokens", name) if not _is_number(token)]
        plain = variable.without([*marks, *chosen]) if marks or chosen else variable
        if plain.sort == "number" and plain.numbers is not None:
            numbers[name] = plain, codes_of(plain)
    yield from _word_cards(view, words)
    yield from _number_cards(view, numbers)


def _word_cards(view: TableView, words: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Columns that share a word share a card."""
    groups: list[list[str]] = []
    for name in words:
        near = [group for group in groups if any(set(words[name]) & set(words[other]) for other in group)]
        groups = [group for group in groups if group not in near] + [
            [*(item for group in near for item in group), name]
        ]
    for group in groups:
        columns = [name for name in words if name in group]
        tokens = {name: words[name] for name in columns}
        every = list(dict.fromkeys(token for name in columns for token in tokens[name]))
        numbers = all(map(_is_number, every))
        opening = "A number among words often means" if numbers else "Words and signs like this often mean"
        why = f"{opening} that nothing is known."
        yield from _card(view, columns, tokens, [quoted_values([token]) for token in every], why, "|".join(every))


def _number_cards(view: TableView, result: Mapping[str, tuple[Variable, list[Code]]]) -> Iterator[Finding]:
    """Codes that several columns share, or that one has beyond doubt; codes of the same columns share a card."""
    having: dict[float, list[str]] = {}
    result = _asked_for_all(result)
    for name, (_, codes) in result.items():
        for code in codes:
            having.setdefault(code.value, []).append(name)
    cards: dict[tuple[str, ...], list[float]] = {}
    for value, names in sorted(having.items()):
        about = {name: next(code for code in result[name][1] if code.value == value) for name in names}
        certain = [name for name in names if about[name].sure]
        shared = len(names) > 1 and (abs(value) >= 100 or value in (7, 8, 9))
        shared = shared or (len(names) > 1 and any("is such a code" in code.why for code in about.values()))
        likely = shared or (len(names) > 1 and value and _together(view, value, [result[name][0] for name in names]))
        if certain or likely:  # zeros stand in the same rows where nothing was there to measure
            cards.setdefault(tuple(names), []).append(value)
    for columns, values in cards.items():
        texts = [Level(level_text(value)) for value in values]
        reasons = [
            told("{} '{}' {}", begins, shown_name(name, 40), next(c.why for c in result[name][1] if c.value in values))
            for begins, name in zip(("In", "in"), columns, strict=False)
        ]
        if len(columns) > 1:
            reasons.append(
                told("{} columns share {}", Count(len(columns)), "these codes" if len(values) > 1 else "the code")
            )
        why = told("{}.", joined(reasons, "; "))
        tokens = {name: tuple(texts) for name in columns}
        yield from _card(view, columns, tokens, texts, why, "|".join(texts))


def _asked_for_all(
    found: Mapping[str, tuple[Variable, list[Code]]],
) -> dict[str, tuple[Variable, list[Code]]]:
    """The codes found, with those that are certain in one column in all others that hold them beside their values."""
    certain = {code.value: name for name, (_, codes) in reversed([*found.items()]) for code in codes if code.sure}
    result = {}
    for name, (variable, codes) in found.items():
        own = {code.value for code in codes}
        more = [_beside(variable, value, other) for value, other in certain.items() if value not in own and value]
        result[name] = variable, sorted([*codes, *filter(None, more)], key=lambda code: code.value)
    return result


def _beside(variable: Variable, value: float, other: str) -> Code | None:
    """A code of another column that stands here below or above all ordinary values."""
    numbers, counts = variable.known_numbers, variable.counts()
    at = np.flatnonzero(numbers == value)
    ordinary = numbers[~np.isin(numbers, USUAL) & (counts > 0)]
    if not len(at) or not counts[at[0]] or len(ordinary) < 2 or ordinary[0] <= value <= ordinary[-1]:
        return None
    if value > 0 and value - ordinary[-1] < 2 * float(np.median(np.diff(ordinary))):
        return None
    why = told("it stands apart, and is such a code in '{}'", shown_name(other, 40))
    return Code(value, int(counts[at[0]]), why, sure=False)


def _together(view: TableView, value: float, variables: Sequence[Variable]) -> bool:
    """True where the rows of a code in one column are those of it in another more often than by chance."""
    if view.n > _ROWS_LOOKED_THROUGH:
        return False
    text = level_text(value)
    flags = [variable.codes == variable.level_names().index(text) for variable in variables]
    for i, flag in enumerate(flags):
        for other in flags[:i]:
            both, first_rows, other_rows = (int(np.count_nonzero(rows)) for rows in (flag & other, flag, other))
            often = both >= max(3, _TOGETHER * first_rows * other_rows / view.n)
            if often and 2 * both >= min(first_rows, other_rows):
                return True
    return False


def _card(
    view: TableView,
    columns: Sequence[str],
    tokens: Mapping[str, Sequence[str]],
    texts: Sequence[str],
    why: str,
    value: str,
) -> Iterator[Finding]:
    change: Change = {"missing_tokens": {name: list(tokens[name]) for name in columns}}
    cells = {name: _cells(view.raw[name], tokens[name]) for name in columns}
    whole = sum(cells.values())
    cells_by_column = [told("{} in '{}'", _times(n), shown_name(name, 40)) for name, n in cells.items()]
    where = listed(cells_by_column)
    if len(columns) > _NAMED:
        where = told("{} in {} columns ({})", _times(whole), Count(len(columns)), quoted(columns))
    yield Finding(
        "missing-code",
        columns,
        {
            "values": listed(texts[:6]),
            "where": where,
            "why": why,
            "missing": {1: "Missing", 2: "Missing in both"}.get(len(columns), f"Missing in all {len(columns)}"),
        },
        {"missing": change, "value": {}},
        whole,
        value=value,
        number=len(texts),
        effects={"missing": People(whole, "cell becomes a gap", "cells become gaps")},
        chosen=holds(view.choices, change) or not _can_be_used(view, columns, change),
    )


def _times(n: int) -> People:
    return People(n, written=times(n))


def _can_be_used(view: TableView, columns: Sequence[str], change: Change) -> bool:
    """True where one of the columns is used, or only these words keep it from being used."""
    if any(view.kinds[name] != "ignore" for name in columns):
        return True
    if any(name in view.choices.kinds or name in view.choices.roles for name in columns):
        return False
    return any(name in view.after(change)[1] for name in columns)


def _cells(variable: Variable, tokens: Sequence[str]) -> int:
    names, counts = variable.level_names(), variable.counts()
    wanted = set(tokens)
    return sum(int(n) for name, n in zip(names, counts, strict=True) if name in wanted)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
