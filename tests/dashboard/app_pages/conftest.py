"""Pages under test: what runs in the background is as small as it can be and still tell something."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard.views.group_difference import resampling


@pytest.fixture(scope="session", autouse=True)
def few_shuffles() -> Iterator[None]:
    """Three tables with shuffled labels in place of 200; how many there are proves nothing here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "SHUFFLES", 3)
        yield
