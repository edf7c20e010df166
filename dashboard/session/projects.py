"""A session as a project that can be saved, and the other way round; and the copy that is offered after a restart.

Only what *Save* writes comes on the disk of this computer, and never a row of a table: answers about single people are
left out. The file is named by a digest of the browser's secret, in a folder of this user alone; *Forget* removes it.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dashboard.server.browsers import DAYS
from dashboard.server.faults import log, trace
from dashboard.server.memory import memory
from dashboard.session.cards import Card, ColumnNames, give
from dashboard.session.session import Session
from dashboard.session.work import PAGE, Work
from engine import DiptychError, Project, Recipe, SavedResult
from engine.data.reading.report import plain
from engine.methods.registry import METHODS
from engine.methods.storing import decode, encode
from engine.project.file import ENDING, load, to_bytes

if TYPE_CHECKING:
    from engine import Dataset

MOST_LAYOUTS = 50
ARGUMENTS = frozenset({"instance", "instances", "target"})
"""What a method's `run` can take beside the data; the name of nothing else in a file gets into a script."""


def project_of(state: Session, *, with_table: bool) -> Project:
    """Everything of a session that is worth keeping.

    Parameters
    ----------
    with_table : with the rows of the open table; without them only names, levels, counts, choices and answers
    """
    current = state.choices.get(PAGE, {}).get("work", Work())
    return Project(
        recipe=None if state.dataset is None else state.dataset.recipe,
        analyses=tuple(_saved(card, card in state.cards.in_report) for card in state.cards),
        layouts=tuple(state.layouts.all()[:MOST_LAYOUTS]),
        notes=state.notes,
        table=state.table if with_table else None,
        source=state.source,
        choices=_choices(state, current),
        screen=screen_of(state, current),
    )


def _choices(state: Session, current: Work) -> dict[str, Any]:
    """The choices that made the data set; none where those on screen cannot be used and nothing was made before."""
    if state.table is None:
        return {}
    try:
        return current.arguments(state.table)
    except DiptychError:
        return {}


def bytes_of(state: Session, *, with_table: bool) -> bytes:
    """The content of the project's file."""
    return to_bytes(project_of(state, with_table=with_table))


def _saved(card: Card, in_report: bool) -> SavedResult:
    return SavedResult(
        card.result,
        title=card.title,
        note=card.note,
        starred=in_report,
        made=card.created.isoformat(timespec="seconds"),
        source=f"{card.source}, {card.group}" if card.group else card.source,
        seconds=float("nan") if card.seconds is None else card.seconds,
        key=str(card.number),
    )


def screen_of(state: Session, current: Work) -> dict[str, Any]:
    """The pages' state, as plain values."""
    requests = {slug: state.page(slug).method for slug in METHODS}
    return {
        "sample": current.sample,
        "file": current.name,
        "reading": {name: list(item) if isinstance(item, tuple) else item for name, item in current.reading.items()},
        "labels": dict(current.labels),
        "scales": dict(current.scales),
        "roles": dict(current.begins),
        "picked": {page: name for page, name in state.picked.items() if name is not None},
        "asked": {slug: encode(method) for slug, method in requests.items() if method is not None},
        "cards": {str(card.number): _behind(card) for card in state.cards},
        "pages": state.saved_states(),
    }


def _behind(card: Card) -> dict[str, Any]:
    """What a card knows beside its answer: the group it is about, and what `run` took beside the data."""
    try:
        arguments = json.loads(json.dumps(plain(dict(card.arguments)), allow_nan=False))
    except (TypeError, ValueError):  # nothing that could be written; the script then does without
        arguments = {}
    names = {} if card.names is None else {"names": asdict(card.names)}
    return {"group": card.group, "arguments": arguments, "pressed": card.pressed, **names}


class Screen:
    """The same as it comes out of a file: anybody may have written it, so what does not fit is left out."""

    def __init__(self, written: Any) -> None:
        self._written: Mapping[str, Any] = written if isinstance(written, Mapping) else {}

    def text(self, name: str) -> str:
        """A text; "" where there is none."""
        result = self._written.get(name)
        return result[:500] if isinstance(result, str) else ""

    def texts(self, name: str) -> dict[str, str]:
        """Texts by name."""
        return _texts(self._written.get(name))

    def saved_state(self, slug: str) -> Any:
        """What a page put into the file, as anybody may have written it; None where there is nothing."""
        result = self._written.get("pages")
        return result.get(slug) if isinstance(result, Mapping) else None

    def reading(self) -> dict[str, Any]:
        """Arguments of `engine.read_table`, where they are such."""
        result = self._written.get("reading")
        try:
            return dict(Recipe(reading=result).reading) if isinstance(result, Mapping) else {}
        except DiptychError:
            return {}

    def requests(self) -> dict[str, Any]:
        """Slug -> settings, of the methods that are there."""
        result = self._written.get("asked")
        methods = {}
        for slug, written in result.items() if isinstance(result, Mapping) else ():
            try:
                method = decode(written)
            except DiptychError:
                continue
            if slug in METHODS and type(method) is METHODS[slug]:
                methods[slug] = method
        return methods

    def names(self, key: str) -> ColumnNames | None:
        """What the columns of the table of the card of this key are called; None where it is that of the file."""
        cards = self._written.get("cards")
        item = cards.get(key) if isinstance(cards, Mapping) else None
        names = item.get("names") if isinstance(item, Mapping) else None
        if not isinstance(names, Mapping):
            return None
        backwards = names.get("backwards")
        return ColumnNames(
            _texts(names.get("labels")),
            _texts(names.get("scales")),
            tuple(name for name in backwards if isinstance(name, str)) if isinstance(backwards, list | tuple) else (),
        )

    def behind(self, key: str) -> tuple[str, dict[str, Any], bool]:
        """Group and arguments of the card of this key, and whether somebody pressed a button for it."""
        result = self._written.get("cards")
        item = result.get(key) if isinstance(result, Mapping) else None
        if not isinstance(item, Mapping):
            return "", {}, True
        group, given = item.get("group"), item.get("arguments")
        arguments = {str(name): value for name, value in given.items()} if isinstance(given, Mapping) else {}
        named = {name: value for name, value in arguments.items() if name in ARGUMENTS}
        return (group[:500] if isinstance(group, str) else ""), named, item.get("pressed") is not False


def _texts(written: Any) -> dict[str, str]:
    pairs = written.items() if isinstance(written, Mapping) else ()
    return {str(key): item for key, item in pairs if isinstance(item, str)}


def cards_from(project: Project, data: Dataset | None) -> list[Card]:
    """The answers of a project as cards; with the rows that they were made from, where the data set has them."""
    screen = Screen(project.screen)
    cards = [_card(analysis, data, *screen.behind(analysis.key)) for analysis in project.analyses]
    of_file = ColumnNames(screen.texts("labels"), screen.texts("scales")) if data is None else None
    for card, analysis in zip(cards, project.analyses, strict=True):
        card.names = screen.names(analysis.key) or of_file
    return cards


def _card(
    saved_result: SavedResult, data: Dataset | None, group: str, arguments: dict[str, Any], pressed: bool
) -> Card:
    card = Card(
        ("kept", saved_result.result.fingerprint, repr(saved_result.result.method), saved_result.key),
        saved_result.result,
        None,
        saved_result.source.removesuffix(f", {group}") if group else saved_result.source,
        created=_date(saved_result.made),
        title=saved_result.title,
        note=saved_result.note,
        starred=saved_result.starred,
        group=group,
        seconds=None if saved_result.seconds != saved_result.seconds else saved_result.seconds,
        arguments=arguments,
        pressed=pressed,
    )
    if data is not None:
        give(card, data)
    return card


def _date(written: str) -> datetime:
    try:
        result = datetime.fromisoformat(written)
    except ValueError:
        return datetime.now(UTC)
    return result if result.tzinfo is not None else result.replace(tzinfo=UTC)


def folder() -> Path:
    """Where such files stand: the place that systems have for what a program remembers."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or str(Path.home() / ".local" / "state")
    return Path(base) / "diptych"


def _file(browser: str) -> Path:
    return folder() / (hashlib.sha256(browser.encode()).hexdigest()[:32] + ENDING)


def without_people(content: bytes) -> bytes:
    """A project's file without its table, and without the answers that are about single people."""
    project = load(content)
    if not isinstance(project, Project):
        return content
    analyses = tuple(analysis for analysis in project.analyses if not analysis.result.described_rows())
    return to_bytes(replace(project, table=None, analyses=analyses))


def keep_last(browser: str, content: bytes) -> bool:
    """Put this browser's project in place of the one before, without rows of any kind; whether that could be done.

    Nothing is written where nothing is to be kept after the last tab.
    """
    if not browser or not memory().keep:
        return False
    content = without_people(content)
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        there, new = _file(browser), _file(browser).with_suffix(".new")
        new.touch(mode=0o600)
        new.write_bytes(content)
        new.replace(there)
    except OSError as fault:  # a disk that is full or closed to us costs the offer, nothing else
        log.warning("The choices could not be kept for a restart\n%s", trace(fault))
        return False
    _tidy()
    return True


def last_saved(browser: str) -> bytes | None:
    """What this browser saved last; None where there is nothing, or it is old."""
    if not browser:
        return None
    _tidy()
    with suppress(OSError):
        return _file(browser).read_bytes()
    return None


def inherit_last(earlier: str, browser: str) -> None:
    """What a browser saved at the server before this one is its own under its new name."""
    with suppress(OSError):
        _file(earlier).replace(_file(browser))


def forget_last(browser: str) -> None:
    """Nothing of this browser stays on the disk."""
    with suppress(OSError):
        _file(browser).unlink(missing_ok=True)
        _file(browser).with_suffix(".new").unlink(missing_ok=True)


def _tidy() -> None:
    with suppress(OSError):
        for item in (*folder().glob(f"*{ENDING}"), *folder().glob("*.new")):
            if time.time() - item.stat().st_mtime > DAYS * 86_400:
                item.unlink(missing_ok=True)
