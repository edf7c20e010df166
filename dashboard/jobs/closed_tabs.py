"""Stops the jobs of browser tabs that are gone.

Streamlit forgets a closed session only when somebody next asks for one, so a thread of ours looks after them.
A tab that lost its connection may come back; it keeps its jobs for as long as Streamlit keeps its session.
"""

from __future__ import annotations

import threading
import time
import weakref

from dashboard.jobs.desk import Desk

LOOK_EVERY = 2.0
"""Seconds."""

_watched: dict[str, weakref.ref[Desk]] = {}
_absent_since: dict[str, float] = {}
_lock = threading.Lock()
_thread: threading.Thread | None = None


def watch(session_id: str, desk: Desk) -> None:
    """From now on the desk's jobs end some time after this session's tab has gone."""
    global _thread
    with _lock:
        _watched[session_id] = weakref.ref(desk)
        if _thread is None:
            _thread = threading.Thread(target=_look_for_good, name="leavers", daemon=True)
            _thread.start()


def look(active: frozenset[str], now: float, patience: float) -> None:
    """One round: whoever of the watched has not been `active` for more than `patience` seconds is gone."""
    with _lock:
        for session_id, reference in list(_watched.items()):
            desk = reference()
            if desk is not None and session_id in active:
                _absent_since.pop(session_id, None)
                continue
            if now - _absent_since.setdefault(session_id, now) > patience or desk is None:
                del _watched[session_id]
                del _absent_since[session_id]
                if desk is not None:
                    desk.close()


def _look_for_good() -> None:
    from streamlit import config, runtime

    while True:
        time.sleep(LOOK_EVERY)
        if not runtime.exists():
            continue
        server = runtime.get_instance()
        with _lock:
            known = list(_watched)
        active = frozenset(one for one in known if server.is_active_session(one))
        look(active, time.monotonic(), float(config.get_option("server.disconnectedSessionTTL")))
