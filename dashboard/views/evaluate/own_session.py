"""Networks that other pages of this session have found."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dashboard.session.session import session
from dashboard.text import visible
from engine.errors import DataError
from engine.exchange.edge_list import NetworkRead, directed


def session_networks() -> dict[str, NetworkRead]:
    """{page and title: network} of the results that are there; nothing is computed.

    A link of the associations is scored by the bits that it is worth.
    """
    held: dict[str, NetworkRead] = {}
    for page, result in _results():
        for title, graph in result.graphs().items():
            try:
                read = NetworkRead(directed(graph), _bits(graph))
            except DataError:  # too large to compare
                continue
            held[f"{page}: {visible(title)}"] = read
    return held


def _results() -> Iterator[tuple[str, Any]]:
    """The latest answer of every kind, by the name of its method."""
    latest: dict[str, Any] = {}
    for analysis in session().analyses:
        if analysis.result is not None:
            latest[type(analysis.result).__name__] = analysis.result
    for result in latest.values():
        yield result.method.title, result


def _bits(graph: Any) -> dict[frozenset[Any], float]:
    found = {}
    for a, b, about in graph.edges(data=True):
        values = [about[name] for name in ("evidence_bits", "entry_bits") if math.isfinite(about.get(name, math.nan))]
        if values:
            found[frozenset((a, b))] = float(values[0])
    return found
