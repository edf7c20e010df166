"""Conservative directions of twenty tables beside a transcription of pcalg's rules."""

from __future__ import annotations

import pytest

from tests.engine.search.test_orientation import compare_conservative


@pytest.mark.parametrize("name", ["g_squared", "fisher_z"])
def test_conservative_patterns_of_twenty_tables(name: str) -> None:
    """Equal on all of 17 and more without contradicting colliders; many triples are ambiguous, and arrows are left."""
    compared, n_ambiguous, n_arrows = compare_conservative(name, 20)
    assert compared >= 17
    assert n_ambiguous > 20
    assert n_arrows > 10
