"""A variable and a pair of others: the information of all of them at once, and which may be left uncounted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graphs.chordal import DecomposableGraph
from engine.graphs.dag import bits
from engine.methods.log_linear import counts as weights_module
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.search import JointMoves, Search
from tests.engine.methods.log_linear.every_move import EveryMove
from tests.engine.methods.log_linear.make import counter, exclusive_or, groups, named


def by_rows(counts: Counts, x: int, near: int, far: int, given: tuple[int, ...], weigh: np.ndarray) -> float:
    """w(S+x+y+z) + w(S) - w(S+x) - w(S+y+z) by a walk over the rows."""

    def w(*variables: int) -> float:
        cells = counter(counts.data, [counts.names[v] for v in variables])
        return sum(float(weigh[n]) for n in cells.values())

    return w(*given, x, near, far) + w(*given) - w(*given, x) - w(*given, near, far)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from(["mml", "bic"]), st.integers(10, 120), st.sampled_from([None, 3, 4]))
def test_what_cannot_pay_is_left_out_without_a_change(
    seed: int, criterion: str, rows: int, max_clique: int | None
) -> None:
    """With few rows many moves are ruled out; the steps and their margins are those of counting every one."""
    found = []
    for kind in (JointMoves, EveryMove):
        counts = Counts(groups(rows, 9, seed))
        search = Search(counts, CRITERIA[criterion](counts, 0.05), DecomposableGraph(9), (), max_clique)
        search.run(kind(search).take_best)
        found.append([(one.a, one.b, one.joint, one.margin) for one in search.steps])
    assert found[0] == found[1]


def test_most_moves_can_be_ruled_out_where_rows_are_few() -> None:
    """Twenty rows cannot repay the cells of three variables of six levels: nothing is counted."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 6, (8, 20))
    codes[1] = codes[0]
    counts = Counts(named(codes, [6] * 8))
    search = Search(counts, CRITERIA["mml"](counts, 0.05), DecomposableGraph(8, [(0, 1)]))
    assert not list(JointMoves(search).offers())
    assert len(list(EveryMove(search).offers())) == 1


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 200), st.booleans())
def test_the_bound_holds(seed: int, rows: int, entropies: bool) -> None:
    """No triple, given nothing or others, tells more than w() - w(x), nor than w() - w(y) + w() - w(z)."""
    counts = Counts(groups(rows, 6, seed))
    weigh = (weights_module.entropy_terms if entropies else weights_module.log_factorials)(rows)
    search = Search(counts, CRITERIA["bic" if entropies else "mml"](counts, 0.05), DecomposableGraph(6))
    most = JointMoves(search)._most
    order = np.random.default_rng(seed).permutation(6).tolist()
    for many in range(4):
        x, y, z, *given_variables = order[: 3 + many]
        told = by_rows(counts, x, y, z, tuple(given_variables), weigh)
        assert told >= -1e-8
        assert told <= min(most[x], most[y] + most[z]) + 1e-8


def test_the_bound_is_reached() -> None:
    """What y and z leave over when added tells all there is of x: no smaller bound would do."""
    counts = Counts(exclusive_or())
    search = Search(counts, CRITERIA["bic"](counts, 0.05), DecomposableGraph(3))
    told = by_rows(counts, 2, 0, 1, (), weights_module.entropy_terms(1000))
    assert told == pytest.approx(JointMoves(search)._most[2])


def test_inside_a_component_either_end_may_be_near() -> None:
    """One table serves both orders of an edge's ends: values are those of rows, whichever comes first."""
    counts = Counts(groups(400, 7, 11))
    graph = DecomposableGraph(7, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (5, 6)])
    search = Search(counts, CRITERIA["bic"](counts, 0.05), graph)
    moves = EveryMove(search)
    list(moves.offers())
    weigh = weights_module.entropy_terms(400)
    orders = set()
    for (x, near, far, separator), value in moves._inside.items():
        given_variables = tuple(bits(separator))
        slow = by_rows(counts, x, near, far, given_variables, weigh)
        q = int(np.prod(counts.arity[list(given_variables)]))
        degrees = (counts.arity[x] - 1) * (counts.arity[near] * counts.arity[far] - 1) * q
        assert value == pytest.approx(slow - np.log(400) / 2 * degrees, abs=1e-8)
        orders.add((separator > 0, near < far))
    assert len(orders) == 4 or orders == {(True, True), (True, False)}
