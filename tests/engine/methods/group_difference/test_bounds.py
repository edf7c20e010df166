"""The settings' defaults and bounds, as they are documented."""

from __future__ import annotations

import engine
from tests.engine.methods.bounds import bounds, check_ends

EXPECTED = {
    "p_none": (0.5, [0.0], [1.0]),
    "p_same": (0.5, [0.0], [1.0]),
    "margin": (0.1, [0.0], [1.0]),
    "chance": (0.05, [0.0], [1.0]),
    "max_parents": (None, 0, None),
    "seed": (0, 0, None),
}


def test_numbers_have_their_defaults_and_bounds() -> None:
    """The paper's prior, no limit, seed 0; and nothing beyond the bounds."""
    assert bounds(engine.GroupDifference) == EXPECTED
    check_ends(engine.GroupDifference, EXPECTED, group="g")
    plain = engine.GroupDifference(group="g")
    assert (plain.score, plain.average) == (engine.BDeu(1.0), "orders")
    assert (plain.p_level, plain.alignment) == ("variable", "published")
    assert (plain.search, plain.order, plain.groups) == ("thick_thinning", None, None)
