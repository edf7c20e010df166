"""The figures that an ordinal network has, by what was measured of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from engine.lazy import go
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.methods.ordinal.partial_network import MEASURES, PartialNetwork
from engine.telling.charts.recurrence import threshold_figure
from engine.telling.ordinal.figures.centrality import case_dropping_figure, centrality_figure
from engine.telling.ordinal.figures.links import edge_accuracy_figure
from engine.telling.ordinal.figures.tables import (
    correlation_figure,
    correlation_values,
    fixed_order,
    shares_figure,
    thresholds_figure,
)


def figure_makers(result: OrdinalEvidence) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it, of what was measured: centralities, lines, arrows in resamples, cuts and correlations."""
    scales = dict(result.lines.scales) if result.lines is not None else {}
    order = fixed_order(result.names, scales)
    breaks = [i for i, (a, b) in enumerate(pairwise(order), 1) if scales.get(a) != scales.get(b)]
    makers: dict[str, Callable[[], go.Figure]] = {}
    lines, strength = result.lines, result.strength
    if lines is not None:
        if not result.determined:
            makers["centrality"] = partial(_centrality, lines, list(dict.fromkeys(scales.values())))
        makers["accuracy"] = lambda: edge_accuracy_figure(lines.line_table())
    if result.dropping is not None:
        makers["case dropping"] = partial(case_dropping_figure, result.dropping.frame(), dict(MEASURES))
    if strength is not None:
        makers["directions"] = partial(shares_figure, strength.directed, strength.runs, result.names, order, breaks)
        makers["threshold"] = lambda: threshold_figure(
            strength.frame()["share"], strength.threshold, strength.threshold
        )
    first = next((name for name in result.names if name not in result.numbers), None)
    if first is not None:
        about = result.thresholds[first], result.shares[first], result.levels[first]
        makers["thresholds"] = partial(thresholds_figure, *about)
    makers["correlations"] = lambda: correlation_figure(
        correlation_values("fitted", result.start, result.implied_correlation, order), order, breaks
    )
    return makers


def _centrality(lines: PartialNetwork, scales: Sequence[str]) -> go.Figure:
    """Expected influence, the largest first."""
    table = lines.centrality_table().sort_values("expected_influence", kind="stable", ascending=False)
    shown = table.assign(label=table["variable"])
    return centrality_figure(shown, "expected_influence", scales, (), 120 + 18 * len(shown))
