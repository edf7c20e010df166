"""The compiled walk against the readable one: the same moves, the same gains, the same draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine.counting.backend import prepare_compiled
from engine.counting.walk_state import ADD, REMOVE, REVERSE
from engine.scores.structure_prior import with_structure_prior
from engine.search import walks
from engine.search.constraints import Constraints
from engine.search.hill_climbing import hill_climbing
from engine.search.thick_thinning import thick_thinning
from engine.search.walks import CompiledWalk, ReadableWalk
from tests.engine.make import random_data
from tests.engine.search.made_up import BoundMadeUp, MadeUp

pytest.importorskip("numba", reason="there is no compiler")

SCORES = [engine.K2(), engine.BDeu(1.0), engine.BDeu(7.5), engine.BDe(0.5)]


@pytest.fixture(autouse=True, scope="module")
def compiler() -> None:
    """Small searches too are compiled here."""
    prepare_compiled()


@st.composite
def drawn_knowledge(draw: st.DrawFn, p: int) -> Constraints:
    """Arcs that are forbidden, required ones along an order, tiers, a limit; they agree with each other."""
    names = [f"v{i}" for i in range(p)]
    order = draw(st.permutations(range(p)))
    forward = [(order[i], order[j]) for i in range(p) for j in range(i + 1, p)]
    required = draw(st.lists(st.sampled_from(forward), max_size=2, unique=True)) if forward else []
    others = [(x, y) for x in range(p) for y in range(p) if x != y and (x, y) not in required]
    forbidden = draw(st.lists(st.sampled_from(others), max_size=2 * p, unique=True)) if others else []
    tiers = None
    if draw(st.booleans()) and p > 1:
        cut = draw(st.integers(1, p - 1))
        tiers = [[names[i] for i in order[:cut]], [names[i] for i in order[cut:]]]
    return engine.Knowledge(
        forbidden=[(names[x], names[y]) for x, y in forbidden],
        required=[(names[x], names[y]) for x, y in required],
        tiers=tiers,
        max_parents=draw(st.none() | st.integers(2, 4)),
    ).constraints(names)


@st.composite
def drawn_problems(draw: st.DrawFn) -> tuple[Any, Constraints]:
    """A score with its data, and knowledge; few rows and many levels, so that tables are sparse too."""
    seed, p = draw(st.integers(0, 10_000)), draw(st.integers(1, 9))
    constraints = draw(drawn_knowledge(p))
    if draw(st.integers(0, 3)) == 0:
        figures = MadeUp(seed, most=draw(st.integers(0, 4)), rounding=1e-12, cost=draw(st.integers(0, 1)))
        return BoundMadeUp(figures, tuple(f"v{i}" for i in range(p))), constraints
    generator = np.random.default_rng(seed)
    arities = generator.integers(1, draw(st.sampled_from([3, 5, 12])), p) + (p > 1)
    rows = draw(st.sampled_from([1, 20, 63, 200, 900]))
    codes = generator.integers(0, arities[:, None], (p, rows))
    for child in range(1, p):  # every other variable mostly repeats one before it
        if child % 2:
            same = generator.random(rows) < 0.8
            codes[child, same] = codes[child - 1, same] % arities[child]
    data = engine.Dataset.from_codes(codes, arities.tolist(), [f"v{i}" for i in range(p)])
    bound: Any = draw(st.sampled_from(SCORES)).bind(data)
    return (with_structure_prior(bound, 1.5) if draw(st.integers(0, 3)) == 0 else bound), constraints


@pytest.fixture(params=["at once", "little by little"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Kernels that go on, or that come back after every step."""
    if request.param == "little by little":
        monkeypatch.setattr("engine.search.walks._BUDGET", 1)
    return str(request.param)


def readably(search: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a search finds in the readable way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walks, "ClimbingScore", ())
        return search(*arguments, **options)


SAME = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@SAME
@given(drawn_problems(), st.sampled_from([0, 1, 3, 10]), st.integers(0, 2), st.integers(0, 99))
def test_hill_climbing_is_the_same_compiled(
    way: str, problem: tuple[Any, Constraints], tabu: int, restarts: int, seed: int
) -> None:
    """Records, rest, ties, knowledge, shaking."""
    options = {"tabu": tabu, "restarts": restarts, "seed": seed}
    expected = readably(hill_climbing, *problem, **options)
    assert hill_climbing(*problem, **options) == expected


@SAME
@given(drawn_problems())
def test_thick_thinning_is_the_same_compiled(way: str, problem: tuple[Any, Constraints]) -> None:
    """Additions that nobody may ask for any more are left out, and nothing else changes."""
    assert thick_thinning(*problem) == readably(thick_thinning, *problem)


def walks_of(problem: tuple[Any, Constraints], tabu: int = 0) -> tuple[ReadableWalk, CompiledWalk | None]:
    """Both ways, at their beginning; None where the climber does not serve."""
    score, constraints = problem
    fast = walks.walk(score, constraints, None, lambda *_: None, tabu)
    slow = ReadableWalk(score, constraints, None, lambda *_: None, tabu)
    return slow, fast if isinstance(fast, CompiledWalk) else None


def assert_same_table(slow: ReadableWalk, fast: CompiledWalk) -> None:
    """Every score, every gain and every path."""
    table, own = slow.table, fast._state
    close = {"rtol": 1e-9, "atol": 1e-8}
    assert fast.key() == slow.key()
    np.testing.assert_allclose(own.local, table.local, **close)
    np.testing.assert_allclose(own.add, table.add, **close)
    np.testing.assert_allclose(own.best, table.best_addition, **close)
    for child in range(len(table.local)):
        group = own.parents[child, : own.sizes[child]]
        np.testing.assert_allclose(own.drop[child, : len(group)], table.remove[child, group], **close)
    below = np.unpackbits(own.below.view(np.uint8), axis=1, count=len(table.local), bitorder="little")
    np.testing.assert_array_equal(below.astype(bool), table.above.T)
    assert fast.tolerance == pytest.approx(slow.tolerance)


@SAME
@given(drawn_problems(), st.integers(0, 10_000))
def test_every_gain_is_the_same_after_any_moves(way: str, problem: tuple[Any, Constraints], seed: int) -> None:
    """Additions, removals and reversals drawn at random; then a return to an earlier DAG."""
    slow, fast = walks_of(problem)
    if fast is None:
        return
    assert_same_table(slow, fast)
    generator = np.random.default_rng(seed)
    begin = slow.key()
    for _ in range(6):
        what = int(generator.integers(2))
        state = generator.bit_generator.state
        move = slow.draw_move(what, generator)
        generator.bit_generator.state = state
        assert fast.draw_move(what, generator) == move
        if move is None:
            continue
        _, x, child = move
        turned = what == REMOVE and np.isfinite(slow.table.add[x, child]) and slow.table._reversible(x, child)
        for walk in (slow, fast):
            walk.apply((REVERSE, x, child) if turned else move)
        assert_same_table(slow, fast)
    for walk in (slow, fast):
        walk.restart(begin)
    assert_same_table(slow, fast)


def test_these_problems_ask_for_what_they_test() -> None:
    """Arcs are taken away and turned, and records broken late: in a table of this kind all moves happen."""
    data = random_data(300, 12, 20, seed=13)
    constraints = engine.Knowledge().constraints(data.names)
    slow, _ = walks_of((engine.BDeu(1.0).bind(data), constraints), tabu=10)
    made: list[int] = []
    apply = slow.table.apply
    slow.table.apply = lambda move: (made.append(move[0]), apply(move))[1]  # type: ignore[method-assign]
    slow.climb(lambda *_: None)
    assert {ADD, REMOVE, REVERSE} <= set(made)


@pytest.mark.parametrize("rows", [50, 5_000])
def test_a_score_of_ones_own_is_asked_the_two_questions(rows: int) -> None:
    """Below K2 with another pseudo-count the kernels know nothing; the walk asks the score."""

    class Half(engine.K2):
        def cell_prior(self, configurations: float, levels: int) -> float:
            return 0.5

    data = random_data(rows, 8, 12, seed=3)
    bound = Half().bind(data)
    assert bound.climbing_rows() is None
    constraints = engine.Knowledge().constraints(data.names)
    assert hill_climbing(bound, constraints) == readably(hill_climbing, bound, constraints)


def test_progress_is_told_and_stops_the_kernels() -> None:
    """Fractions rise from 0 to below 1 in words that say what is done; a callback that raises ends a climb."""
    data = random_data(400, 40, 60, seed=2)
    told: list[tuple[float, str]] = []
    engine.learn(data, engine.BDeu(1.0), search="hill_climbing", progress=lambda *one: told.append(one))
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions)
    assert fractions[0] == 0.0
    assert 0.5 < fractions[-1] <= 1.0
    assert told[0][1] == "scoring single links: variable 1 of 40"
    assert told[-1][1].startswith("changing links: ")

    def stop(fraction: float, words: str) -> None:
        if "changing" in words:
            raise engine.Cancelled

    with pytest.raises(engine.Cancelled):
        engine.learn(data, engine.BDeu(1.0), search="hill_climbing", progress=stop)


class Odd(MadeUp):
    """A made-up score that once answers with something that cannot be compared."""

    value = float("nan")

    def bind(self, data: engine.Dataset) -> BoundMadeUp:
        bound = super().bind(data)
        local = bound.local
        bound.local = lambda child, parents: self.value if child == 2 and len(parents) == 1 else local(child, parents)  # type: ignore[method-assign]
        return bound


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("search", ["hill_climbing", "thick_thinning", "ges"])
@pytest.mark.parametrize("readable", [False, True])
def test_a_score_that_is_no_number_is_refused(
    value: float, search: str, readable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence, in both ways: comparisons with NaN would go on with whatever comes first."""
    monkeypatch.setattr(Odd, "value", value)
    if readable:
        monkeypatch.setattr(walks, "ClimbingScore", ())
    with pytest.raises(engine.SettingsError, match="finite logarithm"):
        engine.learn(random_data(50, 4, 3, seed=1), Odd(1), search)
