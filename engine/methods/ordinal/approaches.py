"""Approaches to one table beside each other: which links they share, and how often these return in resamples."""

from __future__ import annotations

from collections.abc import Mapping

from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.execution import Progress, part, silent
from engine.lazy import pd
from engine.methods import frames
from engine.methods.cost import Size
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.methods.ordinal.method import Ordinal
from engine.methods.ordinal.recurrence import EdgeStrength

BOTH, FIRST, SECOND, TURNED = "both", "first only", "second only", "direction differs"


def agreement(first: OrdinalEvidence, second: OrdinalEvidence) -> pd.DataFrame:
    """Every link of either network.

    Parameters
    ----------
    first, second : results over the same variables, such as two approaches

    Returns
    -------
    pandas.DataFrame: a, b (in column order of the first), in_first and in_second ("a -> b", "b -> a", "a -- b" or ""),
    how ("both", "direction differs", "first only", "second only"); in this order

    Raises
    ------
    DataError : the networks stand over different variables
    """
    if set(first.names) != set(second.names):
        raise DataError("The two networks stand over different variables; compare networks of the same ones.")
    marks = [_marks(network, first.names) for network in (first, second)]
    order = {BOTH: 0, TURNED: 1, FIRST: 2, SECOND: 3}
    rows = []
    for pair in sorted({*marks[0], *marks[1]}):
        one, two = (mark.get(pair, "") for mark in marks)
        how = SECOND if not one else FIRST if not two else BOTH if one == two else TURNED
        rows.append((first.names[pair[0]], first.names[pair[1]], one, two, how))
    frame = frames.data_frame(rows, columns=["a", "b", "in_first", "in_second", "how"])
    return frame.sort_values("how", key=lambda how: how.map(order), kind="stable", ignore_index=True)


def seconds_of_approaches(methods: Mapping[str, Ordinal], size: Size, runs: int) -> float:
    """About the seconds of one core that `resample_approaches` takes."""
    return sum(method.cost(size).times(runs).seconds for method in methods.values())


def resample_approaches(
    methods: Mapping[str, Ordinal], data: Dataset, runs: int, *, progress: Progress = silent
) -> dict[str, EdgeStrength]:
    """`Ordinal.edge_strength` of several methods on the same bootstrap samples, by their names here."""
    size = Size.of(data)
    whole, done = seconds_of_approaches(methods, size, 1), 0.0
    strengths = {}
    for name, method in methods.items():
        begun, done = done, min(done + method.cost(size).seconds / whole, 1.0)
        strengths[name] = method.edge_strength(data, runs, progress=part(progress, begun, done))
    return strengths


def shares_by_approach(strengths: Mapping[str, EdgeStrength]) -> pd.DataFrame:
    """One row an approach and pair that was ever linked: how often the link came back.

    Parameters
    ----------
    strengths : approach -> its networks of bootstrap samples

    Returns
    -------
    pandas.DataFrame: approach, then the columns of `EdgeStrength.frame`

    Examples
    --------
    >>> data = sample_data.dataset("symptoms")
    >>> data = data.select(data.names[:5])
    >>> strengths = {name: engine.Ordinal(approach=name).edge_strength(data, runs=5) for name in ("gpc", "npc")}
    >>> shares_by_approach(strengths)["approach"].unique().tolist()
    ['gpc', 'npc']
    """
    return frames.stacked({name: strength.frame() for name, strength in strengths.items()}, ["approach"])


def _marks(network: OrdinalEvidence, names: tuple[str, ...]) -> dict[tuple[int, int], str]:
    place = {name: i for i, name in enumerate(names)}
    marks = {}
    for (source, target), directed in network.edge_pairs:
        i, j = place[source], place[target]
        mark = "a -- b" if not directed else "a -> b" if i < j else "b -> a"
        marks[min(i, j), max(i, j)] = mark
    return marks
