"""K2 and BDeu against gammaln on loops, published totals, a peer, and their invariances."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

import engine
from engine.counting.requests import addition_counts
from tests.engine.make import balance_scale, random_data


def slow_family(data: engine.Dataset, child: str, parents: list[str], ess: float | None) -> float:
    """Equation 3 by walking over the parent configurations that occur; K2 where `ess` is None."""
    x, r = data.column(child), len(data.levels[child])
    q = float(np.prod([len(data.levels[name]) for name in parents], dtype=float))
    alpha = 1.0 if ess is None else ess / (q * r)
    rows = list(zip(*(data.column(name) for name in parents), strict=True)) if parents else [()] * data.n_rows
    score = 0.0
    for configuration in set(rows):
        mask = np.array([row == configuration for row in rows])
        counts = np.bincount(x[mask], minlength=r)
        score += gammaln(alpha * r) - gammaln(alpha * r + counts.sum())
        score += sum(gammaln(alpha + n) - gammaln(alpha) for n in counts)
    return score


@settings(max_examples=30)
@given(st.integers(1, 300), st.integers(0, 1000), st.integers(0, 5), st.sampled_from([None, 0.1, 1.0, 10.0]))
def test_family_equals_the_slow_formula(rows: int, seed: int, k: int, ess: float | None) -> None:
    """Any family of any small table has the score of the formula written out."""
    data = random_data(rows, 7, 8, seed)
    score = engine.K2() if ess is None else engine.BDeu(ess)
    parents = list(data.names[1 : 1 + k])
    slow = slow_family(data, data.names[0], parents, ess)
    assert score.family(data, data.names[0], parents) == pytest.approx(slow, rel=1e-10, abs=1e-9)


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(1.0)])
@pytest.mark.parametrize("parents", [(), (2,), (2, 3), (2, 3, 4, 5, 6), tuple(range(2, 20))])
def test_additions_are_the_single_families(score: engine.K2 | engine.BDeu, parents: tuple[int, ...]) -> None:
    """One pass over all candidates scores each as `local` does, dense or sparse."""
    data = random_data(400, 22, 20, seed=5)
    bound = score.bind(data)
    scores = bound.additions(0, parents)
    for x in range(data.n_variables):
        if x == 0 or x in parents:
            assert scores[x] == -np.inf
        else:
            assert scores[x] == pytest.approx(bound.local(0, tuple(sorted((*parents, x)))), rel=1e-11)


def mixed(arities: list[int], rows: int, constant: int | None = None) -> engine.Dataset:
    """Rows without any pattern, of variables with these numbers of levels; one of them may be constant."""
    codes = np.random.default_rng(len(arities)).integers(0, np.array(arities)[:, None], (len(arities), rows))
    if constant is not None:
        codes[constant] = 0
    return engine.Dataset.from_codes(codes, arities, [f"x{i}" for i in range(len(arities))])


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(3.0)])
def test_additions_of_tables_too_sparse_to_store(score: engine.K2 | engine.BDeu) -> None:
    """Where a table of all cells would be mostly empty, only what occurs is counted, and the scores are the same."""
    data = mixed([40, 40, 50, 45, 60], 70)
    assert addition_counts(data, 0, (1,), np.array([2, 3, 4])) is None
    scores = score.bind(data).additions(0, (1,))
    for x in (2, 3, 4):
        assert scores[x] == pytest.approx(score.bind(data).local(0, (1, x)), rel=1e-12)
        assert scores[x] == pytest.approx(
            slow_family(data, "x0", ["x1", f"x{x}"], None if isinstance(score, engine.K2) else score.ess), rel=1e-10
        )


@pytest.mark.parametrize("constant", [None, 0, 3])
def test_additions_when_log_gammas_are_looked_up(constant: int | None) -> None:
    """Children with other numbers of levels have lookup tables of their own, and they reach the count of all rows."""
    data = mixed([2, 4, 1, 3, 5], 40, constant)
    bound = engine.K2().bind(data)
    for _ in range(40):
        for child in range(5):
            scores = bound.additions(child, ())
    looked_up = {levels for (_, levels), (_, cells, _) in bound._gammas.items() if len(cells)}
    assert looked_up == {1, 2, 3, 4, 5}
    for child in range(5):
        scores = bound.additions(child, ())
        for x in set(range(5)) - {child}:
            expected = slow_family(data, f"x{child}", [f"x{x}"], None)
            assert scores[x] == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_balance_scale_total() -> None:
    """The reference total of the published Java library for class -> each weight and distance."""
    data = balance_scale()
    graph = nx.DiGraph([("class", name) for name in data.names[1:]])
    scores = engine.log_score(data, graph, engine.K2())
    assert scores["class"] == pytest.approx(-576.987482, abs=1e-6)
    assert scores["left_weight"] == pytest.approx(-970.015116, abs=1e-6)
    assert scores.sum() == pytest.approx(-4457.047946, abs=1e-6)


def test_tiny_total() -> None:
    """The six-row reference of the published Java library, with and without its arc."""
    rows = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0]])
    data = engine.Dataset.from_codes(rows, [2, 2], ["a", "b"])
    assert engine.K2().family(data, "a", []) == pytest.approx(-4.941642, abs=1e-6)
    assert engine.K2().family(data, "b", ["a"]) == pytest.approx(-4.969813, abs=1e-6)
    assert engine.K2().family(data, "b", []) == pytest.approx(-4.941642, abs=1e-6)


def test_a_family_of_all_variables_has_no_additions() -> None:
    """With every variable a parent there is nothing to add, and nothing is read out of bounds."""
    data = random_data(50, 3, 2, seed=0)
    assert (engine.K2().bind(data).additions(0, (1, 2)) == -np.inf).all()
    copy = engine.Dataset.from_codes(np.vstack([data.codes[:1], data.codes[:1]]), [int(data.arity[0])] * 2, ["x", "y"])
    assert len(engine.learn(copy, max_parents=9).edges) == 1


def test_bdeu_families_equal_pgmpy() -> None:
    """A peer's BDeu gives the same local scores."""
    peer = pytest.importorskip("pgmpy.structure_score", reason="pgmpy is not installed")
    data = random_data(300, 6, 8, seed=9)
    theirs = peer.BDeu(data.to_frame().astype(str), equivalent_sample_size=3.0)
    ours = engine.BDeu(3.0)
    for child, parents in [("v00", []), ("v01", ["v02"]), ("v03", ["v00", "v05"])]:
        frame_levels = all(len(set(data.column(n))) == len(data.levels[n]) for n in [child, *parents])
        assert frame_levels, "the peer takes its levels from the rows"
        assert ours.family(data, child, parents) == pytest.approx(theirs.local_score(child, tuple(parents)), abs=1e-6)


def test_bdeu_is_score_equivalent_and_k2_is_not() -> None:
    """Turning a covered arc keeps BDeu's total; K2 tells the two DAGs apart."""
    data = random_data(500, 3, 3, seed=2, levels=(2, 4))
    one, two = nx.DiGraph(), nx.DiGraph()
    for graph, arc in ((one, ("v00", "v01")), (two, ("v01", "v00"))):
        graph.add_nodes_from(data.names)
        graph.add_edge(*arc)
    bdeu, k2 = engine.BDeu(2.0), engine.K2()
    assert engine.log_score(data, one, bdeu).sum() == pytest.approx(engine.log_score(data, two, bdeu).sum(), rel=1e-12)
    assert abs(engine.log_score(data, one, k2).sum() - engine.log_score(data, two, k2).sum()) > 1e-6


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_relabelling_levels_and_reordering_rows_changes_nothing(seed: int) -> None:
    """A family's score depends on neither the names and order of levels nor the order of rows."""
    rng = np.random.default_rng(seed)
    data = random_data(200, 5, 6, seed)
    codes = data.codes[:, rng.permutation(data.n_rows)].copy()
    for i, r in enumerate(data.arity):
        codes[i] = rng.permutation(int(r)).astype(codes.dtype)[codes[i]]
    other = engine.Dataset.from_codes(codes, [int(r) for r in data.arity], data.names)
    for score in (engine.K2(), engine.BDeu(1.0)):
        here = score.family(data, "v00", ["v01", "v02"])
        assert score.family(other, "v00", ["v02", "v01"]) == pytest.approx(here, rel=1e-12)


@pytest.mark.parametrize("ess", [0, -1, float("inf"), float("nan"), "one"])
def test_a_bad_sample_size_is_refused_by_name(ess: object) -> None:
    """The sentence names `ess` and what it must be."""
    with pytest.raises(engine.SettingsError, match=r"ess is .* above 0"):
        engine.BDeu(ess)  # type: ignore[arg-type]
