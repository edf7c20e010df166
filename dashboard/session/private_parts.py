"""The parts of Streamlit and Starlette that they do not promise to keep: what is held of a tab, how it is let go, and
how uploads arrive.

Left to itself Streamlit forgets a tab only when somebody else connects. `check_parts` looks for every part when the
server starts; `pyproject.toml` has the versions that have them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import streamlit

from dashboard.server.faults import log
from dashboard.server.memory import garbage, memory
from dashboard.server.proxy import USER_KEY
from dashboard.server.uploads import MOST_MEGABYTES, Uploads
from engine.worker.channel import trace

CHECK_SECONDS = 2.0
"""Seconds."""
PAUSE = 0.01
"""Seconds that Streamlit's loop is left asleep by what other threads hand to it."""
VERSIONS = ">=1.67,<1.68"
"""Of Streamlit, that have every part below."""
PARTS = {
    "streamlit.runtime:Runtime": (
        "_session_mgr", "is_active_session", "close_session", "uploaded_file_mgr", "media_file_mgr",
    ),
    "streamlit.runtime.app_session:AppSession": ("_session_state", "_fragment_storage", "session_state"),
    "streamlit.runtime.media_file_manager:MediaFileManager": (
        "add", "clear_session_refs", "remove_orphaned_files", "execute_deferred", "_deferred_callables",
    ),
    "streamlit.runtime.memory_uploaded_file_manager:MemoryUploadedFileManager": (
        "remove_session_files", "get_upload_urls", "file_storage",
    ),
    "streamlit.runtime.state:SessionState": ("filtered_state",),
    "streamlit.runtime.scriptrunner:get_script_run_ctx": (),
    "streamlit.runtime.state.common:user_key_from_element_id": (),
    "streamlit.runtime.state.safe_session_state:SafeSessionState": ("filtered_state",),
    "streamlit.runtime.state.session_state:Value": (),
    "streamlit.runtime.state.session_state:WStates": ("__getitem__", "get_serialized", "states", "widget_metadata"),
    "streamlit.runtime.uploaded_file_manager:DeletedFile": ("file_id",),
    "streamlit.starlette:App": (),
    "streamlit.web.server.starlette.starlette_server:_get_uvicorn_config_kwargs": (),
    "starlette.formparsers:MultiPartParser": ("spool_max_size",),
}  # fmt: skip
"""Class or function -> what is used of it: methods, and fields that it has from its beginning."""
_PLAIN = (str, int, float)


def missing_parts() -> list[str]:
    """The parts that this Streamlit does not have."""
    missing = []
    for whole, names in PARTS.items():
        module, _, name = whole.partition(":")
        try:
            kind = getattr(import_module(module), name)
        except (ImportError, AttributeError):
            missing.append(name)
            continue
        fields = getattr(getattr(kind.__init__, "__code__", None), "co_names", ())
        missing += [f"{name}.{part}" for part in names if not hasattr(kind, part) and part not in fields]
    return missing


def check_parts() -> None:
    """End the command with a sentence where a part is missing: no table may stay in memory because of that."""
    missing = missing_parts()
    if missing:
        raise SystemExit(
            f"Diptych needs parts of Streamlit that version {streamlit.__version__} does not have: "
            f'{", ".join(missing)}. Install one that works: pip install "streamlit{VERSIONS}"'
        )


def this_tab() -> str:
    """Streamlit's id of the connection."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def this_run() -> object | None:
    """What stays the same as long as one thread draws a tab's pages; None outside of one."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    return get_script_run_ctx(suppress_warning=True)


def this_user() -> str:
    """Whom the proxy named when this tab connected; "" where none names users."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    return "" if context is None else unquote(str(context.user_info.get(USER_KEY) or ""))


def is_active(tab: str) -> bool:
    """True where a tab is connected."""
    from streamlit import runtime

    return runtime.exists() and runtime.get_instance().is_active_session(tab)


def let_go(tab: str) -> dict[str, Any]:
    """Let Streamlit forget a tab with its uploads; what its widgets said comes back.

    Streamlit wants this called where its own loop runs; from another thread it is handed over.
    """
    from streamlit import runtime

    if not runtime.exists():
        return {}
    server = runtime.get_instance()
    values = widget_values(tab)
    loop = _loop
    if loop is None or loop.is_closed():
        return values
    loop.call_soon_threadsafe(_close, server, tab)
    garbage().soon()
    return values


def _close(server: Any, tab: str) -> None:
    info = _info(tab)
    server.close_session(tab)
    if info is not None:
        # Streamlit's own loop goes on holding the tab that it served last, with what its widgets said and the tables
        # that their callbacks know, until somebody else connects
        for part in ("_session_state", "_fragment_storage"):
            setattr(info.session, part, type(getattr(info.session, part))())
    if _loop is not None:
        # the closing itself only marks what is to go; a moment later, so that a download under way can end
        _loop.call_later(1.0, server.media_file_mgr.remove_orphaned_files)


def forget_files(tab: str) -> None:
    """What was uploaded in a tab, and what it was given to save, is gone from memory, also while it is open."""
    from streamlit import runtime

    if runtime.exists():
        server = runtime.get_instance()
        server.uploaded_file_mgr.remove_session_files(tab)
        server.media_file_mgr.clear_session_refs(tab)
        for _ in range(2):  # the first marks, the second removes
            server.media_file_mgr.remove_orphaned_files()


def widget_values(tab: str) -> dict[str, Any]:
    """Key -> value of the widgets of a tab that may be set again: choices, numbers and texts.

    Buttons and switches say yes or no, and Streamlit takes no value for a button, so neither is kept; of method
    settings the session itself knows them.
    """
    info = _info(tab)
    if info is None:
        return {}
    result = info.session.session_state.filtered_state
    return {str(key): value for key, value in result.items() if _plain(value)}


def _info(tab: str) -> Any:
    """What Streamlit knows of a tab; it has no public way to that."""
    from streamlit import runtime

    return runtime.get_instance()._session_mgr.get_session_info(tab) if runtime.exists() else None


def _plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(_plain(item) for item in value)
    return isinstance(value, _PLAIN) and not isinstance(value, bool)


def keep_uploads_in_memory() -> None:
    """An upload never comes on the disk: left to itself Starlette writes one of a megabyte into a temporary file."""
    from starlette.formparsers import MultiPartParser

    MultiPartParser.spool_max_size = 2 * MOST_MEGABYTES * 1024 * 1024  # what is longer is refused before that


def say_nothing_of_the_server() -> None:
    """From now on no answer names the program that carries Streamlit: its flaws are looked up by that name."""
    from streamlit.web.server.starlette import starlette_server

    given = starlette_server._get_uvicorn_config_kwargs
    setattr(starlette_server, "_get_uvicorn_config_kwargs", lambda: {**given(), "server_header": False})  # noqa: B010


def refuse_impossible_values() -> None:
    """From now on what a page sends for a widget is dropped where the widget cannot say it: its usual value stands.

    Only a client made by hand sends such values. Streamlit reads them in places where its thread would end of it, and
    keeps them, so that each visit of the page would fail anew.
    """
    from streamlit.runtime.state import session_state

    read = session_state.WStates.__getitem__
    if read.__name__ == "read_or_drop":
        return

    def read_or_drop(states: Any, key: str) -> Any:
        state = states.states.get(key)
        if state.__class__ is session_state.Value:  # read before; asked for thousands of times by a page
            return state.value
        about = states.widget_metadata.get(key)
        if state is None or about is None:
            return read(states, key)
        try:
            kind = state.value.WhichOneof("value")
            if kind is not None and _kind(kind) != _kind(about.value_type):
                raise TypeError
            if kind != "string_value" or _is_offered(about.deserializer, state.value.string_value):
                return read(states, key)
        except Exception:
            _dropped.add(this_tab())
        states.states[key] = session_state.Value(usual := about.deserializer(None))
        return usual

    write = session_state.WStates.get_serialized

    def write_or_drop(states: Any, key: str) -> Any:
        try:
            return write(states, key)
        except Exception:  # read above, and yet of another type than what it is handed on as
            _dropped.add(this_tab())
            del states.states[key]
            return None

    setattr(session_state.WStates, "__getitem__", read_or_drop)  # noqa: B010 - mypy takes no method for a value
    setattr(session_state.WStates, "get_serialized", write_or_drop)  # noqa: B010


def _is_offered(deserializer: Any, said: str) -> bool:
    """Whether a list of which one is chosen has this entry: else it would be handed to what is told of a change.

    A page whose list has changed sends an old one too, so nothing is said of it; Streamlit takes the usual one as well,
    but only after that.
    """
    offered = getattr(getattr(deserializer, "__self__", None), "formatted_option_to_option_index", None)
    return offered is None or said in offered


def _kind(field: str) -> str:
    """The kind of value of a field: a whole number may come in the place of any number, bytes in that of JSON."""
    return field.replace("int", "double").replace("bytes", "json").replace("arrow", "json")


class _Values(Mapping[str, Any]):
    """What all widgets of a tab say, each looked up when it is asked for.

    Streamlit gathers all of them for every selection box and number, to ask for one.
    """

    def __init__(self, state: Any, whole: Callable[[Any], dict[str, Any]]) -> None:
        self._state, self._whole = state, whole

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __contains__(self, key: object) -> bool:
        return key in self._state

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole(self._state))

    def __len__(self) -> int:
        return len(self._whole(self._state))


def look_values_up_singly() -> None:
    """From now on a widget that asks for its own value does not gather those of all others."""
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    whole: Any = SafeSessionState.filtered_state
    if whole.fget.__name__ != "values_of":

        def values_of(state: Any) -> _Values:
            return _Values(state, whole.fget)

        setattr(SafeSessionState, "filtered_state", property(values_of))  # noqa: B010 - as above


_dropped: set[str] = set()
"""Tabs that sent a value which no widget can have, until they are told."""


def has_dropped_values() -> bool:
    """Whether this tab sent such a value; said once."""
    tab = this_tab()
    here = tab in _dropped
    _dropped.discard(tab)
    return here


def forget_drawn_values() -> None:
    """What the widgets say that this run has drawn is forgotten: a page that failed of it does not fail again."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.state.common import user_key_from_element_id

    context = get_script_run_ctx()
    drawn = frozenset() if context is None else context.shared.widget_ids_this_run.snapshot()
    for key in map(user_key_from_element_id, drawn):
        if key is not None and key in streamlit.session_state:
            del streamlit.session_state[key]


def is_taken_away(value: Any) -> str:
    """The id of an uploaded file that is in memory no more; "" for any other value of an uploader."""
    from streamlit.runtime.uploaded_file_manager import DeletedFile

    return value.file_id if isinstance(value, DeletedFile) else ""


def watch_uploads(uploads: Uploads) -> None:
    """From now on `uploads` knows every id that Streamlit gives a tab for a file."""
    from streamlit import runtime

    manager = runtime.get_instance().uploaded_file_mgr
    give: Callable[..., Any] = manager.get_upload_urls

    def give_and_say(session_id: str, file_names: Any) -> Any:
        result = give(session_id, file_names)
        uploads.issue(session_id, [item.file_id for item in result])
        return result

    setattr(manager, "get_upload_urls", give_and_say)  # noqa: B010 - mypy takes no method for a value


def watch_media(note: Callable[[str, str], None]) -> None:
    """From now on `note` is given the id of every file that is made to be shown or saved, and the tab it is for."""
    from streamlit import runtime

    manager: Any = runtime.get_instance().media_file_mgr
    make: Callable[[str], str] = manager.execute_deferred

    def make_and_note(file_id: str) -> str:
        entry = manager._deferred_callables.get(file_id)
        address = make(file_id)
        if entry is not None:
            note(Path(address).stem, entry["session_id"])
        return address

    add: Callable[..., str] = manager.add

    def add_and_note(*args: Any, **more: Any) -> str:
        address = add(*args, **more)
        note(Path(address).stem, this_tab())
        return address

    manager.execute_deferred, manager.add = make_and_note, add_and_note


def stored_uploads() -> dict[str, int]:
    """Tab -> bytes of the files that Streamlit holds for it."""
    from streamlit import runtime

    if not runtime.exists():
        return {}
    files: Any = runtime.get_instance().uploaded_file_mgr
    # copies, since an upload may arrive while another thread counts
    return {tab: sum(len(item.data) for item in list(held.values())) for tab, held in list(files.file_storage.items())}


def wake_once(loop: Any) -> None:
    """From now on a loop is woken once for all that is handed to it until `PAUSE` after it looked.

    Streamlit hands over each part of a page by itself, twice; each would be a call of the system, and the two threads
    would take turns for it. It sends parts on no more often either.
    """
    if not (hasattr(loop, "_write_to_self") and hasattr(loop, "_process_self_data")):  # that of Windows has them not
        return
    write, read = loop._write_to_self, loop._process_self_data
    is_woken = False

    def write_once() -> None:
        nonlocal is_woken
        if not is_woken:  # what is handed over stands in the loop's list by now, which is looked at after `let_wake`
            is_woken = True
            write()

    def read_all(data: bytes) -> None:
        read(data)
        loop.call_later(PAUSE, let_wake)

    def let_wake() -> None:  # the loop is awake: what was handed over meanwhile is done now
        nonlocal is_woken
        is_woken = False

    loop._write_to_self, loop._process_self_data = write_once, read_all


_loop: asyncio.AbstractEventLoop | None = None


@asynccontextmanager
async def looking_after_tabs(_app: Any) -> AsyncIterator[None]:
    """While the server runs: every two seconds a look at who has gone, and at what they left."""
    global _loop
    _loop = asyncio.get_running_loop()
    wake_once(_loop)
    keep_uploads_in_memory()
    refuse_impossible_values()
    look_values_up_singly()
    watch_uploads(memory().uploads)
    watch_media(memory().note_media)
    task = asyncio.create_task(_watch_tabs())
    try:
        yield
    finally:
        task.cancel()
        _loop = None


async def _watch_tabs() -> None:
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            await asyncio.to_thread(memory().check)  # processes may take their time to end; pages do not wait for it
            garbage().collect()
        except Exception as fault:  # the next round looks again
            log.error("Looking after tabs failed\n%s", trace(fault))
