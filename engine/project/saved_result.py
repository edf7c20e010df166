"""A result that somebody kept, with what was said of it, and the same question asked again."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.execution import Progress, silent
from engine.methods.result import Result
from engine.project.archive import MOST_TEXT
from engine.words import first


@dataclass(frozen=True)
class SavedResult:
    """A result in a project.

    Attributes
    ----------
    result : the answer
    title, note : what somebody called it, and wrote to it
    starred : whether it goes into the report
    made : when it was computed, as ISO text in UTC; "" where nobody knows
    source : name of the table
    seconds : that the run took; NaN where nobody knows
    key : what it is called inside the project, each once; a project gives one where there is none

    Examples
    --------
    >>> result = engine.LogLinear().run(sample_data.dataset("two_hospitals"))
    >>> kept = engine.SavedResult(result, title="what hangs together", starred=True)
    >>> engine.Project(analyses=[kept]).analyses[0].key
    '1'
    """

    result: Result
    title: str = ""
    note: str = ""
    starred: bool = False
    made: str = ""
    source: str = ""
    seconds: float = math.nan
    key: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.result, Result):
            raise DataError(f"A project keeps the results of runs, not a {type(self.result).__name__}.")
        for name in ("title", "note", "made", "source", "key"):
            text = getattr(self, name)
            if not isinstance(text, str) or len(text) > MOST_TEXT:
                raise DataError(f"The {name} of a kept result must be a text of at most a million characters.")
        if type(self.starred) is not bool:
            raise DataError("Whether a kept result is starred must be True or False.")
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, int | float):
            raise DataError("The seconds of a kept result must be a number.")
        object.__setattr__(self, "seconds", float(self.seconds))

    def __eq__(self, other: object) -> bool:
        """Equal answers with equal words; seconds that nobody knows are equal."""
        if not isinstance(other, SavedResult):
            return NotImplemented
        return self.facts() == other.facts() and self.result == other.result

    def __hash__(self) -> int:
        return hash((self.key, self.title, self.result))

    def facts(self) -> dict[str, str | bool | float | None]:
        """Everything but the result, as plain values."""
        names = ("title", "note", "starred", "made", "source", "key")
        plain: dict[str, str | bool | float | None] = {name: getattr(self, name) for name in names}
        return plain | {"seconds": self.seconds if math.isfinite(self.seconds) else None}

    def missing_of(self, data: Dataset) -> tuple[str, ...]:
        """The variables that its question is about and the data have not.

        Parameters
        ----------
        data : other rows

        Returns
        -------
        names; empty where all are there
        """
        return tuple(name for name in self.result.asks_of() if name not in data)

    def check(self, data: Dataset) -> None:
        """Nothing where its question can be put to the data.

        Parameters
        ----------
        data : other rows

        Raises
        ------
        DataError : a variable that it is about is not there
        """
        gone = self.missing_of(data)
        if gone:
            raise DataError(f"It is about {first(_quoted(gone))}, which the table does not have.")

    def rerun(self, data: Dataset, source: str = "", progress: Progress = silent) -> SavedResult:
        """The same question asked of other data, over the variables that it was about.

        Parameters
        ----------
        data : other rows
        source : name of their table
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        the new answer under the old title, note, star and key

        Raises
        ------
        DataError : a variable is not there; or as the method's run
        SettingsError : as the method's run
        """
        self.check(data)
        wanted = set(self.result.asks_of())
        begun = time.perf_counter()
        result = self.result.rerun(data.select(name for name in data.names if name in wanted), progress=progress)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return replace(self, result=result, made=now, source=source, seconds=time.perf_counter() - begun)


def _quoted(names: Sequence[str]) -> list[str]:
    return [f"'{name[:60]}'" for name in names]
