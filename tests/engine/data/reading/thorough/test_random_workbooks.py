"""A hundred workbooks with random merges, error codes and hidden parts."""

from __future__ import annotations

import pytest

from tests.engine.data.reading.formats.test_workbooks import check_random


@pytest.mark.parametrize("seed", range(100, 200))
def test_random_workbooks(seed: int) -> None:
    """No foreign exception, no sentence that something is not known, nothing lost of a plain one."""
    check_random(seed)
