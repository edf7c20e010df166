"""The choices about a table as steps, each in one sentence: what was done, and what takes it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.conditions import conditions_sentence
from engine.data.preparing.derived import derived_sentence
from engine.data.reading.numbers import level_text
from engine.words import first, listed, short

_KINDS = {"ignore": "is left out"}
_MISSING = {
    "drop": "rows without a value are dropped",
    "level": "a missing value is a level of its own",
    "drop_columns": "the column is left out where a value is missing",
}
_LIMITS = {
    "level": "cells beyond a detection limit are an end of the scale of their own",
    "bound": "cells beyond a detection limit are read as the limit itself",
    "missing": "cells beyond a detection limit count as missing",
}
_BINNING = {"quantile": "intervals of equally many rows", "width": "intervals of equal width"}


class Step(NamedTuple):
    """One choice: the argument of `engine.Recipe`, the column it is about ("" for all), and a sentence."""

    what: str
    column: str
    sentence: str


def choice_steps(choices: FrameChoices) -> list[Step]:
    """Every choice that is not the usual one, in the order in which they act on the table."""
    result = [*_by_column(choices.missing_tokens, "missing_tokens", _tokens)]
    result += [Step("limits", name, f"'{short(name, 60)}': {_LIMITS[way]}.") for name, way in choices.limits.items()]
    result += [Step("derive", name, derived_sentence(name, way)) for name, way in choices.derive.items()]
    if choices.where:
        result.append(Step("where", "", f"Rows: only those where {conditions_sentence(choices.where)}."))
    if choices.copies_once:
        result.append(Step("rows", "copies", "Rows: copies of another row do not count."))
    result += [Step("roles", name, f"'{short(name, 60)}' is the {role}.") for name, role in choices.roles.items()]
    if choices.tiers:
        tiers = " then ".join(f"({', '.join(short(name, 40) for name in tier)})" for tier in choices.tiers)
        result.append(Step("tiers", "", f"Order in time: {tiers}."))
    for name, kind in choices.kinds.items():
        result.append(Step("kinds", name, f"'{short(name, 60)}' {_KINDS.get(kind, f'is used as {kind}')}."))
    result += _by_column(choices.missing, "missing", _MISSING.__getitem__, "drop")
    for name, pairs in choices.merge.items():
        merged = first((f"'{short(old, 40)}' becomes '{short(new, 40)}'" for old, new in pairs.items()), 4)
        result.append(Step("merge", name, f"'{short(name, 60)}': {merged}."))
    for name, levels in choices.levels.items():
        result.append(
            Step(
                "levels", name, f"'{short(name, 60)}': levels in the order {first((short(x, 40) for x in levels), 6)}."
            )
        )
    result += _by_column(choices.bins, "bins", _bins, 3)
    result += _by_column(choices.binning, "binning", _BINNING.__getitem__, "quantile")
    result += _by_column(choices.rare, "rare", "levels with fewer than {:,} rows are merged".format, 0)
    for name, unit in choices.units.items():
        said = f"is measured in {unit}" if unit else "has no unit"
        result.append(Step("units", name, f"'{short(name, 60)}' {said}."))
    result += [Step("settled", key, f"Decided: {_settled(key, option)}.") for key, option in choices.settled.items()]
    return result


def _by_column(given: Any, choice: str, say: Callable[[Any], str], usual: Any = None) -> Iterator[Step]:
    """Steps of a choice that stands for all columns or by column."""
    if isinstance(given, Mapping):
        for name, item in given.items():
            if item != usual and item not in ((), []):
                yield Step(choice, name, f"'{short(name, 60)}': {say(item)}.")
    elif given not in (usual, [], ()):
        yield Step(choice, "", f"All columns: {say(given)}.")


def _tokens(tokens: Any) -> str:
    words = [f"'{short(token, 40)}'" for token in tokens]
    return (
        f"{listed(words[:6])}{', ...' if len(words) > 6 else ''} {'counts' if len(words) == 1 else 'count'} as missing"
    )


def _bins(bins: Any) -> str:
    if isinstance(bins, int):
        return f"cut into {bins} intervals"
    return f"cut at {', '.join(level_text(cut) for cut in bins)}"


def _settled(key: str, option: str) -> str:
    kind, _, about = key.partition(":")
    named = f" ({short(about.replace(':', ', '), 100)})" if about else ""
    return f"{kind.replace('-', ' ')}{named}: {option.replace('_', ' ')}"
