"""The table every method works on: unsigned codes, one contiguous row a variable, and what they mean."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.planes import Planes, build_planes
from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.prepare import prepared
from engine.data.preparing.report import ImportReport
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("nominal", "ordinal", "continuous")
"""What a variable that is kept can be; a continuous one has been cut into intervals."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """A complete table of discrete variables.

    Make one with `Dataset.from_frame` (a pandas table) or `Dataset.from_codes` (codes that are ready);
    the fields are as those leave them and are never changed afterwards.

    Attributes
    ----------
    names : p variable names, in column order
    levels : name -> its level names, in order; also levels that no row has
    kinds : name -> "nominal", "ordinal" or "continuous"
    codes : (p, n) unsigned integers, C-contiguous and read-only; `codes[i, row]` indexes `levels[names[i]]`
    cuts : name -> the cut points of a continuous variable
    report : how a file became this, or None
    origin : (n,) number from 0 of the row of the table that each row came from, sliced with the codes
    """

    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    codes: np.ndarray
    cuts: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    report: ImportReport | None = None
    origin: np.ndarray = None  # type: ignore[assignment]  # numbered from 0 where nothing is given

    def __post_init__(self) -> None:
        if self.origin is None:
            object.__setattr__(self, "origin", np.arange(self.codes.shape[1], dtype=np.int32))
        self.origin.flags.writeable = False

    @classmethod
    def from_frame(cls, table: pd.DataFrame, *, missing_tokens: Any = None, **choices: Any) -> Dataset:
        """Turn a pandas table into codes; `Dataset.report` says what was decided and why.

        Parameters
        ----------
        table : any pandas table; one from `engine.read_table` brings its reading report along
        kinds : column -> "nominal", "ordinal", "continuous", "ignore" (or "identifier"); proposed where left out
        levels : column -> its levels in order; may list levels that no row has, must list all that rows have
        missing : "drop" (rows that lack a value of a kept column), "level" (missing is a level of its own) or
            "drop_columns" (columns that lack a value are left out); or column -> one of these
        bins : number of intervals of continuous columns; or column -> a number or the cut points themselves
        binning : "quantile" (equally many rows) or "width" (equally wide); or column -> one of these
        rare : levels with fewer rows are merged, nominal ones into "other", ordinal ones into a neighbour;
            0 merges none; or column -> number
        merge : column -> {level: level it becomes}
        missing_tokens : texts (also of numbers, such as "-9") that count as missing; for all, or by column

        Levels are those of the whole table, dropped rows included; cut points come from the rows that are kept.

        Raises
        ------
        DataError : a choice that does not fit the table; no column or no row left; each with the remedy
        """
        found = prepared(table, FrameChoices.of(**choices), missing_tokens)
        data = cls.from_codes(found.codes, found.levels, found.names, found.kinds)
        return replace(data, cuts=found.cuts, report=found.report, origin=found.origin.astype(np.int32))

    @classmethod
    def from_codes(
        cls,
        codes: np.ndarray,
        levels: Mapping[str, Sequence[object]] | Sequence[Sequence[object] | int],
        names: Sequence[str],
        kinds: Mapping[str, str] | None = None,
    ) -> Dataset:
        """A data set from codes that are ready.

        Parameters
        ----------
        codes : (p, n) integers, one row a variable, each below its variable's number of levels; copied, unless they are
            read-only already and of the smallest unsigned type that holds the levels
        levels : for each variable its level names, or just how many there are (then "0", "1", ...)
        names : p different names
        kinds : name -> kind, "nominal" where left out

        Raises
        ------
        DataError : shapes that do not fit, names or levels that repeat, a code without a level
        """
        names = tuple(str(name) for name in names)
        if len(set(names)) != len(names):
            raise DataError("Two variables have the same name; give each its own.")
        table = np.asarray(codes)
        if table.ndim != 2 or table.shape[0] != len(names):
            raise DataError(f"The codes have shape {table.shape}; {len(names)} names ask for ({len(names)}, rows).")
        if table.size and not np.issubdtype(table.dtype, np.integer):
            raise DataError("Codes must be whole numbers that index the levels.")
        given = [levels[name] for name in names] if isinstance(levels, Mapping) else list(levels)
        if len(given) != len(names):
            raise DataError(f"{len(given)} lists of levels for {len(names)} variables.")
        named = {name: _level_names(name, one) for name, one in zip(names, given, strict=True)}
        for name, row in zip(names, table, strict=True):
            if row.size and (row.min() < 0 or row.max() >= len(named[name])):
                raise DataError(
                    f"'{name}' has the code {int(row.max() if row.min() >= 0 else row.min())}, "
                    f"but its levels are numbered 0 to {len(named[name]) - 1}.",
                    column=name,
                )
        kinds = {name: (kinds or {}).get(name, "nominal") for name in names}
        return cls(names, named, kinds, _frozen(table, max((len(v) for v in named.values()), default=1)))

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return int(self.codes.shape[1])

    @property
    def n_variables(self) -> int:
        """Variables of the table."""
        return len(self.names)

    @cached_property
    def arity(self) -> np.ndarray:
        """(p,) number of levels of each variable, observed or not."""
        return np.array([len(self.levels[name]) for name in self.names], dtype=np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """Hexadecimal digest of all codes and the whole schema (level order included): a cache key."""
        schema = {
            "names": self.names,
            "levels": [self.levels[name] for name in self.names],
            "kinds": [self.kinds[name] for name in self.names],
            "cuts": {name: list(self.cuts[name]) for name in sorted(self.cuts)},
            "shape": self.codes.shape,
            "type": self.codes.dtype.str,
        }
        digest = hashlib.sha256(json.dumps(schema, ensure_ascii=True).encode())
        digest.update(self.codes.data)
        return digest.hexdigest()

    @cached_property
    def planes(self) -> Planes:
        """Bit planes of all variables, built on first use and kept (see `engine.counting`)."""
        return build_planes(self.codes, self.arity)

    def index(self, name: str) -> int:
        """Position of a variable; `DataError` names the nearest candidates when there is none."""
        try:
            return self._positions[name]
        except KeyError:
            near = difflib.get_close_matches(str(name), self.names, n=3)
            hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
            raise DataError(f"There is no variable {str(name)!r} in this table.{hint}") from None

    def column(self, name: str) -> np.ndarray:
        """(n,) codes of one variable."""
        return self.codes[self.index(name)]

    def select(self, names: Iterable[str]) -> Dataset:
        """The same rows with these variables only, in this order."""
        names = tuple(names)
        if names == self.names:
            return self
        if len(set(names)) != len(names):
            raise DataError("A variable is asked for twice.")
        rows = [self.index(name) for name in names]
        return self._with(names=names, codes=self.codes[rows])

    def rows(self, which: np.ndarray) -> Dataset:
        """The same variables with these rows only: a boolean mask or an array of row numbers."""
        return self._with(codes=self.codes[:, which], origin=self.origin[which])

    def split(self, name: str) -> dict[str, Dataset]:
        """One data set for each level of `name` that has rows, without that variable itself.

        All parts keep the levels of the whole table, so they can be compared.
        """
        column = self.column(name)
        others = self.select(other for other in self.names if other != name)
        return {
            level: others.rows(column == code) for code, level in enumerate(self.levels[name]) if (column == code).any()
        }

    def without_empty_levels(self) -> tuple[Dataset, dict[str, tuple[str, ...]]]:
        """This data set without levels that no row has, and name -> the levels left out."""
        codes = self.codes.copy()
        levels, dropped = dict(self.levels), {}
        for i, name in enumerate(self.names):
            present = np.bincount(codes[i], minlength=len(levels[name])) > 0
            if present.all() or not self.n_rows:
                continue
            codes[i] = (np.cumsum(present) - 1).astype(codes.dtype)[codes[i]]
            dropped[name] = tuple(v for v, keep in zip(levels[name], present, strict=True) if not keep)
            levels[name] = tuple(v for v, keep in zip(levels[name], present, strict=True) if keep)
        return (self._with(codes=codes, levels=levels), dropped) if dropped else (self, {})

    def to_frame(self) -> pd.DataFrame:
        """A pandas table of level names; nominal as categories, the others as ordered categories."""
        import pandas as pd

        return pd.DataFrame(
            {
                name: pd.Categorical.from_codes(
                    self.codes[i].astype(np.int64),
                    categories=list(self.levels[name]),
                    ordered=self.kinds[name] != "nominal",
                )
                for i, name in enumerate(self.names)
            }
        )

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _with(self, **changes: Any) -> Dataset:
        names = changes.get("names", self.names)
        changes["codes"].flags.writeable = False  # made just now for this data set, so nobody else can write to it
        levels = changes.get("levels", self.levels)
        return replace(
            self,
            origin=changes.get("origin", self.origin),
            names=names,
            levels={name: levels[name] for name in names},
            kinds={name: self.kinds[name] for name in names},
            cuts={name: self.cuts[name] for name in names if name in self.cuts},
            codes=_frozen(changes["codes"], max((len(levels[name]) for name in names), default=1)),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Only the fields travel to another process; planes and positions are made again there."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}


def _level_names(variable: str, given: Sequence[object] | int) -> tuple[str, ...]:
    values = tuple(str(v) for v in range(given)) if isinstance(given, int | np.integer) else tuple(map(str, given))
    if len(set(values)) != len(values):
        raise DataError(f"'{variable}' lists the same level twice.", column=variable)
    return values


def _frozen(codes: np.ndarray, most_levels: int) -> np.ndarray:
    """C-contiguous, read-only, in the smallest unsigned type that holds the levels; `codes` itself where it is that."""
    small = np.uint8 if most_levels <= 256 else np.uint16 if most_levels <= 65536 else np.uint32
    if not codes.flags.writeable and codes.dtype == small and codes.flags.c_contiguous:
        return codes
    codes = np.array(codes, dtype=small, order="C")
    codes.flags.writeable = False
    return codes
