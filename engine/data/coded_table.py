"""Codes and what they mean: the part of a data set that needs no file, no pandas table and no recipe."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine.data.planes import Planes, build_planes
from engine.data.preparing.choices import BESIDE, FrameChoices
from engine.data.preparing.numbers import Numbers, digest
from engine.data.preparing.report import ImportReport
from engine.data.preparing.steps import Steps, steps_of
from engine.data.preparing.variables import of_codes
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("nominal", "ordinal", "continuous")
"""What a variable that is kept can be; a continuous one has been cut into intervals."""


@dataclass(frozen=True, eq=False, repr=False)
class CodedTable:
    """A complete table of discrete variables; `engine.Dataset` is this with the ways in from pandas."""

    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    codes: np.ndarray
    cuts: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    report: ImportReport | None = None
    origin: np.ndarray = None  # type: ignore[assignment]  # numbered from 0 where nothing is given
    roles: Mapping[str, str] = field(default_factory=dict)
    steps: Steps | None = None
    made_by: FrameChoices | None = None
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    part_of: str = ""

    def __post_init__(self) -> None:
        if self.origin is None:
            object.__setattr__(self, "origin", np.arange(self.codes.shape[1], dtype=np.int32))
        self.origin.flags.writeable = False

    @classmethod
    def from_codes(
        cls,
        codes: np.ndarray,
        levels: Mapping[str, Sequence[object]] | Sequence[Sequence[object] | int],
        names: Sequence[str],
        kinds: Mapping[str, str] | None = None,
        roles: Mapping[str, str] | None = None,
    ) -> Self:
        """A data set from codes that are ready.

        Parameters
        ----------
        codes : (p, n) integers, one row a variable, each below its variable's number of levels; copied, unless they are
            read-only already and of the smallest unsigned type that holds the levels
        levels : for each variable its level names, or just how many there are (then "0", "1", ...)
        names : p different names
        kinds : name -> kind, "nominal" where left out
        roles : name -> "group", "outcome", "subject", "time", "weight" or "identifier"; the last four are kept beside
            the variables (times are the numbers that their level names are, else the order of the levels)

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : shapes that do not fit, names or levels that repeat, a code without a level

        Examples
        --------
        >>> import engine
        >>> levels = {"smoker": ["no", "yes"], "cough": 2}
        >>> data = engine.Dataset.from_codes([[0, 1, 1], [0, 0, 1]], levels, ["smoker", "cough"])
        >>> data.levels["cough"], data.shape
        (('0', '1'), (3, 2))
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
        widest = max((len(v) for v in named.values()), default=1)
        if not roles:
            return cls(names, named, kinds, _frozen(table, widest))
        checked = FrameChoices(roles=roles)
        checked.check_names(names)
        found = steps_of(
            {name: of_codes(name, row, named[name]) for name, row in zip(names, table, strict=True)}, checked
        )
        whole = cls(names, named, kinds, _frozen(table, widest), roles=checked.roles, steps=found[0])
        return whole.select(name for name in names if checked.roles.get(name) not in BESIDE)

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
        """Hexadecimal digest of all codes and the whole schema (level order included): a cache key.

        Roles, subjects and steps count where there are roles, since methods go by them; where a row came from does not.
        """
        schema = {
            "names": self.names,
            "levels": [self.levels[name] for name in self.names],
            "kinds": [self.kinds[name] for name in self.names],
            "cuts": {name: list(self.cuts[name]) for name in sorted(self.cuts)},
            "shape": self.codes.shape,
            "type": self.codes.dtype.str,
        }
        if self.roles:  # without roles the digest stays what it was before there were any
            schema["roles"] = dict(sorted(self.roles.items()))
        digest = hashlib.sha256(json.dumps(schema, ensure_ascii=True).encode())
        digest.update(self.codes.data)
        if self.steps is not None:
            digest.update(json.dumps(self.steps.subjects).encode())
            digest.update(self.steps.subject.tobytes() + self.steps.step.tobytes())
        return digest.hexdigest()

    @property
    def whole(self) -> str:
        """Fingerprint of the data set that `rows`, `select` and `split` took this out of; its own where none did."""
        return self.part_of or self.fingerprint

    @cached_property
    def numbers_digest(self) -> str:
        """Digest of the numbers behind intervals; empty where there are none."""
        return digest(self.numbers)

    @cached_property
    def planes(self) -> Planes:
        """Bit planes of all variables, built on first use and kept (see `engine.counting`)."""
        return build_planes(self.codes, self.arity)

    def index(self, name: str) -> int:
        """Position of a variable; `DataError` names the nearest candidates when there is none.

        Parameters
        ----------
        name : of the variable
        """
        try:
            return self._positions[name]
        except KeyError:
            near = difflib.get_close_matches(str(name), self.names, n=3)
            hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
            raise DataError(f"There is no variable {str(name)!r} in this table.{hint}") from None

    def column(self, name: str) -> np.ndarray:
        """(n,) codes of one variable.

        Parameters
        ----------
        name : of the variable; `DataError` where there is none
        """
        return self.codes[self.index(name)]

    def select(self, names: Iterable[str]) -> Self:
        """The same rows with these variables only, in this order.

        Parameters
        ----------
        names : of the variables wanted

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : a name that is not there, or twice

        Examples
        --------
        >>> import engine
        >>> data = engine.Dataset.from_codes([[0, 1], [1, 0], [1, 1]], [2, 2, 2], ["a", "b", "c"])
        >>> data.select(["c", "a"]).names
        ('c', 'a')
        """
        names = tuple(names)
        if names == self.names:
            return self
        if len(set(names)) != len(names):
            raise DataError("A variable is asked for twice.")
        rows = [self.index(name) for name in names]
        return self._with(names=names, codes=self.codes[rows])

    def rows(self, which: np.ndarray) -> Self:
        """The same variables with these rows only; `origin` says where in the table they stood.

        Parameters
        ----------
        which : (n,) flags, or numbers of rows from 0 in any order

        Returns
        -------
        Dataset

        Raises
        ------
        IndexError : a row that is not there

        Examples
        --------
        >>> import engine
        >>> data = engine.Dataset.from_codes([[0, 1, 1, 0]], [2], ["a"])
        >>> data.rows([2, 3]).rows([1]).origin.tolist()
        [3]
        """
        places = np.arange(self.n_rows)[which]
        steps = None if self.steps is None else self.steps.rows(places)
        numbers = {name: column.rows(places) for name, column in self.numbers.items()}
        codes = self.codes.take(places, axis=1)
        return self._with(codes=codes, origin=self.origin[places], steps=steps, numbers=numbers)

    def split(self, name: str) -> dict[str, Self]:
        """One data set for each level of `name` that has rows, without that variable itself.

        All parts keep the levels of the whole table, so they can be compared.

        Parameters
        ----------
        name : of the variable that parts the rows

        Returns
        -------
        dict : level -> Dataset

        Raises
        ------
        DataError : no variable has that name

        Examples
        --------
        >>> import engine
        >>> data = engine.Dataset.from_codes([[0, 1, 1], [0, 0, 1]], {"arm": ["a", "b"], "pain": 2}, ["arm", "pain"])
        >>> {level: len(part) for level, part in data.split("arm").items()}
        {'a': 1, 'b': 2}
        """
        column = self.column(name)
        others = self.select(other for other in self.names if other != name)
        return {
            level: others.rows(column == code) for code, level in enumerate(self.levels[name]) if (column == code).any()
        }

    def without_empty_levels(self) -> tuple[Self, dict[str, tuple[str, ...]]]:
        """This data set without levels that no row has, and name -> the levels left out."""
        codes, levels, dropped = self.codes.copy(), dict(self.levels), {}
        for i, name in enumerate(self.names):
            present = np.bincount(codes[i], minlength=len(levels[name])) > 0
            if present.all() or not self.n_rows:
                continue
            codes[i] = (np.cumsum(present) - 1).astype(codes.dtype)[codes[i]]
            dropped[name] = tuple(v for v, keep in zip(levels[name], present, strict=True) if not keep)
            levels[name] = tuple(v for v, keep in zip(levels[name], present, strict=True) if keep)
        return (self._with(codes=codes, levels=levels), dropped) if dropped else (self, {})

    def to_frame(self) -> pd.DataFrame:
        """A pandas table of level names; nominal as categories, the others as ordered categories.

        Returns
        -------
        pandas.DataFrame : (n, p), rows numbered from 0

        Examples
        --------
        >>> import engine
        >>> data = engine.Dataset.from_codes([[0, 1, 1]], {"smoker": ["no", "yes"]}, ["smoker"])
        >>> data.to_frame()["smoker"].tolist()
        ['no', 'yes', 'yes']
        """
        import pandas as pd

        return pd.DataFrame({name: self[name] for name in self.names})

    # -- the manners of a pandas table --------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.n_rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def __getitem__(self, name: str) -> pd.Series:
        """One variable as a pandas column of its level names (categories, ordered where the variable is)."""
        import pandas as pd

        values = pd.Categorical.from_codes(
            self.column(name).astype(np.int64),
            categories=list(self.levels[name]),
            ordered=self.kinds[name] != "nominal",
        )
        return pd.Series(values, name=name)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and variables."""
        return self.n_rows, self.n_variables

    def head(self, n: int = 5) -> pd.DataFrame:
        """The first rows as a pandas table of level names.

        Parameters
        ----------
        n : how many
        """
        return self.rows(np.arange(min(max(n, 0), self.n_rows))).to_frame()

    def __repr__(self) -> str:
        listed = ", ".join(name if len(name) <= 24 else f"{name[:21]}..." for name in self.names[:4])
        more = ", ..." if self.n_variables > 4 else ""
        return f"Dataset({self.n_rows:,} rows, {self.n_variables:,} variables: {listed}{more})"

    def _repr_html_(self) -> str:
        shown = self.select(self.names[:12]).head().to_html(index=False, border=0)
        return f"<p>{escape(repr(self))}</p>{shown}"

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _with(self, **changes: Any) -> Self:
        names = changes.get("names", self.names)
        changes["codes"].flags.writeable = False  # made just now for this data set, so nobody else can write to it
        levels, numbers = changes.get("levels", self.levels), changes.get("numbers", self.numbers)
        return replace(
            self,
            part_of=self.whole,
            **{what: changes[what] for what in ("origin", "steps") if what in changes},
            roles={name: role for name, role in self.roles.items() if name in names or role in BESIDE},
            names=names,
            levels={name: levels[name] for name in names},
            kinds={name: self.kinds[name] for name in names},
            cuts={name: self.cuts[name] for name in names if name in self.cuts},
            numbers={name: numbers[name] for name in names if name in numbers},
            codes=_frozen(changes["codes"], max((len(levels[name]) for name in names), default=1)),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Only the fields travel to another process; the rest is made again there."""
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
