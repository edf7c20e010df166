"""The selected variable: of a number its two distributions and contexts in units, else one level in every context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts import group_difference as charts
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import full_name, labelled, shown_names
from dashboard.session.masking import sentences_shown
from dashboard.session.session import session
from dashboard.text import distinct, plain, short
from dashboard.views.group_difference.gap import can_explain, show_gap
from dashboard.views.shared.downloads import show_figure
from engine.data.units import name_without_unit
from engine.methods.group_difference.result import SLUG
from engine.methods.group_difference.verdicts import ALL_ROWS, Verdict
from engine.telling.group_difference.figures import (
    MOST_CONTEXTS,
    contexts_figure,
    draw_distributions,
    reading_figure,
    shaded,
    shares_of,
)
from engine.telling.group_difference.forms import form_of
from engine.telling.group_difference.one_variable import (
    apart_words,
    means_left_out,
    order_words,
    verdict_words,
    without_means,
)
from engine.telling.group_difference.tables import in_order_of_levels, segments_place
from engine.words import NO_BREAK, listed

if TYPE_CHECKING:
    import pandas as pd
    from streamlit.delta_generator import DeltaGenerator

    from engine.data.dataset import Dataset
    from engine.methods.group_difference.numbers.described import NumberSummary
    from engine.methods.group_difference.result import GroupDifferenceResult

VIEWS = ("Distribution", "Levels", "What explains the gap")
"""How a variable is shown: a number by its values, by levels as it is as a parent, and what its gap comes with."""


def picked(result: GroupDifferenceResult) -> str | None:
    """The variable that the reader picked; None before that."""
    name = session().picked.get(SLUG)
    return name if name in result.names else None


def selected(result: GroupDifferenceResult) -> str:
    """The variable whose contexts are shown; to begin with the first of the table."""
    return picked(result) or str(charts.by_probability(result.variables()).index[0])


def pick(name: str) -> None:
    """Show this variable."""
    session().picked[SLUG] = name


def show_variable(result: GroupDifferenceResult, data: Dataset, below: DeltaGenerator) -> None:
    """The card of the selected variable: which, its verdict, what differs where and by how much, and the pictures; a
    number's contexts stand below, where they leave no hole beside them."""
    name = _choose_variable(result)
    row, summary = without_means(result, result.variables()).loc[name], result.number(name)
    views = VIEWS[:2] if summary is not None else VIEWS[1:2]
    views = (*views, VIEWS[2]) if can_explain(result, data) else views
    view = views[0]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(_tag(row, result.method.margin), width="content")
        if len(views) > 1:
            view = st.segmented_control(
                "Shown as",
                views,
                default=views[0],
                required=True,
                key=widget_key(SLUG, "view", *views),
                label_visibility="collapsed",
                width="content",
            )
    if view == VIEWS[2]:
        show_gap(result, data, name, None if summary is not None else _choose_level(result, name))
    elif view == VIEWS[0] and summary is not None:
        _show_number(result, name, row, summary, below)
    else:
        _show_level(result, name, row)


def _choose_variable(result: GroupDifferenceResult) -> str:
    """The select box of variables, kept in step with clicks on bars, rows and nodes."""
    order = list(charts.by_probability(result.variables()).index)
    key = widget_key(SLUG, "variable")
    set_value(key, selected(result))
    units = {name: summary.unit for name in order if (summary := result.number(name)) is not None}
    st.selectbox(
        "Variable",
        order,
        key=key,
        format_func=lambda name: charts.named_with_unit(full_name(name), units.get(name, "")),
        on_change=lambda: pick(value_of(key)),
        label_visibility="collapsed",
    )
    return str(value_of(key))


def _tag(row: pd.Series, margin: float) -> str:
    """The verdict as a coloured word with its sign."""
    verdict = Verdict(row["verdict"])
    words = f"{charts.VERDICT_STYLES[verdict].sign} {verdict_words(verdict, margin)}"
    mark = charts.verdict_mark(row, margin)
    return f":{charts.TAGS.get(verdict, 'gray')}-badge[{plain(mark if mark == charts.OVERALL else words)}]"


def _show_number(
    result: GroupDifferenceResult, name: str, row: pd.Series, summary: NumberSummary, below: DeltaGenerator
) -> None:
    """Both distributions on one axis, and median and quartiles in each context."""
    what, size, about = (plain(labelled(text)) for text in charts.number_words(row, order_words(result)))
    st.markdown(f"**{what}**{NO_BREAK} {size}" if what else size)
    ranges = shaded(result, name)
    unsaid = sentences_shown(result, filter(None, [means_left_out(result, name)]))
    key = [f"Shaded: share of {' v '.join(distinct(result.labels, 12)[::-1])} in that range."] if len(ranges) else []
    st.caption(" ".join([about, *map(plain, filter(None, [*unsaid, apart_words(row), *key]))]))
    figure = session().figures.of(draw_distributions, summary, ranges, result.labels, segments_place(result, name))
    alt = f"Distribution of {short(name, 60)} in both groups."
    show_figure(figure, "distribution", alt=alt, key=widget_key(SLUG, "distribution"))
    contexts = in_order_of_levels(result, name, result.contexts_in_units(name).head(MOST_CONTEXTS))
    if len(contexts) > 1:
        by = _parents(row)
        first, second = (plain(label) for label in distinct(result.labels, 12))
        called = short(shown_names().get(name, name_without_unit(name, summary.unit)), 40)
        title = labelled(f"{called} by {by}: median, IQR")
        drawn = session().figures.of(contexts_figure, contexts, result.labels, result.names, summary.unit)
        about = f"Median and quartiles of {short(name, 60)} in both groups, in {len(contexts)} contexts."
        with below.container(border=True, gap="small"):
            st.markdown(f"**{plain(title)}** (● {first}, □ {second})")
            show_figure(drawn, "by-context", alt=about, key=widget_key(SLUG, "contexts"))


def _show_level(result: GroupDifferenceResult, name: str, row: pd.Series) -> None:
    """One level in both groups: the context that decides, then the others."""
    labels, level = result.labels, _choose_level(result, name)
    differences = result.differences(name, level)
    of_all = _of_all_rows(result, name)
    if of_all:  # first, then the contexts in the order of their levels
        differences = in_order_of_levels(result, name, differences)
    deciding = differences.iloc[0]
    given = charts.given_words(row) if len(differences) > 1 and level == row["level"] else ""
    called = charts.called_words(row, result.levels[name]) if of_all and level == row["level"] else ""
    lines = [
        *([f"**{plain(labelled(called))}**"] if called else []),
        f"**{plain(labelled(_context_name(str(deciding['context']))))}**",
        plain(f"“{short(level, 30)}”: {charts.difference_words(deciding, order_words(result))}"),
        *([f"**{plain(labelled(f'Among rows alike in {_parents(row)}'))}**", plain(given)] if given else []),
    ]
    st.markdown("  \n".join(lines))
    if beside := charts.interval_note(deciding, row["verdict"]):
        st.caption(beside)
    if len(differences) > 1:
        held = f"Adjusted for {_parents(row)}. " if charts.given_words(row) else ""
        st.caption(plain(labelled(f"{held}Dots: by the levels of {_parents(row)}.")))
    shares = shares_of(result, name, level)
    if len(shares) > 2 * len(differences):
        first, second = (plain(label) for label in distinct(labels, 12))
        st.caption(f"Dots: every level, all rows; ● {first}, □ {second}.")
    figure = session().figures.of(reading_figure, differences, shares, labels, result.names)
    alt = charts.reading_alt(name, level, len(differences))
    show_figure(figure, "one-variable", alt=alt, key=widget_key(SLUG, "contexts"))


def _parents(row: pd.Series) -> str:
    """The variables that make the contexts, in a few words."""
    return listed(short(parent, 24) for parent in row["parents"].split(", ")) if row["parents"] else "context"


def _choose_level(result: GroupDifferenceResult, name: str) -> str:
    """The level that is shown; of two that which decides."""
    place, levels = result.where(name), result.levels[name]
    level = str(result.variables().at[name, "level"]) if _of_all_rows(result, name) or place is None else place.level
    if len(levels) <= 2:
        return level
    return str(
        st.selectbox(
            "Level",
            levels,
            index=levels.index(level),
            format_func=lambda item: f"level “{short(item, 40)}”",
            key=widget_key(SLUG, "level", name),
            label_visibility="collapsed",
        )
    )


def _of_all_rows(result: GroupDifferenceResult, name: str) -> bool:
    """True where the sentence about a variable is of all rows, and not of the context with most evidence."""
    form = form_of(result, result.names.index(name))
    return form is not None and form.block is None


def _context_name(context: str) -> str:
    return "All rows" if context == ALL_ROWS else context
