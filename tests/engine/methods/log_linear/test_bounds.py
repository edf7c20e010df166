"""The settings' defaults and bounds, as they are documented."""

from __future__ import annotations

import engine
from tests.engine.methods.bounds import bounds, check_ends

EXPECTED = {"max_clique": (None, 2, None), "alpha": (0.05, [0.0], [1.0]), "seed": (0, 0, None)}


def test_numbers_have_their_defaults_and_bounds() -> None:
    """Message length, one edge at a time, alpha 0.05; and nothing beyond the bounds."""
    assert bounds(engine.LogLinear) == EXPECTED
    check_ends(engine.LogLinear, EXPECTED)
    plain = engine.LogLinear()
    assert (plain.criterion, plain.joint, plain.forced, plain.forbidden, plain.start) == ("mml", False, (), (), ())
