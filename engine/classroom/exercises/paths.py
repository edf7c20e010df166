"""Exercises on paths in networks: a collider, explaining away, and arrows that data cannot show."""

from __future__ import annotations

from itertools import product

import numpy as np

from engine.classroom.drawings import Arc, Bar, bars_drawing, network_drawing
from engine.classroom.exercise import (
    Amount,
    Draws,
    Exercise,
    MultipleChoice,
    SingleChoice,
    between,
    cell_counts,
    options_in_words,
    pick,
)
from engine.graphs.pdag import compelled, cpdag, v_structures
from engine.graphs.separation import d_separated, paths
from engine.lazy import nx
from engine.models.network import Network
from engine.scores.dirichlet import BDeu
from engine.scores.local import log_score
from engine.simulation.networks import random_dag
from engine.words import count, in_percent, listed, shown_difference, with_minus, with_sign

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
    draws = Draws()
    names = pick(generator, _SELECTIONS)
    x, y, effect, after = names
    shares = between(generator, 0.15, 0.3), between(generator, 0.2, 0.35)
    table = _noisy_or(between(generator, 0.5, 0.7), between(generator, 0.5, 0.7), 0.05)
    network = _two_causes(names, shares, table, np.array([[0.9, 0.1], [0.25, 0.75]]))
    counts = draws.until(
        lambda: cell_counts(network.sample(ROWS, generator), (effect, x, y))[1], lambda cells: _gap(cells) > CLEAR
    )
    rates = counts[:, 1] / counts.sum(axis=1)
    share_given_x = float(network.query(y, {x: "yes"})[1])
    below = [float(network.query(y, {x: level, after: "yes"})[1]) for level in YES_NO]
    arcs = [(x, effect), (y, effect), (effect, after)]
    path, fork = [(x, effect), (y, effect)], [(effect, x), (effect, y)]
    graph, forked = nx.DiGraph(arcs), nx.DiGraph(fork)
    large = draws.until(lambda: nx.DiGraph(_larger(generator, names)), lambda drawn: 1 < len(_openers(drawn, x, y)) < 5)
    hung, opens = sorted(set(large) - {x, y}), _openers(large, x, y)
    (way,), (fork_way,), (large_way,) = paths(graph, x, y), paths(forked, x, y), paths(large, x, y)
    values = {
        "x": x, "y": y, "effect": effect, "after": after,
        "share_y": in_percent(shares[1]), "share_y_given_x": in_percent(share_given_x),
        "without_x": f"{counts[0].sum():,}", "without_x_y": f"{counts[0, 1]:,}",
        "with_x": f"{counts[1].sum():,}", "with_x_y": f"{counts[1, 1]:,}",
        "rate_without": in_percent(rates[0]), "rate_with": in_percent(rates[1]),
        "gap": with_sign(shown_difference(rates[1], rates[0])),
        "below_with": in_percent(below[1]), "below_without": in_percent(below[0]),
        "openers": listed(opens), "not_opening": options_in_words(name for name in hung if name not in opens),
        "path_blocked": way.describe(), "path_opened": way.describe([effect]), "path_below": way.describe([after]),
        "path_fork": fork_way.describe([effect]),
        "paths": " ".join(f"With {name} known: {large_way.reason([name])}" for name in opens), "path": str(large_way),
    }  # fmt: skip
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "everybody": Amount(100 * share_given_x, 2, "%"),
            "admitted": SingleChoice("less" if rates[1] < rates[0] else "more"),
            "count": Amount(100 * float(rates[0]), 3, "%"),
            "descendant": SingleChoice("no" if d_separated(graph, x, y, [after]) else "yes"),
            "fork": SingleChoice("blocks" if d_separated(forked, x, y, [effect]) else "opens"),
            "openers": MultipleChoice(tuple(hung), tuple(opens)),
        },
        {
            "alone": network_drawing(arcs, f"{x} and {y} both point at {effect}, and that at {after}."),
            "blocked": network_drawing(arcs, way.describe(), blocked=path),
            "opened": network_drawing(arcs, way.describe([effect]), opened=path, known={effect: "yes"}),
            "below": network_drawing(arcs, way.describe([after]), opened=path, known={after: "yes"}),
            "rates": bars_drawing(
                {
                    f"{y}, among those with {effect}": [
                        Bar(f"{x}: {level}", float(rate), f"{cell[1]:,} of {cell.sum():,}", side)
                        for side, (level, rate, cell) in enumerate(zip(YES_NO, rates, counts, strict=True))
                    ]
                },
                f"{y} among those with {effect}, without and with {x}.",
            ),
            "fork": network_drawing(fork, "Both arrows point out of the middle."),
            "fork_known": network_drawing(fork, fork_way.describe([effect]), blocked=fork, known={effect: "yes"}),
            "large": network_drawing(large.edges, "The larger network.", blocked=path),
        },
    )


def _gap(cells: np.ndarray) -> float:
    """By how much a cause is rarer where the other one is there; below 0 where a count is too small."""
    if cells.min() < 10:
        return -1.0
    rates = cells[:, 1] / cells.sum(axis=1)
    return float(rates[0] - rates[1])


def _openers(graph: nx.DiGraph, x: str, y: str) -> list[str]:
    """The variables that link two others when they alone are known."""
    return [name for name in sorted(set(graph) - {x, y}) if not d_separated(graph, x, y, [name])]


def _larger(generator: np.random.Generator, names: tuple[str, ...]) -> list[Arc]:
    """The collider with four variables hung on it; three of them anywhere."""
    x, y, effect, after = names
    arcs = [(x, effect), (y, effect), (effect, after)]
    for name in ("A", "B", "C"):
        other = pick(generator, tuple(dict.fromkeys(end for arc in arcs for end in arc)))
        above = other in (x, y) and generator.random() < 0.5
        arcs.append((name, other) if above else (other, name))
    return arcs


_CAUSES = (
    ("pneumonia", "heart failure", "breathlessness"),
    ("flu", "allergy", "runny nose"),
    ("kidney stone", "infection", "flank pain"),
    ("migraine", "dehydration", "headache"),
)
PATIENTS = 10_000
"""Patients whose expected counts the text names."""


def draw_explaining_away(generator: np.random.Generator) -> Exercise:
    """A finding with two possible causes: the second one, once known, makes the first improbable.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    names = pick(generator, _CAUSES)
    first, second, finding = names

    def network() -> Network:
        shares = between(generator, 0.06, 0.15), between(generator, 0.08, 0.2)
        effect = _noisy_or(between(generator, 0.7, 0.9), between(generator, 0.75, 0.95), between(generator, 0.02, 0.06))
        tables = (*(np.array([[1 - share, share]]) for share in shares), effect)
        return Network(names, (YES_NO,) * 3, ((), (), (0, 1)), tables)

    drawn = draws.until(network, _explains_away)
    prior, seen, explained, left = _beliefs(drawn)
    with_second = float(drawn.query(first, {second: "yes"})[1])
    graph = nx.DiGraph([(first, finding), (second, finding)])
    (way,) = paths(graph, first, second)
    joint = drawn.query(finding)[1], drawn.query(finding, {second: "yes"})[1] * drawn.query(second)[1]
    values = {
        "first": first, "second": second, "finding": finding, "patients": f"{PATIENTS:,}",
        "prior": in_percent(prior), "seen": in_percent(seen), "explained": in_percent(explained),
        "left": in_percent(left), "prior_second": in_percent(drawn.query(second)[1]),
        "n_finding": f"{PATIENTS * joint[0]:,.0f}", "n_both": f"{PATIENTS * joint[0] * seen:,.0f}",
        "n_explained": f"{PATIENTS * joint[1]:,.0f}", "n_all_three": f"{PATIENTS * joint[1] * explained:,.0f}",
        "path_open": way.describe([finding]), "path_blocked": way.describe(),
        "with_second": in_percent(with_second),
    }  # fmt: skip
    bars = {
        "nothing": ("nothing", prior), "finding": (finding, seen), "explained": (f"{finding}, {second}", explained),
        "left": (f"{finding}, no {second}", left),
    }  # fmt: skip
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "direction": SingleChoice("up" if seen > prior else "down"),
            "seen": Amount(100 * seen, 4, "%"),
            "second": SingleChoice("down" if explained < seen else "up"),
            "explained": Amount(100 * explained, 4, "%"),
            "left": SingleChoice("up" if left > seen else "down"),
            "unseen": SingleChoice("same" if d_separated(graph, first, second) else "down"),
        },
        {
            "network": network_drawing(graph.edges, f"{first} and {second} both point at {finding}."),
            "seen": network_drawing(graph.edges, f"{finding} is known.", known={finding: "yes"}),
            "open": network_drawing(
                graph.edges, way.describe([finding]), opened=graph.edges, known={finding: "yes", second: "yes"}
            ),
            "blocked": network_drawing(graph.edges, way.describe(), blocked=graph.edges, known={second: "yes"}),
            **{
                f"bars_{last}": bars_drawing(
                    {f"P({first}), given": [Bar(*bars[key], "") for key in list(bars)[: list(bars).index(last) + 1]]},
                    f"P({first}) given what is known.",
                )
                for last in ("finding", "explained", "left")
            },
        },
    )


def _beliefs(network: Network) -> tuple[float, float, float, float]:
    """P(first cause): of nobody's knowing, with the finding, with the second cause too, and with it excluded."""
    first, second, finding = network.names
    known: list[dict[str, str]] = [
        {}, {finding: "yes"}, {finding: "yes", second: "yes"}, {finding: "yes", second: "no"}
    ]  # fmt: skip
    prior, seen, explained, left = (float(network.query(first, given)[1]) for given in known)
    return prior, seen, explained, left


def _explains_away(network: Network) -> bool:
    """True where every change is large enough to be asked about."""
    prior, seen, explained, left = _beliefs(network)
    return seen > prior + 0.15 and explained < seen - 0.1 and left > seen + 0.1


LETTERS = ("A", "B", "C", "D", "E")
TABLE_ROWS = 500


def draw_equivalence(generator: np.random.Generator) -> Exercise:
    """A network of five variables: which of its arrows every equivalent network has, and how many of these there are.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()

    def network() -> nx.DiGraph:
        parents = random_dag(len(LETTERS), 5, generator)
        graph = nx.DiGraph((LETTERS[a], LETTERS[child]) for child, family in enumerate(parents) for a in family)
        graph.add_nodes_from(LETTERS)
        return graph

    graph = draws.until(network, _asks_enough)
    chain, back, collider = (
        nx.DiGraph(arcs) for arcs in ([("A", "B"), ("B", "C")], [("C", "B"), ("B", "A")], [("A", "B"), ("C", "B")])
    )
    strong = [np.array([[1 - p, p], [q, 1 - q]]) for p, q in [_flips(generator) for _ in range(2)]]
    truth = Network(("A", "B", "C"), (YES_NO,) * 3, ((), (0,), (1,)), (np.array([[0.5, 0.5]]), *strong))
    data = truth.sample(TABLE_ROWS, generator)
    scores = [float(log_score(data, each, BDeu()).sum()) for each in (chain, back, collider)]
    members = equivalent_dags(graph)
    fixed = sorted((str(a), str(b)) for a, b in compelled(graph))
    free = [arc for arc in graph.edges if arc not in fixed]
    meetings = sorted((str(a), str(middle), str(b)) for a, middle, b in v_structures(graph))
    middles = sorted({middle for _, middle, _ in meetings})
    (chain_way,), (collider_way,) = paths(chain, "A", "C"), paths(collider, "A", "C")
    values = {
        "rows": str(TABLE_ROWS),
        "score_chain": _score(scores[0]), "score_back": _score(scores[1]), "score_collider": _score(scores[2]),
        "lost": f"{round(scores[0], 1) - round(scores[2], 1):.1f}",
        "path_chain": chain_way.describe(["B"]), "path_collider": collider_way.describe(),
        "meets": "; ".join(f"{a} → {middle} ← {b}" for a, middle, b in meetings),
        "middles": listed(middles), "free": listed(_arrow(arc) for arc in free),
        "fixed": listed(_arrow(arc) for arc in fixed), "members": str(len(members)),
        "n_free": count(len(free), "arrow"), "combinations": str(2 ** len(free)),
    }  # fmt: skip
    meeting = [(end, middle) for a, middle, b in meetings for end in (a, b)]
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "back": SingleChoice("same" if set(cpdag(chain).edges) == set(cpdag(back).edges) else "different"),
            "score": SingleChoice("same" if abs(scores[0] - scores[1]) < SAME else "higher"),
            "collider": SingleChoice("lower" if scores[2] < scores[0] else "higher"),
            "middles": MultipleChoice(LETTERS, tuple(middles)),
            "free": MultipleChoice(tuple(map(_arrow, graph.edges)), tuple(map(_arrow, free))),
            "members": Amount(len(members), 0),
        },
        {
            "chain": network_drawing(chain.edges, "A → B → C"),
            "back": network_drawing(back.edges, "A ← B ← C"),
            "collider": network_drawing(collider.edges, "A → B ← C"),
            "whole": network_drawing(graph.edges, "The drawn network."),
            "meets": network_drawing(graph.edges, "Arrows that meet without a link are thick.", opened=meeting),
            "class": network_drawing(graph.edges, "Arrows that may turn have no head.", turned=free),
        },
    )


SAME = 1e-6
"""Scores that differ by less are equal."""


def _flips(generator: np.random.Generator) -> tuple[float, float]:
    """Share in which a variable differs from its parent, at both levels."""
    return between(generator, 0.1, 0.25), between(generator, 0.1, 0.25)


def _score(value: float) -> str:
    return with_minus(f"{value:,.1f}")


def _arrow(arc: Arc) -> str:
    return f"{arc[0]} → {arc[1]}"


def _asks_enough(graph: nx.DiGraph) -> bool:
    """True where there are arrows of both kinds, connected, and a class that can be counted by hand."""
    fixed = len(compelled(graph))
    return (
        nx.is_weakly_connected(graph)
        and 2 <= fixed <= graph.number_of_edges() - 1
        and bool(v_structures(graph))
        and 2 <= len(equivalent_dags(graph)) <= 6
    )


def equivalent_dags(graph: nx.DiGraph) -> list[nx.DiGraph]:
    """All networks with the same independences, by turning every arrow either way.

    Parameters
    ----------
    graph : a small DAG

    Returns
    -------
    the DAGs, itself among them

    Examples
    --------
    >>> len(equivalent_dags(nx.DiGraph([("A", "B"), ("B", "C")])))
    3
    """
    wanted = set(cpdag(graph).edges)
    fixed = compelled(graph)
    free = [arc for arc in graph.edges if arc not in fixed]
    result = []
    for turns in product((False, True), repeat=len(free)):
        other = nx.DiGraph([*fixed, *((b, a) if turn else (a, b) for (a, b), turn in zip(free, turns, strict=True))])
        other.add_nodes_from(graph.nodes)
        if nx.is_directed_acyclic_graph(other) and set(cpdag(other).edges) == wanted:
            result.append(other)
    return result
