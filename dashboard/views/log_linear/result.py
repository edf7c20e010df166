"""The whole answer on screen: sentence, picture, one group; below it one view at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.pages import address, method_page
from dashboard.session.keys import value_of, widget_key
from dashboard.session.labels import labelled, shown_names, whole_labels
from dashboard.session.session import session
from dashboard.text import distinct, plain
from dashboard.views.log_linear.clique import (
    AssociationState,
    choose_clique,
    chosen_clique,
    clique_of_edge,
    show_clique,
)
from dashboard.views.log_linear.demonstrations import show_lessons
from dashboard.views.log_linear.graph import (
    MOST_EDGES,
    MOST_OF_A_NAME,
    WITH_ENDS,
    Pair,
    crowded,
    legend,
    link_table,
    linked,
    links_display,
    model_panel,
    model_positions,
    strengths,
    strongest_edges,
    within,
)
from dashboard.views.log_linear.power import show_levels
from dashboard.views.log_linear.stability import show_stability
from dashboard.views.log_linear.story import show_story
from dashboard.views.log_linear.what_if import show_comparison, show_what_if
from dashboard.views.shared.downloads import download_table
from dashboard.views.shared.exports import GraphFile, WebPage, export_menu
from dashboard.views.shared.neighbourhood import choose_part, part_drawn
from dashboard.views.shared.network_view import network_view, pick_node
from dashboard.views.shared.page_parts import choose_option
from dashboard.views.shared.sections import method_part, show_answer, show_other_sentences, show_settings
from engine.methods.log_linear.pair_evidence import held_fixed, in_order
from engine.methods.log_linear.result import SLUG
from engine.telling.log_linear.power import pays_from, rule_sentences
from engine.telling.log_linear.wording import charge_sentence, cut_sentence, held_sentence, order_sentence
from engine.text import joined
from engine.words import first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.network.component import NetworkEvent
    from dashboard.network.panel import Outline, Panel
    from dashboard.views.log_linear.graph import Pair
    from engine.data.dataset import Dataset
    from engine.methods.log_linear.result import LogLinearResult

VIEWS = {
    "How it was built": show_story,
    "What if": show_what_if,
    "Another criterion": show_comparison,
    "Stability": show_stability,
}
MOST_DRAWN = 600
"""Links that a picture takes; more are a table."""
LISTED, FEW_LISTED = 200, 30
"""Variables without a link that are named, all of them; and of more than that."""
LISTED_LINKS = 12
"""Rows of the table of links that stand open."""
LEVELS, ENDS = 184, 108
"""Pixels of its columns of levels and of shares, so that a small screen has all of them."""
ON_A_LINE, BROKEN = 28, 66
"""Letters that a column of levels has room for, and pixels of a row from which on Streamlit breaks longer ones."""
NAMED = 4
"""Doubtful links that are named."""
SAYS = (
    "The Bayes factor of the link given the rest of its group, in words: what the rows multiply the odds for it by "
    "(BDeu, equivalent sample size 1; 3, 20 and 150 part the words). p: how often unrelated variables show as much; "
    "'no more than chance' where that, times the number of pairs, is above 5 %."
)
SHARES = (
    "Of the levels of the two variables those that differ most from no link, so that new rows may show less; "
    "otherwise: among all other rows. Intervals: Wilson's, of each share by itself."
)
PICTURE = 460
"""Pixels of the network's height, so that the first screen has it whole."""
MANY = 40
"""Links from which the picture can be thinned out."""


def show_result(result: LogLinearResult, data: Dataset) -> None:
    """Everything below the title."""
    _show_order(result, data)
    together = result.row_notes()[:1] if result.subject and not result.undecided else []
    menu = show_answer(result, data, more=" ".join(together))
    for rule in rule_sentences(result.screening.rules):
        st.warning(plain(rule), icon=":material/content_copy:")
    _show_model(result)
    st.space("small")
    key = widget_key(SLUG, "view")
    view = choose_option("Look closer", VIEWS, key, label_visibility="visible", persist_state="session")
    VIEWS[view](result, data)
    _show_method(result, data)
    show_lessons()
    with menu:
        show_exports(result, data)


def _show_order(result: LogLinearResult, data: Dataset) -> None:
    """The link above an answer about ordered items to the page which uses their order."""
    order, page = order_sentence(result), method_page("ordinal")
    if order and page.fits(data):
        st.page_link(address(page), label=plain(order), icon=page.icon, width="content")


def _show_words(result: LogLinearResult) -> None:
    """Links that chance alone could show, what else is said, and what limits it."""
    if not result.undecided and (doubtful := result.doubtful_links()):
        names = first((f"{a} with {b}" for a, b in doubtful), NAMED, "; ")
        st.markdown(plain(labelled(f"No more than chance shows among so many pairs: {names}.")))
    show_other_sentences(result)


@st.fragment
def _show_model(result: LogLinearResult) -> None:
    """The picture on the left, the group in the spotlight on the right; a fragment, so that a click draws only them."""
    if not result.edge_values:
        with st.container(border=True, gap="small"):
            _show_alone(result)
        return
    left, right = (st.container(), st.container()) if crowded(result) else st.columns([13, 8], gap="small")
    with left.container(border=True, gap="small", height="stretch"):
        _show_network(result)
        _show_alone(result)
        if not crowded(result):
            _show_links(result)
    with right.container(border=True, gap="small", height="stretch"):
        show_clique(result)
    if crowded(result):
        _show_links(result)


def _show_network(result: LogLinearResult) -> None:
    total = len(result.edge_values)
    state = session().state(AssociationState).clique or ()
    names = choose_part(
        SLUG, linked(result), partial(strengths, result), spotlight=state, among="variables with a link"
    )
    whole = len(names) == len(linked(result))
    strongest = total
    if total > MANY and whole:
        strongest = st.slider(
            "Strongest links shown",
            5,
            min(total, MOST_DRAWN),
            min(total, MOST_EDGES),
            key=widget_key(SLUG, "strongest", total),
            help="By the bits a link saves. The others stay in the model, they are only not drawn.",
        )
    edges = strongest_edges(result, strongest) if whole else within(result.edge_values, names)
    placed = model_positions(result, names)
    panel = model_panel(result, edges, chosen_clique(result), placed)
    network_view(
        [panel],
        placed,
        widget_key(SLUG, "network"),
        picked=session().picked.get(SLUG),
        words=legend(result),
        small=True,
        height=PICTURE,
        clicked=partial(_clicked, result, edges, panel.groups),
    )


def _show_alone(result: LogLinearResult) -> None:
    """The variables without a link, small in a row; what that does not say, how numbers enter, dotted links."""
    alone = result.isolated
    if alone:
        most = LISTED if len(alone) <= LISTED else FEW_LISTED
        brief = {**dict(zip(alone, distinct(alone, MOST_OF_A_NAME), strict=True)), **shown_names()}
        badges = (f":gray-badge[{plain(brief[name])}]" for name in alone)
        cut = (f"{name}: {label}" for name, label in whole_labels().items() if name in alone and brief[name] != label)
        st.markdown(f"No link found ({len(alone):,}): {first(badges, most, ' ')}", help=plain(first(cut, most, "; ")))
    said = held_sentence(result), charge_sentence(result) if alone else "", cut_sentence(result)
    st.caption(plain(labelled(joined(filter(None, said)))))


def _show_links(result: LogLinearResult) -> None:
    """The same links as a table, strongest first; a row selected shows its group."""
    order = in_order(result)
    if not order:
        return
    table, display = link_table(result), links_display(result, shown_names())
    said = set(display["evidence"])
    alike = len(said) == 1 < len(display)
    long, shown = any(len(cell) > ON_A_LINE for cell in [*display["share of"], *display["where"]]), order[:LISTED_LINKS]

    def pick() -> None:
        rows = value_of(widget_key(SLUG, "links")).selection.rows
        clique = clique_of_edge(result, *order[rows[0]]) if rows else None
        if clique is not None:
            choose_clique(clique, order[rows[0]])

    st.dataframe(
        display.drop(columns="evidence") if alike else display,
        hide_index=True,
        height=38 + BROKEN * len(shown) if long else 38 + 35 * len(shown),
        row_height=BROKEN if long else None,
        key=widget_key(SLUG, "links"),
        on_select=pick,
        selection_mode="single-row",
        column_config={
            "share of": st.column_config.TextColumn(help=SHARES, width=LEVELS),
            "where": st.column_config.TextColumn(width=LEVELS),
            **dict.fromkeys(WITH_ENDS.values(), st.column_config.TextColumn(width=ENDS)),
            "evidence": st.column_config.TextColumn(help=SAYS, width=LEVELS if held_fixed(result) else None),
        },
    )
    some = f"{LISTED_LINKS} of {len(table)} links in sight; scroll for the others. " * (len(table) > LISTED_LINKS)
    every = f"Evidence of each link: {said.pop()}. " * alike
    st.caption(f"{every}{some}Shares of the rows as they are, nothing held fixed. Select a row for its reading.")
    download_table(table, "links")


def _clicked(result: LogLinearResult, edges: list[Pair], outlines: Sequence[Outline], event: NetworkEvent) -> bool:
    """What a click changes: a link or an outline shows its group, a box the variable and the largest group it is in."""
    if event.edge:
        a, b = event.edge[:2]
        clique = clique_of_edge(result, a, b)
        if clique is not None:
            choose_clique(clique, next(edge for edge in edges if set(edge) == {a, b}))
            return True
    if event.group and event.group[0] < len(outlines):
        choose_clique(outlines[event.group[0]].members)
        return True
    if not pick_node(SLUG)(event):
        return False
    own = None if event.node is None else _own_clique(result, event.node)
    if own is not None:
        choose_clique(own)
    return True


def _own_clique(result: LogLinearResult, name: str) -> tuple[str, ...] | None:
    """The largest group a variable is in; the one on screen when it is in that."""
    mine = [clique for clique in result.linked_cliques if name in clique]
    current = chosen_clique(result)
    return current if current in mine else next(iter(mine), None)


def _show_method(result: LogLinearResult, data: Dataset) -> None:
    with method_part(result):
        _show_words(result)
        st.markdown(plain(result.caution))
        st.markdown(
            "A model is a set of links in which every circle of four and more variables has a shortcut, so that "
            "expected counts have a closed form: the counts of the groups (maximal cliques C) multiplied, those of "
            "what neighbouring groups share (separators S) divided out. From no link at all, the link that pays most "
            "is taken again and again until none pays. Under MML a link pays when it shortens the message that states "
            "the graph, the parameters and the data:"
        )
        st.latex(
            r"I = \log(1+M)+\log\binom{M}{|E|} + \log(N+1)\Big[\sum_C \#P(C)-\sum_S \#P(S)\Big] + "
            r"\sum_C L(C) - \sum_S L(S)"
        )
        st.latex(r"L(A)=\log N!-\sum_x\log O_A(x)!")
        st.markdown(
            "M counts the pairs of variables, E the links, N the rows, O the observed counts; a group has as many "
            "parameters as its table has cells, less one, declared levels counted whether seen or not. (Petitjean, "
            "Allison and Webb 2014; taking two links at once is an addition.) Evidence for a link is what the message "
            "would grow by without it. Residuals: adjusted ones, as far off as standard normal deviates when the link "
            f"is absent. {pays_from(max(round(result.size), 1), len(result.names))}"
        )
        settings, levels = st.columns(2, gap="large")
        with settings:
            show_settings(result)
        with levels:
            show_levels(data)


LABELS = {"Edges": "Links", "Not taken": "Links not taken"}


def show_exports(result: LogLinearResult, data: Dataset) -> None:
    """Tables, networks, the formula, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, linked(result), partial(strengths, result))
    edges = within(result.edge_values, names)[:MOST_EDGES]
    page = WebPage(
        "Web page, opens offline",
        "associations",
        "Which variables are linked",
        partial(_panels, result, edges, names),
        dict(model_positions(result, names)),
        legend(result),
    )
    graphs = [
        GraphFile("The model", "associations-model", lambda: result.graph),
        GraphFile("The same as a directed network", "associations-directed", result.directed),
    ]
    export_menu(
        result,
        data,
        stem="associations",
        labels=LABELS,
        pages=[page],
        graphs=graphs,
        formula=result.formula,
        printed="result.table('Edges')",
    )


def _panels(result: LogLinearResult, edges: Sequence[Pair], names: Sequence[str]) -> list[Panel]:
    return [model_panel(result, edges, None, model_positions(result, names))]
