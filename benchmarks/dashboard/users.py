"""Many users of one server, each with a table of their own: what a user costs it, and whether a result is another's.

    python -m benchmarks.dashboard.users --users 20
    python -m benchmarks.dashboard.users --users 40
    python -m benchmarks.dashboard.users --heavy

A user here is Streamlit's WebSocket without a browser, so nearly all that the machine does is the server's. The five
steps: drop a table, open Group differences, compare the groups, open Associations, open Results; a second of reading
between two. CPU seconds are the server's own; those of its worker processes, which do the analyses, stand beside.

Two servers are measured: as it is, where Group differences and Associations both answer without a press; and one where
each answer needs its press, so that the same steps bring one answer, as before pages answered by themselves. With
`--heavy` one user has a long comparison run, and another one's short run is timed with and without it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import requests
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from benchmarks.dashboard.test_clicks import Served
from tests.browser.conftest import server

PATIENCE = 300.0
READING = 1.0
COMMAND = ("-m", "dashboard.server.launcher", "--headless", "--memory", "4000", "--port")
BY_PRESS = (
    "-c",
    "import sys; from dashboard.views.shared import analysis_page; analysis_page.AT_ONCE = 0.0\n"
    "from dashboard.server.launcher import main; main(sys.argv[1:])",
    *COMMAND[2:],
)
"""The same server where no page answers by itself."""
MARK = re.compile(rb"user(\d+)_")
"""What the names of all columns and levels of a user's table begin with."""


def table_of(number: int, rows: int = 400, columns: int = 8) -> bytes:
    """A table as CSV: a group and columns that hang on one another, with names that no other user has."""
    rng = np.random.default_rng(number)
    group = rng.integers(0, 2, rows)
    codes = [(group + (rng.random(rows) < 0.3)) % 2]
    codes += [rng.integers(0, 2, rows) for _ in range(columns - 1)]
    for before, after in itertools.pairwise(codes):
        same = rng.random(rows) < 0.6
        after[same] = before[same]
    names = [f"user{number}_group", *(f"user{number}_v{i}" for i in range(columns))]
    texts = [[f"user{number}_{level}" for level in column] for column in (group, *codes)]
    return "\n".join([",".join(names), *(",".join(row) for row in zip(*texts, strict=True))]).encode()


class User:
    """A tab without a browser.

    Attributes
    ----------
    seen : numbers of the users whose tables this one was sent something of
    errors : what was refused, or went wrong
    """

    def __init__(self, address: str, number: int) -> None:
        self.address, self.number = address, number
        self.seen: set[int] = set()
        self.errors: list[str] = []
        self.words = ""
        self.elements: dict[str, Any] = {}
        self._pages: dict[str, str] = {}
        self._page, self._session = "", ""
        self._again: dict[str, float] = {}
        self._http = requests.Session()
        self._http.headers.update(
            {"Origin": address, "Connection": "close"}
        )  # a browser asks again where one was closed
        self._http.get(f"{address}/", headers={"Accept": "text/html"}, timeout=PATIENCE)
        self._http.get(f"{address}/_stcore/health", timeout=PATIENCE)
        ticket = self._http.post(f"{address}/diptych/key", json={"secret": ""}, timeout=PATIENCE).json()["ticket"]
        cookies = self._http.cookies.get_dict()
        self._xsrf = str(cookies["_streamlit_xsrf"])
        self._connection = connect(
            f"ws://{urlsplit(address).netloc}/_stcore/stream",
            origin=Origin(address),
            subprotocols=[Subprotocol("streamlit"), Subprotocol(self._xsrf)],
            additional_headers={"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())},
            max_size=None,
            open_timeout=PATIENCE,
        )
        self._socket = self._connection.__enter__()
        self.run()
        handover = self._one(lambda element: element.bidi_component.component_name.endswith("handover"))
        handed = [{"event": "handed", "value": {"ticket": ticket, "stored": True}}]
        component = handover.bidi_component.id
        trigger = f"$$STREAMLIT_INTERNAL_KEY_{component}__events"
        states = [WidgetState(id=trigger, json_trigger_value=json.dumps(handed))]
        self.run([WidgetState(id=component, json_value="{}"), *states])

    def run(self, states: list[WidgetState] | None = None, fragment: str = "") -> None:
        """Run the page, or a fragment of it, and read what comes of it."""
        back = BackMsg()
        back.rerun_script.page_script_hash = self._page
        back.rerun_script.fragment_id = fragment
        back.rerun_script.is_auto_rerun = bool(fragment)
        back.rerun_script.widget_states.widgets.extend(states or [])
        if not fragment:
            self._again = {}
        self._socket.send(back.SerializeToString())
        while not self._read():
            pass

    def _read(self) -> bool:
        """Take one message; whether the script has come to its end with it."""
        content = self._socket.recv(timeout=PATIENCE, decode=False)
        self.seen.update(map(int, MARK.findall(content)))
        message = ForwardMsg.FromString(content)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            if not message.new_session.HasField("initialize") or message.new_session.page_script_hash != self._page:
                self.elements = {} if message.new_session.page_script_hash != self._page else self.elements
            self._page = message.new_session.page_script_hash
            self._session = message.new_session.initialize.session_id or self._session
            self.words = ""
        elif kind == "navigation":
            self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "auto_rerun":
            self._again[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            self._again.pop(message.stop_auto_rerun.fragment_id, None)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            self.elements[str(list(message.metadata.delta_path))] = element
            self.words += f"{element.markdown.body}{element.heading.body}\n"
            if element.alert.format == Alert.ERROR or element.WhichOneof("type") == "exception":
                self.errors.append(element.alert.body or element.exception.message)
        if kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._again = {}  # the whole page runs next
            return False
        return kind == "script_finished"

    def wait(self, there: Callable[[], bool]) -> None:
        """Run the fragments that ask for it until something is there."""
        end = time.monotonic() + PATIENCE
        while not there():
            assert time.monotonic() < end, f"user {self.number} waited in vain: {self.words[-500:]} {self.errors}"
            assert self._again, f"user {self.number} has nothing to wait for: {self.words[-1500:]} {self.errors}"
            fragment, interval = next(iter(self._again.items()))
            time.sleep(interval)
            self.run(fragment=fragment)

    def read(self, seconds: float) -> None:
        """Look at the page for a while; what it asks for in between is run."""
        end = time.monotonic() + seconds
        while self._again and time.monotonic() < end:
            fragment, interval = next(iter(self._again.items()))
            time.sleep(interval)
            self.run(fragment=fragment)
        time.sleep(max(end - time.monotonic(), 0.0))

    def has_result(self) -> bool:
        """Whether the page's main sentence is about this user's table; what is checked beside it may still run."""
        return any(f"user{self.number}" in element.heading.body for element in self.elements.values())

    def _one(self, wanted: Callable[[Any], bool]) -> Any:
        return next(element for element in self.elements.values() if wanted(element))

    def offers(self, label: str) -> bool:
        """Whether there is such a button."""
        return any(element.button.label == label and not element.button.disabled for element in self.elements.values())

    def press(self, label: str) -> None:
        """Press a button."""
        button = self._one(lambda element: element.button.label == label and not element.button.disabled)
        self.run([WidgetState(id=button.button.id, trigger_value=True)])

    def go(self, page: str) -> None:
        """Go to a page by its address."""
        self._page = self._pages[page]
        self.run()

    def ask(self, back: BackMsg, kind: str) -> ForwardMsg:
        """Send a question beside the page, and take its answer."""
        self._socket.send(back.SerializeToString())
        message = ForwardMsg()
        while message.WhichOneof("type") != kind:
            message = ForwardMsg.FromString(self._socket.recv(timeout=PATIENCE, decode=False))
        return message

    def ask_for_uploads(self, *names: str) -> list[Any]:
        """Where files of these names are to be sent."""
        back = BackMsg()
        back.file_urls_request.request_id = "1"
        back.file_urls_request.file_names.extend(names)
        back.file_urls_request.session_id = self._session
        return list(self.ask(back, "file_urls_response").file_urls_response.file_urls)

    def drop(self, content: bytes) -> None:
        """Drop a file on the page."""
        uploader = self._one(lambda element: element.WhichOneof("type") == "file_uploader").file_uploader
        name = f"user{self.number}_table.csv"
        (urls,) = self.ask_for_uploads(name)
        answer = self._http.put(
            f"{self.address}/{urls.upload_url.lstrip('/')}",
            files={name: (name, content, "text/csv")},
            headers={"X-Xsrftoken": self._xsrf},
            timeout=PATIENCE,
        )
        assert answer.ok, answer.text
        state = WidgetState(id=uploader.id)
        state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(content), file_id=urls.file_id, file_urls=urls
        )
        self.run([state])

    def close(self) -> None:
        """Close the tab."""
        self._connection.__exit__(None, None, None)
        self._http.close()


def steps(user: User) -> Iterator[str]:
    """The five steps, each done by the time its name comes."""
    user.drop(table_of(user.number))
    user.wait(lambda: f"user{user.number}_group" in str(user.elements))
    yield "drop a table"
    user.go("group_difference")
    yield "open Group differences"
    if user.offers("Compare the groups"):  # a page that is quick answers without it
        user.press("Compare the groups")
    user.wait(user.has_result)
    yield "compare the groups"
    user.go("log_linear")
    yield "open Associations"
    user.go("results")
    yield "open Results"


def spent_by_children(process: int) -> float:
    """CPU seconds of the workers of a server, those that have ended included."""
    tick = 100.0
    total = sum(map(int, Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[13:15])) / tick
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in children.read_text().split():
            total += sum(map(int, Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[11:15])) / tick
    return total


def many(address: str, number: int) -> None:
    """All users at once."""
    served = Served()
    served.at(address)
    assert served.clock is not None
    process = ~(served.clock >> 3)
    waited: dict[str, list[float]] = {}
    users: list[User] = []
    failures: list[str] = []

    def live(place: int) -> None:
        try:
            user = User(address, place)
            users.append(user)
            begun = time.monotonic()
            for name in steps(user):
                waited.setdefault(name, []).append(time.monotonic() - begun)
                user.read(READING)
                begun = time.monotonic()
        except Exception as error:
            failures.append(f"user {place}: {type(error).__name__}: {error}")

    warm = User(address, 10_000)  # modules are loaded, kernels compiled
    list(steps(warm))
    time.sleep(5)
    cpu, children = served.cpu(), spent_by_children(process)
    threads = [threading.Thread(target=live, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cpu, children = served.cpu() - cpu, spent_by_children(process) - children
    crossed = [user.number for user in users if user.seen - {user.number}]
    told = sorted({error for user in users for error in user.errors})
    print(f"{number} users, five steps each: {cpu / number:.2f} s of CPU a user, {children / number:.2f} of workers")
    for name, seconds in waited.items():
        print(f"  {name}: waited {statistics.median(seconds):.1f} s in the median, {max(seconds):.1f} at most")
    print(f"results of another user: {len(crossed)}; without a result: {len(failures)}; refusals: {told}")
    for failure in failures[:5]:
        print(f"  {failure[:600]}")
    for user in users:
        user.close()


def beside(address: str) -> None:
    """How much later short runs end while another user's long one runs; each is of another table."""
    waiting = []
    for number in range(1, 12):
        waiting.append(User(address, number))
        waiting[-1].drop(table_of(number))
        waiting[-1].wait(lambda: f"user{number}_group" in str(waiting[-1].elements))  # noqa: B023 - waited for here
        waiting[-1].go("group_difference")
    heavy = User(address, 0)
    heavy.drop(table_of(0, 20_000, 60))
    heavy.wait(lambda: "user0_group" in str(heavy.elements))
    heavy.go("group_difference")

    def short() -> float:
        user = waiting.pop()
        begun = time.monotonic()
        user.press("Compare the groups")
        user.wait(user.has_result)
        return time.monotonic() - begun

    short()  # kernels are compiled
    alone = [short() for _ in range(5)]
    heavy.press("Compare the groups")
    delayed = [short() for _ in range(5)]
    assert heavy._again, "the long run was no run"
    heavy.run(fragment=next(iter(heavy._again)))
    assert heavy._again, "the long run was over too soon"
    told = [f"{statistics.median(seconds):.1f} s (most {max(seconds):.1f})" for seconds in (alone, delayed)]
    print(f"a short run: {told[0]} alone, {told[1]} beside a long one of another user")


def main() -> None:
    """Start a server, and measure."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--users", type=int, default=20)
    asked.add_argument("--heavy", action="store_true")
    given = asked.parse_args()
    if given.heavy:
        with server(COMMAND) as address:
            beside(address)
        return
    for answers, command in (("two answers", COMMAND), ("one answer, by a press", BY_PRESS)):
        with server(command) as address:
            print(f"{answers}: ", end="")
            many(address, given.users)


if __name__ == "__main__":
    main()
