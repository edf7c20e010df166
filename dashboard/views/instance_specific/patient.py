"""Who the patient is: a row of the table, found by number or value, or values typed in; and what is to be predicted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.caches import cached
from dashboard.session.keys import begin_with, has_value, of_table, set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import plain, short, visible
from dashboard.views.instance_specific.running import Patient, PatientState
from dashboard.views.shared.page_parts import choose_option, in_rows
from engine import DataError
from engine.data.preparing.shaping import selected_rows
from engine.data.table_rows import data_row, first_row, identifier_of, known_values, row_codes, table_length, table_rows
from engine.methods.instance_specific.result import SLUG
from engine.models.kinds import extreme_rows
from engine.words import count, first
from sample_data.catalog import CATALOG, truth

if TYPE_CHECKING:
    import pandas as pd
    from streamlit.delta_generator import DeltaGenerator

    from engine.data.dataset import Dataset


WAYS = {"row": "A row of the table", "typed": "Type a patient"}
SINGLE_PATIENT, MANY_PATIENTS = "One patient", "Many patients"
IN_SIDEBAR = {SINGLE_PATIENT: "One patient", MANY_PATIENTS: "Many"}
"""What the two are called where both have one line of a narrow sidebar."""
UNKNOWN = -1
LEAST_ALIKE = 20
"""Rows from which extremes and kinds are looked for."""
ACROSS = 3
MANY = 15


def choose_view() -> str:
    """Whether one patient is looked at or many."""
    options, key = (SINGLE_PATIENT, MANY_PATIENTS), widget_key(SLUG, "view")
    return str(
        choose_option(
            "Look at",
            options,
            key,
            format_func=IN_SIDEBAR.__getitem__,
            label_visibility="visible",
            persist_state="session",
            width="stretch",
        )
    )


def is_single() -> bool:
    """Whether one patient is asked for."""
    return bool(value_of(widget_key(SLUG, "view")) == SINGLE_PATIENT)


def open_patient(data: Dataset, row: int) -> None:
    """Let a row of the data set be the one patient that is looked at."""
    key = patient_key(data)
    set_value(widget_key(key, "way"), "row")
    set_value(widget_key(key, "row"), int(table_rows(data, [row])[0]) + 1)  # type: ignore[arg-type]
    set_value(widget_key(SLUG, "view"), SINGLE_PATIENT)


def pick_patient(data: Dataset, picker: DeltaGenerator) -> Patient | None:
    """The picker behind a button in its place; what is wrong with the choice stands on the page."""
    trouble = st.container()
    with picker, st.popover("Choose the patient", icon=":material/person:", width="stretch"):
        patient = choose_patient(data, trouble)
    row = first_row(data)
    if patient is not None and patient.row == 0 and data.in_memory and data.n_rows > LEAST_ALIKE:
        words = "This is the first row. See the most unusual one"
        picker.button(words, type="tertiary", key=widget_key(SLUG, "farthest"), on_click=_open_farthest, args=(data,))
    if patient is not None and patient.row == 0 and row:
        picker.caption(f"Row {row + 1:,} is the first that can be used: those before it have gaps or are filtered out.")
    return patient


def _open_farthest(data: Dataset) -> None:
    """Turn to the patient that lies farthest from all others."""
    open_patient(data, cached(data, extreme_rows).rows[0][0])


def choose_patient(data: Dataset, trouble: DeltaGenerator) -> Patient | None:
    """The picker; None when there is nobody to look at, of which `trouble` then says why."""
    key = patient_key(data)
    presets = teaching_patients(data)
    way_key = widget_key(key, "way")
    if not has_value(way_key):
        set_value(way_key, "typed" if presets else "row")
        if presets:
            fill(data, presets[0]["instance"], presets[0]["name"])
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        way = choose_option(
            "The patient", WAYS, way_key, default=None, format_func=WAYS.__getitem__, persist_state="session"
        )
        for number, preset in enumerate(presets):
            st.button(
                plain(preset["name"]),
                key=widget_key(key, "preset", number),
                help=plain(preset["note"]),
                icon=":material/person:",
                on_click=fill,
                args=(data, preset["instance"], preset["name"]),
            )
    return _typed(data, key, presets=bool(presets)) if way == "typed" else _row(data, key, trouble)


def choose_target(data: Dataset) -> str | None:
    """The variable to predict, None by default."""
    wanted = session().page(SLUG).settings.get("target")
    names = list(data.names)
    start = names.index(wanted) if wanted in names else None
    return st.selectbox(
        "Predict (optional)",
        names,
        index=start,
        placeholder="choose an outcome",
        key=widget_key(patient_key(data), "target"),
        persist_state="session",
        help="The patient's own value of it is set aside; both networks then predict it from all else that is known. "
        "A patient who is a row is left out of the rows that learn, so that nothing is known beforehand.",
    )


def patient_key(data: Dataset) -> str:
    """Prefix of widget keys: another table, or the same prepared otherwise, has a patient of its own."""
    return widget_key(SLUG, of_table(data))


def teaching_patients(data: Dataset) -> list[dict[str, Any]]:
    """The patients that come with a sample table, as far as its levels are still those."""
    sample = work().sample
    if sample not in CATALOG:
        return []
    result = truth(sample).get("patients", [])
    return [item for item in result if _fitting(data, item["instance"])]


def _fitting(data: Dataset, instance: dict[str, str]) -> dict[str, str]:
    return {name: level for name, level in instance.items() if level in data.levels.get(name, ())}


def fill(data: Dataset, instance: dict[str, str], title: str = "") -> None:
    """Put a patient into the boxes and turn to them; what is not said becomes unknown."""
    key = patient_key(data)
    known = _fitting(data, instance)
    for i, name in enumerate(data.names):
        set_value(widget_key(key, "value", i), (data.levels[name].index(known[name]) if name in known else UNKNOWN))
    set_value(widget_key(key, "way"), "typed")
    session().state(PatientState).named = (title, known)


# -- a row ------------------------------------------------------------------------------------------------------------


def _row(data: Dataset, key: str, trouble: DeltaGenerator) -> Patient | None:
    length = table_length(data) if session().table is not None else data.n_rows
    if not length:
        trouble.info("The table has no rows to choose from; type a patient instead.")
        return None
    number = find_row(data, key, length)
    place = data_row(data, number - 1)
    if place is not None:
        known = known_values(data, None, number - 1)
        identifier = identifier_of(data, session().table, number - 1)
        patient = Patient(tuple(known.items()), place, f"row {number:,}", identifier)
        _show_known(data, patient, key)
        return patient
    with trouble:
        _explain_gap(data, number, key)
    return None


def _explain_gap(data: Dataset, number: int, key: str) -> None:
    """Why no method uses the row: a gap, or the filter; what it does say can be typed for the reader."""
    known = _known_in_table(data, number - 1)
    lacking = [name for name in data.names if name not in known]
    if _outside(data, number - 1):
        where = data.report.where if data.report is not None else ""
        words = f"Row {number:,} is not among the rows where {where}, so no network was learned from it. "
        words += "It can be asked about all the same: use what the row does say."
    elif lacking:
        listed = first(f"'{short(name, 30)}'" for name in lacking)
        words = f"Row {number:,} lacks a value of {listed}, so it was left out when the table was prepared. "
        words += "A patient may have unknown values, though: use what the row does say."
    else:
        words = f"Row {number:,} was left out when the table was prepared. Use what the row does say."
    st.warning(plain(words), icon=":material/warning:")
    st.button(
        f"Use the {count(len(known), 'known value')} of row {number:,}",
        key=widget_key(key, "use_gap"),
        disabled=not known,
        on_click=fill,
        args=(data, known, f"row {number:,}"),
    )


def _outside(data: Dataset, row: int) -> bool:
    """Whether the filter of rows leaves the row out."""
    table = session().table
    if table is None or data.report is None or not data.report.where:
        return False
    try:
        selected_rows(table.iloc[[row]], data.recipe)
    except DataError:  # of one row, none is left
        return True
    return False


def _known_in_table(data: Dataset, row: int) -> dict[str, str]:
    return known_values(data, session().table, row)


def _show_known(data: Dataset, patient: Patient, key: str) -> None:
    words, button = st.columns([3, 2], vertical_alignment="center")
    words.markdown(plain(f"{patient.heading}: {_listed(patient.known, 6)}"))
    button.button(
        "Change these values",
        key=widget_key(key, "edit"),
        on_click=fill,
        args=(data, dict(patient.known)),
        icon=":material/edit:",
        help="Type on from this row: what if one value were another?",
    )


def _listed(known: Sequence[tuple[str, str]], most: int) -> str:
    """What is known, in a line."""
    return first((f"{short(name, 24)} = {short(level, 24)}" for name, level in known), most)


# -- typed ------------------------------------------------------------------------------------------------------------


def _typed(data: Dataset, key: str, *, presets: bool) -> Patient | None:
    names = data.names
    boxes = [widget_key(key, "value", i) for i in range(len(names))]
    codes = [int(value_of(box, UNKNOWN)) for box in boxes]
    wanted = ""
    filled = [(name, data.levels[name][code]) for name, code in zip(names, codes, strict=True) if code != UNKNOWN]
    label = f"**Known, {len(filled)} of {len(names)}:** {plain(_listed(filled, 6) or 'nothing yet')}"
    with st.expander(label, expanded=not presets, key=widget_key(key, "known")):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if len(names) > MANY:
                wanted = st.text_input(
                    "Show only variables with", key=widget_key(key, "wanted"), persist_state="session"
                )
            st.button("Clear", key=widget_key(key, "clear"), on_click=fill, args=(data, {}), disabled=not filled)
        matching = [i for i, name in enumerate(names) if wanted.lower() in visible(name).lower()]
        for row in in_rows(matching, ACROSS):
            for i, place in zip(row, st.columns(ACROSS), strict=False):
                with place:
                    _value_box(data, i, boxes[i])
    codes = [int(value_of(box, UNKNOWN)) for box in boxes]
    known = tuple((name, data.levels[name][code]) for name, code in zip(names, codes, strict=True) if code != UNKNOWN)
    title, named = session().state(PatientState).named
    patient = Patient(known, None, title if title and named == dict(known) else "this patient")
    if not known:
        st.info(
            "Nothing is known of this patient yet, so the population's network is all there is to see. "
            "Choose at least one value.",
            icon=":material/info:",
        )
    return patient


def _value_box(data: Dataset, i: int, key: str) -> None:
    name = data.names[i]
    levels = data.levels[name]
    begin_with(key, UNKNOWN)
    st.selectbox(
        plain(short(name, 40)) or "(no name)",
        [UNKNOWN, *range(len(levels))],
        format_func=lambda code: "unknown" if code == UNKNOWN else visible(levels[code]) or "(empty)",
        key=key,
        persist_state="session",
        help=plain(visible(name)) if len(visible(name)) > 40 else None,
    )


LISTED = 200
LEVELS_LISTED = 60
CELLS = 4


def find_row(data: Dataset, key: str, length: int) -> int:
    """The row chosen, from 1."""
    number_key = widget_key(key, "row")
    number, column = st.columns(2, vertical_alignment="bottom")
    value, match = st.columns(2, vertical_alignment="bottom")
    with column:
        names = _columns(data) if data.in_memory else []
        chosen = st.selectbox(
            "or find a row by",
            range(len(names)),
            index=None,
            format_func=lambda i: visible(names[i]) or "(no name)",
            placeholder="a column" if names else "rows on disk have numbers only",
            disabled=not names,
            key=widget_key(key, "by"),
            persist_state="session",
        )
    result: list[int] | None = None
    if chosen is not None:
        with value:
            result = _matches(data, names[chosen], chosen, key)
    if result is not None:
        with match:
            _choose_match(data, result, key, number_key)
    used = f", {data.n_rows:,} used" if data.n_rows < length else ""
    return int(
        number.number_input(
            f"Row of the table (1 to {length:,}{used})", 1, length, step=1, key=number_key, persist_state="session",
            value=None if has_value(number_key) else first_row(data) + 1, help=_counted(),
        )
        or 1
    )  # fmt: skip


def _counted() -> str:
    """What the number of a row counts."""
    if session().table is None:
        return "Rows are counted among those that are used: those that lack a value have no number."
    return "Rows are counted as in the table that was read."


def _columns(data: Dataset) -> list[str]:
    """Columns of the table, those the methods leave out (an identifier, say) among them."""
    table = session().table
    return list(data.names) if table is None else [str(name) for name in table.columns]


def _matches(data: Dataset, name: str, position: int, key: str) -> list[int] | None:
    """Row numbers of the table (from 0) with the value asked for; None while none is asked for."""
    levels = data.levels.get(name, ())
    if 0 < len(levels) <= LEVELS_LISTED:
        code = st.selectbox(
            "with the value",
            range(len(levels)),
            index=None,
            format_func=lambda i: visible(levels[i]) or "(empty)",
            placeholder="choose",
            key=widget_key(key, "level", position),
        )
        return None if code is None else table_rows(data, (data.column(name) == code).nonzero()[0]).tolist()
    wanted = st.text_input("with the value", placeholder="type it", key=widget_key(key, "text", position)).strip()
    table = session().table
    if not wanted or table is None:
        return None
    state = session().state(PatientState)
    searched = (data.fingerprint, position, wanted)
    if state.searched is None or state.searched[0] != searched:  # a million cells are looked through once, not at each
        state.searched = (searched, _rows_with(table.iloc[:, position], wanted))
    return state.searched[1]


def _rows_with(column: pd.Series, wanted: str) -> list[int]:
    """Rows whose cell is this text; where there is none, those whose cell contains it."""
    cells = column.astype("string").str.strip()
    flags = (cells == wanted).fillna(False).to_numpy(bool)
    if not flags.any():
        flags = cells.str.contains(wanted, case=False, regex=False, na=False).to_numpy(bool)
    return [int(row) for row in flags.nonzero()[0]]


def _choose_match(data: Dataset, result: list[int], key: str, number_key: str) -> None:
    if not result:
        st.caption("No row has that value.")
        return
    label = f"{count(len(result), 'row')} found"
    if len(result) > LISTED:
        label += f", the first {LISTED} listed"
    listed = result[:LISTED]
    match_key = widget_key(key, "match", hash(tuple(listed)))
    state = session().state(PatientState)
    if state.matched != match_key:
        state.matched = match_key
        if len(result) == 1:  # an identifier found is a patient chosen
            set_value(number_key, result[0] + 1)

    def take() -> None:
        row = value_of(match_key)
        if row is not None:
            set_value(number_key, row + 1)

    st.selectbox(
        plain(label), listed, index=None, placeholder="choose a row", key=match_key, on_change=take,
        format_func=partial(_row_words, data, session().table),
    )  # fmt: skip


def _row_words(data: Dataset, table: pd.DataFrame | None, row: int) -> str:
    """Row number and a few values."""
    if table is None:
        codes = row_codes(data, row).tolist()
        cells = [(name, data.levels[name][code]) for name, code in zip(data.names[:CELLS], codes, strict=False)]
    else:
        cells = [(str(name), table.iloc[row, i]) for i, name in enumerate(table.columns[:CELLS])]
    return f"row {row + 1:,}: " + ", ".join(f"{short(name, 14)} {short(cell, 16)}" for name, cell in cells)
