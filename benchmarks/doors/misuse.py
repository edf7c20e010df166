"""Clients made by hand, tabs side by side, cancelled jobs, clocks that jump, very many sessions and runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.dashboard.test_clicks import Served
from benchmarks.dashboard.users import COMMAND, User, table_of
from benchmarks.doors.keys import with_table
from tests.browser.conftest import server

WRONG = "Something went wrong"
SESSIONS = 200
RERUNS = 500
TURNED = (
    "-c",
    "import itertools, sys, threading, time\n"
    "real, jump, turn = time.time, [0.0], itertools.cycle((3.2e8, -3.2e8, 0.0))\n"
    "time.time = lambda: real() + jump[0]\n"
    "def go():\n    while True:\n        jump[0] = next(turn); time.sleep(0.5)\n"
    "threading.Thread(target=go, daemon=True).start()\n"
    "from dashboard.server.launcher import main; main(sys.argv[1:])",
    "--headless",
    "--port",
)
"""The wall clock jumps ten years ahead, ten years back and home again, every half second."""


def forged(widget: str) -> Iterator[WidgetState]:
    """Values of every kind that a widget may be sent."""
    nan = float("nan")
    plain: list[dict[str, Any]] = [
        {"double_value": nan}, {"double_value": float("inf")}, {"int_value": -(2**62)}, {"string_value": "\0"},
        {"string_value": '{"selection": 5}'}, {"string_value": "NaN"}, {"bool_value": True}, {"json_value": "{"},
        {"json_value": "[1]"}, {"json_value": "null"}, {"json_value": '{"a": NaN}'}, {"bytes_value": b"\xff\0"},
        {"json_trigger_value": '[{"event": "x", "value": 5}]'},
    ]  # fmt: skip
    for values in plain:
        yield WidgetState(id=widget, **values)
    arrays: list[tuple[str, list[Any]]] = [
        ("double_array_value", [nan]), ("double_array_value", [nan, 1e308]), ("int_array_value", [99_999]),
        ("string_array_value", ["nobody"]), ("string_array_value", ["a"] * 500),
    ]  # fmt: skip
    for kind, values in arrays:
        state = WidgetState(id=widget)
        getattr(state, kind).data.extend(values)
        yield state
    state = WidgetState(id=widget)
    state.file_uploader_state_value.uploaded_file_info.add(name="x", size=3, file_id="nobody")
    yield state


def widgets(user: User) -> list[str]:
    """The ids of what is drawn, but what ends the session."""
    found = set()
    for element in user.elements.values():
        kind = element.WhichOneof("type")
        part = getattr(element, kind) if kind else None
        label, named = getattr(part, "label", ""), getattr(part, "component_name", "")
        if (widget := getattr(part, "id", "")) and "Forget" not in label and "handover" not in named:
            found.add(widget)
    return sorted(found)


def values() -> Iterator[tuple[str, int, int]]:
    """Every kind of value for every widget of every page; then the page once more, as it was left."""
    tried = faults = again = 0
    with server(COMMAND) as address:
        pages = list(with_table(address, 0)._pages)
        for number, page in enumerate(pages, start=1):
            user = with_table(address, number)
            user.elements = {}
            user.go(page)
            for widget in widgets(user):
                for state in forged(widget):
                    tried, before = tried + 1, len(user.errors)
                    user.run([state])
                    if any(WRONG in said for said in user.errors[before:]):
                        faults, before = faults + 1, len(user.errors)
                        user.go(page)
                        again += any(WRONG in said for said in user.errors[before:])
            user.close()
    yield "a value that no widget has makes a page fail", tried, faults
    yield "and makes it fail at the next visit", tried, again


def tabs() -> Iterator[tuple[str, int, int]]:
    """A second tab while a job runs, and the same tab loaded anew: the job ends, and is the tab's own."""
    failed = 0
    with server(COMMAND) as address:
        for number in range(1, 11):
            first = with_table(address, number)
            first.go("group_difference")
            first.press("Compare the groups")
            second = User(address, 100 + number)
            second.go("group_difference")
            first.go("data")
            first.go("group_difference")
            first.wait(first.has_result)
            failed += bool(second.seen - {second.number} or first.seen - {first.number})
            failed += any(WRONG in said for said in first.errors + second.errors)
            first.close()
            second.close()
    yield "two tabs and a page left and come back to, during a job", 10, failed


def cancelled() -> Iterator[tuple[str, int, int]]:
    """A job cancelled after ever longer: the page stays, no job is left, and the next one ends."""
    failed, tried = 0, 0
    with server(COMMAND) as address:
        user = User(address, 1)
        user.drop(table_of(1, 4_000, 20))
        user.wait(lambda: "user1_group" in str(user.elements))
        user.go("group_difference")
        for tenth in range(20):
            user.press("Compare the groups")
            time.sleep(tenth / 10)
            try:
                user.press("Cancel")
                tried += 1
            except StopIteration:  # it was done before
                break
            before = len(user.errors)
            user.run()
            failed += any(WRONG in said for said in user.errors[before:])
        user.wait(lambda: True)
        held = user._http.get(f"{address}/diptych/held", timeout=60).json()
        failed += held["jobs"] > 1
        user.close()
    yield "cancelled at every stage, and begun again", tried, failed


def clocks() -> Iterator[tuple[str, int, int]]:
    """A table and its comparison while the wall clock jumps by years."""
    failed = 0
    with server(TURNED) as address:
        for number in range(1, 6):
            user = with_table(address, number)
            user.go("group_difference")
            user.press("Compare the groups")
            user.wait(user.has_result)
            failed += any(WRONG in said for said in user.errors)
            user.close()
    yield "a table, a job and a file while the clock jumps by ten years", 5, failed


def locked() -> Iterator[tuple[str, int, int]]:
    """A page that nobody has used: whatever is asked of it, no name of its table comes."""
    # the client has no link, so the token is left out and the lock is set as a server of one's own never has it
    command = (
        "-c",
        "import sys; from dashboard.server import launcher, limits; real = launcher.remember\n"
        "def remember(known):\n    known.lock = limits.Lock(3.0, 'a-token-of-twenty-letters'); return real(known)\n"
        "launcher.remember = remember; launcher.main(sys.argv[1:])",
        "--headless",
        "--port",
    )
    tried = through = 0
    with server(command) as address:
        user = with_table(address, 1)
        drawn = widgets(user)
        time.sleep(5)
        user.run()  # now it is blank
        for page in list(user._pages):
            user.seen, user.elements = set(), {}
            user.go(page)
            tried, through = tried + 1, through + bool(user.seen)
        for widget in drawn:
            user.seen = set()
            user.run([WidgetState(id=widget, trigger_value=True)])
            tried, through = tried + 1, through + bool(user.seen)
        user.close()
    yield "a locked page shows a name of its table", tried, through


def sessions() -> Iterator[tuple[str, int, int]]:
    """Very many sessions with a table each, six at a time: whose names come, and what stays in memory."""
    served = Served()
    with server((*COMMAND[:-1], "--keep", "0", "--port")) as address, ThreadPoolExecutor(6) as six:
        served.at(address)
        assert served.clock is not None
        process = ~(served.clock >> 3)

        def fails(number: int) -> bool:
            user = with_table(address, number)
            user.close()
            return bool(user.seen - {number}) or any(WRONG in said for said in user.errors)

        list(six.map(fails, range(40)))  # what is loaded once is loaded
        time.sleep(8)
        before = _resident(process)
        failed = sum(six.map(fails, range(40, 40 + SESSIONS)))
        time.sleep(8)
        grown = (_resident(process) - before) / SESSIONS / 1e6
        print(f"{'':10} memory that stays: {grown:.3f} MB a session", flush=True)
    yield "a session of very many sees another's table, or fails", SESSIONS, failed
    yield "more than a tenth of a megabyte stays of a session", SESSIONS, int(grown > 0.1)


def reruns() -> Iterator[tuple[str, int, int]]:
    """Each page drawn very often."""
    failed = tried = 0
    with server(COMMAND) as address:
        user = with_table(address, 1)
        for page in list(user._pages):
            user.go(page)
            for _ in range(RERUNS):
                user.run()
                tried += 1
            failed += sum(WRONG in said for said in user.errors)
            user.errors = []
        user.close()
    yield "a page that is drawn very often fails", tried, failed


def _resident(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096
