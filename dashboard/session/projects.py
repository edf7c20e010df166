"""A session as a project that can be saved, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from dashboard.jobs.desk import method_key
from dashboard.session.cards import Card
from dashboard.session.session import Session
from dashboard.session.work import PAGE, Work
from engine.data.dataset import Recipe
from engine.errors import DiptychError
from engine.methods import METHODS
from engine.methods.storing import decode, encode
from engine.project.file import to_bytes
from engine.project.project import Kept, Project

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

MOST_LAYOUTS = 50


def project_of(held: Session, *, with_table: bool) -> Project:
    """Everything of a session that is worth keeping.

    Parameters
    ----------
    with_table : with the rows of the open table; without them only names, levels, counts, choices and answers
    """
    current = held.choices.get(PAGE, {}).get("work", Work())
    return Project(
        recipe=None if held.dataset is None else held.dataset.recipe,
        analyses=tuple(_kept(card) for card in held.cards),
        layouts=tuple(held.layouts.all()[:MOST_LAYOUTS]),
        notes=held.notes,
        table=held.table if with_table else None,
        source=held.source,
        choices={} if held.table is None else current.arguments(current.proposals(held.table)),
        screen=screen_of(held, current),
    )


def bytes_of(held: Session, *, with_table: bool) -> bytes:
    """The content of the project's file."""
    return to_bytes(project_of(held, with_table=with_table))


def _kept(card: Card) -> Kept:
    return Kept(
        card.result,
        title=card.title,
        note=card.note,
        starred=card.starred,
        made=card.made.isoformat(timespec="seconds"),
        source=f"{card.source}, {card.group}" if card.group else card.source,
        seconds=float("nan") if card.seconds is None else card.seconds,
        key=str(card.number),
    )


def screen_of(held: Session, current: Work) -> dict[str, Any]:
    """What the pages show, as plain values."""
    asked = {slug: held.page(slug).asked for slug in METHODS}
    return {
        "place": held.place,
        "sample": current.sample,
        "file": current.name,
        "reading": {name: list(one) if isinstance(one, tuple) else one for name, one in current.reading.items()},
        "labels": dict(current.labels),
        "roles": dict(current.begins),
        "picked": {page: name for page, name in held.picked.items() if name is not None},
        "asked": {slug: encode(method) for slug, method in asked.items() if method is not None},
    }


class Screen:
    """The same as it comes out of a file: anybody may have written it, so what does not fit is left out."""

    def __init__(self, written: Any) -> None:
        self._written: Mapping[str, Any] = written if isinstance(written, Mapping) else {}

    def text(self, name: str) -> str:
        """A text; "" where there is none."""
        found = self._written.get(name)
        return found[:500] if isinstance(found, str) else ""

    def texts(self, name: str) -> dict[str, str]:
        """Texts by name."""
        found = self._written.get(name)
        pairs = found.items() if isinstance(found, Mapping) else ()
        return {str(key): one for key, one in pairs if isinstance(one, str)}

    def reading(self) -> dict[str, Any]:
        """Arguments of `engine.read_table`, where they are such."""
        found = self._written.get("reading")
        try:
            return dict(Recipe(reading=found).reading) if isinstance(found, Mapping) else {}
        except DiptychError:
            return {}

    def asked(self) -> dict[str, Any]:
        """Slug -> settings, of the methods that are there."""
        found = self._written.get("asked")
        methods = {}
        for slug, written in found.items() if isinstance(found, Mapping) else ():
            try:
                method = decode(written)
            except DiptychError:
                continue
            if slug in METHODS and type(method) is METHODS[slug]:
                methods[slug] = method
        return methods


def cards_from(project: Project, data: Dataset | None) -> list[Card]:
    """The answers of a project as cards; with the data set those that were made from it."""
    return [_card(one, data) for one in project.analyses]


def _card(one: Kept, data: Dataset | None) -> Card:
    result = one.result
    own = data if data is not None and data.fingerprint == result.fingerprint else None
    return Card(
        _key(result, own, one.key),
        result,
        own,
        one.source,
        made=_moment(one.made),
        title=one.title,
        note=one.note,
        starred=one.starred,
        seconds=None if one.seconds != one.seconds else one.seconds,
        pressed=_is_first_asked(result, own),
    )


def _key(result: Any, own: Dataset | None, number: str) -> Any:
    """What makes it the answer of its page's question, where the table is there; else a key of its own."""
    if own is not None and _is_first_asked(result, own):
        return method_key(result.method, own)
    return ("kept", result.fingerprint, repr(result.method), number)


def _is_first_asked(result: Any, own: Dataset | None) -> bool:
    """Whether its method's page asks for it by its settings alone."""
    return own is not None and not METHODS[result.slug].first_asked(own)


def _moment(written: str) -> datetime:
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        return datetime.now(UTC)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
