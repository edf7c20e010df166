"""Which results are compared, what came of it, and the shuffles behind it: remembered as long as the table is open."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dashboard.jobs.pace import Pace
from engine import compare
from engine.comparison.compare import rerun_shuffles
from engine.comparison.difference import Compare
from engine.execution import Progress, silent
from engine.methods.cost import Size
from engine.methods.group_pair import control_first
from engine.methods.method import Method

if TYPE_CHECKING:
    from dashboard.jobs.runner import Job
    from dashboard.session.cards import Card
    from dashboard.session.session import Session
    from engine import Dataset
    from engine.comparison.result import ComparisonResult

Link = tuple[str, str]

BATCH = 20
"""Shuffles of one job: after so many there is an answer, however many are wanted."""
WIDE = 60
"""Variables beyond which links are tested in a job of its own."""
REMEMBERED = 8
LEAST = 0.02
"""Seconds of a run: nothing is learned and tested in less."""


@dataclass
class Shuffling:
    """The shuffles of one comparison, a batch at a time.

    Attributes
    ----------
    wanted : how many there shall be
    job : the batch that is being made
    done : shuffles that there are
    reports : (moment in seconds, how many shuffles there were) of the batches that are done
    """

    wanted: int = 0
    job: Job | None = None
    done: int = 0
    reports: list[tuple[float, float]] = field(default_factory=list)

    def want(self, runs: int) -> None:
        """Somebody asks for so many more."""
        self.reports.clear()
        self.wanted = self.done + runs

    @property
    def fraction(self) -> float:
        """How much of what is wanted is done."""
        now = 0.0 if self.job is None else self.job.fraction * BATCH
        return min((self.done + now) / self.wanted, 1.0) if self.wanted else 0.0

    @property
    def ready(self) -> int:
        """How many there are, with those of the batch that is being made."""
        return round(self.fraction * self.wanted)

    @property
    def seconds_left(self) -> float | None:
        """See `Pace`, over all batches since somebody asked for more."""
        if self.job is None or not self.wanted:
            return None
        pace = Pace()
        for moment, number in (*self.reports, *self._reports_of(self.job)):
            pace.add(moment, number / self.wanted)
        return pace.seconds_left(time.monotonic())

    def take(self, job: Job) -> None:
        """A batch is done: its reports are remembered."""
        self.reports += self._reports_of(job)

    def _reports_of(self, job: Job) -> list[tuple[float, float]]:
        """When how many shuffles were there, in the batch that comes after those that are done."""
        return [(moment, self.done + fraction * BATCH) for moment, fraction in job.pace.reports]


@dataclass
class Comparisons:
    """State of the page that compares.

    Attributes
    ----------
    results : what was compared -> what came of it, the latest last
    shuffling : what was compared -> its shuffles
    links : what was compared -> the link that is looked at; None where none is
    pairs : what was compared -> the two groups that are drawn, where they are not chosen in the list of results
    asked : the settings and the column whose groups are being learned for a comparison; None where none are
    begun : (fingerprint, column) of the table whose groups were learned without a press; None where none were
    kept : what became a result without a press, which is not done again once it is deleted
    """

    results: OrderedDict[Hashable, ComparisonResult] = field(default_factory=OrderedDict)
    shuffling: dict[Hashable, Shuffling] = field(default_factory=dict)
    links: dict[Hashable, Link | None] = field(default_factory=dict)
    pairs: dict[Hashable, Link] = field(default_factory=dict)
    asked: tuple[Method, str] | None = None
    begun: tuple[str, str] | None = None
    kept: set[Hashable] = field(default_factory=set)

    def put(self, key: Hashable, result: ComparisonResult) -> ComparisonResult:
        """Remember a comparison, and forget the one that was looked at longest ago."""
        self.results[key] = result
        self.results.move_to_end(key)
        while len(self.results) > REMEMBERED:
            oldest, _ = self.results.popitem(last=False)
            self.shuffling.pop(oldest, None)
            self.links.pop(oldest, None)
        return result

    def shuffles(self, key: Hashable) -> Shuffling:
        """The shuffles of a comparison, made on first use."""
        return self.shuffling.setdefault(key, Shuffling())


def compared(
    answers: Sequence[Any],
    parts: Sequence[Dataset] | None,
    method: Compare,
    networks: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> ComparisonResult:
    """The comparison of answers; what a job runs where there are many variables."""
    return compare(
        *answers, data=parts, draws=method.draws, seed=method.seed, p_none=method.p_none,
        networks=dict(networks or {}) or None, progress=progress,
    )  # fmt: skip


def shuffled(result: ComparisonResult, parts: Sequence[Dataset], progress: Progress = silent) -> ComparisonResult:
    """The comparison with one batch of shuffles more; what a job runs."""
    return rerun_shuffles(result, parts, BATCH, progress=progress)


def sibling_groups(card: Card, cards: Iterable[Card], whole: Dataset | None) -> list[Card]:
    """The cards of the same settings for every group of the same column of the same table, the control first.

    Parameters
    ----------
    card : of one group
    cards : among which they are
    whole : the open table, which knows the order: a control first
    """
    mine = card.data
    if mine is None or mine.split_by is None:
        return []
    column = mine.split_by[0]
    result: dict[str, Card] = {}
    for other in cards:
        of = None if other.data is None or other.data.whole != mine.whole else other.data.split_by
        if of is not None and of[0] == column and other.result.method == card.result.method:
            result.setdefault(of[1], other)
    known = whole is not None and whole.fingerprint == mine.whole and column in whole
    order = list(control_first(whole, column)) if known and whole is not None else list(result)
    return [result[level] for level in order if level in result]


def parts_behind(result: ComparisonResult, data: Dataset | None) -> list[Dataset]:
    """The rows of the groups of a comparison, out of the whole table; none where that is not at hand."""
    if data is None or not result.group or result.group not in data or not data.is_of(result.fingerprint):
        return []
    parts = data.split(result.group)
    return [parts[level] for level in result.levels] if set(result.levels) <= set(parts) else []


def seconds_of(runs: int, result: ComparisonResult, cards: Sequence[Card], parts: Sequence[Dataset]) -> float:
    """What so many shuffles take: by those that there are, else by the cards, else as the methods expect."""
    if result.shuffles is not None and result.shuffles.many:
        return runs * result.shuffles.seconds / result.shuffles.many
    if cards and all(card.seconds is not None for card in cards):
        return runs * sum(max(card.seconds or 0.0, LEAST) for card in cards)
    return runs * _expected(result, parts)


def _expected(result: ComparisonResult, parts: Sequence[Dataset]) -> float:
    """Seconds of learning every network once, as the methods tell beforehand; 0 where they do not."""
    pairs = zip(result.learned, parts, strict=False)
    return sum(answer.method.cost(Size.of(part)).seconds for answer, part in pairs)


def begin_batch(state: Session, key: Hashable, result: ComparisonResult, parts: Sequence[Dataset]) -> None:
    """Start the next batch."""
    shuffling = state.state(Comparisons).shuffles(key)
    name = ("shuffles", key, shuffling.done)
    shuffling.job = state.job_queue.start(name, shuffled, result, list(parts), place="compare.shuffles")


def take_batch(state: Session, key: Hashable) -> None:
    """Take what a batch has found that has ended; where it was stopped, what there is stays."""
    comparisons = state.state(Comparisons)
    shuffling, result = comparisons.shuffles(key), comparisons.results[key]
    job = shuffling.job
    if job is not None and not job.active:
        shuffling.job = None
        if job.state == "done":
            result = comparisons.put(key, job.result)
            shuffling.take(job)
        else:
            shuffling.wanted = shuffling.done
    shuffling.done = 0 if result.shuffles is None else result.shuffles.many
