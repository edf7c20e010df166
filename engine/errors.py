"""Every error a user can meet.

    DiptychError
    ├── DataError        the table: what is wrong, in which column or row, what to do about it
    ├── SettingsError    a setting of a method, a score or a search
    └── Cancelled        the user stopped the work; nothing is wrong

Anything else that leaves the engine is a bug. The text of these errors is written for a clinician:
the dashboard shows it as it is, escaped.
"""

from __future__ import annotations

from functools import partial


class DiptychError(Exception):
    """Base of the three; catch this to catch what a user can mend."""


class DataError(DiptychError, ValueError):
    """The table cannot be used as it is; the text names the place and the remedy.

    Parameters
    ----------
    message : the sentence to show
    column : name of the column meant, if one is
    row : 1-based line or row number in the file, if one is
    """

    def __init__(self, message: str, *, column: str | None = None, row: int | None = None) -> None:
        super().__init__(message)
        self.column = column
        self.row = row

    def __reduce__(self) -> tuple[object, ...]:  # keyword fields survive the way back from a job process
        return partial(type(self), column=self.column, row=self.row), (str(self),)


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
