"""The whole answer of a group comparison on screen: sentence, variables, one of them, networks, doubts, exports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from dashboard.charts import contexts as contexts_view
from dashboard.charts import differences as differences_view
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.group_difference.exports import show_exports
from dashboard.views.group_difference.networks import (
    CHOICES,
    EVIDENCE,
    chosen_panels,
    links,
    longest_line,
    status_words,
)
from dashboard.views.group_difference.resampling import (
    computed_here,
    known_shuffles,
    may_shuffle,
    show_resampling,
    shuffle_words,
    shuffled,
)
from dashboard.views.group_difference.sceptic import show_odds, with_controls
from dashboard.views.shared.downloads import download_table, show_figure
from dashboard.views.shared.neighbourhood import choose_part, part_of
from dashboard.views.shared.network_view import network_view, places_of
from dashboard.views.shared.sections import method_part, show_settings
from engine.methods.group_difference.result import SLUG
from engine.words import count, odds

if TYPE_CHECKING:
    from dashboard.network.component import NetworkEvent
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.resampling import Null
    from engine.methods.group_difference.result import GroupDifferenceResult

SHOWN = 15


@st.fragment
def show_result(result: GroupDifferenceResult, data: Dataset) -> None:
    """Everything below the title; a fragment, so that moving the margin draws nothing else again."""
    learned = result
    answer, middle, networks = st.container(), st.container(), st.container()
    null = known_shuffles(learned, data)
    with st.expander("How sceptical?"):
        result = with_controls(learned)
        show_odds(result, null)
    with answer:
        _show_words(result, null)
    with middle:
        left, right = st.columns([11, 10], gap="large")
        with left:
            _show_variables(result)
        with right:
            _show_variable(result, data)
    with networks:
        _show_networks(result)
    show_resampling(learned, result, data)
    show_exports(result, data)
    _show_method(result)
    if null is None and computed_here(learned) and may_shuffle(learned, data):  # one read from a file computes nothing
        st.caption("In the background: the comparison again with shuffled labels, to see what chance alone shows.")
        shuffled(learned, data)


def _show_words(result: GroupDifferenceResult, null: Null | None) -> None:
    """The answer, what it rests on, and what limits it; with what shuffled tables show once that is known."""
    shuffles = [] if null is None else [shuffle_words(null)]
    st.markdown(f"#### {plain(' '.join([result.headline(), *shuffles]))}")
    st.markdown(plain(" ".join(result.sentences())))
    if notes := result.notes():
        st.caption(plain(" ".join(notes)))


def _show_variables(result: GroupDifferenceResult) -> None:
    title, sort = st.columns([5, 4], vertical_alignment="bottom")
    title.markdown(f"##### {result.section('ranking').title}", help="Click a bar to see that variable on the right.")
    by = sort.selectbox("Sort by", differences_view.SORTS, key=widget_key(SLUG, "sort"), label_visibility="collapsed")
    variables = differences_view.in_order(result.variables(), by)
    chart, table = st.tabs(["Chart", "Table"])
    with chart:
        all_of_them = len(variables) > SHOWN and st.toggle(f"Show all {len(variables):,}", key=widget_key(SLUG, "all"))
        shown = variables if all_of_them else variables.head(SHOWN)
        # a new key for each pick: Plotly would keep dimming the other bars
        key = widget_key(SLUG, "chart", _picked(result))
        show_figure(
            session().figures.of(
                differences_view.differences_figure,
                shown,
                result.method.margin,
                result.method.chance,
                _picked(result),
            ),
            "variables",
            alt=differences_view.alt_text(shown),
            key=key,
            on_select=partial(_pick_point, key, list(shown.index)),
            selection_mode="points",
        )
        st.caption(differences_view.MARKS)
    with table:
        display = differences_view.variables_display(variables)
        key = widget_key(SLUG, "table")
        st.dataframe(
            display,
            hide_index=True,
            key=key,
            height=min(560, 38 + 35 * len(display)),
            on_select=partial(_pick_row, key, list(variables.index)),
            selection_mode="single-row",
            column_config=_number_formats(display),
        )
        download_table(display, "variables")


def _number_formats(display: pd.DataFrame) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    formats: dict[str, Any] = {}
    for name in display.columns:
        if "Bayes factor" in name:
            formats[name] = number(format="%+.2f")
        elif "chance" in name or name.startswith("P("):
            formats[name] = number(format="%.3f")
        elif name.split(" ")[0] in ("effect", "low", "high"):
            formats[name] = number(format="percent")
    return formats


def _show_variable(result: GroupDifferenceResult, data: Dataset) -> None:
    st.markdown(f"##### {result.section('variable').title}")
    name = _choose_variable(result)
    why, *more = result.explain(name)
    st.markdown(f"**{plain(why)}**")
    st.markdown(plain(" ".join(more[:1])))
    st.caption(plain(" ".join(more[1:])))
    table = result.contexts(name, "common")
    shown, notes = _shares(result, name, table)
    ordered = data.kinds[name] != "nominal"
    figure = session().figures.of(contexts_view.contexts_figure, shown, result.levels[name], ordered, notes)
    if hidden := len(list(notes)[contexts_view.MOST_CONTEXTS :]):
        st.caption(f"The {contexts_view.MOST_CONTEXTS} with the strongest evidence; {hidden} more in the table.")
    show_figure(figure, "contexts", alt=contexts_view.alt_text(shown, name), key=widget_key(SLUG, "contexts"))
    if len(table) > 1:
        st.caption(plain(result.adding_up(name)))
    with st.expander(f"All {count(len(table), 'context')} with rows, as a table"):
        display = contexts_view.contexts_display(table)
        st.dataframe(display, hide_index=True)
        download_table(display, "contexts-of-one-variable")


def _shares(result: GroupDifferenceResult, name: str, table: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, str]]:
    """Shares on its own, then in each context of its parents; and what the data say of each."""
    alone = result.distributions(name, "marginal").assign(context="On its own, all rows")
    factor = result.contexts(name, "marginal")["log_bayes_factor"]
    notes = {"On its own, all rows": f"Bayes factor {odds(factor.iloc[0])}"} if len(factor) else {}
    if list(table["context"]) == ["all rows"]:
        return alone, notes
    within = zip(table["context"], table["log_bayes_factor"], strict=True)
    notes |= {context: f"Bayes factor {odds(value)}" for context, value in within}
    return pd.concat([alone, result.distributions(name, "common")], ignore_index=True), notes


def _show_networks(result: GroupDifferenceResult) -> None:
    st.markdown(f"##### {result.section('networks').title}")
    equivalent = (
        " Directions that could as well be the other say so when you point at the arc."
        if result.method.score.equivalent
        else ""
    )
    st.caption(
        "An arc means that one variable helps to predict the other; it does not show what causes what." + equivalent
    )
    first, second = (short(label, 24) for label in result.labels)
    words = dict(zip(CHOICES, ("Difference", first, second, "Both groups together", "Three panels"), strict=True))
    choice = st.segmented_control(
        "Network",
        CHOICES,
        default=CHOICES[0],
        format_func=lambda one: plain(words[one]),
        key=widget_key(SLUG, "network"),
        label_visibility="collapsed",
    )
    picked = _picked(result)
    names = choose_part(
        SLUG,
        result.names,
        partial(links, result),
        held=[] if picked is None else [picked],
        by="that differ most",
    )
    drawn = [part_of(panel, names) for panel in chosen_panels(result, choice or CHOICES[0], names)]
    event = network_view(
        drawn,
        places_of(names, list(result.graphs().values()), longest_line(result)),
        widget_key(SLUG, "networks", choice or CHOICES[0]),
        picked=picked,
        words=status_words(result),
        evidence=EVIDENCE,
        clicked=_pick_clicked,
    )
    if event.edge:
        source, target, panel = event.edge
        st.info(plain(f"{source} -> {target} in the network of {drawn[panel].title}; {target} is shown above."))


def _pick_clicked(event: NetworkEvent) -> bool:
    """A box, or the head of an arc, is the variable shown above; there always is one."""
    clicked = event.node or (event.edge[1] if event.edge else None)
    changed = clicked is not None and clicked != session().picked.get(SLUG)
    if clicked is not None:
        _pick(clicked)
    return changed


def _show_method(result: GroupDifferenceResult) -> None:
    with method_part(result):
        st.markdown(
            "A *block* is one combination of values of the parents that all three networks share. For each block the "
            "rows are explained once with separate probabilities in the two groups and once with the same; b is the "
            "natural log of the ratio of the two marginal likelihoods (equations 6 and 7 of Sverchkov and "
            "Cooper 2015). With the prior probability p of 'same' in each of the H possible blocks, the odds that the "
            "variable differs are"
        )
        st.latex(r"O_i = \prod_{\eta=1}^{H_i}\left(e^{b_{i\eta}}\,\frac{1-p_{i\eta}}{p_{i\eta}} + 1\right) - 1")
        st.markdown(
            "Evidence in words follows Kass and Raftery 1995: Bayes factors of 3, 20 and 150 divide the bands. A Bayes "
            "factor is what the data multiply the odds by; of a variable it is its odds at even prior odds. *Chance* "
            "is how often group labels shuffled within the contexts of the parents show as much, corrected for the "
            "number of variables by Benjamini and Hochberg. *Differs* asks for a chance of at most the level, and for "
            "both ways of comparing the networks; *alike* for a probability of at most 0.05 that a difference in any "
            "context exceeds the margin. Effects are Mantel and Haenszel's difference of shares."
        )
        show_settings(result)


# -- the variable in the spotlight ------------------------------------------------------------------------------------


def _picked(result: GroupDifferenceResult) -> str | None:
    name = session().picked.get(SLUG)
    return name if name in result.names else None


def _pick(name: str) -> None:
    session().picked[SLUG] = name


def _choose_variable(result: GroupDifferenceResult) -> str:
    """The select box of variables, kept in step with clicks on bars, rows and nodes."""
    order = list(result.variables().index)
    key = widget_key(SLUG, "variable")
    set_value(key, _picked(result) or order[0])
    st.selectbox("Variable", order, key=key, on_change=lambda: _pick(value_of(key)), label_visibility="collapsed")
    return str(value_of(key))


def _pick_point(key: str, names: list[str]) -> None:
    points = value_of(key).selection.points
    if points:
        place = points[0].get("customdata", points[0].get("point_index"))
        _pick(names[int(place[0] if isinstance(place, list) else place)])


def _pick_row(key: str, names: list[str]) -> None:
    rows = value_of(key).selection.rows
    if rows:
        _pick(names[rows[0]])
