"""What may be said of one link for one patient: its comparison with the others, and the verdict.

A link from Z to X is looked at among the rows like the patient: those that have the patient's values of all other
parents of X that are known. The others are the rows with other values of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from engine.measures.shifts import Shift, largest_shift, rows_needed
from engine.methods.instance_specific.contrasts import FamilyRows
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.instance_specific.questions import Comparison, Questions
from engine.methods.result import CANNOT_TELL, NO, YES, Verdict
from engine.methods.storing import storable
from engine.scores.instance import UNKNOWN, PopulationFamily


class LinkWord(StrEnum):
    """What is said of a link."""

    MORE = "matters more"
    LESS = "matters less"
    TURNED = "matters the other way round"
    NO_LONGER = "no longer matters"
    ALSO = "also matters"
    NOTHING_SEEN = "no difference seen"
    CANNOT_TELL = "cannot tell"
    NOT_ASKED = "not asked"
    DIFFERENTLY = "matters differently"
    """The kind of claim that `MORE`, `LESS`, `TURNED` and `ALSO` make; no link has it for its word."""


TOLD = (LinkWord.NO_LONGER, LinkWord.LESS, LinkWord.MORE, LinkWord.TURNED, LinkWord.ALSO)
"""Words of a link that is another for this patient than for the others."""


@storable
@dataclass(frozen=True, eq=False)
class Link:
    """One link of the population's network, or of the patient's, for one patient. Positions as in the population's.

    Attributes
    ----------
    source, child : where it runs
    beside : the other variables whose values set the patient apart
    status : "kept", "dropped" or "added"
    weighed : whether any parents but the population's could have been chosen
    applies : probability that it applies, given that the population has it; NaN where it was not weighed
    log_bayes_factor : natural log, what the rows multiply the odds that it applies by; NaN where it was not weighed
    counts : (levels of the source, levels of the child) rows like the patient
    divided_by : how many of them tell as much as one that stands alone
    compared : the shift here and among the others; None where that could not be asked
    why_not : why it could not be asked
    needed : rows like the patient that would show a difference of the margin 4 times in 5; where nothing was asked, a
        shift of it; None without two groups
    word : one of `LinkWord`
    """

    source: int
    child: int
    beside: tuple[int, ...]
    status: str
    weighed: bool
    applies: float
    log_bayes_factor: float
    counts: np.ndarray
    divided_by: float
    compared: Comparison | None
    why_not: str
    needed: int | None
    word: str

    @cached_property
    def here(self) -> Shift:
        """The largest shift of the child's shares among the rows like the patient."""
        return largest_shift(self.counts if self.divided_by == 1 else self.counts / self.divided_by)

    @property
    def verdict(self) -> Verdict:
        """The state of "it applies to the patient"."""
        if self.word == LinkWord.NO_LONGER:
            return NO
        if self.word in (LinkWord.MORE, LinkWord.TURNED, LinkWord.ALSO):
            return YES
        return YES if self.word != LinkWord.NOT_ASKED and self.here.low > 0 else CANNOT_TELL

    @property
    def rows(self) -> int:
        """How many rows are like the patient."""
        return int(self.counts.sum())

    @property
    def asked(self) -> bool:
        """Whether it was asked if the link matters otherwise here than among the others."""
        return self.compared is not None

    @property
    def told(self) -> bool:
        """Whether it is carried that the link is another for this patient than for the others."""
        return self.word in TOLD


def links_of(
    questions: Questions,
    choice: NodeChoice,
    codes: Mapping[int, int],
    margin: float,
    *,
    wider: FamilyRows | None = None,
    others: Callable[[int], FamilyRows] | None = None,
    candidates: int = 1,
    by: float = 1.0,
) -> tuple[Link, ...]:
    """Every link into one variable."""
    result = []
    for source in sorted({*choice.population, *choice.parents}):
        added = source not in choice.population
        status = "added" if added else "kept" if source in choice.parents else "dropped"
        weighed_at_all, applies, factor = weighed(choice, source)
        rows = wider if added else None if others is None else others(source)
        family = (questions.rows[choice.child, source] if rows is None else rows).family
        counts = _like(family, source, codes)
        answer = questions.compare(choice.child, source, codes, margin, rows, times=candidates if added else 1)
        compared = answer if isinstance(answer, Comparison) else None
        divisor = by if compared is None else compared.widened
        wanted = None if compared is not None else rows_needed(counts, margin)
        result.append(
            Link(
                source,
                choice.child,
                tuple(x for x in family.parents if x != source),
                status,
                weighed_at_all,
                applies,
                factor,
                counts,
                divisor,
                compared,
                "" if isinstance(answer, Comparison) else answer,
                compared.needed if compared is not None else None if wanted is None else math.ceil(wanted * divisor),
                str(judged(status, compared)),
            )
        )
    return tuple(result)


def judged(status: str, compared: Comparison | None) -> LinkWord:
    """The word for a link."""
    if compared is None:
        return LinkWord.NOT_ASKED
    if not compared.differs:
        return LinkWord.NOTHING_SEEN if compared.alike else LinkWord.CANNOT_TELL
    if compared.turned:
        return LinkWord.TURNED
    if abs(compared.here) < abs(compared.others):
        return LinkWord.NO_LONGER if compared.inside else LinkWord.LESS
    return LinkWord.ALSO if status == "added" else LinkWord.MORE


def weighed(choice: NodeChoice, source: int) -> tuple[bool, float, float]:
    """Whether a link was weighed, its probability given the population's, and the log Bayes factor for it.

    It was weighed where a set of parents with it and one without it could both be chosen. In published mode there are
    no probabilities; a link was weighed there unless it is the only one into its head.
    """
    if not choice.pool:
        return source not in choice.parents or len(choice.parents) > 1, math.nan, math.nan
    there = np.arange(len(choice.gains)) >> choice.pool.index(source) & 1 == 1 if source in choice.pool else None
    possible = np.isfinite(choice.gains)
    if there is None or not (possible & there).any() or not (possible & ~there).any():
        return False, math.nan, math.nan
    weights = choice.gains + choice.costs
    odds = _sum(weights[possible & there]) - _sum(weights[possible & ~there])
    prior_odds = _sum(choice.costs[possible & there]) - _sum(choice.costs[possible & ~there])
    return True, choice.arc_probabilities[source], odds - prior_odds


def _sum(logs: np.ndarray) -> float:
    """Natural log of the sum of what these are the logs of."""
    most = float(logs.max())
    return most + math.log(float(np.exp(logs - most).sum()))


def _like(family: PopulationFamily, source: int, codes: Mapping[int, int]) -> np.ndarray:
    """(levels of the source, r) rows that have the patient's known values of all other parents."""
    place = family.parents.index(source)
    levels = int(family.configurations[:, place].max(initial=0)) + 1
    fixed = [i for i, x in enumerate(family.parents) if x != source and codes[x] != UNKNOWN]
    agree = (family.configurations[:, fixed] == [codes[family.parents[i]] for i in fixed]).all(axis=1)
    which = family.configurations[agree, place] == np.arange(levels)[:, None]
    result: np.ndarray = which.astype(np.int64) @ family.counts[agree]
    return result


def nearest_misses(links: Iterable[Link], most: int = 2) -> list[Link]:
    """The links that come nearest to being another for this patient without it being carried."""
    near = [
        (link.compared.p, link.compared.needed, link) for link in links if link.compared is not None and not link.told
    ]
    return [entry for *_, entry in sorted(near, key=lambda item: item[:2])][:most]
