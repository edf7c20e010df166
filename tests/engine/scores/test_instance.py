"""The IS-Score against loops over rows that follow the words of the paper and of the union prior."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.counting import numba_kernels as compiled
from engine.scores.instance import UNKNOWN, InstanceScore, InstanceTables
from tests.engine.counting import slow_kernels as twins
from tests.engine.make import random_data


@pytest.fixture(params=["compiled", "twins"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the compiled kernels and again with the twins."""
    monkeypatch.setattr("engine.scores.instance.kernels", lambda: {"compiled": compiled, "twins": twins}[request.param])
    return request.param


def slow_row(counts: list[int], cells: list[float]) -> float:
    """Equation 6 or 7 for one row of parameters."""
    total, prior = sum(counts), sum(cells)
    if not total:
        return 0.0
    terms = [math.lgamma(a + n) - math.lgamma(a) for a, n in zip(cells, counts, strict=True) if n]
    return math.lgamma(prior) - math.lgamma(prior + total) + sum(terms)


def slow_instance_score(
    data: engine.Dataset,
    values: dict[int, int],
    child: int,
    own: tuple[int, ...],
    population: tuple[int, ...],
    ess: float,
    prior: str,
    empty: str,
) -> float:
    """Equation 9 by walking rows; the union prior by walking the joint configurations of both parent sets."""
    r = int(data.arity[child])
    rows = [data.codes[:, n].tolist() for n in range(data.n_rows)]
    if not own and empty == "population":
        prior, inside = "union", []  # plain BDeu of the population's family
        own_here: tuple[int, ...] | None = None
    else:
        own_here = own
        inside = [row for row in rows if all(row[x] == values[x] for x in own)]
    others = [row for row in rows if row not in inside]
    configurations = list(itertools.product(*[range(int(data.arity[x])) for x in population]))
    if prior == "paper":
        cell = ess / (r * (len(configurations) + 1))
        shared, kept = [cell] * r, {c: [cell] * r for c in configurations}
    else:
        union = sorted({*population, *(own_here or ())})
        joint = list(itertools.product(*[range(int(data.arity[x])) for x in union]))
        share = ess / (r * len(joint))
        shared, kept = [0.0] * r, {c: [0.0] * r for c in configurations}
        for one in joint:
            value = dict(zip(union, one, strict=True))
            if own_here is not None and all(value[x] == values[x] for x in own_here):
                shared = [a + share for a in shared]
            else:
                c = tuple(value[x] for x in population)
                kept[c] = [a + share for a in kept[c]]
    score = slow_row([sum(row[child] == k for row in inside) for k in range(r)], shared)
    for c in configurations:
        here = [row for row in others if tuple(row[x] for x in population) == c]
        score += slow_row([sum(row[child] == k for row in here) for k in range(r)], kept[c])
    return score


FAMILIES = [
    ((), ()),
    ((), (1,)),
    ((), (1, 2)),
    ((1,), ()),
    ((1,), (1,)),
    ((1,), (1, 2)),
    ((2,), (1,)),
    ((1, 3), (1, 2)),
    ((1, 2, 3), (1, 2)),
    ((3, 4), (1, 2)),
    ((1, 2), (1, 2, 3)),
]


@pytest.mark.parametrize("prior", ["union", "paper"])
@pytest.mark.parametrize("empty", ["population", "all_rows"])
@pytest.mark.parametrize(("own", "population"), FAMILIES)
def test_score_equals_a_walk_over_rows(
    either: str, own: tuple[int, ...], population: tuple[int, ...], prior: str, empty: str
) -> None:
    """Every kind of difference between Pa_IS and Pa_pop, both priors, both readings of an empty Pa_IS."""
    data = random_data(90, 6, 7, seed=5)
    for row, ess in ((0, 1.0), (7, 1.0), (31, 6.5)):
        values = {x: int(data.codes[x, row]) for x in range(6)}
        patient = {name: data.levels[name][values[x]] for x, name in enumerate(data.names)}
        names = [[data.names[x] for x in group] for group in (own, population)]
        found = engine.instance_score(data, patient, "v00", *names, ess=ess, prior=prior, empty=empty)
        slow = slow_instance_score(data, values, 0, own, population, ess, prior, empty)
        assert found == pytest.approx(slow, abs=1e-9)


@given(seed=st.integers(0, 10_000), ess=st.floats(0.1, 20))
@settings(max_examples=40)
def test_union_prior_gives_bdeu_where_nothing_changes(seed: int, ess: float) -> None:
    """With Pa_IS = Pa_pop the union prior is BDeu; the paper's prior is not."""
    data = random_data(60, 5, 6, seed=seed)
    patient = {name: data.levels[name][data.codes[i, 3]] for i, name in enumerate(data.names)}
    group = ["v01", "v03"]
    plain = engine.BDeu(ess).family(data, "v00", group)
    assert engine.instance_score(data, patient, "v00", group, group, ess=ess) == pytest.approx(plain, abs=1e-9)
    literal = engine.instance_score(data, patient, "v00", group, group, ess=ess, prior="paper")
    assert abs(literal - plain) > 1e-6


@pytest.mark.parametrize("prior", ["union", "paper"])
@pytest.mark.parametrize("empty", ["population", "all_rows"])
def test_additions_and_subsets_equal_single_scores(either: str, prior: str, empty: str) -> None:
    """The two bulk ways give each parent set its own score, with the kappa term on every difference."""
    data = random_data(200, 7, 9, seed=2)
    population = ((), (), (0,), (0, 1), (1, 2, 3), (), (4,))
    log_kappa = math.log(0.1)
    for row in (0, 11):
        tables = InstanceTables(data, population, 1.0, prior, empty)
        values = data.codes[:, row].astype(np.int64)
        for child, own in ((4, ()), (4, (1,)), (4, (0, 2)), (5, (4,)), (3, (0, 1))):
            found = InstanceScore(tables, values, log_kappa).additions(child, own)
            fresh = InstanceScore(InstanceTables(data, population, 1.0, prior, empty), values)
            for x in range(7):
                if x == child or x in own:
                    assert found[x] == -np.inf
                    continue
                group = tuple(sorted((*own, x)))
                cost = log_kappa * len(set(group) ^ set(population[child]))
                assert found[x] == pytest.approx(fresh.local(child, group) + cost, abs=1e-9)
        gains, cases = tables.subsets(4, tuple(values[[1, 2, 3]].tolist()))
        score = InstanceScore(InstanceTables(data, population, 1.0, prior, "all_rows"), values)
        for subset in range(8):
            group = tuple(x for i, x in enumerate((1, 2, 3)) if subset >> i & 1)
            assert gains[subset] == pytest.approx(score.local(4, group) - score.local(4, (1, 2, 3)), abs=1e-9)
            agree = (data.codes[list(group)] == values[list(group), None]).all(axis=0)
            assert cases[subset].tolist() == np.bincount(data.codes[4][agree], minlength=data.arity[4]).tolist()


def test_memo_is_shared_by_patients_with_the_same_values() -> None:
    """A second patient with equal values on Pa_IS adds nothing to the memo; another value does."""
    data = random_data(100, 4, 4, seed=1, levels=(2, 2))
    tables = InstanceTables(data, ((), (), (), (0, 1)))
    first = InstanceScore(tables, np.array([0, 1, 0, 0])).local(3, (0,))
    assert InstanceScore(tables, np.array([0, 0, 1, 1])).local(3, (0,)) == first
    assert len(tables.memo) == 1
    InstanceScore(tables, np.array([1, 0, 1, 1])).local(3, (0,))
    assert len(tables.memo) == 2


def test_unknown_value_leaves_the_population_family() -> None:
    """A parent set with an unknown value conditions on nothing: the family is the population's, plain BDeu."""
    data = random_data(100, 4, 4, seed=1)
    tables = InstanceTables(data, ((), (), (), (0, 1)))
    values = np.array([UNKNOWN, 1, 0, 0])
    plain = engine.BDeu().family(data, "v03", ["v00", "v01"])
    assert InstanceScore(tables, values).local(3, (0, 2)) == pytest.approx(plain, abs=1e-9)
    assert InstanceScore(tables, values).additions(3, (0,))[2] == pytest.approx(plain, abs=1e-9)


@given(seed=st.integers(0, 10_000), data=st.data())
@settings(max_examples=30)
def test_relabelling_and_reordering_change_nothing(seed: int, data: st.DataObject) -> None:
    """Rows, columns and levels in another order give the same score."""
    table = random_data(50, 5, 6, seed=seed)
    patient = {name: table.levels[name][table.codes[i, 0]] for i, name in enumerate(table.names)}
    rows = np.array(data.draw(st.permutations(range(50))))
    columns = data.draw(st.permutations(range(5)))
    codes, levels = [], []
    for i in columns:
        order = data.draw(st.permutations(range(int(table.arity[i]))))
        codes.append(np.argsort(order)[table.codes[i]][rows])
        levels.append([table.levels[table.names[i]][k] for k in order])
    other = engine.Dataset.from_codes(np.array(codes), levels, [table.names[i] for i in columns])
    for prior in ("union", "paper"):
        first = engine.instance_score(table, patient, "v04", ["v02", "v01"], ["v02", "v03"], prior=prior)
        again = engine.instance_score(other, patient, "v04", ["v01", "v02"], ["v03", "v02"], prior=prior)
        assert first == pytest.approx(again, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"child": "x"}, "no variable 'x'"),
        ({"instance_parents": ["v00"]}, "own parent"),
        ({"population_parents": ["v00"]}, "own parent"),
        ({"instance": {"v01": "0"}}, "value of 'v02' is unknown"),
        ({"instance": {"v01": "0", "v02": "sometimes"}}, "no level 'sometimes'"),
        ({"ess": 0}, "ess is 0"),
        ({"prior": "flat"}, "prior is 'flat'"),
        ({"empty": "none"}, "empty is 'none'"),
    ],
)
def test_refusals_say_what_is_wrong(change: dict, words: str) -> None:
    """Each impossible question is answered by one sentence."""
    data = random_data(40, 4, 3, seed=0)
    given = {
        "instance": {"v01": "0", "v02": "0"},
        "child": "v00",
        "instance_parents": ["v01", "v02"],
        "population_parents": ["v02"],
    }
    with pytest.raises(engine.DiptychError, match=words):
        engine.instance_score(data, **{**given, **change})
