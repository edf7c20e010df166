"""Cards for columns of numbers in which some cells only say that a detection limit was passed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Decision, Option, key_of
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.detection import limit_of, limits_decimal
from engine.data.preparing.variables import Variable
from engine.data.reading.numbers import is_number
from engine.words import count, listed

_FEWEST_NUMBERS = 4
_NAMED = 3
_WAYS = {"level": "An end of the scale", "bound": "The limit itself", "missing": "Missing"}


def detection_limits(look: Look) -> Iterator[Decision]:
    """A card for each column that is numbers but for cells such as `<0.5`."""
    for name, raw in look.raw.items():
        tokens = look.choices.tokens_for(name)
        variable = raw.without(tokens) if tokens else raw
        key = key_of("detection-limit", [name])
        by_hand = key not in look.choices.settled and (name in look.choices.limits or name in look.choices.kinds)
        cells = {} if by_hand or name in look.choices.roles else _limits(variable)
        if not cells:
            continue
        number = sum(cells.values())
        named = listed([f"'{text[:20]}'" for text in list(cells)[:_NAMED]])
        effects = {
            "level": f"cells such as {named} are an interval of their own",
            "bound": f"cells such as {named} are read as the number in them",
            "missing": f"{count(number, 'cell')} become gaps",
        }
        options = []
        for way, label in _WAYS.items():
            change = {"limits": {name: way}}
            options.append(Option(way, label, effects[way], change))
        yield from look.ask(
            key,
            [name],
            f"{count(number, 'cell')} of '{name[:40]}' only {'say' if number > 1 else 'says'} that a limit was passed, "
            f"such as '{next(iter(cells))[:20]}': how do they count?",
            "All its other cells are numbers, so the column can be read as numbers once this is decided.",
            options,
            number,
        )


def _limits(variable: Variable) -> dict[str, int]:
    """Cell beyond a limit -> rows, the most frequent first; nothing where other cells are no numbers."""
    words = variable.words
    if variable.sort != "words" or words is None:
        return {}
    decimal = limits_decimal(words)
    limit = np.fromiter((limit_of(word, decimal) is not None for word in words), bool, len(words))
    if not limit.any():
        return {}
    rest = [word for word, one in zip(words, limit, strict=True) if not one]
    if len(rest) < _FEWEST_NUMBERS or not all(is_number(word, decimal) for word in rest):
        return {}
    counts = variable.counts()
    return {words[i]: int(counts[i]) for i in sorted(np.flatnonzero(limit), key=lambda i: -counts[i])}
