"""The papers' tables beside ours: what agrees, what does not, and the run behind every cell."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.paper_words import quantity_words, value_words
from dashboard.charts.papers import agreement_figure, by_size_figure
from dashboard.session.keys import value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.evaluate.papers_run import show_run
from dashboard.views.evaluate.papers_story import (
    agreement_words,
    misses,
    two_readings,
    verdicts_shown,
)
from dashboard.views.evaluate.papers_table import (
    chosen_cells,
    few_valued,
    quantities,
    shown_table,
    styled,
)
from dashboard.views.shared.downloads import download, download_table, draw_figure, file_name
from engine.errors import DiptychError
from engine.evaluation.studies.catalog import every_study, study_called
from engine.evaluation.studies.reading import farthest, printed_share
from engine.evaluation.studies.stored import stored

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation.studies.stored import Stored
    from engine.evaluation.studies.study import Study

PAGE = "evaluate.papers"
ALL_MISSES = 4
"""Misses that are named above the table; more are in the list of bands."""
ROW, LEAST_HEIGHT, MOST_HEIGHT = 35, 180, 470
PRINTED = 0.5
"""Share of cells with a printed number from which they are drawn against ours."""


def show_papers() -> None:
    """Choose a paper, see how far its figures came back, and open the run of a cell."""
    studies = every_study()
    name = st.segmented_control(
        "Paper",
        list(studies),
        format_func=lambda one: studies[one].title,
        default=next(iter(studies)),
        required=True,
        key=widget_key(PAGE, "paper"),
        label_visibility="collapsed",
        persist_state="session",
    )
    try:
        study = load(name)
    except DiptychError:  # its sentence names a folder of the server
        st.info(
            "No results of this study came with this copy of Diptych. The command below runs it and writes them into "
            "a folder; that takes minutes to hours, and a run that was stopped goes on where it was."
        )
        st.code(studies[name].command(), language="bash")
        return
    _story(study)
    cells = _filters(study)
    if cells.empty:
        st.info("No cell fits all the filters; take one away.")
        return
    picked = _picked(study, cells)
    _cells(study, cells, picked)
    _downloads(study, cells)
    show_run(study, picked)


@st.cache_resource(max_entries=8, show_spinner=False)
def load(name: str) -> Stored:
    """The results of a study that came with the package; nobody's own data. `DataError` where there are none."""
    return stored(name)


def _story(study: Stored) -> None:
    paper = study_called(study.slug)
    st.markdown(f"**{plain(study.paper)}.** {paper.asked} {plain(study.done)}")
    if len(study.verdicts) and paper.claim:
        st.markdown(f"**{plain(paper.claim)}**")
    st.caption(paper.reading)
    st.markdown(agreement_words(study.verdicts, paper))
    _bands(study.verdicts, paper)
    for slip in paper.slips:
        st.caption(plain(slip))


def _bands(verdicts: pd.DataFrame, paper: type[Study]) -> None:
    """The misses in words and the list of all; that list at once where two readings of a paper stand in it."""
    readings = two_readings(verdicts, paper)
    missed = misses(verdicts)
    if missed and not readings:
        st.markdown("Outside:")
        st.markdown("\n".join(f"- {one}" for one in missed[:ALL_MISSES]))
        if more := missed[ALL_MISSES:]:
            st.caption(f"And {len(more)} more, on top of the list of all bands.")
    if len(verdicts):
        with st.expander(f"All {len(verdicts)} bands that our figures are held to", expanded=readings):
            st.dataframe(
                verdicts_shown(verdicts, paper),
                hide_index=True,
                height=min(MOST_HEIGHT, 3 + ROW * (len(verdicts) + 1)),
                alt="What is held to a band, the band, ours, the verdict, and what it is held to",
            )


def _filters(study: Stored) -> pd.DataFrame:
    """Which quantity, and a box for every key with few values; empty boxes mean all."""
    names = quantities(study.compared)
    keys = few_valued(study.compared, study.keys)
    places = st.columns([2.2, *[1.3] * len(keys)], vertical_alignment="bottom")
    quantity = places[0].selectbox(
        "What is compared",
        names,
        format_func=quantity_words,
        key=widget_key(PAGE, "quantity", study.slug),
        persist_state="session",
        help="Those that the paper prints stand first.",
    )
    wanted = {}
    for place, key in zip(places[1:], keys, strict=True):
        wanted[key] = place.multiselect(
            plain(key),
            list(dict.fromkeys(value_words(one) for one in study.compared[key])),
            placeholder="all",
            key=widget_key(PAGE, "only", study.slug, key),
            persist_state="session",
        )
    cells = chosen_cells(study.compared, quantity or names[0], wanted)
    printed = cells["printed"].notna()
    if printed.any() and not printed.all():
        words = f"Only the {len(cells[printed])} of {len(cells)} cells that the paper prints a number for"
        if st.checkbox(words, value=True, key=widget_key(PAGE, "printed"), persist_state="session"):
            return cells[printed]
    return cells


def _picked(study: Stored, cells: pd.DataFrame) -> int:
    """The cell that is open: as chosen, else the one farthest from print."""
    chosen = session().choices.setdefault(PAGE, {}).get(study.slug)
    return int(chosen) if chosen is not None and chosen in cells.index else farthest(cells)


def _pick(study: Stored, label: int, again: bool) -> None:
    """Open a cell; `again` draws the table anew, with its row marked."""
    kept = session().choices.setdefault(PAGE, {})
    kept[study.slug] = label
    if again:
        kept["drawn"] = kept.get("drawn", 0) + 1


def _from_table(study: Stored, key: str, labels: list[int]) -> None:
    rows = value_of(key)["selection"]["rows"]
    if rows and rows[0] < len(labels):
        _pick(study, labels[rows[0]], again=False)


def _from_figure(study: Stored, key: str, labels: list[int]) -> None:
    points = value_of(key)["selection"]["points"]
    label = _first(points[0].get("customdata")) if points else None
    if label in labels:
        _pick(study, int(label), again=True)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and value else value


def _cells(study: Stored, cells: pd.DataFrame, picked: int) -> None:
    """The table, and the picture beside it; a click on either opens the run."""
    labels = [int(one) for one in cells.index]
    which = f"{study.slug}.{cells['quantity'].iloc[0]}.{hash(tuple(labels))}"
    left, right = st.columns([11, 9], gap="medium")
    with left:
        key = widget_key(PAGE, "table", which, f"{session().choices.get(PAGE, {}).get('drawn', 0)}")
        st.dataframe(
            styled(shown_table(cells, study.keys)),
            hide_index=True,
            height=max(LEAST_HEIGHT, min(MOST_HEIGHT, 3 + ROW * (len(cells) + 1))),
            key=key,
            on_select=partial(_from_table, study, key, labels),
            selection_mode="single-row",
            selection_default={"selection": {"rows": [labels.index(picked)]}},
            placeholder="–",
            alt="Printed and our figures, cell by cell",
        )
        st.caption(
            "Difference: ours less printed; orange where ours is higher, blue where it is lower, the stronger the "
            "farther. Choose a row or a point to open its run below."
        )
    with right:
        key = widget_key(PAGE, "figure", which)
        if printed_share(cells) >= PRINTED:
            figure, alt = agreement_figure(study.slug, cells, picked), "Printed figures against ours, with the diagonal"
        else:
            figure, alt = by_size_figure(study.slug, cells, study.keys, picked), "Our figures by size"
        draw_figure(
            figure,
            f"{study.slug}-printed-and-ours",
            key=key,
            alt=alt,
            bare=True,
            on_select=partial(_from_figure, study, key, labels),
            selection_mode="points",
        )


def _downloads(study: Stored, cells: pd.DataFrame) -> None:
    with st.container(horizontal=True):
        download_table(shown_table(cells, study.keys), f"{study.slug}-table", label="This table")
        download_table(study.runs, f"{study.slug}-runs", label="All runs")
        download(study.page.encode("utf-8"), file_name(f"{study.slug}-page", "md"), "text/markdown", "Whole page")
