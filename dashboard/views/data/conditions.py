"""Conditions by clicks: each is a chip that a press takes away, and a row of boxes adds another."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dashboard.session.keys import drop_value, set_value, value_of, widget_key
from dashboard.session.large_tables import ask_table
from dashboard.session.masking import smallest_cell
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import plain, short
from dashboard.views.shared.page_parts import choose_option
from engine import DataError, Recipe
from engine.data.preparing.conditions import ANY, OF_GAPS, OF_NUMBERS, OF_VALUES, checked, conditions_sentence
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import Variable

MOST_LISTED = 500


@dataclass(frozen=True)
class Values:
    """What a column holds.

    Attributes
    ----------
    sort : "number", "date" or "words": what it can be compared by
    listed : value -> rows, where there are few enough to list
    ends : the lowest and the highest in words, of numbers and dates
    missing : cells without a value
    """

    sort: str
    listed: dict[str, int]
    ends: tuple[str, str] = ("", "")
    missing: int = 0

    def conditions(self) -> list[str]:
        """What can be said of it, the likeliest first."""
        named = list(OF_VALUES) if self.listed else []
        ordered = list(OF_NUMBERS) if self.sort != "words" else []
        few = self.sort == "words" or len(self.listed) <= 10
        both = [*named, *ordered] if few else [*ordered, *named]
        return [*both, *(OF_GAPS if self.missing else ())]


@dataclass
class _ColumnValues:
    """The columns that were looked at while the choices that shape them stood so."""

    key: str = ""
    values: dict[str, Values] = field(default_factory=dict)


def values_of(name: str) -> Values:
    """The values of a column, new ones included; of all rows, whatever the filter says."""
    state, current = session(), work()
    if state.table is None:
        return Values("words", {})
    shaping = current.shaping() | {"where": ()}  # of all rows
    key, seen = json.dumps(shaping, default=str), state.state(_ColumnValues)
    if seen.key != key:
        seen.key, seen.values = key, {}
    if name not in seen.values:
        try:
            result = ask_table("Looking at the column", shape_columns, state.table, Recipe(**shaping), [name]).get(name)
        except DataError:  # the page says why these choices cannot be used
            result = None
        seen.values[name] = Values("words", {}) if result is None else summed_up(result)
    return seen.values[name]


def summed_up(variable: Variable) -> Values:
    """A column's values in short."""
    if variable.sort == "unusable":
        return Values("words", {}, missing=variable.n_missing)
    seen = variable if variable.numbers is not None else variable.as_numbers() or variable.as_days() or variable
    names = seen.level_names()
    sort = "words" if seen.numbers is None else "date" if seen.sort == "date" else "number"
    listed = variable.n_distinct <= MOST_LISTED
    pairs = zip(variable.level_names(), variable.counts().tolist(), strict=True)
    counts = {level: number for level, number in pairs if number >= smallest_cell()} if listed else {}
    return Values(sort, counts, (names[0], names[-1]) if names and sort != "words" else ("", ""), seen.n_missing)


Condition = Sequence[Any]
Keep = Callable[[list[Any]], None]
"""Takes the conditions as they are to stand."""

ALL_OF, ANY_OF = "all of them", "any of them"


def edit_conditions(key: str, given: Sequence[Condition], names: Sequence[str], start: str, keep: Keep) -> None:
    """The conditions that stand, each to be taken away; whether all are to hold; and boxes for one more.

    Parameters
    ----------
    key : begins the keys of the widgets
    given : the conditions
    names : the columns that one can be about
    start : the one to begin with
    keep : is told the conditions after every change
    """
    every, any_suffices = parts(given)
    if every:
        _chips(key, every, any_suffices, keep)
    _add_condition(key, every, any_suffices, names, start, keep)


def parts(given: Sequence[Condition]) -> tuple[list[Condition], bool]:
    """The single conditions, and whether one of them will do."""
    if len(given) == 1 and _is_any(given[0]):
        return list(given[0][1:]), True
    return list(given), False


def whole(every: Sequence[Condition], any_suffices: bool) -> list[Any]:
    """The conditions as a recipe has them."""
    if not any_suffices or len(every) < 2:
        return list(every)
    flat = [inner for item in every for inner in (item[1:] if _is_any(item) else [item])]
    return [[ANY, *flat]]


def _is_any(condition: Condition) -> bool:
    return condition[0] == ANY and not isinstance(condition[1], str)


def _chips(key: str, every: list[Condition], any_suffices: bool, keep: Keep) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        for place, item in enumerate(every):
            left = [*every[:place], *every[place + 1 :]]
            st.button(
                plain(short(conditions_sentence(checked([item])), 60)),
                icon=":material/close:",
                icon_position="right",
                help="Take this condition away",
                on_click=keep,
                args=(whole(left, any_suffices),),
                key=widget_key(key, "chip", len(every), place),
            )
        if len(every) > 1:
            how = widget_key(key, "how", any_suffices)
            choose_option(
                "Which are to hold",
                (ALL_OF, ANY_OF),
                how,
                default=ANY_OF if any_suffices else ALL_OF,
                on_change=lambda: keep(whole(every, value_of(how) == ANY_OF)),
            )


def _add_condition(
    key: str, every: list[Condition], any_suffices: bool, names: Sequence[str], start: str, keep: Keep
) -> None:
    left, middle, right = st.columns([3, 2, 5])
    name = left.selectbox(
        "Column",
        names,
        index=names.index(start),
        key=widget_key(key, "column", len(names)),
        format_func=lambda item: short(item, 60),
    )
    if name is None:
        return
    values = values_of(name)
    ways = values.conditions()
    if not ways:
        right.caption(f"Nothing can be asked of this column: it has more than {MOST_LISTED:,} different words.")
        return
    at = widget_key(key, names.index(name), len(every))
    comparison = middle.selectbox("Condition", ways, key=widget_key(at, "what", ways[0], len(ways)))
    wrong = widget_key(key, "wrong")

    def add() -> None:
        drop_value(wrong)
        try:
            new = checked([_read(at, name, comparison)])
        except DataError as error:
            set_value(wrong, str(error))
            return
        keep(whole([*every, *new], any_suffices))

    with (
        right,
        st.form(widget_key(at, "form"), border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        _value(at, comparison, values)
        st.form_submit_button("Add", icon=":material/add:", on_click=add)
    if value_of(wrong):
        st.error(plain(value_of(wrong)))


def _value(at: str, comparison: str, values: Values) -> None:
    """The boxes for the value that a condition of this sort compares with."""
    if comparison in OF_GAPS:
        return
    if comparison in OF_VALUES:
        st.multiselect(
            "one of" if comparison == "is" else "none of",
            list(values.listed),
            format_func=lambda item: short(item, 40) + ("" if smallest_cell() else f" ({values.listed[item]:,})"),
            key=widget_key(at, comparison, "values"),
        )
        return
    low, high = ("", "") if smallest_cell() else values.ends  # each is of one person
    ends = [("from", low), ("to", high)] if comparison == "between" else [("value", f"{low} to {high}" if low else "")]
    for place, (label, hint) in enumerate(ends):
        st.text_input(label, key=widget_key(at, comparison, place), placeholder=hint)


def _read(at: str, name: str, comparison: str) -> Condition:
    """The condition that the boxes say; `DataError` where they say none."""
    if comparison in OF_GAPS:
        return (name, comparison)
    if comparison in OF_VALUES:
        return (name, comparison, value_of(widget_key(at, comparison, "values"), []))
    both = comparison == "between"
    ends = [str(value_of(widget_key(at, comparison, place), "")).strip() for place in range(2 if both else 1)]
    if not all(ends):
        raise DataError(
            f"'{short(name, 60)}' {comparison}: write the {'two ends' if both else 'value'} to compare with."
        )
    return (name, comparison, ends if both else ends[0])
