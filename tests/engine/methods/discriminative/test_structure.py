"""Both networks of a contrast: the fast way against families one by one, and likelihoods against walks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.pipeline import known_of
from engine.methods.discriminative.points import points_of
from engine.methods.discriminative.structure import BoundBDeu, ClassNetwork, best, fit_pair
from engine.scores.discriminative import BoundACL, log_parameters
from engine.search.constraints import Constraints
from tests.engine.methods.discriminative.make import METHOD, counted, points, row_frame, series_frame


def slow_network(
    found: Counted, side: np.ndarray, method: engine.Discriminative, shared: bool = False
) -> list[tuple[int, ...]]:
    """The best single parent of each child, one family after the other."""
    bound = BoundACL(
        found.slices, found.group(side), method.parameters, method.eps, method.balance, shared or method.shared
    )
    parents = []
    for child in range(found.slices.n_variables):
        none = bound.local(child, ())
        scores = [bound.local(child, (x,)) for x in range(found.slices.n_variables)]
        parents.append((int(np.argmax(scores)),) if max(scores) > none + 1e-9 * max(1, abs(none)) else ())
    return parents


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("balance", [False, True])
@pytest.mark.parametrize("parameters", ["ml", "mid", "max"])
def test_the_fast_way_is_that_of_families(parameters: str, balance: bool, shared: bool) -> None:
    """Structures, PACL and likelihoods of series, a third of the subjects held out."""
    method = replace(METHOD, parameters=parameters, balance=balance, shared=shared, eps=0.8)
    of = points(series_frame(subjects=15))
    found, side = counted(of), np.where(np.arange(15) % 3 == 0, -1, of.labels)
    fast = fit_pair(found, side, method, known_of(of, method))
    swapped = np.where(side < 0, -1, 1 - side)
    assert list(fast.own.parents) == slow_network(found, side, method)
    assert list(fast.others.parents) == slow_network(found, swapped, method)
    assert_measured(fast.own, found, side, method)
    assert_measured(fast.others, found, swapped, method)


def assert_measured(network: ClassNetwork, found: Counted, side: np.ndarray, method: engine.Discriminative) -> None:
    """PACL and likelihoods by walking over the observations."""
    group = found.group(side)
    weight = (group == 1).sum() / (group == 0).sum() if method.balance else 1.0
    for child, parents in enumerate(network.parents):
        config, many = found.slices.codes(parents)
        r = int(found.slices.arity[child])
        counts = np.zeros((2, many, r))
        for t in range(len(group)):
            if group[t] >= 0:
                counts[group[t], config[t], found.slices.after[child, t]] += 1
        theta = log_parameters(counts[1], weight * counts[0], method.parameters, method.eps)
        assert network.pacl[child] == pytest.approx(((counts[1] - weight * counts[0]) * theta).sum())
        assert network.added[child] == (many - 1) * (r - 1)
        per_step = theta[config, found.slices.after[child]]
        slow = [per_step[found.point == s].mean() for s in range(found.n_points)]
        assert network.log_likelihood[:, child] == pytest.approx(np.array(slow))


def test_two_parents_are_found_one_after_the_other() -> None:
    """The second is the best beside the first, and no more than asked."""
    of = points(series_frame())
    found, method = counted(of), replace(METHOD, max_parents=2)
    pair = fit_pair(found, of.labels, method, known_of(of, method))
    assert max(map(len, pair.own.parents)) == 2
    bound = BoundACL(found.slices, found.group(of.labels), "ml", 1.0, True, False)
    for child, parents in enumerate(pair.own.parents):
        one = fit_pair(found, of.labels, METHOD, known_of(of, METHOD)).own.parents[child]
        assert set(one) <= set(parents)
        if len(parents) == 2:
            assert bound.local(child, parents) == pytest.approx(
                max(bound.local(child, tuple(sorted((*one, x)))) for x in range(4) if x not in one)
            )
    assert_measured(pair.own, found, of.labels, method)


def test_the_changed_link_is_the_most_worth() -> None:
    """v0 -> v1 in the network of the ill."""
    of = points(series_frame())
    pair = fit_pair(counted(of), (of.labels == of.classes.index("ill")).astype(int), METHOD, known_of(of, METHOD))
    assert int(pair.own.penalised_pacl.argmax()) == 1
    assert pair.own.parents[1] == (0,)


def test_networks_over_rows_have_no_circle_and_keep_what_is_known() -> None:
    """Every score."""
    import networkx as nx

    of = points_of(engine.Dataset.from_frame(row_frame()), "class")
    found = counted(of)
    for score in ("acl", "ccl", "ccl_single", "bde"):
        method = replace(
            METHOD,
            score=score,
            max_parents=2,
            knowledge=engine.Knowledge(required=[("v3", "v2")], forbidden=[("v0", "v1")]),
        )
        pair = fit_pair(found, of.labels, method, known_of(of, method))
        for network in (pair.own, pair.others):
            graph = nx.DiGraph((x, child) for child, parents in enumerate(network.parents) for x in parents)
            assert nx.is_directed_acyclic_graph(graph)
            assert 3 in network.parents[2]
            assert 0 not in network.parents[1]
            assert_measured(network, found, of.labels if network is pair.own else 1 - of.labels, method)


def test_each_class_alone_is_bdeu() -> None:
    """The same numbers as the score that all other methods use."""
    frame = row_frame()
    of = points_of(engine.Dataset.from_frame(frame), "class")
    ill = of.classes.index("ill")
    bound = BoundBDeu(counted(of), of.labels == ill, 2.0)
    rows = engine.Dataset.from_frame(frame).split("class")["ill"]
    score = engine.BDeu(ess=2.0)
    assert bound.local(1, (0, 2)) == pytest.approx(score.family(rows, "v1", ["v0", "v2"]))
    found = bound.additions(1, (0,))
    assert found[3] == pytest.approx(score.family(rows, "v1", ["v0", "v3"]))
    assert found[0] == found[1] == -np.inf


def test_what_is_known_limits_parents_child_by_child() -> None:
    """`max_parents` of the knowledge counts; a required arc raises the limit of its own child only."""
    for frame_of, series in ((series_frame(), True), (row_frame(), False)):
        of = points(frame_of) if series else points_of(engine.Dataset.from_frame(frame_of), "class")
        none = replace(METHOD, knowledge=engine.Knowledge(max_parents=0))
        must = replace(METHOD, max_parents=0, knowledge=engine.Knowledge(required=[("v0", "v1"), ("v2", "v1")]))
        for method, wanted in ((none, [(), (), (), ()]), (must, [(), (0, 2), (), ()])):
            for score in ("acl", "ccl", "bde"):
                asked = replace(method, score=score)
                pair = fit_pair(counted(of), of.labels, asked, known_of(of, asked))
                assert list(pair.own.parents) == wanted
                assert list(pair.others.parents) == wanted


def test_the_gain_is_what_a_link_says_beyond_levels() -> None:
    """PACL less that of the child alone, less the parameters; a child without parents gains nothing."""
    of = points(series_frame())
    found = counted(of)
    for limit in (1, 2):
        method = replace(METHOD, max_parents=limit)
        pair = fit_pair(found, of.labels, method, known_of(of, method))
        bound = BoundACL(found.slices, found.group(of.labels), "ml", 1.0, True, False)
        for child, parents in enumerate(pair.own.parents):
            assert pair.own.alone[child] == pytest.approx(bound.local(child, ()))
            added = pair.own.added[child]
            assert pair.own.gain[child] == pytest.approx(bound.local(child, parents) - bound.local(child, ()) - added)


def test_the_best_families_are_kept() -> None:
    """Ties go to the first; shared structures are ranked by both networks together."""
    assert best(np.array([1.0, 3.0, 3.0, 2.0]), 2).tolist() == [False, True, True, False]
    assert best(np.array([1.0, 1.0]), 1).tolist() == [True, False]
    assert best(np.array([1.0, 2.0]), None).all()
    of = points(series_frame())
    pair = fit_pair(counted(of), of.labels, replace(METHOD, shared=True), known_of(of, METHOD))
    one, other = pair.used(2, shared=True)
    assert np.array_equal(one, other)
    together = pair.own.penalised_pacl + pair.others.penalised_pacl
    assert set(np.flatnonzero(one)) == set(np.argsort(-together)[:2])
    assert pair.own.parents == pair.others.parents


def test_forbidden_and_required_links_of_series() -> None:
    """From one step to the next; a variable may follow itself."""
    of = points(series_frame())
    p = len(of.names)
    allowed = np.ones((p, p), dtype=bool)
    allowed[1, 0] = False
    pair = fit_pair(counted(of), of.labels, METHOD, Constraints(allowed, ((), (), (3,), ()), p))
    for network in (pair.own, pair.others):
        assert 0 not in network.parents[1]
        assert 3 in network.parents[2]


def test_each_class_alone_over_series_is_that_of_a_peer() -> None:
    """pgmpy's BDeu of the steps of one class, both slices as columns of a table."""
    peer = pytest.importorskip("pgmpy.structure_score", reason="pgmpy is not installed")
    of = points(series_frame())
    found, ill = counted(of), of.labels == of.classes.index("ill")
    inside = ill[found.point]
    frame = pd.DataFrame(
        {f"{name} t": found.slices.before[i][inside] for i, name in enumerate(of.names)}
        | {f"{name} next": found.slices.after[i][inside] for i, name in enumerate(of.names)}
    ).astype(str)
    theirs = peer.BDeu(frame, equivalent_sample_size=2.0)
    ours = BoundBDeu(found, ill, 2.0)
    for child, parents in ((1, ()), (1, (0,)), (2, (0, 3))):
        asked = theirs.local_score(f"v{child} next", tuple(f"v{x} t" for x in parents))
        assert ours.local(child, parents) == pytest.approx(asked, abs=1e-6)


def test_no_parent_that_lowers_the_score_is_taken() -> None:
    """Each class alone, over series: only the link that was made, though two parents are allowed."""
    of = points(series_frame(steps=200))
    method = replace(METHOD, score="bde", max_parents=2)
    pair = fit_pair(counted(of), of.labels, method, known_of(of, method))
    ill = pair.own if of.classes[1] == "ill" else pair.others
    assert list(ill.parents) == [(), (0,), (), ()]
