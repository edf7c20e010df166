"""What does not keep a rule of the floor yet. Each list may only shrink: an entry that is no longer needed fails."""

from __future__ import annotations

from collections.abc import Iterable


def held(found: Iterable[str], excused: Iterable[str]) -> None:
    """Fail on what breaks the rule without being excused, and on what is excused without need."""
    now, list_ = set(found), set(excused)
    assert not now - list_, "against the rule:\n" + "\n".join(sorted(now - list_))
    assert not list_ - now, "no longer needed, take it off the list:\n" + "\n".join(sorted(list_ - now))
