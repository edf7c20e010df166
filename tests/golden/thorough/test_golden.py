"""No figure and no sentence changes without being meant to: all methods, comparisons, reports and project files."""

from __future__ import annotations

import json

import pytest

from tests.golden.make import NAMES, answer, differences, kept

ROUNDING = 1e-9
"""A processor that adds up in another order may differ in the last digits."""


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_is_what_it_was(name: str) -> None:
    now = json.loads(json.dumps(answer(name)))
    different = [text for text, size in differences(kept(name), now) if size > ROUNDING]
    assert not different, different[:5]
