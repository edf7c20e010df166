"""What the numbers among a method's or a trial's settings are by default, and how far they may go."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import pytest

from engine.errors import SettingsError

Bounds = dict[str, tuple[Any, Any, Any]]
"""Setting -> default, the smallest value that is taken, the largest; a bound that is not itself taken in brackets."""


def bounds(kind: type) -> Bounds:
    """As the settings declare them."""
    found: Bounds = {}
    for one in fields(kind):
        least, most, above, below = (one.metadata.get(name) for name in ("minimum", "maximum", "above", "below"))
        if any(bound is not None for bound in (least, most, above, below)):
            low = least if above is None else [above]
            found[one.name] = one.default, low, most if below is None else [below]
    return found


def check_ends(kind: type, expected: Bounds, **needed: Any) -> None:
    """Each bound is taken, what lies next to it outside is refused, and an open bound is refused itself."""
    for name, (default, *ends) in expected.items():
        for end, away in zip(ends, (-1, 1), strict=True):
            if end is None:
                continue
            number = end[0] if isinstance(end, list) else end
            if isinstance(end, list):
                inside, outside = math.nextafter(number, number - away), number
            else:
                inside, outside = number, number + away
            assert getattr(kind(**needed, **{name: inside}), name) == inside
            with pytest.raises(SettingsError, match=name):
                kind(**needed, **{name: outside})
        assert getattr(kind(**needed), name) == default
