"""The papers' tables beside ours: what agrees, what does not; and the run behind a cell, with the command for it."""

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
    runs_figure,
    value_words,
)
from dashboard.session.keys import value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.theme import INK, signed_colour
from dashboard.views.evaluate.curve import Items, Line, show_curve
from dashboard.views.evaluate.story import LEAST_HEIGHT, MOST_HEIGHT, ROW, show_story
from dashboard.views.shared.downloads import download, download_table, file_name, show_figure
from dashboard.views.shared.page_parts import choose_option
from engine.evaluation.papers import (
    every_paper,
    extremes,
    farthest,
    largest,
    of_cell,
    printed_share,
    read_results,
    repeats,
    scores_of,
)
from engine.words import count, duration

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

    from engine.evaluation.papers import PaperResults


PAGE = "evaluate.papers"
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
    """Choose a paper, see its figure beside ours, how far its figures came back, and open the run of a cell."""
    papers = every_paper()
    key = widget_key(PAGE, "paper")
    name = choose_option("Paper", papers, key, format_func=lambda slug: load(slug).title, persist_state="session")
    study = load(name)
    show_story(study)
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
            "Difference: ours less printed; blue where ours is higher, magenta where it is lower, the stronger the "
            "farther. Choose a row or a point to open its run below."
        )
    with right:
        key = widget_key(PAGE, "figure", which)
        if printed_share(cells) >= PRINTED:
            figure, alt = agreement_figure(study.by, cells, picked), "Printed figures against ours, with the diagonal"
        else:
            figure, alt = by_size_figure(study, cells, picked), "Our figures by size"
        show_figure(
            figure,
            f"{study.slug}-printed-and-ours",
            key=key,
            alt=alt,
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
    """Figures with their digits, and the difference on a colour from magenta (ours lower) to blue (ours higher)."""
    digits = digits_of(table)
    largest_difference = largest(table, ["difference"])
    limit = largest_difference if largest_difference > 0 else 1.0

    def shade(value: float) -> str:
        return f"background-color: {signed_colour(value, limit)}; color: {INK}" if value == value else ""

    formats = {
        name: (lambda value, signed=name == "difference": number_words(value, digits, signed))
        for name in NUMBERS.values()
        if name in table
    }
    keys = {name: value_words for name in table if name not in formats}
    return table.style.format({**formats, **keys}).map(shade, subset=["difference"])


ITEMS = Items("variable", "variables", "changed", "unchanged")
ODDS, LASSO, P = "odds", "lasso", "p, odds"


def show_run(study: PaperResults, picked: int) -> None:
    """The cell that is open, by its label in the table."""
    cell = study.compared.loc[picked]
    st.subheader(plain(cell_words(cell, study.keys)))
    if study.scores is not None:
        _curves(study, study.scores, cell, picked)
    else:
        _runs(study, cell, picked)
    _show_command(study)


def cell_words(cell: pd.Series, keys: list[str]) -> str:
    """A cell's name: texts as they are, numbers with what they count."""
    parts = [(key, cell[key]) for key in keys if cell[key] == cell[key]]
    return ", ".join(value if isinstance(value, str) else f"{key} {value_words(value)}" for key, value in parts)


def curve_scores(quantity: str, scores: pd.DataFrame) -> list[str]:
    """The columns whose curves belong to a quantity: it and the one that it is set against."""
    own, _, rival = quantity.removeprefix("p, ").partition(" against ")
    if own.startswith(LASSO):
        own, rival = own.replace(LASSO, ODDS, 1), own
    rival = rival or (LASSO if own.startswith(ODDS) else ODDS)
    return [item for item in (own, rival) if item in scores and scores[item].notna().all()]


def printed_words(study: PaperResults, cell: pd.Series) -> str:
    """The printed areas and p of a block beside ours, as Markdown."""
    block = of_cell(study.compared, cell, study.keys).set_index("quantity")
    runs = of_cell(study.runs, cell, study.keys)
    printed, ours = [], []
    for quantity in (ODDS, LASSO):
        if quantity in block.index:
            line = block.loc[quantity]
            printed.append(f"AUC of the {quantity} {number_words(line['printed'], 4)}")
            ours.append(f"AUC of the {quantity} {number_words(line['ours'], 4)}")
    if P in block.index:
        printed.append(f"DeLong p {p_words(block.at[P, 'printed'])}")
        ours.append("DeLong p " + ", ".join(p_words(item) for item in runs.loc[runs["quantity"] == P, "value"]))
    words = f"**Printed:** {', '.join(printed)}. **Ours**, mean over the repeats: {', '.join(ours)}."
    if cell["quantity"] not in (ODDS, LASSO, P):
        words += f" {quantity_words(cell['quantity'])}: {number_words(cell['ours'], 4)}; the paper has none."
    return words


def p_words(value: float) -> str:
    """A p-value with four digits, as the paper prints it."""
    return "<0.0001" if value < 1e-4 else number_words(value, 4)


def _curves(study: PaperResults, scores: pd.DataFrame, cell: pd.Series, picked: int) -> None:
    """The ROC of a repeat of a block, and all repeats as a table."""
    block = of_cell(scores, cell, study.keys)
    names = curve_scores(str(cell["quantity"]), block)
    st.markdown(printed_words(study, cell))
    table = repeats(block, names, ITEMS.case, ITEMS.other) if len(block) and names else None
    if table is None or table.empty:
        st.info("No scores of this block are stored that have both changed and unchanged variables.")
        return
    repeat = choose_option(
        "Repeat of the block",
        table["repeat"],
        widget_key(PAGE, "repeat", picked),
        format_func="Repeat {}".format,
        label_visibility="visible",
    )
    here = scores_of(block, repeat)
    lines = [_line(name, here) for name in names]
    show_curve(lines, widget_key(PAGE, "roc", picked, repeat), ITEMS, stem="block")
    st.caption(
        "The variables of one pair of groups come from two networks that they share: intervals draw whole pairs again "
        "(bootstrap), and p swaps the scores of whole pairs. The printed p and those of the table below are DeLong's, "
        "which takes every variable by itself. The repeats show how far blocks lie apart."
    )
    areas = {name: st.column_config.NumberColumn(format="%.4f") for name in table if name.startswith(("AUC", "DeLong"))}
    st.dataframe(table, hide_index=True, column_config=areas, width="content", alt="The repeats of this block")


def _line(name: str, here: pd.DataFrame) -> Line:
    """A score of a block; odds are natural logarithms, and say yes above even ones."""
    odds = name.startswith(ODDS)
    scores, truth = here[name].to_numpy(dtype=float), here["truth"].to_numpy()
    return Line(
        name,
        scores,
        truth,
        unit="natural log odds" if odds else "",
        own=0.0 if odds else None,
        clusters=here["pair"].to_numpy(),
    )


def _runs(study: PaperResults, cell: pd.Series, picked: int) -> None:
    """The values that a cell is the mean of, beside the printed one."""
    here = of_cell(study.runs, cell, study.keys)
    here = here[(here["quantity"] == cell["quantity"]) & here["value"].notna()]
    st.markdown(runs_words(here, cell))
    if len(here):
        show_figure(
            runs_figure(here, cell),
            f"{study.slug}-runs-of-a-cell",
            alt=f"Values of {len(here)} runs, their mean and the printed value",
            key=widget_key(PAGE, "runs", picked),
            table=here,
        )


def runs_words(values: pd.DataFrame, cell: pd.Series) -> str:
    """Mean and range of the runs, and where the printed value lies, as Markdown."""
    digits = digits_of(cell.to_frame().T.astype({"printed": float, "ours": float}))

    def number(value: float, signed: bool = False) -> str:
        return number_words(float(value), digits, signed)

    words = f"**{plain(quantity_words(str(cell['quantity'])))}: {number(cell['ours'])}**"
    if len(values):
        low, high = extremes(values)
        words += f", the mean of {count(len(values), 'run')}, from {number(low)} to {number(high)}."
    printed, spread, difference = (float(cell[item]) for item in ("printed", "printed_spread", "difference"))
    if printed != printed:
        return f"{words} The paper prints no number here."
    if spread != spread:
        return f"{words} Printed: {number(printed)}; ours is {number(difference, signed=True)} from it."
    inside = "within" if abs(difference) <= spread else "more than"
    return (
        f"{words} Printed: {number(printed)} (± {number(spread)}); ours is {number(difference, signed=True)} from it, "
        f"{inside} one printed standard deviation."
    )


def _show_command(study: PaperResults) -> None:
    """Command, seed, versions, time and settings."""
    st.markdown("**To make it again**")
    st.code(study.command, language="bash")
    seed = study.plan.get("seed", "–")
    versions = ", ".join(f"{name} {version}" for name, version in study.versions.items())
    st.caption(plain(f"Seed {seed}; {duration(study.seconds)} of CPU in all; made on {study.made} with {versions}."))
    settings = "; ".join(f"{name}: {setting_words(value)}" for name, value in study.plan.items() if name != "seed")
    st.caption(plain(f"Settings: {settings}."))


def setting_words(value: object) -> str:
    """A setting of the plan on one line."""
    if isinstance(value, list | tuple):
        return ", ".join(setting_words(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value_words(value)
