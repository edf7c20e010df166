"""Scores in a table beside the labels that are known: curves, areas, and the areas of parts of the rows."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import value_of, widget_key
from dashboard.session.masking import NO_PEOPLE, smallest_cell
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.evaluate.curve import Items, Line, show_curve
from dashboard.views.evaluate.own_upload import KEY, file_area, offer_example, store_upload, upload
from dashboard.views.shared.downloads import download_table
from dashboard.views.shared.foot import host_words
from dashboard.views.shared.running import await_job
from engine import DataError, DiptychError
from engine.evaluation.examples import example_labels
from engine.evaluation.labels import (
    MOST_PARTS,
    Labelled,
    cluster_intervals,
    group_columns,
    label_columns,
    labelled,
    levels_of,
    likely_case,
    score_columns,
    upside_down,
)

if TYPE_CHECKING:
    import pandas as pd

SLOT = "labels"
LARGER = {True: "more likely a case", False: "less likely a case"}
MOST_ROWS = 100_000
EXPECTED = (
    "**You get** the ROC and precision-recall curves, their areas with intervals, and sensitivity, specificity and "
    "predictive values at any threshold. Two scores are tested against each other.\n\n"
    "**The table** has one row for each case or control. A column of labels has just two values, such as ill and "
    "healthy or 1 and 0; a column of numbers is the score. You then say which value is a case. Rows that lack one "
    "of the two are left out.\n\n"
    "**The file** stays in the memory of {}, and is sent nowhere else. Two rows as an "
    "example:"
)


@dataclass(frozen=True)
class Choice:
    """What the columns of a table are; `scores` says of each whether a larger one means more likely a case."""

    label: str
    case: str
    scores: tuple[tuple[str, bool], ...]
    clusters: str | None
    parts: str | None


def show_labels() -> None:
    """Bring a table, say what is what, and see the curve."""
    if smallest_cell():  # each step of a curve is one person
        st.info(f"{NO_PEOPLE} Each step of a curve is one.", icon=":material/visibility_off:")
        return
    words = "The truth of every row is known, such as a later diagnosis. How well does a score predict it?"
    if offer_example(words, SLOT):
        store_upload(SLOT, "an example, visits to three clinics", example_labels())
    with file_area("The table", SLOT):
        result = upload(
            "A table with a column of labels and a column of scores (CSV, Excel, Parquet, SPSS, Stata, SAS)",
            SLOT,
            read_labels,
            f"Up to 200 MB and {MOST_ROWS:,} rows.",
        )
    if result is None:
        _show_expected()
        return
    choice = _choose(result.content, widget_key(KEY, SLOT, result.number))
    if choice is None:
        st.info(
            "No column beside the labels has numbers that vary, so there is no score to judge; add one to the table."
        )
        return
    try:
        rows = labelled(result.content, choice.label, choice.case, dict(choice.scores), choice.clusters, choice.parts)
    except DiptychError as error:
        st.info(plain(error))
        return
    _show(rows, choice, result.number)


def _show_expected() -> None:
    """What comes out, how the table must look, and where it goes; two rows of the example."""
    st.markdown(EXPECTED.format(host_words()))
    st.dataframe(
        example_labels().dropna().drop_duplicates("diagnosis"),
        hide_index=True,
        width="content",
        alt="Two rows of the example",
    )


def read_labels(content: bytes, name: str) -> pd.DataFrame:
    """A table that has a column for labels and is not too large to draw; `DataError` otherwise."""
    table = session().job_queue.read_table(content, name=name)
    if len(table) > MOST_ROWS:
        raise DataError(f"The table has {len(table):,} rows; up to {MOST_ROWS:,} are drawn here. Keep fewer rows.")
    if not label_columns(table):
        raise DataError("No column has exactly two values, so none can be the labels; add one that says case or not.")
    return table


def items_of(choice: Choice, table: pd.DataFrame) -> Items:
    """The labels as words where they read well in a sentence, else "case" and "other"."""
    other = next(item for item in levels_of(table, choice.label) if item != choice.case)
    words = (choice.case, other)
    good = all(word[0].isalpha() and word.replace(" ", "").isalnum() and len(word) <= 16 for word in words if word)
    case, rest = words if good and all(words) else ("case", "other")
    return Items("row", "rows", case, rest)


def _choose(table: pd.DataFrame, key: str) -> Choice | None:
    """Boxes for the columns; None where there is no score."""
    upper, lower = st.columns(4, gap="small"), st.columns(4, gap="small")
    labels = label_columns(table)
    label = upper[0].selectbox(
        "Column of labels", labels, index=_likeliest(table, labels), key=widget_key(key, "label")
    )
    key = widget_key(key, labels.index(label))
    levels = levels_of(table, label)
    case = upper[1].selectbox("A case is", levels, index=levels.index(likely_case(levels)), key=widget_key(key, "case"))
    possible = score_columns(table, label)
    if not possible:
        return None
    score = upper[2].selectbox("Score", possible, key=widget_key(key, "score"))
    others = [name for name in possible if name != score]
    rival = upper[3].selectbox(
        "Second score", others, index=None, placeholder="none", key=widget_key(key, "rival", possible.index(score))
    )
    groups, splits = group_columns(table, label), group_columns(table, label, MOST_PARTS)
    clusters = lower[0].selectbox(
        "What belongs together",
        groups,
        index=None,
        placeholder="each row by itself",
        key=widget_key(key, "clusters"),
        help="Such as the patient, where a patient has several rows. These are no independent evidence: the interval "
        "is then found by drawing whole patients, and is wider.",
    )
    parts = lower[1].selectbox(
        "Split by", splits, index=None, placeholder="nothing", key=widget_key(key, "parts"), help="Such as the clinic."
    )
    scores = [(score, _larger(lower[2], "A larger score means", widget_key(key, "larger", possible.index(score))))]
    if rival is not None:
        title = "A larger second score means"
        scores.append((rival, _larger(lower[3], title, widget_key(key, "rival", "larger", possible.index(rival)))))
    return Choice(label, case, tuple(scores), clusters, parts)


def _larger(place: st.delta_generator.DeltaGenerator, title: str, key: str) -> bool:
    return bool(place.selectbox(title, [True, False], format_func=LARGER.__getitem__, key=key))


def _likeliest(table: pd.DataFrame, labels: list[str]) -> int:
    """The first column of words, else the first."""
    import pandas as pd

    words = (i for i, name in enumerate(labels) if not pd.api.types.is_numeric_dtype(table[name]))
    return next(words, 0)


def _show(rows: Labelled, choice: Choice, number: int) -> None:
    """What counts, the curve, and the areas of the parts."""
    items = items_of(choice, value_of(widget_key(KEY, SLOT)).content)
    for name in upside_down(rows):
        st.warning(
            f"{plain(short(name))} is worse than knowing nothing. Perhaps it counts the other way: change what a "
            "larger one means.",
            icon=":material/swap_vert:",
        )
    words = rows.sentence()
    if choice.clusters is not None:
        together = len(set(rows.clusters or ()))
        by = plain(short(choice.clusters))
        words += f" They belong to {together:,} groups ({by}); the intervals come from drawing whole groups again."
    st.markdown(words)
    intervals = _intervals(rows, (number, choice))
    if intervals is None:
        return
    lines = [
        Line(
            name,
            rows.scores[name],
            rows.truth,
            unit="" if larger else f"minus {short(name)}",
            clusters=rows.clusters,
            interval=intervals.get(name),
        )
        for name, larger in choice.scores
    ]
    show_curve(lines, widget_key(KEY, "roc", number, hash(choice)), items, stem="own-truth")
    if rows.parts is not None and choice.parts is not None:
        _show_parts(rows, choice, items)


def _intervals(rows: Labelled, which: Hashable) -> dict[str, tuple[float, float]] | None:
    """Intervals from whole clusters, by a job; None while it runs, none where it could not find any."""
    if rows.clusters is None:
        return {}
    job = session().job_queue.start((widget_key(KEY, SLOT, "intervals"), which), cluster_intervals, rows)
    result: dict[str, tuple[float, float]] | None = await_job(job)
    return result if result is not None or job.active else {}


def _show_parts(rows: Labelled, choice: Choice, items: Items) -> None:
    st.markdown(f"**Each {plain(short(choice.parts))} by itself**")
    table = rows.by_part()
    numbers = {
        name: st.column_config.NumberColumn(format="%.3f") for name in table if name not in ("part", "rows", "cases")
    }
    st.dataframe(
        table, hide_index=True, column_config=numbers, placeholder="–", width="content", alt="The area of each part"
    )
    note = f"No area where all rows are {items.case} or none is."
    if choice.clusters is not None:
        note += " These intervals are DeLong's, as if every row stood by itself: take them as too narrow."
    st.caption(note)
    download_table(table, "own-truth-parts", label="Parts")
