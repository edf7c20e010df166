"""Cards for columns of numbers that a few other words keep from being read as numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Change, Decision, Option, columns_in, holds, key_of
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.detection import limit_of, odd_cells
from engine.data.preparing.proposals import FEW_NUMBERS, suspicious
from engine.data.preparing.variables import Variable, decimal_of
from engine.words import count

_MOST_WORDS, _MOST_CELLS = 5, 0.05
"""Different words, and share of the cells, beyond which a column is no column of numbers; usual marks may be many."""
_KIND = "odd-words"


def odd_words(look: Look) -> Iterator[Decision]:
    """A card for each column that is left out because of a few cells that are neither numbers nor limits."""
    for name in look.raw:
        if name in look.choices.derive or name in look.choices.roles or name in look.choices.kinds:
            continue
        key = key_of(_KIND, [name])
        variable = as_asked(look, name, key)
        odd = few_odd(variable)
        words = variable.words or ()
        # limits have a card that counts these words too, and usual marks alone have one of their own
        if not odd or set(odd) <= set(suspicious(variable)) or any(limit_of(w, decimal_of(words)) for w in words):
            continue
        change: Change = {"missing_tokens": {name: list(odd)}}
        settled = key in look.choices.settled
        if not settled and (holds(look.choices, change) or name not in look.after(change)[1]):
            continue
        number = sum(odd.values())
        yield from look.ask(
            key,
            [name],
            f"{count(number, 'cell')} of '{name[:40]}' {'are no numbers' if number > 1 else 'is no number'}, "
            f"{first_odd(variable, odd)}: {'do they' if number > 1 else 'does it'} mean missing?",
            "All its other cells are numbers, and the column is left out as long as these are words.",
            (
                Option("missing", "Missing", f"{count(number, 'cell')} become gaps", change),
                Option("value", "They are values" if number > 1 else "It is a value", "", {}),
            ),
            look.n / 2,
        )


def as_asked(look: Look, name: str, key: str) -> Variable:
    """A column without its missing tokens, but for odd words that the answer to this very card made missing."""
    raw, tokens = look.raw[name], look.choices.tokens_for(name)
    own = set(few_odd(raw)) - _answered_elsewhere(look, name) if key in look.choices.settled else set()
    others = [token for token in tokens if token not in own]
    return raw.without(others) if others else raw


def few_odd(variable: Variable) -> dict[str, int]:
    """Words among numbers and limits -> rows; nothing where there is none, or so many that they are the rule."""
    if variable.sort != "words" or not variable.words:
        return {}
    odd, counts = odd_cells(variable), variable.counts()
    marks = set(suspicious(variable))
    rare = {word: rows for word, rows in odd.items() if word not in marks}
    numbers = sum(bool(rows) for rows in counts) - len(odd)
    few = len(rare) <= _MOST_WORDS and sum(rare.values()) <= _MOST_CELLS * counts.sum()
    return odd if few and numbers > FEW_NUMBERS and 2 * sum(odd.values()) < counts.sum() else {}


def first_odd(variable: Variable, odd: dict[str, int]) -> str:
    """The first of these cells, for a sentence."""
    row, text = variable.where(np.array([word in odd for word in variable.level_names()]), 1)[0]
    return f"such as '{text[:20]}' in row {row:,}"


def _answered_elsewhere(look: Look, name: str) -> set[str]:
    """The texts that a settled card about missing codes has asked of a column."""
    found: set[str] = set()
    for key in look.choices.settled:
        start = f"{key_of('missing-code', columns_in(key, look.now))}:"
        if key.startswith(start) and name in columns_in(key, look.now):
            found |= set(key[len(start) :].split("|"))
    return found
