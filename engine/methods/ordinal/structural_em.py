"""Ordinal structural EM (OSEM), Luo, Moffa & Kuipers 2021, algorithm 1: a network of latent normal variables.

A round draws the latent values given the answers under the present correlations (equation 12), takes the correlations
of the draws as if they had been seen (13), searches the DAG with the highest penalised likelihood on them (16), and
regresses along it (20); what the regressions imply are the next correlations.

Two things are ours. EM is slow to leave where it stands: draws follow the present network wherever the levels leave
them free, so a missing link looks superfluous and a wrong one needed. A round therefore steps further, by what the
levels hide (over-relaxed EM, Salakhutdinov & Roweis 2003): with f the share of the information that levels keep,

    R' = S + (R - S) / f        on f N rows

for the draws' correlations R under S. Near S this is to second order what the answers themselves say of any change. And
every round's network is judged by what it says of the answers (not of the draws, which differ from round to round):
their log-likelihood less penalty ln(N) / 2 a link. The best of all rounds is kept.

Where the pairwise correlations had to be lifted, a walk of rounds may end far from the best network, and another seed
elsewhere. There it begins `STARTS` times by the first step, with draws and searches of other seeds; the best of these
goes on by longer steps, and the best round of all is kept. On ten tables of 20 ratings that is as near to the truth as
three starts by all steps (16.2 beside 16.7) in half of the time. Tables drawn again begin once: of 20 half samples at
most 3 then differ in a link (25 items, 800 rows).

Where rows belong together N is the number of rows divided by the design effect, and so is every likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.execution import Progress, part
from engine.graphs.dag import Parents, topological_order
from engine.graphs.pdag import complete
from engine.methods.ordinal import published
from engine.methods.ordinal.answers import Answers
from engine.methods.ordinal.settings import BY_TEST, LATENT, OrdinalSettings
from engine.methods.storing import storable
from engine.models.copula import SWEEPS
from engine.models.latent_normal import Boxes, Chains, as_correlation, fitted, information, lifted, log_probabilities
from engine.models.polychoric import polychoric
from engine.scores.ordinal import ExpectedGaussian
from engine.search.learn import as_search
from engine.search.orders.mcmc import OrderMCMC
from engine.search.problem import Problem, Search

ROUNDS = 6
"""Most rounds of a walk; a network that comes back ends it."""
STEPS, MUCH_KEPT = (1.0, 1.3), 0.6
"""How far the rounds of each walk step, in units of 1 / f: where levels are few and ties strong, more is hidden. Where
the levels keep much of what hidden values would tell, the first walk is enough; beside numbers, which are seen as they
are, its rounds may stay at their first network, and a second one goes no further than its draws (f units)."""
STARTS = 2
"""How often the rounds begin where the pairwise correlations had to be lifted."""
LEAST_DRAWS, SKIPPED = 50, 5
MOST_DRAWS = 250_000
"""Of all rows together in a round of all walks: with many rows fewer of each will do. The number is the same from the
first round on, since the first networks decide where a walk goes: beginning with few draws makes seeds disagree."""
STEPS_OF_A_WALK = 10_000
POINTS, FEWER_POINTS, MANY_ANSWERS = 8, 2, 50_000
"""Of the lattice that the criterion is computed on, shared by all networks, so that their differences are surer than
each; fewer where there are many answers, since the errors of rows cancel."""
_DRAW, _PRODUCT = 1e-8, 1.2e-10  # seconds of a truncated draw, and of one product of a row, of one core
_AFRESH, _BOUND, _POINT = 1.5e-7, 8e-9, 1.2e-8  # a published draw, one of its bounds, a point of integration
_ROUNDS = 4  # that a walk takes as a rule
_SEARCH = 4e-5  # seconds a search of one round takes for every pair of variables
_BY_SCORE, _QUICKER, _BY_TEST = 2.2e-4, 5e-5, 3e-4  # the same of a rival: a walk over orders, other searches, tests
_BY_REGRESSION = 1e-2  # the same where a test is two regressions
_LEVELS_DRAWN, _ROW_DRAWN = 1.7e-4, 5e-8  # of the copula: a variable of one sweep, and one of its rows


@storable
@dataclass(frozen=True)
class Round:
    """One round of the EM.

    Attributes
    ----------
    draws : of every row;  step : how far it went beyond its draws, in units of 1 / f (1 in published mode)
    links : of its network
    criterion : log-likelihood of the answers less the penalty, natural logarithm
    """

    draws: int
    step: float
    links: int
    criterion: float


@dataclass(frozen=True, eq=False)
class Learned:
    """A network of latent normal variables; positions are those of the answers.

    Attributes
    ----------
    parents : of every variable in one DAG of the class
    statistic : (p, p) correlations of the draws that the network was found on
    correlation : (p, p) what the network implies
    start : (p, p) pairwise correlations;  lifted : whether they had to be made to fit together
    log_likelihood : of the answers, natural logarithm
    information : share of what latent values would tell that the levels keep
    rounds : all of them
    criterion : of the round that is given back
    exact : whether the parents have exactly the arrows of the class; not so where tests contradict each other
    starts : how often the rounds began
    """

    parents: Parents
    statistic: np.ndarray
    correlation: np.ndarray
    start: np.ndarray
    lifted: bool
    log_likelihood: float
    information: float
    rounds: tuple[Round, ...]
    criterion: float = math.nan
    exact: bool = True
    starts: int = 1


def learn(method: OrdinalSettings, answers: Answers, progress: Progress, starts: int = STARTS) -> Learned:
    """The network that explains the answers best, of all rounds.

    Parameters
    ----------
    method : penalty, search, mode, draws, seed
    answers : the table
    progress : told how far it is
    starts : how often the rounds begin at most

    Returns
    -------
    `Learned`
    """
    em, result = _Rounds(method, answers), list[Learned]()
    begun = starts if em.was_lifted and method.mode != "published" else 1
    if method.mode == "published":
        result += em.published(progress)
    elif begun == 1:
        result += em.relaxed(em.chains(method.seed), method.seed, progress)
    else:
        seeds, walks = seeds_of(method.seed, begun), begun + len(em.steps) - 1
        chains = [em.chains(seed) for seed in seeds]  # the better goes on with its own: new ones are far off
        spans = [part(progress, number / walks, (number + 1) / walks) for number in range(walks)]
        tried = [list(em.relaxed(*item, STEPS[:1])) for item in zip(chains, seeds, spans, strict=False)]
        result += [item for walk in tried for item in walk]
        first = max(range(begun), key=lambda k: max(item.criterion for item in tried[k]))
        result += em.relaxed(chains[first], seeds[first], spans[-1], em.steps[1:])
    best = result[-1] if method.mode == "published" else max(result, key=lambda item: item.criterion)
    return replace(best, rounds=tuple(facts for item in result for facts in item.rounds), starts=begun)


def seeds_of(seed: int, starts: int) -> list[int]:
    """The seed of every start: the first is that of the settings."""
    return [seed, *np.random.SeedSequence(seed).generate_state(starts - 1).tolist()]


class _Rounds:
    """State of all rounds: the boxes, the chains and where they stand."""

    def __init__(self, method: OrdinalSettings, answers: Answers) -> None:
        self.method, self.answers = method, answers
        self.boxes: Boxes = answers.boxes(by_levels=method.mode == "published")  # that program has no numbers
        self.start, self.was_lifted = lifted(polychoric(self.boxes, imagined=1.0))
        self.kept = information(self.boxes)
        self.constraints = method.knowledge.constraints(answers.data.names)

    @property
    def steps(self) -> tuple[float, ...]:
        """Steps of walks that begin once."""
        if self.kept < MUCH_KEPT:
            return STEPS
        return (STEPS[0], self.kept) if self.answers.numbers else STEPS[:1]

    def chains(self, seed: int) -> Chains:
        """Latent values that begin anew."""
        return Chains(self.boxes, seed)

    def relaxed(
        self, chains: Chains, seed: int, progress: Progress, steps: tuple[float, ...] = ()
    ) -> Iterator[Learned]:
        """From the pairwise correlations, once for each step: rounds until a network comes back."""
        search = searched_by(replace(self.method, seed=seed))
        draws, steps = draws_for(self.method.draws, self.boxes.n_rows, len(self.steps)), steps or self.steps
        for walk, step in enumerate(steps):
            share = min(1.0, self.kept / step)
            span = part(progress, walk / len(steps), (walk + 1) / len(steps))
            parents = self.searched(search, self.start, share, _round(span, 0))
            under = fitted(self.start, parents, topological_order(parents))
            seen = set()
            for number in range(ROUNDS):
                own_progress = _round(span, number)
                own_progress(0.0, "drawing latent values")
                drawn = chains.correlation(under, draws, SKIPPED)
                statistic, _ = lifted(as_correlation(under + (drawn - under) / share))
                parents = self.searched(search, statistic, share, own_progress)
                under = fitted(statistic, parents, topological_order(parents))
                result = self.judged(parents, statistic, under, draws, step)
                yield result
                kind = _class(parents)
                if kind in seen:
                    break
                seen.add(kind)

    def published(self, progress: Progress) -> Iterator[Learned]:
        """The authors' program: draws afresh, refinements without a network, rounds until one repeats."""
        generator, under = np.random.default_rng(self.method.seed), self.start
        for _ in range(published.REFINEMENTS):
            before, under = under, np.corrcoef(published.draw_afresh(self.boxes, under, generator))
            if ((under - before) ** 2).sum() < published.LEAST_CHANGE:
                break
        last, search = None, searched_by(self.method)
        for number in range(published.most_rounds(len(under), self.method.penalty)):
            own_progress = _round(progress, number)
            own_progress(0.0, "drawing latent values")
            drawn = published.draw_afresh(self.boxes, under, generator)
            statistic = np.corrcoef(drawn)
            parents = self.searched(search, statistic, 1.0, own_progress)
            under = published.fit_best_subsets(drawn, parents, self.method.penalty)
            yield self.judged(parents, statistic, under, published.DRAWS, 1.0)
            if _class(parents) == last:
                return
            last = _class(parents)

    def judged(
        self, parents: Parents, statistic: np.ndarray, correlation: np.ndarray, draws: int, step: float
    ) -> Learned:
        """A network with its correlations, and what it says of the answers."""
        points = points_for(self.boxes.codes.size)
        likelihood = float(log_probabilities(self.boxes, correlation, points=points)[0].sum())
        links = sum(map(len, parents))
        criterion = likelihood - self.cost * self.answers.effect * links
        rounds = (Round(draws, step, links, criterion),)
        known = parents, statistic, correlation, self.start, self.was_lifted
        return Learned(*known, likelihood, self.kept, rounds, criterion)

    @property
    def cost(self) -> float:
        """Cost of a link, in nats of divided rows: penalty ln(N) / 2."""
        return self.method.penalty * math.log(max(self.answers.size, 2.0)) / 2

    def searched(self, search: Search, statistic: np.ndarray, share: float, progress: Progress) -> Parents:
        """The DAG with the highest score on these correlations, seen in a share of the rows (equation 16)."""
        rows = max(2, round(share * self.answers.size))
        penalty = 2 * self.cost / math.log(rows)  # a link costs the same whatever the share
        names = self.answers.data.names
        score = ExpectedGaussian(statistic, names, rows, penalty)
        return search.find(Problem(self.answers.data, score, self.constraints, progress=progress)).dag()


def _round(progress: Progress, number: int) -> Progress:
    """The callback of a round: nobody knows how many there will be, so each is half of what is left."""
    done = 1 - 0.5**number
    return lambda _, words: progress(done, f"round {number + 1}: {words}")


def points_for(answers: int) -> int:
    """Points of integration for each row; fewer where answers are many, whose errors cancel out."""
    return POINTS if answers <= MANY_ANSWERS else FEWER_POINTS


def draws_for(draws: int, rows: int, walks: int) -> int:
    """Draws of every row in a round."""
    return min(draws, max(LEAST_DRAWS, MOST_DRAWS // (max(rows, 1) * walks)))


def run_seconds(method: OrdinalSettings, variables: int, rows: int) -> float:
    """About how long `Ordinal.run` computes on one core, no tables drawn again; half or twice as long may be.

    Where pairwise correlations have to be lifted, which is not known before, it is half as long again.
    """
    if method.approach == "cpc":
        return SWEEPS * variables * (_LEVELS_DRAWN + rows * _ROW_DRAWN)
    if method.approach == "mmpc":
        return _BY_REGRESSION * variables**2
    if method.approach not in LATENT:
        by_score = _BY_SCORE if method.search == "order_mcmc" else _QUICKER
        return (_BY_TEST if method.approach in BY_TEST else by_score) * variables**2
    points = 8 * points_for(rows * variables)
    judged = rows * points * variables * (_POINT + 0.5 * variables * _PRODUCT) + _SEARCH * variables**2
    if method.mode == "published":
        sweeps = (published.REFINEMENTS + _ROUNDS) * (published.LEFT_OUT + published.EVERY * published.DRAWS)
        return sweeps * rows * variables * (_AFRESH + 0.5 * variables * _BOUND) + _ROUNDS * judged
    draws = draws_for(method.draws, rows, len(STEPS))
    sweep = rows * variables * (_DRAW + 0.75 * variables * _PRODUCT)
    return len(STEPS) * _ROUNDS * (draws * sweep + judged)


def searched_by(method: OrdinalSettings) -> Search:
    """The search of these settings; a walk of order MCMC is shorter than its own default, since rounds repeat it."""
    if method.search == "order_mcmc":
        return OrderMCMC(steps=STEPS_OF_A_WALK, chains=1, seed=method.seed)
    return as_search(method.search)


def _class(parents: Parents) -> tuple[tuple[int, ...], ...]:
    """The equivalence class of a DAG, as something that can be compared."""
    result = complete(parents)
    return tuple(result.parents), tuple(result.neighbours)
