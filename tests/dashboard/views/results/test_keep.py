"""Saving, opening and asking again, driven as a user does: what is open, what comes of it, what is asked first."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dashboard
import engine
from dashboard.session.projects import bytes_of
from dashboard.session.session import Session

PAGE = str(Path(dashboard.__file__).parent / "app_pages" / "results.py")


@cache
def table(seed: int, rows: int = 240) -> pd.DataFrame:
    """Age, sex, and two that follow them; the ages of another seed are others, so its own cut points would be too."""
    generator = np.random.default_rng(seed)
    age = generator.integers(20 + 10 * seed, 80, rows)
    sex = generator.choice(["f", "m"], rows)
    pain = np.where(generator.random(rows) < 0.8, sex == "f", generator.random(rows) < 0.5)
    sleep = np.where(generator.random(rows) < 0.8, pain, generator.random(rows) < 0.5)
    words = {True: "yes", False: "no"}
    return pd.DataFrame(
        {
            "age": age,
            "sex": sex,
            "pain": [words[bool(one)] for one in pain],
            "sleep": [words[bool(one)] for one in sleep],
        }
    )


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def drawn(script: Callable[[], None], held: Session, **values: Any) -> AppTest:
    """A script of the session's, run once."""
    at = AppTest.from_function(script, default_timeout=60)
    at.session_state["diptych"] = held
    for name, value in values.items():
        at.session_state[name] = value
    at.run()
    assert not at.exception
    return at


def with_table(**more: Any) -> Session:
    """A session in which the first table is open, and asked two questions."""

    def opening() -> None:
        import streamlit as st

        from dashboard.views.data.choices import open_table

        open_table(st.session_state["table"], "first.csv", chosen=st.session_state["chosen"])

    held = Session()
    drawn(opening, held, table=table(0), chosen=more)
    assert held.dataset is not None
    for method in (engine.LogLinear(criterion="bic"), engine.GroupDifference(group="sex")):
        answered(held, method)
    return held


def answered(held: Session, method: Any) -> None:
    """Ask, and wait."""
    assert held.dataset is not None
    one = held.ask(method, held.dataset)
    assert one.job is not None
    assert one.job.wait(60)
    held.collect()


def page(held: Session, view: str = "Save and open") -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.session_state["diptych"] = held
    at.session_state["results.view"] = view
    at.run()
    assert not at.exception
    return at


def opened(content: bytes) -> Session:
    """A new session that has opened a file."""

    def opening() -> None:
        import streamlit as st

        from dashboard.views.session.opening import open_content

        st.text(open_content(st.session_state["content"]) or "opened")

    held = Session()
    at = drawn(opening, held, content=content)
    assert at.text[0].value == "opened"
    return held


def choose(held: Session, what: str, column: str, value: Any) -> None:
    """Change a choice as the data page does."""

    def choosing() -> None:
        import streamlit as st

        from dashboard.session.preparing import prepare_table
        from dashboard.session.session import session
        from dashboard.session.work import work

        work().choose(*st.session_state["choice"])
        prepare_table(session(), work())

    drawn(choosing, held, choice=(what, column, value))


def work_of(held: Session) -> Any:
    return held.choices["data"]["work"]


def said(at: AppTest) -> str:
    found = [*at.markdown, *at.caption, *at.info, *at.warning, *at.error]
    return "\n".join(str(one.value) for one in found).replace("\\", "")


def asked_again(held: Session, other: pd.DataFrame) -> AppTest:
    """Another table dropped, the button pressed, and the question answered."""
    at = page(held)
    at.file_uploader(key="results.again").upload("second.csv", csv(other), "text/csv").run()
    before = held.dataset
    at.button(key="results.ask").click().run()
    assert held.dataset is before
    assert "takes the place of the open table *first.csv*" in said(at)
    at.button(key="results.replace").click().run()
    assert not at.exception
    for job in list(held.job_queue._jobs.values()):
        assert job.wait(60)
    held.collect()  # the frame of the pages does
    at.run()
    assert not at.exception
    return at


def test_after_asking_again_files_and_scripts_are_of_the_same_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frozen recipe stays until a choice is changed, which is said; the page shows what is in use."""
    held = with_table()
    cuts = dict(held.dataset.cuts)  # type: ignore[union-attr]
    asked_again(held, table(2))
    data = held.dataset
    assert data is not None
    assert dict(data.cuts) == cuts
    assert work_of(held).get("bins", "age") == list(cuts["age"])
    plainly = engine.Dataset.from_frame(engine.read_table(csv(table(2)), name="second.csv"))
    assert plainly.cuts["age"] != cuts["age"]

    again = opened(bytes_of(held, with_table=True))
    assert again.dataset is not None
    assert again.dataset.fingerprint == data.fingerprint
    assert [card.data is not None for card in again.cards] == [
        card.result.fingerprint == data.fingerprint for card in held.cards
    ]
    assert sum(card.data is not None for card in again.cards) == 2

    def writing() -> None:
        import streamlit as st

        import engine
        from dashboard.session.session import session
        from dashboard.views.shared.exports import script

        st.text(script(engine.LogLinear(), session().dataset, {}, "result.edges()"))

    text = drawn(writing, held).text[0].value
    assert "engine.Recipe.from_dict(" in text
    (tmp_path / "second.csv").write_bytes(csv(table(2)))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(text, names)  # noqa: S102  # what a user would do with it; it checks the fingerprint itself
    assert names["data"].fingerprint == data.fingerprint

    for one in (held, again):
        choose(one, "bins", "age", 4)
        assert work_of(one).frozen is None
        assert "A choice was changed" in work_of(one).notes[0]
        assert len(one.dataset.levels["age"]) == 4  # type: ignore[union-attr]


def test_a_project_asked_again_by_the_engine_opens_with_its_levels() -> None:
    """Its choices hold fixed columns."""
    held = with_table()
    project = engine.load(bytes_of(held, with_table=True))
    assert isinstance(project, engine.Project)
    again = project.rerun(table(2))
    file = io.BytesIO()
    engine.save(again.project, file)
    found = opened(file.getvalue())
    assert found.dataset is not None
    assert found.dataset.fingerprint == again.data.fingerprint
    assert all(card.data is not None for card in found.cards)


def test_choices_that_cannot_be_used_are_not_saved() -> None:
    """The data set from before stands, and so do its choices in the file."""
    held = with_table(bins={"age": 4})
    data = held.dataset
    choose(held, "levels", "pain", ["yes"])
    assert work_of(held).error
    assert held.dataset is data
    again = opened(bytes_of(held, with_table=True))
    assert again.dataset is not None
    assert again.dataset.fingerprint == data.fingerprint  # type: ignore[union-attr]
    assert work_of(again).get("bins", "age") == 4


@pytest.mark.parametrize("recipe", [True, False])
def test_a_file_whose_choices_do_not_fit_opens_as_far_as_it_goes(recipe: bool) -> None:
    """By the recipe of its data set, else without one; results and notes are there, and it says why."""
    data = engine.Dataset.from_frame(table(0))
    project = engine.Project(
        recipe=data.recipe if recipe else None,
        analyses=[engine.SavedResult(engine.LogLinear().run(data))],
        notes="mine",
        table=table(0),
        choices={"levels": {"pain": ["yes"]}},
    )
    file = io.BytesIO()
    engine.save(project, file)
    held = opened(file.getvalue())
    assert (held.notes, len(held.cards)) == ("mine", 1)
    (card,) = held.cards
    if recipe:
        assert held.dataset is not None
        assert card.data is held.dataset
    else:
        assert held.dataset is None
        assert card.data is None
    words = "prepared as its results had it" if recipe else "cannot be prepared"
    assert words in said(page(held, "All results"))


def test_groups_come_back_and_pages_show_the_whole() -> None:
    """A group's answer has its rows again and takes nobody's place."""
    from dashboard.session.cards import parts_of

    held = with_table()
    method = engine.LogLinear(criterion="bic")
    for name, part in parts_of(held.dataset, "sex").items():  # type: ignore[arg-type]
        one = held.ask_group(method, part, name)
        assert one.job is not None
        assert one.job.wait(60)
    held.collect()
    held.picked["log_linear.group"] = "sex"
    again = opened(bytes_of(held, with_table=True))
    assert [card.data is not None for card in again.cards] == [True] * 4
    assert [card.group for card in again.cards] == ["", "", "sex = f", "sex = m"]
    state = again.page("log_linear")
    assert (state.method, state.opened) == (method, None)
    assert [one.group for one in again.analyses if one.slug == "log_linear"] == ["", "sex = f", "sex = m"]
    first, second = list(again.cards)[2:]
    chance = engine.compare(first.result, second.result, data=(first.data, second.data), search_again=2)
    assert chance.shuffles is not None and chance.shuffles.many == 2


def test_what_is_not_asked_again_is_said_with_its_reason() -> None:
    """A question about a column that is not there, a group's, one of another table; the others are asked."""
    from dashboard.session.cards import Card, parts_of

    held = with_table()
    name, part = next(iter(parts_of(held.dataset, "sex").items()))  # type: ignore[arg-type]
    held.cards.add(Card("group", engine.LogLinear().run(part), part, "first.csv", group=name))
    other = engine.Dataset.from_frame(table(1))
    held.cards.add(Card("other", engine.LogLinear().run(other), other, "other.csv"))
    fewer = asked_again(held, table(2).drop(columns="sleep"))
    assert held.rerun is not None
    assert held.rerun.new_keys == {}
    text = said(fewer)
    assert "no column 'sleep', so it is left out, with every analysis that needs it" in text
    assert "It is about 'sleep', which the table does not have." in text
    assert "It is about one group only" in text
    assert "made from another table" in text
    assert sorted(held.rerun.refused) == [1, 2, 3, 4]


def test_old_and_new_stand_side_by_side_until_all_is_forgotten() -> None:
    held = with_table()
    at = asked_again(held, table(2))
    assert held.rerun is not None
    assert sorted(held.rerun.new_keys) == [1, 2]
    assert len([one for one in at.button if one.label == "Compare the two"]) == 2
    new = held.cards.get(held.rerun.new_keys[2])
    assert new is not None
    held.cards.delete(new)
    assert "was deleted, or made room" in said(at.run())
    held.end()
    assert "Old and new" not in said(page(Session(cards=with_table().cards)))


def test_before_a_project_takes_the_place_of_something_it_is_asked() -> None:
    """Cancelled, all stays; said yes, it opens. Where nothing is open it opens at once."""
    held = with_table()
    content = bytes_of(held, with_table=False)
    held.write_notes("not saved")
    at = page(held)
    at.file_uploader(key="results.file").upload("mine.diptych", content, "application/zip").run()
    assert "*mine.diptych* takes the place of the open table *first.csv*" in said(at)
    assert "2 results, not all of it saved" in said(at)
    assert held.table is not None
    at.button(key="results.leave").click().run()
    assert not at.exception
    assert held.waiting is None
    assert "takes the place" not in said(at)
    assert (held.notes, held.table is None) == ("not saved", False)

    at = page(held)
    at.file_uploader(key="results.file").upload("mine.diptych", content, "application/zip").run()
    at.button(key="results.replace").click().run()
    assert not at.exception
    assert (held.notes, held.table) == ("", None)
    assert len(held.cards) == 2
    opened(content)


def test_a_press_on_save_draws_nothing_again() -> None:
    """A page drawn again would drop what the file is made of, at times before it is made; notes count as unsaved."""
    held = with_table()
    at = page(held)
    (save,) = at.get("download_button")
    assert save.proto.ignore_rerun
    held.cards.saved = held.cards.version
    at.text_area(key="results.notes").set_value("why").run()
    assert held.cards.unsaved


def test_a_changed_choice_is_not_saved_yet() -> None:
    held = with_table()
    held.cards.saved = held.cards.version
    choose(held, "bins", "age", 3)
    assert not held.cards.unsaved
    choose(held, "bins", "age", 5)
    assert held.cards.unsaved
