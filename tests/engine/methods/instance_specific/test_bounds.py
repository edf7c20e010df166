"""The settings' defaults and bounds, as they are documented."""

from __future__ import annotations

import engine
from tests.engine.methods.bounds import bounds, check_ends

EXPECTED = {
    "kappa": (0.1, [0.0], 1.0),
    "ess": (1.0, [0.0], 1e6),
    "structure_prior": (1.0, [0.0], 1e6),
    "margin": (0.1, [0.0], [1.0]),
    "max_parents": (None, 0, None),
    "seed": (0, 0, None),
}


def test_numbers_have_their_defaults_and_bounds() -> None:
    """A change costs a factor of ten; kappa may be 1, at which it costs nothing; and nothing beyond the bounds."""
    assert bounds(engine.InstanceSpecific) == EXPECTED
    check_ends(engine.InstanceSpecific, EXPECTED)
    plain = engine.InstanceSpecific()
    assert plain.search == "best"
    assert (plain.mode, plain.prior, plain.empty, plain.additions) == ("order_kept", "union", "population", False)
