"""What a hostile fixture is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any


@dataclass(frozen=True)
class Fixture:
    """One bad file and what must come of it.

    Attributes
    ----------
    name : of the sin, a plain word
    make : gives the bytes
    file : name under which it is uploaded, itself hostile at times
    refused : words that the error of reading must hold, all of them; empty when the file is read
    says : words that the sentences of the reading report must hold, all of them
    columns : names of the table's columns, where they are the point
    rows : number of rows, where that is the point
    unusable : words of the error that preparing (not reading) must give
    choices : what `read_table` is given beside the file
    """

    name: str
    make: Callable[[], bytes]
    file: str = "table.csv"
    refused: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    columns: tuple[str, ...] | None = None
    rows: int | None = None
    unusable: tuple[str, ...] = ()
    choices: dict[str, Any] = field(default_factory=dict)

    @property
    def safe_file(self) -> str:
        """The last part of `file`, at most 40 characters."""
        suffix = PurePosixPath(self.file.replace("\0", "")).suffix[:10]
        return f"table{suffix}"


def text(words: str, encoding: str = "utf-8") -> Callable[[], bytes]:
    """A maker of `words` in an encoding."""
    return lambda: words.encode(encoding)
