"""An exercise on case mix: how much of a gap between two hospitals comes with their patients."""

from __future__ import annotations

import numpy as np

from engine.classroom.drawings import bars_drawing, count_bars, network_drawing
from engine.classroom.exercise import Amount, Draws, Exercise, SingleChoice, between, cell_counts, pick
from engine.models.network import Network
from engine.words import in_percent, shown_difference, with_sign

_HOSPITALS = (("North", "South"), ("Hill", "Valley"), ("City", "Coast"), ("East", "West"))
_MIXES = (("severity", "mild", "severe"), ("stage", "early", "late"), ("frailty", "fit", "frail"))
_LEAST = 0.06
"""The smallest gap that is asked about."""


def draw_case_mix(generator: np.random.Generator) -> Exercise:
    """Two hospitals whose gap in deaths comes for the larger part with sicker patients.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    first, second = pick(generator, _HOSPITALS)
    mix, mild, severe = pick(generator, _MIXES)
    n = 20 * int(generator.integers(30, 60))
    cells = draws.until(lambda: _deaths(generator, n), _is_clear)
    sizes, died = cells.sum(axis=2), cells[:, :, 1]
    total, share, rates = died.sum(axis=0) / sizes.sum(axis=0), sizes[1] / sizes.sum(axis=0), died / sizes
    patients, own = _split(cells)
    gap = float(total[1] - total[0])
    values = {"first": first, "second": second, "mix": mix, "mild": mild, "severe": severe}
    for h, tag in enumerate(("a", "b")):
        values |= {
            f"n_{tag}": f"{sizes[:, h].sum():,}",
            f"died_{tag}": f"{died[:, h].sum():,}",
            f"n_severe_{tag}": f"{sizes[1, h]:,}",
            f"severe_{tag}": in_percent(share[h], 1),
            f"rate_severe_{tag}": in_percent(rates[1, h], 1),
            f"rate_mild_{tag}": in_percent(rates[0, h], 1),
        }
    values |= {
        "gap": with_sign(100 * gap, 1),
        "more_severe": with_sign(shown_difference(share[1], share[0], 1), 1),
        "apart": f"{shown_difference(rates[1].mean(), rates[0].mean(), 1):.1f}",
        "patients": with_sign(100 * patients, 1),
        "own": with_sign(100 * own, 1),
        "mean_severe": in_percent(rates[1].mean(), 1),
        "mean_mild": in_percent(rates[0].mean(), 1),
    }
    arcs = [("hospital", mix), (mix, "death"), ("hospital", "death")]
    said = f"hospital points at {mix} and death; {mix} at death."
    names = (first, second)
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "reason": SingleChoice("open"),
            "mix": Amount(100 * float(share[1]), 4, "%"),
            "patients": Amount(100 * patients, 2, "points", 1),
            "larger": SingleChoice("patients" if patients > own else "hospital"),
            "path": SingleChoice("direct"),
            "outside": SingleChoice("yes"),
        },
        {
            "totals": bars_drawing(
                {"Died, all patients": count_bars(names, cells.sum(axis=0))},
                f"Died: {first} {in_percent(total[0])}, {second} {in_percent(total[1])}.",
            ),
            "mixes": bars_drawing(
                {f"Share of {severe} patients": count_bars(names, sizes.T)},
                f"{second} has more {severe} patients than {first}.",
            ),
            "strata": bars_drawing(
                {f"Died, {level}": count_bars(names, cells[s]) for s, level in enumerate((mild, severe))},
                f"Died by {mix}, in both hospitals.",
            ),
            "network": network_drawing(arcs, said),
            "direct": network_drawing(arcs, said, opened=[arcs[2]]),
        },
    )


def _deaths(generator: np.random.Generator, n: int) -> np.ndarray:
    """(2 strata, 2 hospitals, 2 outcomes) patients drawn from the network hospital -> mix -> death <- hospital."""
    severe = [between(generator, 0.15, 0.3), between(generator, 0.5, 0.7)]
    mild, more, own = between(generator, 0.03, 0.07), between(generator, 0.25, 0.4), between(generator, 0.02, 0.05)
    rates = [mild, mild + own, mild + more, mild + more + own]
    network = Network(
        ("hospital", "mix", "died"),
        (("first", "second"), ("mild", "severe"), ("no", "yes")),
        ((), (0,), (1, 0)),
        (np.array([[0.5, 0.5]]), np.array([[1 - s, s] for s in severe]), np.array([[1 - r, r] for r in rates])),
    )
    return cell_counts(network.sample(2 * n, generator), ("mix", "hospital", "died"))


def _split(cells: np.ndarray) -> tuple[float, float]:
    """Split the gap into what comes with the mix and what with the hospitals (Kitagawa 1955)."""
    sizes = cells.sum(axis=2)
    mix, rates = sizes / sizes.sum(axis=0), cells[:, :, 1] / sizes
    patients = (mix[:, 1] - mix[:, 0]) @ rates.mean(axis=1)
    return float(patients), float((rates[:, 1] - rates[:, 0]) @ mix.mean(axis=1))


def _is_clear(cells: np.ndarray) -> bool:
    """True where the gap is large, comes mostly with the mix, and leaves a part to the hospitals."""
    if cells.min() < 5:
        return False
    patients, own = _split(cells)
    return patients + own > _LEAST and patients > 2.5 * own > 0.025
