"""Cards for columns of numbers in which some cells only say that a detection limit was passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.data.preparing.deciding.decision import Decision, Option, key_of
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.deciding.odd_words import as_asked, few_odd, first_odd
from engine.data.preparing.detection import limit_of
from engine.data.preparing.variables import Variable, decimal_of
from engine.data.reading.numbers import is_number
from engine.words import count, listed

_FEWEST_NUMBERS = 4
_NAMED = 3
_WAYS = {"level": "An end of the scale", "bound": "The limit itself", "missing": "Missing"}


def detection_limits(look: Look) -> Iterator[Decision]:
    """A card for each column that is numbers but for cells such as `<0.5`."""
    for name in look.raw:
        key = key_of("detection-limit", [name])
        by_hand = key not in look.choices.settled and (name in look.choices.limits or name in look.choices.kinds)
        if by_hand or name in look.choices.roles or name in look.choices.derive:
            continue
        variable = as_asked(look, name, key)
        odd = few_odd(variable)
        cells = _limits(variable, odd)
        if not cells:
            continue
        why = "All its other cells are numbers, so the column can be read as numbers once this is decided."
        lost = ""
        if odd:
            some = count(sum(odd.values()), "cell")
            such = first_odd(variable, odd)
            lost = f"; {some} {such} become gaps"
            why = f"Its other cells are numbers but for {some}, {such}; once this is decided, they count as missing."
        number = sum(cells.values())
        named = listed([f"'{text[:20]}'" for text in list(cells)[:_NAMED]])
        effects = {
            "level": f"cells such as {named} are an interval of their own",
            "bound": f"cells such as {named} are read as the number in them",
            "missing": f"{count(number, 'cell')} become gaps",
        }
        options = []
        for way, label in _WAYS.items():
            change: dict[str, dict[str, Any]] = {"limits": {name: way}}
            if odd:
                change["missing_tokens"] = {name: list(odd)}
            options.append(Option(way, label, f"{effects[way]}{lost}", change))
        yield from look.ask(
            key,
            [name],
            f"{count(number, 'cell')} of '{name[:40]}' only {'say' if number > 1 else 'says'} that a limit was passed, "
            f"such as '{next(iter(cells))[:20]}': how do they count?",
            why,
            options,
            number,
        )


def _limits(variable: Variable, odd: Mapping[str, int]) -> dict[str, int]:
    """Cell beyond a limit -> rows, the most frequent first; nothing where cells but the odd ones are no numbers."""
    words = variable.words
    if variable.sort != "words" or words is None:
        return {}
    decimal = decimal_of(words)
    limit = np.fromiter((limit_of(word, decimal) is not None for word in words), bool, len(words))
    if not limit.any():
        return {}
    rest = [word for word, one in zip(words, limit, strict=True) if not one and word not in odd]
    if len(rest) < _FEWEST_NUMBERS or not all(is_number(word, decimal) for word in rest):
        return {}
    counts = variable.counts()
    return {words[i]: int(counts[i]) for i in sorted(np.flatnonzero(limit), key=lambda i: -counts[i])}
