"""The one frame of a method's page: its question, the table, the settings, one press, one wait, the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.forms.settings_form import settings_form
from dashboard.jobs.job_queue import method_key
from dashboard.session.caches import cached
from dashboard.session.keys import of_table, set_value, value_of, widget_key
from dashboard.session.labels import labelled, shown_names
from dashboard.session.masking import NO_PEOPLE, count_shown, rows_of, sentence_shown, smallest_cell
from dashboard.session.preparing import put_first
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import capital, plain, short
from dashboard.views.shared.by_group import ask_groups, choose_group, last_group, own_label, show_groups, show_guess
from dashboard.views.shared.foot import end_page
from dashboard.views.shared.page_parts import to_data_page, to_decide
from dashboard.views.shared.running import AT_ONCE, CHANGED_AT_ONCE, await_job
from dashboard.views.shared.saved_answer import saved_answer, show_saved, stop_at_card
from dashboard.views.shared.sections import show_sections, warn_dropped
from dashboard.views.shared.worked_example import show_example
from engine import SettingsError
from engine.data.preparing.roles import demographics
from engine.words import first, listed

if TYPE_CHECKING:
    from dashboard.pages import MethodPage
    from dashboard.session.session import Analysis
    from dashboard.views.shared.worked_example import Picture
    from engine import Dataset
    from engine.methods.method import Method

Show = Callable[[Any, "Dataset"], None]
"""Draws an answer."""


def analysis_page(
    page: MethodPage,
    show: Show,
    *,
    unfit: Callable[[Dataset], str] | None = None,
    preview: Callable[[Dataset], None] | None = None,
    live: bool = False,
    example: Picture | None = None,
) -> None:
    """A whole page: settings in the sidebar, a job, its answer.

    Parameters
    ----------
    page : whose
    show : draws the answer
    unfit : why the table cannot be asked, "" where it can; without it the method itself says so when it runs
    preview : what stands below the invitation while nothing has been run
    live : whether the form asks for live settings too, where `show` draws none of them
    example : draws the network of the worked example, where it is not the first of its answer
    """
    if smallest_cell():  # pages of their own draw what nobody has masked
        show, preview = show_sections, None
    stop_at_card(page, show)
    data = begin(page, unfit, example)
    with st.sidebar:
        method = settings_of(page, data, live=live)
        group = choose_group(page, data) if page.groups else None
        pressed = run_button(page, data, method, more=group is not None and group != last_group(page))
        offer_first(page, data)
        saved = saved_answer(page, data)
    if saved is not None:
        show_saved(saved, data, show)
        return
    if method is not None:
        pressed = session().page(page.slug).take_run() or pressed
        if pressed or at_once(page, method, data):
            session().ask(method, data, *method.first_asked(data), opened=not pressed)
        if pressed:
            ask_groups(method, data, group)
    question = st.container()
    analysis = current(page, data)
    result = None if analysis is None else answer_of(analysis)
    session().collect()  # the answer has its card before the page and the list at the foot are drawn
    if analysis is None or result is None:
        question.title(page.method.question)
    else:
        with question:
            say_guess(page, method, data)
    if analysis is None:
        invite(page, data, method)
        if preview is not None:
            preview(data)
    elif result is not None:
        if method is not None and method != analysis.method:
            say_changed(page, method, data)
        if page.groups:
            show_groups(page, data)
        show(result, data)
        _say_order(page, data)
    elif analysis.job is not None and analysis.job.state == "cancelled":
        start_button(page, method)


def at_once(page: MethodPage, method: Method, data: Dataset) -> bool:
    """Whether the answer is computed without a press: the page's first, or one of other settings that is quick."""
    seconds = AT_ONCE if current(page, data) is None else CHANGED_AT_ONCE
    return session().begins_at_once(method, data, seconds, *method.first_asked(data))


def say_guess(page: MethodPage, method: Method | None, data: Dataset) -> None:
    """Which column was taken for the group or the class, and others to ask by; of a chosen one its label alone."""
    name = next((item.name for item in fields(page.method) if item.metadata["role"] == "variable"), "")  # type: ignore[arg-type]
    column = getattr(method, name, None)
    why = cached(data, page.method.why_proposed)
    if not why or column in data.roles or not _holds_guess(page, data, method):
        if column and (label := own_label(str(column))):
            st.caption(f"{plain(short(str(column), 24))}: {label}")
        return
    key = widget_key(page.slug, name, of_table(data))

    def ask(other: str) -> None:
        set_value(key, other)
        session().page(page.slug).ask_run()

    show_guess(why, data, str(column), ask, page.slug)


def run_button(page: MethodPage, data: Dataset, method: Method | None, *, more: bool = False) -> bool:
    """The button that runs the method, primary where only it says that there is something new; whether it was pressed.

    Parameters
    ----------
    page, data, method : what it runs
    more : whether something is chosen beside the settings that was not asked yet, such as groups
    """
    key, state = widget_key(page.slug, "run"), session().page(page.slug)
    result = current(page, data) is not None
    current_settings = method is not None and state.method == method and result
    pressed = state.run or bool(value_of(key))  # asked in this run
    current_result = method is not None and (pressed or (current_settings and not more))
    return st.button(
        "Run again" if current_result else page.action,
        # before, and where settings have changed, the page's own is
        type="primary" if current_settings and not current_result else "secondary",
        width="stretch",
        disabled=method is None,
        key=key,
    )


def begin(page: MethodPage, unfit: Callable[[Dataset], str] | None = None, example: Picture | None = None) -> Dataset:
    """The table; where none can be asked, why not, the worked example and the end of this run."""
    data = session().dataset
    refused = ""
    if smallest_cell() and page.people:
        st.title(page.method.question)
        st.info(f"{NO_PEOPLE} They are left out where counts under {smallest_cell()} are hidden.")
        end_page()
    if data is not None:
        refused = sentence_shown(cached(data, unfit)) if unfit is not None else ""
        if data.n_rows < smallest_cell():
            refused = f"The table has {count_shown(data.n_rows)} rows; this server shows no result of so few."
    elif session().table is not None:
        refused = f"'{short(session().source, 40)}' is open, but cannot be used yet: the data page says why."
    if refused:
        st.title(page.method.question)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(plain(refused), icon=":material/info:")
            to_decide()
            to_data_page()
        end_page()
    if data is None:
        show_example(page, picture=example)
        end_page()
    return data


def settings_of(page: MethodPage, data: Dataset, *, live: bool = False) -> Any | None:
    """The form of the method's settings, those that act on the answer only where `live`; None while they do not fit."""
    values = session().page(page.slug).settings
    return settings_form(page.method, data, page.slug, {**proposed(page, data), **values}, live=live)


def proposed(page: MethodPage, data: Dataset) -> Mapping[str, Any]:
    """What the form begins with: what the method proposes for this table, and what the page adds to it."""
    try:
        method: Method = cached(data, page.method.propose)
    except SettingsError:  # nothing in the table tells; the form then begins with its own
        return page.begins
    begins = {field.name: getattr(method, field.name) for field in fields(method)} | dict(page.begins)  # type: ignore[arg-type]
    return begins | _in_time(page, data, begins)


def _in_time(page: MethodPage, data: Dataset, begins: Mapping[str, Any]) -> dict[str, Any]:
    """The order in time that the data page was told, as knowledge; nothing where the method cannot use one."""
    return _with_tiers(page, begins, data.tiers) if len(data.tiers) > 1 else {}


def _with_tiers(page: MethodPage, begins: Mapping[str, Any], tiers: Sequence[Sequence[str]]) -> dict[str, Any]:
    if "knowledge" not in begins:
        return {}
    known = {"knowledge": replace(begins["knowledge"], tiers=tiers)}
    try:
        page.method(**{**begins, **known})
    except SettingsError:
        return {}
    return known


def _takes_tiers(page: MethodPage, data: Dataset) -> bool:
    """Whether the method can use an order in time."""
    return bool(_with_tiers(page, proposed(page, data), [data.names]))


def offer_first(page: MethodPage, data: Dataset) -> None:
    """One press lets age, sex, education and the like come before all else; nothing where there are none, or tiers."""
    if data.tiers or session().table is None or not _takes_tiers(page, data):
        return
    early = demographics(data.names, work().labels)
    rest = [name for name in data.names if name not in early]
    if early and rest:
        st.button(
            f"{capital(plain(listed(short(shown_names().get(name, name), 24) for name in early)))} "
            f"{'come' if len(early) > 1 else 'comes'} first",
            help="No arrow then points at them. An order is not a cause; the data page can change it.",
            on_click=put_first,
            args=(early, rest),
            width="stretch",
            key=widget_key(page.slug, "first"),
        )


def invite(page: MethodPage, data: Dataset, method: Method | None) -> None:
    """The table in a line, what a press would do, how long that takes where it is long, and the button."""
    size = f"{plain(session().source)}: **{rows_of(data)}, {data.n_variables:,} variables.**"
    st.markdown(f"{size} {plain(page.detail)} Look at the settings on the left and press *{page.action}*.")
    warn_dropped(data)
    to_decide()
    say_cost(method, data)
    why = cached(data, page.method.why_proposed)
    if why and _holds_guess(page, data, method):
        st.caption(f"The form begins with a guess: {plain(labelled(sentence_shown(why)))}")
    _say_order(page, data)
    start_button(page, method)


def _say_order(page: MethodPage, data: Dataset) -> None:
    """The order in time that the method is told, where the data page has one."""
    known = proposed(page, data).get("knowledge")
    if known is not None and known.tiers:
        order = " → ".join(listed(tier) if len(tier) <= 4 else first(tier, 4) for tier in known.tiers)
        st.caption(f"Order in time, from the data page: {plain(labelled(order))}.")


def _holds_guess(page: MethodPage, data: Dataset, method: Method | None) -> bool:
    """Whether the form still has the column that it began with, and its levels."""
    guessed = ("variable", "levels")
    columns = [field.name for field in fields(page.method) if field.metadata["role"] in guessed]  # type: ignore[arg-type]
    return method is None or all(getattr(method, name) == proposed(page, data).get(name) for name in columns)


def start_button(page: MethodPage, method: Method | None) -> None:
    """What runs the method from the page itself, whose settings may be out of sight."""
    st.button(
        page.action,
        type="primary",
        icon=":material/play_arrow:",
        disabled=method is None,
        on_click=session().page(page.slug).ask_run,
        key=widget_key(page.slug, "run", "first"),
    )


def current(page: MethodPage, data: Dataset) -> Analysis | None:
    """The analysis that the page was last asked for, of this table; None where there is none."""
    method = session().page(page.slug).method
    if method is None:
        return None
    return session().analysis(method_key(method, data, *method.first_asked(data)))


def answer_of(analysis: Analysis) -> Any | None:
    """Its answer; while that is computed, or where it cannot be, the page says so and None is returned."""
    return analysis.answer if analysis.job is None else await_job(analysis.job)


def say_cost(method: Method | None, data: Dataset) -> None:
    """What a press would take, where that is more than moments."""
    if method is not None and (text := method.expected(data)):
        st.info(plain(text), icon=":material/hourglass_empty:")


def say_changed(page: MethodPage, method: Method, data: Dataset) -> None:
    """The answer below is that of other settings than those on the left; what asks for these stands beside it."""
    text = method.expected(data)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(plain(f"The settings have changed; the result below has the old ones. {text}"), icon=":material/sync:")
        st.button(
            page.action,
            type="primary",
            icon=":material/play_arrow:",
            on_click=session().page(page.slug).ask_run,
            key=widget_key(page.slug, "run", "changed"),
        )
