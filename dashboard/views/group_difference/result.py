"""The whole answer of a group comparison on screen: sentence, variables, one of them, networks, doubts, exports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from dashboard.charts import group_difference as charts
from dashboard.forms.settings_form import live_settings
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
    known_shuffles,
    show_background,
    show_resampling,
)
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.exports import GraphFile, WebPage, network_of, take_away
from dashboard.views.shared.neighbourhood import choose_part, part_drawn, part_of
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.running import computed_here
from dashboard.views.shared.sections import method_part, show_settings
from engine.methods.group_difference.groups import split_groups
from engine.methods.group_difference.result import SLUG
from engine.words import count, odds, probability

if TYPE_CHECKING:
    from dashboard.network.component import NetworkEvent
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.resampling import Null
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
        show_with_file(
            display,
            "variables",
            key=key,
            most=560,
            on_select=partial(_pick_row, key, list(variables.index)),
            selection_mode="single-row",
            column_config=_number_formats(display),
        )


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
        show_with_file(display, "contexts-of-one-variable")


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
        partial(panels, result, names),
        positions,
        status_words(result),
        EVIDENCE,
        names,
    )
    titles = (*(short(label, 14) for label in result.labels), BOTH)
    graphs = [
        GraphFile(
            title,
            f"network-{number + 1}",
            partial(network_of, result, network),
            None if averaged(result) else partial(_rows, result, data, number),  # an average has lines: no BIF
        )
        for number, (network, title) in enumerate(zip(result.graphs(), titles, strict=True))
    ]
    take_away(result, data, pages=[page], graphs=graphs, printed="result.variables()")


def _rows(result: GroupDifferenceResult, data: Dataset, number: int) -> Dataset:
    """The rows that a network was learned on."""
    groups = split_groups(result.method, data)
    return (groups.first, groups.second, groups.pooled)[number]


ABOUT = {"overall": "for all variables at once", "variable": "for each variable", "context": "for each context"}
"""What the paper's prior is about, by `p_level`."""
NEXT = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Priors of another run, to choose from where this one's cannot be moved."""


def with_controls(result: GroupDifferenceResult) -> GroupDifferenceResult:
    """The result under the prior and the margin that the reader chooses here."""
    movable = result.average is not None and result.average.families is not None
    if movable:
        st.markdown(
            "**Prior**: how likely it is, before seeing the data, that nothing differs. **Margin**: a variable is "
            "called alike only where a larger difference is improbable. Both act at once."
        )
        method, _ = live_settings(result.method, (5, 5, 3), ("p_none", "margin"))
        return result.with_prior(p_none=method.p_none).with_margin(method.margin)
    if result.average is not None:
        st.markdown(
            f"Orders of {len(result.names):,} variables were drawn under a prior probability of "
            f"{result.average.posterior.p_none:g} that nothing differs. Another prior takes another run."
        )
        _rerun_controls(result.average.posterior.p_none)
    elif result.method.average == "none":
        st.markdown("The verdicts follow the paper's prior, which stands in the next drawer.")
    method, _ = live_settings(result.method, (5, 8), ("margin",))
    return result.with_margin(method.margin)


def _rerun_controls(p_none: float) -> None:
    """The prior of the next run, and the button that starts it."""
    slider, button = st.columns([5, 8], vertical_alignment="bottom", gap="large")
    wanted = slider.select_slider(
        "Prior of the next run", sorted({*NEXT, p_none}), value=p_none, key=widget_key(SLUG, "next", "p_none")
    )
    if button.button("Compare again", disabled=wanted == p_none, key=widget_key(SLUG, "again")):
        page = session().page(SLUG)
        page.settings = {**page.settings, "p_none": wanted}
        page.run = True
        st.rerun()


def with_published(result: GroupDifferenceResult) -> GroupDifferenceResult:
    """The result under the prior and the alignment that the reader chooses for the paper's own numbers."""
    if result.average is not None:
        st.markdown("No verdict rests on these odds. They hold under one order of the variables.")
    method, _ = live_settings(result.method, (5, 3, 4), ("p_same", "p_level", "alignment"))
    return result.with_prior(method.p_same, method.p_level).with_alignment(method.alignment)


def show_odds(result: GroupDifferenceResult, null: Null | None) -> None:
    """The published odds, overall and by variable; beside them what shuffled labels reach."""
    overall = result.overall_log_odds
    sentences = [*result.section("paper").sentences]
    sentences.append(
        f"They start from a prior probability of {result.method.p_same:g} for 'no difference' "
        f"{ABOUT[result.method.p_level]}."
    )
    top = result.ranking().iloc[0]
    if top["log10_odds"] > 0:
        sentences.append(
            f"The strongest is {top.name}, {odds(result.log_odds[top.name])} a difference, P(different) "
            f"{probability(top['p_different'])}."
        )
        sentences.append(f"A prior of {_prior(top['tipping_prior'])} for 'no difference' would make it even.")
    if null is not None:
        share = null.with_settings(result.method).share_overall(overall)
        sentences.append(
            f"Of {count(len(null.stacks), 'table')} with shuffled labels, this one counted too, {share:.1%} reach as "
            "much overall."
        )
    st.markdown(plain(" ".join(sentences)))
    table = result.ranking()
    if null is not None:
        shuffled = null.with_settings(result.method).table(result.log_odds)
        table = table.join(shuffled["share_as_high"].rename("share as high when shuffled"))
    display = charts.odds_display(table)
    number = st.column_config.NumberColumn
    signed = ("log10 odds", "prior", "published", "common parents", "without parents")
    formats = {name: number(format="%+.2f") for name in signed}
    formats |= {
        name: number(format="%.3g") for name in ("P(different)", "tipping prior", "share as high when shuffled")
    }
    show_with_file(display, "published-odds", column_config=formats, key=widget_key(SLUG, "odds"))


def _prior(tipping: float) -> str:
    return f"{tipping:.3g}" if tipping < 0.999 else "more than 0.999"
