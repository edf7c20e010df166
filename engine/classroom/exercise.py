"""What is drawn for one student: values for the text, the solution of every question, and drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from engine.counting.requests import observed_counts
from engine.data.dataset import Dataset
from engine.words import NO_BREAK, listed

Prediction = str | float | tuple[str, ...]
"""What a student predicts: the key of an option, a number, or several options."""


@dataclass(frozen=True)
class SingleChoice:
    """One of the options of the text is right.

    Attributes
    ----------
    correct : its key
    """

    correct: str

    def is_right(self, prediction: Prediction) -> bool:
        """True where the prediction is the right option.

        Parameters
        ----------
        prediction : the key of an option
        """
        return prediction == self.correct

    def has(self, key: str) -> bool:
        """True where an option is right.

        Parameters
        ----------
        key : of the option
        """
        return key == self.correct


@dataclass(frozen=True)
class Amount:
    """A number is right within a tolerance.

    Attributes
    ----------
    value : the result, in the unit
    tolerance : how far a prediction may be from it
    unit : such as "%", "" for none
    decimals : that it is shown with
    """

    value: float
    tolerance: float
    unit: str = ""
    decimals: int = 0

    @property
    def most(self) -> float | None:
        """The largest number that makes sense: 100 for a share, None where there is no limit; the smallest is 0."""
        return 100.0 if self.unit == "%" else None

    @property
    def nearness(self) -> str:
        """Say how near a prediction has to be."""
        return f"within {self.tolerance:g}" if self.tolerance else "exact"

    def is_right(self, prediction: Prediction) -> bool:
        """True where the prediction is near enough to the result, or to the result as it is shown.

        Parameters
        ----------
        prediction : a number in the unit
        """
        ends = self.value, round(self.value, self.decimals)
        low, high = min(ends) - self.tolerance - 1e-9, max(ends) + self.tolerance + 1e-9
        return isinstance(prediction, int | float) and low <= prediction <= high

    def in_words(self, number: float) -> str:
        """A number with its unit.

        Parameters
        ----------
        number : in the unit

        Returns
        -------
        such as '44 %'
        """
        return f"{number:,.{self.decimals}f}{NO_BREAK + self.unit if self.unit else ''}"


@dataclass(frozen=True)
class MultipleChoice:
    """Some of the options are right, and all of them are asked for.

    Attributes
    ----------
    options : what can be picked
    correct : those that are right; may be none
    """

    options: tuple[str, ...]
    correct: tuple[str, ...]

    def is_right(self, prediction: Prediction) -> bool:
        """True where exactly the right options were picked.

        Parameters
        ----------
        prediction : the picked options, in any order
        """
        return isinstance(prediction, tuple) and set(prediction) == set(self.correct)

    def has(self, key: str) -> bool:
        """True where an option is among the right ones.

        Parameters
        ----------
        key : of the option
        """
        return key in self.correct


Solution = SingleChoice | Amount | MultipleChoice


@dataclass(frozen=True)
class Drawing:
    """A picture of a lesson.

    Attributes
    ----------
    svg : the element as text, which loads nothing
    alternative : what it shows, in words
    """

    svg: str
    alternative: str


@dataclass(frozen=True)
class Exercise:
    """One draw of a lesson: the same for the same seed, on every machine.

    Attributes
    ----------
    draws : for each part that is drawn until it shows the point, which draw it is
    values : place in the text -> what stands there
    solutions : question -> what is right, computed from what was drawn
    drawings : name in the text -> picture
    """

    draws: tuple[int, ...]
    values: Mapping[str, str]
    solutions: Mapping[str, Solution]
    drawings: Mapping[str, Drawing]


Draft = TypeVar("Draft")
MOST_DRAWS = 2000


@dataclass(frozen=True)
class Draws:
    """Draws the parts of an exercise, and counts how often, since who selects has to say so.

    Attributes
    ----------
    numbers : for each part, which draw was taken
    """

    numbers: list[int] = field(default_factory=list)

    def until(self, draw: Callable[[], Draft], is_clear: Callable[[Draft], bool]) -> Draft:
        """The first draw that shows the point clearly, so that no question is borderline.

        Parameters
        ----------
        draw : makes a draft, another each time
        is_clear : whether a draft will do

        Returns
        -------
        the draft

        Examples
        --------
        >>> numbers, draws = iter([3, 4, 8]), Draws()
        >>> draws.until(lambda: next(numbers), lambda number: number > 3), draws.numbers
        (4, [2])
        """
        for number in range(1, MOST_DRAWS + 1):
            draft = draw()
            if is_clear(draft):
                self.numbers.append(number)
                return draft
        raise RuntimeError(f"no draft of {MOST_DRAWS} shows the point of the lesson")


def pick(generator: np.random.Generator, options: tuple[Draft, ...]) -> Draft:
    """One of several, each as likely.

    Parameters
    ----------
    generator : all randomness comes from it
    options : what there is

    Examples
    --------
    >>> pick(np.random.default_rng(1), ("North", "South"))
    'North'
    """
    return options[int(generator.integers(len(options)))]


def between(generator: np.random.Generator, low: float, high: float) -> float:
    """A number between two, evenly drawn, in steps of a hundredth.

    Parameters
    ----------
    generator : all randomness comes from it
    low, high : the ends

    Examples
    --------
    >>> 0.2 <= between(np.random.default_rng(1), 0.2, 0.4) <= 0.4
    True
    """
    return round(low + (high - low) * float(generator.random()), 2)


def options_in_words(options: Iterable[str]) -> str:
    """Picked options in words.

    Parameters
    ----------
    options : as they are called

    Returns
    -------
    'a and b', or 'none of them'

    Examples
    --------
    >>> options_in_words(["age", "sex"]), options_in_words([])
    ('age and sex', 'none of them')
    """
    return listed(options) or "none of them"


def cell_counts(data: Dataset, names: Iterable[str]) -> np.ndarray:
    """Count the rows with each combination of levels, with an axis for each variable.

    Parameters
    ----------
    data : the rows
    names : of the variables, in the order of the axes

    Examples
    --------
    >>> data = Dataset.from_codes(np.array([[0, 0, 1], [0, 1, 1]]), [["no", "yes"]] * 2, ["rain", "wet"])
    >>> cell_counts(data, ["rain", "wet"]).tolist()
    [[1, 1], [0, 1]]
    """
    positions = [data.index(name) for name in names]
    cells, seen = observed_counts(data, positions)
    counts = np.zeros([int(data.arity[place]) for place in positions], dtype=np.int64)
    counts[tuple(cells.T)] = seen
    return counts
