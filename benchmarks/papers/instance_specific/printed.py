"""The figures that Jabbari, Visweswaran & Cooper (2018) print, and the bands that ours are held to.

Mean (standard deviation over 10 networks of 50 variables, 1,000 rows, 500 test cases each).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

CLASSES = ("IS", "other", "overall")
"""Edges at variables that have lost parents for this patient, all other edges, and all."""
RATES = tuple(f"{rate} {where}" for rate in "PRF" for where in CLASSES)
COUNTS = ("added", "deleted", "reversed")
RATIO = "log likelihood ratio"
TABLES = {50: 1, 100: 2}
"""Number of arcs -> number of the printed table."""

_ADJACENCY = {
    50: """
    0.001  0.75(0.11) 0.99(0.02) 0.92(0.03) 0.69(0.17) 0.75(0.06) 0.73(0.08) 0.71(0.14) 0.85(0.04) 0.81(0.06)
    0.1    0.81(0.12) 0.98(0.02) 0.93(0.04) 0.72(0.09) 0.75(0.06) 0.74(0.06) 0.76(0.10) 0.85(0.04) 0.82(0.04)
    0.5    0.74(0.13) 0.89(0.04) 0.84(0.05) 0.67(0.11) 0.72(0.08) 0.71(0.07) 0.70(0.11) 0.79(0.06) 0.77(0.05)
    0.9    0.61(0.11) 0.78(0.08) 0.72(0.08) 0.70(0.08) 0.76(0.07) 0.75(0.06) 0.65(0.08) 0.77(0.07) 0.74(0.06)
    GES    0.57(0.07) 0.98(0.02) 0.84(0.04) 0.78(0.08) 0.81(0.08) 0.81(0.08) 0.66(0.07) 0.89(0.05) 0.82(0.04)""",
    100: """
    0.001  0.62(0.06) 0.96(0.03) 0.79(0.05) 0.61(0.06) 0.65(0.07) 0.63(0.06) 0.61(0.05) 0.77(0.05) 0.70(0.05)
    0.1    0.66(0.06) 0.95(0.03) 0.82(0.04) 0.57(0.08) 0.66(0.05) 0.63(0.04) 0.61(0.06) 0.78(0.03) 0.71(0.03)
    0.5    0.63(0.06) 0.89(0.04) 0.76(0.03) 0.58(0.04) 0.64(0.04) 0.61(0.03) 0.60(0.04) 0.74(0.03) 0.68(0.03)
    0.9    0.55(0.08) 0.79(0.06) 0.68(0.06) 0.57(0.08) 0.67(0.04) 0.63(0.03) 0.56(0.08) 0.73(0.03) 0.66(0.04)
    GES    0.55(0.07) 0.94(0.05) 0.73(0.05) 0.69(0.07) 0.71(0.06) 0.70(0.05) 0.61(0.07) 0.81(0.04) 0.72(0.04)""",
}
_ARROWHEAD = {
    50: """
    0.001  0.23(0.17) 0.91(0.15) 0.72(0.13) 0.44(0.30) 0.60(0.13) 0.59(0.13) 0.29(0.21) 0.71(0.13) 0.64(0.12)
    0.1    0.35(0.17) 0.85(0.13) 0.77(0.14) 0.45(0.18) 0.55(0.08) 0.54(0.07) 0.38(0.17) 0.66(0.08) 0.63(0.08)
    0.5    0.36(0.20) 0.70(0.16) 0.67(0.16) 0.56(0.24) 0.55(0.16) 0.55(0.14) 0.42(0.21) 0.60(0.13) 0.59(0.12)
    0.9    0.22(0.10) 0.55(0.14) 0.49(0.13) 0.50(0.22) 0.59(0.06) 0.58(0.07) 0.30(0.13) 0.56(0.09) 0.52(0.09)
    GES    0.16(0.07) 0.81(0.17) 0.58(0.14) 0.68(0.20) 0.68(0.08) 0.68(0.08) 0.24(0.08) 0.73(0.10) 0.61(0.09)""",
    100: """
    0.001  0.36(0.10) 0.78(0.15) 0.59(0.12) 0.50(0.13) 0.50(0.09) 0.50(0.09) 0.41(0.09) 0.60(0.09) 0.53(0.08)
    0.1    0.37(0.08) 0.74(0.14) 0.60(0.11) 0.46(0.07) 0.50(0.05) 0.49(0.05) 0.40(0.05) 0.59(0.07) 0.54(0.07)
    0.5    0.38(0.08) 0.65(0.10) 0.56(0.08) 0.45(0.13) 0.50(0.09) 0.49(0.08) 0.41(0.08) 0.56(0.09) 0.52(0.07)
    0.9    0.30(0.07) 0.57(0.08) 0.49(0.07) 0.45(0.11) 0.54(0.06) 0.53(0.05) 0.36(0.08) 0.56(0.06) 0.51(0.06)
    GES    0.24(0.06) 0.76(0.13) 0.52(0.09) 0.59(0.11) 0.61(0.08) 0.61(0.07) 0.34(0.08) 0.67(0.08) 0.56(0.07)""",
}
_DISTANCE = {
    50: """
    0.001  2.38(0.94) 10.37(2.42) 4.45(2.17) 234.31(146.26)
    0.1    2.25(1.32) 10.09(2.07) 4.17(1.68) 397.47(116.00)
    0.5    5.15(1.71) 10.87(2.26) 3.95(1.83) 438.62(237.32)
    0.9    11.74(4.12) 9.82(2.32) 6.09(2.52) 524.60(229.72)
    GES    6.09(1.60) 7.60(2.80) 7.12(2.96)""",
    100: """
    0.001  10.25(3.29) 22.24(3.97) 9.68(2.21) 207.54(190.36)
    0.1    8.70(2.04) 22.80(2.26) 8.37(2.84) 518.43(235.79)
    0.5    12.40(2.26) 24.16(2.69) 8.75(2.18) 638.72(274.38)
    0.9    18.99(4.34) 23.01(1.84) 9.41(2.72) 615.99(232.87)
    GES    16.17(4.03) 18.60(2.39) 11.23(3.79)""",
}


@dataclass(frozen=True)
class Printed:
    """One printed cell: a mean and its standard deviation over the networks."""

    mean: float
    spread: float


@cache
def printed(arcs: int) -> dict[str, dict[str, Printed]]:
    """Row ("0.001", ..., "GES") -> measure -> cell, of the printed table for so many arcs; empty where there is none.

    Measures are named "adjacency P IS", ..., "arrowhead F overall", "added", "deleted", "reversed" and
    "log likelihood ratio".
    """
    if arcs not in TABLES:
        return {}
    found: dict[str, dict[str, Printed]] = {}
    for block, names in (
        (_ADJACENCY, [f"adjacency {rate}" for rate in RATES]),
        (_ARROWHEAD, [f"arrowhead {rate}" for rate in RATES]),
        (_DISTANCE, [*COUNTS, RATIO]),
    ):
        for line in block[arcs].split("\n")[1:]:
            row, *cells = line.split()
            values = [Printed(*map(float, re.findall(r"[\d.]+", cell))) for cell in cells]
            found.setdefault(row, {}).update(zip(names, values, strict=False))  # GES has no ratio
    return found


@dataclass(frozen=True)
class Bands:
    """What our figures must keep to, for one number of arcs; None where nothing is asked.

    Attributes
    ----------
    f_overall, f_context : least adjacency F of order-kept mode at kappa 0.1, over all edges and at variables in context
    distance : largest structural Hamming distance there
    recall_lost : how far adjacency recall may fall below that of GES
    distance_drift : how little the distance changes between kappa 0.1 and 0.9
    held_out_lost : how far the mean log probability of a patient may fall below the population network's (nats)
    """

    f_overall: float | None
    f_context: float | None
    distance: float
    recall_lost: float = 0.03
    distance_drift: float = 1.0
    held_out_lost: float = 0.05


BANDS = {50: Bands(0.83, 0.77, 15.0), 100: Bands(None, None, 37.0)}
