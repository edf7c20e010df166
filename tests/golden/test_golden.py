"""No figure changes without being meant to: every method answers on the samples as it did at commit 4b52375."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.golden.cases import CASES
from tests.golden.make import answer, kept

RENAMED: dict[str, str] = {}
"""Field of then -> field of now, where a document calls a thing otherwise today."""


@pytest.mark.parametrize("name", CASES)
def test_an_answer_is_what_it_was(name: str) -> None:
    """Equal text is equal to the last bit; a processor that adds up in another order may differ in the last digits."""
    now, before = answer(name), kept(name)
    if now == before:
        return
    differences = list(_different(json.loads(before), json.loads(now), ""))
    assert not differences, differences[:5]


def _different(then: Any, now: Any, place: str) -> Any:
    """The places at which two documents differ by more than rounding."""
    if isinstance(then, dict) and isinstance(now, dict):
        then = {RENAMED.get(key, key): value for key, value in then.items()}
        for key in sorted(then.keys() | now.keys()):
            yield from _different(then.get(key), now.get(key), f"{place}/{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for i, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from _different(one, other, f"{place}/{i}")
    elif isinstance(then, float) and isinstance(now, float):
        if not math.isclose(then, now, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{place}: {then!r} is now {now!r}"
    elif then != now:
        yield f"{place}: {then!r} is now {now!r}"
