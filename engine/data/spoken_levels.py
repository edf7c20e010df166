"""Which of two levels one speaks of: "died in 43 %", not "did not die in 57 %"."""

from __future__ import annotations

from collections.abc import Sequence

_NO = frozenset({"no", "n", "0", "false", "f", "absent", "never", "none", "negative", "nein", "non", "not"})
_YES = frozenset({"yes", "y", "1", "true", "t", "present", "positive", "ja", "oui", "si", "sí"})


def says_yes(levels: Sequence[str]) -> int | None:
    """Which of two levels says yes.

    Parameters
    ----------
    levels : their names

    Returns
    -------
    its position; None where they do not say yes and no
    """
    plain = [str(level).strip().casefold() for level in levels]
    if len(plain) != 2:
        return None
    return next((i for i in (0, 1) if plain[i] in _YES and plain[1 - i] in _NO), None)


def spoken_level(levels: Sequence[str]) -> int | None:
    """Of two levels, whose shares mirror each other, that which one speaks of: yes rather than no, else the second.

    Parameters
    ----------
    levels : their names, in order

    Returns
    -------
    its position; None where they are not two
    """
    yes = says_yes(levels)
    return (1 if yes is None else yes) if len(levels) == 2 else None
