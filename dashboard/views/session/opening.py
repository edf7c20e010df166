"""A file of ours is opened: a project takes the place of what is open, an answer comes to it as a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.server.log import log_action, subject_of
from dashboard.session.cards import Card
from dashboard.session.keys import drop_value, has_value, set_value, widget_key
from dashboard.session.projects import Screen, cards_from
from dashboard.session.session import Analysis, Waiting, session
from dashboard.session.work import work
from dashboard.views.data.choices import by_column, open_table
from dashboard.views.data.samples import sample_table
from dashboard.views.shared.page_parts import refused_words
from dashboard.views.workshop.saved import open_saved_network
from dashboard.views.workshop.state import SLUG as WORKSHOP
from engine import DiptychError, Project, Recipe
from engine.project.file import load
from sample_data.catalog import CATALOG

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.result import Result
VIEWS = ("All results", "Report", "Save and open")
VIEW = widget_key("results", "view")
_ALL = "diptych.show_all"


def open_content(content: bytes, name: str = "", *, confirmed: bool = False) -> str:
    """Open a file of ours; why it cannot be opened, "" where it could. What is open stays in that case.

    Where a project would take the place of something that is open or unsaved, the page *Results* asks first.

    Parameters
    ----------
    content, name : of the file
    confirmed : its reader was asked, or nothing can be lost
    """
    state = session()
    try:
        with state.job_queue.counted():
            result = load(content)
        if isinstance(result, Project) and not (confirmed or state.replaceable):
            state.waiting = Waiting(content, name)
        elif isinstance(result, Project):
            _open_project(result)
        else:
            _add_answer(result, name)
    except DiptychError as error:
        return refused_words(error, name) if name else str(error)
    show_all()
    return ""


def _open_project(project: Project) -> None:
    """Every page as it was; nothing is computed. Where the table cannot be prepared, all the rest is opened."""
    state, screen = session(), Screen(project.screen)
    table = project.table if project.table is not None else _sample_of(screen)
    state.end()
    state.source = project.source
    text: tuple[str, ...] = ()
    if table is not None:
        text = _open_table(table, project, screen)
    log_action("upload", "project", subject_of(state.dataset))
    for card in cards_from(project, state.dataset):
        state.cards.add(card)
    for layout in project.layouts:
        state.layouts.put(layout)
    state.notes = project.notes
    state.picked.update(screen.texts("picked"))
    for slug, method in screen.requests().items():
        state.page(slug).method = method
        _show_answer(slug, method)
    _restore_groups()
    state.resume()
    state.warnings = (*text, *open_saved_network(screen.saved_state(WORKSHOP)))
    state.cards.saved = state.cards.version


def _show_answer(slug: str, method: Any) -> None:
    """Let a page show what it was asked last; a group's answer is never in the place of the whole."""
    state = session()
    cards = [card for card in state.cards if card.slug == slug and not card.group and card.result.method == method]
    if cards:
        state.show(cards[-1])


def _restore_groups() -> None:
    """The groups' answers stand below those of the whole table."""
    state = session()
    for card in state.cards:
        if card.group and card.data is not None:
            state.keep(Analysis(card.result.method, card.key, answer=card.result, data=card.data, group=card.group))


def _sample_of(screen: Screen) -> pd.DataFrame | None:
    """The sample table that it was, which anybody has; None where it was the user's own."""
    sample = screen.text("sample")
    return sample_table(sample) if sample in CATALOG else None


def _open_table(table: pd.DataFrame, project: Project, screen: Screen) -> tuple[str, ...]:
    """Open the table of a project by the choices in it, else by the recipe of its data set; what could not be done."""
    state, name = session(), project.source or "table"
    roles, reading = screen.texts("roles"), screen.reading()
    try:
        recipe = Recipe.from_dict(project.choices)
        chosen = by_column(recipe, table.columns)
        fixed = recipe if recipe.columns else None
        current = open_table(table, name, reading=reading, chosen=chosen, roles=roles, frozen=fixed)
        why = current.error
        if why and project.recipe is not None:
            current = open_table(table, name, reading=reading, roles=roles, frozen=project.recipe)
    except DiptychError as error:
        state.load(None, project.source)
        return (f"The table in the file cannot be opened, so results and notes stand without it: {error}",)
    current.sample = screen.text("sample") if screen.text("sample") in CATALOG else ""
    current.name = screen.text("file") or current.name
    current.labels, current.scales = screen.texts("labels"), screen.texts("scales")
    if not why:
        return ()
    if state.dataset is None:
        return (f"The table in the file cannot be prepared, so results and notes stand without it: {why}",)
    words = f"The choices in the file cannot be used ({why}); the table was prepared as its results had it."
    current.notes = (words,)
    return (words,)


def _add_answer(result: Result, name: str) -> None:
    state = session()
    data = state.dataset if state.dataset is not None and state.dataset.is_of(result.fingerprint) else None
    key: Any = ("file", result.fingerprint, repr(result.method), result.headline())
    card = state.cards.add(Card(key, result, data, name or "a file", pressed=False))
    state.show(card)


def reapply(table: pd.DataFrame, name: str, project: Project) -> tuple[str, ...]:
    """Another table takes the place of the open one, coded like it; sentences on what did not fit.

    Raises
    ------
    DataError : nothing of the table can be coded so; the open one then stays
    """
    fit = project.fit(table)
    open_table(table, name, frozen=fit.recipe)
    log_action("upload", "rerun", subject_of(session().dataset))
    work().notes += ("Levels and cut points are those of the table before, so that the two can be compared.",)
    return fit.words


def show_all() -> None:
    """Let the results page begin with all results when it is drawn next."""
    set_value(_ALL, True)


def begin_view() -> None:
    """Called before the results page draws its choice of views."""
    if has_value(_ALL):
        drop_value(_ALL)
        set_value(VIEW, VIEWS[0])
