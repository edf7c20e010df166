"""What every method is: frozen settings that can be written down, and `run`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.data.dataset import as_dataset
from engine.data.store import remote_refusal
from engine.errors import SettingsError
from engine.execution import Progress, as_progress
from engine.methods.cost import Cost, Size, sentence
from engine.methods.setting import check_settings, live_settings
from engine.methods.storing import decode, encode, is_storable
from engine.search.knowledge import Knowledge

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.result import Result


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

    def shown(self) -> dict[str, Any]:
        """Setting -> value as tables and files show them, scores and searches by their names and parameters.

        Knowledge that says nothing is left out.
        """
        given = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return {name: _named(value) for name, value in given.items() if value != Knowledge()}


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
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    paper: ClassVar[str]
    counts_only: ClassVar[tuple[str, ...]] = ()

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
        return "" if data.n_variables > 1 else "One variable has nothing to be compared or linked with; choose more."

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

    def expected(self, data: Dataset) -> str:
        """What to expect of `run` on a large table, and what to do where that is too much.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where it is quick
        """
        size = Size.of(data)
        return sentence(self.cost(size), size)

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
        return live_settings(cls)

    def _asked(self, data: Any, progress: Any, call: str = "run") -> tuple[Dataset, Progress]:
        """What `run` was handed, after a look at the commonest slips."""
        written = f"{type(self).__name__}(...).{call}(data)"
        result = as_dataset(data, written)
        if not result.in_memory and call not in self.counts_only:
            raise remote_refusal(result.store, written)
        return result, as_progress(progress)
