"""Exercises on groups of patients: a total that reverses, and a link that holds for some of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.classroom.drawings import Bar, bars_drawing, network_drawing
from engine.classroom.exercise import Amount, Exercise, SingleChoice, between, cell_counts, draw_until, pick
from engine.graphs.dag import ancestors
from engine.measures.risk_difference import risk_difference
from engine.models.network import Network
from engine.words import in_percent, with_sign

_HOSPITALS = (("North", "South"), ("Hill", "Valley"), ("City", "Coast"), ("East", "West"))
_MIXES = (
    ("severity", "mild", "severe", "complication"),
    ("stage", "early", "late", "side effect"),
    ("frailty", "fit", "frail", "infection"),
)
SEVERE_SHARES = (0.12, 0.3, 0.6, 0.85)
"""Between which the shares of severe patients lie, in the second hospital and in the first."""
CLEAR = 0.04
"""A difference of shares that a question can be about."""


class _Counts(NamedTuple):
    """(2 strata, 2 hospitals, 2 outcomes) patients: mild before severe, died before recovered."""

    cells: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """(2 strata, 2 hospitals) recovered."""
        return np.asarray(self.cells[:, :, 1] / self.cells.sum(axis=2))

    @property
    def overall(self) -> np.ndarray:
        """(2 hospitals,) recovered of all."""
        whole = self.cells.sum(axis=0)
        return np.asarray(whole[:, 1] / whole.sum(axis=1))

    @property
    def severe(self) -> np.ndarray:
        """(2 hospitals,) share of severe patients."""
        sizes = self.cells.sum(axis=2)
        return np.asarray(sizes[1] / sizes.sum(axis=0))

    def reverses(self) -> bool:
        """Whether the first hospital is better in both strata, and worse overall, by a clear difference."""
        inside, outside = self.shares[:, 0] - self.shares[:, 1], self.overall[1] - self.overall[0]
        return bool((inside > CLEAR).all() and outside > CLEAR and self.cells.min() >= 5)


def draw_simpson(generator: np.random.Generator) -> Exercise:
    """Two hospitals: the one with more severe patients is better in each stratum and looks worse overall.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    first, second = pick(generator, _HOSPITALS)
    mix, mild, severe, later = pick(generator, _MIXES)
    n = 20 * int(generator.integers(20, 50))
    counts = draw_until(lambda: _patients(generator, n), _Counts.reverses)
    cells, shares, overall = counts.cells, counts.shares, counts.overall
    difference = float(risk_difference(cells[:, ::-1])[0][1])
    sizes = cells.sum(axis=2)
    names = (first, second)
    values = {"first": first, "second": second, "mix": mix, "mild": mild, "severe": severe, "later": later}
    for h, tag in enumerate(("a", "b")):
        values |= {
            f"n_{tag}": f"{sizes[:, h].sum():,}",
            f"recovered_{tag}": f"{cells[:, h, 1].sum():,}",
            f"overall_{tag}": in_percent(overall[h]),
            f"severe_{tag}": in_percent(counts.severe[h]),
            f"n_severe_{tag}": f"{sizes[1, h]:,}",
            f"severe_rate_{tag}": in_percent(shares[1, h]),
            f"mild_rate_{tag}": in_percent(shares[0, h]),
            f"recovered_severe_{tag}": f"{cells[1, h, 1]:,}",
        }
    values |= {
        "gap_mild": with_sign(100 * (shares[0, 0] - shares[0, 1])),
        "gap_severe": with_sign(100 * (shares[1, 0] - shares[1, 1])),
        "gap_overall": with_sign(100 * (overall[0] - overall[1])),
        "difference": with_sign(100 * difference),
    }
    before = [("hospital", "outcome"), (mix, "hospital"), (mix, "outcome")]
    after = [("hospital", "outcome"), ("hospital", later), (later, "outcome")]
    return Exercise(
        values,
        {
            "overall": SingleChoice("second" if overall[1] > overall[0] else "first"),
            "strata": SingleChoice("first" if shares[1, 0] > shares[1, 1] else "second"),
            "mix": Amount(100 * float(counts.severe[0]), 5, "%"),
            "path": SingleChoice("mix" if _comes_before(before, mix, "hospital") else "treatment"),
            "standardised": Amount(100 * difference, 4, "pp"),
            "later": SingleChoice("split" if _comes_before(after, later, "hospital") else "whole"),
        },
        {
            "totals": bars_drawing(
                {"Recovered, all patients": _bars(names, overall, cells.sum(axis=0))},
                f"Recovered: {first} {in_percent(overall[0])}, {second} {in_percent(overall[1])}.",
            ),
            "strata": bars_drawing(
                {
                    f"Recovered, {level}": _bars(names, shares[s], cells[s])
                    for s, level in enumerate((mild, severe))
                },
                f"Recovered by {mix}: {first} is ahead in both groups.",
            ),
            "mixes": bars_drawing(
                {f"Share of {severe} patients": _bars(names, counts.severe, np.stack([sizes[0], sizes[1]], axis=1))},
                f"{first} has more {severe} patients than {second}.",
            ),
            "before": network_drawing(
                before, f"{mix} points at hospital and outcome; hospital at outcome.",
                opened=[(mix, "hospital"), (mix, "outcome")],
            ),
            "after": network_drawing(after, f"hospital points at {later} and outcome; {later} at outcome."),
        },
    )  # fmt: skip


def _patients(generator: np.random.Generator, n: int) -> _Counts:
    """Counts of n patients of each hospital, drawn from a network: mix -> outcome <- hospital -> mix."""
    low, some, many, most = SEVERE_SHARES
    severe = [between(generator, many, most), between(generator, low, some)]
    mild_rate, drop, gain = between(generator, 0.7, 0.85), between(generator, 0.3, 0.45), between(generator, 0.06, 0.12)
    rates = [mild_rate + gain, mild_rate + gain - drop, mild_rate, mild_rate - drop]
    network = Network(
        ("hospital", "mix", "recovered"),
        (("first", "second"), ("mild", "severe"), ("no", "yes")),
        ((), (0,), (0, 1)),
        (np.array([[0.5, 0.5]]), np.array([[1 - s, s] for s in severe]), np.array([[1 - r, r] for r in rates])),
    )
    data = network.sample(2 * n, generator)
    return _Counts(cell_counts(data, ("mix", "hospital", "recovered")))


def _bars(names: tuple[str, str], shares: np.ndarray, counts: np.ndarray) -> list[Bar]:
    """A bar for each hospital, with the count behind it."""
    return [
        Bar(name, float(share), f"{count[1]:,} of {count.sum():,}", side)
        for side, (name, share, count) in enumerate(zip(names, shares, counts, strict=True))
    ]


def _comes_before(arcs: list[tuple[str, str]], variable: str, group: str) -> bool:
    """Whether a variable is a cause of the group, not an effect of it."""
    names = list(dict.fromkeys(name for arc in arcs for name in arc))
    parents = [[names.index(source) for source, target in arcs if target == name] for name in names]
    return bool(ancestors(parents)[names.index(group)] >> names.index(variable) & 1)
