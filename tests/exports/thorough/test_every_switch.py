"""Every switch of every program."""

from __future__ import annotations

import pytest

from tests.exports.reading import Export
from tests.exports.test_exports import EXPORTS, check


@pytest.mark.parametrize("export", EXPORTS, ids=str)
def test_every_switch(export: Export) -> None:
    """Of every column the reading is right, or it is asked."""
    check(export)
