"""The whole answer of a group comparison on screen: sentence, variables, one of them, networks, doubts, exports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from dashboard.charts import group_difference as charts
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.group_difference.networks import (
    CHOICES,
    EVIDENCE,
    LEAST,
    LONGEST_LINE,
    about_links,
    averaged,
    chosen_panels,
    drawn_networks,
    links,
    panels,
    status_words,
)
from dashboard.views.group_difference.resampling import (
    checked,
    computed_here,
    known_shuffles,
    show_background,
    show_resampling,
)
from dashboard.views.group_difference.sceptic import show_odds, with_controls, with_published
from dashboard.views.shared.downloads import download_table, show_figure
from dashboard.views.shared.exports import GraphFile, WebPage, take_away
from dashboard.views.shared.neighbourhood import choose_part, part_drawn, part_of
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.sections import method_part, show_settings
from engine.methods.group_difference.groups import split_groups
from engine.methods.group_difference.result import SLUG
from engine.words import count

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.network.component import NetworkEvent
    from engine.data import Dataset
    from engine.methods.group_difference.result import GroupDifferenceResult

FIRST_VARIABLES = 15


@st.fragment
def show_result(result: GroupDifferenceResult, data: Dataset) -> None:
    """Everything below the title; a fragment, so that moving the margin draws nothing else again."""
    learned = result
    answer, middle, networks = st.container(), st.container(), st.container()
    background = st.container()
    with st.expander("Prior and margin"):
        result = with_controls(learned)
    with st.expander("The paper's own numbers"):
        result = with_published(result)
        show_odds(result, known_shuffles(learned, data))
    with answer:
        _show_words(result, checked(learned, result, data))
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
    if computed_here(learned):  # one read from a file computes nothing by itself
        with background:
            show_background(learned, data)


def _show_words(result: GroupDifferenceResult, more: list[str]) -> None:
    """The answer, what it rests on, and what limits it; with what other tables show once that is known."""
    st.markdown(f"#### {plain(result.headline())}")
    st.markdown(plain(" ".join([*result.sentences(), *more])))
    if notes := result.notes():
        st.caption(plain(" ".join(notes)))


def _show_variables(result: GroupDifferenceResult) -> None:
    title, sort = st.columns([5, 4], vertical_alignment="bottom")
    title.markdown(f"##### {result.section('ranking').title}", help="Click a bar to see that variable on the right.")
    by = sort.selectbox("Sort by", charts.SORTS, key=widget_key(SLUG, "sort"), label_visibility="collapsed")
    variables = charts.in_order(result.variables(), by)
    margin = result.method.margin
    chart, table = st.tabs(["Chart", "Table"])
    with chart:
        all_of_them = len(variables) > FIRST_VARIABLES and st.toggle(
            f"Show all {len(variables):,}", key=widget_key(SLUG, "all")
        )
        drawn = variables if all_of_them else variables.head(FIRST_VARIABLES)
        # a new key for each pick: Plotly would keep dimming the other bars
        key = widget_key(SLUG, "chart", _picked(result))
        show_figure(
            session().figures.of(charts.differences_figure, drawn, margin, result.labels, _picked(result)),
            "variables",
            alt=charts.differences_alt(drawn, margin),
            key=key,
            on_select=partial(_pick_point, key, list(drawn.index)),
            selection_mode="points",
        )
        over = "averaged over the networks" if averaged(result) else "under the paper's single order"
        st.caption(charts.MARKS.format(over=over))
    with table:
        display = charts.variables_display(variables, margin)
        first, second = result.labels
        st.caption(f"Differences are {plain(second)} minus {plain(first)}, in percentage points (pp).")
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
        if name.endswith("pp"):
            formats[name] = number(format="%+.0f")
        elif "p, corrected" in name or name.startswith("P("):
            formats[name] = number(format="%.3f")
        elif name.startswith("rows"):
            formats[name] = number(format="localized")
    return formats


def _show_variable(result: GroupDifferenceResult, data: Dataset) -> None:
    st.markdown(f"##### {result.section('variable').title}")
    name = _choose_variable(result)
    why, *more = result.explain(name)
    st.markdown(f"**{plain(why)}**")
    st.markdown(plain(" ".join(more[:1])))
    st.caption(plain(" ".join(more[1:])))
    shares, notes, hidden = shares_of(result, name)
    ordered = data.kinds[name] != "nominal"
    figure = session().figures.of(charts.contexts_figure, shares, result.levels[name], ordered, notes)
    if hidden:
        st.caption(f"The contexts with the strongest evidence; {hidden:,} more in the table below.")
    show_figure(figure, "contexts", alt=charts.contexts_alt(shares, name), key=widget_key(SLUG, "contexts"))
    table = result.contexts(name)
    with st.expander(f"All {count(len(table), 'context')} with rows, as a table"):
        if len(table) > 1:
            st.caption(plain(result.adding_up(name)))
        display = charts.contexts_display(table)
        st.dataframe(display, hide_index=True)
        download_table(display, "contexts-of-one-variable")


def shares_of(result: GroupDifferenceResult, name: str) -> tuple[pd.DataFrame, dict[str, str], int]:
    """Shares in the context that decides, in the others, and on its own; what to say of each; how many are left out."""
    table = result.differences(name)
    *contexts, last = table["context"]
    leading = contexts[: charts.MOST_CONTEXTS - 1]
    within = result.distributions(name)
    alone = result.distributions(name, "marginal").assign(context=last)
    shares = pd.concat([*(within[within["context"] == item] for item in leading), alone], ignore_index=True)
    place = result.where(name)
    level = place.level if place is not None else result.levels[name][-1]
    rows = table.set_index("context").loc[[*leading, last]]
    notes = {str(row.Index): charts.difference_words(level, row) for row in rows.itertuples()}
    return shares, notes, len(contexts) - len(leading)


def _show_networks(result: GroupDifferenceResult) -> None:
    st.markdown(f"##### {result.section('networks').title}")
    st.caption(about_links(result))
    first, second = (short(label, 24) for label in result.labels)
    words = dict(zip(CHOICES, ("Difference", first, second, "Both groups together", "Three panels"), strict=True))
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    choice = left.segmented_control(
        "Network",
        CHOICES,
        default=CHOICES[0],
        format_func=lambda item: plain(words[item]),
        key=widget_key(SLUG, "network"),
        label_visibility="collapsed",
    )
    least = LEAST[0]
    if averaged(result):
        least = right.select_slider(
            "Links with P of at least", LEAST, key=widget_key(SLUG, "least"), persist_state="session"
        )
    picked = _picked(result)
    names = choose_part(
        SLUG,
        result.names,
        partial(links, result),
        spotlight=[] if picked is None else [picked],
        by="that differ most",
    )
    drawn = [part_of(panel, names) for panel in chosen_panels(result, choice or CHOICES[0], names, least)]
    event = network_view(
        drawn,
        positions_of(names, drawn_networks(result), LONGEST_LINE),
        widget_key(SLUG, "networks", choice or CHOICES[0]),
        picked=picked,
        words=status_words(result),
        evidence=EVIDENCE,
        clicked=_pick_clicked,
    )
    if event.edge:
        source, target, panel = event.edge
        st.info(plain(f"{source} and {target}, linked in {drawn[panel].title}; {target} is shown above."))


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
            "A *block* is one combination of values of a variable's parents. In each block the rows are explained "
            "once with separate probabilities in the two groups, and once with the same. P(differs) averages over "
            "all orders of the variables and all parent sets S that they allow; w(S) multiplies the blocks of S. The "
            "prior that nothing differs is spread evenly over all blocks. *Differs*: P of at least .95; *probably "
            "differs*: .5. Below .05 and half the prior no difference is seen; *alike*, if a difference over the "
            "margin is improbable in every block of S\\*, the likeliest parents. *On its own*: a permutation test, "
            "corrected by Holm. The paper's own numbers (Sverchkov and Cooper 2015) use one order:"
        )
        st.latex(r"O_i = \prod_{\eta=1}^{H_i}\left(e^{b_{i\eta}}\,\frac{1-p_{i\eta}}{p_{i\eta}} + 1\right) - 1")
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


BOTH = "both together"


def show_exports(result: GroupDifferenceResult, data: Dataset) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, result.names, partial(links, result))
    positions = dict(positions_of(names, drawn_networks(result), LONGEST_LINE))

    page = WebPage(
        "Web page, opens offline",
        "networks",
        "Networks of two groups",
        lambda: [part_of(panel, names) for panel in panels(result, names)],
        positions,
        status_words(result),
        EVIDENCE,
    )
    titles = (*(short(label, 14) for label in result.labels), BOTH)
    graphs = [
        GraphFile(
            title,
            f"network-{number + 1}",
            partial(_graph, result, number),
            None if averaged(result) else partial(_rows, result, data, number),  # an average has lines: no BIF
        )
        for number, title in enumerate(titles)
    ]
    take_away(result, data, pages=[page], graphs=graphs, printed="result.variables()")


def _graph(result: GroupDifferenceResult, number: int) -> nx.DiGraph:
    return list(result.graphs().values())[number]


def _rows(result: GroupDifferenceResult, data: Dataset, number: int) -> Dataset:
    """The rows that a network was learned on."""
    groups = split_groups(result.method, data)
    return (groups.first, groups.second, groups.pooled)[number]
