"""The open table on the data page: its state in one sentence, what needs a look, and its tabs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.pages import address, method_pages
from dashboard.session.caches import cached
from dashboard.session.keys import begin_with, set_value, widget_key
from dashboard.session.labels import labelled
from dashboard.session.masking import (
    NO_PEOPLE,
    report_frame,
    rows_shown,
    sentence_shown,
    sentences_about_table,
    smallest_cell,
)
from dashboard.session.preparing import prepare_table
from dashboard.session.session import session
from dashboard.session.work import PAGE, work
from dashboard.text import plain
from dashboard.views.data.choices import KINDS, apply_dictionary
from dashboard.views.data.columns_table import show_columns
from dashboard.views.data.conditions import edit_conditions
from dashboard.views.data.new_columns import edit_new_columns
from dashboard.views.data.roles import show_roles
from dashboard.views.data.variable import selected_column
from dashboard.views.shared.by_group import show_guess
from dashboard.views.shared.downloads import download, download_table, file_name
from dashboard.views.shared.page_parts import choose_option, show_sentence, take_dropped_file
from dashboard.views.shared.table_one import show_table_one
from engine import DataError, words
from engine.data.notes import left_out_words
from engine.data.preparing.dictionary import read_dictionary
from engine.data.reading.naming import shown_name
from engine.data.reading.report import reading_report
from engine.exchange.data_dictionary import write_dictionary
from engine.exchange.safe_csv import to_csv
from engine.methods.group_pair import likely_group_why
from engine.methods.table_one import MOST_GROUPS, table_one

if TYPE_CHECKING:
    import pandas as pd

    from engine import Dataset
    from engine.methods.table_one import TableOne

MOST_OPEN = 3
MOST_SENTENCES = 200
ALIKE = 3
"""Columns beside the first from which on what is said of all is said once."""
HEIGHT = 420
NAMED = 3
"""Of these so many are named; the import report has all."""


def show_answer() -> None:
    """How many rows and columns are ready, why not all, and why the latest choice cannot be used."""
    state = session()
    data, table = state.dataset, state.table
    if table is None:
        return
    work().decisions(table)
    if data is None:
        show_sentence(PAGE, "This table cannot be used yet")
    else:
        used = work().used
        columns = [*table.columns, *(used.derive if used is not None else ())]
        rows = data.n_rows if data.report is None else data.report.rows_kept
        ready = rows_shown(rows, len(table)) if smallest_cell() else f"{rows:,} of {len(table):,} rows"
        report = data.report
        some = report is not None and (report.rows_kept < report.rows_read or report.where or report.weight)
        about = filter(None, [report.rows_sentence(), left_out_words(data)]) if report is not None and some else ()
        show_sentence(
            PAGE,
            f"{ready} and {data.n_variables:,} of {len(columns):,} columns are {_ready()}",
            " ".join(map(sentence_shown, about)),
        )
        if data.n_variables < 2:
            st.info("A network links at least two columns: use one more below.", icon=":material/info:")
        with st.container(horizontal=True):
            for page in method_pages():
                if page.fits(data):
                    st.page_link(
                        address(page), label=f"**{plain(page.link)}**", icon=":material/arrow_forward:", width="content"
                    )
    if work().error:
        text = " Until then the choices from before are used." if data is not None else ""
        st.error(plain(sentence_shown(work().error)) + text, icon=":material/error:")


def _ready() -> str:
    """The end of the heading: nothing is ready as long as a question about the table is open."""
    left = work().undecided
    return f"used; {words.count(left, 'question is', 'questions are')} open" if left else "ready"


def show_findings() -> None:
    """What needs a look: the first sentences open, the rest behind a line."""
    state, current = session(), work()
    report = state.dataset.report if state.dataset is not None else None
    reading = state.table.attrs.get("reading") if state.table is not None else None
    columns = state.table.columns if state.table is not None else ()
    noted = [*current.notes, *([current.change_note] if current.change_note else [])]
    problems = [
        *(reading or {}).get("problems", ()),
        *noted,
        *(report.problems if report is not None else ()),
    ]
    problems = sentences_about_table(problems)
    lines = [f":small[:material/warning: {plain(item)}]" for item in together(problems, {*map(shown_name, columns)})]
    first = lines if len(lines) <= MOST_OPEN + 1 else lines[:MOST_OPEN]
    if first:
        st.markdown("  \n".join(first))
    if len(lines) > len(first):
        with st.expander(f"{len(lines) - len(first):,} more findings"):
            st.markdown("\n\n".join(lines[len(first) :][:MOST_SENTENCES]))
            if len(lines) - len(first) > MOST_SENTENCES:
                st.caption(f"The first {MOST_SENTENCES} of them; the import report has all.")


def together(sentences: Iterable[str], columns: Collection[str]) -> list[str]:
    """What is said of many columns in the same words, said once with some of the others that it is true of.

    Parameters
    ----------
    sentences : what needs a look
    columns : names of the table's columns, as sentences quote them; other quoted texts are values
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    named: dict[str, str] = {}
    for sentence in sentences:
        start, named[sentence], after = _of_column(sentence, columns)
        alike.setdefault((start, after), []).append(sentence)
    result = []
    for first, *others in alike.values():
        if len(others) < ALIKE or not named[first]:
            result += [first, *others]
            continue
        quoted = (f"'{named[other]}'" for other in others)
        result.append(f"{first} (So for {words.first(quoted, NAMED)}.)")
    return result


def _of_column(sentence: str, columns: Collection[str]) -> tuple[str, str, str]:
    """What stands before the quoted column that a sentence is about, the column, and what stands after it."""
    start, *parts = sentence.split("'")
    for many in range(len(parts) - 1, 0, -1):  # a name may have such a sign in it, so the longest counts
        name = "'".join(parts[:many])
        if name in columns:
            return start, name, "'".join(parts[many:])
    return sentence, "", ""


def show_report() -> None:
    """Every decision of the import: how the file was read in sentences, then a row a column."""
    state = session()
    data, table = state.dataset, state.table
    reading = reading_report(table) if table is not None else None
    if reading is not None:
        sentences = sentences_about_table(reading.sentences())
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in sentences[:6]))
        if len(sentences) > 6:
            with st.expander(f"{len(sentences[6:])} more about the reading"):
                st.markdown("\n".join(f"- {plain(sentence)}" for sentence in sentences[6:200]))
    if data is None or data.report is None:
        return
    if data.report.suggestions:
        st.markdown(
            "\n".join(f"- {plain(suggestion)}" for suggestion in sentences_about_table(data.report.suggestions))
        )
    frame = report_frame(data.report)
    frame["kind"] = [KINDS.get(kind, kind) for kind in frame["kind"]]
    st.dataframe(frame, hide_index=True, height=min(HEIGHT, 38 + 35 * len(frame)), alt="The import report")
    with st.container(horizontal=True):
        download_table(frame, "import-report", label="Report (CSV)", masked=bool(smallest_cell()))
        sentences = data.report.sentences()
        download("\n".join(sentences).encode(), file_name("import-report", "txt"), "text/plain", "Report in sentences")


def show_dictionary() -> None:
    """The data dictionary of the choices as they stand: shown, to download, to upload."""
    state, current = session(), work()
    if state.table is None:
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown(
            "A data dictionary says what the columns mean: name, type, label, levels in order, unit, "
            "and the scale (questionnaire) that a column is a part of."
        )
        about = state.dataset if state.dataset is not None else list(current.proposals(state.table).values())
        download(
            partial(_dictionary_csv, about, dict(current.labels), dict(current.scales)),
            file_name("data-dictionary", "csv"),
            "text/csv",
            "Dictionary (CSV)",
            masked=True,
        )
        st.caption("It holds the kinds and levels chosen here; correct it in a spreadsheet and bring it back.")
        for note in sentences_about_table(current.notes):
            st.caption(plain(note))
    with right:
        _upload_dictionary()


def _dictionary_csv(*about: Any) -> bytes:
    return write_dictionary(*about).encode("utf-8-sig")


def _upload_dictionary() -> None:
    state, current = session(), work()
    key, seen = widget_key("data", "dictionary"), widget_key("data", "dictionary", "seen")
    given = take_dropped_file("Use a dictionary (CSV)", seen, key=key, max_upload_size=10)
    if given is None or state.table is None:
        return
    try:
        with state.job_queue.counted():
            apply_dictionary(current, read_dictionary(given.getvalue(), name=given.name), state.table)
    except DataError as error:
        st.error(plain(error))
        return
    prepare_table(state, current)
    st.rerun()


MOST_ROWS, MOST_COLUMNS = 200, 200


def _described(data: Dataset, group: str | None, all_rows: bool) -> TableOne:
    """The Table 1 of the open table: all rows, or the complete ones where small counts are hidden."""
    return table_one(data, group, source=session().table if all_rows else None)


def show_described() -> None:
    """The rows that are used, in every variable: by the group that has the role or is guessed, or by another."""
    data = session().dataset
    if data is None or not data.in_memory:
        st.caption("Rows in memory are described here; of others Group differences shows a Table 1 of its groups.")
        return
    fit = [name for name in data.names if 1 < len(data.levels[name]) <= MOST_GROUPS]
    likely, why = cached(data, likely_group_why)
    key = widget_key("data", "described", data.fingerprint)

    def choose() -> None:
        st.selectbox(
            "Groups",
            [None, *fit],
            format_func=lambda name: "All rows together" if name is None else f"By {plain(labelled(name))}",
            key=key,
            label_visibility="collapsed",
            width=240,
        )

    group = begin_with(key, likely if likely in fit else None)
    if group is not None and group == likely and group not in data.roles:
        show_guess(why, data, group, partial(set_value, key), "data")
    try:
        show_table_one(cached(data, _described, group, not smallest_cell()), "data", choose)
    except DataError as error:
        choose()
        st.info(plain(sentence_shown(str(error))))


def show_rows() -> None:
    """The filter, the first rows as they were read, or as the methods will see them; both to download."""
    state = session()
    table, data = state.table, state.dataset
    if table is None:
        return
    with st.container(border=True):
        _filter(table)
    ways = ["as read", "as used"] if data is not None else ["as read"]
    if smallest_cell():
        st.caption(f"{NO_PEOPLE} The rows themselves were left out.")
        return
    way = choose_option("Rows", ways, widget_key("data", "rows"))
    used = way == "as used" and data is not None
    names = data.names if used and data is not None else list(table.columns)
    frame = _used_rows(data) if used and data is not None else first_rows(table.iloc[:, :MOST_COLUMNS])
    st.dataframe(frame, height=HEIGHT, alt="The first rows of the table")
    total = data.n_rows if used and data is not None else len(table)
    text = f"The first {len(frame):,} of {total:,} rows"
    if len(names) > MOST_COLUMNS:
        text += f" and the first {MOST_COLUMNS} of {len(names):,} columns"
    st.caption(f"{text}; the number on the left is the row's place in the table.")
    if data is not None:
        download(lambda: _prepared_csv(data), file_name("prepared-table", "csv"), "text/csv", "Prepared table (CSV)")


def _filter(table: pd.DataFrame) -> None:
    """Which rows are used, in a sentence, and the conditions that say it."""
    current = work()
    names = list(current.proposals(table))
    st.markdown(filter_words())
    edit_conditions(
        widget_key("data", "where", id(current)),
        current.chosen.get("where", []),
        names,
        selected_column(names),
        lambda where: current.settle({"where": where}),
    )


def filter_words() -> str:
    """Which rows are used, and why the others are not, as Markdown."""
    data = session().dataset
    report = data.report if data is not None else None
    return "" if report is None else plain(labelled(sentence_shown(report.rows_sentence())))


def first_rows(table: pd.DataFrame) -> pd.DataFrame:
    """At most 200 rows, numbered from 1, without the levels that only later rows have."""
    import pandas as pd

    frame = table.head(MOST_ROWS).copy()
    frame.attrs = {}
    for place, name in enumerate(frame.columns):
        column = frame.iloc[:, place]
        if isinstance(column.dtype, pd.CategoricalDtype):
            frame[name] = column.cat.remove_unused_categories()
    frame.index = pd.RangeIndex(1, len(frame) + 1)
    return frame


def _used_rows(data: Dataset) -> pd.DataFrame:
    """The first rows of a data set, numbered by the rows of the table that they come from."""
    few = data.select(data.names[:MOST_COLUMNS]).head(MOST_ROWS)
    frame = first_rows(few)
    return frame.set_axis([int(row) + 1 for row in data.origin[: len(frame)]], axis=0)


def _prepared_csv(data: Dataset) -> bytes:
    return to_csv(data.to_frame()).encode("utf-8-sig")


PARTS = {
    "Columns": show_columns,
    "Table 1": show_described,
    "Rows": show_rows,
    "New columns": edit_new_columns,
    "Roles": show_roles,
    "Import report": show_report,
    "Data dictionary": show_dictionary,
}
WIDE, LONG = 200, 100_000
"""Columns, and rows, from which on a tab that nobody looks at would cost more than the moment that opening it takes."""


def show_parts() -> None:
    """Every tab with what is in it."""
    table = session().table
    wide = table is not None and (table.shape[1] > WIDE or len(table) > LONG)
    if wide:
        tabs = st.tabs(list(PARTS), key=widget_key("data", "parts", id(work())), on_change="rerun")
    else:
        tabs = st.tabs(list(PARTS))
    for tab, show in zip(tabs, PARTS.values(), strict=True):
        if not wide or tab.open:
            with tab:
                show()
