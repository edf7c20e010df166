"""One check for all settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from engine.errors import SettingsError
from engine.methods.setting import check_settings, setting


@dataclass(frozen=True)
class Example:
    """A method with one setting of each kind."""

    kind: str = setting("a", label="Kind", help="", choices=("a", "b"))
    share: float = setting(0.5, label="Share", help="", above=0.0, below=1.0)
    count: int | None = setting(None, label="Count", help="", minimum=1, maximum=9)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"kind": "c"}, "kind is 'c'; it can be 'a', 'b'"),
        ({"share": 0.0}, "between 0 and 1"),
        ({"share": "half"}, "must be a number"),
        ({"share": True}, "must be a number"),
        ({"count": 0}, "from 1 to 9"),
        ({"count": 10}, "count is 10"),
    ],
)
def test_a_value_outside_is_named_with_its_bounds(values: dict[str, Any], words: str) -> None:
    """The sentence says which setting, what it is, and what it may be."""
    with pytest.raises(SettingsError, match=words):
        check_settings(Example(**values))


def test_values_inside_pass() -> None:
    """Defaults, None and the bounds themselves are fine."""
    check_settings(Example())
    check_settings(Example(kind="b", share=0.001, count=9))
