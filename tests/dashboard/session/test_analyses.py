"""What a session keeps of its analyses and pages, and how it forgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import pytest

import engine
from dashboard.session.session import MOST_ANALYSES, Analysis, Session
from tests.engine.make import two_groups

GROUPS = engine.GroupDifference(group="g")
LINKS = engine.LogLinear()


class Answer:
    """As much of an answer as a session looks at."""

    slug = "log_linear"


ANSWER, LATE = Answer(), Answer()


def analysis(method: Any, key: object, answer: Any = ANSWER) -> Analysis:
    """One that was answered at once."""
    return Analysis(method, key, answer=answer)


def keys(held: Session) -> list[Any]:
    return [one.key for one in held.analyses]


def test_the_latest_answer_of_a_method_is_shown() -> None:
    """Of its own analyses the last that has an answer; found by key, whosever it is."""
    held = Session()
    first, second = held.keep(analysis(GROUPS, 1)), held.keep(analysis(GROUPS, 2, None))
    links = held.keep(analysis(LINKS, 3))
    assert held.answered("group_difference") is first
    assert held.answered("log_linear") is links
    assert held.answered("instance_specific") is None
    assert held.analysis(2) is second
    assert held.analysis(9) is None
    second.answer = LATE  # type: ignore[assignment]
    assert held.answered("group_difference") is second
    assert (second.slug, second.result) == ("group_difference", LATE)


def test_the_same_question_is_kept_once_and_last() -> None:
    """Asked again it takes the place of its earlier self, at the end."""
    held = Session()
    for key in (1, 2, 3):
        held.keep(analysis(LINKS, key))
    again = held.keep(analysis(LINKS, 1))
    assert keys(held) == [2, 3, 1]
    assert held.analysis(1) is again


@pytest.mark.parametrize("many", [1, 15, 16, 17, 21])
def test_the_oldest_analyses_go_first(many: int) -> None:
    """No more than sixteen, the latest of them."""
    held = Session()
    for key in range(many):
        held.keep(analysis(LINKS, key))
    assert keys(held) == list(range(many))[-16:]


def test_all_methods_share_the_places() -> None:
    """Of two methods by turns the latest stay, whichever they are of."""
    held = Session()
    for key in range(MOST_ANALYSES + 7):
        held.keep(analysis((GROUPS, LINKS)[key % 2], key))
    assert keys(held) == list(range(7, MOST_ANALYSES + 7))


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_method_may_keep_fewer_of_its_own(most: int) -> None:
    """The analyses of other methods are not counted, and stay."""
    held = Session()
    held.keep(analysis(GROUPS, "other"))
    for key in range(5):
        held.keep(analysis(LINKS, key), most=most)
    assert keys(held) == ["other", *range(5)[-most:]]


def test_a_page_begins_as_it_is_told_and_runs_once() -> None:
    """Settings and a run that is taken once; forgotten, it is a page that nobody has seen."""
    held = Session()
    assert (held.page("x").settings, held.page("x").take_run()) == ({}, False)
    settings = {"p_same": 0.3}
    held.begin("x", settings)
    settings["p_same"] = 0.9
    assert held.page("x").settings == {"p_same": 0.3}
    assert held.page("x").take_run()
    assert not held.page("x").take_run()
    held.begin("x", {}, run=False)
    assert not held.page("x").take_run()
    held.page("x").ask_run()
    assert held.page("x").take_run()
    held.begin("x", {"a": 1})
    held.begin("y", {"a": 2})
    held.forget("x")
    held.forget("z")
    assert (held.page("x").settings, held.page("y").settings) == ({}, {"a": 2})


@dataclass
class Shown:
    """What a page keeps beside its method."""

    row: int = 7


def test_a_page_keeps_what_it_likes_until_the_next_table() -> None:
    """One value of each type, made on first use; all of it goes with the table."""
    held = Session()
    held.state(Shown).row = 9
    assert held.state(Shown) is held.state(Shown)
    assert held.state(Shown).row == 9
    held.keep(analysis(LINKS, 1))
    held.begin("log_linear", {"alpha": 0.1})
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    assert held.state(Shown).row == 7
    assert held.analyses == []
    assert held.page("log_linear").settings == {}


def test_asking_runs_the_method_and_remembers_the_question() -> None:
    """A job with the data and what else `run` takes; asked again it is the same job; the page knows what was asked."""
    held = Session()
    data = two_groups(30, 3, 2, seed=0)
    method = engine.GroupDifference(group="group")
    asked = held.ask(method, data, arguments={"why": "so"})
    assert asked.job is not None
    assert held.page("group_difference").method == method
    assert asked.job.wait(60)
    assert asked.result == method.run(data)
    assert (dict(asked.arguments), held.answered("group_difference")) == ({"why": "so"}, asked)
    again = held.ask(method, data)
    assert again.job is asked.job
    assert keys(held) == [asked.key]
    patient = held.ask(engine.InstanceSpecific(), data, 3)
    assert patient.job is not None
    assert patient.job.wait(60)
    assert patient.result.row == 3
    other = held.ask(engine.InstanceSpecific(), data, 4)
    assert other.key != patient.key
    held.job_queue.close()


def test_an_answer_that_was_waited_for_is_told_once() -> None:
    """One that came by a press, not one that was there at once; each makes its card."""
    job = FakeJob(active=True)
    held = Session()
    held.keep(Analysis(LINKS, "waited for", job=job))  # type: ignore[arg-type]
    held.keep(analysis(LINKS, "at once"))
    assert not held.collect()
    job.active, job.result, job.worked = False, LATE, 2.5
    assert held.collect()
    assert not held.collect()
    assert [(card.key, card.seconds, card.pressed) for card in held.cards] == [
        ("at once", None, False),
        ("waited for", 2.5, True),
    ]


@dataclass
class FakeJob:
    """As much of a job as a session looks at."""

    active: bool
    result: Any = None
    worked: float | None = None
