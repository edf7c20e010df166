"""Values that are improbable given all else that is known of a patient, and how common each is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.counting.requests import level_counts, many_observed_counts
from engine.errors import DataError
from engine.lazy import pd
from engine.measures.multiple import holm
from engine.models.network import MAX_CELLS, Network

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

UNUSUAL = 0.05
"""Corrected p below which a value is called unusual."""
_TIE = 1e-9
MOST_SUMMED = 60
"""Variables up to which unknown values are summed over."""
_PRIOR = 0.5
"""Rows that each cell of a table has beforehand (Jeffreys)."""


def family_counts(data: Dataset, parents: Sequence[tuple[int, ...]]) -> list[np.ndarray] | None:
    """Of every variable the rows by its parents' levels and its own, one axis each; None where that is too large."""
    families = [(*family, child) for child, family in enumerate(parents)]
    shapes = [tuple(int(data.arity[x]) for x in family) for family in families]
    if any(math.prod(shape) > MAX_CELLS for shape in shapes):
        return None
    result = [np.zeros(shape, np.int64) for shape in shapes]
    for counts, (cells, rows) in zip(result, many_observed_counts(data, families), strict=True):
        counts[tuple(cells.T)] = rows
    return result


def tables_of_others(
    counts: Sequence[np.ndarray], parents: Sequence[tuple[int, ...]], own: np.ndarray
) -> tuple[np.ndarray, ...]:
    """The network's tables, posterior means over all rows but the patient's own, whose codes are (variables, rows)."""
    tables = []
    for child, (family, rows) in enumerate(zip(parents, counts, strict=True)):
        cells = rows + _PRIOR
        np.subtract.at(cells, tuple(own[[*family, child]]), 1.0)
        table = cells.reshape(-1, cells.shape[-1])
        tables.append(table / table.sum(axis=1, keepdims=True))
    return tuple(tables)


def level_shares(data: Dataset, name: str) -> np.ndarray:
    """(levels,) shares of a variable's levels among all rows."""
    counts = level_counts(data)[data.index(name)]
    return np.asarray(counts / max(counts.sum(), 1))


def unusual_values(network: Network, known: Mapping[str, str]) -> pd.DataFrame:
    """Improbability of each known value under a network, given all the other known values.

    The surprise of a value is the probability of all levels that are as improbable as it or more, so it is a p-value of
    "this value was drawn as the network says"; it is corrected for as many values as are known (Holm 1979).

    Parameters
    ----------
    network : with its tables, such as the population's
    known : name -> level of what is known

    Returns
    -------
    pandas.DataFrame: variable (index), level, probability of it given the others, surprise, p (surprise after
    correction), likeliest level in its place; the least expected first. A value whose probability would need too large
    a table, or whose others cannot be together, has NaN.

    Raises
    ------
    DataError : a variable or level that the network does not have

    Examples
    --------
    >>> tables = (np.array([[0.75, 0.25]]), np.array([[0.99, 0.01], [0.25, 0.75]]))
    >>> network = Network(("rain", "wet"), (("no", "yes"), ("no", "yes")), ((), (0,)), tables)
    >>> unusual_values(network, {"rain": "no", "wet": "yes"})["surprise"].round(3).to_dict()
    {'wet': 0.01, 'rain': 0.038}
    """
    for name, level in known.items():
        if name not in network.names or level not in network.levels[network.names.index(name)]:
            raise DataError(f"The network has no variable {name!r} with a level {level!r}.", column=name)
    rows = [_surprise(network, name, known) for name in known]
    table = pd.DataFrame(rows, columns=["level", "probability", "surprise", "likeliest"], index=list(known))
    return corrected(table.rename_axis("variable"))


def corrected(table: pd.DataFrame) -> pd.DataFrame:
    """The values with p, their surprise corrected for as many as are judged (Holm 1979); the least expected first."""
    judged = table["surprise"].notna()
    table = table.assign(p=np.nan)
    table.loc[judged, "p"] = holm(table.loc[judged, "surprise"].to_numpy())
    return table.sort_values("surprise", kind="stable")


def _surprise(network: Network, name: str, known: Mapping[str, str]) -> tuple[str, float, float, str]:
    """Level, its probability, that of all as improbable, and the likeliest level."""
    levels = network.levels[network.names.index(name)]
    try:
        shares = shares_given(network, name, known)
    except DataError:
        return known[name], np.nan, np.nan, ""
    p = float(shares[levels.index(known[name])])
    return known[name], p, float(shares[shares <= p + _TIE].sum()), levels[int(shares.argmax())]


def shares_given(network: Network, name: str, known: Mapping[str, str]) -> np.ndarray:
    """(levels,) probabilities given the others: from the families around it where these are known, else summed out."""
    child = network.names.index(name)
    blanket = [(*parents, x) for x, parents in enumerate(network.parents) if x == child or child in parents]
    if any(network.names[x] not in known for family in blanket for x in family if x != child):
        if len(network.names) > MOST_SUMMED:
            raise DataError(f"Values around {name!r} are unknown, and the network is too large to sum over them.")
        return network.query(name, {other: level for other, level in known.items() if other != name})
    codes = {x: network.levels[x].index(known[network.names[x]]) for family in blanket for x in family}
    shares = np.ones(len(network.levels[child]))
    for family in blanket:
        cells = network.tables[family[-1]].reshape([len(network.levels[x]) for x in family])
        shares *= cells[tuple(slice(None) if x == child else codes[x] for x in family)]
    total = shares.sum()
    if not total > 0:
        raise DataError(f"The values around {name!r} have probability 0 together.")
    return shares / total
