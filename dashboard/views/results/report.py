"""The report: one file for a colleague, made of the results with a star."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib.util import find_spec

import streamlit as st

from dashboard.pages import page_title
from dashboard.session.arrival import if_here
from dashboard.session.cards import Card
from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled, labelled_doubt, labelled_headline, labelled_of, shown_names_of
from dashboard.session.masking import sentences_about_table, smallest_cell
from dashboard.session.session import Session, session
from dashboard.session.work import work
from dashboard.text import plain
from dashboard.views.shared.card_names import distinct_question
from dashboard.views.shared.downloads import file_name, logged
from dashboard.views.shared.exports import comparison_python, script
from dashboard.views.shared.page_parts import choose_option
from dashboard.views.shared.sections import rows_of
from engine import report
from engine.comparison.result import ComparisonResult
from engine.methods.links_result import reconcile_results
from engine.project.report.office import PACKAGES
from engine.words import count, first

FORMS = {"html": "Web page", "summary": "Summary for a colleague", "word": "Word", "excel": "Excel"}
"""Form of a report -> what it is called."""
_FILES = {
    "html": ("html", "text/html"),
    "summary": ("html", "text/html"),
    "word": ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "excel": ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
_ABOUT = {
    "html": "One file that opens in any browser, also offline, and prints on A4. Table 1 is on its first page; "
    "rows left out, methods and settings follow.",
    "summary": "One page for any browser (HTML): the question, what was found, Table 1, a picture, and what limits it.",
    "word": "Sentences and the short tables, to go on writing in; without pictures.",
    "excel": "A sheet for each table, numbers as numbers.",
}
PERSON = ":material/person: *Holds values of single people.*"
USUAL = (0, 5, 11)
"""Least counts to choose from."""


def show_report() -> None:
    """What goes in, in which order, and the file."""
    state = session()
    chosen = cards_in_report(state)
    if not chosen:
        st.info("No result can be in a report here: each is about a single person.")
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        order = ", the oldest first" if len(chosen) > 1 else ""
        st.markdown(f"**{count(len(chosen), 'chapter')}**{order}: the results with a \u2605 under *All results*.")
        rests = dict.fromkeys(f"{card.source}, {rows_of(card.result)}" for card in chosen)
        joins = reconcile_results(card.result for card in chosen)
        st.caption(plain(labelled(". ".join(filter(None, [first(rests, 3, "; "), joins])))))
        for place, card in enumerate(chosen, start=1):
            title = labelled_of(card, distinct_question(card, state.cards))
            sure = f"  \n:small[{plain(doubt)}]" if (doubt := labelled_doubt(card)) else ""
            page = f":small[{plain(page_title(card.slug))}]"
            st.markdown(f"{place}. {page}  \n**{plain(title)}** {plain(labelled_headline(card))}{sure}")
            if card.result.about_people():
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.space(20)
                    st.markdown(PERSON, width="content")
                    st.button(
                        "Leave it out",
                        key=widget_key("results", "out", card.number),
                        disabled=len(chosen) == 1,
                        on_click=partial(if_here, state.cards.put_in_report, card, False),
                    )
    with right:
        title = st.text_input("Title", "", max_chars=200, key=widget_key("results", "title"), placeholder=_title(state))
        hide = st.selectbox(
            "Hide small counts of rows, for privacy",
            choices_to_hide(),
            format_func=lambda least: f"Those below {least}" if least else "No, show every count",
            key=widget_key("results", "hide"),
            persist_state="session",
            help="A count of one or two rows can give a patient away. A hidden cell says only that it is small; others "
            "from which it could be worked out are hidden too.",
        )
        form = str(choose_option("As", _forms(), widget_key("results", "form"), format_func=FORMS.__getitem__))
        scripts = [_script(card) for card in chosen]
        st.download_button(
            "Make the report",
            logged(
                "export",
                "report",
                partial(
                    report_bytes,
                    state,
                    chosen,
                    (title or "").strip() or _title(state),
                    int(hide or 0),
                    scripts,
                    [shown_names_of(card) for card in chosen],
                    form,
                    _questions(state, chosen),
                ),
            ),
            file_name=file_name("summary" if form == "summary" else "report", _FILES[form][0]),
            mime=_FILES[form][1],
            icon=":material/description:",
            type="primary",
            key=widget_key("results", "report"),
            on_click="ignore",
        )
        st.caption(_ABOUT[form])


def cards_in_report(state: Session) -> list[Card]:
    """The cards that the report has; where small counts are hidden none about single people."""
    return [card for card in state.cards.in_report if not (smallest_cell() and card.result.about_people())]


def choices_to_hide() -> list[int]:
    """The least counts that a reader may choose: none below what the server hides."""
    least = smallest_cell()
    return sorted({least, *(number for number in USUAL if number > least)})


def _forms() -> list[str]:
    """The forms whose packages are there."""
    return [form for form in FORMS if form not in PACKAGES or find_spec(PACKAGES[form]) is not None]


def _questions(state: Session, cards: Sequence[Card]) -> list[str]:
    """What nobody has decided about the open table, where all of the report is about it."""
    table, data, current = state.table, state.dataset, work()
    if table is None or data is None or any(card.data is None or card.data.whole != data.whole for card in cards):
        return []
    settled = current.chosen.get("settled", {})
    return sentences_about_table(item.sentence for item in current.decisions(table) if item.key not in settled)


def _title(state: Session) -> str:
    return f"Diptych: {state.source}" if state.source else "Diptych"


def _script(card: Card) -> str:
    if isinstance(card.result, ComparisonResult):
        return comparison_python(card.result)
    return script(card.result.method, card.data, card.arguments, "result.summary()")


def report_bytes(
    state: Session,
    cards: list[Card],
    title: str,
    hide: int,
    scripts: list[str],
    labels: Sequence[Mapping[str, str]],
    form: str = "html",
    questions: Sequence[str] = (),
) -> bytes:
    """The file."""
    content = report(
        [card.result for card in cards],
        title=title,
        titles=[distinct_question(card, state.cards) for card in cards],
        notes=[card.note for card in cards],
        data=list({card.data.fingerprint: card.data for card in cards if card.data is not None}.values()),
        source=state.source,
        script=scripts,
        hide_below=max(hide, smallest_cell()),
        layouts=state.layouts.all(),
        labels=labels,
        form=form,
        questions=questions,
    )
    return content if isinstance(content, bytes) else str(content).encode("utf-8")
