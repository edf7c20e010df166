"""Loaded by Python itself before anything else, in a server under test and in every process that it begins.

Writes down each address that the process connects to or looks up.
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
    line = f"{event} {type(address).__name__} {host if host is not None else ''}\n"
    handle = os.open(_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, line.encode("utf-8", "replace"))
    os.close(handle)


if _FILE:
    sys.addaudithook(_listen)
