"""The options of the console command `diptych`."""

from __future__ import annotations

import argparse
import os
import re

import engine
from dashboard.server.limits import CPU_MINUTES, LONGEST_HOURS
from dashboard.server.memory import KEEP_MINUTES
from dashboard.server.proxy import SECRET, USER
from engine.data.reading.limits import MEGABYTE
from engine.telling.tables import MOST_HIDDEN


def option_parser(opened: bool = False) -> argparse.ArgumentParser:
    """Of `diptych`, or of `diptych open`."""
    parser = argparse.ArgumentParser(
        prog="diptych open" if opened else "diptych",
        description="Compare two networks learned from one table. Runs on this computer; nothing leaves it.",
        epilog="diptych open FILE begins with a file that Diptych saved; diptych status lists the servers of this "
        "user, diptych stop ends one. The papers' studies are run from the repository: "
        "python -m benchmarks.papers --help.",
    )
    if opened:
        parser.add_argument("file", metavar="FILE", help="a project or an answer, as Diptych saved it (.diptych)")
    parser.add_argument("--version", action="version", version=f"diptych {engine.__version__}")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=_port, help="port to listen on (default: 8501, or the next free one)")
    parser.add_argument(
        "--jobs",
        type=_positive,
        default=max(1, (os.cpu_count() or 2) - 1),
        help="analyses computed at the same time (default: all cores but one); they divide the cores, or as many as "
        "the environment variable DIPTYCH_THREADS says",
    )
    parser.add_argument(
        "--keep",
        type=_not_negative,
        default=KEEP_MINUTES,
        metavar="MINUTES",
        help="how long a table and its results are kept in memory after the last tab was closed (default: 60; 0: not)",
    )
    parser.add_argument(
        "--memory",
        type=_positive,
        default=_half_of_the_machine(),
        metavar="MB",
        help="what the tables and results of all sessions may take; one session may take half of it (default: half of "
        "this computer's memory)",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a host name under which browsers reach the server, repeatable; no other one is answered",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="the token of the link by which browsers open the server (default: a new one, where --host is not this "
        "computer alone)",
    )
    parser.add_argument(
        "--base",
        type=_base,
        default="",
        metavar="PATH",
        help="the path before all its addresses, such as /ward",
    )
    parser.add_argument("--certfile", metavar="FILE", help="certificate for TLS, with --keyfile")
    parser.add_argument("--keyfile", metavar="FILE", help="key of the certificate, without a password")
    parser.add_argument(
        "--log",
        metavar="FILE",
        help="append a line of JSON for every upload, run, export, refusal and fault; no name or value of the table",
    )
    parser.add_argument(
        "--behind-proxy",
        type=_header,
        metavar="HEADER",
        help="a proxy on this computer names the user in this header, and says X-Forwarded-Proto and X-Forwarded-Host",
    )
    parser.add_argument(
        "--proxy-secret-file",
        metavar="FILE",
        help="what the proxy sends as X-Diptych-Proxy-Secret; no other request is answered",
    )
    parser.add_argument(
        "--user-minutes",
        type=_not_negative,
        default=CPU_MINUTES,
        metavar="MINUTES",
        help="of a processor that one user's analyses may take in an hour, where others can reach the server "
        "(default: 60)",
    )
    parser.add_argument(
        "--longest",
        type=_not_negative,
        default=LONGEST_HOURS,
        metavar="HOURS",
        help="how long work is kept at most, where others can reach the server (default: 12; 0: no limit)",
    )
    parser.add_argument(
        "--folder",
        action="append",
        default=[],
        metavar="PATH",
        help="a folder whose tables may be opened by their path, repeatable (default: where only this computer reaches "
        "the server, every file that its user may read; else none)",
    )
    parser.add_argument(
        "--work-folder",
        metavar="PATH",
        help="where rows of tables opened by path are written, in a folder for this user only that goes with the "
        "server, where they are too many for memory (default: such tables are refused)",
    )
    parser.add_argument(
        "--dask",
        type=_scheduler,
        metavar="ADDRESS",
        help="the scheduler of a Dask cluster, such as tcp://10.0.0.5:8786, whose workers may count the rows of "
        "Parquet files opened by path (they see them at the same path); no other address is ever connected to",
    )
    parser.add_argument(
        "--smallest-cell",
        type=_smallest_cell,
        default=0,
        metavar="K",
        help="hide counts from 1 to K - 1, and what they could be worked out from, on pages and in files; nobody can "
        "lift it in the browser, and single people are not shown (5 and 11 are usual; default: 0, nothing is hidden)",
    )
    parser.add_argument("--headless", action="store_true", help="do not open a browser")
    return parser


def _half_of_the_machine() -> int:
    """Megabytes."""
    try:
        return max(500, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2 // MEGABYTE)
    except (AttributeError, ValueError, OSError):  # a system that does not say
        return 4_000


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= 65_535:
        raise argparse.ArgumentTypeError("must be a whole number from 1 to 65535")
    return number


def _base(text: str) -> str:
    path = text.strip("/")
    if not re.fullmatch(r"(?:[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*)?", path):
        raise argparse.ArgumentTypeError("must be a path of letters, digits, - and _, such as /ward")
    return f"/{path}" if path else ""


def _header(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]{1,80}", text) or text.lower().encode() in (SECRET, USER):
        raise argparse.ArgumentTypeError("must be the name of a header, such as X-Remote-User")
    return text


def _scheduler(text: str) -> str:
    address = text if "://" in text else f"tcp://{text}"
    found = re.fullmatch(r"(?:tcp|tls)://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})", address)
    if found is None or not 1 <= int(found[1]) <= 65_535:
        raise argparse.ArgumentTypeError("must be the address of a scheduler, such as tcp://10.0.0.5:8786")
    return address


def _smallest_cell(text: str) -> int:
    number = int(text) if text.isdecimal() and text.isascii() else -1
    if number != 0 and not 2 <= number <= MOST_HIDDEN:
        raise argparse.ArgumentTypeError(f"must be 0 or a whole number from 2 to {MOST_HIDDEN:,}")
    return number


def _not_negative(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError("must be 0 or a number")
    return number
