"""The table that decisions look at: its columns as they are and as the choices make them, and what changes would do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.deciding.decision import Change, columns_in, key_of, merged, without
from engine.data.preparing.prepare import choose_kind
from engine.data.preparing.proposals import Proposal, measures, propose_one
from engine.data.preparing.shaping import Shaped, shaped, with_chosen_limits
from engine.data.preparing.used_rows import first_of_copies
from engine.data.preparing.variables import Variable, look_at
from engine.data.reading.report import reading_facts
from engine.lazy import pd


@dataclass(frozen=True)
class TableView:
    """A table seen once.

    Attributes
    ----------
    table : as it was read
    choices : about it
    raw : column -> as the table has it, without a choice but the filter of rows
    now : column -> as the choices have it
    kinds : column -> its kind as the choices stand
    proposals : column -> what would be proposed if nothing but missing tokens and limits were chosen
    declared : column -> measurement level, where the file has one
    labelled : column -> (code, label) in the order of the codes, where the file has them
    n : rows that are used
    shape : what the choices make of the columns
    """

    table: pd.DataFrame
    choices: FrameChoices
    raw: Mapping[str, Variable]
    now: Mapping[str, Variable]
    kinds: Mapping[str, str]
    proposals: Mapping[str, Proposal]
    declared: Mapping[str, str]
    labelled: Mapping[str, Sequence[tuple[str, str]]]
    n: int
    shape: Shaped

    @property
    def used(self) -> list[str]:
        """The columns that become variables."""
        return [name for name, kind in self.kinds.items() if kind != "ignore"]

    def any_left_out(self, columns: Iterable[str]) -> bool:
        """True where one of some columns is not used."""
        return any(self.kinds[name] == "ignore" for name in columns)

    def settled_columns(self, kind: str) -> list[list[str]]:
        """The columns of each decision of a kind that is settled, where the table has all of them."""
        named = ((key, columns_in(key, self.now)) for key in self.choices.settled)
        return [columns for key, columns in named if columns and key_of(kind, columns) == key]

    def answered(self, *kinds: str) -> set[str]:
        """The columns of the decisions of these kinds that are settled."""
        keys = [key for key in self.choices.settled if key.partition(":")[0] in kinds]
        return {name for key in keys for name in columns_in(key, self.now)}

    def after(self, change: Change, undone: Sequence[Change] = ()) -> tuple[np.ndarray, list[str]]:
        """(n,) flags of the rows that are kept once changes are undone and one is made, and the columns."""
        touched = {name for item in (change, *undone) for about in item.values() for name in about}
        choices = with_change(self.choices, change, undone, list(self.now)) if touched else self.choices
        columns: dict[str, Variable] = {}
        for name, variable in self.now.items():
            kind = self.kinds[name]
            if name in touched:
                variable = with_chosen_limits(
                    self.raw[name].without(choices.chosen_for("missing_tokens", name)), choices, strict=False
                )
                kind = kind_of(variable, choices, propose_one(variable, self.declared.get(name)))
            if kind != "ignore":
                columns[name] = variable
        rows = self.complete(columns.values(), choices)
        if choices.copies_once:
            rows = first_of_copies([self.now[name].codes for name in columns], rows)
        return rows, list(columns)

    def complete(self, columns: Iterable[Variable], choices: FrameChoices | None = None) -> np.ndarray:
        """(n,) flags of the rows that lack none of some columns whose gaps are no level."""
        rows = np.ones(self.n, bool)
        for column in columns:
            if (choices or self.choices).chosen_for("missing", column.name) != "level":
                rows &= column.codes >= 0
        return rows


def view_table(table: pd.DataFrame, choices: FrameChoices, shape: Shaped | None = None) -> TableView:
    """A look at every column of a table once; `shape` is what the choices make of these, where that is known."""
    shape = shaped(table, choices) if shape is None else shape
    now = {item.name: item for item in shape.used}
    declared = measures(table)
    labelled = {name: pairs for name, pairs in reading_facts(table).get("labelled", {}).items() if name in now}
    plain = not choices.missing_tokens and not choices.limits and not choices.units
    raw = now if plain else {**now, **{entry.name: entry.rows(shape.inside) for entry in look_at(table)}}
    proposals = {name: propose_one(element, declared.get(name)) for name, element in now.items()}
    kinds = {name: kind_of(series, choices, proposals[name]) for name, series in now.items()}
    return TableView(table, choices, raw, now, kinds, proposals, declared, labelled, int(shape.inside.sum()), shape)


def kind_of(variable: Variable, choices: FrameChoices, proposal: Proposal) -> str:
    """The kind a column has by the choices, else the one proposed."""
    dropped = choices.chosen_for("missing", variable.name) == "drop_columns" and variable.n_missing
    return "ignore" if dropped else choose_kind(variable, proposal, choices)[0]


def with_change(choices: FrameChoices, change: Change, undone: Sequence[Change], names: Sequence[str]) -> FrameChoices:
    """The choices once changes are undone and one is made; `names` are those of all columns."""
    whole = {argument: getattr(choices, argument) for argument in choices.__dataclass_fields__}
    result = {argument: given for argument, given in whole.items() if isinstance(given, Mapping)}
    for item in undone:
        result = without(result, item)
    result = merged(result, spelled(change, choices, names))
    emptied: dict[str, Any] = {what: {} for what, given in whole.items() if isinstance(given, Mapping)}
    return type(choices)(**{**whole, **emptied, **result})


def spelled(change: Change, choices: FrameChoices, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A change that says for every column what the choices say for all at once, so that it can take their place."""
    result: dict[str, dict[str, Any]] = {}
    for argument, about in change.items():
        given = getattr(choices, argument)
        # what is said for all and is the default needs no words: it holds where a column has no choice of its own
        if isinstance(given, Mapping) or given == getattr(FrameChoices, argument, None):
            result[argument] = dict(about)
        elif argument == "missing_tokens":
            every = {name: list(given) for name in names} if given else {}
            result[argument] = {**every, **{name: [*given, *new] for name, new in about.items()}}
        else:
            result[argument] = {**dict.fromkeys(names, given), **about}
    return result
