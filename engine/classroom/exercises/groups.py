"""Exercises on groups of patients: a total that reverses, and a link that holds for some of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.classroom.drawings import bars_drawing, count_bars, network_drawing
from engine.classroom.exercise import Amount, Draws, Exercise, SingleChoice, between, cell_counts, pick
from engine.data.dataset import Dataset
from engine.graphs.dag import ancestors
from engine.measures.intervals import share_interval
from engine.measures.risk_difference import risk_difference
from engine.models.network import Network
from engine.scores.instance import instance_score
from engine.words import in_percent, shown_difference, with_sign

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
        """True where the first hospital is better in both strata, and worse overall, by a clear difference."""
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
    draws = Draws()
    first, second = pick(generator, _HOSPITALS)
    mix, mild, severe, later = pick(generator, _MIXES)
    n = 20 * int(generator.integers(20, 50))
    counts = draws.until(lambda: _patients(generator, n), _Counts.reverses)
    cells, shares, overall = counts.cells, counts.shares, counts.overall
    difference = float(risk_difference(cells[:, ::-1])[0][1])
    inside = shares[:, 0] - shares[:, 1]
    shown = [shown_difference(*pair) for pair in shares]
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
        "gap_mild": with_sign(shown[0]),
        "gap_severe": with_sign(shown[1]),
        "gap_overall": with_sign(shown_difference(*overall)),
        "difference": with_sign(float(np.clip(100 * difference, min(shown), max(shown)))),
    }
    before = [("hospital", "outcome"), (mix, "hospital"), (mix, "outcome")]
    after = [("hospital", "outcome"), ("hospital", later), (later, "outcome")]
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "overall": SingleChoice("second" if overall[1] > overall[0] else "first"),
            "strata": SingleChoice("first" if shares[1, 0] > shares[1, 1] else "second"),
            "mix": Amount(100 * float(counts.severe[0]), 5, "%"),
            "path": SingleChoice("mix" if _comes_before(before, mix, "hospital") else "treatment"),
            "standardised": SingleChoice("inside" if inside.min() <= difference <= inside.max() else "total"),
            "later": SingleChoice("split" if _comes_before(after, later, "hospital") else "whole"),
        },
        {
            "totals": bars_drawing(
                {"Recovered, all patients": count_bars(names, cells.sum(axis=0))},
                f"Recovered: {first} {in_percent(overall[0])}, {second} {in_percent(overall[1])}.",
            ),
            "strata": bars_drawing(
                {
                    f"Recovered, {level}": count_bars(names, cells[s])
                    for s, level in enumerate((mild, severe))
                },
                f"Recovered by {mix}: {first} is ahead in both groups.",
            ),
            "mixes": bars_drawing(
                {f"Share of {severe} patients": count_bars(names, sizes.T)},
                f"{first} has more {severe} patients than {second}.",
            ),
            "before": network_drawing(before, f"{mix} points at hospital and outcome; hospital at outcome."),
            "path": network_drawing(
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


def _comes_before(arcs: list[tuple[str, str]], variable: str, group: str) -> bool:
    """True where a variable is a cause of the group, not an effect of it."""
    names = list(dict.fromkeys(name for arc in arcs for name in arc))
    parents = [[names.index(source) for source, target in arcs if target == name] for name in names]
    return bool(ancestors(parents)[names.index(group)] >> names.index(variable) & 1)


_CONTEXTS = (
    ("bleeding", "anticoagulant", "age", ("younger", "older")),
    ("infection", "catheter", "diabetes", ("no", "yes")),
    ("rash", "steroid", "allergy", ("no", "yes")),
    ("cough", "ACE inhibitor", "smoking", ("no", "yes")),
)
PATIENTS = 600
ALIKE, APART = 0.04, 0.2
"""Differences of shares below and above which a context is clear."""


def draw_context(generator: np.random.Generator) -> Exercise:
    """A link that holds for the patients without a treatment, and for those with it does not.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    child, context, other, levels = pick(generator, _CONTEXTS)
    names = (context, other, child)

    def table() -> Dataset:
        low, same = between(generator, 0.08, 0.15), between(generator, 0.4, 0.6)
        rates = [low, low + between(generator, 0.3, 0.45), same, same]
        tables = (
            np.array([[0.7, 0.3]]), np.array([[0.5, 0.5]]), np.array([[1 - rate, rate] for rate in rates])
        )  # fmt: skip
        network = Network(names, (("no", "yes"), levels, ("no", "yes")), ((), (), (0, 1)), tables)
        return network.sample(PATIENTS, generator)

    data = draws.until(table, lambda drawn: _differs_by_context(drawn, names))
    cells = cell_counts(data, names)
    sizes, shares = cells.sum(axis=2), cells[:, :, 1] / cells.sum(axis=2)
    whole = cells.sum(axis=0)
    patients = [{context: level, other: levels[1]} for level in ("no", "yes")]
    gains = [_gain_of_link(data, patient, names) for patient in patients]
    pooled = int(sizes[1].sum())
    low, high = (
        np.asarray(end) for end in share_interval([cells[1, 1, 1], cells[1, :, 1].sum()], [sizes[1, 1], pooled])
    )
    gaps = {"without": _gap(cells[0]), "with": _gap(cells[1]), "all": _gap(whole)}
    values = {
        "child": child, "context": context, "other": other, "level": levels[1], "base": levels[0],
        "patients": str(PATIENTS), "share_base": in_percent(whole[0, 1] / whole[0].sum()),
        "share_level": in_percent(whole[1, 1] / whole[1].sum()),
        **{
            f"{name}_{tag}_{side}": text
            for c, tag in enumerate(("without", "with"))
            for o, side in enumerate(("base", "level"))
            for name, text in (
                ("n", str(sizes[c, o])), ("k", str(cells[c, o, 1])), ("p", in_percent(shares[c, o]))
            )
        },
        **{
            f"{name}_{tag}": with_sign(100 * number)
            for tag, gap in gaps.items()
            for name, number in zip(("low", "high"), gap[1:], strict=True)
        },
        "gain_without": with_sign(gains[0], 1), "gain_with": with_sign(gains[1], 1), "pooled": str(pooled),
        "narrow": f"{in_percent(low[1])} to {in_percent(high[1])}",
        "wide": f"{in_percent(low[0])} to {in_percent(high[0])}",
    }  # fmt: skip
    arcs, labels = [(context, child), (other, child)], [f"{other}: {level}" for level in levels]
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "everybody": SingleChoice("no" if _holds_zero(gaps["all"]) else "yes"),
            "inside": SingleChoice("no" if _holds_zero(gaps["with"]) else "yes"),
            "outside": SingleChoice("no" if _holds_zero(gaps["without"]) else "yes"),
            "score": SingleChoice("without" if gains[1] < 0 else "with"),
            "rows": Amount(pooled, 2, "patients"),
            "interval": SingleChoice("narrower" if high[1] - low[1] < high[0] - low[0] else "wider"),
        },
        {
            "whole": bars_drawing({f"{child}, all patients": count_bars(labels, whole)}, f"{child} by {other}."),
            "inside": bars_drawing(
                {f"{child}, with {context}": count_bars(labels, cells[1])}, f"{child} by {other}, with {context}."
            ),
            "contexts": bars_drawing(
                {
                    f"{child}, {word} {context}": count_bars(labels, cells[c])
                    for c, word in ((1, "with"), (0, "without"))
                },
                f"{child} by {other}, with and without {context}.",
            ),
            "population": network_drawing(arcs, f"{context} and {other} point at {child}."),
            "hers": network_drawing(
                arcs,
                f"For her, {other} does not reach {child}.",
                opened=[arcs[0]],
                blocked=[arcs[1]],
                known={context: "yes"},
            ),
            "pooled": bars_drawing(
                {
                    f"{child}, with {context}": count_bars(
                        [labels[1], "both levels"], [cells[1, 1], cells[1].sum(axis=0)]
                    )
                },
                "The share from rows of her level, and from both.",
            ),
        },
    )  # fmt: skip


def _gap(cells: np.ndarray) -> tuple[float, float, float]:
    """Difference of the shares at two levels, second minus first, with its 95 % interval."""
    effect, low, high = (float(part[1]) for part in risk_difference(cells[None]))
    return effect, low, high


def _holds_zero(gap: tuple[float, float, float]) -> bool:
    return gap[1] <= 0 <= gap[2]


def _differs_by_context(data: Dataset, names: tuple[str, str, str]) -> bool:
    """True where the link is clear without the treatment and absent with it, in the counts and by the score."""
    cells = cell_counts(data, names)
    shares = cells[:, :, 1] / cells.sum(axis=2)
    gaps = np.abs(shares[:, 1] - shares[:, 0])
    clear = not _holds_zero(_gap(cells[0])) and not _holds_zero(_gap(cells.sum(axis=0)))
    if not (clear and gaps[1] < ALIKE and gaps[0] > APART and cells.min() >= 5):
        return False
    context, other, _ = names
    levels = data.levels[other]
    without, with_it = (_gain_of_link(data, {context: c, other: levels[1]}, names) for c in ("no", "yes"))
    return without > 1 and with_it < -1


def _gain_of_link(data: Dataset, patient: dict[str, str], names: tuple[str, str, str]) -> float:
    """Gain (nats) of the patient's network by the link from the other variable."""
    context, other, child = names
    population = [context, other]
    with_link, without = (instance_score(data, patient, child, own, population) for own in (population, [context]))
    return with_link - without
