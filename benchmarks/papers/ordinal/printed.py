"""What there is to stand beside our figures: one run each of the authors' program.

The paper's figures are curves, and nothing is read off them; its text has no numbers that stand for a cell. The numbers
here are those of the authors' R program (OSEM on BiDAG 2.1.4, pcalg 2.7-12, bnlearn 5.2.1) on one seeded graph of each
size, 500 rows, 3 expected levels and 4 neighbours, as this project measured them before its own program was written:
anchors, since another graph has other numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.papers.ordinal.plan import (
    BGE,
    DRAWN,
    GPC,
    NPC,
    OPC,
    OSEM,
    PUBLISHED,
    USUAL_LEVELS,
    USUAL_ROWS,
    Plan,
)

ANCHORS: dict[int, dict[tuple[str, float], tuple[float, float, float, float]]] = {
    12: {
        (NPC, 0.05): (0.02, 0.02, 23.5, 0.1),
        (OPC, 0.05): (0.42, 0.42, 20.0, 0.1),
        (GPC, 0.05): (0.35, 0.44, 20.5, 0.1),
        (BGE, 0.5): (0.33, 0.62, 24.0, 3.4),
        (OSEM, 2.0): (0.71, 0.29, 10.0, 35.6),
        (OSEM, 3.0): (0.77, 0.10, 5.5, 33.6),
        (OSEM, 6.0): (0.62, 0.21, 10.0, 35.8),
    },
    20: {
        (NPC, 0.05): (0.03, 0.12, 44.5, 0.5),
        (OPC, 0.05): (0.33, 0.37, 34.0, 0.1),
        (GPC, 0.05): (0.34, 0.45, 35.5, 0.1),
        (BGE, 0.5): (0.76, 0.26, 20.0, 6.2),
        (OSEM, 2.0): (0.87, 0.07, 8.0, 145.9),
        (OSEM, 3.0): (0.79, 0.14, 13.5, 66.0),
        (OSEM, 6.0): (0.74, 0.09, 13.0, 57.1),
    },
    30: {
        (NPC, 0.05): (0.14, 0.10, 40.5, 0.6),
        (OPC, 0.05): (0.58, 0.38, 23.5, 0.2),
        (GPC, 0.05): (0.47, 0.68, 35.5, 0.2),
        (BGE, 0.5): (0.96, 0.26, 13.0, 2.7),
        (OSEM, 2.0): (0.95, 0.42, 20.5, 126.0),
        (OSEM, 3.0): (0.97, 0.21, 9.5, 96.1),
        (OSEM, 6.0): (0.99, 0.03, 1.5, 102.1),
    },
}
"""Variables -> (approach, setting) -> TPR, FPRp, SHD, CPU seconds."""
QUANTITIES = ("TPR", "FPRp", "SHD", "seconds")


def printed(plan: Plan) -> Iterator[tuple[str, int, int, float, str, float, str, float]]:
    """Key, quantity and number of every anchor that a plan has a cell for."""
    for data, n, rows, levels in plan.cells:
        if data != DRAWN or (rows, levels) != (USUAL_ROWS, USUAL_LEVELS):
            continue
        for (approach, setting), numbers in ANCHORS.get(n, {}).items():
            # the authors' program is what our published mode goes through; both stand beside it
            for name in (OSEM, PUBLISHED) if approach == OSEM else (approach,):
                if setting in plan.grids[name]:
                    for quantity, number in zip(QUANTITIES, numbers, strict=True):
                        yield data, n, rows, float(levels), name, setting, quantity, number
