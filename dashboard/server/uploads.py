"""Which uploads are let in: decided by who sends how much, before a byte of the body is read.

Streamlit takes any upload of a tab that is connected, whatever it is called and however many came before. Here one is
let in only under an id that this server has just given out, and only where it fits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping

MOST_MEGABYTES = 200
"""Of one file, as Streamlit counts them."""
MOST_OF_A_USER = 2 * MOST_MEGABYTES * 1024 * 1024
"""Bytes of all files that a user's tabs hold and send; on one's own computer, each tab's."""
MOST_IDS = 1_000
"""Ids of a tab that are waiting for their file."""
COPIES = 2
"""How often a file lies in memory while it arrives: as it comes, and as it is then held."""


class Uploads:
    """The uploads of this server.

    Parameters
    ----------
    stored : tab -> bytes of the files that are held for it
    everything : bytes that all sessions hold
    most : bytes that sessions and uploads may take together, 0 for no limit
    owner : tab -> who answers for it
    """

    def __init__(
        self,
        stored: Callable[[], Mapping[str, int]] = dict,
        everything: Callable[[], int] = lambda: 0,
        most: int = 0,
        owner: Callable[[str], str] = lambda tab: tab,
    ) -> None:
        self._owner = owner
        self._stored = stored
        self._everything = everything
        self._most = most
        self._ids: dict[str, dict[str, None]] = {}
        self._arriving: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def issue(self, tab: str, ids: Iterable[str]) -> None:
        """A tab was given these ids, each for one file."""
        with self._lock:
            known = self._ids.setdefault(tab, {})
            known.update(dict.fromkeys(ids))
            while len(known) > MOST_IDS:
                del known[next(iter(known))]

    def begin(self, tab: str, file: str, size: int) -> tuple[int, str] | None:
        """Let a file in, until `end`; or the status and the sentence that refuse it."""
        with self._lock:
            known = self._ids.get(tab, {})
            if file not in known:
                return 404, "Nobody was asked for this file."
            held = self._stored()
            mine = self._owner(tab)
            files = [*held.items(), *((other, number) for (other, _), number in self._arriving.items())]
            if sum(number for other, number in files if self._owner(other) == mine) + size > MOST_OF_A_USER:
                return 413, "Your files take too much memory together, those of other tabs included; remove some."
            need = COPIES * (size + sum(self._arriving.values())) + sum(held.values()) + self._everything()
            if self._most and need > self._most:
                return 413, "All files and tables of this server together take too much memory; try again later."
            del known[file]
            self._arriving[tab, file] = size
            return None

    def end(self, tab: str, file: str) -> None:
        """A file that was let in has arrived, or is not coming any more."""
        with self._lock:
            self._arriving.pop((tab, file), None)

    def forget(self, tab: str) -> None:
        """A tab is gone."""
        with self._lock:
            self._ids.pop(tab, None)

    @property
    def total(self) -> int:
        """Bytes of uploads that are held."""
        return sum(self._stored().values())
