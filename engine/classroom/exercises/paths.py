"""Exercises on paths in networks: a collider, explaining away, and arrows that data cannot show."""

from __future__ import annotations

from itertools import product

import numpy as np

from engine.classroom.drawings import Arc, Bar, bars_drawing, network_drawing
from engine.classroom.exercise import (
    Amount,
    Exercise,
    MultipleChoice,
    SingleChoice,
    between,
    cell_counts,
    draw_until,
    is_linked,
    pick,
)
from engine.models.network import Network, random_network
from engine.words import in_percent, with_sign

YES_NO = ("no", "yes")
ROWS = 4000
"""Patients of a drawn table."""
CLEAR = 0.05
"""A difference of shares that a question can be about."""

_SELECTIONS = (
    ("fracture", "infection", "admission", "long stay"),
    ("diabetes", "asthma", "clinic visit", "blood test"),
    ("back pain", "anxiety", "sick leave", "review"),
)


def _noisy_or(first: float, second: float, leak: float) -> np.ndarray:
    """(4, 2) probabilities of an effect that each cause brings about by itself."""
    none = [(1 - leak) * (1 - first * a) * (1 - second * b) for a, b in product((0, 1), repeat=2)]
    return np.array([[miss, 1 - miss] for miss in none])


def _two_causes(
    names: tuple[str, str, str, str], shares: tuple[float, float], effect: np.ndarray, after: np.ndarray
) -> Network:
    """Two causes that have nothing to do with each other, their effect, and what the effect leads to."""
    tables = (*(np.array([[1 - share, share]]) for share in shares), effect, after)
    return Network(names, (YES_NO,) * 4, ((), (), (0, 1), (2,)), tables)


def draw_collider(generator: np.random.Generator) -> Exercise:
    """Two causes of an admission: not linked in the population, linked among the admitted.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    names = pick(generator, _SELECTIONS)
    x, y, effect, after = names
    shares = between(generator, 0.15, 0.3), between(generator, 0.2, 0.35)
    table = _noisy_or(between(generator, 0.5, 0.7), between(generator, 0.5, 0.7), 0.05)
    network = _two_causes(names, shares, table, np.array([[0.9, 0.1], [0.25, 0.75]]))

    def admitted() -> np.ndarray:
        return cell_counts(network.sample(ROWS, generator), (effect, x, y))[1]

    counts = draw_until(lambda: admitted(), lambda cells: _gap(cells) > CLEAR)
    rates = counts[:, 1] / counts.sum(axis=1)
    in_all = [float(network.query(y, {x: level})[1]) for level in YES_NO]
    below = [float(network.query(y, {x: level, after: "yes"})[1]) for level in YES_NO]
    arcs = [(x, effect), (y, effect), (effect, after)]
    path = [(x, effect), (y, effect)]
    fork = [(effect, x), (effect, y)]
    forked = random_network(((), (0,), (0,)), [2, 2, 2], generator)
    large, opens = _large_network(generator, names)
    values = {
        "x": x, "y": y, "effect": effect, "after": after,
        "share_y": in_percent(shares[1]),
        "share_y_given_x": in_percent(in_all[1]),
        "without_x": f"{counts[0].sum():,}", "without_x_y": f"{counts[0, 1]:,}",
        "with_x": f"{counts[1].sum():,}", "with_x_y": f"{counts[1, 1]:,}",
        "rate_without": in_percent(rates[0]), "rate_with": in_percent(rates[1]),
        "gap": with_sign(100 * (rates[1] - rates[0])),
        "openers": ", ".join(opens),
        "paths": "; ".join(f"{x} → {effect}{_chain(large, effect, name)} ← {y}" for name in opens),
        "below_with": in_percent(below[1]), "below_without": in_percent(below[0]),
    }  # fmt: skip
    return Exercise(
        values,
        {
            "everybody": Amount(100 * in_all[1], 2, "%"),
            "admitted": SingleChoice("less" if rates[1] < rates[0] else "more"),
            "count": Amount(100 * float(rates[0]), 3, "%"),
            "descendant": SingleChoice("yes" if is_linked(network, x, y, [after]) else "no"),
            "fork": SingleChoice("opens" if is_linked(forked, "X2", "X3", ["X1"]) else "blocks"),
            "openers": MultipleChoice(tuple(sorted({name for arc in large for name in arc} - {x, y})), tuple(opens)),
        },
        {
            "blocked": network_drawing(arcs, f"{x} and {y} both point at {effect}; blocked there.", blocked=path),
            "opened": network_drawing(
                arcs, f"{x} and {y} both point at {effect}, which is known: open.", opened=path, known={effect: "yes"}
            ),
            "below": network_drawing(
                arcs, f"Only {after}, an effect of {effect}, is known.", opened=path, known={after: "yes"}
            ),
            "rates": bars_drawing(
                {
                    f"{y}, among the admitted": [
                        Bar(f"{x}: {level}", float(rate), f"{cell[1]:,} of {cell.sum():,}", side)
                        for side, (level, rate, cell) in enumerate(zip(YES_NO, rates, counts, strict=True))
                    ]
                },
                f"{y} among the admitted, without and with {x}.",
            ),
            "fork": network_drawing(
                fork, f"{effect} points at {x} and at {y}; blocked.", blocked=fork, known={effect: "yes"}
            ),
            "large": network_drawing(large, "The larger network.", names=(x, y)),
        },
    )


def _gap(cells: np.ndarray) -> float:
    """By how much a cause is rarer where the other one is there; below 0 where a count is too small."""
    if cells.min() < 10:
        return -1.0
    rates = cells[:, 1] / cells.sum(axis=1)
    return float(rates[0] - rates[1])


def _large_network(generator: np.random.Generator, names: tuple[str, ...]) -> tuple[list[Arc], list[str]]:
    """The collider with four variables hung on it, and those that open the path when they alone are known."""
    x, y, effect, after = names
    arcs = [(x, effect), (y, effect)]
    hung = [after, "A", "B", "C"]
    for name in hung:
        there = list(dict.fromkeys(end for arc in arcs for end in arc))
        other = effect if name == after else pick(generator, tuple(there))
        above = name != after and other in (x, y) and generator.random() < 0.5
        arcs.append((name, other) if above else (other, name))
    every = list(dict.fromkeys(end for arc in arcs for end in arc))
    parents = tuple(tuple(sorted(every.index(a) for a, b in arcs if b == name)) for name in every)
    drawn = random_network(parents, [2] * len(every), generator)
    called = dict(zip(every, drawn.names, strict=True))
    return arcs, [name for name in sorted({effect, *hung}) if is_linked(drawn, called[x], called[y], [called[name]])]


def _chain(arcs: list[Arc], start: str, end: str) -> str:
    """How a variable hangs below another, as ' (→ a → b)'; "" for the same."""
    chain = [end]
    while chain[0] != start:
        chain.insert(0, next(source for source, target in arcs if target == chain[0]))
    return f" (→ {' → '.join(chain[1:])})" if len(chain) > 1 else ""
