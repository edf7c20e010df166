"""A hostile reader: everything that is shown of a small table as equations over its cells, and what follows of them.

The unknown numbers are the cells of the whole table, a few columns of a few levels each. A count that is shown is an
equation, "fewer than 5" says 1 to 4, a share is an interval of its rounding; `scipy.optimize.milp` says between which
ends a count can still be. Names of levels differ over all columns, so that words say which cells a number is about.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy.optimize import Bounds, LinearConstraint, milp

from engine.text import Count, Level, Name, People, Share, Text

Condition = tuple[tuple[str, str], ...]
"""Columns with a level each, in the order of the table: the rows that have all of them."""
_WORD = re.compile(r"\w+")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s?%")
_JUDGED = re.compile(r"\b(?:missed|classified)\b")
"""Of a sentence on what a classifier makes of rows: its number is of no cell of the table, though one may equal it."""
_COUNTED = re.compile(r"(?<![\w.,−-])(\d[\d,]*)(?: of \d[\d,]*)?(?: \w+)? (?:rows?|patients?|subjects?|people)\b")


@dataclass
class Reader:
    """A reader of one table, who knows its columns and levels and how counts are hidden.

    Attributes
    ----------
    frame : the table, of texts; the reader reads only through `count`, `share`, `sentence` and `table`
    least : the smallest count that is shown
    rows, low, high : what is known: low <= rows @ cells <= high
    """

    frame: pd.DataFrame
    least: int = 5
    rows: list[np.ndarray] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    read: int = 0

    def __post_init__(self) -> None:
        levels = {str(name): sorted(set(self.frame[name])) for name in self.frame}
        self.owner = {level: name for name, own in levels.items() for level in own}
        cells = list(itertools.product(*levels.values()))
        counted = self.frame.value_counts()
        self.truth = np.array([int(counted.get(cell, 0)) for cell in cells])
        self.forms: dict[Condition, np.ndarray] = {}
        for some in itertools.product(*([None, *own] for own in levels.values())):
            about = tuple((name, level) for name, level in zip(levels, some, strict=True) if level is not None)
            inside = [all(one in (None, own) for one, own in zip(some, cell, strict=True)) for cell in cells]
            self.forms[about] = np.array(inside, dtype=float)

    def n(self, about: Condition) -> int:
        """The true number of rows."""
        return int(self.forms[about] @ self.truth)

    def mentioned(self, text: str) -> list[Condition]:
        """The conditions that words can be about: those of the most levels first."""
        words = {self.owner[word]: [] for word in _WORD.findall(text) if word in self.owner}
        for word in dict.fromkeys(_WORD.findall(text)):
            if word in self.owner:
                words[self.owner[word]].append(word)
        some = itertools.product(*([(name, None), *((name, one) for one in own)] for name, own in words.items()))
        order = {name: i for i, name in enumerate(self.frame)}
        known = [tuple(sorted((e for e in each if e[1]), key=lambda e: order[e[0]])) for each in some]
        return sorted(known, key=len, reverse=True)

    # -- what is learned ----------------------------------------------------------------------------------------------

    def _know(self, form: np.ndarray, low: float, high: float) -> None:
        assert low - 1e-9 <= form @ self.truth <= high + 1e-9, "read wrongly"
        self.rows.append(form)
        self.low.append(low)
        self.high.append(high)

    def count(self, n: int, about: Iterable[Condition], every: bool = True) -> bool:
        """A number that stands as it is: of what it can be about, what it is right of."""
        fitting = [one for one in about if self.n(one) == n]
        fitting = fitting if every else sorted(fitting, key=len)[:1]
        for one in fitting:
            self._know(self.forms[one], n, n)
        self.read += bool(fitting)
        return bool(fitting)

    def few(self, about: Iterable[Condition]) -> None:
        """'fewer than 5'."""
        for one in about:
            if 0 < self.n(one) < self.least:
                self._know(self.forms[one], 1, self.least - 1)
                return

    def share(self, share: float, ulp: float, hits: float | None, n: float | None, about: Iterable[Condition]) -> None:
        """A share that was rounded to a multiple of `ulp`, of `hits` among `n` where these are known."""
        for inner in about:
            for size in range(len(inner)):
                for outer in itertools.combinations(inner, size):
                    own, whole = self.n(inner), self.n(outer)
                    if not whole or abs(own / whole - share) > ulp / 2 + 1e-9:
                        continue
                    if (hits is None or own == round(hits)) and (n is None or whole == round(n)):
                        top, bottom = share + ulp / 2, share - ulp / 2
                        self._know(self.forms[inner] - top * self.forms[outer], -np.inf, 1e-9)
                        self._know(self.forms[inner] - bottom * self.forms[outer], -1e-9, np.inf)
                        self.read += 1

    def elsewhere(self, hits: int, n: int, about: Iterable[Condition]) -> None:
        """'11 of 47 otherwise': rows that are not what the sentence named, and how many of these are something."""
        whole = self.forms[()]
        for inner in about:
            for one in inner:
                rest = tuple(other for other in inner if other != one)
                apart, among = whole - self.forms[one,], self.forms[rest] - self.forms[inner]
                if rest and (hits, n) == (round(among @ self.truth), round(apart @ self.truth)):
                    self._know(apart, n, n)
                    self._know(among, hits, hits)

    def sentence(self, text: str) -> None:
        """All numbers of a sentence."""
        about = self.mentioned(text)
        pieces = text.parts if isinstance(text, Text) else [text]
        for piece in pieces:
            if isinstance(piece, Count | Name | Level):
                continue
            for written in _PERCENT.findall(piece) if isinstance(piece, Share) else ():
                ulp = 10.0 ** -(2 + len(written.partition(".")[2]))
                self.share(float(written) / 100, ulp, piece.hits, piece.n, about)
            if isinstance(piece, Share) and " of " in piece:
                self.elsewhere(round(piece.hits), round(piece.n), about)
            if isinstance(piece, People):
                for n in {piece.n, piece.of} - {0}:
                    if not self.count(n, about, every=False) and not _JUDGED.search(text):
                        self.count(n, self.forms, every=False)
            if isinstance(piece, Share) and " of " in piece:
                self.count(round(piece.hits), about, every=False)
                self.count(round(piece.n), about, every=False)
        for n in {int(number.replace(",", "")) for number in _COUNTED.findall(text)} - {0}:
            self.count(n, about, every=False)

    def table(self, table: pd.DataFrame, kinds: Mapping[str, str], ulp: float = 0.01) -> None:
        """All counts and shares of a table, each about the levels that its row and the head of its column name."""
        for row in table.to_dict("records"):
            words = " ".join(str(value) for name, value in row.items() if kinds.get(str(name)) == "text")
            for name, value in row.items():
                about = self.mentioned(f"{words} {name}")
                if kinds.get(str(name)) == "count":
                    if value == f"fewer than {self.least}":
                        self.few(about)
                    elif value == value and str(value).isdecimal():
                        self.count(int(value), [one for one in about if self.n(one) == int(value)][:1])
                elif kinds.get(str(name)) == "share" and isinstance(value, float | int) and value == value:
                    self.share(value, ulp, None, None, about[:1])

    def texts(self, table: pd.DataFrame, keys: Iterable[str]) -> None:
        """A table of texts such as '12 (34.0 %)', each about the levels that its row and its column name."""
        keys = list(keys)
        for row in table.to_dict("records"):
            for name in [name for name in row if name not in keys]:
                about = self.mentioned(" ".join(str(row[key]) for key in [*keys]) + f" {name}")[:1]
                text = str(row[name])
                if text.startswith("fewer than"):
                    self.few(about)
                elif found := re.match(r"([\d,]+)(?: |$)", text):
                    self.count(int(found[1].replace(",", "")), about)
                for written in _PERCENT.findall(text):
                    self.share(float(written) / 100, 10.0 ** -(2 + len(written.partition(".")[2])), None, None, about)

    # -- what follows -------------------------------------------------------------------------------------------------

    def between(self, about: Condition) -> tuple[int, int]:
        """The least and the greatest number that it can be for all that is known."""
        ends = []
        for sign in (1, -1):
            known = LinearConstraint(np.array(self.rows), self.low, self.high) if self.rows else ()
            found = milp(
                sign * self.forms[about],
                constraints=known,
                integrality=np.ones(len(self.truth)),
                bounds=Bounds(0, max(1, int(self.truth.sum()))),
            )
            assert found.success or found.status == 1, found.message
            ends.append(round(sign * found.fun))
        return ends[0], ends[1]

    def pinned(self) -> dict[Condition, int]:
        """The small counts that can be nothing else."""
        small = {about: n for about in self.forms if 0 < (n := self.n(about)) < self.least}
        return {about: n for about, n in small.items() if self.between(about) == (n, n)}
