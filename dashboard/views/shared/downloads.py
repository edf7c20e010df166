"""What leaves the dashboard as a file. Names come from a fixed stem, never from the user's table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from dashboard.server.log import Subject, log_action, subject_of
from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled_figure, labelled_table, whole_labels, with_label_columns
from dashboard.session.masking import is_withheld, without
from dashboard.session.session import session
from dashboard.text import capital
from dashboard.theme import dark_figure, is_dark
from dashboard.views.shared.page_parts import projected
from engine.exchange.safe_csv import to_csv
from engine.telling.charts.frame import enlarged
from engine.words import fraction, in_percent, probability, with_sign

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go
    from pandas.io.formats.style import Styler

    from dashboard.jobs.job_queue import JobQueue


KINDS = {"csv": "CSV", "xlsx": "Excel", "docx": "Word"}
"""Ending of a file -> what its button calls it."""


def file_name(stem: str, ending: str) -> str:
    """A name that any system takes: lower case letters, digits and hyphens."""
    safe = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:60] or "table"
    return f"diptych-{safe}.{ending}"


def download_table(
    frame: pd.DataFrame, stem: str, *, index: bool = False, label: str = "CSV", masked: bool = False
) -> None:
    """A button that saves a table as CSV; texts that a spreadsheet would run are made harmless."""
    content = partial(labelled_csv, frame, whole_labels(), index)
    download(content, file_name(stem, "csv"), "text/csv", label, masked=masked)


def with_probabilities(
    table: pd.DataFrame,
    columns: Collection[str] = (),
    percents: Collection[str] = (),
    signed: Mapping[str, int] = MappingProxyType({}),
    p_values: Collection[str] = (),
) -> Styler:
    """A table for the screen with its numbers as sentences write them, sorted by number: probabilities, shares in
    percent, those with a sign, each with how many decimals it has, and p of tests."""
    shown = labelled_table(table).style.format(probability, subset=[*columns], na_rep="")
    shown = shown.format(in_percent, subset=[*percents], na_rep="").format(fraction, subset=[*p_values], na_rep="")
    for name, decimals in signed.items():
        shown = shown.format(partial(with_sign, decimals=decimals), subset=[name], na_rep="")
    return shown


def show_with_file(
    table: pd.DataFrame,
    stem: str,
    *,
    most: int = 0,
    masked: bool = False,
    probabilities: Collection[str] = (),
    percents: Collection[str] = (),
    signed: Mapping[str, int] = MappingProxyType({}),
    p_values: Collection[str] = (),
    **options: Any,
) -> None:
    """A table and its file, as high as its rows need up to `most` pixels; numbers are written as in sentences.

    Where small counts are hidden, only one that is `masked` is shown.
    """
    if is_withheld() and not masked:
        st.caption(without("A table was left out: it"))
        return
    height: dict[str, Any] = {"height": min(most, 38 + 35 * max(len(table), 1))} if most else {}
    written = probabilities or percents or signed or p_values
    shown = with_probabilities(table, probabilities, percents, signed, p_values) if written else labelled_table(table)
    st.dataframe(shown, hide_index=True, **height, **options)
    download_table(table, stem, masked=masked)


def csv_bytes(frame: pd.DataFrame, index: bool = False) -> bytes:
    """A table as CSV for spreadsheets: the mark at its head makes them read UTF-8."""
    return to_csv(frame, index=index).encode("utf-8-sig")


def labelled_csv(frame: pd.DataFrame, labels: Mapping[str, str], index: bool = False) -> bytes:
    """The same with a column of labels behind each column of names; made in a thread that knows no session."""
    return csv_bytes(with_label_columns(frame, labels), index)


def download(content: Any, name: str, kind: str, label: str, *, masked: bool = False) -> None:
    """A small download button, whose label names the kind of a file for a spreadsheet or word processor; `content` may
    be a function, called when the button is pressed.

    Where small counts are hidden there is one only for what is `masked`: known to hold none.
    """
    if is_withheld() and not masked:
        return
    ending = name.rpartition(".")[2]
    kind_words = KINDS.get(ending, "")
    label = label if kind_words in label else f"{label} ({kind_words})"
    st.download_button(
        label,
        logged("export", ending, content),
        file_name=name,
        mime=kind,
        icon=":material/download:",
        type="tertiary",
        key=widget_key("download", name, label),
        on_click="ignore",
    )


def logged(action: Literal["save", "export"], kind: str, content: Any) -> Callable[[], Any]:
    """The content of a file, made when its button is pressed, with a line in the log; of a value or a function."""
    return partial(_logged, action, kind, content, subject_of(session().dataset), session().job_queue)


def _logged(action: Literal["save", "export"], kind: str, content: Any, subject: Subject, queue: JobQueue) -> Any:
    with queue.counted():
        result = content() if callable(content) else content
    log_action(action, kind, subject)
    return result


def show_figure(
    figure: go.Figure,
    stem: str,
    *,
    alt: str,
    key: str,
    table: pd.DataFrame | None = None,
    masked: bool = False,
    **options: Any,
) -> Any:
    """A Plotly figure in the colours of the screen; it and its `table` stand in the page's export menu.

    Returns what `st.plotly_chart` returns, so `on_select="rerun"` can be among the options. Where small counts are
    hidden a sentence stands in its place, unless it is `masked`: known to hold none.
    """
    if is_withheld() and not masked:
        st.caption(without("A chart was left out: it"))
        return None
    figure = labelled_figure(figure)
    session().pictures[stem] = figure, table
    drawn = enlarged(figure) if projected() else figure
    drawn = dark_figure(drawn) if is_dark() else drawn
    return st.plotly_chart(drawn, key=key, alt=alt, config={"displayModeBar": False, "showLink": False}, **options)


def download_pictures() -> None:
    """A button for each figure that the page has drawn, and one for its numbers; nothing where there are none."""
    pictures = session().pictures
    if pictures:
        st.markdown("**Charts**")
    for stem, (figure, table) in pictures.items():  # the files are made in a thread that knows no session
        name = capital(stem.replace("-", " "))
        download(partial(figure_page, figure, stem), file_name(stem, "html"), "text/html", f"{name} (web page)")
        if table is not None:
            download_table(table, stem, label=f"{name} chart")  # a table of the result may have its name


def picture_menu() -> None:
    """The export menu of a page that shows no result."""
    with st.popover("Export", icon=":material/download:", width="content"):
        download_pictures()


def figure_page(figure: go.Figure, stem: str) -> bytes:
    """The figure as one page with Plotly's script in it, which saves it as SVG, and no leave to ask for anything."""
    picture = {"format": "svg", "filename": file_name(stem, "svg").removesuffix(".svg")}
    config = {"displaylogo": False, "toImageButtonOptions": picture}
    body = figure.to_html(full_html=False, include_plotlyjs=True, config=config)
    policy = (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data: blob:; form-action 'none'; base-uri 'none'"
    )
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>Diptych</title></head><body>{body}</body></html>"
    )
    return page.encode("utf-8")
