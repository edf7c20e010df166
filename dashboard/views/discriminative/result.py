"""The whole result of class networks on screen: sentence, networks, one family, accuracy, comparisons, exports."""

from __future__ import annotations

from functools import partial
from inspect import signature
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.pages import METHOD_PAGES, address, page_title
from dashboard.session.keys import of_table, set_value, widget_key
from dashboard.session.labels import full_name, labelled
from dashboard.session.preparing import leave_out
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.discriminative.comparison import show_comparison
from dashboard.views.discriminative.family import choose_family, show_family, show_ranking
from dashboard.views.discriminative.lessons import show_lesson, show_switching
from dashboard.views.discriminative.networks import (
    ALL,
    BEYOND,
    DIFFERENCE,
    LINK_CHOICES,
    MOST_DRAWN,
    USED,
    drawn,
    first_choice,
    links,
    picture_words,
    status_words,
    supported,
)
from dashboard.views.discriminative.second_table import show_second_table
from dashboard.views.discriminative.verdicts import show_confusion, show_verdicts, tells_classes
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.exports import GraphFile, WebPage, export_menu, network_of
from dashboard.views.shared.neighbourhood import part_drawn, strengths
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.page_parts import choose_option
from dashboard.views.shared.sections import method_part, show_answer, show_other_sentences, show_settings
from engine.data.preparing.deciding.meaningful_names import known_late
from engine.methods.discriminative.families import leading_family
from engine.methods.discriminative.result import SLUG
from engine.telling.discriminative.accuracy import figure_rows
from engine.telling.discriminative.figures import MOST_LINKS, links_figure
from engine.telling.discriminative.wording import (
    afterwards_words,
    beaten,
    levels_sentence,
    link_sentence,
    links_in_short,
    permuted_sentence,
    what_it_is,
)
from engine.words import NO_BREAK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.network.component import NetworkEvent
    from dashboard.network.panel import Panel
    from engine.data.dataset import Dataset
    from engine.methods.discriminative.result import DiscriminativeResult
    from engine.text import Text

PANELS = "panels"
GROUP = "group"
"""The setting of a method that compares groups, variable by variable."""
PICTURE = 400
"""Pixels of the networks' height, so that the first screen has them whole."""


@st.fragment
def show_result(result: DiscriminativeResult, data: Dataset) -> None:
    """Everything below the title; a fragment, so that a click draws nothing else again."""
    named = leading_family(result) is not None
    menu = show_answer(result, data)
    if supported(result) or first_choice(result) != BEYOND:
        left, right = st.columns([11, 10], gap="small")
        with left:  # the ranking stands where the tables of the family, which are taller than the networks, leave room
            with st.container(border=True, gap="small"):
                _show_networks(result)
            _show_ranked(result)
        with right.container(border=True, gap="small", height="stretch"):
            show_family(result)
        _show_accuracy(result, data)
    else:  # no link is beyond chance: what is known comes first, and the networks are folded
        _show_accuracy(result, data, family=named)
        with st.expander("Networks of the classes"):
            _show_networks(result)
            if not named:
                show_family(result)
        _show_ranked(result)
    show_verdicts(result, data)
    with st.expander("Other methods, a second table"):
        show_comparison(result, data)
        show_second_table(result)
    with st.expander("Lessons"):
        show_lesson()
        show_switching()
    _show_method(result)
    with menu:
        show_exports(result, data)


def _show_ranked(result: DiscriminativeResult) -> None:
    """The ranking, closed."""
    with st.expander(f"Every variable in each network, ranked ({len(result.families())})"):
        show_ranking(result)


def _show_networks(result: DiscriminativeResult) -> None:
    """The networks and which of their links are drawn."""
    if len(result.names) > MOST_DRAWN:
        _show_many(result)
        return
    with st.container(horizontal=True, gap="small"):
        choice = _choose_network(result)
        which = choose_option(
            "Links",
            LINK_CHOICES,
            widget_key(SLUG, "links"),
            default=first_choice(result),
            format_func=LINK_CHOICES.__getitem__,
        )
    if which != BEYOND and (verdict := links_in_short(result)) and not supported(result):
        drawn_ones = "The links drawn are" if which == ALL else "Those drawn gain most and are"
        st.markdown(f"**{plain(verdict)}** {drawn_ones} not beyond chance.")
    titles = _titles(result, choice)
    panels, positions = drawn(result, titles, which)
    if not any(panel.edges for panel in panels):
        st.info(_nothing(result, which))
        return
    graphs = [result.graphs()[title] for title in result.networks]
    network_view(
        panels,
        positions or positions_of(result.names, graphs),
        widget_key(SLUG, "networks", choice, which),
        words=status_words(result),
        small=True,
        height=PICTURE,
        clicked=partial(_clicked, result, titles),
    )
    st.caption(" ".join(filter(None, [picture_words(panels), plain(labelled(levels_sentence(result)))])))


def _show_accuracy(result: DiscriminativeResult, data: Dataset, *, family: bool = False) -> None:
    """How accurate the networks are beside chance and one variable, and what was classified as what; or in between the
    family that separates most."""
    evaluation = result.held_out
    left, right = st.columns([11, 10], gap="small") if family else (st.container(), None)
    with left.container(border=True, gap="small", height="stretch" if family else "content"):
        st.markdown(f"**{plain(result.section('verdicts').title)}**")
        st.caption(plain(what_it_is(evaluation)))
        figures, counts = (st.container(), None) if family else st.columns([17, 8], gap="small")
    if not evaluation.too_few:
        figures.markdown(_as_table(figure_rows(evaluation, classes=tells_classes(evaluation))))
    if right is not None:
        with right.container(border=True, gap="small", height="stretch"):
            show_family(result)
    if counts is None:
        counts, figures = st.container(border=True, gap="small").columns([8, 13], vertical_alignment="center")
    with counts:
        show_confusion(evaluation, "confusion-first")
    with figures:
        _show_limits(result, data)


def _show_limits(result: DiscriminativeResult, data: Dataset) -> None:
    """What permutations of the class say, where to look if no link is supported, and what to leave out."""
    evaluation = result.held_out
    p_stands_above = not len(evaluation.null) or evaluation.too_few or beaten(evaluation)
    tested = [] if p_stands_above else [permuted_sentence(evaluation)]
    short_words = "" if supported(result) else links_in_short(result)
    st.markdown(plain(labelled(" ".join(filter(None, [*tested, short_words])))))
    target = result.method.target
    page = next((one for one in METHOD_PAGES.values() if GROUP in signature(one.method).parameters), None)
    if short_words and page is not None and page.fits(data):
        words = plain(f"Single variables by {short(target, 24)}: {page_title(page.slug)}")
        if st.button(words, type="tertiary", icon=page.icon, key=widget_key(SLUG, "singles")):
            set_value(widget_key(page.slug, GROUP, of_table(data)), target)
            session().page(page.slug).ask_run()
            st.switch_page(address(page))
    if evaluation.too_few:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plain(labelled(afterwards_words(result))), width="content")
        if session().table is not None:
            with st.popover("Leave out", icon=":material/remove_circle:", width="content"):
                key = widget_key(SLUG, "later", of_table(data))
                names = [name for name in result.names if name != target]
                later = st.multiselect(
                    "Variables, from all analyses of this table",
                    names,
                    known_late(names),
                    format_func=full_name,
                    key=key,
                )
                if st.button("Leave out, run again", disabled=not later, key=widget_key(SLUG, "without")):
                    _without(later, target)
                    st.rerun()  # the whole page, whose table is another


def _without(names: list[str], target: str) -> None:
    """Leave variables out of the table, and ask for the networks of the same classes."""
    leave_out(names)
    if (data := session().dataset) is not None:
        set_value(widget_key(SLUG, "target", of_table(data)), target)
        session().page(SLUG).ask_run()


def _as_table(rows: Sequence[Sequence[Text]]) -> str:
    """Small print in cells, the first row as their headings, figures unbroken, as Markdown."""
    cells = [[f":small[{plain(labelled(text))}]" if text else "" for text in row] for row in rows]
    lines = [cells[0], *([one, *(figure.replace(" ", NO_BREAK) for figure in figures)] for one, *figures in cells[1:])]
    lines.insert(1, [":--"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


READING = (
    "**Largest shift:** by how much one value of a variable, beside another, moves a share of the variable that its "
    "arrow points at; with 95 % intervals. **The networks.** Colour and dashes: the class in which the link shifts "
    "its child more, or that it turns its direction. Thick: gains much. Shaded: beyond chance. In series a link runs "
    "from step t to t+1. The tooltip says in how many of the folds' networks a link stands; folds share most of their "
    "data, so a high number is no evidence by itself."
)


HELD_OUT = (
    "Every figure about verdicts is of subjects held out: cut points, networks, boundary and choices are made without "
    "them. For p the classes are permuted within folds, and all of it is computed for each permutation."
)


def _nothing(result: DiscriminativeResult, which: str) -> str:
    """Why there is no link to draw."""
    if not len(links(result, ALL)):
        return "The networks have no link."
    if which == BEYOND and result.held_out.too_few:
        return f"No verdict on links, for the reason above. Choose *{LINK_CHOICES[USED]}* to see them all the same."
    if which == BEYOND and len(result.chance):
        return f"{plain(labelled(link_sentence(result)))} Choose *{LINK_CHOICES[USED]}* to see them all the same."
    if which == BEYOND:
        return f"No permutation test was run, so no link is tested. Choose *{LINK_CHOICES[USED]}*."
    return "This network has no link among those that were asked for."


def _show_many(result: DiscriminativeResult) -> None:
    """Too many variables for a picture of boxes; the links that gain most as a heat map."""
    ranked = links(result, ALL)
    most = min(MOST_LINKS, len(ranked))
    st.caption(
        f"{len(result.names)} variables are too many to draw: the {most} links that gain most, by what comes "
        "before (rows) and after (columns); the ranked table below has all of them."
    )
    show_figure(
        links_figure(ranked),
        "links",
        alt=f"What the {most} links that gain most gain.",
        key=widget_key(SLUG, "heat"),
    )


def _choose_network(result: DiscriminativeResult) -> str:
    titles = list(result.graphs())
    two = len(result.classes) == 2
    words = {DIFFERENCE: "Both in one", PANELS: "Two networks"}
    choices = [DIFFERENCE, PANELS, *titles] if two else titles
    ranked = links(result, first_choice(result))["network"]  # of more classes a network that has a link to begin with
    start = choices[0] if two or ranked.empty else str(ranked.iloc[0])

    def title(item: str) -> str:
        return words.get(item) or plain(short(item, 32))

    return str(choose_option("Network", choices, widget_key(SLUG, "network"), default=start, format_func=title))


def _titles(result: DiscriminativeResult, choice: str) -> list[str]:
    if choice == DIFFERENCE:
        return [DIFFERENCE]
    return list(result.graphs()) if choice == PANELS else [choice]


def _clicked(result: DiscriminativeResult, titles: list[str], event: NetworkEvent) -> bool:
    """An arc shows its family, of the network it was clicked in."""
    if event.edge:
        source, target, panel = event.edge
        return choose_family(result, (source, target), "" if titles == [DIFFERENCE] else titles[panel])
    return False


def _show_method(result: DiscriminativeResult) -> None:
    with method_part(result):
        show_other_sentences(result)
        st.markdown(plain(labelled(" ".join(result.section("verdicts").sentences))))
        st.markdown(f"{READING} {plain(labelled(result.caution))}")
        st.markdown(
            "Each class has a network of its own. With the counts of the class's own data (intra) and of all other "
            "data (extra, rescaled to as many observations), a family with parent configurations j and levels k is "
            "worth"
        )
        st.latex(
            r"\mathrm{PACL}=\sum_{j,k}\left(\eta^{\mathrm{intra}}_{jk}-\eta^{\mathrm{extra}}_{jk}\right)\log\theta_{jk}"
        )
        st.markdown(
            "which is large where the class's data are likely and the others' are not (equation 5 of Burge and Lane "
            "2005). The best parents are sought family by family; shown is what they gain: PACL over that without "
            "parents, less the parameters they add, since PACL alone always grows. *p*: the whole search is "
            "repeated with classes permuted among subjects; the share of permutations whose best link gains as much. "
            "A subject is classified by"
        )
        st.latex(r"c_1+c_2\,\ell_{\mathrm{own}}+c_3\,\ell_{\mathrm{others}}>0")
        st.markdown(
            "with the mean log-likelihoods of its observations by both networks; c is fitted by least squares (section "
            f"4.3), or is the likelihood ratio. {HELD_OUT}"
        )
        show_settings(result)


def show_exports(result: DiscriminativeResult, data: Dataset) -> None:
    """Tables, networks (of series with the names of both steps), the whole result, and the Python that repeats it."""
    titles = list(result.graphs())
    positions = drawn(result, titles, ALL)[1]
    boxes = tuple(positions) or part_drawn(SLUG, result.names, lambda: strengths(_panels(result)))
    positions = positions or dict(positions_of(boxes, list(result.graphs().values())))
    page = WebPage(
        "Web page, opens offline",
        "class-networks",
        "Networks of classes",
        partial(_panels, result),
        positions,
        status_words(result),
        names=boxes,
    )
    graphs = [
        GraphFile(
            short(title, 24),
            f"class-network-{number + 1}",
            partial(network_of, result, title),
            fitted=partial(result.fitted, title),
        )
        for number, title in enumerate(titles)
    ]
    export_menu(result, data, pages=[page], graphs=graphs, printed="result.families().head(10)")


def _panels(result: DiscriminativeResult) -> list[Panel]:
    return drawn(result, list(result.graphs()), ALL)[0]
