"""The tables of a log-linear result: steps, refused edges, expected counts and residuals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError
from engine.graphs.dag import bits
from engine.methods.log_linear.criteria import LN2
from engine.methods.log_linear.result import LogLinearModel
from engine.models import elimination
from engine.models.elimination import Factor

if TYPE_CHECKING:
    import pandas as pd

MOST_CELLS = 1_000_000
SMALL = 5.0
"""Expected counts below this are marked: their residuals are no approximate normal deviates."""


def edges(result: LogLinearModel) -> list[dict[str, Any]]:
    """One row a link, with its note where any link has one."""
    notes = result.link_notes
    rows = [{"a": a, "b": b, **about} for a, b, about in result.graph.edges(data=True)]
    if notes:
        for row in rows:
            row["note"] = notes.get((row["a"], row["b"]), "")
    return rows


def steps(result: LogLinearModel) -> pd.DataFrame:
    """See `LogLinearResult.steps`."""
    import pandas as pd

    total = result.start_bits
    rows = []
    for number, (step, found) in enumerate(zip(result.accepted, result.entries, strict=True), 1):
        total -= found.saving_bits
        a, b = result.pair((step.a, step.b))
        rows.append(
            {
                "step": number,
                "a": a,
                "b": b,
                "saving_bits": found.saving_bits,
                "graph_bits": -found.message.graph / LN2,
                "parameter_bits": -found.message.parameters / LN2,
                "data_bits": -found.message.data / LN2,
                "total_bits": total,
                "separator": result.in_order(bits(step.separator)),
                "df": found.degrees,
                "G": found.statistic,
                "log10_p": result.standing(step.table).log10_p,
                "joint": step.joint,
            }
        )
    columns = ["step", "a", "b", "saving_bits", "graph_bits", "parameter_bits", "data_bits", "total_bits"]
    return pd.DataFrame(rows, columns=[*columns, "separator", "df", "G", "log10_p", "joint"])


def refused(result: LogLinearModel) -> pd.DataFrame:
    """See `LogLinearResult.refused`."""
    import pandas as pd

    rows = []
    for one in result.declined:
        found = result.evidence(one.step)
        a, b = result.pair((one.step.a, one.step.b))
        rows.append(
            {
                "a": a,
                "b": b,
                "separator": result.in_order(bits(one.step.separator)),
                "short_by_bits": -one.step.margin / LN2,
                "rows_factor": one.rows_factor,
                "saving_bits": found.saving_bits,
                "df": found.degrees,
                "G": found.statistic,
                "log10_p": result.standing(one.step.table).log10_p,
            }
        )
    columns = ["a", "b", "separator", "short_by_bits", "rows_factor", "saving_bits", "df", "G", "log10_p"]
    found = pd.DataFrame(rows, columns=columns)
    factor = found["rows_factor"].to_numpy(float)
    found["rows_factor"] = pd.array(np.where(np.isfinite(factor), factor, 0), "Float64")
    found.loc[~np.isfinite(factor), "rows_factor"] = pd.NA  # not known, or none that was tried would do
    return found


def expected(result: LogLinearModel, variables: Sequence[str]) -> pd.Series:
    """See `LogLinearResult.expected`."""
    import pandas as pd

    names = list(variables)
    if len(set(names)) != len(names) or not names:
        raise DataError("Name one or more different variables to work out their expected counts.")
    keep = [result.position(name) for name in names]
    wanted = 0
    for x in keep:
        wanted |= result.chosen.component(x)
    tables = [keep, *(margin.variables for margin in result.margins if wanted >> margin.variables[0] & 1)]
    cells = [math.prod(float(result.arity[x]) for x in variables) for variables in tables]
    found = None
    if cells[0] <= MOST_CELLS and max(cells) <= elimination.MOST_CELLS:
        found = elimination.sum_out(_factors(result, wanted), result.arity, keep)
    if found is None:
        raise DataError(f"The table of {len(names)} variables has too many cells to be worked out; choose fewer.")
    index = pd.MultiIndex.from_product([result.levels[name] for name in names], names=names)
    return pd.Series(found[1].ravel() * result.n_rows, index=index, name="expected")


def _factors(result: LogLinearModel, wanted: int) -> list[Factor]:
    """The conditional tables p(rest of the clique | separator) of the components in the bit set `wanted`."""
    found = []
    seen = 0
    for margin in result.margins:  # in the order of the clique tree: what was seen before is the separator
        if not wanted >> margin.variables[0] & 1:
            continue
        joint = margin.dense(result.arity).astype(float)
        new = tuple(i for i, x in enumerate(margin.variables) if not seen >> x & 1)
        below = joint.sum(axis=new, keepdims=True)
        found.append((margin.variables, np.divide(joint, below, out=np.zeros_like(joint), where=below > 0)))
        seen |= sum(1 << x for x in margin.variables)
    return found


def residuals(result: LogLinearModel, clique: Sequence[str], without: tuple[str, str] | None) -> pd.DataFrame:
    """See `LogLinearResult.residuals`."""
    import pandas as pd

    names = list(clique)
    places = [result.position(name) for name in names]
    if len(set(names)) != len(names) or not names:
        raise DataError("Name one or more different variables to compare their counts with the model.")
    if math.prod(len(result.levels[name]) for name in names) > MOST_CELLS:
        raise DataError("This group has too many cells to be shown; choose fewer variables.")
    observed = result.margin_of(places).dense(result.arity).astype(float)
    if without is None:
        wanted, adjustment = observed, np.ones_like(observed)
    else:
        if not set(without) <= set(names) or len(set(without)) != 2:
            raise DataError("The edge to leave out must lie between two of these variables.")
        wanted, adjustment = _without(observed, *(names.index(x) for x in without))
    pearson = np.divide(observed - wanted, np.sqrt(wanted * result.effect), out=np.zeros_like(wanted), where=wanted > 0)
    adjusted = np.divide(pearson, np.sqrt(adjustment), out=np.zeros_like(pearson), where=adjustment > 1e-12)
    index = pd.MultiIndex.from_product([result.levels[name] for name in names], names=range(len(names)))
    frame = index.to_frame(index=False)
    frame.columns = pd.Index(names)
    values = {
        "observed": observed.ravel().astype(np.int64),
        "expected": wanted.ravel(),
        "pearson": pearson.ravel(),
        "adjusted": adjusted.ravel(),
        "small": wanted.ravel() < SMALL * result.effect,
    }
    for title, column in values.items():
        while title in names:  # a variable may be called so
            title += "*"
        frame[title] = column
    return frame


def _without(observed: np.ndarray, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Expected counts when axes i and j are independent given the others, and the variance factor of the residuals.

    expected = n(S+a) n(S+b) / n(S); the Pearson residual has variance (1 - n(S+a)/n(S)) (1 - n(S+b)/n(S)).
    """
    first, second = observed.sum(axis=j, keepdims=True), observed.sum(axis=i, keepdims=True)
    given = observed.sum(axis=(i, j), keepdims=True)
    safe = np.where(given > 0, given, 1)
    return first * second / safe, (1 - first / safe) * (1 - second / safe)


def compare(result: LogLinearModel, other: LogLinearModel) -> pd.DataFrame:
    """See `LogLinearResult.compare`."""
    import pandas as pd

    if result.names != other.names:
        raise DataError("The two models stand over different variables and cannot be compared.")
    ours, theirs = result.graph, other.graph
    place = {name: i for i, name in enumerate(result.names)}
    either = {tuple(sorted(edge, key=place.__getitem__)) for edge in (*ours.edges, *theirs.edges)}
    edges = sorted(either, key=lambda edge: (place[edge[0]], place[edge[1]]))
    rows = [
        {
            "a": a,
            "b": b,
            "in_this": ours.has_edge(a, b),
            "in_other": theirs.has_edge(a, b),
            "bits_here": ours.edges[a, b]["evidence_bits"] if ours.has_edge(a, b) else math.nan,
            "bits_there": theirs.edges[a, b]["evidence_bits"] if theirs.has_edge(a, b) else math.nan,
        }
        for a, b in edges
    ]
    return pd.DataFrame(rows, columns=["a", "b", "in_this", "in_other", "bits_here", "bits_there"])
