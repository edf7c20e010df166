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

from functools import partial

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
