"""Codes and what they mean: the part of a data set that needs no file, no pandas table and no recipe."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, NamedTuple, Self

import numpy as np

from engine import words
from engine.data.digest import fingerprint
from engine.data.fine_codes import FineCodes
from engine.data.memory_store import MemoryStore, locked
from engine.data.planes import Planes
from engine.data.preparing.choices import BESIDE, FrameChoices, roles_with
from engine.data.preparing.report import ImportReport
from engine.data.preparing.steps import Steps, steps_of
from engine.data.preparing.variables import Numbers, digest, of_codes
from engine.data.rows.context import RowContext
from engine.data.rows.determined import numbers_of_levels
from engine.data.rows.relations import (
    FEWEST_ROWS,
    ORDER,
    SERIES,
    Relation,
    Rows,
    SubjectCount,
    count_subjects,
    find_relations,
)
from engine.data.store import Store, fetched, remote_refusal, row_positions
from engine.data.subjects import CountedSubjects
from engine.errors import InputError
from engine.lazy import pd
from engine.notebook import LINE, notebook_bundle, text_height
from engine.words import short

STRETCH, STRETCHES, LEAST_STRETCH = words.NEIGHBOURS, 40, 5
"""What rows that were measured one after the other share, in words; how many there are, and the fewest rows of one."""
_MOST_CELLS = 1 << 29
"""Cells that are brought into memory from far away, at the most."""


class Split(NamedTuple):
    """Which rows `CodedTable.split` took: those with this level of this column, out of the data set of that digest."""

    column: str
    level: str
    fingerprint: str


@dataclass(frozen=True, eq=False, repr=False)
class CodedTable:
    """A complete table of discrete variables; `engine.Dataset` is this with the ways in from pandas."""

    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    store: Store
    cuts: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    report: ImportReport | None = None
    origin: np.ndarray = None  # type: ignore[assignment]  # numbered from 0 where nothing is given
    roles: Mapping[str, str] = field(default_factory=dict)
    steps: Steps | None = None
    made_by: FrameChoices | None = None
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    part_of: str = ""
    split_by: Split | None = None
    context: RowContext | None = None
    subjects: CountedSubjects | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    fine: FineCodes | None = None

    def __post_init__(self) -> None:
        if len(self.store.arity) != len(self.names):
            raise InputError(f"{len(self.names):,} names for {len(self.store.arity):,} variables.")
        if not np.array_equal(self.store.arity, self.arity):  # levels were replaced
            object.__setattr__(self, "store", MemoryStore.of(self.codes, self.arity))
        if self.origin is None:
            rows = self.n_rows if self.in_memory else 0
            object.__setattr__(self, "origin", np.arange(rows, dtype=np.int32 if rows < 1 << 31 else np.int64))
        self.origin.flags.writeable = False

    @classmethod
    def from_codes(
        cls,
        codes: np.ndarray,
        levels: Mapping[str, Sequence[object]] | Sequence[Sequence[object] | int],
        names: Sequence[str],
        kinds: Mapping[str, str] | None = None,
        roles: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> Self:
        """A data set from codes that are ready.

        Parameters
        ----------
        codes : (p, n) integers, one row a variable, each below its variable's number of levels; copied, unless they are
            read-only already and of the smallest unsigned type that holds the levels; of a large table only bit planes
            are made and nothing else is kept
        levels : for each variable its level names, or just how many there are (then "0", "1", ...)
        names : p different names
        kinds : name -> kind, "nominal" where left out
        roles : name -> "group", "outcome", "subject", "time", "weight" or "identifier"; the last four are kept beside
            the variables (times are the numbers that their level names are, else the order of the levels)
        units : name -> unit of its numbers, where it is known

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
            raise InputError("Two variables have the same name; give each its own.")
        table = np.asarray(codes)
        if table.ndim != 2 or table.shape[0] != len(names):
            raise InputError(f"The codes have shape {table.shape}; {len(names)} names ask for ({len(names)}, rows).")
        if table.size and not np.issubdtype(table.dtype, np.integer):
            raise InputError("Codes must be whole numbers that index the levels.")
        given = [levels[name] for name in names] if isinstance(levels, Mapping) else list(levels)
        if len(given) != len(names):
            raise InputError(f"{len(given)} lists of levels for {len(names)} variables.")
        named = {name: level_names(name, item) for name, item in zip(names, given, strict=True)}
        for name, row in zip(names, table, strict=True):
            if row.size and (row.min() < 0 or row.max() >= len(named[name])):
                raise InputError(
                    f"'{name}' has the code {int(row.max() if row.min() >= 0 else row.min())}, "
                    f"but its levels are numbered 0 to {len(named[name]) - 1}.",
                    column=name,
                )
        kinds = {name: (kinds or {}).get(name, "nominal") for name in names}
        store = MemoryStore.of(table, np.array([len(v) for v in named.values()], dtype=np.int64))
        known = {name: str(unit) for name, unit in (units or {}).items() if name in kinds and unit}
        if not roles:
            return cls(names, named, kinds, store, units=known)
        checked = FrameChoices(roles=roles)
        checked.check_names(names)
        result = steps_of(
            {name: of_codes(name, row, named[name]) for name, row in zip(names, table, strict=True)}, checked
        )
        whole = cls(names, named, kinds, store, roles=checked.roles, steps=result[0], units=known)
        return whole.select(name for name in names if checked.roles.get(name) not in BESIDE)

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return self.store.n_rows

    @property
    def in_memory(self) -> bool:
        """True where the rows are in the memory of this process; elsewhere they can only be counted."""
        return self.store.in_memory

    @property
    def codes(self) -> np.ndarray:
        """(p, n) unsigned codes, C-contiguous and read-only.

        A large table is kept as bit planes: then they are made again when asked for, and gone when nobody holds them.
        Ask for `column` or `codes_of` where some variables will do.

        Raises
        ------
        DataError : the rows are not in memory, and too many to be fetched
        """
        return self.store.codes if isinstance(self.store, MemoryStore) else fetched(self.store)

    def codes_of(self, which: Sequence[int] | np.ndarray) -> np.ndarray:
        """Codes of some variables.

        Parameters
        ----------
        which : (k,) positions

        Returns
        -------
        (k, n) unsigned codes

        Raises
        ------
        DataError : the rows are not in memory, and too many to be fetched
        """
        if isinstance(self.store, MemoryStore):
            return self.store.codes_of(which)
        return fetched(self.store.select(np.asarray(which, dtype=np.int64).tolist()))

    @property
    def n_variables(self) -> int:
        """Variables of the table."""
        return len(self.names)

    @cached_property
    def arity(self) -> np.ndarray:
        """(p,) number of levels of each variable, observed or not."""
        return np.array([len(self.levels[name]) for name in self.names], dtype=np.int64)

    @property
    def subject_column(self) -> str:
        """The column that rows which belong together share, by its role of the subject; "" where there is none."""
        named = next((name for name, role in self.roles.items() if role == "subject"), "")
        return named or (STRETCH if self.in_stretches else "")

    @property
    def in_stretches(self) -> bool:
        """True where it was said that the rows were measured one after the other, and no column says more."""
        settled = self.made_by.settled if self.made_by is not None and self.steps is None else {}
        return settled.get(f"{ORDER}:") == SERIES and self.report is not None and self.in_memory

    @cached_property
    def clusters(self) -> np.ndarray | None:
        """(n,) numbers from 0 that rows which belong together share, read-only.

        They share a subject (patient, clinic, school), or a stretch of a table whose rows were measured one after the
        other: a fortieth of it, five rows at the least. Numbered in the order of first appearance; a row whose subject
        is not known has a number of its own. None where nothing says so, or no two rows share one.

        Raises
        ------
        DataError : rows that are not in memory belong together; ask `subjects` for the counts of each
        """
        if self.subjects is not None:
            raise remote_refusal(self.store, "What looks at rows that belong together")
        if self.in_stretches and self.report is not None and len(self.origin) == self.n_rows:
            owner = self.origin.astype(np.int64) // max(-(-self.report.rows_read // STRETCHES), LEAST_STRETCH)
        elif self.steps is not None:
            owner = self.steps.owner.astype(np.int64)
            owner = np.where(owner >= 0, owner, len(self.steps.subjects) + np.arange(len(owner)))
        else:
            return None
        _, first, number = np.unique(owner, return_index=True, return_inverse=True)
        if len(first) == len(owner):
            return None
        place = np.empty(len(first), dtype=np.int64)
        place[np.argsort(first)] = np.arange(len(first))
        result: np.ndarray = place[number]
        result.flags.writeable = False
        return result

    @property
    def named(self) -> np.ndarray:
        """(n,) whether what a row belongs to is known."""
        if self.subjects is not None:
            raise remote_refusal(self.store, "What looks at rows that belong together")
        if self.steps is None or self.in_stretches:
            return np.full(self.n_rows, self.in_stretches)
        return np.asarray(self.steps.owner >= 0)

    @cached_property
    def subject_count(self) -> SubjectCount | None:
        """Number of subjects that the rows belong to; None where no two rows share one."""
        if self.subjects is not None:
            return self.subjects.count
        return None if self.clusters is None else count_subjects(self.clusters, self.named)

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """Signs in the table that rows are not independent of each other; found once, with a fixed seed.

        Nothing where the role of the subject says which rows belong together, where rows were drawn several times,
        where codes came ready or the rows are not in memory, and of what was settled (see `engine.decisions`).
        """
        if self.context is None or self.made_by is None or self.steps is not None or not self.in_memory:
            return ()
        if self.n_rows < FEWEST_ROWS or self.context.drawn:
            return ()
        group = next((name for name, role in self.roles.items() if role == "group" and name in self.names), None)
        known = [self.numbers.get(name) for name in self.names]
        finer = [None if item is None else item.places for item in known]
        levels = map(numbers_of_levels, map(self.levels.__getitem__, self.names))
        worth = [named if item is None else item.values for item, named in zip(known, levels, strict=True)]
        rows = Rows(self.names, self.codes, self.arity, finer, None if group is None else self.column(group), worth)
        return find_relations(rows, self.context, self.made_by.settled)

    def missing_level(self, name: str) -> str | None:
        """The level of a variable that its rows without a value have; None where missing is no level.

        Parameters
        ----------
        name : of the variable

        Examples
        --------
        >>> import engine, pandas
        >>> table = pandas.DataFrame({"stage": ["1", "2", None] * 4, "ill": ["no", "yes"] * 6})
        >>> data = engine.Dataset.from_frame(table, missing="level")
        >>> data.missing_level("stage"), data.missing_level("ill")
        ('missing', None)
        """
        columns = self.made_by.columns if self.made_by is not None else ()
        level = next((column.missing for column in columns if column.name == name), "")
        return level if level and level in self.levels[self.names[self.index(name)]] else None

    @cached_property
    def fingerprint(self) -> str:
        """Hexadecimal digest of all codes and the whole schema (level order included): a cache key.

        The same wherever the rows are kept. Roles, subjects and steps count where there are roles, since methods go by
        them; where a row came from does not.
        """
        return fingerprint(self)

    def is_of(self, fingerprint: str) -> bool:
        """True where an answer was made from this data set.

        Parameters
        ----------
        fingerprint : that the answer holds
        """
        return fingerprint == self.fingerprint

    @property
    def whole(self) -> str:
        """Fingerprint of the data set that `rows`, `select` and `split` took this out of; its own where none did."""
        return self.part_of or self.fingerprint

    @cached_property
    def numbers_digest(self) -> str:
        """Digest of the numbers behind intervals; empty where there are none."""
        return digest(self.numbers)

    @property
    def planes(self) -> Planes:
        """Bit planes of all variables in memory, built on first use and kept (see `engine.counting`).

        Raises
        ------
        DataError : the rows are not in memory; every count of `engine.counting` can be had all the same
        """
        if not isinstance(self.store, MemoryStore):
            raise remote_refusal(self.store, "This")
        return self.store.planes

    def index(self, name: str) -> int:
        """Position of a variable; `DataError` names the nearest candidates when there is none.

        Parameters
        ----------
        name : of the variable
        """
        try:
            return self._positions[name]
        except KeyError:
            if (role := self.roles.get(str(name))) is not None:
                why = f"'{short(str(name), 60)}' has the role {role!r}, so it is no variable"
                raise InputError(f"{why}; take the role away, or choose another.", column=str(name)) from None
            near = difflib.get_close_matches(str(name), self.names, n=3)
            hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
            raise InputError(f"There is no variable {str(name)!r} in this table.{hint}") from None

    def column(self, name: str) -> np.ndarray:
        """(n,) codes of one variable.

        Parameters
        ----------
        name : of the variable; `DataError` where there is none
        """
        return self.codes_of([self.index(name)])[0]

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
            raise InputError("A variable is asked for twice.")
        rows = [self.index(name) for name in names]
        context = None if self.context is None else self.context.variables(rows)
        return self._with(names=names, store=self.store.select(rows), context=context)

    def rows(self, which: np.ndarray) -> Self:
        """The same variables with these rows only; `origin` says where they stood (see `Dataset`).

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
        row_numbers = row_positions(which, self.n_rows)
        if not self.in_memory and len(row_numbers) * self.n_variables > _MOST_CELLS:
            raise remote_refusal(self.store, "To have so many rows at once")
        steps = None if self.steps is None else self.steps.rows(row_numbers)
        if self.subjects is not None:
            steps = self.subjects.steps(row_numbers)
        numbers = {name: column.rows(row_numbers) for name, column in self.numbers.items()}
        store = MemoryStore.of(locked(self.store.some(row_numbers)), self.arity)
        origin = self.origin[row_numbers] if self.in_memory else row_numbers
        context = None if self.context is None else self.context.rows(row_numbers)
        return self._with(
            store=store, origin=origin, steps=steps, numbers=numbers, context=context, subjects=None, fine=None
        )

    def with_codes(self, codes: np.ndarray, **changes: Any) -> Self:
        """The same variables with other rows.

        Parameters
        ----------
        codes : (p, m) unsigned codes, each below its variable's number of levels
        changes : other fields that are replaced with them
        """
        changed = replace(self, **{"context": None, "subjects": None, "fine": None, **changes})
        return replace(changed, store=MemoryStore.of(locked(codes), changed.arity))

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
            level: replace(others.rows(column == code), split_by=Split(name, level, self.fingerprint))
            for code, level in enumerate(self.levels[name])
            if (column == code).any()
        }

    def without_empty_levels(self) -> tuple[Self, dict[str, tuple[str, ...]]]:
        """This data set without levels that no row has, and name -> the levels left out."""
        codes, levels, dropped, recodings = self.codes.copy(), dict(self.levels), {}, {}
        for i, name in enumerate(self.names):
            present = np.bincount(codes[i], minlength=len(levels[name])) > 0
            if present.all() or not self.n_rows:
                continue
            codes[i] = (np.cumsum(present) - 1).astype(codes.dtype)[codes[i]]
            recodings[i] = np.where(present, np.cumsum(present) - 1, -1)
            dropped[name] = tuple(v for v, keep in zip(levels[name], present, strict=True) if not keep)
            levels[name] = tuple(v for v, keep in zip(levels[name], present, strict=True) if keep)
        if not dropped:
            return self, {}
        arity = np.array([len(levels[name]) for name in self.names], dtype=np.int64)
        context = None if self.context is None else self.context.recoded(recodings)
        return self._with(
            store=MemoryStore.of(locked(codes), arity), levels=levels, context=context, fine=None
        ), dropped

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
        return pd.DataFrame({name: self[name] for name in self.names})

    def __len__(self) -> int:
        return self.n_rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> pd.Series:
        """One variable as a pandas column of its level names (categories, ordered where the variable is)."""
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
        listed = ", ".join(short(name, 24) for name in self.names[:4])
        more = ", ..." if self.n_variables > 4 else ""
        return f"Dataset({self.n_rows:,} rows, {self.n_variables:,} variables: {listed}{more})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """A line and the first rows for a notebook, which asks nothing of any other host."""
        shown = self.select(self.names[:12]).head()
        markup = f"<p>{escape(repr(self))}</p>{shown.to_html(index=False, border=0, escape=True)}"
        return notebook_bundle(repr(self), markup, text_height(repr(self)) + LINE * (len(shown) + 2))

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _with(self, **changes: Any) -> Self:
        names = changes.get("names", self.names)
        levels, numbers = changes.get("levels", self.levels), changes.get("numbers", self.numbers)
        return replace(
            self,
            part_of=self.whole,
            **{
                field: changes[field]
                for field in ("origin", "steps", "context", "subjects", "fine")
                if field in changes
            },
            roles=roles_with(self.roles, names),
            names=names,
            levels={name: levels[name] for name in names},
            kinds={name: self.kinds[name] for name in names},
            cuts={name: self.cuts[name] for name in names if name in self.cuts},
            numbers={name: numbers[name] for name in names if name in numbers},
            units={name: self.units[name] for name in names if name in self.units},
            store=changes["store"],
        )

    def __getstate__(self) -> dict[str, Any]:
        """Only the fields travel to another process; the rest is made again there."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}


def level_names(variable: str, given: Sequence[object] | int) -> tuple[str, ...]:
    """Different names of a variable's levels: as they are given, or numbered where only their number is."""
    values = tuple(str(v) for v in range(given)) if isinstance(given, int | np.integer) else tuple(map(str, given))
    if len(set(values)) != len(values):
        raise InputError(f"'{variable}' lists the same level twice.", column=variable)
    return values
