"""Progress, cancelling and spreading work."""

from __future__ import annotations

import contextlib
import gc
import logging
import multiprocessing
import os
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import execution
from engine.errors import SettingsError

MARK: ContextVar[str] = ContextVar("mark", default="none")


def square(x: int) -> int:
    return x * x


def threads_here(_: int) -> int:
    return execution.threads()


@pytest.fixture
def unbound(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing from outside says how many threads there may be, and nothing is left behind."""
    monkeypatch.delenv("DIPTYCH_THREADS", raising=False)
    yield
    execution.follow(None)


@pytest.mark.parametrize("jobs", [1, 2])
def test_map_keeps_the_order_and_reports_to_the_end(jobs: int) -> None:
    """Results stand in the order of the items, and the last report says 1."""
    seen: list[float] = []
    found = execution.map(square, range(5), jobs=jobs, progress=lambda fraction, words: seen.append(fraction))
    assert found == [0, 1, 4, 9, 16]
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    assert seen == sorted(seen)


def test_cancelled_travels_out_of_map() -> None:
    """A callback that raises Cancelled ends the work."""

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled

    with pytest.raises(engine.Cancelled):
        execution.map(square, range(5), progress=stop)


def test_part_maps_its_share() -> None:
    """Half done of the second half is three quarters of the whole."""
    seen: list[float] = []
    execution.part(lambda fraction, words: seen.append(fraction), 0.5, 1.0)(0.5, "")
    assert seen == [0.75]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_piece_is_told_as_it_ends(jobs: int) -> None:
    """Every place once, with its own outcome."""
    told: dict[int, int] = {}
    execution.map(square, [3, 1, 2], jobs=jobs, finished=told.__setitem__)
    assert told == {0: 9, 1: 1, 2: 4}


def test_one_job_may_do_items_in_threads() -> None:
    """Three items at once, told by the caller's thread alone; the outcomes and the last report are those of a loop."""
    meeting = threading.Barrier(3, timeout=20)
    told: dict[int, int] = {}
    by: set[int] = set()
    seen: list[float] = []

    def work(item: int) -> int:
        if item < 3:
            meeting.wait()
        return square(item)

    def finished(place: int, outcome: int) -> None:
        by.add(threading.get_ident())
        told[place] = outcome

    with execution.using(3):
        found = execution.map(
            work, range(7), threaded=True, finished=finished, progress=lambda fraction, words: seen.append(fraction)
        )
    assert found == [0, 1, 4, 9, 16, 25, 36]
    assert told == dict(enumerate(found))
    assert by == {threading.get_ident()}
    assert seen == [one / 7 for one in range(8)]


@pytest.mark.parametrize(
    ("number", "items", "expected"), [(3, 2, {3}), (2, 2, {1}), (1, 4, {1}), (9, 9, {1}), (9, 3, {9})]
)
def test_few_items_keep_their_own_threads(number: int, items: int, expected: set[int]) -> None:
    """Items are done at once where there are enough of them; else one after the other, each with all threads."""
    with execution.using(number):
        assert set(execution.map(threads_here, range(items), threaded=True)) == expected


def test_no_more_items_at_once_than_memory_may_hold() -> None:
    """Twenty threads: four items at a time."""
    lock, now, most = threading.Lock(), [0], [0]

    def work(item: int) -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.01)
        with lock:
            now[0] -= 1

    with execution.using(20):
        execution.map(work, range(20), threaded=True)
    assert 1 < most[0] <= execution.ITEMS_AT_ONCE


def test_cancelled_travels_out_of_threads() -> None:
    """A progress that raises ends the work soon."""
    begun: list[int] = []

    def work(item: int) -> None:
        begun.append(item)
        time.sleep(0.002)

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled

    with execution.using(2), pytest.raises(engine.Cancelled):
        execution.map(work, range(500), threaded=True, progress=stop)
    assert len(begun) < 20


def test_workers_divide_the_threads() -> None:
    """Two workers of a computation that may use four threads have two each; never less than one."""
    with execution.using(4):
        assert execution.map(threads_here, range(2), jobs=2) == [2, 2]
    with execution.using(1):
        assert execution.map(threads_here, range(2), jobs=2) == [1, 1]


@pytest.mark.usefixtures("unbound")
def test_who_says_how_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The innermost `using`, else whoever is followed, else the environment, else the number of processors."""
    assert execution.threads() == execution.cores()
    for asked in ("many", "²"):
        monkeypatch.setenv("DIPTYCH_THREADS", asked)
        assert execution.threads() == execution.cores()
    for asked, number in (("5", 5), ("0", 1)):
        monkeypatch.setenv("DIPTYCH_THREADS", asked)
        assert execution.threads() == number
    now = [3]
    execution.follow(lambda: now[0])
    assert execution.threads() == 3
    now[0] = 0
    assert execution.threads() == 1
    with execution.using(7):
        with execution.using(0):
            assert execution.threads() == 1
        assert execution.threads() == 7


def test_cores_are_counted_where_affinity_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems do not say on which processors a process may run, or even how many there are."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert execution.cores() == 6
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert execution.cores() == 1


@given(size=st.integers(0, 50), many=st.integers(1, 60))
def test_ranges_are_even_and_in_order(size: int, many: int) -> None:
    """They cover everything once, none is empty, and lengths differ by one at most."""
    found = execution.ranges(size, many)
    assert [place for begin, end in found for place in range(begin, end)] == list(range(size))
    assert len(found) == min(size, many)
    lengths = [end - begin for begin, end in found]
    assert not lengths or 1 <= min(lengths) <= max(lengths) <= min(lengths) + 1


@given(
    pieces=st.lists(st.integers(), max_size=30),
    number=st.integers(1, 5),
    refused=st.sets(st.integers(0, 29), max_size=3),
)
def test_share_is_the_plain_loop(pieces: list[int], number: int, refused: set[int]) -> None:
    """Outcomes in the order of the pieces; of several that fail, the first by order; whatever the number of threads."""

    def work(piece: tuple[int, int]) -> int:
        place, value = piece
        if place in refused:
            raise KeyError(place)
        return value * value

    numbered = list(enumerate(pieces))
    with execution.using(number):
        if failing := [place for place in sorted(refused) if place < len(pieces)]:
            with pytest.raises(KeyError) as raised:
                execution.share(work, numbered)
            assert raised.value.args == (failing[0],)
        else:
            assert execution.share(work, numbered) == [value * value for value in pieces]


def test_pieces_run_at_the_same_time() -> None:
    """Three threads meet: none of the three pieces can end before all have begun."""
    meeting = threading.Barrier(3, timeout=20)
    with execution.using(3):
        assert sorted(execution.share(lambda piece: meeting.wait(), range(3))) == [0, 1, 2]


def test_whoever_is_free_takes_the_next_piece() -> None:
    """One long piece keeps one thread: the other does all the rest meanwhile."""
    rest = threading.Semaphore(0)

    def work(piece: int) -> int:
        if piece == 0:
            for _ in range(9):
                assert rest.acquire(timeout=20)
        else:
            rest.release()
        return threading.get_ident()

    with execution.using(2):
        by = execution.share(work, range(10))
    assert len(set(by[1:])) == 1
    assert by[0] != by[1]


def test_the_caller_works_too_and_no_more_threads_than_allowed() -> None:
    """With two threads, one of the two is the caller's; with one, nobody else is asked."""
    for number in (1, 2):
        meeting = threading.Barrier(number, timeout=20)

        def work(piece: int, meeting: threading.Barrier = meeting) -> int:
            meeting.wait()
            return threading.get_ident()

        with execution.using(number):
            by = set(execution.share(work, range(2 * number)))
        assert threading.get_ident() in by
        assert len(by) == number


def test_a_share_inside_a_piece_runs_in_its_thread() -> None:
    """Nested calls have one thread, and end; the pieces of a piece never wait for somebody who waits for them."""

    def inner(piece: int) -> tuple[int, int]:
        return threading.get_ident(), execution.threads()

    def outer(piece: int) -> bool:
        return set(execution.share(inner, range(3))) == {(threading.get_ident(), 1)}

    with execution.using(3):
        assert all(execution.share(outer, range(9)))
        assert execution.threads() == 3


def test_a_piece_that_insists_on_threads_ends_too() -> None:
    """`using` inside a piece asks the same helpers, who are all busy: the piece's own thread does the work."""

    def outer(piece: int) -> int:
        with execution.using(2):
            return sum(execution.share(square, [piece] * 4))

    with execution.using(2):
        assert execution.share(outer, range(50)) == [4 * piece * piece for piece in range(50)]


def test_several_threads_may_share_at_once() -> None:
    """Eight callers, the same helpers: everybody gets the outcomes of their own pieces."""

    def caller(number: int) -> list[list[int]]:
        with execution.using(2):
            return [execution.share(square, range(number, number + 5)) for _ in range(50)]

    with ThreadPoolExecutor(8) as pool:
        for number, found in enumerate(pool.map(caller, range(8))):
            assert found == [[x * x for x in range(number, number + 5)]] * 50


def test_context_variables_are_the_callers() -> None:
    """What the caller has set is seen in every piece, also by helpers that were begun before."""
    meeting = threading.Barrier(2, timeout=20)

    def work(piece: int) -> str:
        meeting.wait()
        return MARK.get()

    for word in ("first", "second"):
        token = MARK.set(word)
        with execution.using(2):
            assert execution.share(work, range(2)) == [word, word]
        MARK.reset(token)


def test_cancelled_travels_out_of_share_and_the_rest_is_left() -> None:
    """A piece that is cancelled ends the work: of a thousand pieces only those in hand are still done."""
    begun: list[int] = []

    def work(piece: int) -> None:
        begun.append(piece)
        if piece == 3:
            raise engine.Cancelled
        time.sleep(0.001)

    with execution.using(2), pytest.raises(engine.Cancelled):
        execution.share(work, range(1000))
    assert len(begun) <= 6
    assert begun == sorted(begun)


def test_nothing_is_running_when_share_raises() -> None:
    """Arrays may be used again after an error: nobody writes into them any more."""
    running = [0]
    both = threading.Barrier(2, timeout=20)

    def work(piece: int) -> None:
        both.wait()
        if piece == 0:
            raise ValueError
        running[0] += 1
        time.sleep(0.05)
        running[0] -= 1

    with execution.using(2), pytest.raises(ValueError):
        execution.share(work, range(2))
    assert running == [0]


def test_what_was_shared_is_let_go() -> None:
    """Neither helpers nor an exception keep the pieces alive."""

    class Piece:
        pass

    def work(piece: Any) -> None:
        raise ValueError

    for job in (square, work):
        pieces = [Piece() for _ in range(4)]
        seen = [weakref.ref(piece) for piece in pieces]
        with execution.using(2), contextlib.suppress(ValueError):
            execution.share(lambda piece, job=job: job(2), pieces)  # type: ignore[misc]
        del pieces
        waited = time.monotonic() + 10
        while any(one() is not None for one in seen) and time.monotonic() < waited:
            gc.collect()
            time.sleep(0.01)  # a helper that found nothing left to do may still be on its way out
        assert not any(one() is not None for one in seen)


def shared_in_a_child() -> int:
    """What a process says that was forked while helpers were waiting: all is well, and by how many threads."""
    meeting = threading.Barrier(2, timeout=20)
    with execution.using(2):
        return len(set(execution.share(lambda piece: (meeting.wait(), threading.get_ident())[1], range(2))))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_has_helpers_of_its_own() -> None:
    """The parent's threads are not copied by a fork; the child begins others instead of waiting for ever."""
    assert shared_in_a_child() == 2
    context = multiprocessing.get_context("fork")
    child = context.Process(target=lambda: os._exit(shared_in_a_child()))
    child.start()
    child.join(30)
    if child.is_alive():
        child.kill()
    assert child.exitcode == 2


def test_progress_that_is_true_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A line a tenth, to the logger of the engine; what can neither be called nor is True is refused."""
    with caplog.at_level(logging.INFO, logger="engine"):
        progress = execution.as_progress(True)
        for piece in range(101):
            progress(piece / 100, "counting")
    assert [one.getMessage() for one in caplog.records] == [f"{10 * k:3d} %  counting" for k in range(11)]
    assert {one.name for one in caplog.records} == {"engine"}
    with pytest.raises(SettingsError, match="progress is False"):
        execution.as_progress(False)
