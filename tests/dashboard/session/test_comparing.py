"""What is remembered of comparisons: their shuffles batch by batch, the cards of one column, and the rows behind."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

import engine
import sample_data
from dashboard.jobs.pace import Pace
from dashboard.session.cards import Card, group_name
from dashboard.session.comparing import (
    BATCH,
    REMEMBERED,
    Comparisons,
    Shuffling,
    begin_batch,
    compared,
    parts_behind,
    seconds_of,
    shuffled,
    sibling_groups,
    take_batch,
)
from dashboard.session.session import Session
from engine.comparison.difference import Compare
from engine.methods.cost import Size

DATA = sample_data.dataset("two_hospitals")
METHOD = engine.LogLinear()


@dataclass
class FakeJob:
    """As much of a job as is looked at here."""

    fraction: float = 0.0
    pace: Pace = field(default_factory=Pace)
    active: bool = True
    state: str = "running"
    result: Any = None


@cache
def by_hospital() -> tuple[list[Card], Any]:
    """A card a hospital, the last level first, and their comparison."""
    parts = engine.by_group(DATA, "hospital")
    cards = [Card(level, METHOD.run(part), part, group=group_name("hospital", level)) for level, part in parts.items()]
    result = engine.compare(*(card.result for card in cards), data=list(parts.values()), draws=99)
    return cards[::-1], result


def test_shuffles_are_those_done_and_those_of_the_batch_that_runs() -> None:
    """60 wanted, 20 done, half of a batch of 20: 30 of 60; never more than all, and nothing where nothing is wanted."""
    shuffling = Shuffling()
    assert (shuffling.fraction, shuffling.ready) == (0.0, 0)
    assert shuffling.seconds_left is None
    shuffling = Shuffling(done=20)
    shuffling.want(40)
    assert shuffling.wanted == 60
    assert (shuffling.fraction, shuffling.ready) == (20 / 60, 20)
    shuffling.job = FakeJob(0.5)  # type: ignore[assignment]
    assert (shuffling.fraction, shuffling.ready) == (0.5, 30)
    shuffling.done = 55
    assert (shuffling.fraction, shuffling.ready) == (1.0, 60)


def test_time_left_goes_by_the_shuffles_of_all_batches() -> None:
    """Two seconds a shuffle: ten of the first batch leave 50 of 60; who asks for more later begins another count."""
    began = time.monotonic() - 20.0
    reports = [(began + 2.0 * number, number / BATCH) for number in range(11)]
    shuffling = Shuffling(wanted=60, job=FakeJob(0.5, Pace(reports)))  # type: ignore[arg-type]
    assert shuffling.seconds_left == pytest.approx(2.0 * 50, abs=1.0)
    shuffling.take(FakeJob(1.0, Pace([(moment - 20.0, share) for moment, share in reports])))  # type: ignore[arg-type]
    shuffling.done = 10
    assert shuffling.seconds_left == pytest.approx(2.0 * 40, abs=1.0)
    shuffling.want(40)
    assert shuffling.seconds_left == pytest.approx(2.0 * 30, abs=1.0)
    shuffling.job = FakeJob(0.5)  # type: ignore[assignment]
    assert shuffling.seconds_left is None
    shuffling.job = None
    assert shuffling.seconds_left is None


def test_the_comparison_that_was_looked_at_longest_ago_is_forgotten() -> None:
    """With its shuffles and its link; one that is put anew is the latest again."""
    comparisons = Comparisons()
    for number in range(REMEMBERED):
        comparisons.put(number, number)  # type: ignore[arg-type]
        comparisons.shuffles(number).done = number
        comparisons.links[number] = ("a", "b")
    assert comparisons.put(0, "new") == "new"  # type: ignore[arg-type, comparison-overlap]
    assert list(comparisons.results.items())[-1] == (0, "new")
    comparisons.put("one more", "result")  # type: ignore[arg-type]
    kept = [*range(2, REMEMBERED), 0]
    assert list(comparisons.results) == [*kept, "one more"]
    assert sorted(comparisons.shuffling) == sorted(comparisons.links) == sorted(kept)  # type: ignore[type-var]
    assert comparisons.shuffles(3).done == 3
    assert comparisons.shuffles(1).done == 0


def test_siblings_are_the_groups_of_one_column_asked_alike() -> None:
    """In the order of the levels where the table is open, else of the cards; other settings, columns, tables do not."""
    cards, _ = by_hospital()
    (level, part), *_ = engine.by_group(DATA, "severity").items()
    strangers = [
        Card("settings", engine.LogLinear(criterion="bic").run(part), cards[0].data),
        Card("column", METHOD.run(part), part, group=group_name("severity", level)),
        Card("table", METHOD.run(DATA), DATA),
        Card("closed", cards[0].result, None),
        Card("rows", cards[0].result, next(iter(engine.by_group(DATA.rows(range(300)), "hospital").values()))),
    ]
    again = Card("again", cards[0].result, cards[0].data)
    every = [strangers[0], *cards, *strangers[1:], again]
    for card in cards:
        assert sibling_groups(card, every, DATA) == cards[::-1]
        assert sibling_groups(card, every, None) == cards
        assert sibling_groups(card, every, DATA.rows(range(300))) == cards
    assert sibling_groups(strangers[1], every, DATA) == [strangers[1]]
    assert sibling_groups(strangers[2], every, DATA) == []
    assert sibling_groups(strangers[3], every, DATA) == []


def test_rows_behind_a_comparison_are_those_of_its_table() -> None:
    """Group by group; none of another table, of a table that is closed, and where the groups are not of a column."""
    cards, result = by_hospital()
    parts = parts_behind(result, DATA)
    assert [part.fingerprint for part in parts] == [card.data.fingerprint for card in cards[::-1]]  # type: ignore[union-attr]
    assert parts_behind(result, None) == []
    assert parts_behind(result, DATA.rows(range(300))) == []
    assert parts_behind(result, DATA.select([name for name in DATA.names if name != "hospital"])) == []
    other = engine.compare(METHOD.run(DATA), engine.LogLinear(criterion="bic").run(DATA), data=[DATA, DATA], draws=99)
    assert parts_behind(other, DATA) == []


def test_what_shuffles_take_is_told_by_the_best_that_is_known() -> None:
    """Those that there are; else the cards, a moment each at least; else what the methods expect."""
    cards, result = by_hospital()
    parts = parts_behind(result, DATA)
    expected = sum(METHOD.cost(Size.of(part)).seconds for part in parts)
    assert seconds_of(7, result, cards, parts) == pytest.approx(7 * expected)
    timed = [Card("a", cards[0].result, seconds=3.0), Card("b", cards[0].result, seconds=0.005)]
    assert seconds_of(7, result, timed, parts) == pytest.approx(7 * 3.02)
    assert seconds_of(7, result, [*timed, cards[0]], parts) == pytest.approx(7 * expected)
    more = shuffled(result, parts)
    assert more.shuffles.many == BATCH
    assert seconds_of(7, more, timed, parts) == pytest.approx(7 * more.shuffles.seconds / BATCH)


def test_a_batch_is_a_job_and_its_shuffles_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing begins without a press; what was stopped or failed leaves what there is."""
    _, result = by_hospital()
    parts, state, started = parts_behind(result, DATA), Session(dataset=DATA), []
    start = lambda *work, place: started.append((place, *work)) or FakeJob()  # noqa: E731
    monkeypatch.setattr(state.job_queue, "start", start)
    comparisons = state.state(Comparisons)
    comparisons.put("key", result)
    shuffling = comparisons.shuffles("key")
    shuffling.wanted = BATCH
    begin_batch(state, "key", result, parts)
    take_batch(state, "key")
    assert started.pop() == ("compare.shuffles", ("shuffles", "key", 0), shuffled, result, parts)
    assert (shuffling.job, shuffling.done) == (FakeJob(), 0)
    more = shuffled(result, parts)
    shuffling.job = FakeJob(active=False, state="done", result=more, pace=Pace([(0.0, 0.5)]))  # type: ignore[assignment]
    take_batch(state, "key")
    assert (shuffling.job, shuffling.done, shuffling.reports) == (None, BATCH, [(0.0, BATCH / 2)])
    assert comparisons.results["key"] is more
    shuffling.want(2 * BATCH)
    begin_batch(state, "key", more, parts)
    assert started == [("compare.shuffles", ("shuffles", "key", BATCH), shuffled, more, parts)]
    for ended in ("cancelled", "failed"):
        shuffling.want(BATCH)
        shuffling.job = FakeJob(active=False, state=ended)  # type: ignore[assignment]
        take_batch(state, "key")
        assert (shuffling.wanted, shuffling.done, shuffling.reports) == (BATCH, BATCH, [])
        assert shuffling.job is None
    assert comparisons.results["key"] is more


def test_a_comparison_has_the_draws_the_seed_and_the_names_of_its_settings() -> None:
    """As the engine gives it for the same."""
    cards, _ = by_hospital()
    answers, parts = [card.result for card in cards], [card.data for card in cards]
    method = Compare(draws=120, seed=5)
    assert compared(answers, parts, method) == engine.compare(*answers, data=parts, draws=120, seed=5)  # type: ignore[arg-type]
