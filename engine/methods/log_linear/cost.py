"""How long a log-linear analysis will take, and what memory, told before it is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.methods.cost import Cost, Size

if TYPE_CHECKING:
    from engine.methods.log_linear.settings import LogLinearSettings

_PAIR, _CELL = 6e-8, 1e-12  # seconds of a pair of variables, and of one row and cell of its table
_TRIPLE = 2e-9  # of a row and cell of a table of three variables, for each variable and link, with two links at once
_BYTES = 4e7  # of what is worked on at a time, whatever the table
_LISTED, _ALL, _JOINT = (
    2.0,
    45.0,
    60.0,
)  # bytes of a pair: of the best candidates only, of all, and of links beside links


def cost(method: LogLinearSettings, size: Size) -> Cost:
    """About what `LogLinear.run` takes.

    Parameters
    ----------
    method : its criterion, and whether two links are taken at once
    size : of the table

    Returns
    -------
    `Cost`
    """
    pairs = size.variables**2
    seconds = pairs * (_PAIR + _CELL * size.rows * size.levels**2)
    kept, quicker = _LISTED if True else _ALL, ""
    if method.joint:
        seconds += _TRIPLE * pairs * size.levels**3
        kept, quicker = _JOINT, "not two links at once"
    return Cost(seconds, _BYTES + kept * pairs, quicker=quicker)
