"""What every method is: frozen settings that can be written down, and `run`."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine import words
from engine.data.dataset import Dataset, as_dataset
from engine.data.store import remote_refusal
from engine.errors import DataError, SettingsError
from engine.execution import Progress, as_progress
from engine.methods.setting import check_settings
from engine.methods.storing import decode, encode, is_storable
from engine.methods.unfit import lone_column
from engine.search.knowledge import Knowledge

if TYPE_CHECKING:
    from engine.data.coded_table import CodedTable
    from engine.methods.result import Result

WORTH_SECONDS, WORTH_ADVICE = 5.0, 60.0
"""Seconds from which a run is told of, and from which it is said how to make it shorter."""
WORTH_BYTES = 500_000_000
"""Bytes beyond the table from which they are told of."""


@dataclass(frozen=True)
class Size:
    """How large a table is.

    Attributes
    ----------
    rows, variables : of the table
    levels : of a variable, on average
    counted : whether rows are only counted, on disk or on a cluster
    classes : of the column that says the classes, where a method asks for one
    numbers : of the variables, those whose values are at hand
    """

    rows: int
    variables: int
    levels: float = 3.0
    counted: bool = False
    classes: int = 2
    numbers: int = 0

    @classmethod
    def of(cls, data: CodedTable) -> Size:
        """Of a data set."""
        every = sum(len(data.levels[name]) for name in data.names)
        levels, numbers = every / max(data.n_variables, 1), len(getattr(data, "numbers", ()))
        return cls(data.n_rows, data.n_variables, levels, not data.in_memory, numbers=numbers)


@dataclass(frozen=True)
class Cost:
    """About what a run takes. Half or twice as much is no surprise: how many links there are decides, too.

    Attributes
    ----------
    seconds : of one core
    memory : bytes, beyond what the table takes
    less : what to change to make it less, as the end of a sentence
    quicker : what else takes less time, though not less memory: "fewer draws"; empty where nothing does
    """

    seconds: float = 0.0
    memory: float = 0.0
    less: str = "choose fewer variables"
    quicker: str = ""

    def times(self, runs: int) -> Cost:
        """Of so many such runs, one after the other."""
        return replace(self, seconds=runs * self.seconds)


def sentence(cost: Cost, size: Size) -> str:
    """What to expect of a run, and what to do where it is too much.

    Examples
    --------
    >>> sentence(Cost(90.0, 1.4e9), Size(500, 3_000)).replace("\\N{NO-BREAK SPACE}", " ")
    '3,000 variables and 500 rows will take about 1 min 30 s on one core and 1.4 GB of memory; if that is too much, \
choose fewer variables.'
    """
    long, large = cost.seconds >= WORTH_SECONDS, cost.memory >= WORTH_BYTES
    if not (long or large) or not size.variables or not size.rows:
        return ""
    sentences = [f"{about(cost.seconds)} on one core"] if long else []
    if large:
        sentences.append(f"{'' if long else 'about '}{gigabytes(cost.memory)} of memory")
    table = f"{words.count(size.variables, 'variable')} and {words.count(size.rows, 'row')}"
    more = f", or {cost.quicker}{' for less time' if large else ''}" if long and cost.quicker else ""
    advice = f"; if that is too much, {cost.less}{more}" if large or cost.seconds >= WORTH_ADVICE else ""
    return f"{table} will take {' and '.join(sentences)}{advice}."


def about(seconds: float) -> str:
    """A time to come in words, no finer than it can be known; of days it is only said that they are days."""
    hours = seconds / 3600
    if hours >= 48:
        return "days"
    if hours >= 2:
        return f"about {words.count(round(hours), 'hour')}"
    return f"about {words.duration(_rough(seconds))}"


def gigabytes(size: float) -> str:
    """A number of bytes with two digits, in plain figures.

    Examples
    --------
    >>> gigabytes(999.6e6), gigabytes(1.234e9), gigabytes(1.8e12)
    ('1 GB', '1.2 GB', '1,800 GB')
    """
    rough = _rough(size)
    if rough < 1e9:
        return f"{rough / 1e6:,.0f} MB"
    return f"{rough / 1e9:,.1f}".removesuffix(".0") + " GB"


def _rough(value: float) -> float:
    """With two digits."""
    if value <= 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(value / step) * step


class Settings:
    """Base of the frozen dataclasses that hold a method's settings; every field is made with `setting`."""

    def __post_init__(self) -> None:
        check_settings(self)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON takes them; `from_dict` makes an equal method of them."""
        document: dict[str, Any] = encode(self)
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The method that `to_dict` wrote.

        Parameters
        ----------
        document : what `to_dict` gave

        Returns
        -------
        an equal method

        Raises
        ------
        DataError : the document is damaged, or of a newer version
        SettingsError : it is another method's, or a setting has a value that it cannot have
        """
        result = decode(dict(document))
        if not isinstance(result, cls):
            raise SettingsError(f"These are not settings of {cls.__name__}.")
        return result

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Setting -> value, as scikit-learn asks an estimator.

        Parameters
        ----------
        deep : of no meaning here, since no setting is an estimator

        Returns
        -------
        every setting by its name
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **params: Any) -> Self:
        """The same method with other settings; settings are frozen, so this one stays as it is.

        Parameters
        ----------
        params : settings by their names

        Returns
        -------
        the other method

        Raises
        ------
        SettingsError : there is no such setting, or it has a value that it cannot have
        """
        known = self.get_params()
        if unknown := [name for name in params if name not in known]:
            raise SettingsError(f"There is no setting {unknown[0]!r}; there are {', '.join(known)}.")
        return replace(self, **params)  # type: ignore[type-var]

    def shown(self) -> dict[str, Any]:
        """Setting -> value as tables and files show them, scores and searches by their names and parameters.

        Knowledge that says nothing is left out.
        """
        return {name: _named(value) for name, value in self.get_params().items() if value != Knowledge()}


def _named(value: Any) -> Any:
    return {"name": type(value).__name__, **asdict(value)} if is_storable(value) else value


class Method(ABC):
    """Base of the methods; a subclass has frozen settings (see `Settings`) beside it.

    Attributes
    ----------
    slug : the one name of the method in files, keys, addresses and the command line
    title : its name on screen
    question : what it answers, as a user would ask
    paper : whom it is by
    counts_only : which of its calls need nothing but counts, so that the rows may be on disk or on a cluster
    counts_subjects : whether these also count rows that belong together
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    paper: ClassVar[str]
    counts_only: ClassVar[tuple[str, ...]] = ()
    counts_subjects: ClassVar[bool] = False

    @abstractmethod
    def run(self, *args: Any, **more: Any) -> Result:
        """The answer for a data set; equal settings and data give equal bits.

        Parameters
        ----------
        args : a data set, and what `first_asked` names where the method needs more
        more : among it `progress`, called with a fraction from 0 to 1 and words

        Returns
        -------
        `Result`

        Raises
        ------
        DataError : the data cannot be used as they are
        SettingsError : a setting does not fit the data
        Cancelled : out of `progress`
        """

    @classmethod
    def propose(cls, data: Dataset) -> Self:
        """The settings one would begin with for this table; its defaults where nothing in the table tells.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a method

        Raises
        ------
        SettingsError : the table has nothing for this method; see `unfit`
        """
        return cls()

    @classmethod
    def why_proposed(cls, data: Dataset) -> str:
        """Why `propose` chose what it chose.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where nothing in the table told
        """
        return ""

    @classmethod
    def unfit(cls, data: Dataset) -> str:
        """Why this method has nothing to say of a table.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where it has
        """
        return cls._unfit_rows(data) or lone_column(data)

    @classmethod
    def _unfit_rows(cls, data: Dataset) -> str:
        """Why this method has nothing to say of rows that are not in memory."""
        if data.in_memory:
            return ""
        if "run" not in cls.counts_only:
            return (
                f"This needs the rows one by one, and those of this table are {data.store.where}. Open a sample of it "
                "instead."
            )
        if data.subjects is not None and not cls.counts_subjects:
            return (
                f"Rows of one '{data.subject_column[:60]}' belong together, which this method cannot count of rows "
                f"{data.store.where}. Open a sample instead."
            )
        return ""

    @classmethod
    def unfit_columns(cls, data: Dataset) -> list[str]:
        """The variables for whose sake the method refuses the table, and without which it would take it.

        Parameters
        ----------
        data : the table

        Returns
        -------
        their names; none where the method takes the table, or would not take it without them either
        """
        return []

    def cost(self, size: Size) -> Cost:
        """About what `run` takes with these settings.

        Parameters
        ----------
        size : of the table

        Returns
        -------
        seconds of one core, bytes, and what makes it less; nothing of a method that never was measured
        """
        return Cost()

    def cost_of(self, data: Dataset) -> Cost:
        """About what `run` takes on a table.

        Parameters
        ----------
        data : the table

        Returns
        -------
        see `cost`
        """
        return self.cost(Size.of(data))

    def expected(self, data: Dataset) -> str:
        """What to expect of `run` on a large table, and what to do where that is too much.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where it is quick
        """
        return sentence(self.cost_of(data), Size.of(data))

    @classmethod
    def first_asked(cls, data: Dataset) -> tuple[Any, ...]:
        """What `run` is handed beside the data to begin with, where it needs more: the first patient, for one.

        Parameters
        ----------
        data : the table

        Returns
        -------
        arguments of `run`
        """
        return ()

    @classmethod
    def live(cls) -> tuple[str, ...]:
        """The settings that act on an answer that is there already."""
        return tuple(declared.name for declared in fields(cls) if declared.metadata.get("live"))  # type: ignore[arg-type]

    def _asked(self, data: Any, progress: Any, call: str = "run") -> tuple[Dataset, Progress]:
        """What `run` was handed, after a look at the commonest slips."""
        written = f"{type(self).__name__}(...).{call}(data)"
        result = as_dataset(data, written)
        if not result.in_memory and call not in self.counts_only:
            raise remote_refusal(result.store, written)
        if result.subjects is not None and not self.counts_subjects:
            raise DataError(
                f"{written} takes every row by itself where rows are {result.store.where}, and "
                f"'{result.subject_column[:60]}' says that some belong together; make the recipe without this role, or "
                "take a sample into memory: data.rows(numbers of rows)."
            )
        return result, as_progress(progress)
