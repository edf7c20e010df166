"""Exercises on a network: questions made from it, with answers that are computed and checked, and why one is wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from typing import Literal

from engine.errors import DataError
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import cpdag
from engine.graphs.separation import d_separated, open_paths, paths, separating_set
from engine.lazy import nx
from engine.models.effects import holds_level
from engine.models.evidence import posteriors
from engine.models.network import Network
from engine.words import chance_in_percent, listed

Kind = Literal["separate", "open", "blanket", "turn", "explain away"]
MOST_PAIRS = 60
"""Pairs among which the best question is looked for."""
_LEAST = 0.02
"""Change of a probability that a question asks the direction of."""


@dataclass(frozen=True)
class NetworkQuestion:
    """A question about a network.

    Attributes
    ----------
    kind : what is asked
    text : of the question
    options : what can be chosen
    several : whether more than one option, or none, can be chosen
    about : the variables it is about
    """

    kind: Kind
    text: str
    options: tuple[str, ...]
    several: bool
    about: tuple[str, ...]


@dataclass(frozen=True)
class Feedback:
    """The judgement of a choice: right or not, and why."""

    right: bool
    reason: str


def make_questions(network: Network) -> list[NetworkQuestion]:
    """At most five questions, one of a kind, of those that this network can ask.

    Parameters
    ----------
    network : any discrete network

    Returns
    -------
    the questions, the easiest first

    Examples
    --------
    >>> network = engine.models.random_network(((), (0,), (1,)), [2, 2, 2], np.random.default_rng(0))
    >>> [question.kind for question in make_questions(network)]
    ['separate', 'turn', 'blanket']
    """
    questions = (make(network) for make, _ in _OF_KIND.values())
    return [question for question in questions if question is not None]


def check_answer(network: Network, question: NetworkQuestion, chosen: Collection[str]) -> Feedback:
    """Judge a choice, with the path, the variable or the probability that decides it.

    Parameters
    ----------
    network : the one that the question was made from
    question : from `make_questions`
    chosen : the options that were chosen

    Returns
    -------
    whether it is right, and why

    Examples
    --------
    >>> network = engine.models.random_network(((), (0,), (1,)), [2, 2, 2], np.random.default_rng(0))
    >>> check_answer(network, make_questions(network)[0], []).reason
    'X1 → X2 → X3 is open: its arrows run one way, and no variable on it is known.'
    """
    _, check = _OF_KIND[question.kind]
    return check(network, question, set(chosen))


def solve_question(network: Network, question: NetworkQuestion) -> tuple[str, ...]:
    """A right choice, the smallest where several are right.

    Parameters
    ----------
    network : the one that the question was made from
    question : from `make_questions`
    """
    most = len(question.options) if question.several else 1
    for size in range(0 if question.several else 1, most + 1):
        for chosen in combinations(question.options, size):
            if check_answer(network, question, chosen).right:
                return chosen
    raise RuntimeError("the question has no right answer")


def _graph(network: Network) -> nx.DiGraph:
    return to_networkx(network.parents, network.names)


def _apart(graph: nx.DiGraph) -> Iterator[tuple[str, str]]:
    """Pairs that no arrow joins."""
    for x, y in combinations(graph.nodes, 2):
        if not graph.has_edge(x, y) and not graph.has_edge(y, x):
            yield x, y


def _others(network: Network, *names: str) -> tuple[str, ...]:
    return tuple(name for name in network.names if name not in names)


# -- a set that separates ------------------------------------------------------------------------------------------


def _separate(network: Network) -> NetworkQuestion | None:
    """Of a pair that is associated without an arrow; one with a collider on another path is more of a question."""
    graph = _graph(network)
    associated = list(islice((pair for pair in _apart(graph) if not d_separated(graph, *pair)), MOST_PAIRS))
    if not associated:
        return None

    def trap(pair: tuple[str, str]) -> tuple[int, ...]:
        ways = paths(graph, *pair, most=4)
        return min(len(separating_set(graph, *pair) or ()), 2), min(len(ways), 4), min(len(ways[0].nodes), 4)

    x, y = max(associated, key=trap)
    return NetworkQuestion("separate", f"find a set that separates {x} and {y}", _others(network, x, y), True, (x, y))


def _check_separate(network: Network, question: NetworkQuestion, chosen: set[str]) -> Feedback:
    graph, (x, y) = _graph(network), question.about
    left = open_paths(graph, x, y, chosen, most=1)
    if left:
        return Feedback(False, left[0].describe(chosen))
    return Feedback(True, f"Given {listed(sorted(chosen))}, every path between {x} and {y} is blocked.")


# -- find a variable that opens ------------------------------------------------------------------------------------


def _open(network: Network) -> NetworkQuestion | None:
    graph = _graph(network)
    for x, y in _apart(graph):
        if d_separated(graph, x, y):
            others = _others(network, x, y)
            opening = [name for name in others if not d_separated(graph, x, y, [name])]
            if opening and len(opening) < len(others):
                text = f"{x} and {y} are independent: find a variable that makes them associated once it is known"
                return NetworkQuestion("open", text, others, False, (x, y))
    return None


def _check_open(network: Network, question: NetworkQuestion, chosen: set[str]) -> Feedback:
    graph, (x, y) = _graph(network), question.about
    opened = open_paths(graph, x, y, chosen, most=1)
    if opened:
        return Feedback(True, opened[0].describe(chosen))
    blocked = paths(graph, x, y, most=1)
    return Feedback(False, blocked[0].describe(chosen) if blocked else f"No path joins {x} and {y}.")


# -- the direction of a change -------------------------------------------------------------------------------------

DIRECTIONS = ("rises", "falls", "stays the same")


def _explain_away(network: Network) -> NetworkQuestion | None:
    """Two causes of one effect that is known: what does the other cause do to the one?"""
    graph = _graph(network)
    for effect in network.names:
        for x, y in permutations(graph.predecessors(effect), 2):
            if d_separated(graph, x, y) and _shift(network, x, y, effect) > _LEAST:
                ends = [f"{name} = {holds_level(network, name)}" for name in (x, y, effect)]
                text = f"{ends[2]} is known; when {ends[1]} becomes known too, what does P({ends[0]}) do?"
                return NetworkQuestion("explain away", text, DIRECTIONS, False, (x, y, effect))
    return None


def _numbers(network: Network, x: str, y: str, effect: str) -> tuple[float, float]:
    code = network.levels[network.names.index(x)].index(holds_level(network, x))
    known = {effect: holds_level(network, effect)}
    both = {**known, y: holds_level(network, y)}
    return float(posteriors(network, known)[x][code]), float(posteriors(network, both)[x][code])


def _shift(network: Network, x: str, y: str, effect: str) -> float:
    """Size of the change; none where it cannot happen."""
    try:
        before, after = _numbers(network, x, y, effect)
    except DataError:
        return 0.0
    return abs(after - before)


def _check_explain_away(network: Network, question: NetworkQuestion, chosen: set[str]) -> Feedback:
    x, y, effect = question.about
    before, after = _numbers(network, x, y, effect)
    way = DIRECTIONS[0] if after > before else DIRECTIONS[1]
    (path,) = open_paths(_graph(network), x, y, [effect], most=1)
    numbers = f"It {way} from {chance_in_percent(before)} to {chance_in_percent(after)}"
    return Feedback(chosen == {way}, f"{numbers}: {path.reason([effect])}")


# -- arrows that may turn ------------------------------------------------------------------------------------------


def _turn(network: Network) -> NetworkQuestion | None:
    graph = _graph(network)
    arrows = tuple(f"{source} → {target}" for source, target in graph.edges)
    text = "choose every arrow that may turn without changing which variables are independent"
    return NetworkQuestion("turn", text, arrows, True, ()) if 2 <= len(arrows) <= 40 else None


def _check_turn(network: Network, question: NetworkQuestion, chosen: set[str]) -> Feedback:
    graph = _graph(network)
    pattern = cpdag(graph)
    free = {f"{a} → {b}" for a, b in graph.edges if pattern.has_edge(b, a)}
    for arrow in sorted(chosen - free):
        return Feedback(False, f"{arrow} may not turn: every network with the same independences has it so.")
    for arrow in sorted(free - chosen):
        return Feedback(
            False, f"{len(free & chosen)} of {len(free)} are right; one more begins at {arrow.split(' → ')[0]}."
        )
    return Feedback(True, f"{len(free)} of {len(question.options)} arrows may turn.")


# -- the Markov blanket --------------------------------------------------------------------------------------------


def _blanket(network: Network) -> NetworkQuestion | None:
    graph = _graph(network)
    sizes = dict(nx.moral_graph(graph).degree)
    fitting = [name for name, size in sizes.items() if 0 < size < len(network.names) - 1]
    if not fitting:
        return None
    x = max(fitting, key=lambda name: (min(sizes[name], 4), graph.out_degree(name)))
    text = f"find the smallest set that separates {x} from all other variables"
    return NetworkQuestion("blanket", text, _others(network, x), True, (x,))


def _check_blanket(network: Network, question: NetworkQuestion, chosen: set[str]) -> Feedback:
    graph, (x,) = _graph(network), question.about
    for y in _others(network, x, *chosen):
        left = open_paths(graph, x, y, chosen, most=1)
        if left:
            return Feedback(False, left[0].describe(chosen))
    spare = sorted(chosen - set(nx.moral_graph(graph).neighbors(x)))
    if spare:
        return Feedback(False, f"It separates, but {spare[0]} can be left out.")
    return Feedback(True, f"Its Markov blanket: parents, children, and the children's other parents of {x}.")


Maker = Callable[[Network], NetworkQuestion | None]
Check = Callable[[Network, NetworkQuestion, set[str]], Feedback]
_OF_KIND: Mapping[Kind, tuple[Maker, Check]] = {
    "separate": (_separate, _check_separate),
    "open": (_open, _check_open),
    "explain away": (_explain_away, _check_explain_away),
    "turn": (_turn, _check_turn),
    "blanket": (_blanket, _check_blanket),
}
"""Kind, in the order in which a class meets them -> what makes its question, and what judges an answer."""
KINDS: tuple[Kind, ...] = tuple(_OF_KIND)
