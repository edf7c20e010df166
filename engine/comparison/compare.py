"""`engine.compare`: two to six answers beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.comparison.difference import DRAWS, Compare
from engine.comparison.links import MOST_GROUPS, check_parts
from engine.comparison.result import ComparisonResult
from engine.comparison.shuffles import shuffle
from engine.comparison.structure import BareNetwork
from engine.data.dataset import Dataset, as_dataset
from engine.errors import DataError
from engine.exchange.network_reader import read_graph
from engine.execution import Progress, as_progress, part, silent
from engine.lazy import nx
from engine.methods.result import Result
from engine.resampling import check_runs

SHUFFLES = 100
"""Shuffles of `search_again=True`."""


def compare(
    *answers: Result | nx.Graph | bytes,
    data: Sequence[Dataset] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    p_none: float = 0.5,
    search_again: bool | int = False,
    networks: Mapping[str, str] | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> ComparisonResult:
    """Which links differ between two to six answers: with sign, interval, corrected p and a word.

    Every pair of variables is estimated in every group on a scale that neither rows nor margins move (unless the link
    itself depends on a third variable or on the step), whether or not a search took it, and all differences are tested
    together (see `engine.comparison.difference`). Without the rows, and across methods or tables, only what the answers
    share is told. `networks` is for what they share; links are tested of the first network of each.

    Parameters
    ----------
    answers : of one method's runs on different rows of one table (see `engine.by_group`); or networkx graphs, or the
        content of a network's file (see `engine.exchange.read_graph`)
    data : what each was made from
    draws : of the estimates' error behind each p
    seed : all randomness comes from it
    p_none : prior probability that no link differs, above 0 and below 1
    search_again : learn every network again in shuffles of the rows as a second opinion; True for 100 shuffles
    networks : title of a network in the first -> title in the second, for other pairs; of two answers
    jobs : processes to spread the shuffles over
    progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

    Returns
    -------
    `ComparisonResult`, a result

    Raises
    ------
    DataError : something else than these, fewer than two or more than six, answers that share no variable, or rows that
        an answer was not made from
    SettingsError : a setting out of its bounds

    Examples
    --------
    >>> parts = engine.by_group(sample_data.dataset("two_hospitals"), "hospital").values()
    >>> a, b = (engine.LogLinear().run(part) for part in parts)
    >>> found = engine.compare(a, b, data=tuple(parts))
    >>> found.links()[["source", "target", "word", "what"]].iloc[0].tolist()
    ['severity', 'early_antibiotics', 'probably differs', 'stronger in North']
    """
    method, progress = Compare(draws=draws, seed=seed, p_none=p_none), as_progress(progress)
    given = [answer_of(answer, "engine.compare") for answer in answers]
    if not 2 <= len(given) <= MOST_GROUPS:
        raise DataError(f"engine.compare takes two to {MOST_GROUPS} answers, not {len(given)}.")
    if networks is not None and len(given) > 2:
        raise DataError("Pairs of networks can be chosen for two answers only.")
    parts = None if data is None else [as_dataset(value, "engine.compare(a, b, data=(...))") for value in data]
    runs = SHUFFLES if search_again is True else search_again
    if search_again is False:
        return ComparisonResult.of(given, parts, method, networks, progress)
    check_runs(runs)
    result = ComparisonResult.of(given, parts, method, networks, part(progress, 0.0, 1 / (runs + 1)))
    return rerun_shuffles(result, parts or (), runs, jobs=jobs, progress=part(progress, 1 / (runs + 1), 1.0))


def rerun_shuffles(
    result: ComparisonResult,
    parts: Sequence[Dataset],
    runs: int,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> ComparisonResult:
    """The comparison with more shuffles in which every network is learned again."""
    if result.test is None:
        raise DataError(f"The networks cannot be learned again in shuffles. {result.no_test}")
    answers = result.learned
    if len({part.names for part in parts}) > 1:
        raise DataError("The answers are about different variables, so shuffled rows cannot be asked in the same way.")
    if len(answers) < len(result.answers):
        raise DataError("A network that is no answer of a method cannot be learned again in shuffles.")
    check_parts(answers, parts)
    previous = result.shuffles
    begun = 0 if previous is None else previous.many
    more = shuffle(answers, parts, runs, result.method.seed, begun=begun, jobs=jobs, progress=as_progress(progress))
    return replace(result, shuffles=more if previous is None else previous + more)


def answer_of(given: Any, call: str) -> Result | BareNetwork:
    """An answer as it is, a networkx graph or the content of a network's file as a bare network."""
    if isinstance(given, Result | BareNetwork):
        if isinstance(given, Result) and given.several:
            raise DataError(given.several)
        return given
    if isinstance(given, bytes | bytearray):
        given = read_graph(bytes(given))
    if not (hasattr(given, "is_directed") and hasattr(given, "nodes") and hasattr(given, "edges")):
        raise DataError(
            f"{call} takes the results of two runs, networkx graphs, or the content of a network's file, not a "
            f"{type(given).__name__}."
        )
    if given.is_multigraph():
        raise DataError("A network with several edges between two variables cannot be compared; keep one of each.")
    names = [str(node) for node in given.nodes]
    if len(set(names)) != len(names):
        raise DataError("Two variables of the network have the same name as texts; give each its own.")
    return BareNetwork.of(given)
