"""What somebody may try at a server that runs, tried; each line says how often, and how often it got through.

    python -m benchmarks.doors                 everything, half an hour
    python -m benchmarks.doors keys proxy      some of it

The attempts are clients without a browser (`benchmarks.dashboard.users`) and plain requests. The last column of every
line has to be 0; docs/serve/tried.md has what came of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from benchmarks.doors import files, keys, misuse, places

Line = tuple[str, int, int]
PARTS: dict[str, Callable[[], Iterator[Line]]] = {
    "keys": keys.attempts,
    "tokens": keys.guesses,
    "restart": keys.restarts,
    "proxy": places.proxied,
    "tls": places.encrypted,
    "base": places.below_a_path,
    "operator": places.other_users,
    "workers": places.workers,
    "lengths": places.lengths,
    "values": misuse.values,
    "tabs": misuse.tabs,
    "cancel": misuse.cancelled,
    "clock": misuse.clocks,
    "lock": misuse.locked,
    "sessions": misuse.sessions,
    "reruns": misuse.reruns,
    "tables": files.tables,
    "files": files.files,
}


def main() -> int:
    """Try, and print; 1 where anything got through."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("parts", nargs="*", help=", ".join(PARTS))
    failed = 0
    for name in asked.parse_args().parts or PARTS:
        for what, tried, through in PARTS[name]():
            print(f"{name:10} {what:70} {tried:6,} {through:6,}", flush=True)
            failed += through
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
