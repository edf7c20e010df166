"""The forward selection edge by edge: the search itself, with every addition noted."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.execution import silent
from engine.graphs.chordal import Edge
from engine.graphs.dag import bits
from engine.lazy import pd
from engine.methods.log_linear.criteria import SMT, Chi2
from engine.methods.log_linear.message import edge_evidence
from engine.methods.log_linear.method import LogLinear, counted, run_search, start_graph
from engine.methods.log_linear.search import Search
from engine.scores.parts import ScoreParts
from engine.search.steps import MOST_CANDIDATES, Arcs, CandidateMove, Obstacle, SearchStep, best_first

MESSAGE = r"\Delta L(S,a,b) - \ln(N + 1)\,(r_a - 1)(r_b - 1) \prod_{s \in S} r_s - \ln\frac{M - |E|}{|E| + 1}"
PENALISED = r"\frac{G}{2} - \frac{\ln N}{2}\,(r_a - 1)(r_b - 1) \prod_{s \in S} r_s"


def selection_steps(data: Dataset, method: LogLinear) -> tuple[SearchStep, ...]:
    """Every edge of a log-linear search as it is added; the last graph is that of `method.run(data)`.

    The gain is the margin: natural log by which the edge is worth taking under the criterion, the stopping term
    included. Scores are what all edges saved together; NaN under a test, whose margins do not add up.

    Parameters
    ----------
    data : the rows
    method : the settings

    Returns
    -------
    the steps in order; edges run both ways

    Raises
    ------
    DataError, SettingsError : as `method.run`

    Examples
    --------
    >>> from engine.methods.log_linear.steps import selection_steps
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> [(step.move.source, step.move.target) for step in selection_steps(data, engine.LogLinear()) if step.move]
    [('a', 'b')]
    """
    counts = counted(data)
    begun, _ = start_graph(method, counts)
    search = run_search(_RecordedSearch, method, counts, begun, silent)
    return (*search.noted, search.capture_step())


def edge_parts(data: Dataset, method: LogLinear, step: SearchStep, move: CandidateMove) -> ScoreParts:
    """The terms of a candidate edge's gain, which sum to it.

    Parameters
    ----------
    data, method : as the steps were made
    step, move : a step, and one of its candidates without an obstacle

    Returns
    -------
    `ScoreParts`, in nats

    Raises
    ------
    SettingsError : a criterion other than "mml" and "bic"
    """
    counts = counted(data)
    place = {name: i for i, name in enumerate(counts.names)}
    table = counts.margin([place[name] for name in (*move.given, move.source, move.target)])
    pairs, edges = len(place) * (len(place) - 1) // 2, len(step.before) // 2
    evidence = edge_evidence(table, counts.arity, pairs, edges, counts.effect)
    if method.criterion == "mml":
        message, source = evidence.message, "equation 18 of Petitjean, Allison & Webb 2014"
        terms = [
            ("rows: what the message about them saves", -message.data),
            ("parameters: ln(N + 1) for each degree of freedom", -message.parameters),
            ("graph: what stating one more link costs", -message.graph),
        ]
        equation = MESSAGE
    elif method.criterion == "bic":
        penalty = -math.log(max(counts.size, 1)) / 2 * evidence.degrees
        terms = [
            ("rows: log-likelihood gained, G / 2", evidence.statistic / 2),
            ("penalty: ln(N) / 2 for each degree of freedom", penalty),
        ]
        equation, source = PENALISED, "Schwarz 1978"
    else:
        raise SettingsError(f"The gains of {method.criterion!r} have no parts; choose 'mml' or 'bic'.")
    names = [counts.names[i] for i in table.variables]
    levels = {f"{x} =": [data.levels[x][code] for code in table.cells[:, k]] for k, x in enumerate(names)}
    frame = pd.DataFrame({**levels, "N": table.counts})
    return ScoreParts(equation, "", source, frame, tuple(terms))


class _RecordedSearch(Search):
    """A search that notes every edge before it adds it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.noted: list[SearchStep] = []
        self._halfway = False  # between two edges that come at once
        self._score = 0.0 if not isinstance(self.criterion, SMT | Chi2) else math.nan

    def add(self, a: int, b: int, margin: float, joint: bool = False) -> None:
        step = self.capture_step((a, b), margin)
        super().add(a, b, margin, joint)
        self._halfway = joint and not self._halfway
        if not self._halfway:  # what two edges save together counts once
            self._score += margin
        phase = "adding two links at once" if joint else step.phase
        self.noted.append(replace(step, phase=phase, after=self._arcs(), score_after=self._score))

    def capture_step(self, taken: Edge | None = None, margin: float = 0.0) -> SearchStep:
        """Where the search is, as a step that changes nothing yet."""
        open_pairs = [(a, b) for a in range(self.n) for b in range(a + 1, self.n) if not self.graph.has(a, b)]
        candidates = {pair: self._candidate(pair) for pair in open_pairs if self._usable[list(pair)].all()}
        if taken is not None:
            candidates[taken] = candidates[taken]._replace(gain=margin)
        move = None if taken is None else candidates[taken]
        ranked = best_first(candidates.values(), move)
        left_out, arcs = max(len(ranked) - MOST_CANDIDATES, 0), self._arcs()
        return SearchStep(
            "adding links",
            arcs,
            arcs,
            ranked[:MOST_CANDIDATES],
            left_out,
            move,
            self.tolerance,
            self._score,
            self._score,
        )

    def _candidate(self, pair: Edge) -> CandidateMove:
        """A pair with its margin, or with what stands in its way."""
        (a, b), names = pair, self.counts.names
        rank, separator = float(self.candidates.ranks[pair]), self.graph.separator(a, b)
        given = () if separator is None else tuple(names[i] for i in bits(separator))
        obstacle = None
        if pair in self.barred:
            obstacle = Obstacle.KNOWLEDGE
        elif separator is None:
            obstacle = Obstacle.CHORD
        elif rank == -math.inf:
            obstacle = Obstacle.CLIQUE
        gain = self.criterion.margin(rank, self.state()) if obstacle is None else math.nan
        return CandidateMove("link", names[a], names[b], gain, given, obstacle=obstacle)

    def _arcs(self) -> Arcs:
        names = self.counts.names
        both = ((a, b) for edge in self.graph.edges() for a, b in (edge, edge[::-1]))
        return frozenset((names[a], names[b]) for a, b in both)
