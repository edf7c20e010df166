"""What is kept on disk for a restart: one file a browser, of this user alone, without rows, and not for ever."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import engine
import sample_data
from dashboard.server import memory
from dashboard.server.browsers import DAYS
from dashboard.server.memory import Memory
from dashboard.session.cards import Card
from dashboard.session.projects import (
    MOST_LAYOUTS,
    Screen,
    bytes_of,
    cards_from,
    folder,
    forget_last,
    inherit_last,
    keep_last,
    last_saved,
    project_of,
    screen_of,
    without_people,
)
from dashboard.session.session import Session
from dashboard.session.work import Work

DATA = sample_data.dataset("cough_and_smoke")
LINKS = engine.LogLinear(criterion="bic")
BROWSER = "b" * 43


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where such files stand in this test, with a server that keeps work after the last tab."""
    before = memory.memory()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    memory.remember(Memory(600.0))
    yield tmp_path / "diptych"
    memory.remember(before)


@cache
def written() -> bytes:
    """A project with its table, an answer about everybody and one about a single patient."""
    state = Session(source="table.csv", dataset=DATA, table=pd.DataFrame({"a": [1, 2]}), notes="mine")
    state.cards.add(Card("all", LINKS.run(DATA), DATA, "table.csv"))
    state.cards.add(Card("one", engine.InstanceSpecific().run(DATA, 3), DATA, "table.csv"))
    return bytes_of(state, with_table=True)


def test_a_file_of_this_user_alone_is_put_in_place_of_the_one_before(disk: Path) -> None:
    """Named by a digest of the browser's key; other browsers have others; gone when it is forgotten."""
    content = written()
    assert last_saved(BROWSER) is None
    assert keep_last(BROWSER, content)
    (file,) = disk.iterdir()
    assert file.name == f"{hashlib.sha256(BROWSER.encode()).hexdigest()[:32]}.diptych"
    assert file.stat().st_mode & 0o777 == 0o600
    assert disk.stat().st_mode & 0o777 == 0o700
    assert last_saved(BROWSER) == file.read_bytes()
    assert last_saved("other") is None
    assert keep_last("other", content)
    assert keep_last(BROWSER, engine_bytes(notes="later"))
    assert len(list(disk.iterdir())) == 2
    assert loaded(last_saved(BROWSER)).notes == "later"
    forget_last(BROWSER)
    assert last_saved(BROWSER) is None
    assert last_saved("other") is not None


def engine_bytes(**parts: Any) -> bytes:
    """A small project's file."""
    return bytes_of(Session(**parts), with_table=False)


def loaded(content: bytes | None) -> engine.Project:
    """The project in a file."""
    assert content is not None
    project = engine.load(content)
    assert isinstance(project, engine.Project)
    return project


def test_no_row_of_any_kind_is_kept(disk: Path) -> None:
    """Neither the table nor an answer about a single patient; notes and the other answer are."""
    content = written()
    assert loaded(content).table is not None
    assert keep_last(BROWSER, content)
    for kept in (loaded(last_saved(BROWSER)), loaded(without_people(content))):
        assert (kept.table, kept.notes) == (None, "mine")
        assert [saved.result.slug for saved in kept.analyses] == ["log_linear"]


def test_nothing_is_kept_without_a_key_or_where_nothing_is_to_stay(disk: Path) -> None:
    """A browser without cookies, a server that keeps nothing, and a disk that is closed to us."""
    assert not keep_last("", engine_bytes())
    assert last_saved("") is None
    memory.remember(Memory(0.0))
    assert not keep_last(BROWSER, engine_bytes())
    assert not disk.exists()
    memory.remember(Memory(600.0))
    disk.write_text("a file stands where the folder should")
    assert not keep_last(BROWSER, engine_bytes())


@pytest.mark.parametrize("press", ["keep", "ask"])
def test_what_is_old_goes_when_anything_is_kept_or_asked_for(disk: Path, press: str) -> None:
    """Projects and halves of them, past the days that a key lasts; what is younger, or another's, stays."""
    disk.mkdir()
    ages = {"old.diptych": DAYS + 0.5, "old.new": DAYS + 0.5, "young.diptych": DAYS - 0.5, "old.txt": 3 * DAYS}
    for name, days in ages.items():
        (disk / name).touch()
        os.utime(disk / name, (time.time() - 86_400 * days,) * 2)
    if press == "keep":
        assert keep_last(BROWSER, engine_bytes())
    else:
        assert last_saved(BROWSER) is None
    left = {file.name for file in disk.iterdir()}
    assert {*ages} & left == {"young.diptych", "old.txt"}


def test_the_folder_is_where_systems_keep_what_a_program_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of the places that are told, else that of the home."""
    for name, value in (("XDG_STATE_HOME", "/x"), ("LOCALAPPDATA", "/y")):
        monkeypatch.setenv(name, value)
    assert folder() == Path("/x/diptych")
    monkeypatch.delenv("XDG_STATE_HOME")
    assert folder() == Path("/y/diptych")
    monkeypatch.delenv("LOCALAPPDATA")
    monkeypatch.setattr(Path, "home", lambda: Path("/z"))
    assert folder() == Path("/z/.local/state/diptych")


def test_a_session_becomes_a_project_with_all_that_is_worth_keeping() -> None:
    """Cards with what their reader made of them, the latest layouts, the screen, and choices that can be used."""
    state = Session(source="table.csv", dataset=DATA, table=pd.DataFrame({"a": [1, 2]}), notes="mine")
    for number in range(MOST_LAYOUTS + 2):
        state.layouts.put({"a": (number, 0.0)} if number < 0 else {f"v{number}": (0.0, 0.0)})
    state.picked = {"one": "Cough", "two": None}
    state.page("log_linear").method = LINKS
    when = datetime(2026, 11, 25, 9, 30, 1, 999, tzinfo=UTC)
    state.cards.add(Card("a", LINKS.run(DATA), DATA, "t", created=when, title="A", note="n", starred=True, seconds=2.5))
    odd = Card("b", LINKS.run(DATA), DATA, "t", group="sex = f", arguments={"target": object()}, pressed=False)
    state.cards.add(odd)
    project = project_of(state, with_table=False)
    assert (project.table, project.source, project.notes, project.recipe) == (None, "table.csv", "mine", DATA.recipe)
    assert project_of(state, with_table=True).table is state.table
    assert [list(layout) for layout in project.layouts] == [[f"v{n}"] for n in range(MOST_LAYOUTS + 1, 1, -1)]
    first, second = project.analyses
    assert (first.title, first.note, first.starred, first.seconds) == ("A", "n", True, 2.5)
    assert (first.made, first.source, first.key) == ("2026-11-25T09:30:01+00:00", "t", "1")
    assert (second.source, second.key, second.seconds != second.seconds) == ("t, sex = f", "2", True)
    screen = project.screen
    assert screen["picked"] == {"one": "Cough"}
    assert list(screen["asked"]) == ["log_linear"]
    assert Screen(screen).requests() == {"log_linear": LINKS}
    assert screen["cards"]["2"] == {"group": "sex = f", "arguments": {}, "pressed": False}
    cards = cards_from(project, None)
    assert [(card.title, card.note, card.starred, card.seconds) for card in cards] == [
        ("A", "n", True, 2.5),
        ("", "", False, None),
    ]
    assert [(card.source, card.group, card.pressed) for card in cards] == [("t", "", True), ("t", "sex = f", False)]
    assert cards[0].created == when.replace(microsecond=0)


def test_choices_that_cannot_be_used_leave_none() -> None:
    """And without a table there are none."""
    state = Session(table=pd.DataFrame({"a": [1, 2] * 20}))
    state.choices["data"] = {"work": Work(chosen={"bins": {"a": 4}, "kinds": {"a": "continuous"}})}
    assert project_of(state, with_table=False).choices == {"bins": {"a": 4}, "kinds": {"a": "continuous"}}
    state.choices["data"]["work"].chosen["missing"] = {"a": "strange"}
    assert project_of(state, with_table=False).choices == {}
    state.table = None
    assert project_of(state, with_table=False).choices == {}


def test_a_screen_that_anybody_wrote_gives_what_fits() -> None:
    """Texts of bounded length, arguments of reading, and settings of methods under their own name."""
    current = Work(sample="s", name="n", reading={"sheet": 2, "header": (0, 1)}, begins={"a": "outcome"})
    screen = screen_of(Session(), current)
    assert (screen["sample"], screen["file"], screen["roles"]) == ("s", "n", {"a": "outcome"})
    assert screen["reading"] == {"sheet": 2, "header": [0, 1]}
    written = {"file": "x" * 501, "sample": 7, "reading": {"sheet": 1}, "labels": [1]}
    read = Screen(json.loads(json.dumps(written)))
    assert (read.text("file"), read.text("sample"), read.text("none")) == ("x" * 500, "", "")
    assert (read.texts("labels"), read.reading()) == ({}, {"sheet": 1})
    for reading in ({"strange": 1}, [1], None):
        assert Screen({"reading": reading}).reading() == {}
    settings = Screen(screen_of(asked(), Work())).requests()
    assert settings == {"log_linear": LINKS}
    encoded = screen_of(asked(), Work())["asked"]["log_linear"]
    for strange in ({"ordinal": encoded}, {"no_method": encoded}, {"log_linear": {"x": 1}}, [1], "x"):
        assert Screen({"asked": strange}).requests() == {}
    for nothing in (None, [1], "x"):
        assert Screen(nothing).behind("1") == ("", {}, True)


def asked() -> Session:
    """A session whose page of log-linear models was asked."""
    state = Session()
    state.page("log_linear").method = LINKS
    return state


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-25T09:30:01", datetime(2026, 11, 25, 9, 30, 1, tzinfo=UTC)),
        ("2026-11-25T09:30:01+02:00", datetime.fromisoformat("2026-11-25T09:30:01+02:00")),
        ("yesterday", None),
    ],
)
def test_a_date_is_in_universal_time_unless_it_says_otherwise(text: str, expected: datetime | None) -> None:
    """What is no date is now."""
    saved = engine.SavedResult(LINKS.run(DATA), made=text, key="1")
    (card,) = cards_from(engine.Project(analyses=[saved]), None)
    if expected is None:
        assert abs((datetime.now(UTC) - card.created).total_seconds()) < 60
    else:
        assert card.created == expected
        assert card.created.utcoffset() == expected.utcoffset()


def test_what_was_saved_last_goes_on_under_the_new_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After a restart a browser has another name; the file of another one stays where it is."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state" / "of programs"))
    content = bytes_of(Session(), with_table=False)
    assert keep_last("before", content)
    inherit_last("nobody", "other")
    inherit_last("before", "after")
    assert last_saved("after") is not None
    assert last_saved("before") is None
    assert last_saved("other") is None


def test_half_a_file_goes_with_the_rest(disk: Path) -> None:
    """One that was begun when the power failed, also where nothing was ever saved whole."""
    assert keep_last(BROWSER, engine_bytes())
    (file,) = disk.iterdir()
    for whole in (True, False):
        file.with_suffix(".new").write_bytes(b"half")
        forget_last(BROWSER)
        assert not list(disk.iterdir()), whole
    forget_last(BROWSER)


def test_limits_of_what_is_saved_are_as_they_are() -> None:
    """Fifty layouts; five hundred letters of a group; the first and the last that fit."""
    state = Session()
    for number in range(51):
        state.layouts.put({f"v{number}": (0.0, 0.0)})
    layouts = project_of(state, with_table=False).layouts
    assert (len(layouts), list(layouts[-1])) == (50, ["v1"])
    group = Screen({"cards": {"1": {"group": "g" * 501}}}).behind("1")[0]
    assert group == "g" * 500


def test_what_a_page_put_into_a_file_is_asked_for_by_its_slug() -> None:
    """As it was written; nothing where there is none, or where somebody wrote something else."""
    assert Screen({"pages": {"workshop": [1]}}).saved_state("workshop") == [1]
    assert Screen({"pages": {"workshop": [1]}}).saved_state("simulate") is None
    assert Screen({"pages": "x"}).saved_state("workshop") is None
    assert Screen({}).saved_state("workshop") is None


def test_arguments_that_could_not_be_read_back_are_left_out() -> None:
    """Tuples are lists; no file holds an infinite number."""
    state = Session()
    for number, value in enumerate(((3, None), float("inf"))):
        state.cards.add(Card(number, LINKS.run(DATA), DATA, "t", arguments={"instances": value}))
    cards = screen_of(state, Work())["cards"]
    assert [cards[key]["arguments"] for key in ("1", "2")] == [{"instances": [3, None]}, {}]


def test_a_card_is_of_the_table_without_the_name_of_its_group() -> None:
    """Which may hold a comma; and where the group was not said, the source stays whole."""
    saved = engine.SavedResult(LINKS.run(DATA), source="a, b, sex = f", key="1")
    for group, source in (("sex = f", "a, b"), ("", "a, b, sex = f"), ("sex = m", "a, b, sex = f")):
        screen = {"cards": {"1": {"group": group}}}
        (card,) = cards_from(engine.Project(analyses=[saved], screen=screen), None)
        assert (card.source, card.group) == (source, group)
