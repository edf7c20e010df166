"""The method: `engine.LogLinear`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, TypeVar

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.execution import Progress, part, silent
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.lazy import pd
from engine.measures.intervals import share_interval
from engine.methods import frames
from engine.methods.cost import Cost, Size
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA, Criterion
from engine.methods.log_linear.message import rows_needed
from engine.methods.log_linear.pair_screening import screen_pairs
from engine.methods.log_linear.power import MOST_VARIABLES, refusal, too_many
from engine.methods.log_linear.result import SLUG, LogLinearResult
from engine.methods.log_linear.search import MOST_CLIQUE_KL, JointMoves, Refusal, Search
from engine.methods.log_linear.settings import LogLinearSettings
from engine.methods.log_linear.what_if import build_result
from engine.methods.method import Method
from engine.methods.storing import storable
from engine.resampling import bootstrap, check_runs, repeat

AnySearch = TypeVar("AnySearch", bound=Search)
MOST_REFUSED = 20
"""The best candidates that were not taken and are kept to be shown."""


def analyse(
    method: LogLinearSettings, data: Dataset, progress: Progress, effect: float | None = None
) -> LogLinearResult:
    """Select a model from the data.

    Parameters
    ----------
    method, data : the settings and the rows
    progress : told how far it is
    effect : the design effect; the table's own where None

    Returns
    -------
    `LogLinearResult`

    Raises
    ------
    DataError : no rows or no variables
    SettingsError : as `start_graph`; too many variables for the criterion
    """
    counts = counted(data, effect)
    if len(counts.names) > MOST_VARIABLES:
        raise DataError(too_many(len(counts.names)))
    begun, filled = start_graph(method, counts)
    search = run_search(Search, method, counts, begun, progress)
    progress(0.95, "testing every pair by itself")
    screening = screen_pairs(counts, method.drawing_seed)
    progress(0.98, "ranking the links left out")
    state = search.state()
    refused = [Refusal(item, rows_needed(item, search.criterion, state)) for item in search.refused(MOST_REFUSED)]
    result = build_result(
        LogLinearResult, method, data, counts, search.graph, begun, filled, search.steps, refused, screening=screening
    )
    progress(1.0, "done")
    return result


def run_search(
    kind: type[AnySearch], method: LogLinearSettings, counts: Counts, begun: DecomposableGraph, progress: Progress
) -> AnySearch:
    """A search of these settings that has added what pays, from a graph that stays as it is.

    Parameters
    ----------
    kind : the search, or one that notes its steps
    method, counts : the settings and the table
    begun : the graph to start from
    progress : told how far it is
    """
    limit = MOST_CLIQUE_KL if method.criterion == "kl" and method.max_clique is None else method.max_clique
    criterion, forbidden = criterion_of(method, counts), positions(counts, method.barred)
    search = kind(counts, criterion, begun.copy(), forbidden, limit, part(progress, 0.0, 0.5))
    together = JointMoves(search).take_best if method.joint and criterion.joint else None
    search.run(together, part(progress, 0.5, 0.95))
    return search


def criterion_of(method: LogLinearSettings, counts: Counts) -> Criterion:
    """The criterion of these settings, for this table."""
    return CRITERIA[method.criterion](counts, method.alpha, method.drawing_seed)


def counted(data: Dataset, effect: float | None = None) -> Counts:
    """The counts of a table; `DataError` where there is nothing to count."""
    if not data.n_variables:
        raise DataError("The table has no variables to relate.")
    if not data.n_rows:
        raise DataError("The table has no rows to count.")
    return Counts(data, effect)


def start_graph(method: LogLinearSettings, counts: Counts) -> tuple[DecomposableGraph, list[Edge]]:
    """The graph to start from (start and forced edges), and the edges that had to be filled in to make it chordal.

    Parameters
    ----------
    method, counts : the settings and the table

    Returns
    -------
    the graph, and the edges filled in

    Raises
    ------
    SettingsError : an edge between variables that do not exist, or one that has to be filled in is forbidden
    """
    edges = positions(counts, (*method.start, *method.must))
    empty = DecomposableGraph(len(counts.names))
    if not edges:
        return empty, []
    filled = empty.fill_in(edges)
    forbidden = {tuple(sorted(pair)) for pair in positions(counts, method.barred)}
    clash = [pair for pair in filled if pair in forbidden]
    if clash:
        a, b = (counts.names[x] for x in clash[0])
        raise SettingsError(
            f"The edges to start from make a circle that needs {a!r} - {b!r} as a chord, which is forbidden; "
            "allow it or take an edge away."
        )
    return DecomposableGraph(len(counts.names), [*edges, *filled]), filled


def positions(counts: Counts, pairs: Iterable[tuple[str, str]]) -> list[Edge]:
    """Pairs of names as positions, low first; `SettingsError` for a name that is not a variable."""
    place = {name: i for i, name in enumerate(counts.names)}
    result = []
    for pair in pairs:
        for name in pair:
            if name not in place:
                raise SettingsError(f"There is no variable {name!r} in this table to draw an edge to.")
        a, b = sorted(place[name] for name in pair)
        result.append((a, b))
    return result


def least_stable(table: pd.DataFrame) -> pd.Series:
    """The edge of the model that came back least often, of a table as `stability` gives it; there must be one."""
    model = table[table["in_model"]]
    return model.loc[model["share"].idxmin()]


def _once(
    method: LogLinearSettings, data: Dataset, effect: float, seed: np.random.SeedSequence
) -> list[tuple[str, str]]:
    """The edges of one bootstrap sample, ends in column order.

    Of whole subjects where rows belong together; the design effect is the table's, since copies of a subject would
    raise their own.
    """
    drawn = bootstrap(data.n_rows, np.random.default_rng(seed), data.clusters)
    return list(analyse(method, data.rows(drawn), silent, effect).edge_values)


_PAIR, _CELL = 6e-8, 1e-12  # seconds of a pair of variables, and of one row and cell of its table
_TRIPLE = 2e-9  # of a row and cell of a table of three variables, for each variable and link, with two links at once
_BYTES, _BYTES_A_PAIR = 4e7, 14.0  # of what is worked on at a time, whatever the table, and of the ranks of pairs


@storable
@dataclass(frozen=True)
class LogLinear(LogLinearSettings, Method):
    """Which variables are linked, directly and not only by way of others (Petitjean, Allison & Webb 2014).

    Forward selection over decomposable log-linear models: starting from independence, the edge that pays most is added
    as long as one pays, and every graph on the way is chordal, so its estimates have a closed form.

    Parameters
    ----------
    criterion : when an edge pays: "mml" (it shortens the message, the paper's), "smt" or "chi2" (a test), "bic", and
        for comparison "ah" and "kl"
    joint : whether two edges are tried together where no single one pays; for "mml" and "bic"
    max_clique : most variables that may all be linked with each other, at least 2; None for no limit ("kl" then uses 5)
    alpha : chance of any false edge that "smt" and "chi2" accept, above 0 and below 1
    thin_tables : of "smt" and "chi2", p where cells are few: "drawn" from tables with the same margins, or "published"
    forced, forbidden : pairs of variables with an edge that must, or must not, be there
    start : pairs of variables with an edge to begin with, instead of none
    knowledge : an `engine.Knowledge`: required arcs are forced edges, arcs forbidden both ways forbidden ones
    seed : of the bootstrap (`stability`) and of the tables drawn

    Raises
    ------
    SettingsError : a setting has a value that it cannot have, or two contradict each other

    Examples
    --------
    >>> data = sample_data.dataset("two_hospitals")
    >>> result = engine.LogLinear().run(data)
    >>> result.steps[["a", "b"]].iloc[0].tolist()
    ['age', 'severity']
    """

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "Associations"
    question: ClassVar[str] = "Which of many associations are direct?"
    paper: ClassVar[str] = "Petitjean, Allison & Webb 2014"
    counts_only: ClassVar[tuple[str, ...]] = ("run",)

    @classmethod
    def unfit(cls, data: Dataset) -> str:
        """Why this method has nothing to say of a table.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where it has
        """
        return cls._unfit_rows(data) or refusal(data)

    def cost(self, size: Size) -> Cost:
        """About what `run` takes with these settings.

        Parameters
        ----------
        size : of the table

        Returns
        -------
        seconds of one core, bytes, and what makes it less
        """
        pairs = size.variables**2
        seconds = pairs * (_PAIR + _CELL * size.rows * size.levels**2)
        if self.joint:
            seconds += _TRIPLE * pairs * size.levels**3
        matrices = 3 if self.joint or self.criterion == "ah" else 1
        quicker = "not two links at once" if self.joint else ""
        return Cost(seconds, _BYTES + matrices * _BYTES_A_PAIR * pairs, quicker=quicker)

    def run(self, data: Dataset, progress: Progress = silent) -> LogLinearResult:
        """Select the model.

        Parameters
        ----------
        data : the rows
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`. True logs it (`engine`)

        Returns
        -------
        `LogLinearResult`

        Raises
        ------
        DataError : no rows or no variables
        SettingsError : edges between variables that do not exist, or forced edges that need a forbidden one

        Examples
        --------
        >>> result = engine.LogLinear(criterion="bic").run(sample_data.dataset("two_hospitals"))
        >>> result.cliques[0]
        ('severity', 'admission', 'early_antibiotics')
        """
        return analyse(self, *self._asked(data, progress))

    def stability(self, data: Dataset, runs: int = 100, jobs: int = 1, progress: Progress = silent) -> pd.DataFrame:
        """The share of bootstrap samples in which every edge comes back.

        Samples are searched from no edge, not from `start`, whose edges would come back every time; forced ones do.

        Parameters
        ----------
        data : the rows
        runs : bootstrap samples, at least 1
        jobs : processes to spread them over (equal bits whatever their number)
        progress : as for `run`

        Returns
        -------
        pandas.DataFrame, one row an edge: a, b, share, low and high (its central 95 % interval), in_model

        Raises
        ------
        DataError, SettingsError : as `run`; `runs` below 1
        """
        data, progress = self._asked(data, progress, "stability")
        check_runs(runs)
        learned = 1 / (runs + 1)
        whole = analyse(self, data, part(progress, 0.0, learned))
        afresh = replace(self, start=())  # what a search begins with is never lost: it would come back every time
        task = partial(_once, afresh, data, whole.effect)
        rest = part(progress, learned, 1.0)
        samples = repeat(task, runs, self.seed, jobs=jobs, progress=rest, words="bootstrap samples")
        counts = Counter(edge for edges in samples for edge in edges)
        place = {name: i for i, name in enumerate(data.names)}
        own = whole.edge_values
        edges = sorted({*counts, *own}, key=lambda edge: (place[edge[0]], place[edge[1]]))
        k = np.array([counts[edge] for edge in edges], dtype=float)
        low, high = share_interval(k, runs)
        frame = frames.data_frame(edges, columns=["a", "b"])
        frame = frame.assign(share=k / runs, low=low, high=high, in_model=[edge in own for edge in edges])
        return frame.sort_values("share", ascending=False, kind="stable", ignore_index=True)
