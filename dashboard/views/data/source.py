"""Opening a table on the data page: an upload, a sample, or the same file read another way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.reading import Reading
from dashboard.server.log import log_action, subject_of
from dashboard.server.memory import memory
from dashboard.session.budget import refuse_file, refuse_table
from dashboard.session.keys import drop_value, set_value, value_of, widget_key
from dashboard.session.masking import sentence_shown
from dashboard.session.session import session
from dashboard.session.work import PAGE, Work, work
from dashboard.text import capital, plain, short
from dashboard.views.data.by_path import open_by_path
from dashboard.views.data.choices import READING, open_table
from dashboard.views.data.samples import choose_sample
from dashboard.views.data.steps import show_steps, show_undo
from dashboard.views.shared.foot import host_words
from dashboard.views.shared.page_parts import how_large, take_dropped_file
from dashboard.views.shared.running import POLL_SECONDS, show_bar, time_left
from engine import DataError
from engine.data.reading.columns import MISSING_TOKENS
from engine.data.reading.filetype import short_name
from engine.data.reading.name_rows import AUTO
from engine.data.reading.report import ReadingReport, reading_report
from engine.words import duration

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar |": "|", "space": " "}
DECIMALS = {"point 1.5": ".", "comma 1,5": ","}
ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1", "cp1250", "cp1251")
FIND_OUT = "find out"
_REFUSED = "data.refused"
_SEEN = "data.upload.seen"
LARGE = 20_000_000
"""Bytes of a file from which on it is read while the page goes on."""


@dataclass
class Refused:
    """A file that could not be read, kept so that it can be tried another way."""

    name: str
    content: bytes
    sentence: str
    reading: dict[str, Any] = field(default_factory=dict)


def upload() -> None:
    """Where a file is dropped; a new one is read at once and takes the place of the open table."""
    if take_table(
        "Open a table from this computer (CSV, Excel, ODS, Parquet, Feather, SPSS, Stata, SAS)",
        help=f"{capital(how_large())}. It stays in memory; nothing is sent anywhere.",
    ):
        st.rerun()


def take_table(label: str, **control: Any) -> bool:
    """Where a file is dropped, and its reading; whether there was one, of which the data page then shows the rest."""
    # Any ending may come: what a file is, its content says, and for what is no table the engine has a sentence.
    given = take_dropped_file(label, _SEEN, key=widget_key("data", "upload"), **control)
    if given is None:
        return False
    read(given.name, given.getvalue())
    return True


def show_start() -> None:
    """The page without a table: where one is dropped, what is read, and the samples."""
    left, right = st.columns(2, gap="large")
    with left:
        upload()
        show_refused()
        open_by_path()
        show_promise()
    with right, st.container(border=True):
        choose_sample()


def show_tools() -> None:
    """Beside the title: undo, the steps, another table, the same one read otherwise."""
    show_undo()
    show_steps()
    show_openers()
    with st.popover("How it was read", icon=":material/tune:", key=widget_key("data", "read", id(work()))):
        show_reading()


def show_openers() -> None:
    """Another table, the only tool beside the title of one that was opened by its path."""
    # A key that goes with the table, or with why one was refused, closes the list once either is on the page.
    key = widget_key("data", "open", id(work()), id(value_of(_REFUSED)))
    with st.popover("Open another table", icon=":material/folder_open:", key=key):
        upload()
        open_by_path()
        choose_sample()


def show_promise() -> None:
    """What is read, how large it may be, and where it stays; said before anything is uploaded."""
    st.markdown(
        "- **Reads** CSV with any separator, decimal mark and encoding (.csv.gz too), Excel (.xlsx), ODS, Parquet, "
        f"Feather, SPSS, Stata and SAS; {how_large()}.\n"
        "- **Proposes** what each column is and says why: every decision is listed, and every one can be changed.\n"
        f"- **Keeps** the table in the memory of {host_words()}. Nothing of it is sent anywhere or "
        f"written to disk unless you save it, and it is gone {memory().minutes} after you close the last tab, or at "
        "once when you say so."
    )


def read(name: str, content: bytes, **reading: Any) -> bool:
    """Read a file and open it; when that fails the open table stays and `show_refused` says why.

    A large one is read while the page goes on: `show_progress` draws that and opens what comes of it.
    """
    drop_value(_REFUSED)
    _stop()
    try:
        refuse_file(session(), len(content), work(), memory())
        if len(content) > LARGE:
            _page_state()[READING] = Reading(name, content, reading, session().job_queue.read_table)
            return True
        with st.spinner("Reading the table", show_time=True):
            table = session().job_queue.read_table(content, name=name, **reading)
        _open(table, name, content, reading)
    except DataError as error:
        _refuse(Refused(name, content, str(error), reading))
        return False
    return True


def _open(table: pd.DataFrame, name: str, content: bytes, reading: dict[str, Any]) -> None:
    """Let what was read be the open table; where it is the same file, what was chosen about its columns stays."""
    refuse_table(session(), table, content, work(), memory())
    current = _page_state().get("work")
    earlier = current if current is not None and current.content is content else Work()
    open_table(
        table,
        short_name(name) or "table",
        content=content,
        reading=reading,
        chosen=earlier.chosen,
        roles={} if earlier.proposed else earlier.begins,
    )
    log_action("upload", "file", subject_of(session().dataset))


def _refuse(refused: Refused) -> None:
    set_value(_REFUSED, refused)
    log_action("refusal", "file")


def _page_state() -> dict[str, Any]:
    """What the session keeps for this page; all of it goes with the table."""
    return session().choices.setdefault(PAGE, {})


def _stop() -> None:
    """A file that is still being read is no longer wanted."""
    reading: Reading | None = _page_state().pop(READING, None)
    if reading is not None:
        reading.cancel()


def show_progress() -> None:
    """How far a large file is read, with the means to stop; once it is read, it is opened."""
    place = st.empty()  # so that nothing of the bar is left when the table is there
    reading: Reading | None = _page_state().get(READING)
    if reading is None:
        return
    if reading.active:
        with place.container():
            _follow(reading)
        return
    del _page_state()[READING]
    try:
        if reading.table is not None:
            with place, st.spinner("Looking at each column", show_time=True):
                _open(reading.table, reading.name, reading.content, reading.options)
    except DataError as error:
        reading.error = str(error)
    if reading.error:
        _refuse(Refused(reading.name, reading.content, reading.error, reading.options))
    elif reading.state == "cancelled":
        st.info("Stopped. Nothing was changed.", icon=":material/cancel:")


@st.fragment(run_every=POLL_SECONDS)
def _follow(reading: Reading) -> None:
    if not reading.active:
        st.rerun()
    taken = f"{duration(reading.elapsed)}{time_left(reading.seconds_left)}"
    words = f"Reading {plain(short(reading.name, 40))} ({taken})"
    if show_bar(reading.fraction, words, widget_key("cancel", "reading")):
        reading.cancel()
        reading.wait(2)
        st.rerun()


def show_refused() -> None:
    """Why the latest file could not be read, with the means to read it another way."""
    refused: Refused | None = value_of(_REFUSED)
    if refused is None:
        return
    text = " The table from before is still open." if session().has_table else ""
    st.error(plain(refused.sentence) + text, icon=":material/error:")
    with st.expander("Read the file another way"):
        reading_form(refused.name, refused.content, refused.reading, "refused")


def show_reading() -> None:
    """How the open file was read, and the means to read it another way."""
    table, current = session().table, work()
    report = reading_report(table) if table is not None else None
    if report is not None:
        st.caption(plain(sentence_shown(report.sentences()[0])))
    if current.content is None:
        st.caption("This table did not come from a file, so there is nothing to read again.")
        return
    reading_form(current.name, current.content, current.reading, "open", report)


def reading_form(
    name: str, content: bytes, reading: dict[str, Any], key: str, report: ReadingReport | None = None
) -> None:
    """Separator, decimal mark, encoding, header, sheet and missing tokens; reads again when asked."""
    text = report is None or report.format == "text"
    result = _found(report)
    with st.form(f"data.reading.{key}", border=False):
        left, right = st.columns(2)
        options: dict[str, Any] = {}
        if text:
            for place, option, label, values in (
                (left, "delimiter", "Fields are separated by", SEPARATORS),
                (right, "decimal", "Decimal mark", DECIMALS),
                (left, "encoding", "Encoding", {encoding: encoding for encoding in ENCODINGS}),
            ):
                with place:
                    options[option] = _named(label, values, reading.get(option), result.get(option, ""), key)
        elif report is not None and len(report.sheets) > 1:
            start = report.sheets.index(report.sheet) if report.sheet in report.sheets else 0
            options["sheet"] = left.selectbox("Sheet", report.sheets, index=start, key=widget_key("data", "sheet", key))
        with right:
            start = _header_line(reading.get("header", "auto"))
            words = "Header in line (0: find out, -1: none)"
            line = st.number_input(words, min_value=-1, value=start, step=1, key=widget_key("data", "header", key))
        found = report.skipped_last if report is not None else 0
        last = reading.get("skip_last", AUTO)
        below = left.number_input(
            f"Rows at the end to leave out (-1: find out{f', {found} found' if found and last == AUTO else ''})",
            min_value=-1,
            value=-1 if last == AUTO else int(last),
            step=1,
            key=widget_key("data", "last", key),
        )
        usual = sorted(token for token in MISSING_TOKENS if token)
        current_tokens = usual if reading.get("missing") is None else list(reading["missing"])
        tokens = st.multiselect(
            "Texts that count as missing (empty cells always do)",
            sorted({*usual, *current_tokens}),
            default=current_tokens,
            accept_new_options=True,
            key=widget_key("data", "tokens", key),
        )
        options["missing"] = None if sorted(tokens) == usual else tokens
        if st.form_submit_button("Read again"):
            given = {name: value for name, value in options.items() if value is not None}
            if line != 0:
                given["header"] = line if line > 0 else None
            elif "name_rows" in reading:
                given["name_rows"] = reading["name_rows"]
            if "fill_down" in reading:
                given["fill_down"] = reading["fill_down"]
            if below >= 0:
                given["skip_last"] = int(below)
            read(name, content, **given)
            st.rerun()


def _found(report: ReadingReport | None) -> dict[str, str]:
    """What was found out about an open text file, in the form's own words."""
    if report is None:
        return {}
    separators = {sign: word for word, sign in SEPARATORS.items()}
    decimals = {sign: word for word, sign in DECIMALS.items()}
    return {
        "delimiter": separators.get(report.delimiter or "", ""),
        "decimal": decimals.get(report.decimal or ".", ""),
        "encoding": report.encoding or "",
    }


def _named(label: str, values: dict[str, str], now: str | None, result: str, key: str) -> str | None:
    """A choice among named signs; None for the first, which leaves it to the reader."""
    words = [f"{FIND_OUT} ({result})" if result and now is None else FIND_OUT, *values]
    start = next((i for i, word in enumerate(words) if now is not None and values.get(word) == now), 0)
    chosen = st.selectbox(label, words, index=start, key=widget_key("data", label, key, result))
    return values.get(chosen or "")


def _header_line(header: Any) -> int:
    """The header as the form counts it: a line, 0 to find out, -1 for none."""
    return 0 if header == "auto" else -1 if header is None else int(header)
