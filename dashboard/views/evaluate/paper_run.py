"""The run behind a cell of a paper's table: curves or runs, the settings, and the command that makes it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.papers import digits_of, number_words, quantity_words, runs_figure, value_words
from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.evaluate.curve import Items, Line, show_curve
from dashboard.views.shared.downloads import show_figure
from engine.evaluation import extremes, of_cell, repeats, scores_of
from engine.words import count, duration

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation import PaperResults

PAGE = "evaluate.papers"
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
    rival = rival or (ODDS if own == "chi-squared" else LASSO)
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
    repeat = st.segmented_control(
        "Repeat of the block",
        list(table["repeat"]),
        format_func=lambda item: f"Repeat {item}",
        default=table["repeat"].iloc[0],
        required=True,
        key=widget_key(PAGE, "repeat", picked),
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
