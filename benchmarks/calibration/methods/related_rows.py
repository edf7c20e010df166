"""Group comparisons of tables whose rows belong together, or from which rows were left out.

Each cluster has conditional distributions of its own, Dirichlet about those of a network: rows of a cluster that share
a context have the intraclass correlation that is asked for. The bars are those of the design of this comparison, set
before the tables were drawn; *called* is a P(differs) of one half and more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.calibration.cell import Bar, Cell, Counted
from benchmarks.calibration.methods.changes import drawn, shifted
from engine.data.dataset import Dataset
from engine.data.notes import left_out_note
from engine.data.rows.relations import CLUSTERS
from engine.methods.group_difference.method import GroupDifference
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.group_difference.verdicts import Verdict
from engine.models.network import Network

SLUG = "related_rows"
GROUP, UNIT = "group", "clinic"
CALLED = "rows together: null tables with any 'differs' or 'probably differs'"
EDGE = "rows together, 6 and 6: null tables with any 'differs' or 'probably differs'"
CLINICS, SUBJECTS = "20 clinics: the changed variable is called", "60 subjects: the changed variable is called"
OTHERS = "rows together: another is called beside it"
COVERED = "rows together: interval on its own holds it"
IGNORED = "rows together, not said: null tables with any 'differs' or 'probably differs'"
FOUND, SILENT = "clinics are found without being told", "a column that says nothing is taken for clinics"
GAPS, NO_GAPS = "gaps by group and variable: the note stands", "gaps at random: the note stands"
BARS = {
    CALLED: Bar(high=0.07),
    EDGE: Bar(high=0.1),
    CLINICS: Bar(low=0.95),
    SUBJECTS: Bar(low=0.4),
    OTHERS: Bar(high=0.05),
    COVERED: Bar(0.92, 0.98),
    FOUND: Bar(low=0.8),
    SILENT: Bar(high=0.05),
    GAPS: Bar(low=0.99),
    NO_GAPS: Bar(high=0.05),
}
"""By quantity; the others are only told."""
_CALLED = (Verdict.DIFFERS, Verdict.PROBABLY)
_VARIABLES = 6
_BLOCKS, _STEPS, _STAYS = 40, 1200, 0.6
"""Blocks and steps of a series, and how often a step repeats the one before it."""
Sizes = Callable[[np.random.Generator], np.ndarray]


def cells() -> list[Cell]:
    """Null tables of clusters of all kinds, tables with a change, clusters to be found, and gaps."""
    clinics, subjects = partial(_equal, 20, 100), partial(_equal, 60, 10)
    return [
        Cell("20 clinics of 100 rows, ICC .03", partial(_null, clinics, 0.03), 0.4),
        Cell("60 subjects of 10 rows, ICC .25", partial(_null, subjects, 0.25), 0.4),
        Cell("20 clusters of 5 to 200 rows, ICC .1", partial(_null, _unlike, 0.1), 0.4),
        Cell("6 and 6 clusters of 50 rows, ICC .1", partial(_null, partial(_equal, 12, 50), 0.1, quantity=EDGE), 0.4),
        Cell("60 subjects of 10 rows, two variables constant in each", partial(_null, subjects, 0.25, constant=2), 0.4),
        Cell("300 rows, each copied 1 to 6 times", partial(_null, _copies, 1.0), 0.4),
        Cell("the halves of a series of 1,200 steps, in 40 blocks", _halves, 0.4),
        Cell("60 subjects of 10 rows, both groups in each", partial(_null, subjects, 0.25, inside=True), 0.4),
        Cell("20 clinics of 100 rows, 25 points in one variable", partial(_changed, clinics, 0.03, CLINICS), 0.4),
        Cell("60 subjects of 10 rows, 25 points in one variable", partial(_changed, subjects, 0.25, SUBJECTS), 0.4),
        Cell("20 clinics of 100 rows, not said to be", partial(_found, 0.03, FOUND), 0.4),
        Cell("a column of 20 codes, rows by themselves", partial(_found, 0.0, SILENT), 0.4),
        Cell("gaps that depend on the group and a variable", partial(_gaps, GAPS, 0.3), 0.4),
        Cell("gaps at random", partial(_gaps, NO_GAPS, 0.0), 0.4),
    ]


# -- clusters ---------------------------------------------------------------------------------------------------------


def _equal(many: int, rows: int, generator: np.random.Generator) -> np.ndarray:
    return np.full(many, rows)


def _unlike(generator: np.random.Generator) -> np.ndarray:
    return generator.integers(5, 201, 20)


def _copies(generator: np.random.Generator) -> np.ndarray:
    return generator.integers(1, 7, 300)


def clustered(
    network: Network, cluster: np.ndarray, icc: float, generator: np.random.Generator, constant: int = 0
) -> np.ndarray:
    """Rows whose clusters have tables of their own.

    Parameters
    ----------
    network : the tables that those of clusters are drawn about; the first `constant` variables are one value a cluster
    cluster : (rows,) numbers from 0;  icc : from 0 to 1; at 1 all rows of a cluster are one row

    Returns
    -------
    (n, rows) codes
    """
    if icc == 1:
        return network.sample_codes(int(cluster.max()) + 1, generator)[:, cluster]
    codes = np.zeros((len(network.parents), len(cluster)), dtype=np.uint8)
    for child in _in_order(network):
        block = np.zeros(len(cluster), dtype=np.int64)
        for x in network.parents[child]:
            block = block * network.arities[x] + codes[x]
        table = network.tables[child]
        own = table[block]
        if icc > 0:
            pairs, place = np.unique(np.stack([cluster, block]), axis=1, return_inverse=True)
            drawn_own = generator.standard_gamma(np.maximum(table[pairs[1]] * (1 / icc - 1), 1e-9))
            own = (drawn_own / drawn_own.sum(axis=1, keepdims=True))[place.ravel()]
        chance = generator.random(len(cluster))
        if child < constant:
            chance, own = chance[np.unique(cluster, return_index=True)[1]][cluster], table[block * 0]
        codes[child] = (chance[:, None] > own.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return codes


def _in_order(network: Network) -> list[int]:
    """Variables, parents first."""
    order: list[int] = []
    while len(order) < len(network.parents):
        order += [i for i, own in enumerate(network.parents) if i not in order and set(own) <= set(order)]
    return order


def _groups(many: int, generator: np.random.Generator) -> np.ndarray:
    return generator.permutation(np.arange(many) % 2)


def _compared(codes: np.ndarray, labels: np.ndarray, cluster: np.ndarray | None) -> GroupDifferenceResult:
    names = [f"X{i:02d}" for i in range(1, len(codes) + 1)]
    columns = [*codes, labels] if cluster is None else [*codes, labels, cluster]
    data = Dataset.from_codes(
        np.vstack(columns).astype(np.int64),
        [int(column.max()) + 1 for column in columns],
        [*names, GROUP] if cluster is None else [*names, GROUP, UNIT],
        roles={} if cluster is None else {UNIT: "subject"},
    )
    return GroupDifference(group=GROUP).run(data)


# -- one table --------------------------------------------------------------------------------------------------------


def _null(
    sizes: Sizes,
    icc: float,
    generator: np.random.Generator,
    quantity: str = CALLED,
    constant: int = 0,
    inside: bool = False,
) -> Counted:
    rows = sizes(generator)
    cluster = np.repeat(np.arange(len(rows)), rows)
    codes = clustered(drawn(_VARIABLES, generator), cluster, icc, generator, constant)
    labels = _groups(len(rows), generator)[cluster]
    if inside:
        labels = generator.integers(0, 2, len(cluster))
    return _of_null(codes, labels, cluster, quantity)


def _of_null(codes: np.ndarray, labels: np.ndarray, cluster: np.ndarray, quantity: str) -> Counted:
    found, ignored = (_compared(codes, labels, of).variables() for of in (cluster, None))
    ends = found[["low_alone", "high_alone"]].dropna().to_numpy()
    return {
        quantity: (int(found["verdict"].isin(_CALLED).any()), 1),
        IGNORED: (int(ignored["verdict"].isin(_CALLED).any()), 1),
        COVERED: (int(((ends[:, 0] <= 0) & (ends[:, 1] >= 0)).sum()), len(ends)),
    }


def _halves(generator: np.random.Generator) -> Counted:
    """A stationary series: each variable stays as it is, or is drawn again given its parents."""
    network = drawn(_VARIABLES, generator)
    fresh = network.sample_codes(_STEPS, generator)
    stays = generator.random(_STEPS) < _STAYS
    stays[0] = False
    codes = fresh[:, np.maximum.accumulate(np.where(stays, 0, np.arange(_STEPS)))]
    step = np.arange(_STEPS)
    return _of_null(codes, (step >= _STEPS // 2).astype(np.int64), step * _BLOCKS // _STEPS, CALLED)


def _changed(sizes: Sizes, icc: float, quantity: str, generator: np.random.Generator) -> Counted:
    one, other, child = shifted(_VARIABLES, 0.25, generator)
    rows = sizes(generator)
    labels = _groups(len(rows), generator)
    cluster = np.repeat(np.arange(len(rows)), rows)
    codes = np.where(
        labels[cluster] == 0, clustered(one, cluster, icc, generator), clustered(other, cluster, icc, generator)
    )
    verdicts = _compared(codes, labels[cluster], cluster).variables()["verdict"]
    called = verdicts.isin(_CALLED)
    name = f"X{child + 1:02d}"
    return {
        quantity: (int(called[name]), 1),
        OTHERS: (int(called.drop(name).any()), 1),
    }


def _found(icc: float, quantity: str, generator: np.random.Generator) -> Counted:
    """Ten binary variables, and a column that is called a clinic; nothing says that it is one."""
    cluster = np.repeat(np.arange(20), 100)
    network = drawn(10, generator, (2, 2))
    data = _frame(clustered(network, cluster, icc, generator), {UNIT: [f"C{c:02d}" for c in cluster]})
    return {quantity: (int(any(one.kind == CLUSTERS for one in data.relations)), 1)}


def _gaps(quantity: str, more: float, generator: np.random.Generator) -> Counted:
    """One variable lacks 6 % of its values, and in the second group more: half of `more`, or by X01 all of it."""
    codes = drawn(_VARIABLES, generator, (2, 2)).sample_codes(600, generator)
    labels = generator.integers(0, 2, 600)
    gone = generator.random(600) < 0.06 + more * labels * (1 + codes[1]) / 2
    table = {f"X{i:02d}": np.where(gone, None, row.astype(object)) if i == 0 else row for i, row in enumerate(codes)}
    data = _frame(np.zeros((0, 600)), {**table, GROUP: np.array(["A", "B"])[labels]})
    return {quantity: (int(bool(left_out_note(data, GROUP))), 1)}


def _frame(codes: np.ndarray, more: dict[str, object]) -> Dataset:
    """The table that a person would give, read as it would be."""
    import pandas as pd

    columns = {f"X{i:02d}": row for i, row in enumerate(codes)} | more
    return Dataset.from_frame(pd.DataFrame(columns))
