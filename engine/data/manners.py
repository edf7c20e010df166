"""The manners of a pandas table, for a data set."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.preparing.steps import Steps
    from engine.data.store import Store


class Manners:
    """What `len`, `in`, brackets and a notebook ask of a table; `engine.data.coded_table` has the rest."""

    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    cuts: Mapping[str, tuple[float, ...]]
    roles: Mapping[str, str]
    steps: Steps | None
    store: Store

    @property
    @abstractmethod
    def in_stretches(self) -> bool:
        """Whether stretches of rows belong together."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Rows of the table."""

    @property
    @abstractmethod
    def n_variables(self) -> int:
        """Variables of the table."""

    @property
    @abstractmethod
    def codes(self) -> np.ndarray:
        """(p, n) unsigned codes."""

    @abstractmethod
    def index(self, name: str) -> int:
        """Position of a variable."""

    @abstractmethod
    def column(self, name: str) -> np.ndarray:
        """(n,) codes of one variable."""

    @abstractmethod
    def rows(self, which: np.ndarray) -> Any:
        """The same variables with these rows only."""

    @abstractmethod
    def select(self, names: Any) -> Any:
        """The same rows with these variables only."""

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

    def __len__(self) -> int:
        return self.n_rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

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
        frame: pd.DataFrame = self.rows(np.arange(min(max(n, 0), self.n_rows))).to_frame()
        return frame

    def __repr__(self) -> str:
        listed = ", ".join(name if len(name) <= 24 else f"{name[:21]}..." for name in self.names[:4])
        more = ", ..." if self.n_variables > 4 else ""
        return f"Dataset({self.n_rows:,} rows, {self.n_variables:,} variables: {listed}{more})"

    def _repr_html_(self) -> str:
        shown = self.select(self.names[:12]).head().to_html(index=False, border=0)
        return f"<p>{escape(repr(self))}</p>{shown}"


def level_names(variable: str, given: Sequence[object] | int) -> tuple[str, ...]:
    """The names of a variable's levels: as they are given, or numbered where only their number is.

    Parameters
    ----------
    variable : its name
    given : names, or how many

    Returns
    -------
    different names

    Raises
    ------
    DataError : a name comes twice
    """
    values = tuple(str(v) for v in range(given)) if isinstance(given, int | np.integer) else tuple(map(str, given))
    if len(set(values)) != len(values):
        raise DataError(f"'{variable}' lists the same level twice.", column=variable)
    return values
