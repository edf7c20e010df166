"""Every error a user can meet.

    DiptychError
    ├── DataError        the table: what is wrong, in which column or row, what to do about it
    │   └── InputError   a file or a choice: what is wrong with it, before any row is counted
    ├── SettingsError    a setting of a method, a score or a search
    └── Cancelled        the user stopped the work; nothing is wrong

Anything else that leaves the engine is a bug. The text of these errors is written for a clinician:
the dashboard shows it as it is, escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

from engine.text import Number, told


class DiptychError(Exception):
    """Base of the three; catch this to catch what a user can mend."""


class DataError(DiptychError, ValueError):
    """The table cannot be used as it is; the text names the place and the remedy.

    Parameters
    ----------
    message : the sentence to show, or a template with `{}` for each part
    parts : of the sentence, as `engine.text.told` takes them
    column : name of the column meant, if one is
    row : 1-based line or row number in the file, if one is
    """

    def __init__(self, message: str, *parts: str, column: str | None = None, row: int | None = None) -> None:
        super().__init__(told(message, *parts) if parts else message)
        self.column = column
        self.row = row

    def __str__(self) -> str:  # a `Text` keeps its parts
        message: str = self.args[0]
        return message

    def __reduce__(self) -> tuple[object, ...]:  # keyword fields survive the way back from a job process
        return partial(type(self), column=self.column, row=self.row), (str(self),)


class InputError(DataError):
    """A file, an argument or a choice cannot be used as it is; no figure of the text counts people."""

    def __init__(self, message: str, *, column: str | None = None, row: int | None = None) -> None:
        super().__init__("{}", Number(message), column=column, row=row)


class Retold:
    """A context in which errors of some kinds become another one; a `DataError` keeps its own words.

    Parameters
    ----------
    into : the error that they become
    kinds : of the errors

    Examples
    --------
    >>> with Retold(DataError("This is no number."), ValueError):
    ...     float("x")
    Traceback (most recent call last):
    engine.errors.DataError: This is no number.
    """

    def __init__(self, into: DataError, *kinds: type[Exception]) -> None:
        self._into, self._kinds = into, kinds

    def __enter__(self) -> None:
        """Nothing is at hand that a reader needs."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, self._kinds) and not isinstance(error, DataError):
            raise self._into from None


class SettingsError(DiptychError, ValueError):
    """A setting has a value it cannot have; the text names the setting and what it may be.

    Parameters
    ----------
    message : the sentence to show
    setting : name of the setting meant, if one is
    """

    def __init__(self, message: str, *, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), setting=self.setting), (str(self),)


class Cancelled(DiptychError):
    """Raised out of a progress callback to stop the work."""


def check_choice(name: str, value: object, choices: Iterable[object], *others: str) -> None:
    """Refuse a value that is none of some.

    Parameters
    ----------
    name : of the setting
    value : what somebody gave
    choices : what it can be
    others : what it can be too, in words

    Raises
    ------
    SettingsError : it is none of them
    """
    known = list(choices)
    if value not in known:
        words = ", ".join([*map(repr, known), *others])
        raise SettingsError(f"{name} is {value!r}; it can be {words}.", setting=name)


def check_number(
    name: str,
    value: Any,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
    whole: bool = False,
) -> None:
    """Refuse a value that is no number between two others.

    Parameters
    ----------
    name : of the setting
    value : what somebody gave
    least, most : closed bounds;  above, below : open ones
    whole : no other than whole numbers will do

    Raises
    ------
    SettingsError : it is no number, is not whole where it must be, or is out of bounds
    """
    is_number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if is_number and abs(value) < math.inf and least <= value <= most and above < value < below:
        return
    words = f"between {above:g} and {below:g}" if below < math.inf else f"above {above:g}"
    words = words if above > -math.inf else f"from {least:g}{' up' if most == math.inf else ''}"
    words += "" if most == math.inf else f"{' to' if above == -math.inf else ', at most'} {most:g}"
    raise SettingsError(f"{name} is {value!r}; it must be a {'whole ' * whole}number {words}.", setting=name)
