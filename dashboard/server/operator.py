"""`diptych status` and `diptych stop`: which servers of this user run on this computer, and how they are ended.

A server listens for its operator on a socket beside a note with the secret, in a folder that only its user can read.
Nothing of this is reached over the network.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import Client, Listener
from pathlib import Path
from typing import Any

from dashboard.server.faults import log
from engine.data.reading.limits import MEGABYTE
from engine.words import count, listed
from engine.worker.channel import trace

PATIENCE = 60.0
"""Seconds for which `diptych stop` waits until a server has ended."""
ANSWER = 5.0
"""Seconds within which a server answers."""
PAUSE = 0.1
"""Seconds after which the next one is listened to where listening failed."""
LONGEST = 1_000
"""Bytes of a message."""
NONE_RUNS = "No Diptych of this user runs on this computer."


def folder() -> Path:
    """Where servers of this user and computer leave their notes: homes are shared among computers, sockets are not."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or str(Path.home() / ".local" / "state")
    return Path(base) / "diptych" / "servers" / socket.gethostname()[:40]


# -- in the server --------------------------------------------------------------------------------------------------


@contextmanager
def listening(about: dict[str, Any], counts: Callable[[], dict[str, int]], end: Callable[[], None]) -> Iterator[None]:
    """While a server runs: answer its operator. Where that cannot be, the server runs all the same.

    Parameters
    ----------
    about : what stays the same, such as port and beginning
    counts : how much is held
    end : begins the end of the server
    """
    note = folder() / f"{os.getpid()}.json"
    try:
        secret = secrets.token_urlsafe(32)
        listener = _open(note, secret)
    except OSError as fault:
        log.warning("diptych status and diptych stop will not find this server\n%s", trace(fault))
        yield
        return
    about, ended = about | {"pid": os.getpid(), "since": time.time()}, threading.Event()
    threading.Thread(
        target=_answer, args=(listener, secret, about, counts, end, ended), name="diptych-operator", daemon=True
    ).start()
    try:
        yield
    finally:
        ended.set()
        with suppress(OSError):
            listener.close()
        with suppress(OSError):
            note.unlink(missing_ok=True)


def _open(note: Path, secret: str) -> Listener:
    """A socket for the operator, and the note that says where it is and with which secret."""
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note.parent.chmod(0o700)
    socket_file = note.with_suffix(".socket")
    for left in (note, socket_file):  # of a server that was killed, whose number this one has
        left.unlink(missing_ok=True)
    place = rf"\\.\pipe\diptych-{os.getpid()}" if os.name == "nt" else str(socket_file)
    listener = Listener(place)
    draft = note.with_suffix(".draft")  # the note appears whole, or whoever reads it takes the server for a dead one
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump({"place": place, "secret": secret}, file)
    draft.replace(note)
    return listener


def _answer(
    listener: Listener,
    secret: str,
    about: dict[str, Any],
    counts: Callable[[], dict[str, int]],
    end: Callable[[], None],
    ended: threading.Event,
) -> None:
    while not ended.is_set():
        try:
            with listener.accept() as connection:
                asked = json.loads(connection.recv_bytes(LONGEST)) if connection.poll(ANSWER) else {}
                if not secrets.compare_digest(str(asked["secret"]).encode(), secret.encode()):
                    continue
                connection.send_bytes(json.dumps(about | counts()).encode())
                if asked["wish"] == "stop":
                    end()
                    threading.Event().wait()  # for ever: the line to the operator breaks when this process has ended
        except (EOFError, ConnectionError, ValueError, KeyError, TypeError):
            continue  # whoever that was
        except Exception as fault:  # whatever failed, the next one is answered
            if not ended.wait(PAUSE):
                log.warning("diptych status or diptych stop was not answered\n%s", trace(fault))


# -- the operator ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Server:
    """A server that answered.

    Attributes
    ----------
    note : its file
    about : what it said of itself
    """

    note: Path
    about: dict[str, Any]

    @property
    def port(self) -> int:
        return int(self.about["port"])

    def sentence(self) -> str:
        """Describe what runs and what it holds, in one line."""
        about = self.about
        since = datetime.fromtimestamp(about["since"]).astimezone().strftime("%Y-%m-%d %H:%M")
        megabytes = (about["bytes"] + about["uploads"]) / MEGABYTE
        path = f", path {about['base']}" if about["base"] else ""
        holds = f"{count(about['sessions'], 'session')}, {count(about['jobs'], 'job')}, {megabytes:,.1f} MB"
        return f"Port {self.port}{path}: since {since}, {holds} (process {about['pid']})."


def main(action: str, arguments: Sequence[str]) -> int:
    """`diptych status` or `diptych stop`; the exit code."""
    parser = argparse.ArgumentParser(
        prog=f"diptych {action}",
        description={
            "status": "List the servers of this user on this computer, and what they hold.",
            "stop": "End a server of this user: its jobs end, and what its sessions hold is gone.",
        }[action],
    )
    parser.add_argument("--port", type=int, help="of the server that is meant (default: the only one)")
    port = parser.parse_args(arguments).port
    servers = [server for server in running() if port in (None, server.port)]
    silent = {note.stem for note in folder().glob("*.json")} - {server.note.stem for server in servers}
    if not servers and silent:
        return _say(f"A Diptych of this user does not answer now: process {listed(sorted(silent))}.", 1)
    if not servers:
        return _say(NONE_RUNS if port is None else f"No Diptych of this user runs on port {port}.", 1)
    if action == "status":
        return _say("\n".join(server.sentence() for server in servers), 0)
    if len(servers) > 1:
        ports = ", ".join(str(server.port) for server in servers)
        return _say(f"{len(servers)} servers run, on the ports {ports}; choose one with --port.", 1)
    return _stop(servers[0])


def running() -> list[Server]:
    """The servers that answer, by port; what others left that were killed goes now."""
    servers = []
    for note in sorted(folder().glob("*.json")):
        try:
            about = _ask(note, "status")
        except TimeoutError:  # it hangs, and may answer later
            continue
        if about is None:
            for left in (note, note.with_suffix(".socket")):
                with suppress(OSError):
                    left.unlink(missing_ok=True)
        else:
            servers.append(Server(note, about))
    return sorted(servers, key=lambda server: server.port)


def _ask(note: Path, wish: str, patience: float = 0.0) -> dict[str, Any] | None:
    """Ask a server; None where nobody is there. With patience, wait until it has ended.

    Raises
    ------
    TimeoutError : it does not answer, or has not ended
    """
    about: dict[str, Any] | None = None
    try:
        where = json.loads(note.read_text())
        place, message = str(where["place"]), json.dumps({"secret": where["secret"], "wish": wish}).encode()
    except (OSError, ValueError, KeyError, TypeError):  # a note appears whole, so this is none
        return None
    try:
        with Client(place) as connection:
            connection.send_bytes(message)
            there = not connection.poll(ANSWER)
            if not there:
                about = json.loads(connection.recv_bytes(LONGEST))
                there = patience > 0 and not connection.poll(patience)  # the line breaks with its process
    except (ConnectionRefusedError, FileNotFoundError):
        return None
    except EOFError:
        there = wish != "stop"  # the line breaks with a server that ends
    except (OSError, ValueError):
        there = True
    if there:
        raise TimeoutError
    return about


def _stop(server: Server) -> int:
    try:
        about = _ask(server.note, "stop", PATIENCE)
    except TimeoutError:
        return _say(f"The server on port {server.port} has not ended after {PATIENCE:.0f} seconds.", 1)
    if about is None:
        return _say(f"The server on port {server.port} has just ended by itself.", 0)
    return _say(
        f"Stopped on port {server.port}: {count(about['sessions'], 'session')}, {count(about['jobs'], 'job')}.", 0
    )


def _say(words: str, code: int) -> int:
    print(words, file=sys.stderr if code else sys.stdout)
    return code
