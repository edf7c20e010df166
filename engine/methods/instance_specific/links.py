"""Whether a link matters otherwise for one patient than for the others: every question, one's answer, and the verdict.

Here are the rows like the patient: those that have the patient's values of all other parents of X that are known. The
others are the rest. Which patient is looked at hangs on nobody but the reader, so p is corrected (Holm) and intervals
are widened (Bonferroni) for every contrast that could be asked of any patient of the table: the most striking patient
of many keeps the rates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from statistics import NormalDist

import numpy as np

from engine.graphs.dag import bits
from engine.graphs.pdag import Pdag
from engine.measures.shifts import POWER, Shift, largest_shift, rows_needed
from engine.methods.evidence import CANNOT_TELL, NO, YES, Verdict
from engine.methods.instance_specific.contrasts import (
    FEWEST,
    LEAST_ROWS,
    Contrasts,
    FamilyRows,
    Strata,
    contrasts,
    critical,
)
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.storing import storable
from engine.scores.instance import UNKNOWN, PopulationFamily

CHANCE = 0.05
"""Share of tables without any interaction in which a patient may be told of one."""
MOST_STRATA = 4096
"""Configurations that are compared; of more, those with the most rows."""


@storable
@dataclass(frozen=True)
class Comparison:
    """One link for one patient: the contrast that differs most, and how sure that is. In probability, with sign.

    Attributes
    ----------
    low_level, high_level, level : the shift is the share of X = level at Z = high_level less that at Z = low_level
    here, here_low, here_high : among the rows like the patient, with its own 95 % interval
    others, others_low, others_high : among the others
    difference, difference_low, difference_high : here less others; 95 % over everything that can be asked of the table
    p : after correction for everything that can be asked of the table
    inside : whether every shift here lies within the margin, each with its own 95 % interval
    alike : whether every difference lies within the margin
    units : subjects here; rows where each stands alone
    widened : how many rows here tell as much as one that stands alone
    needed : rows here that would show a difference of the margin 4 times in 5
    """

    low_level: int
    high_level: int
    level: int
    here: float
    here_low: float
    here_high: float
    others: float
    others_low: float
    others_high: float
    difference: float
    difference_low: float
    difference_high: float
    p: float
    inside: bool
    alike: bool
    units: int
    widened: float
    needed: int

    @property
    def differs(self) -> bool:
        """True where it is carried that the link matters otherwise here."""
        return self.p <= CHANCE and (self.difference_low > 0 or self.difference_high < 0)

    @property
    def turned(self) -> bool:
        """True where the shift here and that among the others are sure to have opposite signs."""
        up, down = self.here_low > 0 and self.others_high < 0, self.here_high < 0 and self.others_low > 0
        return up or down


@storable
@dataclass(frozen=True)
class Difference:
    """A link that is sure to matter otherwise for the patients of one context.

    Attributes
    ----------
    source, child : its ends, by name
    given : the context, name -> code of the level
    word : what is said of it, one of `LinkWord`
    here, others : its shift among the rows like these patients and among the others, in probability, with sign
    patients : how many they are
    """

    source: str
    child: str
    given: Mapping[str, int]
    word: str
    here: float
    others: float
    patients: int


class Questions:
    """Every question that one population network allows.

    Parameters
    ----------
    rows : (child, source) of every link -> the child's rows by the source and all that tells patients apart; see
        `conditioning_parents`
    turned : the same links -> the rows of every other variable that may come last among those that stand together, and
        the variables that may shift it; see `turned_families`
    few : whether the rows belong to so few subjects that nothing can be asked
    """

    def __init__(
        self,
        rows: Mapping[tuple[int, int], FamilyRows],
        turned: Mapping[tuple[int, int], Sequence[tuple[FamilyRows, tuple[int, ...]]]] | None = None,
        few: bool = False,
    ) -> None:
        self.rows, self.turned, self.few = rows, turned or {}, few
        self._least: dict[tuple[int, tuple[int, ...]], float] = {}
        self._floor: dict[tuple[int, int], float] = {}
        self._contrasts: dict[tuple[int, int], Contrasts] = {}
        result: list[np.ndarray] = []
        for child, source in rows:
            if len(rows[child, source].family.parents) > 1:
                each = self._whole(child, source)
                task = each.p[:1] if len(each.p) == 2 else each.p  # of two groups each is the other's others
                result.append(task[np.isfinite(task)])
        self.p = np.sort(np.concatenate(result)) if result and not few else np.empty(0)

    @property
    def number(self) -> int:
        """Number of contrasts that can be asked."""
        return max(len(self.p), 1)

    @property
    def least(self) -> float:
        """The smallest corrected p of all; NaN where nothing can be asked."""
        return self.corrected(float(self.p[0])) if len(self.p) else math.nan

    def corrected(self, p: float) -> float:
        """Holm's p of one contrast among all of the table."""
        at = int(np.searchsorted(self.p, p, side="right"))
        steps = (self.number - np.arange(at)) * self.p[:at]
        return float(min(1.0, max(steps.max(initial=0.0), (self.number - max(at - 1, 0)) * p)))

    def _whole(self, child: int, source: int) -> Contrasts:
        """Every configuration of the other parents against the rest."""
        if (child, source) not in self._contrasts:
            every = contrasts(strata_of(self.rows[child, source], source, None)[0])
            self._contrasts[child, source] = replace(every, p=np.maximum(every.p, self._of_turned(child, source)))
        return self._contrasts[child, source]

    def _of_turned(self, child: int, source: int) -> float:
        """The largest p of the link's other directions: none may be free of interaction."""
        if (child, source) not in self._floor:
            result = [self._smallest(rows, sources) for rows, sources in self.turned.get((child, source), ())]
            self._floor[child, source] = max(result, default=0.0)
        return self._floor[child, source]

    def _smallest(self, rows: FamilyRows, sources: Sequence[int]) -> float:
        """The smallest p of every contrast into one variable, times their number; 0 where nothing can be asked."""
        key = (id(rows), tuple(sources))
        if key not in self._least:
            every = [contrasts(strata_of(rows, source, None)[0]).p.ravel() for source in sources]
            p = np.concatenate(every)
            p = p[np.isfinite(p)]
            self._least[key] = float(min(1.0, len(p) * p.min())) if len(p) else 0.0
        return self._least[key]

    def compare(
        self,
        child: int,
        source: int,
        codes: Mapping[int, int],
        margin: float,
        rows: FamilyRows | None = None,
        times: int = 1,
    ) -> Comparison | str:
        """One patient's question of one link."""
        given = self.rows[child, source] if rows is None else rows
        family = given.family
        others = [x for x in family.parents if x != source]
        known = {x: codes[x] for x in others if codes[x] != UNKNOWN}
        if self.few:
            return SUBJECTS
        if not known:
            return ALONE if not others else VALUES
        whole = rows is None and len(known) == len(others) and len(family.configurations) <= MOST_STRATA
        if whole:
            every = self._whole(child, source)
            like = (every.strata.values == [known[x] for x in others]).all(axis=1)
            group = int(np.append(np.flatnonzero(like), -1)[0])
        else:
            parted, there = strata_of(given, source, known)
            every, group = contrasts(parted), 0 if there else -1
            every = replace(every, p=np.maximum(every.p, self._of_turned(child, source)))
        if group < 0:
            return FEW
        tested = every.asked[group]
        if not tested.any():
            few = every.strata.entries is not None and every.subjects[group] < FEWEST
            return SUBJECTS if few else FEW
        return self._comparison_of(every, group, margin, times)

    def _comparison_of(self, every: Contrasts, group: int, margin: float, times: int) -> Comparison:
        tested, size = every.asked[group], np.abs(np.nan_to_num(every.statistic[group], nan=-1.0))
        p = np.where(tested, every.p[group], 2.0)
        tied = np.flatnonzero((p == p.min()).ravel())
        distance = np.abs(np.nan_to_num(every.here[group] - every.others[group])).ravel()
        best = int(tied[np.lexsort((-distance[tied], -size.ravel()[tied]))[0]])
        pair, level = divmod(best, tested.shape[1])
        chance = CHANCE / (self.number * times)
        *_, low, high = every.interval(group, chance)
        here_low, here_high, others_low, others_high, _, _ = every.interval(group, CHANCE)
        alike = bool((np.maximum(-low, high)[tested] < margin).all() and tested.all())
        inside = bool((np.maximum(-here_low, here_high)[tested] < margin).all())
        reach = critical(every.freedom[group], chance)[:, None] + NormalDist().inv_cdf(POWER)
        worst = float(np.where(tested, reach * every.error[group], 0.0).max())
        at, here, others = (pair, level), every.here[group], every.others[group]
        levels = int(every.pairs[pair, 0]), int(every.pairs[pair, 1]), int(every.levels[level])
        own = float(here[at]), float(here_low[at]), float(here_high[at])
        theirs = float(others[at]), float(others_low[at]), float(others_high[at])
        difference = float(here[at] - others[at]), float(low[at]), float(high[at])
        p_corrected = min(1.0, times * self.corrected(float(every.p[group][at])))
        units = int(every.subjects[group]), float(every.widened[group].max())
        needed = max(1, math.ceil(every.rows[group] * (worst / margin) ** 2))
        return Comparison(*levels, *own, *theirs, *difference, p_corrected, inside, alike, *units, needed)


def conditioning_parents(cpdag: Pdag, parents: Sequence[Sequence[int]]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Context of each link when it is asked about: the child's other parents, those of equal networks too.

    Where the link has no direction, neither have those to what both ends are tied to; in an equivalent network these
    stand before the child, and its distribution given them is one that the data settle as well.
    """
    result = {}
    for child, group in enumerate(parents):
        for source in group:
            conditions = list(group)
            if cpdag.neighbours[child] >> source & 1:
                for x in bits(cpdag.neighbours[child] & cpdag.neighbours[source]):
                    if x not in conditions and all(cpdag.adjacent(x) >> other & 1 for other in conditions):
                        conditions.append(x)
            result[child, source] = tuple(sorted(conditions))
    return result


def turned_families(
    cpdag: Pdag, questions: Mapping[tuple[int, int], tuple[int, ...]]
) -> dict[tuple[int, int], tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]]:
    """The other directions of each link that has none: who may come last among the variables that stand together.

    Effects on one of them that add up need not add up on another: in points they do so for one direction only.
    """
    result = {}
    for (child, source), group in questions.items():
        loose = tuple(x for x in group if cpdag.neighbours[child] >> x & 1)
        if source in loose and len(group) > 1:
            result[child, source] = tuple(
                (
                    last,
                    tuple(sorted({*group, child} - {last})),
                    tuple(sorted({*loose, child} - {last})),
                )
                for last in loose
            )
    return result


ALONE = "it is the only link into its variable, and a comparison needs a second parent"
VALUES = "the patient's values of the other variables are unknown"
FEW = f"fewer than {LEAST_ROWS} rows of two values stand here or among the others"
SUBJECTS = f"fewer than {FEWEST} other subjects stand here or among the others"
"""Why a link could not be asked about."""


def strata_of(rows: FamilyRows, source: int, known: Mapping[int, int] | None) -> tuple[Strata, bool]:
    """A family's rows by the values of the parents other than one."""
    family, subjects = rows.family, rows.subjects
    place = family.parents.index(source)
    others = [i for i in range(len(family.parents)) if i != place]
    levels = int(family.configurations[:, place].max(initial=0)) + 1
    values, which = np.unique(family.configurations[:, others], axis=0, return_inverse=True)
    which = which.reshape(-1)
    counts = np.zeros((len(values), levels, family.counts.shape[1]), dtype=np.int64)
    np.add.at(counts, (which, family.configurations[:, place]), family.counts)
    there = True
    if known is None:
        group = np.arange(len(values))
    else:
        fixed = [k for k, i in enumerate(others) if family.parents[i] in known]
        agree = (values[:, fixed] == [known[family.parents[others[k]]] for k in fixed]).all(axis=1)
        there = bool(agree.any())
        group = np.where(agree, 0, 1) if there else np.zeros(len(values), dtype=np.int64)
    stays = np.arange(len(values))
    if len(values) > MOST_STRATA:
        size = counts.sum(axis=(1, 2)) + (0 if known is None else (group == 0) * (counts.sum() + 1))
        stays = np.sort(np.argsort(-size, kind="stable")[:MOST_STRATA])
        group = np.arange(len(stays)) if known is None else group[stays]
    entries = None
    if subjects is not None:
        back = np.full(len(values), -1)
        back[stays] = np.arange(len(stays))
        stratum = back[which[subjects.configuration]]
        inside = stratum >= 0
        source_level = family.configurations[subjects.configuration, place]
        number = np.unique(subjects.number, return_inverse=True)[1]
        parts = (number, stratum, source_level, subjects.level, subjects.count)
        entries = tuple(part[inside] for part in parts)
    return Strata(counts[stays], group, entries, values[stays]), there


class LinkWord(StrEnum):
    """The verdict on a link."""

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
        """Number of rows like the patient."""
        return int(self.counts.sum())

    @property
    def asked(self) -> bool:
        """True where it was asked if the link matters otherwise here than among the others."""
        return self.compared is not None

    @property
    def told(self) -> bool:
        """True where it is carried that the link is another for this patient than for the others."""
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
        rows = wider if added else None if others is None else others(source)
        family = (questions.rows[choice.child, source] if rows is None else rows).family
        counts = _like(family, source, codes)
        answer = questions.compare(choice.child, source, codes, margin, rows, times=candidates if added else 1)
        compared = answer if isinstance(answer, Comparison) else None
        divisor = by if compared is None else compared.widened
        wanted = None if compared is not None else rows_needed(counts, margin)
        needed = compared.needed if compared is not None else None if wanted is None else math.ceil(wanted * divisor)
        why_not = "" if isinstance(answer, Comparison) else answer
        beside = tuple(x for x in family.parents if x != source)
        about, word = (source, choice.child, beside, status, *weighed(choice, source)), str(judged(status, compared))
        result.append(Link(*about, counts, divisor, compared, why_not, needed, word))
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
    """Say if a link was weighed, with its probability given the population's, and the log Bayes factor for it.

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


def agreeing(family: PopulationFamily, codes: Mapping[int, int], group: Iterable[int]) -> np.ndarray:
    """(J,) which configurations of a family have the patient's known values of some of its parents."""
    known = {x for x in group if codes[x] != UNKNOWN}
    fixed = [i for i, x in enumerate(family.parents) if x in known]
    agree: np.ndarray = (family.configurations[:, fixed] == [codes[family.parents[i]] for i in fixed]).all(axis=1)
    return agree


def _like(family: PopulationFamily, source: int, codes: Mapping[int, int]) -> np.ndarray:
    """(levels of the source, r) rows that have the patient's known values of all other parents."""
    place = family.parents.index(source)
    levels = int(family.configurations[:, place].max(initial=0)) + 1
    agree = agreeing(family, codes, set(family.parents) - {source})
    which = family.configurations[agree, place] == np.arange(levels)[:, None]
    result: np.ndarray = which.astype(np.int64) @ family.counts[agree]
    return result


def nearest_misses(links: Iterable[Link]) -> list[Link]:
    """The two links that come nearest to being another for this patient without it being carried."""
    near = [(link.compared, link) for link in links if link.compared is not None and not link.told]
    return [link for _, link in sorted(near, key=lambda pair: (pair[0].p, pair[0].needed))][:2]
