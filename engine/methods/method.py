"""What every method is: frozen settings that can be written down, and `run`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.data.dataset import Dataset, as_dataset
from engine.data.store import remote_refusal
from engine.errors import DataError
from engine.execution import Progress, as_progress
from engine.methods.cost import Cost, Size, sentence
from engine.methods.unfit import lone_column
from engine.words import short

if TYPE_CHECKING:
    from engine.methods.result import Result


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
                f"Rows of one '{short(data.subject_column, 60)}' belong together, which this method cannot count of "
                f"rows {data.store.where}. Open a sample instead."
            )
        return ""

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
        """Say what to expect of `run` on a large table, and what to do where that is too much.

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
        """Arguments that `run` begins with beside the data, where it needs more: the first patient, for one.

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
        """Return what `run` was handed, after a look at the commonest slips."""
        written = f"{type(self).__name__}(...).{call}(data)"
        result = as_dataset(data, written)
        if not result.in_memory and call not in self.counts_only:
            raise remote_refusal(result.store, written)
        if result.subjects is not None and not self.counts_subjects:
            raise DataError(
                f"{written} takes every row by itself where rows are {result.store.where}, and "
                f"'{short(result.subject_column, 60)}' says that some belong together; make the recipe without this "
                "role, or take a sample into memory: data.rows(numbers of rows)."
            )
        return result, as_progress(progress)
