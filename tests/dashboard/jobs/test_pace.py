"""The time left by the pace of reports: right where it is shown, and not shown where it cannot be known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.jobs.pace import AGREEMENT, Pace

FACTOR = 1.5
Phases = list[tuple[float, float]]
"""(share of the work, seconds) of each, the shares adding up to 1."""


def moment(phases: Phases, done: float) -> float:
    """When so much is done."""
    result = 0.0
    for share, seconds in phases:
        result += seconds * min(max(done, 0.0) / share, 1.0)
        done -= share
    return result


def reported(phases: Phases, marks: Iterable[float]) -> Pace:
    """The pace of work that reports at some shares of it."""
    pace = Pace()
    for mark in marks:
        pace.add(moment(phases, mark), mark)
    return pace


def shown(phases: Phases, done: float, steps: int = 200) -> float | None:
    """What is shown at the report of so much done, of reports that come evenly."""
    pace = reported(phases, (step / steps for step in range(round(done * steps) + 1)))
    return pace.seconds_left(moment(phases, done))


def ratio(phases: Phases, done: float, steps: int = 200) -> float | None:
    """How many times more or less than the truth is shown."""
    left, true = shown(phases, done, steps), moment(phases, 1.0) - moment(phases, done)
    return None if left is None else max(left / true, true / left)


@pytest.mark.parametrize("done", [0.1, 0.3, 0.5, 0.9])
def test_a_steady_pace_is_shown_from_a_tenth_on(done: float) -> None:
    """As it is; nothing before."""
    steady = [(1.0, 60.0)]
    assert shown(steady, done) == pytest.approx(60 * (1 - done))
    assert shown(steady, 0.09) is None
    assert shown(steady, 1.0) is None


def test_where_it_begins_later_that_is_where_the_pace_is_counted_from() -> None:
    """What was loaded before the first report is no part of it, and a tenth of the rest has to be done."""
    pace = Pace()
    for step in range(60, 81):
        pace.add(500 + step, step / 100)
    assert pace.seconds_left(580) == pytest.approx(20)
    pace.reports = pace.reports[:4]
    assert pace.seconds_left(563) is None


def test_two_paces_are_not_averaged() -> None:
    """Counting takes a tenth of the bar and half of the time: nothing is shown while the two are mixed."""
    phases = [(0.1, 30.0), (0.9, 30.0)]
    assert [shown(phases, done) for done in (0.12, 0.2, 0.4, 0.9)] == [None] * 4
    slower = [(0.9, 30.0), (0.1, 30.0)]
    assert shown(slower, 0.95) is None


def test_steps_of_unknown_number_have_no_time() -> None:
    """A bar that nears its end ever more slowly, from a third of it on."""
    pace = Pace()
    for step in range(2000):
        pace.add(step / 10, step / (step + 400))
        if pace.reports[-1][1] > 1 / 3:
            assert pace.seconds_left(step / 10) is None


def test_silence_takes_the_time_away() -> None:
    """It counts down between reports; a silence longer than any before means that something else is done."""
    pace = reported([(1.0, 100.0)], (step / 50 for step in range(26)))
    assert pace.seconds_left(50.0) == pytest.approx(50.0)
    assert pace.seconds_left(52.5) == pytest.approx(47.5)
    assert pace.seconds_left(53.5) is None
    late = reported([(1.0, 100.0)], (step / 4 for step in range(4)))
    assert late.seconds_left(75.0 + 24.0) == pytest.approx(1.0)
    assert late.seconds_left(75.0 + 26.0) is None


def test_few_reports_and_the_first_second_say_nothing() -> None:
    """Three reports make two steps, which agree by chance."""
    phases = [(1.0, 100.0)]
    assert reported(phases, (0.0, 0.3, 0.6)).seconds_left(60.0) is None
    assert reported(phases, (0.0, 0.2, 0.4, 0.6)).seconds_left(60.0) == pytest.approx(40.0)
    assert reported([(1.0, 1.5)], (step / 10 for step in range(7))).seconds_left(0.9) is None


def test_reports_without_progress_and_reports_without_end_take_no_room() -> None:
    """Those that fall are left out; a million become a thousand, the latest among them."""
    pace = Pace()
    pace.add(1.0, 0.5)
    pace.add(2.0, 0.4)
    assert pace.reports == [(1.0, 0.5)]
    many = reported([(1.0, 1e6)], (step / 100_000 for step in range(100_000)))
    assert len(many.reports) < 2_100
    assert many.reports[-1][1] == 0.99999
    assert many.seconds_left(999_990.0) == pytest.approx(10.0, rel=0.01)


paces = st.lists(st.tuples(st.floats(0.05, 1.0), st.floats(0.1, 10.0)), min_size=1, max_size=6)


def phases_of(drawn: list[tuple[float, float]], seconds: float = 100.0) -> Phases:
    """Phases of so many seconds altogether, of drawn shares and paces."""
    whole = sum(share for share, _ in drawn)
    times = [share * pace for share, pace in drawn]
    return [(share / whole, seconds * time / sum(times)) for (share, _), time in zip(drawn, times, strict=True)]


@given(paces, st.floats(0.1, 0.99))
def test_what_is_shown_is_right_if_the_rest_goes_on_as_the_latest_tenth(drawn: list[Any], done: float) -> None:
    """Whatever came before: a time that older paces would falsify is not shown."""
    phases = phases_of(drawn)
    left = shown(phases, round(done, 2), steps=100)
    done = round(done, 2)
    latest = (moment(phases, done) - moment(phases, 0.9 * done)) / (0.1 * done)
    if left is not None:
        assert 1 / AGREEMENT <= left / ((1 - done) * latest) <= AGREEMENT


@given(st.floats(0.02, 0.9), st.floats(0.1, 10.0), st.floats(0.1, 0.99))
def test_after_a_change_of_pace_nothing_wrong_is_shown(change: float, slower: float, done: float) -> None:
    """From the moment on at which the latest tenth of what is done lies behind the change."""
    phases = phases_of([(change, slower), (1 - change, 1.0)])
    done = max(round(done, 2), round(change / 0.9 + 0.01, 2))
    if done < 1:
        worst = ratio(phases, done, steps=100)
        assert worst is None or worst <= FACTOR


@given(st.lists(st.floats(1.0, 1.15), min_size=50, max_size=50), st.integers(5, 49))
def test_a_pace_that_hardly_varies_is_always_shown_and_right(times: list[float], done: int) -> None:
    """Runs that take up to 15 % more or less than each other."""
    phases = [(1 / 50, time) for time in times]
    worst = ratio(phases, done / 50, steps=50)
    assert worst is not None
    assert worst <= FACTOR
