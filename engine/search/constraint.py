"""The PC algorithm in its stable form: a network from tests of independence instead of a score.

Spirtes & Glymour 1991; order-independent as in Colombo & Maathuis 2014. From the complete graph, with l = 0, 1, ...,
an edge x - y goes where x and y are independent given some l of the variables that touched x, or touched y, when the
round of l began. Of all such sets of the round the one with the largest p-value is remembered (as in PC-max, Ramsey
2016), so that which test came first decides nothing.

Then every x - z - y with x and y apart, and z not in the set that separated them, claims x -> z <- y. **Where two
claims ask for opposite directions of an edge, neither of the two is heard at all**, so that which came first decides
nothing. Meek's rules direct the rest as far as they can; where claims that err leave them a choice, the variables that
come first have it.

Conservative orientation (Ramsey, Spirtes & Zhang 2006) asks more: of all sets of variables that touch x, or touch y, in
the skeleton, those are taken that separate x and y. z collides where none of them has it, does not where all have it,
and is ambiguous otherwise, or where there is no such set; no rule then rests on the three.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import check_choice, check_number
from engine.execution import Progress, silent
from engine.graphs.dag import bits, mask_of
from engine.graphs.pdag import Pdag, apply_meek
from engine.scores.local import BoundScore
from engine.search.constraints import Constraints
from engine.search.independence import FewRows, IndependenceTest, TestName, bound_test, check_test
from engine.search.problem import Problem, Structure
from engine.words import count

Orientation = Literal["separating_set", "conservative"]
ORIENTATIONS: tuple[Orientation, ...] = get_args(Orientation)
"""How colliders are found: by the set that separated two variables, or by all sets that do."""
_BLOCK = 4096
"""Sets of variables that a test is asked about at once."""


@dataclass(frozen=True)
class Skeleton:
    """Which variables touch, and what told the others apart.

    Attributes
    ----------
    adjacent : for each variable the bit set of those it touches
    separators : (x, y), x before y -> the bit set given which they are independent; not of pairs that may not touch
    """

    adjacent: tuple[int, ...]
    separators: dict[tuple[int, int], int] = field(default_factory=dict)


class Triples(NamedTuple):
    """Pairs of variables that are apart, with one that both touch between them: (x, z, y), x before y.

    Attributes
    ----------
    colliders : x -> z <- y is claimed
    ambiguous : the tests say both
    """

    colliders: list[tuple[int, int, int]]
    ambiguous: list[tuple[int, int, int]]


ObserveTest = Callable[[int, int, list[int]], None]
"""Called with two variables that were tested and what touches what after the verdict."""
ObserveDirection = Callable[[str, tuple[int, ...], Pdag], None]
"""Called before arcs are directed, or a claim is not heard, with the reason, its variables and the graph.

Reasons: "required" and "forbidden" (parent, child); "collider", "contradicted" and "against knowledge" (x, middle, y);
"rule 1" to "rule 4" of Meek (parent, child)."""


@dataclass(frozen=True)
class PC:
    """The PC-stable algorithm, as a value: it answers with a graph in which some edges have no direction.

    The answer is a CPDAG where the tests tell the truth. Tests that err can contradict each other, and then it may be
    the CPDAG of no DAG. Forbidden and required arcs, tiers and orders are kept; a largest number of parents is not,
    since the tests know of none. The score of the problem serves only the test "auto".

    Parameters
    ----------
    alpha : an edge goes where a p-value is above it, between 0 and 1
    test : "chi_squared" (Pearson's), "g_squared", "jonckheere" (ordered levels), "fisher_z" (codes as numbers, or the
        correlations of a Gaussian score), "kendall" (Fisher's z of sin(pi tau / 2): rank PC, Harris & Drton 2013),
        "copula" (Fisher's z of a Gaussian copula's posterior mean correlations: copula PC, Cui et al. 2016),
        "ordinal_regression" (two ordinal regressions: Tsagris et al. 2018), or "auto": Fisher's z with a Gaussian
        score, else chi-squared
    few : what becomes of tables with fewer than 10 rows for each degree of freedom: "tested" with the degrees of the
        levels that occur, or, of "g_squared" only, "independent" untested, and all others with all degrees (as pcalg)
    orientation : "separating_set", or "conservative": colliders by all sets that separate two variables, and no arrow
        where they disagree
    seed : of the draws of "copula"

    Raises
    ------
    SettingsError : alpha is no such number, there is no such test or orientation, few does not fit it, or the seed is
        no whole number from 0 up

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> sorted(engine.learn(data, search=engine.PC()).edges)  # an edge without a direction
    [('a', 'b'), ('b', 'a')]
    """

    alpha: float = 0.05
    test: TestName = "auto"
    few: FewRows = "tested"
    orientation: Orientation = "separating_set"
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("alpha", self.alpha, above=0, below=1)
        check_test(self.test, self.few)
        check_choice("orientation", self.orientation, ORIENTATIONS)
        check_number("seed", self.seed, least=0, whole=True)

    def find(self, problem: Problem) -> Structure:
        """The graph that the tests leave.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a class
        """
        test = self.bound_test(problem)
        result = skeleton(test, problem.allowed, self.alpha, problem.progress)
        return problem.cpdag(directed(result, problem.allowed, self.triples(test, result)))

    def triples(self, test: IndependenceTest, result: Skeleton) -> Triples:
        """The colliders that the tests speak for.

        Parameters
        ----------
        test : of independence, with its data
        result : which variables touch
        """
        if self.orientation == "conservative":
            return judged_triples(test, result, self.alpha)
        return separated_triples(result)

    def bound_test(self, problem: Problem) -> IndependenceTest:
        """The test with its rows, or with the correlations that the score has, variables in the order of priority.

        Parameters
        ----------
        problem : data, score and knowledge
        """
        return self._bound(problem.data.select(problem.data.names[i] for i in problem.order), problem.bound)

    def _bound(self, data: Dataset, score: BoundScore) -> IndependenceTest:
        """The test with its rows, or with the correlations that a score has."""
        return bound_test(self.test, data, score, self.few, self.seed)


def skeleton(
    test: IndependenceTest,
    constraints: Constraints,
    alpha: float = 0.05,
    progress: Progress = silent,
    most_tests: float = math.inf,
    observe: ObserveTest | None = None,
) -> Skeleton:
    """Which variables touch, by PC-stable.

    Parameters
    ----------
    test : of independence, with its data
    constraints : pairs that are forbidden both ways never touch, required arcs are never tested
    alpha : an edge goes where a p-value is above it
    progress : told how far it is
    most_tests : given two or more other variables, of one size; where a size needs more, no link is tested any further
    observe : called after each verdict

    Returns
    -------
    `Skeleton`
    """
    p = test.n_variables
    either = constraints.allowed | constraints.allowed.T
    adjacent = [mask_of(np.flatnonzero(row).tolist()) for row in either]
    required = [mask_of(group) for group in constraints.required]
    separators: dict[tuple[int, int], int] = {}
    size = 0
    while any(mask.bit_count() > size for mask in adjacent):
        if size > 1 and _count_tests(adjacent, size) > most_tests:
            break
        previous = adjacent.copy()
        for x in range(p):
            done = 1 - 0.5**size  # nobody knows how many sizes there will be: each is half of what is left
            progress(done, f"testing links given {count(size, 'other variable')}: variable {x + 1} of {p}")
            for y in bits(previous[x] & -(2 << x)):
                if required[x] >> y & 1 or required[y] >> x & 1:
                    continue
                likeliest, separator = _separated(test, x, y, size, previous)
                if likeliest > alpha:
                    separators[x, y] = mask_of(separator)
                    adjacent[x] &= ~(1 << y)
                    adjacent[y] &= ~(1 << x)
                if observe is not None:
                    observe(x, y, adjacent)
        size += 1
    return Skeleton(tuple(adjacent), separators)


def _count_tests(adjacent: list[int], size: int) -> int:
    """Count the sets of so many variables beside one of the two that stand to be tested, those beside both twice."""
    return sum(mask.bit_count() * math.comb(mask.bit_count() - 1, size) for mask in adjacent if mask)


def _separated(test: IndependenceTest, x: int, y: int, size: int, adjacent: list[int]) -> tuple[float, tuple[int, ...]]:
    """The largest p-value given any `size` variables that touch x, or touch y, and the first set that has it."""
    likeliest, separator = -1.0, ()
    for groups in _blocks(x, y, size, adjacent):
        values = test.p_values(x, y, groups)
        place = int(values.argmax())
        if values[place] > likeliest:
            likeliest, separator = float(values[place]), tuple(groups[place].tolist())
    return likeliest, separator


def _blocks(x: int, y: int, size: int, adjacent: list[int]) -> Iterator[np.ndarray]:
    """(m, size) sets of variables that touch x, then those among the ones that touch y that are not among them."""
    if not size:
        yield np.empty((1, 0), dtype=np.int64)
        return
    blocks = [adjacent[x] & ~(1 << y), adjacent[y] & ~(1 << x)]
    waiting: list[tuple[int, ...]] = []
    for which, mask in enumerate(blocks):
        for group in combinations(bits(mask), size):
            if which and not mask_of(group) & ~blocks[0]:
                continue
            waiting.append(group)
            if len(waiting) == _BLOCK:
                yield np.array(waiting, dtype=np.int64)
                waiting = []
    if waiting:
        yield np.array(waiting, dtype=np.int64)


def separated_triples(skeleton: Skeleton) -> Triples:
    """Colliders by the set that separated two variables: those that touch both and are not in it."""
    return Triples(
        [
            (x, middle, y)
            for (x, y), separator in sorted(skeleton.separators.items())
            for middle in bits(skeleton.adjacent[x] & skeleton.adjacent[y] & ~separator)
        ],
        [],
    )


def judged_triples(test: IndependenceTest, skeleton: Skeleton, alpha: float) -> Triples:
    """Colliders by all sets of variables that touch one of two, and separate them: in none of these sets.

    Parameters
    ----------
    test : of independence, with its data
    skeleton : what touches
    alpha : a set separates where the p-value is above it

    Returns
    -------
    `Triples`; ambiguous are those in some of the sets and not in others, and those of pairs that no set separates
    """
    result = Triples([], [])
    for x, y in sorted(skeleton.separators):
        middles = skeleton.adjacent[x] & skeleton.adjacent[y]
        if not middles:
            continue
        in_some, in_all = 0, -1
        for size in range(max(skeleton.adjacent[i].bit_count() for i in (x, y)) + 1):
            for groups in _blocks(x, y, size, list(skeleton.adjacent)):
                for group in groups[test.p_values(x, y, groups) > alpha].tolist():
                    in_some |= mask_of(group)
                    in_all &= mask_of(group)
        for middle in bits(middles):
            if in_all < 0 or (in_some & ~in_all) >> middle & 1:
                result.ambiguous.append((x, middle, y))
            elif not in_some >> middle & 1:
                result.colliders.append((x, middle, y))
    return result


def _unobserved(reason: str, variables: tuple[int, ...], graph: Pdag) -> None:
    """The observer of someone who does not watch."""


def directed(
    skeleton: Skeleton, constraints: Constraints, judged: Triples, observe: ObserveDirection = _unobserved
) -> Pdag:
    """The skeleton with the directions that the knowledge, the colliders and Meek's rules give.

    Knowledge goes first, and a claim against it is not heard. `observe` sees every direction before it is given.
    """
    p = len(skeleton.adjacent)
    graph = Pdag([0] * p, [0] * p, list(skeleton.adjacent))
    for child, group in enumerate(constraints.required):
        for parent in group:
            observe("required", (parent, child), graph)
            graph.direct(parent, child)
    for x in range(p):
        for y in bits(graph.neighbours[x]):
            if not constraints.allowed[x, y]:  # y may not be a parent of x
                observe("forbidden", (x, y), graph)
                graph.direct(x, y)
    triples = []
    for x, child, y in judged.colliders:
        if (graph.parents[x] | graph.parents[y]) >> child & 1:
            observe("against knowledge", (x, child, y), graph)
        else:
            triples.append((x, child, y))
    claimed = [0] * p  # per child the parents that are said to collide in it
    for x, child, y in triples:
        claimed[child] |= 1 << x | 1 << y
    for x, child, y in triples:
        if (claimed[x] | claimed[y]) >> child & 1:
            observe("contradicted", (x, child, y), graph)
            continue
        observe("collider", (x, child, y), graph)
        for parent in (x, y):
            if graph.neighbours[child] >> parent & 1:
                graph.direct(parent, child)
    ambiguous = {triple for x, middle, y in judged.ambiguous for triple in ((x, middle, y), (y, middle, x))}
    return apply_meek(graph, ambiguous, lambda rule, x, y, now: observe(f"rule {rule}", (x, y), now))
