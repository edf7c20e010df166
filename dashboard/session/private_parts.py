"""The parts of Streamlit and Starlette that they do not promise to keep: what is held of a tab, how it is let go, and
how uploads arrive.

Left to itself Streamlit forgets a tab only when somebody else connects. `check_parts` looks for every part when the
server starts; `pyproject.toml` has the versions that have them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
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
VERSIONS = ">=1.67,<1.68"
"""Of Streamlit, that have every part below."""
PARTS = {
    "streamlit.runtime:Runtime": (
        "_session_mgr", "is_active_session", "close_session", "uploaded_file_mgr", "media_file_mgr",
    ),
    "streamlit.runtime.app_session:AppSession": ("_session_state", "_fragment_storage", "session_state"),
    "streamlit.runtime.media_file_manager:MediaFileManager": (
        "clear_session_refs", "remove_orphaned_files", "execute_deferred", "_deferred_callables",
    ),
    "streamlit.runtime.memory_uploaded_file_manager:MemoryUploadedFileManager": (
        "remove_session_files", "get_upload_urls", "file_storage",
    ),
    "streamlit.runtime.state:SessionState": ("filtered_state",),
    "streamlit.runtime.scriptrunner:get_script_run_ctx": (),
    "streamlit.starlette:App": (),
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


def this_user() -> str:
    """Whom the proxy named when this tab connected; "" where none names users."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    return "" if context is None else unquote(str(context.user_info.get(USER_KEY) or ""))


def is_active(tab: str) -> bool:
    """Whether a tab is connected."""
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


def watch_downloads(note: Callable[[str, str], None]) -> None:
    """From now on `note` is given the id of every file that is made to be saved, and the tab that asked for it."""
    from streamlit import runtime

    manager: Any = runtime.get_instance().media_file_mgr
    make: Callable[[str], str] = manager.execute_deferred

    def make_and_note(file_id: str) -> str:
        entry = manager._deferred_callables.get(file_id)
        address = make(file_id)
        if entry is not None:
            note(Path(address).stem, entry["session_id"])
        return address

    manager.execute_deferred = make_and_note


def stored_uploads() -> dict[str, int]:
    """Tab -> bytes of the files that Streamlit holds for it."""
    from streamlit import runtime

    if not runtime.exists():
        return {}
    files: Any = runtime.get_instance().uploaded_file_mgr
    # copies, since an upload may arrive while another thread counts
    return {tab: sum(len(item.data) for item in list(held.values())) for tab, held in list(files.file_storage.items())}


_loop: asyncio.AbstractEventLoop | None = None


@asynccontextmanager
async def looking_after_tabs(_app: Any) -> AsyncIterator[None]:
    """While the server runs: every two seconds a look at who has gone, and at what they left."""
    global _loop
    _loop = asyncio.get_running_loop()
    keep_uploads_in_memory()
    watch_uploads(memory().uploads)
    watch_downloads(memory().note_download)
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
