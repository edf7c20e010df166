"""New columns made of those of the table: a name, how it is made, what comes of it before it is added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.column import distribution_alt, distribution_picture
from dashboard.session.keys import widget_key
from dashboard.session.large_tables import ask_table
from dashboard.session.masking import sentence_shown, smallest_cell, without
from dashboard.session.session import session
from dashboard.session.work import Work, work
from dashboard.text import plain, short
from dashboard.views.data.choices import lost_conditions, still_fitting
from dashboard.views.data.conditions import edit_conditions, values_of
from dashboard.views.data.variable import read_cuts, selected_column
from dashboard.views.shared.downloads import show_figure
from engine import DataError, Recipe
from engine.data.preparing.derived import checked_ways, derived_sentence
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import Variable
from engine.text import joined
from engine.words import count, first

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.preparing.proposals import Proposal

SORTS = {
    "ratio": "ratio of two",
    "difference": "difference of two",
    "cut": "cut into intervals",
    "merge": "merge levels",
    "combine": "combine two",
    "if": "yes or no, from conditions",
}
_OF_NUMBERS = ("ratio", "difference", "cut")
_NONE_YET = "choose a column"
_FIRST = 8
"""Values of a new column that are shown before it is added."""


@dataclass
class _Draft:
    """The conditions of a new yes or no that is not added yet."""

    conditions: list[Any] = field(default_factory=list)


def edit_new_columns() -> None:
    """The new columns, each to be taken away, and the means to make another."""
    table, current = session().table, work()
    if table is None:
        return
    for column, how in checked_ways(current.chosen.get("derive", {})).items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(derived_sentence(column, how)), width="stretch")
            key = widget_key("data", "new", "remove", id(current), current.version, column)
            st.button("Remove", on_click=take_away, args=(current, column), key=key)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        name, way, wrong = _make(current, current.proposals(table))
    with right:
        _preview(table, current, name, way, wrong)


def take_away(current: Work, name: str) -> None:
    """Remove a new column, with every choice about it and what is made of it; where the filter asks for it, say so."""
    table = session().table
    if table is None:
        return
    ways = {item: way for item, way in current.chosen.get("derive", {}).items() if item != name}
    left = still_fitting({**current.chosen, "derive": ways}, set(map(str, table.columns)))
    current.set_change_note(joined(lost_conditions(current.chosen.get("where", ()), left.get("where", ()))))
    current.settle({**{argument: {} for argument in current.chosen}, **left})


def _make(current: Work, proposals: Mapping[str, Proposal]) -> tuple[str, list[Any] | None, str]:
    """The boxes; the name, how the column would be made (None while the boxes are not filled) and what is wrong."""
    columns = list(proposals)
    at = widget_key("data", "new", id(current), len(current.chosen.get("derive", {})))
    box, kind = st.columns(2)
    name = box.text_input("Name of the new column", key=widget_key(at, "name"), placeholder="such as ratio").strip()
    sort = kind.selectbox("How it is made", list(SORTS), format_func=SORTS.__getitem__, key=widget_key(at, "sort"))
    if sort == "if":
        draft = session().state(_Draft)
        edit_conditions(
            widget_key(at, "if"),
            draft.conditions,
            columns,
            selected_column(columns),
            lambda now: setattr(draft, "conditions", now),
        )
        return name, ["if", draft.conditions] if draft.conditions else None, ""
    kinds = {proposal.column: current.kind(proposal) for proposal in proposals.values()}
    ordered = sorted(columns, key=lambda item: sort in _OF_NUMBERS and kinds[item] != "continuous")
    some = st.columns(2)
    label = "Levels of" if sort == "merge" else "Column"
    item = some[0].selectbox(label, ordered, index=None, placeholder=_NONE_YET, key=widget_key(at, sort, "one"))
    if sort == "merge":
        pairs = {} if item is None else _merge(widget_key(at, "pairs", columns.index(item)), item)
        return name, ["merge", item, pairs] if pairs else None, ""
    if sort == "cut":
        text = some[1].text_input("Cut at", key=widget_key(at, "cuts"), placeholder="18.5; 25; 30")
        try:
            cuts = read_cuts(text)
        except ValueError:
            return name, None, "Write the cut points as rising numbers, like 18.5; 25; 30."
        return name, ["cut", item, list(cuts)] if cuts and item is not None else None, ""
    label = {"ratio": "divided by", "difference": "minus"}.get(sort, "and")
    other = some[1].selectbox(label, ordered, index=None, placeholder=_NONE_YET, key=widget_key(at, sort, "other"))
    return name, None if item is None or other is None else [sort, item, other], ""


def _merge(key: str, name: str) -> dict[str, str]:
    """What the levels of a column become, as typed into a table of them."""
    import pandas as pd

    levels = list(values_of(name).listed)
    if not levels:
        st.caption("This column has too many different values to list them.")
        return {}
    edited = st.data_editor(
        pd.DataFrame({"value": levels, "becomes": levels}),
        key=key,
        hide_index=True,
        disabled=["value"],
        height=min(38 + 35 * len(levels), 250),
        column_config={"becomes": st.column_config.TextColumn(required=True, help="Levels of one name are merged")},
        alt="The levels of the column and what they become",
    )
    pairs = zip(levels, map(str.strip, edited["becomes"].astype(str)), strict=True)
    return {old: new for old, new in pairs if new and new != old}


def _preview(table: pd.DataFrame, current: Work, name: str, way: list[Any] | None, wrong: str) -> None:
    """What the column would be, and the button that adds it; or what is still wrong."""
    called = name or "new column"
    result = None
    if way is not None and not wrong:
        try:
            result = _tried(table, current, called, way)
        except DataError as error:
            wrong = str(error)
    if wrong:
        st.error(plain(sentence_shown(wrong)))
    elif result is None:
        if not smallest_cell():
            st.caption("What comes of it is shown here as soon as the boxes are filled.")
    else:
        if smallest_cell():
            st.caption(without("What comes of it was left out: it"))
        else:
            figure = distribution_picture(result)
            show_figure(figure, "new-column", key=widget_key("data", "new", "picture"), alt=distribution_alt(result))
            st.caption(_values_in_words(result))
        st.button(
            "Add the column",
            type="primary" if name else "secondary",  # nobody can read a primary button that cannot be pressed
            disabled=not name,
            help=None if name else "Give it a name first",
            on_click=_add,
            args=(current, name, way),
            key=widget_key("data", "new", "add", id(current)),
        )


def _values_in_words(variable: Variable) -> str:
    if variable.numbers is not None and variable.sort == "number":
        names = [f"{number:.4g}" for number in variable.numbers.tolist()]
    else:
        names = [short(name, 20) for name in variable.level_names()]
    begin = [names[code] if code >= 0 else "missing" for code in variable.codes[:_FIRST].tolist()]
    gaps = f"; {count(variable.n_missing, 'cell')} without a value" if variable.n_missing else ""
    return f"{count(variable.n_distinct, 'different value')}{gaps}. The first rows: {plain(first(begin, _FIRST))}, …"


def _tried(table: pd.DataFrame, current: Work, name: str, way: list[Any]) -> Variable | None:
    """The column as it would be, of all rows."""
    if name in current.proposals(table):
        raise DataError(f"There is a column '{short(name, 60)}' already; choose another name.", column=name)
    shaping = current.shaping() | {"where": ()}  # of all rows
    ways = {**shaping.pop("derive", {}), name: way}
    return ask_table("Making the column", shape_columns, table, Recipe(**shaping, derive=ways), [name]).get(name)


def _add(current: Work, name: str, way: list[Any]) -> None:
    current.settle({"derive": {**current.chosen.get("derive", {}), name: way}})
    session().state(_Draft).conditions = []
