"""Faults of the program itself: a calm sentence with an id for the user, the way it came for the log.

The log gets types and lines of code only. An exception's own message may quote a cell of the table,
and no cell value is ever written down.
"""

from __future__ import annotations

import logging
import secrets
import sys
import threading
from typing import Any

from dashboard.server.log import log_action
from engine.worker.channel import trace

log = logging.getLogger("diptych")


def report(fault: BaseException) -> str:
    """Log where `fault` came from, without its message; return the sentence to show."""
    return report_trace(trace(fault))


def report_trace(lines: str) -> str:
    """Log an already formatted trace under a new id; return the sentence to show."""
    number = secrets.token_hex(4)
    log.error("Fault %s\n%s", number, lines)
    log_action("fault", number)
    return (
        f"Something went wrong inside Diptych (fault {number}). Your table is untouched; "
        "the server's log holds the technical details under that number."
    )


def keep_messages_out_of_the_log() -> None:
    """From now on every record of a fault, whichever library logs it, has its trace without what the exception said.

    Streamlit logs faults of pages and of files to save, uvicorn those of requests, each by a logger of its own.
    """
    make = logging.getLogRecordFactory()

    def make_without_message(*args: Any, **more: Any) -> logging.LogRecord:
        record = make(*args, **more)
        if record.exc_info and record.exc_info[1] is not None:
            record.msg, record.args = f"{record.getMessage()}\n{trace(record.exc_info[1])}", ()
            record.exc_info = None
        return record

    logging.setLogRecordFactory(make_without_message)
    threading.excepthook = _report_thread
    sys.unraisablehook = _report_unraisable


def _report_thread(ended: threading.ExceptHookArgs) -> None:
    """A thread that ends by a fault says where, not what of."""
    if ended.exc_value is not None and ended.exc_type is not SystemExit:
        report(ended.exc_value)


def _report_unraisable(fault: Any) -> None:
    """The same for what was raised where nobody could take it, such as the end of an object."""
    if fault.exc_value is not None:
        report(fault.exc_value)
