"""How long the population's network will take, and what memory, told before it is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.methods.cost import Cost, Size

if TYPE_CHECKING:
    from engine.methods.instance_specific.settings import InstanceSpecificSettings

_PAIR, _CELL = 3e-7, 2e-12  # seconds of a pair of variables in GES, and of one row and cell of its table
_STEP = 3.6e-8  # of a pair at each step of the climbs; there are about as many steps as variables
_BYTES = {"ges": 8.0, "best": 60.0}  # of a pair


def cost(method: InstanceSpecificSettings, size: Size) -> Cost:
    """About what `InstanceSpecific.run` takes for the first patient, who waits for the population's network."""
    pairs = size.variables**2
    seconds = pairs * (_PAIR + _CELL * size.rows * size.levels**2)
    less = "choose fewer variables"
    if method.search == "best":
        seconds += _STEP * pairs * size.variables
        less = "choose fewer variables, or for the population the paper's search alone (GES)"
    return Cost(seconds, _BYTES[method.search] * pairs, less)
