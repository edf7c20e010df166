"""`engine.compare`: two to six answers beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.comparison.difference import DRAWS, find_differences
from engine.comparison.links import (
    MOST_GROUPS,
    Answer,
    LinkEstimates,
    check_parts,
    estimate_links,
    testable,
    why_no_test,
)
from engine.comparison.result import Comparison, label_of
from engine.comparison.settings import Compare
from engine.comparison.shuffles import shuffle
from engine.comparison.sides import answer_of, side_of
from engine.comparison.structure import share_structure
from engine.comparison.table import LinkTest
from engine.data.checks import as_dataset
from engine.errors import DataError
from engine.execution import Progress, as_progress, silent
from engine.methods.made import Made
from engine.methods.result import Result

if TYPE_CHECKING:
    import networkx as nx

    from engine.data.dataset import Dataset

NO_DATA = "No rows were given with the answers, so only their structure is compared."
SHUFFLES = 100
"""Shuffles of `search_again=True`."""


def compare(
    *answers: Result | nx.Graph | bytes,
    data: Sequence[Dataset] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    search_again: bool | int = False,
    networks: Mapping[str, str] | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> Comparison:
    """Which links differ between two to six answers: with sign, interval, corrected p and a word.

    Every pair of variables is estimated in every group on a scale that neither rows nor margins move, whether or not a
    search took it, and all differences are tested together (see `engine.comparison.difference`). Without the rows, and
    across methods or tables, only what the answers share is told.

    Parameters
    ----------
    answers : of one method's runs on different rows of one table (see `engine.by_group`); or networkx graphs, or the
        content of a network's file (see `engine.exchange.read_graph`)
    data : what each was made from
    draws : of the estimates' error behind each p
    seed : all randomness comes from it
    search_again : learn every network again in shuffles of the rows as a second opinion; True for 100 shuffles
    networks : title of a network in the first -> title in the second, for other pairs; of two answers
    jobs : processes to spread the shuffles over
    progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

    Returns
    -------
    `Comparison`, a result

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
    >>> found.links()[["source", "target", "word"]].iloc[0].tolist()
    ['night_admission', 'early_antibiotics', 'turns its sign']
    """
    method, progress = Compare(draws=draws, seed=seed), as_progress(progress)
    given = [answer_of(answer, "engine.compare") for answer in answers]
    if not 2 <= len(given) <= MOST_GROUPS:
        raise DataError(f"engine.compare takes two to {MOST_GROUPS} answers, not {len(given)}.")
    if networks is not None and len(given) > 2:
        raise DataError("Pairs of networks can be chosen for two answers only.")
    parts = None if data is None else [as_dataset(one, "engine.compare(a, b, data=(...))") for one in data]
    found = compare_parts(given, parts, method, networks)
    if not search_again:
        return found
    runs = SHUFFLES if search_again is True else search_again
    return search_links_again(found, parts or (), runs, jobs=jobs, progress=progress)


def compare_parts(
    answers: Sequence[Answer],
    parts: Sequence[Dataset] | None,
    method: Compare,
    networks: Mapping[str, str] | None = None,
) -> Comparison:
    """The comparison of answers that were looked at."""
    sides = [side_of(answer) for answer in answers]
    for one in sides[1:]:
        share_structure(sides[0], one, networks)  # refuses what cannot be compared
    names = tuple(name for name in sides[0].names if all(name in side.names for side in sides))
    why = NO_DATA
    if parts is not None:
        check_parts(answers, parts)
        why = why_no_test(answers, parts)
    test = None if why or parts is None else _test(answers, parts, method, names)
    group, labels = _labels(answers, parts)
    return Comparison(
        method,
        names,
        _fingerprint(answers, parts),
        _made(answers, parts),
        tuple(answers),
        labels,
        tuple(_rows(answers, parts)),
        group,
        test,
        why,
        dict(networks or {}),
    )


def search_links_again(
    found: Comparison,
    parts: Sequence[Dataset],
    runs: int,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Comparison:
    """The comparison with more shuffles in which every network is learned again.

    Parameters
    ----------
    found : a tested comparison; shuffles that it has already are kept
    parts : the rows of its groups
    runs : how many shuffles more
    jobs : processes to spread them over
    progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

    Returns
    -------
    `Comparison`

    Raises
    ------
    DataError : nothing was tested, an answer was not made from its rows or cannot be learned again
    SettingsError : runs is no number of runs
    """
    if found.test is None:
        raise DataError(f"The networks cannot be learned again in shuffles. {found.no_test}")
    answers = [answer for answer in found.answers if isinstance(answer, Result)]
    if len(answers) < len(found.answers):
        raise DataError("A network that is no answer of a method cannot be learned again in shuffles.")
    check_parts(answers, parts)
    before = found.shuffles
    begun = 0 if before is None else before.many
    more = shuffle(answers, parts, runs, found.method.seed, begun=begun, jobs=jobs, progress=as_progress(progress))
    return replace(found, shuffles=more if before is None else before + more)


def compare_chance(
    a: Result,
    b: Result,
    data_a: Dataset,
    data_b: Dataset,
    *,
    repeats: int = 200,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = silent,
) -> Comparison:
    """`compare(a, b, data=(data_a, data_b), search_again=repeats)`; kept until version 0.2.

    Parameters
    ----------
    a, b : answers of one method
    data_a, data_b : what they were made from
    repeats, seed, jobs, progress : as `compare` takes them

    Returns
    -------
    `Comparison`

    Examples
    --------
    >>> parts = engine.by_group(sample_data.dataset("two_hospitals"), "hospital").values()
    >>> a, b = (engine.LogLinear().run(part) for part in parts)
    >>> engine.compare_chance(a, b, *parts, repeats=5).shuffles.many
    5
    """
    return compare(a, b, data=(data_a, data_b), seed=seed, search_again=repeats, jobs=jobs, progress=progress)


def _test(answers: Sequence[Answer], parts: Sequence[Dataset], method: Compare, names: Sequence[str]) -> LinkTest:
    variables = testable(answers, parts)
    found = estimate_links(answers, parts, variables)
    differences = find_differences(found.groups, method.draws, method.seed)
    constant = tuple(name for name in names if name not in variables)
    return LinkTest(found.scale, variables, found.pairs, _level_words(found, parts[0]), differences, constant)


def _level_words(found: LinkEstimates, data: Dataset) -> tuple[str, ...]:
    """What is set against what in each number: '' where it is all levels in their order."""
    words = []
    for pair, sides in zip(found.pairs, found.levels, strict=True):
        said = []
        for x, (low, high) in zip(pair, sides, strict=True):
            levels = data.levels[found.variables[x]]
            if low >= 0:
                said.append(f"{levels[low]} v rest" if high < 0 else f"{levels[high]} v {levels[low]}")
        words.append(", ".join(said))
    return tuple(words)


def _labels(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> tuple[str, tuple[str, ...]]:
    """The column that parts the rows, and what the groups are called."""
    split = [part.split_by for part in parts or ()]
    columns = {one[0] for one in split if one is not None}
    if split and None not in split and len(columns) == 1 and len(set(split)) == len(split):
        return columns.pop(), tuple(label_of(*one) for one in split if one is not None)
    return "", tuple("ABCDEF"[: len(answers)])


def _fingerprint(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> str:
    """Of the table that the rows were taken out of; joined where there are several."""
    if parts is not None:
        found = [part.whole for part in parts]
    else:
        found = [answer.fingerprint for answer in answers if isinstance(answer, Result)]
    return "-".join(dict.fromkeys(found))


def _rows(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> list[int]:
    if parts is not None:
        return [part.n_rows for part in parts]
    return [answer.made.rows_used if isinstance(answer, Result) else 0 for answer in answers]


def _made(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> Made:
    """Of the first answer, with the rows of all and what is said of any's rows."""
    named: list[Any] = [answer.made for answer in answers if isinstance(answer, Result)]
    named = named or [Made.of(part) for part in parts or ()] or [Made(0, 0, {})]
    said = tuple(dict.fromkeys(sentence for made in named for sentence in made.rows))
    used = sum(_rows(answers, parts))
    return replace(named[0], rows_used=used, rows_given=max(used, *(made.rows_given for made in named), 0), rows=said)
