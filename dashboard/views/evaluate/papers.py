"""The papers' tables beside ours: what agrees, what does not, and the run behind every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.papers import (
    agreement_figure,
    by_size_figure,
    digits_of,
    number_words,
    quantity_words,
    value_words,
)
from dashboard.session.keys import value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.theme import INK, evidence_colour
from dashboard.views.evaluate.paper_run import show_run
from dashboard.views.shared.downloads import download, download_table, draw_figure, file_name
from engine.evaluation import (
    AUTHORS,
    FIGURES,
    LATER,
    OPEN,
    OUTSIDE,
    PROGRAM,
    SENTENCES,
    TARGETS,
    WITHIN,
    every_paper,
    farthest,
    largest,
    printed_share,
    read_results,
)

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

    from engine.evaluation import PaperResults

PAGE = "evaluate.papers"
ALL_MISSES = 4
"""Misses that are named above the table; more are in the list of bands."""
ROW, LEAST_HEIGHT, MOST_HEIGHT = 35, 180, 470
PRINTED = 0.5
"""Share of cells with a printed number from which they are drawn against ours."""
FEW = 12
"""Values up to which a key gets a box of its own to choose from."""
NUMBERS = {
    "printed": "printed",
    "printed_spread": "± printed",
    "ours": "ours",
    "ours_spread": "± ours",
    "difference": "difference",
}
"""Column -> heading."""


def show_papers() -> None:
    """Choose a paper, see how far its figures came back, and open the run of a cell."""
    papers = every_paper()
    name = st.segmented_control(
        "Paper",
        papers,
        format_func=lambda slug: load(slug).title,
        default=papers[0],
        required=True,
        key=widget_key(PAGE, "paper"),
        label_visibility="collapsed",
        persist_state="session",
    )
    study = load(name)
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
def load(name: str) -> PaperResults:
    """The results of a study that came with the package; nobody's own data."""
    return read_results(name)


def _story(study: PaperResults) -> None:
    st.markdown(f"**{plain(study.paper)}.** {study.asked} {plain(study.done)}")
    if len(study.verdicts) and study.claim:
        st.markdown(f"**{plain(study.claim)}**")
    st.caption(study.reading)
    st.markdown(agreement_words(study.verdicts, study.unjudged))
    _bands(study)
    for slip in study.slips:
        st.caption(plain(slip))


def _bands(study: PaperResults) -> None:
    """The misses in words and the list of all; that list at once where two readings of a paper stand in it."""
    verdicts = study.verdicts
    readings = two_readings(verdicts, study.unjudged)
    missed = misses(verdicts)
    if missed and not readings:
        st.markdown("Outside:")
        st.markdown("\n".join(f"- {line}" for line in missed[:ALL_MISSES]))
        if more := missed[ALL_MISSES:]:
            st.caption(f"And {len(more)} more, on top of the list of all bands.")
    if len(verdicts):
        with st.expander(f"All {len(verdicts)} bands that our figures are held to", expanded=readings):
            st.dataframe(
                verdicts_table(verdicts, study.unjudged),
                hide_index=True,
                height=min(MOST_HEIGHT, 3 + ROW * (len(verdicts) + 1)),
                alt="What is held to a band, the band, ours, the verdict, and what it is held to",
            )


def _filters(study: PaperResults) -> pd.DataFrame:
    """Which quantity, and a box for every key with few values; empty boxes mean all."""
    names = quantities(study.compared)
    keys = few_valued(study.compared, study.keys)
    columns = st.columns([2.2, *[1.3] * len(keys)], vertical_alignment="bottom")
    quantity = columns[0].selectbox(
        "What is compared",
        names,
        format_func=quantity_words,
        key=widget_key(PAGE, "quantity", study.slug),
        persist_state="session",
        help="Those that the paper prints stand first.",
    )
    wanted = {}
    for column, key in zip(columns[1:], keys, strict=True):
        wanted[key] = column.multiselect(
            plain(key),
            list(dict.fromkeys(value_words(item) for item in study.compared[key])),
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


def _picked(study: PaperResults, cells: pd.DataFrame) -> int:
    """The cell that is open: as chosen, else the one farthest from print."""
    chosen = session().choices.setdefault(PAGE, {}).get(study.slug)
    return int(chosen) if chosen is not None and chosen in cells.index else farthest(cells)


def _pick(study: PaperResults, label: int, redraw: bool) -> None:
    """Open a cell; `redraw` makes a new table, with its row marked."""
    choices = session().choices.setdefault(PAGE, {})
    choices[study.slug] = label
    if redraw:
        choices["drawn"] = choices.get("drawn", 0) + 1


def _from_table(study: PaperResults, key: str, labels: list[int]) -> None:
    rows = value_of(key)["selection"]["rows"]
    if rows and rows[0] < len(labels):
        _pick(study, labels[rows[0]], redraw=False)


def _from_figure(study: PaperResults, key: str, labels: list[int]) -> None:
    points = value_of(key)["selection"]["points"]
    label = _first(points[0].get("customdata")) if points else None
    if label in labels:
        _pick(study, int(label), redraw=True)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and value else value


def _cells(study: PaperResults, cells: pd.DataFrame, picked: int) -> None:
    """The table, and the picture beside it; a click on either opens the run."""
    labels = [int(item) for item in cells.index]
    which = f"{study.slug}.{cells['quantity'].iloc[0]}.{hash(tuple(labels))}"
    left, right = st.columns([11, 9], gap="medium")
    with left:
        key = widget_key(PAGE, "table", which, f"{session().choices.get(PAGE, {}).get('drawn', 0)}")
        st.dataframe(
            styled(figures_table(cells, study.keys)),
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
            figure, alt = agreement_figure(study.by, cells, picked), "Printed figures against ours, with the diagonal"
        else:
            figure, alt = by_size_figure(study, cells, picked), "Our figures by size"
        draw_figure(
            figure,
            f"{study.slug}-printed-and-ours",
            key=key,
            alt=alt,
            bare=True,
            on_select=partial(_from_figure, study, key, labels),
            selection_mode="points",
        )


def _downloads(study: PaperResults, cells: pd.DataFrame) -> None:
    with st.container(horizontal=True):
        download_table(figures_table(cells, study.keys), f"{study.slug}-table", label="This table")
        download_table(study.runs, f"{study.slug}-runs", label="All runs")
        download(study.page.encode("utf-8"), file_name(f"{study.slug}-page", "md"), "text/markdown", "Whole page")


def quantities(compared: pd.DataFrame) -> list[str]:
    """All quantities, those with printed figures first, otherwise as stored."""
    printed = set(compared.loc[compared["printed"].notna(), "quantity"])
    return sorted(dict.fromkeys(compared["quantity"]), key=lambda item: item not in printed)


def few_valued(compared: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    """The keys with more than one value, but few."""
    return [key for key in keys if 1 < len(compared[key].unique()) <= FEW]


def chosen_cells(compared: pd.DataFrame, quantity: str, wanted: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The lines of one quantity whose keys have a wanted value (in words; none wanted means all), as stored."""
    mask = compared["quantity"] == quantity
    for key, values in wanted.items():
        if values:
            mask &= compared[key].map(value_words).isin(values)
    return compared[mask]


def figures_table(cells: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Keys and figures under their headings; a spread that no cell has is left out."""
    numbers = [number for number in NUMBERS if not number.endswith("_spread") or cells[number].notna().any()]
    return cells[[*keys, *numbers]].rename(columns=NUMBERS).reset_index(drop=True)


def styled(table: pd.DataFrame) -> Styler:
    """Figures with their digits, and the difference on a colour from blue (ours lower) to orange (ours higher)."""
    digits = digits_of(table)
    largest_difference = largest(table, ["difference"])
    limit = largest_difference if largest_difference > 0 else 1.0

    def shade(value: float) -> str:
        return f"background-color: {evidence_colour(value, limit)}; color: {INK}" if value == value else ""

    formats = {
        name: (lambda value, signed=name == "difference": number_words(value, digits, signed))
        for name in NUMBERS.values()
        if name in table
    }
    keys = {name: value_words for name in table if name not in formats}
    return table.style.format({**formats, **keys}).map(shade, subset=["difference"])


VERDICT_WORDS = {
    SENTENCES: "are seen here",
    FIGURES: "are within their band",
    PROGRAM: "agree",
    AUTHORS: "agree",
    TARGETS: "are met",
}
"""What a figure is held to, in the order in which they are counted -> how those that keep to it are called."""


def two_readings(verdicts: pd.DataFrame, unjudged: str) -> bool:
    """Whether two readings of a paper stand side by side, the later one without a tick."""
    return unjudged == LATER and bool((verdicts["verdict"] == OPEN).any())


def verdicts_table(verdicts: pd.DataFrame, unjudged: str) -> pd.DataFrame:
    """All that is held to a band, and to what: reading by reading where there are two, else the misses on top."""
    if two_readings(verdicts, unjudged):
        return verdicts
    return verdicts.sort_values("verdict", key=lambda column: column != OUTSIDE, kind="stable", ignore_index=True)


def agreement_words(verdicts: pd.DataFrame, unjudged: str) -> str:
    """How many keep to what they are held to, each source counted by itself, and why some get no verdict; Markdown."""
    judged = verdicts[verdicts["verdict"].isin([WITHIN, OUTSIDE])]
    without = len(verdicts[verdicts["verdict"] == OPEN])
    if not len(judged) and not without:
        return "This run is not of the paper's size, so no figure is held to a band."
    lines = []
    for source, words in VERDICT_WORDS.items():
        here = judged[judged["held to"] == source]
        if len(here):
            within = len(here[here["verdict"] == WITHIN])
            icon = ":material/check_circle:" if within == len(here) else ":material/error:"
            lines.append(f"- {icon} **{source[0].upper()}{source[1:]}: {within} of {len(here)} {words}.**")
    if without:
        gets = "figure gets" if without == 1 else "figures get"
        lines.append(f"- {without} {gets} no verdict{', being ' + unjudged if unjudged else ''}.")
    return "\n".join(lines)


def misses(verdicts: pd.DataFrame) -> list[str]:
    """The figures outside their bands, each as a line of Markdown."""
    return [
        f"{plain(row['what'])}: ours **{plain(row['ours'])}**; band: {plain(row['band'])}"
        for _, row in verdicts[verdicts["verdict"] == OUTSIDE].iterrows()
    ]
