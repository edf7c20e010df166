"""Faults of the program itself: a calm sentence with an id for the user, the way it came for the log.

The log gets types and lines of code only. An exception's own message may quote a cell of the table,
and no cell value is ever written down.
"""

from __future__ import annotations

import logging
import secrets

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


class WithoutMessages(logging.Filter):
    """Logging filter that keeps a record's trace but drops what the exception said."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info, tuple) and record.exc_info[1] is not None:
            record.msg, record.args = f"{record.getMessage()}\n{trace(record.exc_info[1])}", ()
            record.exc_info, record.exc_text = None, None
        return True
