"""Cards for codes with value labels, as SPSS and Stata write them: grades in an order, or mere names."""

from __future__ import annotations

from collections.abc import Iterator

from engine.data.preparing.deciding.decision import Change, Decision, Option, key_of, quoted
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.proposals import names_codes, suspicious

_FEWEST = 3


def labelled_codes(look: Look) -> Iterator[Decision]:
    """A card for each set of labels whose order only the user knows; columns with the same labels share it."""
    sets: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name in look.labelled:
        pairs = _levels(look, name)
        if len(pairs) >= _FEWEST and _is_open(look, name):
            sets.setdefault(pairs, []).append(name)
    for pairs, columns in sets.items():
        key = key_of("labelled-codes", columns)
        by_hand = key not in look.choices.settled and all(name in look.choices.kinds for name in columns)
        if by_hand:
            continue
        levels = [label for _, label in pairs]
        names: Change = {"levels": dict.fromkeys(columns, levels)}
        grades: Change = {**names, "kinds": dict.fromkeys(columns, "ordinal")}
        named = quoted(columns)
        has = "has" if len(columns) == 1 else "have"
        (low, least), (high, most) = pairs[0], pairs[-1]
        yield from look.ask(
            key,
            columns,
            f"{named} {has} {len(pairs)} labelled codes, {low} '{least[:30]}' to {high} '{most[:30]}': "
            "is that an order?",
            "The file has labels for the codes but does not say whether a higher code means more.",
            (
                Option("grades", "Grades in this order", "the levels have an order", grades),
                Option("names", "Names without order", "the levels have none", names),
            ),
            look.n * len(columns) / 3,
        )


def _levels(look: Look, name: str) -> tuple[tuple[str, str], ...]:
    """(code, level) of the codes that a row has and that are not chosen to be missing."""
    variable = look.now[name]
    counts = variable.counts()
    present = {word for word, n in zip(variable.words or (), counts, strict=False) if n}
    return tuple((code, label) for code, label in look.labelled[name] if label in present)


def _is_open(look: Look, name: str) -> bool:
    """Whether neither the file, nor the words, nor the name of the column says what it is."""
    answered = name in look.answered("labelled-codes")
    kind = look.proposals[name].kind
    if name not in look.answered("missing-code") and suspicious(look.now[name]):
        return False  # whether "refused" is a level is asked first
    return name not in look.choices.roles and (
        answered or (kind == "nominal" and look.kinds[name] == "nominal" and not names_codes(name))
    )
