"""A table's columns as the choices shape them before any has a kind: gaps, limits, new columns, rows that are used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.conditions import OF_NUMBERS, OF_VALUES, columns_of, conditions_sentence, weigh
from engine.data.preparing.derived import named_whole, sources, used_sources, with_derived
from engine.data.preparing.detection import with_limits, with_unit
from engine.data.preparing.proposals import Proposal, measures, propose_one
from engine.data.preparing.variables import Variable, check_known, column_names, look_at, make_variable
from engine.errors import DataError
from engine.lazy import pd


@dataclass(frozen=True)
class Shaped:
    """The columns of a table, new ones included.

    Attributes
    ----------
    every : with all rows of the table
    inside : (n,) flags of the rows that are used
    untold : rows of which it cannot be told whether they are meant, since a value is not known; they are left out
    where : which rows are used, in words; "" where all are
    """

    every: tuple[Variable, ...]
    inside: np.ndarray
    untold: int = 0
    where: str = ""

    @property
    def used(self) -> list[Variable]:
        """With the rows that are used."""
        return [item.rows(self.inside) for item in self.every] if self.where else list(self.every)

    @property
    def by_name(self) -> Mapping[str, Variable]:
        """Column -> with all rows."""
        return {item.name: item for item in self.every}


def shaped(table: pd.DataFrame, choices: FrameChoices) -> Shaped:
    """The columns that the choices make of a table before its columns get kinds."""
    n = len(table)
    result = look_at(table, choices.missing_tokens)
    check_known(choices.limits, [*(item.name for item in result), *choices.derive], "limits")
    result = [with_chosen_limits(entry, choices) for entry in result]
    return selected(with_derived(result, choices.derive, n), choices, n)


def selected(every: Iterable[Variable], choices: FrameChoices, n: int) -> Shaped:
    """Columns with the rows that the filter means; `DataError` where it leaves none."""
    every = tuple(every)
    if not choices.where:
        return Shaped(every, np.ones(n, bool))
    inside, known = weigh(choices.where, {item.name: item for item in every}, n)
    words = conditions_sentence(choices.where)
    if not inside.any():
        raise DataError("No row is left where {}. Change the filter of rows, or remove it.", words)
    return Shaped(every, inside, int((~known).sum()), words)


def selected_rows(table: pd.DataFrame, choices: FrameChoices) -> Shaped:
    """The rows of another table that the filter means; `DataError` where it leaves none."""
    asked = shape_columns(table, choices, columns_of(choices.where)) if choices.where else {}
    return selected(asked.values(), choices, len(table))


def with_chosen_limits(variable: Variable, choices: FrameChoices, *, strict: bool = True) -> Variable:
    """With its detection limits, and cells with its unit, as numbers, unless the column is to be used as words."""
    if choices.kinds.get(variable.name) in ("nominal", "ordinal"):
        return variable
    variable = with_unit(variable, choices.units.get(variable.name, ""))
    how = choices.limits.get(variable.name)
    return variable if how is None else with_limits(variable, how, strict=strict)


def fixed_choices(choices: FrameChoices, shape: Shaped) -> FrameChoices:
    """The choices with what they found out about this table, so that another is shaped in the same way.

    A column that is compared or calculated with keeps how its texts were numbers or dates; a cut keeps whether its
    levels were named as of whole numbers.
    """
    known = shape.by_name
    numeric, worded = set(columns_of(choices.where, OF_NUMBERS)), set(columns_of(choices.where, OF_VALUES))
    for way in choices.derive.values():
        numeric |= used_sources(way, calculated=True)
        worded |= used_sources(way, calculated=False)
    written = {}
    for name in numeric - worded - set(choices.derive):
        seen = known[name].as_measured()
        if seen is not None and name not in choices.limits:
            written[name] = (seen.sort, seen.written)
    ways = named_whole(choices.derive, known)
    return replace(choices, written=dict(sorted(written.items())), derive=ways)


def shape_columns(table: pd.DataFrame, choices: FrameChoices, names: Collection[str]) -> dict[str, Variable]:
    """Columns of `names` that can be made of another table: its own columns, gaps and limits as chosen, and new ones.

    What the table lacks, or cannot be made since it lacks something else, is not among them.
    """
    wanted = dict.fromkeys(names)
    for name in reversed(list(choices.derive)):  # a new column may be made of one before it
        if name in wanted:
            wanted |= dict.fromkeys(sources(choices.derive[name]))
    positions = {name: place for place, name in enumerate(column_names(table))}
    result = {}
    for name in wanted:
        if name in positions and name not in choices.derive:
            seen = make_variable(table.iloc[:, positions[name]], name).without(
                choices.chosen_for("missing_tokens", name)
            )
            seen = with_chosen_limits(seen, choices, strict=False)
            # texts are read as those of the first table were; an odd one is not known
            alike = name in choices.written and seen.sort == "words"
            result[name] = seen.read_as(*choices.written[name]) if alike else seen
    for name, way in choices.derive.items():
        if name in wanted and all(source in result for source in sources(way)):
            result = {item.name: item for item in with_derived(result.values(), {name: way}, len(table), strict=False)}
    return result


def propose_shaped(table: pd.DataFrame, choices: FrameChoices) -> list[Proposal]:
    """A kind for every column, new ones included, seen in the rows that are used; see `propose`."""
    declared = measures(table)
    return [propose_one(item, declared.get(item.name)) for item in shaped(table, choices).used]
