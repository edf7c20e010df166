"""The page that compares: its first screen, groups of a column, other methods, shuffles, and a kept comparison."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import dashboard
import engine
import sample_data
from dashboard.session.cards import Card
from dashboard.session.comparing import Comparisons
from dashboard.session.session import Session
from dashboard.views.compare import invitation
from tests.dashboard.app_pages.running import finished

PAGE = str(Path(dashboard.__file__).parent / "app_pages" / "compare.py")
DATA = sample_data.dataset("two_hospitals")
MOST_WORDS = 150


@cache
def answers(column: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Associations of every group of a column, and their rows."""
    parts = tuple(engine.by_group(DATA, column).values())
    return tuple(engine.LogLinear().run(part) for part in parts), parts


def session_with(column: str = "hospital") -> Session:
    """A card for every group of a column of the open table."""
    held = Session(dataset=DATA, source="two_hospitals.csv")
    for number, (result, part) in enumerate(zip(*answers(column), strict=True)):
        level = DATA.levels[column][number]
        held.cards.add(Card(number, result, part, "two_hospitals.csv", group=f"{column} = {level}", seconds=0.1))
    return held


def page(held: Session) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.session_state["diptych"] = held
    at.run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    found = [*at.title, *at.markdown, *at.caption, *at.info, *at.warning, *at.error]
    return "\n".join(str(one.value) for one in found).replace("\\", "").replace("\N{NO-BREAK SPACE}", " ")


def compared() -> Any:
    """What the engine says of both hospitals."""
    results, parts = answers("hospital")
    return engine.compare(*results, data=parts)


def test_rows_of_one_subject_are_said_to_count_together_once() -> None:
    """On the first screen, beside p, and not again below the picture."""
    codes = np.random.default_rng(3).integers(0, 2, (2, 80))
    wave, person = np.repeat([0, 1], 40), np.tile(np.arange(40), 2)
    table = engine.Dataset.from_codes(
        np.array([*codes, wave, person]), [2, 2, ["one", "two"], 40], ["a", "b", "wave", "person"],
        roles={"person": "subject"},
    )  # fmt: skip
    held = Session(dataset=table, source="waves.csv")
    for number, (level, part) in enumerate(engine.by_group(table, "wave").items()):
        held.cards.add(Card(number, engine.LogLinear().run(part), part, "waves.csv", group=f"wave = {level}"))
    at = page(held)
    beside, *again = [line for line in said(at).splitlines() if "count together" in line]
    assert "after correction for all links." in beside
    assert "intervals are rough. Rows of one person count together: 40 persons and 40 persons." in beside
    assert not again


def test_the_first_screen_says_which_links_differ_in_few_words() -> None:
    """The engine's headline and how sure it is; the link that differs is read out; at most 150 words before a press."""
    at = page(session_with())
    found = compared()
    assert [str(one.value).replace("\\", "") for one in at.title] == [found.headline()]
    assert found.sentences()[0].replace("\u00a0", " ") in said(at).replace("**", "")
    assert (
        "**severity – early_antibiotics** **is probably stronger in North.** Odds ratio (95 % interval): 4.4"
        in said(at)
    )
    first = "\n".join(str(one.value) for one in [*at.main.title, *at.main.caption[:1], *at.main.markdown[:2]])
    assert len(re.findall(r"[^\W\d_]{2,}", first)) <= MOST_WORDS
    for note in found.notes():
        assert note.replace("\u00a0", " ") in said(at)
    cards = at.session_state["diptych"].cards
    (card,) = [one for one in cards if one.slug == "compare"]  # before a press, after halves
    assert card.number == 3 and not card.starred and card.result.headline() == found.headline()
    cards.delete(card)
    at.run()
    assert not [one for one in cards if one.slug == "compare"]  # what was deleted stays so


@pytest.mark.parametrize("results", [0, 1])
def test_too_few_results_are_made_and_compared_by_one_press(results: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says what is missing; the press learns both hospitals, and their comparison is there."""
    monkeypatch.setattr(invitation, "address", lambda page: f"http://localhost/{page.slug}")
    monkeypatch.setattr(invitation, "AT_ONCE", 0.0)
    held = Session(dataset=DATA, source="two_hospitals.csv")
    if results:
        held.cards.add(Card(0, engine.LogLinear().run(DATA), DATA, "two_hospitals.csv"))
    at = page(held)
    assert ("A second one is missing" if results else "there is none of this table yet") in said(at)
    groups = next(box for box in at.selectbox if box.label == "Groups")
    groups.select("hospital").run()
    next(button for button in at.button if button.label == "Compare these groups").click()
    finished(at.run())
    held.collect()  # as the frame does at the end of every run
    at.run()
    assert re.match(r"\d+ of \d+ links (probably )?differs?|No ", str(at.title[0].value))
    assert {card.group for card in held.cards} >= {"hospital = North", "hospital = South"}


def test_groups_of_a_guess_are_compared_without_a_press_and_others_by_one() -> None:
    """Results of other methods are there: they are not compared in place of the groups; a control comes first."""
    held = Session(dataset=DATA, source="two_hospitals.csv")
    held.cards.add(Card(0, engine.LogLinear().run(DATA), DATA, "two_hospitals.csv"))
    held.cards.add(Card(1, engine.GroupDifference(group="hospital").run(DATA), DATA, "two_hospitals.csv"))
    at = page(held)
    finished(at)
    held.collect()
    at.run()
    assert "Column guessed: 'hospital' is" in said(at).replace("\\", "")
    assert re.match(r"\d+ of \d+ links (probably )?differs?|No ", str(at.title[0].value))
    next(one for one in at.button if one.label == "By sex").click()
    finished(at.run())
    held.collect()
    at.run()
    assert {card.group for card in held.cards} >= {"hospital = North", "sex = male"}
    assert held.state(Comparisons).begun == (DATA.fingerprint, "sex")


def test_another_link_is_looked_at_by_the_list_and_by_a_row() -> None:
    """Its reading stands above; small links leave by the slider."""
    held = session_with()
    at = page(held)
    key = next(one.key for one in at.selectbox if one.label == "Link")
    links = at.selectbox(key=key).options
    at.selectbox(key=key).select_index(2).run()
    assert not at.exception
    assert f"**{links[2]}**" in said(at)
    slider = at.select_slider[0]
    slider.set_value(math.log(10)).run()
    assert not at.exception
    assert len(at.selectbox(key=next(one.key for one in at.selectbox if one.label == "Link")).options) < len(links)


def test_other_methods_are_compared_by_structure_only() -> None:
    """Said where the line on doubt stands; nothing is tested and nothing can be shuffled."""
    held = session_with()
    other = engine.GroupDifference(group="hospital").run(DATA)
    held.cards.add(Card("other", other, DATA, "two_hospitals.csv"))
    held.page("compare").opened = None
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.session_state["diptych"] = held
    at.session_state["compare.first"], at.session_state["compare.second"] = 1, 3
    at.run()
    assert not at.exception
    found = engine.compare(answers("hospital")[0][0], other, data=(answers("hospital")[1][0], DATA))
    assert found.no_test in said(at)
    assert not [one for one in at.expander if "Permutation" in one.label]


def test_without_results_the_page_says_where_they_come_from() -> None:
    at = AppTest.from_file(str(Path(PAGE).parents[1] / "app.py"), default_timeout=60).run()
    at.switch_page("app_pages/compare.py").run()
    assert not at.exception
    assert "Compare these groups" in said(at)


def test_hostile_names_are_text() -> None:
    """Of variables, levels and files."""
    bad = "<img src=x onerror=alert(1)> :red[b] **x**"
    codes = np.random.default_rng(0).integers(0, 2, (4, 400))
    codes[1] = np.where(codes[3] == 0, codes[0], 1 - codes[0])
    names = [f"{bad} {i}" for i in range(3)] + ["group"]
    data = engine.Dataset.from_codes(codes, [2, 2, 2, [f"{bad} one", f"{bad} two"]], names)
    held = Session(dataset=data, source=bad)
    for number, part in enumerate(engine.by_group(data, "group").values()):
        held.cards.add(Card(number, engine.LogLinear().run(part), part, bad, group=f"group = {bad}", seconds=0.1))
    at = page(held)
    shown = [str(one.value) for one in [*at.title, *at.markdown, *at.caption]]
    assert any("turns its sign" in one for one in shown)
    assert not [one for one in shown if re.search(r"(?<!\\)<img|(?<!\\)\*\*x|(?<!\\):red", one)]
