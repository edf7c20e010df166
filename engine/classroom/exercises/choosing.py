"""Exercises on choices that a model needs: where a number is cut, and how many parents a variable has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.classroom.drawings import Bar, bars_drawing, curve_drawing, network_drawing
from engine.classroom.exercise import Amount, Drawing, Draws, Exercise, SingleChoice, between, pick
from engine.counting.class_cuts import MOST_CELLS, log_evidence
from engine.data.dataset import Dataset
from engine.data.preparing.binning import interval_codes, quantile_cuts, width_cuts
from engine.lazy import special
from engine.models.network import posterior_mean
from engine.scores.dirichlet import BDeu
from engine.search.independence import ChiSquared
from engine.words import count, in_percent, listed, points, probability, shown_difference, with_sign

_MARKERS = (("troponin", "infarction"), ("lactate", "shock"), ("ferritin", "inflammation"), ("D-dimer", "embolism"))
SEARCHED_ROWS = 200
"""Patients of each table in which a cut point is looked for."""
HIGH = 0.85
"""Share of patients below the level from which on the marker matters."""
TRIED = 19
"""Cut points that are tried, at equal numbers of patients."""
TABLES = 100
"""Tables in which marker and outcome have nothing to do with each other."""


def draw_cut_points(generator: np.random.Generator) -> Exercise:
    """A skewed marker that matters only when it is high, cut in several ways.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    marker, outcome = pick(generator, _MARKERS)
    n, intervals = 20 * int(generator.integers(15, 31)), int(generator.integers(3, 6))
    low, high = between(generator, 0.08, 0.15), between(generator, 0.55, 0.75)
    spread = between(generator, 0.8, 1.0)

    def patients() -> tuple[np.ndarray, np.ndarray]:
        ranks = generator.random(n)
        values = np.round(np.exp(spread * special.ndtri(np.clip(ranks, 0.004, 0.996))) * 10, 1)
        return values, generator.random(n) < np.where(ranks > HIGH, high, low)

    values, ill = draws.until(patients, lambda drawn: _is_clear(*drawn, intervals))
    cuts = width_cuts(values, intervals)
    median, true = quantile_cuts(values, 2), (float(np.quantile(values, HIGH)),)
    halves, truly = _shares(values, ill, median), _shares(values, ill, true)
    parts = _shares(values, ill, (*median, *true))
    ranks = generator.random(n)
    ends = draws.until(lambda: _ill_at_ends(generator, ranks), lambda sick: _curves(ranks, sick))
    best, replicated, small = _best_cuts(generator)
    widths = np.bincount(interval_codes(values, cuts), minlength=intervals)
    counts = np.bincount(interval_codes(values, quantile_cuts(values, intervals)), minlength=intervals)
    gap_half, gap_true = (shown_difference(above[0], below[0]) for below, above in (halves, truly))
    text = {
        "marker": marker, "outcome": outcome, "patients": str(n), "intervals": str(intervals),
        "smallest": f"{values.min():g}", "largest": f"{values.max():g}",
        "width": f"{(values.max() - values.min()) / intervals:.3g}",
        "in_first": str(widths[0]), "in_last": str(widths[-1]), "each": str(n // intervals),
        "counts": ", ".join(map(str, counts)),
        "median": f"{median[0]:g}", "true_cut": f"{true[0]:.3g}", "high": in_percent(parts[2][0]),
        "gap_half": with_sign(gap_half), "gap_true": with_sign(gap_true),
        "above_half": in_percent(halves[1][0]), "n_upper": str(halves[1][2]), "k_upper": str(halves[1][1]),
        "n_high": str(parts[2][2]), "k_high": str(parts[2][1]), "n_mid": str(parts[1][2]), "k_mid": str(parts[1][1]),
        "tried": str(TRIED), "tables": str(TABLES), "small": str(small),
        "best": points(best), "again": points(replicated),
        "gain_two": with_sign(_gain(ranks, ends, 2), 1), "gain_three": with_sign(_gain(ranks, ends, 3), 1),
    }  # fmt: skip
    as_number, as_halves = _differs(ranks, ends, MOST_CELLS), _differs(ranks, ends, 2)
    text |= {"p_number": probability(as_number), "p_halves": probability(as_halves)}
    thirds = [_shares(ranks, ends, quantile_cuts(ranks, k)) for k in (2, 3)]
    return Exercise(
        tuple(draws.numbers),
        text,
        {
            "width": SingleChoice("most" if widths[0] > n / 2 else "quarter"),
            "count": Amount(n / intervals, round(0.02 * n), "patients"),
            "median": Amount(100 * halves[1][0], 4, "%"),
            "best": SingleChoice("more" if small > 2 * 0.05 * TABLES else "five"),
            "again": SingleChoice("smaller" if replicated < best else "same"),
            "number": SingleChoice("yes" if as_number > 0.5 else "no"),
            "ends": SingleChoice("no" if _gain(ranks, ends, 2) <= 0 else "yes"),
        },
        {
            "equal_width": _patient_bars("Patients, intervals of equal width", widths),
            "equal_count": _patient_bars("Patients, intervals of equal numbers", counts),
            "parts": _cut_bars({f"{outcome}, below the median, above it, and above {true[0]:.3g}": parts}),
            "both": _cut_bars({f"{outcome}, cut at the median": halves, f"{outcome}, cut at {true[0]:.3g}": truly}),
            "network": network_drawing([], "No link.", names=(marker, outcome)),
            "shrinks": bars_drawing(
                {
                    "Difference, mean of all tables": [
                        Bar("same patients", best, "chosen cut"),
                        Bar("new patients", replicated, "same cut"),
                    ]
                },
                "The difference is gone in new patients.",
            ),
            "two": _cut_bars({f"{outcome}, two intervals": thirds[0]}),
            "three": _cut_bars({f"{outcome}, two intervals": thirds[0], f"{outcome}, three intervals": thirds[1]}),
        },
    )  # fmt: skip


def _is_clear(values: np.ndarray, ill: np.ndarray, intervals: int) -> bool:
    """True where most patients are in the lowest interval of equal width, and the median cut shows too little."""
    lowest = int((interval_codes(values, width_cuts(values, intervals)) == 0).sum())
    rows = [_shares(values, ill, cuts) for cuts in (quantile_cuts(values, 2), (float(np.quantile(values, HIGH)),))]
    half, true = (above[0] - below[0] for below, above in rows)
    return lowest > 0.55 * len(values) and 0.05 < half < true - 0.15


def _shares(values: np.ndarray, ill: np.ndarray, cuts: Sequence[float]) -> list[tuple[float, int, int]]:
    """For each interval the share with the outcome, how many these are, and of how many."""
    codes = interval_codes(values, cuts)
    groups = [ill[codes == k] for k in range(len(cuts) + 1)]
    return [(float(group.mean()), int(group.sum()), len(group)) for group in groups]


def _ill_at_ends(generator: np.random.Generator, ranks: np.ndarray) -> np.ndarray:
    """(n,) whether a patient has the outcome, which is frequent at both ends of the marker."""
    return generator.random(len(ranks)) < np.where(np.abs(ranks - 0.5) > 1 / 3, 0.5, 0.12)


def _curves(ranks: np.ndarray, ill: np.ndarray) -> bool:
    """True where the halves are alike while three intervals show the link."""
    below, above = (share for share, _, _ in _shares(ranks, ill, quantile_cuts(ranks, 2)))
    return abs(above - below) < 0.05 and _gain(ranks, ill, 2) < -1 and _gain(ranks, ill, 3) > 3


def _gain(values: np.ndarray, ill: np.ndarray, intervals: int) -> float:
    """Gain of the BDeu score (nats) by a link between the cut marker and the outcome."""
    codes = interval_codes(values, quantile_cuts(values, intervals))
    levels = [[str(k) for k in range(intervals)], ["no", "yes"]]
    data = Dataset.from_codes(np.array([codes, ill.astype(np.int64)]), levels, ("marker", "outcome"))
    return float(BDeu().family(data, "outcome", ["marker"]) - BDeu().family(data, "outcome", []))


def _differs(values: np.ndarray, ill: np.ndarray, cells: int) -> float:
    """P(the marker differs between those with the outcome and those without), at even odds beforehand."""
    codes = interval_codes(values, quantile_cuts(values, cells))
    counts = np.stack([np.bincount(codes[ill == which], minlength=cells) for which in (False, True)], axis=1)
    return float(special.expit(log_evidence(counts)))


def _best_cuts(generator: np.random.Generator) -> tuple[float, float, int]:
    """Over tables without a link: mean difference at the cut with the smallest p, the same on new patients, p < .05."""
    data = Dataset.from_codes(np.zeros((2, 1), dtype=np.int64), [("no", "yes")] * 2, ("marker", "outcome"))
    test, n = ChiSquared(data), SEARCHED_ROWS
    cuts = (np.arange(1, TRIED + 1) * n) // (TRIED + 1)
    differences, replicated, small = [], [], 0
    for _ in range(TABLES):
        ill, new = generator.random((2, n)) < 0.3  # rows stand in the order of the marker
        tables = [np.array([[k - ill[:k].sum(), ill[:k].sum()], [n - k - ill[k:].sum(), ill[k:].sum()]]) for k in cuts]
        p = [test.p_value(table[None].astype(float)) for table in tables]
        best = int(cuts[int(np.argmin(p))])
        sign = np.sign(ill[best:].mean() - ill[:best].mean())
        differences.append(abs(ill[best:].mean() - ill[:best].mean()))
        replicated.append(sign * (new[best:].mean() - new[:best].mean()))
        small += min(p) < 0.05
    return float(np.mean(differences)), max(float(np.mean(replicated)), 0.0), small


def _patient_bars(title: str, counts: np.ndarray) -> Drawing:
    """Number of patients in each interval."""
    rows = [Bar(f"interval {k}", n / int(counts.sum()), str(n)) for k, n in enumerate(counts.tolist(), 1)]
    return bars_drawing({title: rows}, f"{title}: {', '.join(map(str, counts))}.")


def _cut_bars(panels: dict[str, list[tuple[float, int, int]]]) -> Drawing:
    """The share with the outcome in each interval of one or more ways to cut."""
    names = {2: ("low", "high"), 3: ("low", "middle", "high")}
    drawn = {
        title: [Bar(name, share, f"{k} of {n}") for name, (share, k, n) in zip(names[len(rows)], rows, strict=True)]
        for title, rows in panels.items()
    }
    return bars_drawing(drawn, "; ".join(panels))


PREDICTORS = 7
NEW = 4000
"""New patients."""
FEW = 60
"""Held-out patients that a model is chosen by."""
CANDIDATES = 20
_OUTCOMES = ("relapse", "readmission", "infection", "recovery")


def draw_held_out(generator: np.random.Generator) -> Exercise:
    """Models with more and more parents of an outcome, of which one to three matter, on training and on new patients.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    outcome = pick(generator, _OUTCOMES)
    names = tuple(f"X{k}" for k in range(1, PREDICTORS + 1))
    labels = [f"{k}" for k in range(PREDICTORS + 1)]
    true, training, several = (int(generator.integers(*ends)) for ends in ((1, 4), (5, 9), (3, 6)))
    training *= 20

    def losses() -> tuple[Dataset, list[float], list[float], list[float]]:
        rates = np.linspace(between(generator, 0.06, 0.12), between(generator, 0.88, 0.94), true + 1)
        train, new, large = (_table(generator, names, rates, n) for n in (training, NEW, 20 * training))
        own, unseen, more = (
            [_loss(source, data, k) for k in range(PREDICTORS + 1)]
            for source, data in ((train, train), (train, new), (large, new))
        )
        return train, own, unseen, more

    train, own, unseen, more = draws.until(losses, lambda drawn: _shows_overfitting(true, *drawn))
    scores = [BDeu().family(train, "outcome", list(names[:k])) for k in range(PREDICTORS + 1)]
    gains = [float(score - scores[0]) for score in scores]
    best, chosen = int(np.argmin(unseen)), int(np.argmax(scores))
    first, later = draws.until(lambda: _lucky(generator), lambda pair: pair[0] - pair[1] > 0.05)
    last = PREDICTORS
    values = {
        "outcome": outcome, "predictors": str(PREDICTORS), "training": str(training), "new": f"{NEW:,}",
        "cells": str(2**last), "several": str(several), "several_cells": str(2**several),
        "per_cell": f"{training / 2**several:.1f}", "own_first": f"{own[0]:.2f}", "own_last": f"{own[-1]:.2f}",
        "held_first": f"{unseen[0]:.2f}", "held_best": f"{unseen[best]:.2f}", "held_last": f"{unseen[-1]:.2f}",
        "best": count(best, "parent"), "few": str(FEW), "candidates": str(CANDIDATES), "lucky": in_percent(first),
        "later": in_percent(later), "more": f"{20 * training:,}", "more_last": f"{more[-1]:.2f}",
        "rows_per_cell": f"{training / 2**last:.1f}",
        "score_best": with_sign(gains[chosen], 1), "score_last": with_sign(gains[-1], 1),
        "chosen": str(chosen), "true": listed(names[:true]),
    }  # fmt: skip
    axis = "number of parents"
    curves = {"training (bits)": own, "new patients (bits)": unseen}
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "training": SingleChoice("falls" if own[-1] < own[0] and own[-1] < own[best] else "turns"),
            "held_out": SingleChoice("turns" if unseen[best] < unseen[0] and unseen[best] < unseen[-1] else "falls"),
            "cells": Amount(training / 2**several, 1, "patients"),
            "lucky": SingleChoice("lower" if later < first else "same"),
            "more": SingleChoice("falls" if more[-1] < unseen[-1] else "rises"),
            "score": Amount(chosen, 0, "parents"),
        },
        {
            "candidates": network_drawing([], "No link is known.", names=(outcome, *names)),
            "training": curve_drawing(labels, {"training (bits)": own}, axis, "Loss on training patients falls."),
            "scores": curve_drawing(
                labels, {"score over no parent (nats)": gains}, axis, "The score rises, then falls."
            ),
            "curves": curve_drawing(
                labels, curves, axis, "Loss on new patients falls, then rises.", lowest=True
            ),
            "more": curve_drawing(
                labels,
                {f"n = {20 * training:,} (bits)": more, f"n = {training} (bits)": unseen},
                axis,
                "Loss on new patients for two n.",
            ),
            "lucky": bars_drawing(
                {
                    "Accuracy of the chosen model": [
                        Bar(f"the {FEW} patients", first, "used to choose"),
                        Bar("new patients", later, "not used"),
                    ]
                },
                "The accuracy falls on new patients.",
            ),
        },
    )  # fmt: skip


def _table(generator: np.random.Generator, names: tuple[str, ...], rates: np.ndarray, n: int) -> Dataset:
    """Predictors at random, and an outcome that is the more probable the more of the first few are yes."""
    codes = (generator.random((len(names), n)) < 0.5).astype(np.int64)
    outcome = generator.random(n) < rates[codes[: len(rates) - 1].sum(axis=0)]
    levels = [("no", "yes")] * (len(names) + 1)
    return Dataset.from_codes(np.vstack([codes, outcome.astype(np.int64)]), levels, (*names, "outcome"))


def _loss(train: Dataset, data: Dataset, parents: int) -> float:
    """Mean log loss (bits) of the outcome given its first so many parents, with tables of the training rows."""
    table = posterior_mean(train, "outcome", data.names[:parents], 0.5).table
    return float(-np.log2(table[tuple(data.codes[[*range(parents), -1]].astype(np.int64))]).mean())


def _shows_overfitting(true: int, train: Dataset, own: list[float], unseen: list[float], more: list[float]) -> bool:
    """True where the true parents are clearly best on new patients and for the score, and all on the training rows."""
    others = [loss for k, loss in enumerate(unseen) if k != true]
    scores = [BDeu().family(train, "outcome", list(train.names[:k])) for k in range(PREDICTORS + 1)]
    second = max(score for k, score in enumerate(scores) if k != true)
    return (
        unseen[true] < min(others) - 0.01
        and unseen[-1] > unseen[true] + 0.1
        and all(np.diff(own) < 0)
        and scores[true] > second + 1
        and more[-1] < unseen[-1] - 0.1
    )


def _lucky(generator: np.random.Generator) -> tuple[float, float]:
    """Accuracy of the best of several models that know nothing, where it was chosen and on new patients."""
    guesses = generator.random((CANDIDATES, FEW + NEW)) < 0.5
    truth = generator.random(FEW + NEW) < 0.5
    right = guesses == truth
    best = int(np.argmax(right[:, :FEW].mean(axis=1)))
    return float(right[best, :FEW].mean()), float(right[best, FEW:].mean())
