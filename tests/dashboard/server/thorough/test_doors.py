"""What `benchmarks.doors` tries in a minute, at servers that run: nothing gets through."""

from __future__ import annotations

import pytest

from benchmarks.doors.__main__ import PARTS


@pytest.mark.parametrize("part", ["keys", "lengths", "restart", "proxy", "tls", "base", "workers"])
def test_nothing_gets_through(part: str) -> None:
    """Each was tried at least once, and the last count is 0."""
    lines = list(PARTS[part]())
    assert lines and all(tried > 0 for _, tried, _ in lines)
    assert [what for what, _, through in lines if through] == []
