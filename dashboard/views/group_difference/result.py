"""The whole answer of a group comparison on screen: sentence, variables, one of them, networks, doubts, exports."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts import group_difference as charts
from dashboard.forms.settings_form import live_settings, set_levels
from dashboard.session.caches import cached
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import labelled, labelled_table
from dashboard.session.session import session
from dashboard.text import distinct, plain, short
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
from dashboard.views.group_difference.resampling import checked, known_shuffles, show_background, show_resampling
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.exports import GraphFile, WebPage, export_menu, network_of
from dashboard.views.shared.neighbourhood import choose_part, part_of
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.running import computed_here
from dashboard.views.shared.sections import show_answer, show_settings
from engine.methods.group_difference.figures import reading_figure, shares_of
from engine.methods.group_difference.groups import split_groups
from engine.methods.group_difference.result import SLUG
from engine.methods.group_difference.verdicts import ALL_ROWS, Verdict, verdict_words
from engine.methods.group_difference.wording import order_words, verdict_rules
from engine.methods.group_pair import likely_pair
from engine.terms import TERMS
from engine.words import count, in_percent, odds_phrase, probability

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dashboard.network.component import NetworkEvent
    from dashboard.network.panel import Point
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.resampling import Null
    from engine.methods.group_difference.result import GroupDifferenceResult

MOST_LEVELS = 8
"""Levels of a group up to which every pair is offered."""
PICTURE = 300
"""Pixels of the networks' height, so that the first screen has them whole and five rows of the table."""
ROOM = 420.0
"""Pixels of their width, beside the reading."""
IN_HEADING = 10
"""Letters of a group's name above a column."""
IN_COLUMN = 20
"""Letters of a variable's name in the table, which cuts what is longer without a mark."""


def show_result(result: GroupDifferenceResult, data: Dataset) -> None:
    """The whole page, and below it what runs in the background, which is drawn apart: a click never waits for it."""
    _show_reading(result, data)
    if computed_here(result):  # one read from a file computes nothing by itself
        show_background(result, data)


@st.fragment
def _show_reading(result: GroupDifferenceResult, data: Dataset) -> None:
    """What the reader moves and picks; a fragment, so that moving the prior or the margin draws nothing else again."""
    learned = result
    head, picture, table = st.container(), st.container(), st.container()
    with st.expander("Prior and margin"):
        result = with_controls(learned)
    show_resampling(learned, result, data)
    drawer = st.expander(result.section("method").title, key=widget_key(SLUG, "details"), on_change="rerun")
    with drawer:
        result = with_published(result)
        if drawer.open:
            _show_details(result, learned, data)
    with head:
        about = f"{result.method.group}: {' v '.join(map(_with_rows, result.labels, result.n))}"
        menu = show_answer(result, data, about, " ".join(checked(learned, result, data)[:1]))
        if computed_here(learned) and session().page(SLUG).opened is None:
            _offer_other_pairs(learned, data)
    with picture:
        left, right = st.columns([3, 2], gap="small")
        with left.container(border=True, gap="small", height="stretch"):
            names, positions = _show_networks(result)
        with right.container(border=True, gap="small", height="stretch"):
            _show_variable(result)
    with table:
        _show_variables(result)
    with menu:
        show_exports(result, data, names, positions)


def _offer_other_pairs(result: GroupDifferenceResult, data: Dataset) -> None:
    """Of a group with more than two levels every pair, and each level against the rest; a choice runs it."""
    group = result.method.group
    levels = data.levels[group]
    if not 2 < len(levels) <= MOST_LEVELS:
        return
    pair, why = cached(data, likely_pair, group)
    ordered = sorted(levels, key=lambda level: pair is None or level != pair[0])  # a control is the first of each pair
    current = result.method.groups or result.labels
    pairs = [*combinations(ordered, 2), *((level,) for level in ordered)]
    pairs = [current if set(item) == set(current) else item for item in pairs]
    start = pairs.index(current) if current in pairs else None
    words = {item: f"{short(item[0], 24)} v {short(item[1], 24) if len(item) > 1 else 'the rest'}" for item in pairs}
    key, wanted = widget_key(SLUG, "pair", *current), session().choices.setdefault(widget_key(SLUG, "wanted"), {})

    def ask() -> None:
        """Let the form say so, and the page run it; once, since the page may have to wait for the form."""
        chosen, page = value_of(key), session().page(SLUG)
        set_levels(SLUG, "groups", data, group, chosen)
        page.settings = {**page.settings, "group": group, "groups": chosen}
        page.ask_run()
        wanted["now"] = True

    place, about = st.columns([2, 5], vertical_alignment="center")
    place.selectbox(
        "Compared",
        pairs,
        index=start,
        format_func=words.__getitem__,
        key=key,
        label_visibility="collapsed",
        on_change=ask,
    )
    opened = f" {why}" if pair == current else ""
    about.caption(plain(f"{group} has {len(levels)} levels; choose any two here, or one against the rest.{opened}"))
    if wanted.pop("now", False):
        st.rerun()


def _with_rows(label: str, rows: int) -> str:
    return f"{short(label, 24)} (n\u00a0=\u00a0{rows:,})"


def _show_variable(result: GroupDifferenceResult) -> None:
    """One level of the selected variable in both groups: the context that decides, then the others."""
    name = _choose_variable(result)
    row, place, labels = result.variables().loc[name], result.where(name), result.labels
    level = place.level if place is not None else result.levels[name][-1]
    if len(levels := result.levels[name]) > 2:
        level = str(
            st.selectbox(
                "Level",
                levels,
                index=levels.index(level),
                format_func=lambda item: f'level "{short(item, 40)}"',
                key=widget_key(SLUG, "level", name),
                label_visibility="collapsed",
            )
        )
    differences = result.differences(name, level)
    deciding = differences.iloc[0]
    st.markdown(
        f"{_tag(row['verdict'], result.method.margin)} **{plain(_context_name(str(deciding['context'])))}**  \n"
        + plain(f'"{short(level, 30)}": {charts.difference_words(deciding, order_words(result))}')
    )
    if beside := charts.interval_note(deciding, row["verdict"]):
        st.caption(beside)
    shares = shares_of(result, name, level)
    figure = session().figures.of(reading_figure, differences, shares, labels, result.names)
    alt = charts.reading_alt(name, level, len(differences))
    show_figure(figure, "one-variable", alt=alt, key=widget_key(SLUG, "contexts"))


def _tag(verdict: str, margin: float) -> str:
    """The verdict as a coloured word with its sign."""
    style = charts.VERDICT_STYLES[Verdict(verdict)]
    return f":{charts.TAGS.get(Verdict(verdict), 'gray')}-badge[{style.sign} {plain(verdict_words(verdict, margin))}]"


def _context_name(context: str) -> str:
    return "All rows" if context == ALL_ROWS else context


def _show_variables(result: GroupDifferenceResult) -> None:
    """Every variable by its P(differs): verdict and both differences; where it differs stands in the reading."""
    variables = charts.by_probability(result.variables())
    order = order_words(result, IN_HEADING)
    display = labelled_table(charts.variables_display(variables, result.method.margin, order))
    display["variable"] = distinct(display["variable"], IN_COLUMN)
    key = widget_key(SLUG, "table")
    st.dataframe(
        charts.tinted(display, variables, _picked(result), order),
        hide_index=True,
        key=key,
        height=min(560, 38 + 35 * len(display)),
        on_select=partial(_pick_row, key, list(variables.index)),
        selection_mode="single-row",
        column_config=_columns(order, charts.verdict_colours(variables, result.method.margin)),
    )
    about = f"Differences are of the share of “level”, {order_words(result)}, in percentage points; 95 % intervals."
    st.caption(plain(" ".join([about, *verdict_rules(result)])))


def _columns(order: str, verdicts: dict[str, str]) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    given, marginally = charts.difference_columns(order)
    return {
        "variable": st.column_config.TextColumn(width=150),
        "level": st.column_config.TextColumn(width=105),
        "verdict": st.column_config.MultiselectColumn(options=list(verdicts), color=list(verdicts.values()), width=150),
        "P(differs)": number(help=TERMS["P(differs)"], width=75),
        given: number(help=f"In percentage points. {TERMS['Given its parents']}"),
        marginally: number(help=f"{order}, in percentage points. {TERMS['Marginally']}", width=125),
        "p, corrected": number(help=f"Of the permutation test. {TERMS['p, corrected']}", width=95),
        "note": st.column_config.TextColumn(
            width=175,
            help="Average: over all contexts, where the difference shown is of the one that decides. "
            "P(larger): of a difference over the margin. Rows a group: for P(differs) of .95.",
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
    picked = _picked(result)
    names = choose_part(
        SLUG,
        result.names,
        partial(links, result),
        spotlight=[] if picked is None else [picked],
        by="that differ most",
    )
    drawn = [part_of(panel, names) for panel in chosen_panels(result, choice or CHOICES[0], names)]
    positions = positions_of(names, drawn_networks(result), nodes=nodes(result, names), room=ROOM)
    event = network_view(
        drawn,
        positions,
        widget_key(SLUG, "networks", choice or CHOICES[0]),
        picked=picked,
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
        _pick(clicked)
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
    name = _selected(result)
    st.markdown(plain(labelled(" ".join(result.explain(name)))))
    table = result.contexts(name)
    if len(table) > 1:
        st.caption(plain(result.adding_up(name)))
    show_with_file(charts.contexts_display(table), "contexts-of-one-variable")
    show_settings(result)


# -- the variable in the spotlight ------------------------------------------------------------------------------------


def _picked(result: GroupDifferenceResult) -> str | None:
    name = session().picked.get(SLUG)
    return name if name in result.names else None


def _selected(result: GroupDifferenceResult) -> str:
    """The variable whose contexts are shown; to begin with the one of most evidence."""
    return _picked(result) or str(result.variables().index[0])


def _pick(name: str) -> None:
    session().picked[SLUG] = name


def _choose_variable(result: GroupDifferenceResult) -> str:
    """The select box of variables, kept in step with clicks on bars, rows and nodes."""
    order = list(result.variables().index)
    key = widget_key(SLUG, "variable")
    set_value(key, _selected(result))
    st.selectbox("Variable", order, key=key, on_change=lambda: _pick(value_of(key)), label_visibility="collapsed")
    return str(value_of(key))


def _pick_row(key: str, names: list[str]) -> None:
    rows = value_of(key).selection.rows
    if rows:
        _pick(names[rows[0]])


BOTH = "both together"


def show_exports(
    result: GroupDifferenceResult, data: Dataset, names: Sequence[str], positions: Mapping[str, Point]
) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    page = WebPage(
        "Web page, opens offline",
        "networks",
        "Networks of two groups",
        partial(panels, result, names),
        dict(positions),
        status_words(result) | verdict_legend(result),
        names=names,
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
    export_menu(result, data, pages=[page], graphs=graphs, printed="result.variables()")


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
            "called equivalent only where a larger difference is improbable. Both act at once."
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
