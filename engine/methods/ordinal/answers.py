"""A table as a method for ordinal data reads it: codes in rising order, gaps, and what about the levels to warn of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from engine import words
from engine.counting.design_effect import design_effect_of
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.methods.unfit import lone_column
from engine.models.completing import complete_tables
from engine.models.latent_normal import UNKNOWN, Boxes, read_levels, standard_scores
from engine.models.partial_correlations import boxes_of
from engine.text import Count, Name, Number, Text, first, joined, listed, told

RARE = 0.03
"""A level that holds a smaller share of the rows leaves its threshold to chance."""
ONE_SIDED = 0.75
"""A level at an end of a scale that holds a larger share leaves little to see of the rest."""
Missing = Literal["refuse", "latent", "pairwise"]
FEWEST_VALUES = 6
"""Different values from which a number is its own latent value; one of fewer is read by its levels."""
TIED = 0.25
"""Share of the rows with one value of a number from which its normal scores are doubtful."""
_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Answers:
    """The rows of a table, variables by name and rows by their answers, so that no order changes a figure.

    Attributes
    ----------
    data : the same table, variables sorted by name, rows by their codes
    codes : (p, n) levels from 0, `UNKNOWN` where an answer is missing
    levels : (p,) how many each variable has, without the level that means missing
    rows : (n,) which row of the table each row was
    effect : the design effect, by which rows count less where they belong together
    numbers : position -> (n,) normal scores of a variable that is a number, NaN where missing
    """

    data: Dataset
    codes: np.ndarray
    levels: tuple[int, ...]
    rows: np.ndarray
    effect: float = 1.0
    numbers: Mapping[int, np.ndarray] = field(default_factory=dict)

    @property
    def size(self) -> float:
        """Rows by themselves that would tell as much."""
        return self.data.n_rows / self.effect

    @property
    def gaps(self) -> int:
        """Number of missing answers."""
        return int((self.codes == UNKNOWN).sum())

    @cached_property
    def complete(self) -> Dataset:
        """The answers as a table without the level that means missing; there may be no gaps then."""
        names = self.data.names
        return Dataset.from_codes(self.codes, self.levels, names, kinds=dict.fromkeys(names, "ordinal"))

    def boxes(self, *, by_levels: bool = False) -> Boxes:
        """Between which cuts every answer lies, and the scores of numbers.

        Parameters
        ----------
        by_levels : numbers too are known by their levels only
        """
        return Boxes.of(self.codes, self.levels, numbers={} if by_levels else self.numbers)

    def tables(self, missing: str, seed: int) -> list[Boxes]:
        """Tables that lines are estimated of: the table itself, or with gaps and full information completed ones.

        Parameters
        ----------
        missing : "latent" for full information, "pairwise" for each pair's own answers
        seed : of the draws
        """
        if not self.gaps or missing == "pairwise":
            return [boxes_of(self.codes, np.array(self.levels), self.numbers)]
        if seed not in self._completed:
            self._completed[seed] = complete_tables(self.boxes(), self.levels, seed, self.effect)
        return self._completed[seed]

    @cached_property
    def _completed(self) -> dict[int, list[Boxes]]:
        return {}


def read(data: Dataset, missing: Missing = "refuse", *, strict: bool = True, effect: float | None = None) -> Answers:
    """The answers of a table.

    Parameters
    ----------
    data : numbers, ordinal or two-level variables
    missing : "refuse", "latent" or "pairwise"; see `engine.Ordinal`
    strict : refuse a variable that has one value; rows drawn again may leave a rare level out
    effect : the design effect; the table's own where None

    Returns
    -------
    `Answers`

    Raises
    ------
    DataError : as `check_kinds`; a variable that has one value only, missing answers where they are refused
    """
    check_kinds(data)
    ordered = with_order(data)
    ordered = ordered.select(sorted(ordered.names))
    codes, levels = [], []
    for name in ordered.names:
        own, size = read_levels(ordered, name)
        if missing == "refuse" and (own == UNKNOWN).any():
            raise DataError(
                f"'{name}' lacks {words.count(int((own == UNKNOWN).sum()), 'answer')}; drop those rows on the data "
                "page, or set missing='latent' to leave them open.",
                column=name,
            )
        codes.append(own)
        levels.append(size)
    table = np.stack(codes)
    if strict:
        _refuse_constant(ordered, codes)
        _refuse_unpaired(ordered, table != UNKNOWN)
    values = number_values(ordered)
    rows = np.lexsort([*values.values(), *table[::-1]])
    effect = design_effect_of(ordered) if effect is None else effect
    scores = {
        ordered.index(name): standard_scores(np.where(table[ordered.index(name)] == UNKNOWN, np.nan, column)[rows])
        for name, column in values.items()
    }
    return Answers(ordered.rows(rows), np.ascontiguousarray(table[:, rows]), tuple(levels), rows, effect, scores)


def number_values(data: Dataset) -> dict[str, np.ndarray]:
    """Name -> (n,) values of the variables that are numbers, NaN where missing; not of those with few values."""
    columns = {
        name: np.asarray(data.numbers[name].column, dtype=float)
        for name in data.names
        if data.kinds[name] == "continuous" and name in data.numbers
    }
    return {
        name: column for name, column in columns.items() if len(np.unique(column[~np.isnan(column)])) >= FEWEST_VALUES
    }


def answer_levels(data: Dataset) -> dict[str, tuple[str, ...]]:
    """The levels of every variable, without the one that means missing."""
    return {
        name: tuple(level for level in data.levels[name] if level != data.missing_level(name)) for name in data.names
    }


def _refuse_constant(data: Dataset, codes: list[np.ndarray]) -> None:
    for name, own in zip(data.names, codes, strict=True):
        if len(np.unique(own[own != UNKNOWN])) < 2:
            raise DataError(
                f"'{name}' has one value only, so nothing can be linked with it; leave it out.", column=name
            )


def _refuse_unpaired(data: Dataset, known: np.ndarray) -> None:
    """Nothing can be said of two variables that no row has both answers of."""
    if known.all():
        return
    both = known.astype(np.float32) @ known.T.astype(np.float32)
    pairs = np.argwhere(both == 0)
    if len(pairs):
        a, b = (data.names[i] for i in pairs[0])
        raise DataError(f"No row has an answer to both '{a}' and '{b}'; leave one of them out.", column=a)


def check_kinds(data: Dataset) -> None:
    """Refuse what can be refused without a look at the rows: two levels have an order, more need one.

    Variables without an order are left out where two others stay (`with_order`).

    Parameters
    ----------
    data : the table

    Raises
    ------
    DataError : fewer than two rows, or two variables with an order
    """
    if refused := lone_column(data):
        raise DataError(refused)
    if data.n_rows < 2:
        raise DataError(f"There {'is' if data.n_rows == 1 else 'are'} {words.count(data.n_rows, 'row')}; two at least.")
    without = unordered_variables(data)
    if data.n_variables - len(without) < 2:
        quoted = [f"'{name}'" for name in without]
        named = words.listed(quoted) if len(quoted) <= _MOST_NAMED else words.first(quoted, _MOST_NAMED)
        them = "it" if len(without) == 1 else "them"
        raise DataError(
            f"The levels of {named} have no order, and two variables with one are needed. Set {them} to 'ordered' on "
            f"the data page, with the levels from low to high.",
            column=without[0],
        )


def with_order(data: Dataset) -> Dataset:
    """The table without the variables whose levels have no order."""
    without = set(unordered_variables(data))
    return data.select([name for name in data.names if name not in without])


def leaving_out(names: Sequence[str]) -> list[Text]:
    """A sentence on the variables that were left out; none where there are none."""
    named = first(map(Name, names), _MOST_NAMED)
    if len(names) == 1:
        return [told("Left out, as its levels have no order: {}.", named)]
    return [told("Left out, as their levels have no order: {}.", named)] if names else []


def unordered_variables(data: Dataset) -> list[str]:
    """The variables of more than two levels that have no order, by name."""
    rules = {column.name: column for column in data.recipe.columns}
    return [
        name
        for name in sorted(data.names)
        if data.kinds[name] == "nominal"
        and len(data.levels[name]) - (rules[name].missing in data.levels[name]) > 2
        and not rules[name].ordered
    ]


def warnings(answers: Answers) -> list[str]:
    """Doubts about the levels, one sentence each (section 6 of the paper).

    Parameters
    ----------
    answers : the table

    Returns
    -------
    sentences: two-level variables, one-sided ones, rare levels, and numbers with one value in many rows
    """
    two, sided, rare, tied = [], [], [], []
    for i, (name, own, size) in enumerate(zip(answers.data.names, answers.codes, answers.levels, strict=True)):
        if i in answers.numbers:
            scores = answers.numbers[i][~np.isnan(answers.numbers[i])]
            if np.unique(scores, return_counts=True)[1].max() > TIED * len(scores):
                tied.append(name)
            continue
        counts = np.bincount(own[own != UNKNOWN], minlength=size)
        shares = counts / counts.sum()
        if size == 2:
            two.append(name)
        if max(shares[0], shares[-1]) > ONE_SIDED:
            sided.append(name)
        elif size > 2 and shares.min() < RARE:
            rare.append(name)
    about = (
        (two, told("only two levels")),
        (sided, told("more than {} of the rows at one end", Number(words.in_percent(ONE_SIDED)))),
        (rare, told("a level with fewer than {} of the rows", Number(words.in_percent(RARE)))),
        (tied, told("one value in more than {} of the rows", Number(words.in_percent(TIED)))),
    )
    return [
        told("{} has {}; links of it are found less often.", Name(names[0]), what)
        if len(names) == 1
        else told("{} have {}; links of these are found less often.", _named(names), what)
        for names, what in about
        if names
    ]


def _named(names: list[str]) -> Text:
    if len(names) <= _MOST_NAMED:
        return listed(map(Name, names))
    return told("{} ({}, ...)", Count(len(names), "variable"), joined(map(Name, names[:_MOST_NAMED]), ", "))
