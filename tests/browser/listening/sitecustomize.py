"""Loaded by Python itself before anything else, in a server under test and in every process that it begins.

Writes down that the process began, and each address that it connects to or looks up.
"""

import os
import sys

_FILE = os.environ.get("DIPTYCH_TEST_ADDRESSES")
_ASKED = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "urllib.Request": 0,
    "http.client.connect": 1,
}


def _listen(event: str, details: tuple) -> None:
    place = _ASKED.get(event)
    if place is None:
        return
    address = details[place]
    host = address[0] if isinstance(address, tuple) else address
    _write(f"{event} {type(address).__name__} {host if host is not None else ''}\n")


def _write(line: str) -> None:
    handle = os.open(_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, line.encode("utf-8", "replace"))
    os.close(handle)


if _FILE:
    _write(f"began int {os.getpid()}\n")
    sys.addaudithook(_listen)
