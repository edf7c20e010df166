"""Cards for values that may mean missing: numbers such as 999 and words such as "unknown"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.data.preparing.deciding.code_evidence import Code, codes_of
from engine.data.preparing.deciding.decision import Change, Decision, Option, holds, key_of, quoted
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.proposals import suspicious
from engine.data.preparing.variables import Variable
from engine.data.reading.numbers import level_text
from engine.words import count, listed, times

_ROWS_LOOKED_THROUGH = 200_000
"""In larger tables nothing is compared row by row."""
_NAMED = 3
_TOGETHER = 5
"""Codes that stand in the same rows so many times as often as by chance belong together."""


def missing_codes(look: Look) -> Iterator[Decision]:
    """A card for each code, about all columns that have it for the same reason; one for words that share columns."""
    words: dict[str, tuple[str, ...]] = {}
    numbers: dict[str, tuple[Variable, list[Code]]] = {}
    asked = look.answered("missing-code")
    for name, variable in look.raw.items():
        if name in look.choices.derive:
            continue  # it is made of what is known already, and has no tokens of its own
        if look.kinds[name] == "ignore" and variable.sort in ("unusable", "date"):
            continue
        limited = name in look.choices.limits and name not in asked  # what becomes of words was decided with them
        marks = suspicious(variable) if variable.sort == "words" and not limited else ()
        if marks and variable.n_distinct - len(marks) >= 2:
            words[name] = marks
        chosen = [token for token in look.choices.tokens_for(name) if not _is_number(token)]
        plain = variable.without([*marks, *chosen]) if marks or chosen else variable
        if found := codes_of(plain):
            numbers[name] = plain, found
    yield from _word_cards(look, words)
    yield from _number_cards(look, numbers)


def _word_cards(look: Look, words: Mapping[str, tuple[str, ...]]) -> Iterator[Decision]:
    """Columns that share a word share a card."""
    groups: list[list[str]] = []
    for name in words:
        near = [group for group in groups if any(set(words[name]) & set(words[other]) for other in group)]
        groups = [group for group in groups if group not in near] + [[*(one for group in near for one in group), name]]
    for group in groups:
        columns = [name for name in words if name in group]
        tokens = {name: words[name] for name in columns}
        every = list(dict.fromkeys(token for name in columns for token in tokens[name]))
        numbers = all(map(_is_number, every))
        what = "A number among words often means" if numbers else "Words and signs like this often mean"
        why = f"{what} that nothing is known."
        yield from _card(look, columns, tokens, [f"'{token[:40]}'" for token in every], why, "|".join(every))


def _number_cards(look: Look, found: Mapping[str, tuple[Variable, list[Code]]]) -> Iterator[Decision]:
    """Codes that several columns share, or that one has beyond doubt; codes of the same columns share a card."""
    having: dict[float, list[str]] = {}
    for name, (_, codes) in found.items():
        for code in codes:
            having.setdefault(code.value, []).append(name)
    cards: dict[tuple[str, ...], list[float]] = {}
    for value, names in sorted(having.items()):
        about = {name: next(code for code in found[name][1] if code.value == value) for name in names}
        sure = [name for name in names if about[name].sure]
        shared = len(names) > 1 and (abs(value) >= 100 or value in (7, 8, 9))
        likely = shared or (len(names) > 1 and value and _together(look, value, [found[name][0] for name in names]))
        if sure or likely:  # zeros stand in the same rows where nothing was there to measure
            cards.setdefault(tuple(names), []).append(value)
    for columns, values in cards.items():
        texts = [level_text(value) for value in values]
        reasons = [f"in '{name[:40]}' {_reason(found[name][1], values)}" for name in columns[:2]]
        if len(columns) > 1:
            reasons.append(f"{len(columns)} columns share {'these codes' if len(values) > 1 else 'the code'}")
        why = f"{'; '.join(reasons)}."
        tokens = {name: tuple(texts) for name in columns}
        yield from _card(look, columns, tokens, texts, why[0].upper() + why[1:], "|".join(texts))


def _reason(codes: Sequence[Code], values: Sequence[float]) -> str:
    return next(code.why for code in codes if code.value in values)


def _together(look: Look, value: float, variables: Sequence[Variable]) -> bool:
    """Whether the rows of a code in one column are those of it in another more often than by chance."""
    if look.n > _ROWS_LOOKED_THROUGH:
        return False
    text = level_text(value)
    flags = [variable.codes == variable.level_names().index(text) for variable in variables]
    for i, one in enumerate(flags):
        for other in flags[:i]:
            both, first_rows, other_rows = (int(np.count_nonzero(rows)) for rows in (one & other, one, other))
            often = both >= max(3, _TOGETHER * first_rows * other_rows / look.n)
            if often and 2 * both >= min(first_rows, other_rows):
                return True
    return False


def _card(
    look: Look, columns: Sequence[str], tokens: Mapping[str, Sequence[str]], texts: Sequence[str], why: str, value: str
) -> Iterator[Decision]:
    key = key_of("missing-code", columns, value)
    change: Change = {"missing_tokens": {name: list(tokens[name]) for name in columns}}
    by_hand = key not in look.choices.settled and holds(look.choices, change)
    if by_hand or not (look.open(key, columns) or _would_be_used(look, columns, change)):
        return
    cells = {name: _cells(look.raw[name], tokens[name]) for name in columns}
    whole = sum(cells.values())
    verb = "stand" if len(texts) > 1 else "stands"
    places = [f"{times(n)} in '{name[:40]}'" for name, n in cells.items()]
    whole_number = f"{times(whole)} in {len(columns)} columns"
    where = listed(places) if len(places) <= _NAMED else f"{whole_number} ({quoted(columns)})"
    sentence = f"{listed(texts[:6])} {verb} {where}: {'do they' if len(texts) > 1 else 'does it'} mean missing?"
    label = {1: "Missing", 2: "Missing in both"}.get(len(columns), f"Missing in all {len(columns)}")
    options = (
        Option("missing", label, f"{count(whole, 'cell')} become gaps", change),
        Option("value", "They are values" if len(texts) > 1 else "It is a value", "", {}),
    )
    yield from look.ask(key, columns, sentence, why, options, whole)


def _would_be_used(look: Look, columns: Sequence[str], change: Change) -> bool:
    """Whether the words alone keep a column from being used."""
    if any(name in look.choices.kinds or name in look.choices.roles for name in columns):
        return False
    return any(name in look.after(change)[1] for name in columns)


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
