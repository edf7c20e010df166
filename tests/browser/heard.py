"""What a server under test has asked the network for, as `listening` writes it down."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
WAYS = os.pathsep.join((str(Path(__file__).parent / "listening"), str(ROOT)))
"""Where Python looks first in such a server."""
HERE = ("127.0.0.1", "::1", "localhost", "", "0.0.0.0")  # noqa: S104 - compared, not bound


def outside(lines: list[str]) -> list[str]:
    """The addresses that are not this machine; a path is a socket between processes."""
    found = []
    for line in lines:
        event, kind, *host = line.split(" ", 2)
        if event == "began" or "".join(host) in HERE or (event == "socket.connect" and kind != "tuple"):
            continue
        found.append(line)
    return found
