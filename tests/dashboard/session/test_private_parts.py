"""The parts of Streamlit that may go in its next version: all are there, and a sentence says which is not."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit.runtime
from packaging.specifiers import SpecifierSet
from streamlit import __version__ as installed
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.session_state import SessionState, Value, WStates
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette import starlette_server

import engine
from dashboard.server import launcher
from dashboard.server.proxy import USER_KEY
from dashboard.session import private_parts
from tests.floor.tree import ROOT


def test_this_streamlit_has_every_part() -> None:
    """Nothing is missing, and the versions that work are those of the package."""
    assert private_parts.missing_parts() == []
    assert installed in SpecifierSet(private_parts.VERSIONS)
    assert f'"streamlit{private_parts.VERSIONS}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_part_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends with what is missing and with the versions that work, before anything is served."""
    gone = {"streamlit.runtime:Runtime": ("_nobody", "close_session"), "streamlit.nowhere:Thing": ()}
    monkeypatch.setattr(private_parts, "PARTS", gone)
    with pytest.raises(SystemExit) as ended:
        launcher.main(["--headless"])
    sentence = str(ended.value)
    assert f"version {installed} does not have: Runtime._nobody, Thing." in sentence
    assert sentence.endswith(f'pip install "streamlit{private_parts.VERSIONS}"')


def test_the_command_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and nothing is served."""
    with pytest.raises(SystemExit) as ended:
        launcher.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"diptych {engine.__version__}\n"


class FakeTab:
    """As much of a tab as is emptied: its state and its fragments."""

    def __init__(self) -> None:
        self._session_state, self._fragment_storage = ["what widgets said"], {"table": 1}
        self.session_state = self
        self.filtered_state = {"choice": "b", "many": ["a", 2], "on": True, "mixed": ("a", False), "none": None}

    @property
    def session(self) -> FakeTab:
        return self


class FakeServer:
    """As much of Streamlit's runtime as is spoken to; every call by name."""

    def __init__(self) -> None:
        self.tabs, self.calls = {"tab": FakeTab()}, []  # type: ignore[var-annotated]
        self._session_mgr = self.uploaded_file_mgr = self.media_file_mgr = self

    def get_session_info(self, tab: str) -> FakeTab | None:
        return self.tabs.get(tab)

    def is_active_session(self, tab: str) -> bool:
        return tab in self.tabs

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.calls.append((name, *values))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    """A server that is there."""
    fake = FakeServer()
    monkeypatch.setattr(streamlit.runtime, "exists", lambda: True)
    monkeypatch.setattr(streamlit.runtime, "get_instance", lambda: fake)
    return fake


def test_without_a_server_nothing_is_held_and_nothing_let_go() -> None:
    """As in every test but those of a browser."""
    assert not streamlit.runtime.exists()
    assert (private_parts.let_go("tab"), private_parts.widget_values("tab")) == ({}, {})
    assert not private_parts.is_active("tab")
    private_parts.forget_files("tab")


def test_files_of_a_tab_are_marked_and_then_removed(server: FakeServer) -> None:
    """What was uploaded, and what it was given to save."""
    private_parts.forget_files("tab")
    removed = ("remove_orphaned_files",)
    assert server.calls == [("remove_session_files", "tab"), ("clear_session_refs", "tab"), removed, removed]


def test_a_tab_that_is_let_go_is_emptied_where_streamlits_loop_runs(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts, numbers and lists of them come back; without a loop nothing else happens; files go a moment later."""
    values = {"choice": "b", "many": ["a", 2]}
    monkeypatch.setattr(private_parts, "CHECK_SECONDS", 0.01)
    looks: list[int] = []
    monkeypatch.setattr(private_parts.memory(), "check", lambda: looks.append(len(looks)))
    assert private_parts.let_go("tab") == values
    assert server.calls == []

    async def serving() -> None:
        loop, delays, tasks = asyncio.get_running_loop(), [], asyncio.all_tasks()
        later = loop.call_later

        def sooner(delay: float, *work: Any, **more: Any) -> asyncio.TimerHandle:
            delays.append(delay)
            return later(delay / 100, *work, **more)

        monkeypatch.setattr(loop, "call_later", sooner)
        async with private_parts.looking_after_tabs(None):
            assert private_parts.let_go("gone") == {}
            assert private_parts.let_go("tab") == values
            assert server.calls == []
            while len(looks) < 2 or ("remove_orphaned_files",) not in server.calls:
                await asyncio.sleep(0.01)
        assert delays.count(1.0) == 2
        await asyncio.sleep(0.01)
        assert asyncio.all_tasks() == tasks

    asyncio.run(asyncio.wait_for(serving(), 20))
    assert server.calls[:2] == [("close_session", "gone"), ("close_session", "tab")]
    assert (server.tabs["tab"]._session_state, server.tabs["tab"]._fragment_storage) == ([], {})
    before = list(server.calls)
    loop = asyncio.new_event_loop()
    loop.close()
    monkeypatch.setattr(private_parts, "_loop", loop)
    assert private_parts.let_go("tab") == values
    assert server.calls == before


def test_a_tab_is_that_of_the_connection_and_its_user_whom_the_proxy_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody where none is named, and where no page is drawn."""
    user: dict[str, Any] = {USER_KEY: "Mrs%20Miller"}
    context = SimpleNamespace(session_id="tab", user_info=user)
    for module in ("streamlit.runtime.scriptrunner", "streamlit.runtime.scriptrunner_utils.script_run_context"):
        monkeypatch.setattr(f"{module}.get_script_run_ctx", lambda *_: context)
    assert (private_parts.this_tab(), private_parts.this_user()) == ("tab", "Mrs Miller")
    user.clear()
    assert private_parts.this_user() == ""
    for module in ("streamlit.runtime.scriptrunner", "streamlit.runtime.scriptrunner_utils.script_run_context"):
        monkeypatch.setattr(f"{module}.get_script_run_ctx", lambda *_: None)
    assert (private_parts.this_tab(), private_parts.this_user()) == ("", "")


def test_who_is_connected_and_what_each_has_uploaded_is_asked_of_streamlit(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes of every file of a tab; each id that it gives for one is known from then on."""
    assert [private_parts.is_active(tab) for tab in ("tab", "gone")] == [True, False]
    file = SimpleNamespace(data=b"12345")
    server.file_storage = {"tab": {"a": file, "b": file}, "other": {}}  # type: ignore[attr-defined]
    assert private_parts.stored_uploads() == {"tab": 10, "other": 0}
    server.get_upload_urls = lambda tab, names: [SimpleNamespace(file_id=f"{tab} {name}") for name in names]  # type: ignore[attr-defined]
    issued: list[Any] = []
    private_parts.watch_uploads(SimpleNamespace(issue=lambda *given: issued.append(given)))  # type: ignore[arg-type]
    assert [item.file_id for item in server.get_upload_urls("tab", ["x", "y"])] == ["tab x", "tab y"]
    assert issued == [("tab", ["tab x", "tab y"])]


def number_page() -> None:
    import streamlit as st

    from dashboard.session.private_parts import has_dropped_values

    value = st.number_input("Number", 0.0, 9.0, 5.0, key="page.number")
    many = st.multiselect("Many", ["a", "b"], key="page.many")
    st.text(f"{value} {many}")
    st.text(has_dropped_values())


@pytest.mark.parametrize(
    "forged",
    [
        {"string_value": "x"},
        {"double_value": float("nan")},
        {"json_value": "{"},
        {"bool_value": True},
        {"int_array_value": {"data": [7]}},
    ],
)
def test_a_value_that_no_widget_has_falls_back(forged: dict[str, Any]) -> None:
    """A client made by hand can send any; the usual value stands, it is told once, and no later run fails."""
    private_parts.refuse_impossible_values()
    at = AppTest.from_function(number_page).run()
    (widget,) = at.number_input
    at = at._run(WidgetStates(widgets=[WidgetState(id=widget.id, **forged)]))
    assert not at.exception
    assert at.text[0].value == "5.0 []"
    assert at.text[1].value == str("double_value" not in forged)  # Streamlit itself knows that NaN is none
    assert at.run().text[1].value == "False"


def failing_page() -> None:
    import streamlit as st

    from dashboard.server.launcher import _show_fault

    value = st.number_input("Number", value=5.0, key="page.number", persist_state="session")
    try:
        st.text(int(value))
    except ValueError as fault:
        _show_fault(fault)


def test_a_page_that_failed_begins_anew_at_its_next_visit() -> None:
    """What its widgets said is gone with the fault: no stored value makes a page fail for ever."""
    at = AppTest.from_function(failing_page)
    at.session_state["page.number"] = float("nan")
    at.session_state["other.number"] = 7
    assert at.run().error[0].value.startswith("Something went wrong inside Diptych")
    assert "page.number" not in at.session_state
    assert at.session_state["other.number"] == 7


def uploading_page() -> None:
    import streamlit as st

    from dashboard.views.shared.page_parts import file_given, take_dropped_file

    st.text(str(file_given("Once", key="page.once")))
    st.text(str(take_dropped_file("Read", "page.seen", key="page.read")))


@pytest.mark.parametrize(("name", "seen", "told"), [("once", "", 1), ("read", "", 1), ("read", "gone", 0)])
def test_a_file_that_left_memory_before_it_was_read_is_named(name: str, seen: str, told: int) -> None:
    """One sentence; of one that was read before nothing is said."""
    at = AppTest.from_function(uploading_page)
    at.session_state["page.seen"] = seen
    at.run()
    widget = next(item.proto.id for item in at.get("file_uploader") if item.proto.id.endswith(name))
    state = WidgetState(id=widget)
    state.file_uploader_state_value.uploaded_file_info.add(name="a.csv", size=3, file_id="gone")
    at._run(WidgetStates(widgets=[state]))
    assert [text.value for text in at.text] == ["None", "None"]
    sentence = "This file left the server's memory before it was read. Choose it again."
    assert [error.value for error in at.error] == [sentence] * told


def many_numbers_page() -> None:
    import streamlit as st

    for number in range(5):
        st.number_input("Number", value=None, key=f"page.{number}", min_value=0)
    st.text(sorted(key for key in st.session_state if str(key).startswith("page.")))


def test_a_widget_looks_up_its_own_value_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those of all widgets, each time; what they say, and what is told to them, is as before."""
    private_parts.look_values_up_singly()
    gathered = []
    whole = SessionState.filtered_state
    monkeypatch.setattr(
        SessionState,
        "filtered_state",
        property(lambda state: gathered.append(1) or whole.fget(state)),  # type: ignore[misc]
    )
    at = AppTest.from_function(many_numbers_page)
    at.session_state["page.3"] = 7
    at.run()
    assert [item.value for item in at.number_input] == [None, None, None, 7, None]
    assert at.text[0].value == str([f"page.{number}" for number in range(5)])
    assert len(gathered) <= 2  # by the page itself; five more where each widget does


def test_no_answer_names_the_program_that_carries_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its flaws are looked up by that name; what else the server is started with stays."""
    given = starlette_server._get_uvicorn_config_kwargs
    monkeypatch.setattr(starlette_server, "_get_uvicorn_config_kwargs", given)
    private_parts.say_nothing_of_the_server()
    assert starlette_server._get_uvicorn_config_kwargs() == {**given(), "server_header": False}


def test_a_loop_is_woken_once_for_all_that_is_handed_over() -> None:
    """A thousand calls of another thread are all done, for a handful of calls of the system."""
    loop, done = asyncio.SelectorEventLoop(), []
    write, calls = loop._write_to_self, []

    def counted() -> None:
        calls.append(None)
        write()

    loop._write_to_self = counted  # type: ignore[method-assign]
    private_parts.wake_once(loop)

    async def hand_over() -> None:
        for turn in range(3):  # woken again each time
            await asyncio.to_thread(lambda: [loop.call_soon_threadsafe(done.append, turn) for _ in range(1000)])  # noqa: B023
            assert done.count(turn) == 1000
        await asyncio.to_thread(
            lambda: [(loop.call_soon_threadsafe(done.append, 3), time.sleep(0.001)) for _ in "x" * 50]
        )
        assert done.count(3) == 50

    loop.run_until_complete(asyncio.wait_for(hand_over(), 20))
    loop.close()
    assert len(calls) < 40  # 50 more without the pause, as pages come part by part


def noted_page() -> None:
    import streamlit as st

    from dashboard.session.private_parts import has_dropped_values

    def note() -> None:
        st.session_state["told"] = st.session_state["page.choice"]

    st.selectbox("Choice", [1, 2], format_func={1: "one", 2: "two"}.__getitem__, key="page.choice", on_change=note)
    st.text(f"{st.session_state['page.choice']} {st.session_state.get('told')} {has_dropped_values()}")


@pytest.mark.parametrize(("said", "shown"), [("two", "2 2 False"), ("three", "1 None False"), ("", "1 None False")])
def test_an_entry_that_no_list_has_is_told_to_nobody(said: str, shown: str) -> None:
    """What is told of a change would keep it, and the page fail of it at each visit."""
    private_parts.refuse_impossible_values()
    at = AppTest.from_function(noted_page).run()
    at = at._run(WidgetStates(widgets=[WidgetState(id=at.selectbox[0].id, string_value=said)]))
    assert not at.exception
    assert at.text[0].value == shown


def test_a_value_that_cannot_be_handed_on_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of another type than that which its widget hands on."""
    private_parts.refuse_impossible_values()
    monkeypatch.setattr(private_parts, "this_tab", lambda: "tab")
    states = WStates()
    states.states["x"] = Value({"not": "a text"})
    states.widget_metadata["x"] = SimpleNamespace(value_type="string_value", serializer=lambda value: value)
    assert states.get_serialized("x") is None
    assert "x" not in states.states and "tab" in private_parts._dropped
    private_parts._dropped.discard("tab")
