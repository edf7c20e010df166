"""The results page: cards, comparison, report and file, driven as a user does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape
from streamlit.testing.v1 import AppTest

import dashboard
import engine
import sample_data
from dashboard.pages import page_title
from dashboard.server.browsers import new_key
from dashboard.server.memory import memory
from dashboard.session import projects
from dashboard.session.cards import Card
from dashboard.session.projects import bytes_of
from dashboard.session.session import Session
from dashboard.views.results.keep import saved_bytes
from dashboard.views.results.report import cards_in_report, report_bytes

PAGE = str(Path(dashboard.__file__).parent / "app_pages" / "results.py")
DATA = sample_data.dataset("cough_and_smoke")


@cache
def answers() -> tuple[Any, ...]:
    parts = engine.by_group(DATA, "sex")
    return (
        engine.LogLinear(criterion="bic").run(DATA),
        engine.LogLinear(criterion="mml").run(DATA),
        engine.GroupDifference(group="sex").run(DATA),
        *(engine.LogLinear(criterion="bic").run(part) for part in parts.values()),
    )


def session_with(number: int = 3) -> Session:
    """So many answers, the last two of the groups of one column."""
    held = Session()
    held.dataset, held.source = DATA, "table.csv"
    parts = [DATA] * 3 + list(engine.by_group(DATA, "sex").values())
    for place, (result, data) in enumerate(zip(answers()[:number], parts, strict=False)):
        held.cards.add(Card(place, result, data, "table.csv"))
    return held


def page(held: Session, view: str = "") -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.session_state["diptych"] = held
    if view:
        at.session_state["results.view"] = view
    at.run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    found = [*at.markdown, *at.caption, *at.info, *at.warning, *at.error, *at.subheader]
    return "\n".join(str(one.value) for one in found).replace("\\", "")


def test_without_results_the_page_says_what_will_stand_there() -> None:
    at = AppTest.from_file(str(Path(PAGE).parents[1] / "app.py"), default_timeout=60).run()
    at.switch_page("app_pages/results.py").run()
    assert not at.exception
    assert "There is none yet" in said(at)
    assert len(at.file_uploader) == 1


def test_a_card_of_one_patient_has_the_name_that_the_table_gives() -> None:
    """On the page, where the open table has a column of names."""
    held, frame = Session(), sample_data.load("cough_and_smoke").assign(patient_id=lambda rows: rows.index + 10_001)
    held.table, held.source, held.dataset = frame, "table.csv", engine.Dataset.from_frame(frame)
    result = engine.InstanceSpecific(search="ges").run(held.dataset, 4)
    held.cards.add(Card(0, result, held.dataset, "table.csv"))
    assert "One patient, 10005" in said(page(held))
    held.table = frame.drop(columns="patient_id")
    assert "10005" not in said(page(held))


def test_a_card_says_what_came_of_what() -> None:
    """Page, headline, table, rows, and the settings that are not the usual ones."""
    at = page(session_with())
    text = said(at)
    chapters = said(page(session_with(), "Report"))
    for result in answers()[:3]:
        assert f" {page_title(result.slug)}]" in text and f":small[{page_title(result.slug)}]" in chapters
        spaced = [one.replace("\u00a0", " ") for one in (result.headline(), result.question(), result.how_sure()[0])]
        assert all(one in text.replace("\u00a0", " ") for one in spaced)
        assert f"**{spaced[0]}**" in text.replace("\u00a0", " "), "the answer stands out, not what was asked"
    assert "table.csv" in text
    assert f"{DATA.n_rows:,} rows" in text
    assert "The report has the results with a ★, 3 of 3." in text
    assert any("bic." in str(one.proto.help).replace("\\", "") for one in at.caption)


def test_star_name_note_delete_undo() -> None:
    """What its reader does to a card stays; what is deleted comes back where it stood."""
    held = session_with()
    at = page(held)
    at.button(key="results.star.2").click().run()
    assert [one.number for one in cards_in_report(held)] == [1, 3], "what was in the report stays there"
    assert [at.button(key=f"results.star.{number}").label for number in (1, 2, 3)] == ["★", "☆", "★"]
    assert "with a ★, 2 of 3." in said(at)
    at.button(key="results.star.1").click().run()
    assert at.button(key="results.star.3").disabled, "the last one: a report without results is none"
    at.button(key="results.star.2").click().run()
    assert [one.number for one in cards_in_report(held)] == [2, 3]
    at.text_input(key="results.name.1").set_value("Mine *bold*").run()
    at.text_area(key="results.note.1").set_value("to be shown").run()
    at.button(key="results.keep.1").click().run()
    assert held.cards.numbered(1).title == "Mine *bold*"  # type: ignore[union-attr]
    assert "Mine \\*bold\\*" in "\n".join(one.value for one in at.markdown)
    at.button(key="results.delete.1").click().run()
    assert [one.number for one in held.cards] == [2, 3]
    at.button(key="results.undo").click().run()
    assert [one.number for one in held.cards] == [1, 2, 3]


def test_a_card_leads_to_the_page_that_compares() -> None:
    """It begins with that result."""
    at = AppTest.from_file(str(Path(PAGE).parents[1] / "app.py"), default_timeout=60)
    at.session_state["diptych"] = session_with()
    at.run().switch_page("app_pages/results.py").run()
    at.button(key="results.compare.1").click().run()
    assert not at.exception
    assert at.selectbox(key="compare.first").value == 1


def test_the_results_of_single_groups_are_no_chapters() -> None:
    """A comparison is made of them; with a star they are."""
    held = session_with()
    card = held.cards.numbered(3)
    assert card is not None
    held.cards.change(card, group="sex = f")
    assert [one.number for one in cards_in_report(held)] == [1, 2]
    shown = said(page(held))
    assert "with a ★, 2 of 3." in shown and shown.count("told by *Compare*, not by two such results") == 1
    assert "2 chapters**, the oldest first: the results with a ★" in said(page(held, "Report"))
    held.cards.put_in_report(card)
    assert len(cards_in_report(held)) == 3


def test_the_report_has_the_starred_ones() -> None:
    """The page and the file hold the headline of the one that has a star, and of no other."""
    held = session_with()
    for card in list(held.cards)[:2]:
        held.cards.put_in_report(card, False)
    at = page(held, "Report")
    assert answers()[2].headline() in said(at)
    text = report_bytes(held, cards_in_report(held), "Title", 5, ["print()"], {}).decode()
    assert escape(answers()[2].headline()) in text
    assert answers()[0].headline() not in text


def test_saved_and_opened_again_everything_stands_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Cards with names, notes and stars; the file without the table has no row; opening starts nothing."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    held, browser = session_with(), new_key()
    held.cards.change(next(iter(held.cards)), title="Mine", note="why", starred=True)
    held.notes = "all of it"
    content = saved_bytes(held, browser, with_table=False)
    assert not held.cards.unsaved
    assert projects.last_saved(browser) == content
    assert projects.last_saved(new_key()) is None
    assert oct(projects.folder().stat().st_mode)[-3:] == "700"
    found = engine.load(content)
    assert found.table is None

    def opening() -> None:
        import streamlit as st

        from dashboard.session.session import session
        from dashboard.views.session.opening import open_content

        st.text(open_content(st.session_state["content"]) or "opened")
        st.text(len(session().job_queue._jobs))

    at = AppTest.from_function(opening, default_timeout=60)
    at.session_state["content"] = content
    at.run()
    assert not at.exception
    assert [one.value for one in at.text] == ["opened", "0"]
    again: Session = at.session_state["diptych"]
    assert next((one.title, one.note, one.starred) for one in again.cards) == ("Mine", "why", True)
    assert [one.result for one in again.cards] == list(answers()[:3])
    assert again.notes == "all of it"
    assert not again.cards.unsaved
    projects.forget_last(browser)
    assert projects.last_saved(browser) is None


def test_a_damaged_file_leaves_what_is_open() -> None:
    """One sentence, and nothing is lost."""

    def opening() -> None:
        import streamlit as st

        from dashboard.views.session.opening import open_content

        st.text(open_content(b"PK nonsense"))
        st.text(open_content(b"a,b", "study.csv"))
        st.text(open_content(b"a,b", "study.diptych"))

    at = AppTest.from_function(opening, default_timeout=60)
    at.session_state["diptych"] = held = session_with()
    at.run()
    assert not at.exception
    damaged, table, ours = (item.value for item in at.text)
    assert damaged == ours == "This is no file of Diptych, or it is damaged; save it again."
    assert table.startswith("'study.csv' is not a file that Diptych saved") and "Data page" in table
    assert len(held.cards) == 3


def test_what_is_forgotten_is_gone_from_the_disk_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Old files are not offered, and are removed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    browser = new_key()
    assert projects.keep_last(browser, bytes_of(session_with(1), with_table=False))
    monkeypatch.setattr(projects.time, "time", lambda: 1e12)
    assert projects.last_saved(browser) is None
    assert list(projects.folder().iterdir()) == []
    assert not projects.keep_last("", b"choices")


def test_no_person_is_kept_on_the_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the table nor an answer about one patient; and nothing at all where nothing is to be kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    browser, held = new_key(), session_with(1)
    held.table = DATA.to_frame()
    held.cards.add(Card("patient", engine.InstanceSpecific().run(DATA, 5), DATA, "table.csv"))
    assert projects.keep_last(browser, bytes_of(held, with_table=True))
    found = engine.load(projects.last_saved(browser))
    assert found.table is None
    assert [one.result.slug for one in found.analyses] == ["log_linear"]
    monkeypatch.setattr(memory(), "keep", 0.0)
    assert not projects.keep_last(new_key(), bytes_of(held, with_table=False))
