"""The rounds: what is kept, what they cost, and what they find."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import engine
from benchmarks.ordinal.gaps import with_gaps
from engine.execution import silent, using
from engine.graphs.dag import topological_order
from engine.methods.ordinal import structural_em
from engine.methods.ordinal.answers import read
from engine.methods.ordinal.settings import OrdinalSettings
from engine.models.latent_normal import fitted, information, log_probabilities
from engine.scores.gaussian import BoundGaussian, bound_bic
from tests.engine.methods.ordinal.make import chain, random_case, turned

QUICK = OrdinalSettings(draws=60)


def test_the_best_round_is_kept_and_judged_by_the_answers() -> None:
    """Its criterion, computed again from the correlations that are given back."""
    _, data = random_case(8, 3)
    answers = read(data)
    found = structural_em.learn(QUICK, answers, silent)
    likelihood = log_probabilities(answers.boxes(), found.correlation, points=structural_em.POINTS)[0].sum()
    links = sum(map(len, found.parents))
    best = max(one.criterion for one in found.rounds)
    assert likelihood == pytest.approx(found.log_likelihood, abs=1e-9)
    assert best == pytest.approx(likelihood - 3.0 * math.log(500) / 2 * links, abs=1e-9)
    assert len({one.criterion for one in found.rounds}) > 1
    implied = fitted(found.statistic, found.parents, topological_order(found.parents))
    assert np.allclose(implied, found.correlation, atol=1e-12)


@pytest.mark.parametrize(("levels", "walks"), [(2, 2), (4, 1)])
def test_a_link_costs_the_same_whatever_share_of_the_rows_counts(
    monkeypatch: pytest.MonkeyPatch, levels: int, walks: int
) -> None:
    """The over-relaxed score: f N rows, and penalty ln(N) / 2 a parent."""
    seen = []

    class Spy(structural_em.ExpectedGaussian):
        def bind(self, data: engine.Dataset) -> BoundGaussian:
            bound = super().bind(data)
            half = bound_bic(np.eye(data.n_variables), self.n_rows, self.penalty)
            seen.append((self.n_rows, half.local(0, ()) - half.local(0, (1,))))
            return bound

    monkeypatch.setattr(structural_em, "ExpectedGaussian", Spy)
    answers = read(chain(300, levels=levels))
    structural_em.learn(QUICK, answers, silent)
    kept = information(answers.boxes())
    assert (kept < structural_em.MUCH_KEPT) == (walks == 2)
    assert {rows for rows, _ in seen} == {round(300 * kept / step) for step in structural_em.STEPS[:walks]}
    assert all(cost == pytest.approx(3.0 * math.log(300) / 2) for _, cost in seen)


def test_the_step_beyond_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """R' = S + (R - S) / f: with draws that never leave S the statistic is S, and twice as far at half the share."""
    answers = read(chain(300))
    rounds = structural_em._Rounds(QUICK, answers)
    moved = np.full((4, 4), 0.01)
    np.fill_diagonal(moved, 0.0)
    under = []

    def drawn(self: object, correlation: np.ndarray, draws: int, skip: int) -> np.ndarray:
        under.append(correlation)
        return correlation + moved

    monkeypatch.setattr(structural_em.Chains, "correlation", drawn)
    found = list(rounds.relaxed(rounds.chains(0), 0, silent))
    for one, start in zip(found, under, strict=True):
        expected = start + moved / (rounds.kept / one.rounds[0].step)
        assert np.allclose(one.statistic, expected, atol=1e-12)


def test_where_the_start_is_lifted_the_rounds_begin_twice() -> None:
    """By the first step with two seeds, then the better goes on by longer ones; the best round is kept and told."""
    data = random_case(8, 43, rows=100)[1]
    answers, em = read(data), structural_em._Rounds(QUICK, read(data))
    assert em.was_lifted and len(em.steps) == 2, "or the table is none to test this with"
    result = structural_em.learn(QUICK, answers, silent)
    seeds, steps = structural_em.seeds_of(QUICK.seed, 2), structural_em.STEPS
    assert seeds[0] == QUICK.seed != seeds[1]
    chains = [em.chains(seed) for seed in seeds]
    tried = [list(em.relaxed(own, seed, silent, steps[:1])) for own, seed in zip(chains, seeds, strict=True)]
    best = [max(item.criterion for item in walk) for walk in tried]
    first = int(np.argmax(best))
    tried.append(list(em.relaxed(chains[first], seeds[first], silent, steps[1:])))
    assert result.rounds == tuple(item.rounds[0] for walk in tried for item in walk)
    assert result.criterion == max(item.criterion for walk in tried for item in walk) and result.starts == 2
    assert any("began 2 times" in note for note in engine.Ordinal(draws=60).run(data).notes())


def test_where_the_start_fits_the_rounds_begin_once() -> None:
    """With the seed of the settings."""
    data = chain(200)
    answers, em = read(data), structural_em._Rounds(QUICK, read(data))
    result = structural_em.learn(QUICK, answers, silent)
    assert not em.was_lifted and result.starts == 1
    assert result.rounds == tuple(item.rounds[0] for item in em.relaxed(em.chains(QUICK.seed), QUICK.seed, silent))
    assert not any("began" in note for note in engine.Ordinal(draws=60).run(data).notes())


def test_draws_are_fewer_where_rows_are_many() -> None:
    """A quarter of a million of all rows and walks, and never fewer than fifty a row."""
    assert structural_em.draws_for(600, 400, 1) == 600
    assert structural_em.draws_for(600, 500, 2) == 250
    assert structural_em.draws_for(600, 100_000, 1) == 50
    assert structural_em.draws_for(20, 100_000, 1) == 20


def test_equal_seeds_equal_bits_whatever_the_order() -> None:
    """Rows and columns turned, and twice the same."""
    data = random_case(6, 1)[1]
    one = engine.Ordinal(draws=60, seed=4).run(data)
    assert one.to_json() == engine.Ordinal(draws=60, seed=4).run(data).to_json()
    other = engine.Ordinal(draws=60, seed=4).run(turned(data))
    assert set(one.graph.edges) == set(other.graph.edges)
    assert np.array_equal(
        one.correlation.to_numpy(), other.correlation.loc[list(one.names), list(one.names)].to_numpy()
    )


def test_a_known_class_is_found() -> None:
    """A line and a meeting of arrows: what such data can tell, and no more."""
    result = engine.Ordinal().run(chain(800))
    assert set(result.graph.edges) == {("a", "b"), ("b", "a"), ("b", "c"), ("d", "c")}


def test_missing_answers_cost_little() -> None:
    """One cell in twenty, on a strong network: the same links."""
    data = chain(600)
    whole = engine.Ordinal(draws=100).run(data)
    holed = engine.Ordinal(draws=100, missing="latent").run(with_gaps(data, 0.05, np.random.default_rng(0)))
    assert holed.n_gaps == 120
    assert holed.information < whole.information
    assert {frozenset(pair) for pair, _ in holed.edge_pairs} == {frozenset(pair) for pair, _ in whole.edge_pairs}
    assert any("120 answers of 2,400 are missing" in note for note in holed.notes())


@pytest.mark.parametrize("search", ["exact", "ges", "hill_climbing", engine.OrderMCMC(steps=500)])
def test_other_searches_serve(search: object) -> None:
    """All find the links of a strong chain; which way is theirs."""
    result = engine.Ordinal(draws=50, search=search).run(chain(500))
    assert {frozenset(pair) for pair, _ in result.edge_pairs} >= {frozenset("ab"), frozenset("bc"), frozenset("cd")}


def test_knowledge_is_kept() -> None:
    """A forbidden pair, a required arc."""
    knowledge = engine.Knowledge(forbidden=[("a", "b"), ("b", "a")], required=[("a", "d")])
    result = engine.Ordinal(draws=50, knowledge=knowledge).run(chain(300))
    assert not result.dag.has_edge("a", "b")
    assert not result.dag.has_edge("b", "a")
    assert result.dag.has_edge("a", "d")


def test_threads_change_no_bit() -> None:
    """One thread, two or five: every round and every correlation is the same to the last bit."""
    _, data = random_case(6, 1)
    found = []
    for number in (1, 2, 5):
        with using(number):
            found.append(structural_em.learn(QUICK, read(data), silent))
    for other in found[1:]:
        assert other.rounds == found[0].rounds
        assert other.correlation.tobytes() == found[0].correlation.tobytes()
        assert other.statistic.tobytes() == found[0].statistic.tobytes()


def test_a_walk_ends_where_a_network_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever round it was in; at the latest after six; arcs turned within a class are the same network."""
    one, turned, two, none = ((1,), (), (), ()), ((), (0,), (), ()), ((), (0,), (1,), ()), ((), (), (), ())
    three, four, five = ((), (), (1,), ()), ((), (), (), (2,)), ((), (0,), (), (2,))
    for walk, rounds in (([two, one, two, one], 3), ([one, turned], 2), ([one, two, three, four, five, none, one], 6)):
        task = structural_em._Rounds(replace(QUICK, draws=5), read(chain(100)))
        networks = iter([one, *walk])
        monkeypatch.setattr(task, "searched", lambda *_, networks=networks: next(networks))
        assert len(list(task.relaxed(task.chains(0), 0, silent))) == rounds


def test_points_are_fewer_beyond_fifty_thousand_answers() -> None:
    """Eight, then two."""
    assert [structural_em.points_for(answers) for answers in (50_000, 50_001)] == [8, 2]


@pytest.mark.parametrize("mode", ["relaxed", "published"])
def test_progress_rises_from_nothing_to_all(mode: str) -> None:
    """Over the rounds of every walk, with a word for each."""
    told: list[tuple[float, str]] = []
    engine.Ordinal(draws=5, mode=mode).run(chain(100, levels=2), progress=lambda *now: told.append(now))
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] < 0.1
    assert fractions[-1] <= 1
