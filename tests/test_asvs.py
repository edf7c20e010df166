"""The table of ASVS names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
STATES = {"met", "part", "you", "no such thing"}


def test_every_item_has_a_state_and_tests_that_are_there() -> None:
    """What is met names a test or says why there is none to name; a test that was renamed is missed here."""
    text = (ROOT / "docs" / "serve" / "asvs.md").read_text(encoding="utf-8")
    items = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if re.match(r"\| \d+\.\d", line)
    ]
    assert len(items) > 50
    for item, _, state, how in items:
        assert state in STATES and (how or state == "no such thing"), item
    named = set(re.findall(r"`((?:server|dashboard|engine|browser|contract)/[\w/]*test_\w+\.py)`", text))
    assert len(named) > 20
    missing = {name for name in named if not (ROOT / "tests" / re.sub("^server/", "dashboard/server/", name)).is_file()}
    assert missing == set()
