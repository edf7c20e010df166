"""A file of ours is opened: a project takes the place of what is open, an answer comes to it as a card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dashboard.session.cards import Card
from dashboard.session.projects import Screen, cards_from
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.views.data.choices import open_table
from dashboard.views.data.samples import sample_table
from dashboard.views.shared.side_by_side import show_all
from engine.data.dataset import Recipe
from engine.errors import DiptychError
from engine.project.file import load
from engine.project.project import Project
from sample_data.catalog import CATALOG

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.result import Result


def open_content(content: bytes, name: str = "") -> str:
    """Open a file of ours; why it cannot be opened, "" where it could. What is open stays in that case."""
    try:
        found = load(content)
        if isinstance(found, Project):
            _open_project(found)
        else:
            _add_answer(found, name)
    except DiptychError as error:
        return str(error)
    show_all()
    return ""


def _open_project(project: Project) -> None:
    """Every page as it was; nothing is computed."""
    state, screen = session(), Screen(project.screen)
    made = None if project.table is None else project.data()  # refused before anything is let go
    table = project.table if made is not None else _sample_of(screen)
    state.end()
    if table is not None:
        _open_table(table, project, screen)
    else:
        state.source = project.source
    for card in cards_from(project, state.dataset):
        state.cards.add(card)
    for places in project.layouts:
        state.layouts.put(places)
    state.notes = project.notes
    state.picked.update(screen.texts("picked"))
    for slug, method in screen.asked().items():
        state.page(slug).asked = method
    for card in state.cards:
        if (card.data is not None and state.page(card.slug).asked == card.result.method) or card.data is None:
            state.show(card)
    state.resume()
    state.cards.saved = state.cards.version


def _sample_of(screen: Screen) -> pd.DataFrame | None:
    """The sample table that it was, which anybody has; None where it was the user's own."""
    sample = screen.text("sample")
    return sample_table(sample) if sample in CATALOG else None


def _open_table(table: pd.DataFrame, project: Project, screen: Screen) -> None:
    chosen = {what: given for what, given in Recipe(**project.choices).given().items() if isinstance(given, Mapping)}
    current = open_table(
        table, project.source or "table", reading=screen.reading(), chosen=chosen, roles=screen.texts("roles")
    )
    current.sample = screen.text("sample") if screen.text("sample") in CATALOG else ""
    current.name = screen.text("file") or current.name
    current.labels = screen.texts("labels")


def _add_answer(result: Result, name: str) -> None:
    state = session()
    data = state.dataset if state.dataset is not None and state.dataset.fingerprint == result.fingerprint else None
    key: Any = ("file", result.fingerprint, repr(result.method), result.headline())
    card = state.cards.add(Card(key, result, data, name or "a file", pressed=False))
    state.show(card)


def put_data_to_cards() -> None:
    """Answers that came without their table have it again, once that table is open and prepared as it was."""
    state = session()
    for card in state.cards:
        if card.data is None and state.dataset is not None and state.dataset.fingerprint == card.result.fingerprint:
            card.data = state.dataset


def again_of(table: pd.DataFrame, name: str, project: Project) -> tuple[str, ...]:
    """Another table takes the place of the open one, coded like it; sentences on what did not fit.

    Raises
    ------
    DataError : nothing of the table can be coded so; the open one then stays
    """
    fit = project.fit(table)
    open_table(table, name, roles=fit.data.roles)
    session().dataset = fit.data
    work().notes = ("Levels and cut points are those of the table before, so that the two can be compared.",)
    return fit.words
