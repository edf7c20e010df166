"""What may be said of one link for one patient: how far it shifts the shares here and among others, and the verdict.

A link from Z to X is looked at among the rows like the patient: those that have the patient's values of the other
variables that X depends on for the patient. The others are the rows with other values of these, stratum by stratum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.measures.shifts import UNKNOWN_SHIFT, Shift, common_shift, largest_difference, largest_shift, rows_needed
from engine.methods.instance_specific.order_kept import NodeChoice
from engine.methods.result import CANNOT_TELL, NO, YES
from engine.scores.instance import UNKNOWN, PopulationFamily

NO_LONGER, DIFFERENTLY, ALSO = "no longer matters", "matters differently", "also matters"
APPLIES, LITTLE, NOT_ASKED = "applies", "matters by less than the margin", "not asked"
MOST_STRATA = 4096
"""Configurations of other patients that are compared with; of more, those with the most rows."""


@dataclass(frozen=True, eq=False)
class Link:
    """One link of the population's network, or of the patient's, for one patient. Positions as in the population's.

    Attributes
    ----------
    source, child : where it runs
    status : "kept", "dropped" or "added"
    asked : whether any answer but the population's was weighed
    applies : probability that it applies, given that the population has it; NaN where it was not asked
    log_bayes_factor : natural log, what the rows multiply the odds that it applies by; NaN where it was not asked
    counts : (levels of the source, levels of the child) rows like the patient
    here : the largest shift of the child's shares among them;  others : the same among the others, NaN without any
    difference : how far the two lie apart
    needed : rows like the patient that would show a shift of the margin 4 times in 5; None without two groups
    verdict, word : of the three states, and the word for it
    """

    source: int
    child: int
    status: str
    asked: bool
    applies: float
    log_bayes_factor: float
    counts: np.ndarray
    here: Shift
    others: float
    difference: Shift
    needed: int | None
    verdict: str
    word: str

    @property
    def rows(self) -> int:
        """How many rows are like the patient."""
        return int(self.counts.sum())

    @property
    def told(self) -> bool:
        """Whether it is carried that the link is another for this patient than for the population."""
        return self.word in (NO_LONGER, DIFFERENTLY, ALSO)


def links_of(family: PopulationFamily, choice: NodeChoice, codes: Mapping[int, int], margin: float) -> tuple[Link, ...]:
    """Every link into one variable.

    Parameters
    ----------
    family : the child's rows by the configuration of all parents it has in either network
    choice : what the child chose for this patient
    codes : position -> the patient's value of every such parent
    margin : the shift below which a link no longer matters

    Returns
    -------
    `Link` for every parent in either network, by position
    """
    return tuple(_link(family, choice, codes, margin, source) for source in sorted(_both(choice)))


def _both(choice: NodeChoice) -> set[int]:
    return {*choice.population, *choice.parents}


def _link(family: PopulationFamily, choice: NodeChoice, codes: Mapping[int, int], margin: float, source: int) -> Link:
    status = "added" if source not in choice.population else "kept" if source in choice.parents else "dropped"
    asked, applies, factor = weighed(choice, source)
    context = {x: codes[x] for x in choice.parents if x != source and codes[x] != UNKNOWN}
    counts, others = _split(family, source, context)
    here, difference = largest_shift(counts), UNKNOWN_SHIFT
    if len(others):
        difference = largest_difference(counts, others)
    verdict, word = (CANNOT_TELL, NOT_ASKED) if not asked else _verdict(status, here, difference, margin)
    needed = rows_needed(counts, margin)
    others_shift = common_shift(others) if len(others) else math.nan
    return Link(
        source,
        choice.child,
        status,
        asked,
        applies,
        factor,
        counts,
        here,
        others_shift,
        difference,
        needed,
        verdict,
        word,
    )


def weighed(choice: NodeChoice, source: int) -> tuple[bool, float, float]:
    """Whether a link was asked about, its probability given the population's, and the log Bayes factor for it.

    It was asked where a set of parents with it and one without it could both be chosen. In published mode there are no
    probabilities; a link was asked about there unless it is the only one into its head.
    """
    if not choice.pool:
        return source not in choice.parents or len(choice.parents) > 1, math.nan, math.nan
    there = np.arange(len(choice.gains)) >> choice.pool.index(source) & 1 == 1 if source in choice.pool else None
    possible = np.isfinite(choice.gains)
    if there is None or not (possible & there).any() or not (possible & ~there).any():
        return False, math.nan, math.nan
    weights = choice.gains + choice.costs
    odds = _sum(weights[possible & there]) - _sum(weights[possible & ~there])
    before = _sum(choice.costs[possible & there]) - _sum(choice.costs[possible & ~there])
    return True, choice.arc_probabilities[source], odds - before


def _sum(logs: np.ndarray) -> float:
    """Natural log of the sum of what these are the logs of."""
    most = float(logs.max())
    return most + math.log(float(np.exp(logs - most).sum()))


def _split(family: PopulationFamily, source: int, context: Mapping[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """(levels of the source, r) rows that agree with the context, and (strata, levels, r) those that do not.

    Parents that are neither the source nor in the context are summed over; without a context there are no others.
    """
    place = family.parents.index(source)
    fixed = [family.parents.index(x) for x in context]
    levels = int(family.configurations[:, place].max(initial=0)) + 1
    values = family.configurations[:, fixed]
    shape = (levels, family.counts.shape[1])
    if not fixed:
        return _stacked(family, place, np.zeros(len(family.counts), dtype=np.int64), 1).reshape(shape), np.empty(
            (0, *shape)
        )
    strata, which = np.unique(values, axis=0, return_inverse=True)
    stacked = _stacked(family, place, which.reshape(-1), len(strata))
    own = (strata == np.array(list(context.values()))).all(axis=1)
    others = stacked[~own]
    if len(others) > MOST_STRATA:
        others = others[np.argsort(-others.sum(axis=(1, 2)), kind="stable")[:MOST_STRATA]]
    return stacked[own].sum(axis=0), others


def _stacked(family: PopulationFamily, place: int, which: np.ndarray, strata: int) -> np.ndarray:
    """(strata, levels of the source, r) counts."""
    levels = int(family.configurations[:, place].max(initial=0)) + 1
    found = np.zeros((strata, levels, family.counts.shape[1]), dtype=np.int64)
    np.add.at(found, (which, family.configurations[:, place]), family.counts)
    return found


def _verdict(status: str, here: Shift, difference: Shift, margin: float) -> tuple[str, str]:
    """The state of "it applies to the patient", and its word."""
    if here.high < margin:
        return NO, NO_LONGER if status == "dropped" else LITTLE
    if status == "dropped":
        return (YES, DIFFERENTLY) if difference.low > 0 else (CANNOT_TELL, CANNOT_TELL)
    if here.low > 0:
        return YES, ALSO if status == "added" else APPLIES
    return CANNOT_TELL, CANNOT_TELL


def nearest_misses(links: Iterable[Link], most: int = 2) -> list[Link]:
    """The links that come nearest to being another for this patient without it being carried.

    Parameters
    ----------
    links : of one patient
    most : how many are wanted

    Returns
    -------
    those asked about and not told, the least probable to apply first
    """
    near = [one for one in links if one.asked and not one.told and one.word != LITTLE]
    return sorted(near, key=lambda one: (math.isnan(one.applies), one.applies, one.here.high))[:most]
