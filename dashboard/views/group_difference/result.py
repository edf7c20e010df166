"""The whole answer of a group comparison on screen: sentence, variables, one of them, networks, doubts, exports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import streamlit as st

from dashboard.charts import group_difference as charts
from dashboard.forms.settings_form import live_settings
from dashboard.session.keys import value_of, widget_key
from dashboard.session.labels import labelled, shown_names, with_code
from dashboard.session.masking import sentences_shown
from dashboard.session.session import session
from dashboard.text import distinct, plain, short
from dashboard.views.group_difference.arms import choose_arm, offer_groups, show_arms
from dashboard.views.group_difference.networks import (
    CHOICES,
    LEAST,
    about_links,
    averaged,
    chosen_panels,
    drawn_networks,
    links,
    nodes,
    panels,
    status_words,
    verdict_legend,
)
from dashboard.views.group_difference.reading import pick, picked, selected, show_variable
from dashboard.views.group_difference.resampling import checked, known_shuffles, show_background, show_resampling
from dashboard.views.shared.downloads import show_with_file
from dashboard.views.shared.exports import GraphFile, WebPage, export_menu, network_of
from dashboard.views.shared.neighbourhood import choose_part, part_of
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.page_parts import choose_option
from dashboard.views.shared.running import computed_here
from dashboard.views.shared.sections import show_answer, show_other_sentences, show_settings
from dashboard.views.shared.table_one import show_table_one
from engine.data.units import name_without_unit
from engine.methods.group_difference.result import SLUG
from engine.methods.group_difference.rows.groups import split_groups
from engine.telling.charts.labels import without_beginnings
from engine.telling.group_difference.one_variable import above_lowest, headings, order_words, without_means
from engine.telling.group_difference.tables import widths
from engine.telling.group_difference.wording import below_headline, table_rules, verdict_rules
from engine.telling.sections import METHOD_TITLE
from engine.telling.table_one import ODD, marked, odd_values
from engine.telling.terms import TERMS
from engine.words import count, in_percent, odds_phrase, probability

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dashboard.network.component import NetworkEvent
    from dashboard.session.caches import Point
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.arms import ArmsResult
    from engine.methods.group_difference.resampling import Null
    from engine.methods.group_difference.result import GroupDifferenceResult

PICTURE = 370
"""Pixels of the networks' height, so that the first screen has them whole and five rows of the table."""
ROOM = 540.0
"""Pixels of their width, beside the reading."""
IN_HEADING = 10
"""Letters of a group's name above a column."""
IN_NARROW, IN_COLUMN = 22, 24
"""Letters of a variable in the table, where the column is narrow and wide."""
ADJUSTED = (
    "Adjusted: among rows alike in the variable's likeliest parents, named in its card; –: no one figure tells it."
)
ARROWS = (
    "An arrow stands where the direction is clear; it is not a cause. Unless the groups were randomised, a difference "
    "need not be an effect of the group."
)

Answer = TypeVar("Answer", "GroupDifferenceResult", "ArmsResult")


def show_result(result: GroupDifferenceResult | ArmsResult, data: Dataset) -> None:
    """The whole page, and below it what runs in the background, which is drawn apart: a click never waits for it."""
    if result.several:
        _show_arms(cast("ArmsResult", result), data)
        return
    result = cast("GroupDifferenceResult", result)
    _show_reading(result, data)
    if computed_here(result):  # one read from a file computes nothing by itself
        show_background(result, data)


@st.fragment
def _show_arms(learned: ArmsResult, data: Dataset) -> None:
    """Every arm against the control: the table of all first, then the pictures of the one that is chosen."""
    head, table, picture = st.container(), st.container(), st.container()
    with st.expander("Prior and margin"):
        answer = with_controls(learned)
    with st.expander(METHOD_TITLE):
        show_other_sentences(answer)
        show_settings(answer)
    with head:
        about = f"{answer.method.group}: {' v '.join(map(_with_rows, answer.labels, answer.n))}"
        menu = show_answer(answer, data, about)
        _offer_groups(learned, data)
    with picture:
        pair = choose_arm(answer)
        names, positions = _show_pictures(pair, data)
    with table:
        _show_tables(answer, partial(show_arms, answer, pair))
    with menu:
        export_menu(answer, data, pages=[_web_page(pair, names, positions)], printed="result.arms()")


def _offer_groups(learned: GroupDifferenceResult | ArmsResult, data: Dataset) -> None:
    """Other groups to compare, of an answer that was computed here and is shown on its own page."""
    if computed_here(learned) and session().page(SLUG).opened is None:
        offer_groups(learned, data)


def _show_pictures(result: GroupDifferenceResult, data: Dataset) -> tuple[Sequence[str], Mapping[str, Point]]:
    """Networks at the left, the selected variable at the right; who is drawn, and where."""
    left, right = st.columns([5, 3], gap="small")
    below = st.container()
    with left.container(border=True, gap="small", height="stretch"):
        drawn = _show_networks(result)
    with right.container(border=True, gap="small", height="stretch"):
        show_variable(result, data, below)
    return drawn


@st.fragment
def _show_reading(result: GroupDifferenceResult, data: Dataset) -> None:
    """What the reader moves and picks; a fragment, so that moving the prior or the margin draws nothing else again."""
    learned = result
    head, picture, table = st.container(), st.container(), st.container()
    with st.expander("Prior and margin"):
        result = with_controls(learned)
    show_resampling(learned, result, data)
    drawer = st.expander(METHOD_TITLE, key=widget_key(SLUG, "details"), on_change="rerun")
    with drawer:
        result = with_published(result)
        if drawer.open:
            _show_details(result, learned, data)
    with head:
        about = f"{result.method.group}: {' v '.join(map(_with_rows, result.labels, result.n))}"
        beside = [*below_headline(result)[1:], *checked(learned, result, data)[:1]]
        menu = show_answer(result, data, about, " ".join(beside))
        _offer_groups(learned, data)
    with picture:
        names, positions = _show_pictures(result, data)
    with table:
        _show_tables(result, partial(_show_variables, result))
    with menu:
        show_exports(result, data, names, positions)


def _with_rows(label: str, rows: int) -> str:
    return f"{short(label, 24)} (n\u00a0=\u00a0{rows:,})"


def _show_tables(result: GroupDifferenceResult | ArmsResult, show_differences: Callable[[], None]) -> None:
    """What differs, or who is compared: the one that is chosen."""
    tables = ["Differences", "Table 1"] if result.described is not None else ["Differences"]
    key = widget_key(SLUG, "tables", *result.labels)
    if choose_option("Table", tables, key, help="Table 1 describes the rows of each group.") == tables[0]:
        show_differences()
    else:
        show_table_one(result.table_one(), SLUG)


def _show_variables(result: GroupDifferenceResult) -> None:
    """Every variable by its P(differs): verdict, what, both groups in their units, and both differences."""
    variables = charts.by_probability(above_lowest(result, without_means(result, result.variables())))
    order, known = order_words(result, IN_HEADING), shown_names()
    units = variables["unit"].items()
    called = [with_code(str(name)) if name in known else name_without_unit(str(name), unit) for name, unit in units]
    groups = distinct(headings(result, IN_HEADING), IN_HEADING)
    every = zip(distinct(called, IN_COLUMN), variables.index, strict=True)
    called = [marked(name, str(own), result.described) for name, own in every]
    display = charts.variables_display(variables, result.method.margin, order, called, (groups[0], groups[1]))
    notes = zip(variables.iterrows(), display["note"], strict=True)
    display["note"] = [widths(result, row) or labelled(text) for (_, row), text in notes]
    brief = {
        name: dict(zip(own, without_beginnings(own, charts.IN_LEVEL), strict=True))
        for name, own in result.levels.items()
    }
    told = zip(variables.index, display[charts.UNIT_OR_LEVEL], strict=True)
    display[charts.UNIT_OR_LEVEL] = [
        charts.end_of_scale(text, result.levels[str(name)] if name in result.ordered else ())
        or brief[str(name)].get(text, text)
        for name, text in told
    ]
    key = widget_key(SLUG, "table")
    long = {group: any(len(text) > 12 for text in display[group]) for group in groups}
    wide = any(len(text) > IN_NARROW for text in called)
    st.dataframe(
        charts.tinted(display, variables, picked(result), order),
        hide_index=True,
        key=key,
        height=min(740, 38 + 35 * len(display)),
        on_select=partial(_pick_row, key, list(variables.index)),
        selection_mode="single-row",
        placeholder="–",
        column_config=_columns(order, wide, long, charts.verdict_colours(variables, result.method.margin)),
    )
    odd = sentences_shown(result, filter(None, [odd_values(result.described)]))
    about = (
        f"{order_words(result)}, 95 % intervals (for all levels of a variable at once, not for all variables): means "
        "in the unit, shares in percentage points (pp)"
    )
    if charts.has_ranges(variables):
        about += "; of a number pp of a range, where values look like errors or means do not show what differs"
    rules = table_rules(result)
    said = [*(f"{ODD} {text}" for text in odd), f"{about}. {ADJUSTED}", ARROWS]
    st.caption("\n".join([plain(" ".join(said)), "", *(f"- {plain(rule)}" for rule in rules)]))
    with st.expander("What the verdicts mean"):
        st.markdown("\n".join(f"- {plain(rule)}" for rule in verdict_rules(result)[len(rules) :]))


def _columns(order: str, wide: bool, groups: dict[str, bool], verdicts: dict[str, str]) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    overall, given = charts.difference_columns(order)
    told = "Mean (SD) of a number, median [25 %, 75 %] where means are left out; rows (share) of the level."
    return {
        "variable": text(width=168 if wide else 138),
        charts.UNIT_OR_LEVEL: text(width=92),
        "verdict": st.column_config.MultiselectColumn(options=list(verdicts), color=list(verdicts.values()), width=144),
        "P(differs)": number(help=TERMS["P(differs)"], width=66),
        **{group: text(width=106 if long else 84, help=told) for group, long in groups.items()},
        overall: number(help=f"{order}. {TERMS['Overall']}", width=138),
        given: number(
            help=f"The verdict is of this one; empty where it differs overall only. {TERMS['Adjusted']}",
            width=138,
        ),
        "note": text(
            width=142,
            help="What differs. Average: over all contexts, where the difference shown is of the one that decides. "
            "Rows each: for so large a difference to reach P(differs) 95 %. A context: where it differs, though "
            "overall no difference is seen.",
        ),
    }


def _show_networks(result: GroupDifferenceResult) -> tuple[Sequence[str], Mapping[str, Point]]:
    """The networks of the groups, as one of differences, by themselves or side by side; who is drawn, and where."""
    first, second = distinct(result.labels, 10)
    words = dict(zip(CHOICES, ("Difference", first, second, "Pooled", "Side by side"), strict=True))
    choice = st.segmented_control(
        "Network",
        CHOICES,
        default=CHOICES[0],
        required=True,
        format_func=lambda item: plain(words[item]),
        key=widget_key(SLUG, "network"),
        label_visibility="collapsed",
        help=about_links(result),
    )
    chosen = picked(result)
    names = choose_part(
        SLUG,
        result.names,
        partial(links, result),
        spotlight=[] if chosen is None else [chosen],
        by="that differ most",
    )
    drawn = [part_of(panel, names) for panel in chosen_panels(result, choice or CHOICES[0], names)]
    positions = positions_of(names, drawn_networks(result), nodes=nodes(result, names), room=ROOM)
    event = network_view(
        drawn,
        positions,
        widget_key(SLUG, "networks", choice or CHOICES[0]),
        picked=chosen,
        words=status_words(result) | verdict_legend(result),
        clicked=_pick_clicked,
        small=True,
        height=PICTURE,
        least=LEAST if averaged(result) else (),
    )
    if event.edge:
        source, target, panel = event.edge
        st.info(plain(f"{source} and {target}, linked in {drawn[panel].title}; {target} is shown beside."))
    return names, positions


def _pick_clicked(event: NetworkEvent) -> bool:
    """A box, or the head of an arc, is the variable shown above; there always is one."""
    clicked = event.node or (event.edge[1] if event.edge else None)
    changed = clicked is not None and clicked != session().picked.get(SLUG)
    if clicked is not None:
        pick(clicked)
    return changed


def _show_details(result: GroupDifferenceResult, learned: GroupDifferenceResult, data: Dataset) -> None:
    """What else is said, how it is computed, the paper's own numbers, contexts in full, settings."""
    st.markdown(plain(labelled(" ".join([*result.sentences()[1:], *checked(learned, result, data), *result.notes()]))))
    st.markdown(
        "A *block* is one combination of values of a variable's parents. In each block the rows are explained "
        "once with separate probabilities in the two groups, and once with the same. P(differs) averages over "
        "all orders of the variables and all parent sets S that they allow; w(S) multiplies the blocks of S. The "
        "prior that nothing differs is spread evenly over all blocks. The contexts shown are the blocks of S\\*, the "
        "likeliest parents. *Marginally*: a permutation test, corrected by Holm. The paper's own numbers (Sverchkov "
        "and Cooper 2015) use one order:"
    )
    st.latex(r"O_i = \prod_{\eta=1}^{H_i}\left(e^{b_{i\eta}}\,\frac{1-p_{i\eta}}{p_{i\eta}} + 1\right) - 1")
    show_odds(result, known_shuffles(learned, data))
    name = selected(result)
    st.markdown(plain(labelled(" ".join(result.explain(name)))))
    table = result.contexts(name)
    if len(table) > 1:
        st.caption(plain(result.adding_up(name)))
    show_with_file(charts.contexts_display(table), "contexts-of-one-variable")
    show_settings(result)


def _pick_row(key: str, names: list[str]) -> None:
    rows = value_of(key).selection.rows
    if rows:
        pick(names[rows[0]])


BOTH = "both together"


def show_exports(
    result: GroupDifferenceResult, data: Dataset, names: Sequence[str], positions: Mapping[str, Point]
) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
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
    page = _web_page(result, names, positions)
    export_menu(result, data, pages=[page], graphs=graphs, printed="result.variables()")


def _web_page(result: GroupDifferenceResult, names: Sequence[str], positions: Mapping[str, Point]) -> WebPage:
    """The networks as a page of their own."""
    return WebPage(
        "Web page, opens offline",
        "networks",
        "Networks of two groups",
        partial(panels, result, names),
        dict(positions),
        status_words(result) | verdict_legend(result),
        names=names,
    )


def _rows(result: GroupDifferenceResult, data: Dataset, number: int) -> Dataset:
    """The rows that a network was learned on."""
    groups = split_groups(result.method, data)
    return (groups.first, groups.second, groups.pooled)[number]


ABOUT = {"overall": "for all variables at once", "variable": "for each variable", "context": "for each context"}
"""What the paper's prior is about, by `p_level`."""
NEXT = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Priors of another run, to choose from where this one's cannot be moved."""


def with_controls(result: Answer) -> Answer:
    """The result under the prior and the margin that the reader chooses here."""
    answer: Any = result
    average = (answer.pairs[0] if answer.several else answer).average
    if average is not None and average.families is not None:
        st.markdown(
            "**Prior**: how likely it is, before seeing the data, that nothing differs. **Margin**: a variable is "
            "called equivalent only where a larger difference is improbable. Both act at once."
        )
        method, _ = live_settings(result.method, (5, 5, 3), ("p_none", "margin"))
        return result.with_prior(p_none=method.p_none).with_margin(method.margin)
    if average is not None:
        st.markdown(
            f"Orders of {len(result.names):,} variables were drawn under a prior probability of "
            f"{result.method.p_none:g} that nothing differs. Another prior takes another run."
        )
        _rerun_controls(result.method.p_none)
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
        page.ask_run()
        st.rerun()


def with_published(result: GroupDifferenceResult) -> GroupDifferenceResult:
    """The result under the prior and the alignment that the reader chooses for the paper's own numbers."""
    if result.average is not None:
        st.markdown("No verdict rests on these odds. They hold under one order of the variables.")
    method, _ = live_settings(result.method, (5, 3, 4), ("p_same", "p_level", "alignment"))
    return result.with_prior(method.p_same, method.p_level).with_alignment(method.alignment)


def show_odds(result: GroupDifferenceResult, null: Null | None) -> None:
    """The published odds, overall and by variable; beside them what permuted labels reach."""
    overall = result.overall_log_odds
    sentences = [*result.section("paper").sentences]
    sentences.append(
        f"They start from a prior probability of {result.method.p_same:g} for 'no difference' "
        f"{ABOUT[result.method.p_level]}."
    )
    top = result.ranking().iloc[0]
    if top["log10_odds"] > 0:
        sentences.append(
            f"The strongest is {top.name}, {odds_phrase(result.log_odds[top.name])} a difference, "
            f"{probability(top['p_different'], 'P(different)')}."
        )
        sentences.append(f"A prior of {probability(top['tipping_prior'])} for 'no difference' would make it even.")
    if null is not None:
        share = null.with_settings(result.method).share_overall(overall)
        sentences.append(
            f"Of {count(len(null.stacks), 'permutation')} of the labels, the table itself counted too, "
            f"{in_percent(share, 1)} reach as "
            "much overall."
        )
    st.markdown(plain(labelled(" ".join(sentences))))
    table = result.ranking()
    if null is not None:
        shuffled = null.with_settings(result.method).table(result.log_odds)
        table = table.join(shuffled["share_as_high"].rename("share of permutations as high"))
    display = charts.odds_display(table)
    signed = dict.fromkeys(("log10 odds", "prior", "published", "common parents", "without parents"), 2)
    shares = [name for name in ("P(different)", "tipping prior", "share of permutations as high") if name in display]
    show_with_file(display, "published-odds", probabilities=shares, signed=signed, key=widget_key(SLUG, "odds"))
