"""Whose row each is, and which step of the subject's own series, counted in the table as it was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.proposals import level_order
from engine.data.preparing.variables import Variable, day_text, numbers_of
from engine.data.reading.naming import shown_name, shown_value
from engine.data.reading.numbers import level_text
from engine.errors import DataError
from engine.text import Count, People, told
from engine.words import count


@dataclass(frozen=True, eq=False)
class Steps:
    """Subject and step of every row, kept beside the codes.

    Attributes
    ----------
    subjects : names of the subjects, those without a row that is kept included
    subject : (n,) position among `subjects`, -1 where subject or time is not known
    owner : (n,) the same where only the subject has to be known: rows that belong together
    step : (n,) number of the step in the subject's series; a row of the table that was dropped leaves a hole, so only
        steps that differ by one follow each other
    tick : the distance in time of two steps that follow each other, 0 where time has no rhythm
    """

    subjects: tuple[str, ...]
    subject: np.ndarray
    owner: np.ndarray
    step: np.ndarray
    tick: float = 0.0

    def rows(self, which: np.ndarray) -> Steps:
        """The steps of some rows."""
        return replace(self, subject=self.subject[which], owner=self.owner[which], step=self.step[which])

    def sizes(self) -> str:
        """The rows that belong together, counted: '20 of 100 rows each', '60 of 3 to 12 rows, and 2 rows of none'."""
        each = np.bincount(self.owner[self.owner >= 0])
        each = each[each > 0]
        if not len(each):
            return "0 of 0 rows"
        most = People(int(each.max()), "row")
        size = told("{} each", most) if each.min() == each.max() else told("{} to {}", People(int(each.min())), most)
        alone = int((self.owner < 0).sum())
        rest = told(", and {} of none", People(alone, "row")) if alone else ""
        return told("{} of {}{}", People(len(each)), size, rest)

    def sentence(self) -> str:
        """The subjects that have rows, and how many steps: '40 subjects, 87 to 120 steps'."""
        rows = np.bincount(self.subject[self.subject >= 0])
        rows = rows[rows > 0]
        if not len(rows):
            return count(0, "subject")
        few, many = int(rows.min()), int(rows.max())
        steps = Count(many, "step") if few == many else told("{} to {} steps", Count(few), Count(many))
        return told("{}, {}", People(len(rows), "subject"), steps)


def make_steps(
    subject: np.ndarray,
    subjects: Sequence[str],
    times: np.ndarray | None,
    time_name: str = "",
    text: Callable[[float], str] = str,
    tick: float | None = None,
) -> tuple[Steps, list[str]]:
    """Number the steps of every subject, and sentences on what needs a look.

    Where most steps of the table are one and the same distance apart (visits 1, 2, 4), a larger distance is a hole;
    else a step follows the one before it in the table (days 0, 31, 59). A row without a time leaves a hole where it
    stands.
    """
    n = len(subject)
    known = subject >= 0
    clock = np.arange(n, dtype=float) if times is None else np.where(known, times, np.nan)
    filled = _filled(subject, clock)
    order = np.lexsort((np.arange(n), filled, subject))
    same = subject[order][1:] == subject[order][:-1]
    step = np.empty(n, dtype=np.int64)
    step[order] = np.arange(n) - _last_flagged(np.append(True, ~same)[:n])
    timed = known & np.isfinite(clock)
    words: list[str] = []
    if times is not None:
        line = order[timed[order]]  # rows with a time, by subject and time
        pairs = (line[:-1], line[1:])
        inside = subject[pairs[0]] == subject[pairs[1]]
        gaps = (clock[pairs[1]] - clock[pairs[0]])[inside]
        twice = pairs[0][inside & (clock[pairs[0]] == clock[pairs[1]])]
        if len(twice):
            who, when = subjects[subject[twice[0]]], text(clock[twice[0]])
            raise DataError(
                "Subject '{}' has two rows where '{}' is {}; give each step of a subject one row.",
                shown_value(who, 60),
                shown_name(time_name),
                shown_value(when),
                column=time_name,
            )
        backwards = _backwards(subject, clock, timed)
        tick = _tick(gaps) if tick is None else tick
        if tick and len(line):
            step[line] = _ticks(gaps, inside, tick)
        else:  # where a row without a time belongs among rows in disorder nobody knows, so nothing there is adjacent
            doubtful = np.intersect1d(backwards, np.unique(subject[known & ~timed]))
            step[np.isin(subject, doubtful)] *= 2
        if len(backwards):
            many = People(len(backwards), "subject")
            order_words = "The rows of {} do not stand in the order of '{}'; they are taken in that order."
            words.append(told(order_words, many, shown_name(time_name)))
    if not timed.all() and times is not None:
        words.append(told("{} without a subject or a time belong to no series.", People(int((~timed).sum()), "row")))
    whose = np.where(timed, subject, -1).astype(np.int32)
    return Steps(tuple(subjects), whose, subject.astype(np.int32), step.astype(np.int32), tick or 0.0), words


def steps_of(
    variables: Mapping[str, Variable], choices: FrameChoices
) -> tuple[Steps | None, dict[str, tuple[str, ...]], list[str]]:
    """The steps of a table whose roles name a subject; with them the order of times that are words, and sentences."""
    subject, time = choices.with_role("subject"), choices.with_role("time")
    if subject is None:
        return None, {}, []
    who = variables[subject]
    if time is None:
        steps, words = make_steps(who.codes, who.level_names(), None)
        return steps, {}, [*words, *_subject_words(who)]
    clock, order, text = _clock(variables[time], choices)
    tick = 1.0 if order else choices.tick  # words in order are numbered one by one
    steps, words = make_steps(who.codes, who.level_names(), clock, time, text, tick)
    return steps, order, words


def _subject_words(who: Variable) -> list[str]:
    """Notes on a subject without a time: rows without one, and subjects of one row each."""
    words: list[str] = []
    if who.n_missing:
        many = People(who.n_missing, "row has", "rows have")
        words.append(told("{} no '{}'; each of them counts by itself.", many, shown_name(who.name)))
    if who.counts().max(initial=0) <= 1:
        why = "No two rows share a '{}', so the role of the subject changes nothing."
        words.append(told(why, shown_name(who.name)))
    return words


def _clock(
    when: Variable, choices: FrameChoices
) -> tuple[np.ndarray, dict[str, tuple[str, ...]], Callable[[float], str]]:
    """(n,) times as numbers, NaN where not known; the order of words, and how a time is written."""
    given = choices.levels.get(when.name)
    numbered = None if given else when.as_measured()
    if numbered is not None:
        return numbers_of(numbered).column, {}, day_text if numbered.sort == "date" else level_text
    order, why = level_order(when)
    if given:
        order = given
    elif not why:
        raise DataError(
            "'{}' is the time, but its values have no order: make them numbers or dates, or give its levels in order.",
            shown_name(when.name),
            column=when.name,
        )
    place = {level: float(i) for i, level in enumerate(order)}
    clock = np.array([*(place.get(level, np.nan) for level in when.level_names()), np.nan])[when.codes]
    return clock, {when.name: tuple(order)}, lambda value: f"'{order[int(value)]}'"


def _filled(subject: np.ndarray, clock: np.ndarray) -> np.ndarray:
    """Times, with that of the subject's row before it in the table where a row has none."""
    n = len(subject)
    order = np.lexsort((np.arange(n), subject))
    times, first = clock[order], np.append(True, subject[order][1:] != subject[order][:-1])[:n]
    last = times[_last_flagged(np.isfinite(times) | first)]
    filled = np.empty(n)
    filled[order] = np.where(np.isnan(last), -np.inf, last)
    return filled


def _last_flagged(flags: np.ndarray) -> np.ndarray:
    """(n,) the last position up to each that is flagged; the first is."""
    return np.maximum.accumulate(np.where(flags, np.arange(len(flags)), 0))


def _backwards(subject: np.ndarray, clock: np.ndarray, timed: np.ndarray) -> np.ndarray:
    """Subjects whose rows do not stand in the order of time."""
    rows = np.flatnonzero(timed)
    rows = rows[np.lexsort((rows, subject[rows]))]
    falls = (subject[rows][1:] == subject[rows][:-1]) & (np.diff(clock[rows]) < 0)
    return np.unique(subject[rows][1:][falls])


def _tick(gaps: np.ndarray) -> float:
    """The distance of most neighbouring steps, when all distances are whole numbers of it; 0 when there is none."""
    if not len(gaps):
        return 0.0
    tick = float(gaps.min())
    ratios = gaps / tick
    usual = np.quantile(gaps, 0.5, method="lower") <= tick * (1 + 1e-9)
    return tick if usual and np.allclose(ratios, np.rint(ratios), rtol=0, atol=1e-6) else 0.0


def _ticks(gaps: np.ndarray, inside: np.ndarray, tick: float) -> np.ndarray:
    """Steps of rows by subject and time: one further where the distance is one tick, else further by two or more."""
    ahead = np.zeros(len(inside) + 1)
    ahead[1:][inside] = np.where(np.abs(gaps / tick - 1) <= 1e-6, 1, np.maximum(2, np.rint(gaps / tick)))
    walked = np.cumsum(ahead)
    return (walked - walked[_last_flagged(np.append(True, ~inside))]).astype(np.int64)
