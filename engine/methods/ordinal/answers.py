"""A table as a method for ordinal data reads it: codes in rising order, gaps, and what about the levels to warn of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from engine import words
from engine.counting.design_effect import design_effect_of
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.methods.unfit import lone_column
from engine.models.completing import complete_tables
from engine.models.latent_normal import UNKNOWN, Boxes, log_probabilities, read_levels, standard_scores
from engine.models.network import Network
from engine.models.partial_correlations import boxes_of

if TYPE_CHECKING:
    from engine.methods.ordinal.result import OrdinalResult

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
        """How many answers are missing."""
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
        """What lines are estimated of: the table itself, or with gaps and full information completed ones.

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
    ordered = data.select(sorted(data.names))
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
        item, other = (data.names[i] for i in pairs[0])
        raise DataError(f"No row has an answer to both '{item}' and '{other}'; leave one of them out.", column=item)


def check_kinds(data: Dataset) -> None:
    """Refuse what can be refused without a look at the rows: two levels have an order, more need one.

    Parameters
    ----------
    data : the table

    Raises
    ------
    DataError : fewer than two variables or two rows, a variable whose levels have no order
    """
    if refused := lone_column(data):
        raise DataError(refused)
    if data.n_rows < 2:
        raise DataError(f"There {'is' if data.n_rows == 1 else 'are'} {words.count(data.n_rows, 'row')}; two at least.")
    without = unordered_variables(data)
    if without:
        quoted = [f"'{name}'" for name in without]
        named = words.listed(quoted) if len(quoted) <= _MOST_NAMED else words.first(quoted, _MOST_NAMED)
        them = "it" if len(without) == 1 else "them"
        raise DataError(
            f"The levels of {named} have no order. Set {them} to 'ordered' on the data page, with the levels "
            f"from low to high, or leave {them} out.",
            column=without[0],
        )


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
    """What about the levels makes a network doubtful, one sentence each (section 6 of the paper).

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
    one_sided, few = words.in_percent(ONE_SIDED), words.in_percent(RARE)
    sentences = [
        (two, "only two levels"),
        (sided, f"more than {one_sided} of the rows at one end"),
        (rare, f"a level with fewer than {few} of the rows"),
        (tied, f"one value in more than {words.in_percent(TIED)} of the rows"),
    ]
    return [
        f"{_named(names)} {'has' if len(names) == 1 else 'have'} {item}; links of "
        f"{'it' if len(names) == 1 else 'these'} are found less often."
        for names, item in sentences
        if names
    ]


def _named(names: list[str]) -> str:
    if len(names) > _MOST_NAMED:
        return f"{len(names)} variables ({', '.join(names[:_MOST_NAMED])}, ...)"
    return words.listed(names)


POINTS = 64
"""Of the lattice that held-out probabilities are computed on, eight times shifted."""


def log_loss(result: OrdinalResult, test: Dataset) -> np.ndarray:
    """(n,) minus the natural logarithm of the probability of every row.

    By the fitted normal values and their thresholds; of an approach without an order by its tables of shares.

    Parameters
    ----------
    result : learned from other rows
    test : rows with the same variables and levels

    Returns
    -------
    nats, above 0

    Raises
    ------
    DataError : other variables or levels
    """
    if set(test.names) != set(result.names):
        raise DataError("The rows have other variables than the network; give a table with the same columns.")
    names = sorted(result.names)
    levels = answer_levels(test)
    for name in names:
        if levels[name] != result.levels[name]:
            raise DataError(
                f"'{name}' has other levels here than in the network; code the rows by its recipe.", column=name
            )
    answers = read(test, "refuse" if result.predicting else "latent", strict=False)
    matches = np.empty(test.n_rows)
    where = [result.names.index(name) for name in names]
    if result.predicting:
        parents = [sorted(names.index(result.names[x]) for x in result.parents[child]) for child in where]
        own = tuple(levels[name] for name in names)
        network = Network(tuple(names), own, tuple(map(tuple, parents)), result.predicting)
        matches[answers.rows] = -network.log_probability(answers.codes)
        return matches
    cuts = tuple(np.concatenate([[-np.inf], result.cuts[name], [np.inf]]) for name in names)
    fitted = result.matrices["fitted"][np.ix_(where, where)]
    matches[answers.rows] = -log_probabilities(Boxes(answers.codes, cuts), fitted, points=POINTS)[0]
    return matches
