"""Exercises on causes: a common cause that is held, a collider that is not, and answers that are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.classroom.drawings import Arc, bars_drawing, count_bars, network_drawing
from engine.classroom.exercise import (
    Amount,
    Drawing,
    Draws,
    Exercise,
    MultipleChoice,
    SingleChoice,
    between,
    cell_counts,
    pick,
)
from engine.graphs.adjustment import adjustment_sets, check_adjustment
from engine.graphs.separation import paths
from engine.lazy import nx
from engine.models.intervention import intervene
from engine.models.network import Network
from engine.words import in_percent, listed, shown_difference, with_sign

YES_NO = ("no", "yes")
ROWS = 4_000
"""Rows of a drawn table."""


def _network(names: Sequence[str], arcs: Sequence[Arc], rates: Mapping[str, Sequence[float]]) -> Network:
    """Yes and no for all; P(yes) for each row of a table, the parents in the order of the names."""
    families = tuple(tuple(i for i, name in enumerate(names) if (name, child) in arcs) for child in names)
    tables = tuple(np.array([[1 - p, p] for p in rates[name]]) for name in names)
    return Network(tuple(names), (YES_NO,) * len(names), families, tables)


def _rates(counts: np.ndarray) -> np.ndarray:
    """Shares of the second level, along the last axis."""
    shares: np.ndarray = counts[..., 1] / counts.sum(axis=-1)
    return shares


def _bars(title: str, labels: tuple[str, str], counts: np.ndarray) -> Drawing:
    return bars_drawing({title: count_bars(labels, counts)}, f"{title}: {labels[0]} and {labels[1]}.")


def draw_adjustment(generator: np.random.Generator) -> Exercise:
    """A treatment that the severe cases get: it looks useless, and helps.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    x, y, z = pick(
        generator, (("drug", "recovery", "severe"), ("surgery", "cure", "old"), ("rehab", "discharge", "frail"))
    )
    arcs = [(z, x), (z, y), (x, y)]

    def table() -> tuple[Network, np.ndarray]:
        low, gain, worse = between(generator, 0.55, 0.7), between(generator, 0.1, 0.18), between(generator, 0.3, 0.4)
        treated = between(generator, 0.15, 0.25), between(generator, 0.65, 0.8)
        y_rates = [low, low - worse, low + gain, low + gain - worse]  # parents in the order of the names: x, z
        rates = {x: treated, y: y_rates, z: [between(generator, 0.35, 0.5)]}
        network = _network((x, y, z), arcs, rates)
        return network, cell_counts(network.sample(ROWS, generator), (z, x, y))

    network, cells = draws.until(table, lambda drawn: _is_confounded(drawn[1]))
    plain, inside = _rates(cells.sum(axis=0)), _rates(cells)
    share = cells.sum(axis=(1, 2)) / cells.sum()
    held = share @ inside
    graph = nx.DiGraph([*arcs, ("A", z), ("A", x), (x, "B"), ("B", y), (y, "C")])
    (needed,) = adjustment_sets(graph, x, y)
    graph.add_edges_from([("D", x), ("D", "E"), ("E", y)])
    enough = adjustment_sets(graph, x, y, among={z, "A", "B", "C", "E"})[0]
    options = tuple(sorted({z, "A", "B", "C", "E"}))
    (back,) = (path for path in paths(nx.DiGraph(arcs), x, y) if not path.forward[0])
    values = {
        "x": x, "y": y, "z": z, "gap": with_sign(shown_difference(plain[1], plain[0])),
        "n_with": f"{cells[:, 1].sum():,}", "k_with": f"{cells[:, 1, 1].sum():,}", "with": in_percent(plain[1]),
        "n_without": f"{cells[:, 0].sum():,}", "k_without": f"{cells[:, 0, 1].sum():,}",
        "without": in_percent(plain[0]), "back": back.describe(), "blocked": back.describe([z]),
        "z_treated": in_percent(cells[1, 1].sum() / cells[:, 1].sum()), "z_all": in_percent(share[1]),
        "rate_mild": in_percent(inside[0, 1]), "rate_z": in_percent(inside[1, 1]),
        "held": in_percent(held[1]), "held_without": in_percent(held[0]),
        "effect": with_sign(shown_difference(held[1], held[0])), "enough": listed(sorted(map(str, enough))),
        "done": in_percent(intervene(network, {x: "yes"}).query(y)[1]), "needed": listed(sorted(map(str, needed))),
    }  # fmt: skip
    labels = (f"without {x}", f"with {x}")
    said = f"{z} points at {x} and {y}; {x} at {y}."
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "seen": Amount(100 * float(plain[1]), 3, "%"),
            "path": SingleChoice("back"),
            "set": SingleChoice("all"),
            "held": Amount(100 * float(held[1]), 3, "%"),
            "enough": MultipleChoice(options, tuple(sorted(map(str, enough)))),
        },
        {
            "network": network_drawing(arcs, said),
            "seen": _bars(f"{y.capitalize()}, all", labels, cells.sum(axis=0)),
            "back": network_drawing(arcs, back.describe(), opened=[(z, x), (z, y)]),
            "cut": network_drawing(arcs[1:], f"No arrow leads into {x}.", names=(z, x, y)),
            "held": bars_drawing(
                {f"{y.capitalize()}, {z}: {word}": count_bars(labels, cells[k]) for k, word in enumerate(YES_NO)},
                f"{y.capitalize()} without and with {x}, by {z}.",
            ),
            "large": network_drawing(graph.edges, "The larger network."),
        },
    )


def _is_confounded(cells: np.ndarray) -> bool:
    """True where who is treated fares worse over all and better in both parts."""
    plain, inside = _rates(cells.sum(axis=0)), _rates(cells)
    return bool(plain[0] - plain[1] > 0.04 and (inside[:, 1] - inside[:, 0]).min() > 0.06 and cells.min() > 50)


def draw_bad_control(generator: np.random.Generator) -> Exercise:
    """A treatment without an effect, which seems to have one among those who came back.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    x, y, c = pick(
        generator, (("training", "pain", "check-up"), ("massage", "asthma", "visit"), ("vaccine", "cough", "test"))
    )
    arcs = [(x, c), (y, c)]

    def table() -> np.ndarray:
        low, first, second = (
            between(generator, 0.05, 0.15),
            between(generator, 0.4, 0.55),
            between(generator, 0.4, 0.55),
        )
        back = [low, low + second, low + first, 1 - (1 - low) * (1 - first) * (1 - second)]
        rates = {x: [between(generator, 0.4, 0.6)], y: [between(generator, 0.25, 0.45)], c: back}
        return cell_counts(_network((x, y, c), arcs, rates).sample(ROWS, generator), (c, x, y))

    cells = draws.until(table, _is_opened)
    plain, inside = _rates(cells.sum(axis=0)), _rates(cells[1])
    m_shape = nx.DiGraph([("A", c), ("A", x), ("B", c), ("B", y)])
    (way,) = paths(m_shape, x, y)
    larger = nx.DiGraph([("A", x), ("A", y), (x, "B"), ("B", y), (x, c), (y, c), (c, "D"), ("E", y)])
    harmful = [name for name in sorted(set(larger) - {x, y}) if not check_adjustment(larger, x, y, ["A", name]).works]
    (collided,) = paths(nx.DiGraph(arcs), x, y)
    labels = (f"without {x}", f"with {x}")
    values = {
        "x": x, "y": y, "c": c, "n_with": f"{cells[:, 1].sum():,}", "k_with": f"{cells[:, 1, 1].sum():,}",
        "n_without": f"{cells[:, 0].sum():,}", "k_without": f"{cells[:, 0, 1].sum():,}",
        "with": in_percent(plain[1]), "without": in_percent(plain[0]),
        "n_in": f"{cells[1, 1].sum():,}", "k_in": f"{cells[1, 1, 1].sum():,}", "in_with": in_percent(inside[1]),
        "in_without": in_percent(inside[0]), "gap": with_sign(shown_difference(inside[1], inside[0])),
        "opened": collided.describe([c]), "way": way.describe(), "way_held": way.describe([c]),
        "harmful": listed(harmful),
        "why": " ".join(check_adjustment(larger, x, y, ["A", name]).reasons(["A", name])[0] for name in harmful),
    }  # fmt: skip
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "all": Amount(100 * float(plain[1]), 3, "%"),
            "held": SingleChoice("less" if inside[1] < inside[0] else "more"),
            "count": Amount(100 * float(inside[1]), 3, "%"),
            "before": SingleChoice("no" if check_adjustment(m_shape, x, y, []).works else "yes"),
            "harmful": MultipleChoice(tuple(sorted(set(larger) - {x, y})), tuple(harmful)),
        },
        {
            "network": network_drawing(arcs, f"{x} and {y} both point at {c}.", blocked=arcs),
            "opened": network_drawing(arcs, collided.describe([c]), opened=arcs, known={c: "yes"}),
            "all": _bars(f"{y.capitalize()}, everybody", labels, cells.sum(axis=0)),
            "held": _bars(f"{y.capitalize()}, with a {c}", labels, cells[1]),
            "before": network_drawing(m_shape.edges, way.describe()),
            "large": network_drawing(larger.edges, "The larger network."),
        },
    )


def _is_opened(cells: np.ndarray) -> bool:
    """True where there is no difference over all and a clear one among those with the effect."""
    plain, inside = _rates(cells.sum(axis=0)), _rates(cells[1])
    return bool(abs(plain[1] - plain[0]) < 0.015 and inside[0] - inside[1] > 0.08)


def draw_missing(generator: np.random.Generator) -> Exercise:
    """A question that not all answer: by lot, by age, or by what they would say.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    y = pick(generator, ("smoking", "debt", "insomnia", "drinking"))
    names = ("old", y, "answer")

    def tables() -> tuple[np.ndarray, ...]:
        share, young, old = between(generator, 0.4, 0.6), between(generator, 0.45, 0.6), between(generator, 0.1, 0.25)
        base, more = between(generator, 0.3, 0.45), between(generator, 0.8, 0.95)
        answers = {"lot": [0.6], "age": [base, more], "own": [more, base]}
        into: dict[str, list[Arc]] = {"lot": [], "age": [("old", "answer")], "own": [(y, "answer")]}
        return tuple(
            cell_counts(
                _network(
                    names, [("old", y), *into[kind]], {"old": [share], y: [young, old], "answer": answers[kind]}
                ).sample(ROWS, generator),
                ("answer", "old", y),
            )
            for kind in answers
        )

    lot, age, own = draws.until(tables, _is_biased)
    truth = [float(_rates(cells.sum(axis=(0, 1)))) for cells in (lot, age, own)]
    said = [float(_rates(cells[1].sum(axis=0))) for cells in (lot, age, own)]
    fixed = [float(_shares(cells) @ _rates(cells[1])) for cells in (lot, age, own)]
    inside, share = _rates(age[1]), _shares(age)
    arcs = [("old", y), ("old", "answer")]
    (way,) = paths(nx.DiGraph(arcs), y, "answer")
    values = {
        "y": y, "n": f"{ROWS:,}", "n_lot": f"{lot[1].sum():,}", "k_lot": f"{lot[1, :, 1].sum():,}",
        "said_lot": in_percent(said[0]),
        "said_age": in_percent(said[1]), "truth_age": in_percent(truth[1]), "fixed_age": in_percent(fixed[1]),
        "young": in_percent(inside[0]), "old": in_percent(inside[1]), "share_old": in_percent(share[1]),
        "old_said": in_percent(age[1, 1].sum() / age[1].sum()),
        "open": way.describe(), "blocked": way.describe(["old"]),
        "said_own": in_percent(said[2]), "truth_own": in_percent(truth[2]), "fixed_own": in_percent(fixed[2]),
    }  # fmt: skip
    labels = ("all", "who answered")
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "lot": Amount(100 * said[0], 3, "%"),
            "age": SingleChoice("low" if said[1] < truth[1] else "high"),
            "fixed": Amount(100 * fixed[1], 3, "%"),
            "own": SingleChoice("no" if abs(fixed[2] - truth[2]) > 0.03 else "yes"),
            "told": SingleChoice("none"),
        },
        {
            "lot": network_drawing([("old", y)], "No arrow leads to the answer.", names=("old", y, "answer")),
            "age": network_drawing(arcs, way.describe(), opened=arcs),
            "held": network_drawing(arcs, way.describe(["old"]), blocked=arcs, known={"old": "yes"}),
            "own": network_drawing([("old", y), (y, "answer")], "The answer itself decides.", opened=[(y, "answer")]),
            "mixes": _bars("Old", labels, np.array([age.sum(axis=(0, 2)), age[1].sum(axis=1)])),
            "shares_own": _bars(y.capitalize(), labels, np.array([own.sum(axis=(0, 1)), own[1].sum(axis=0)])),
        },
    )


def _shares(cells: np.ndarray) -> np.ndarray:
    """(2,) shares of the young and the old among all, whether they answered or not."""
    shares: np.ndarray = cells.sum(axis=(0, 2)) / cells.sum()
    return shares


def _is_biased(tables: tuple[np.ndarray, ...]) -> bool:
    """True where answers are right by lot, wrong by age and right again with it held, and wrong by themselves."""
    truth = [float(_rates(t.sum(axis=(0, 1)))) for t in tables]
    said = [float(_rates(t[1].sum(axis=0))) for t in tables]
    fixed = [float(_shares(t) @ _rates(t[1])) for t in tables]
    return (
        abs(said[0] - truth[0]) < 0.01
        and abs(said[1] - truth[1]) > 0.05
        and abs(fixed[1] - truth[1]) < 0.015
        and abs(fixed[2] - truth[2]) > 0.08
    )
