"""The page from its first line to its drawers and its files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.compared import difference_title, link_panels, links_of, structure_panels
from dashboard.pages import COMPARE
from dashboard.session.cards import Card
from dashboard.session.comparing import Comparisons
from dashboard.session.keys import widget_key
from dashboard.session.labels import full_name
from dashboard.session.masking import smallest_cell
from dashboard.session.session import session
from dashboard.text import distinct, plain
from dashboard.views.compare.pictures import show_pictures
from dashboard.views.compare.request import DRAWS_KEY, PRIOR_KEY, SEED_KEY, settings
from dashboard.views.compare.shuffles import show_shuffles
from dashboard.views.shared.downloads import file_name
from dashboard.views.shared.exports import PaperFile, WebPage, comparison_python, export_menu
from dashboard.views.shared.network_view import positions_of
from dashboard.views.shared.page_parts import page_head, show_sentence
from dashboard.views.shared.sections import show_sections, show_settings, show_table
from engine.exchange.safe_csv import to_csv
from engine.telling.charts.labels import difference_name
from engine.telling.comparison.paper import links_table, methods_paragraph, nodes_table, paper_page
from engine.telling.comparison.wording import (
    node_sentences,
    sums,
    together,
    verdict_counts,
)
from engine.telling.terms import SHOWN
from engine.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from dashboard.network.panel import Panel
    from dashboard.views.compare.request import ComparisonRequest
    from engine.comparison.result import ComparisonResult


def show_comparison(request: ComparisonRequest) -> None:
    """The sentence, how sure it is, the pictures, and the rest in drawers."""
    result = request.result
    kept = session().state(Comparisons).kept
    if result.group and result.test is not None and request.card is None and request.key not in kept:
        _keep(request)  # the conclusion is a result as its two halves are, and stands before them
        kept.add(request.key)
    with st.sidebar:
        _offer_to_keep(request)
    if smallest_cell():
        show_sections(result, None)
        return
    said = (
        [*result.how_sure(), together(result), verdict_counts(result)] if result.test is not None else [result.no_test]
    )
    with st.container(gap="xsmall"):
        with page_head(COMPARE.slug, COMPARE.title, _about(request), of_table=True):
            menu = st.container(width="content")
        show_sentence(COMPARE.slug, result.headline(), " ".join(filter(None, said)))
        show_pictures(request)
    notes = [note for note in result.notes() if note not in said]
    if result.test is not None:
        show_shuffles(request)
    show_tables(request)
    show_details(request, notes)
    with menu:
        export_menu(
            result, None, stem=STEM, pages=_pages(request), python=comparison_python(result), paper=_paper(result)
        )


def _about(request: ComparisonRequest) -> str:
    """What is compared, in a few words."""
    result = request.result
    kinds = {type(answer.method).title.lower() for answer in result.learned}
    kind = kinds.pop() if len(kinds) == 1 else "networks"
    source = f", {request.source}" if request.source else ""
    return f"{kind} of {count(len(result.names), 'variable')}{source}"


def _offer_to_keep(request: ComparisonRequest) -> None:
    """A button that makes a result of the comparison, with a star; where it is one, what it is called."""
    cards = session().cards
    card = request.card
    if card is not None and card in cards:
        if card.result is not request.result:
            cards.change(card, result=request.result)
        if card.starred:
            st.caption(f":material/star: In the report as *{plain(card.name())}*")
            return
    if st.button("Keep this comparison", icon=":material/star:", width="stretch", key=widget_key(COMPARE.slug, "keep")):
        kept = _keep(request)
        cards.put_in_report(kept)
        cards.change(kept, title=kept.title or name_of(request))
        st.rerun()


def _keep(request: ComparisonRequest) -> Card:
    """The card of this comparison among the results."""
    whole = session().dataset
    result = request.result
    data = whole if whole is not None and result.test is not None and whole.is_of(result.fingerprint) else None
    card = Card(request.key, result, data, request.source, pressed=False, names=session().names)
    return session().cards.add(card)


def name_of(request: ComparisonRequest) -> str:
    """What a comparison is called among the results: what is compared, not how."""
    result = request.result
    if not result.group:
        return " v ".join(reversed(request.names))
    return f"{type(result.answers[0].method).title}: {result.short_title()}"


def _pages(request: ComparisonRequest) -> list[WebPage]:
    """The three networks as a page of their own."""
    result = request.result
    titles = result.structure().titles() if result.test is None else ()
    if result.test is None and not titles:
        return []
    graph = result.structure().graph(titles[0]) if titles else result.graphs()[difference_title(result, request.pair)]

    def panels() -> Sequence[Panel]:
        if titles:
            return structure_panels(result, request.heads(), titles[0])
        return link_panels(result, request.pair, request.heads(), links_of(result, request.pair), None)

    positions = dict(positions_of(list(result.names), [graph]))
    return [WebPage("Networks (web page)", "comparison-networks", result.headline(), panels, positions)]


def _paper(result: ComparisonResult) -> list[PaperFile]:
    """Text and tables for a word processor, where links were tested."""
    if result.test is None:
        return []
    labels, csv = {name: full_name(name) for name in result.names}, "text/csv"
    return [
        PaperFile(label, file_name(f"{STEM}-{stem}", ending), media, make)
        for label, stem, ending, media, make in (
            ("Methods and tables (for Word)", "paper", "html", "text/html", partial(paper_page, result, labels)),
            ("Methods paragraph", "methods", "txt", "text/plain", partial(methods_paragraph, result)),
            ("Links, APA (CSV)", "apa-links", "csv", csv, lambda: to_csv(links_table(result, labels))),
            ("Nodes, APA (CSV)", "apa-nodes", "csv", csv, lambda: to_csv(nodes_table(result, labels))),
        )
    ]


STEM = "comparison"
DRAWS = (999, 1999, 9999)
PRIORS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
_HEADINGS = {
    "a": "{a}",
    "b": "{b}",
    "a_low": "{a} from",
    "a_high": "{a} to",
    "b_low": "{b} from",
    "b_high": "{b} to",
    "difference": "{order}",
    "low": "{order} from",
    "high": "{order} to",
    "source_up": "source: up is",
    "target_up": "target: up is",
    "drawn": "found by the search in",
    "visible": "difference with 80 % power",
    "probability": "P(differs)",
    "log_bayes_factor": "ln Bayes factor",
    "word": "verdict on the difference",
    "p_any": "p, any two groups",
    "mark_a": "in {a}",
    "mark_b": "in {b}",
    "verdict_a": "{a} says",
    "verdict_b": "{b} says",
    "probability_a": "probability in {a}",
    "probability_b": "probability in {b}",
    "network_b": "network of {b}",
}
"""Column -> what stands above it; `order` is what a difference is of."""
IN_HEADING = 16
"""Letters of a group's name above a column."""


def show_tables(request: ComparisonRequest) -> None:
    """Links, shared edges, and how the two results stand to each other beside."""
    result = request.result
    with st.expander("Tables: links, nodes, edges, claims, settings"):
        names = [("Links", "No link was tested."), ("Nodes", "No node was tested.")] if result.test is not None else []
        names += [
            ("Shared edges", "Neither has an edge."),
            ("Compared claims", "Neither makes a claim about the variables that both have."),
            ("Compared settings", "No settings."),
            ("Compared rows", "No rows."),
        ]
        for tab, (title, nothing) in zip(st.tabs([title for title, _ in names]), names, strict=True):
            with tab:
                table = result.table(title)
                if len(table):
                    show_table(_readable(result, table), title)
                else:
                    st.caption(nothing)


def _readable(result: ComparisonResult, table: pd.DataFrame) -> pd.DataFrame:
    """The table as one reads it: without what is the same in every row; two groups by their names, of more A and B."""
    alone = ("network", "network_b", "group_a", "group_b", "levels", "source_up", "target_up")
    single = [item for item in alone if item in table and len(set(table[item])) < 2]
    a, b = distinct(result.labels, IN_HEADING) if len(result.labels) == 2 else ("A", "B")
    names = {"a": a, "b": b, "order": difference_name(b, a)}
    headings = {column: text.format(**names) for column, text in _HEADINGS.items()}
    if "word" in table:
        table = table.assign(word=[SHOWN.get(word, word) for word in table["word"]])
    return table.drop(columns=single).rename(columns=headings)


def show_details(request: ComparisonRequest, notes: Sequence[str] = ()) -> None:
    """How differences are tested, what is said of all links and of nodes, the limits, and the settings."""
    result = request.result
    with st.expander("Details of the method"):
        if result.test is not None:
            st.markdown(
                f"Every pair of variables is estimated in every group as a {plain(result.scale.number)}, whether "
                "or not a search found it. The error of all estimates is drawn together from the rows' influence."
            )
            st.markdown(
                "P(differs) weighs no difference against differences of the usual size. The prior that no link differs "
                f"is spread over {count(result.tested_pairs(), 'link')}. A link differs from P(differs) 95 % on, "
                "probably from 50 % and a Bayes factor of 3; no difference is seen below 5 % and half of what P was "
                "before the data; between, it is inconclusive. p is a second look. The tests below are of all links "
                "together and of nodes, with p of their own."
            )
            shared = result.sentences()[-1:] if len(result.labels) == 2 and result.union else ()
            st.markdown(plain(" ".join([sums(result), *node_sentences(result), *shared])))
            draws, seed, prior = st.columns(3)
            begin = settings()
            draws.selectbox(
                "Draws", DRAWS, index=DRAWS.index(begin.draws) if begin.draws in DRAWS else 1, key=DRAWS_KEY,
                disabled=not request.cards, persist_state="session",
            )  # fmt: skip
            seed.number_input(
                "Seed", 0, 2**31 - 1, begin.seed, key=SEED_KEY, disabled=not request.cards, persist_state="session"
            )
            prior.selectbox(
                "Prior that no link differs", PRIORS,
                index=PRIORS.index(begin.p_none) if begin.p_none in PRIORS else PRIORS.index(0.5),
                key=PRIOR_KEY, disabled=not request.cards, persist_state="session",
            )  # fmt: skip
        st.caption(plain(" ".join([*notes, result.caution])))
        show_settings(result)
