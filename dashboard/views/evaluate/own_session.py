"""Networks that other pages of this session have found."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dashboard.jobs.runner import method_key
from dashboard.session.session import session
from dashboard.text import visible
from engine.errors import DataError
from engine.exchange.edge_list import NetworkRead, directed

JOBS = {"group_difference": "Group differences", "log_linear": "Associations"}
PATIENT = "instance_specific"


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
    state = session()
    for page, words in JOBS.items():
        asked = state.choices.get(page, {}).get("asked")
        if asked is not None and state.dataset is not None:
            job = state.desk.get(method_key(asked, state.dataset))
            if job is not None and job.state == "done":
                yield words, job.result
    patients = state.choices.get(PATIENT, {}).get("results", {})
    if patients:
        yield "Instance-specific", list(patients.values())[-1]


def _bits(graph: Any) -> dict[frozenset[Any], float]:
    found = {}
    for a, b, about in graph.edges(data=True):
        values = [about[name] for name in ("evidence_bits", "entry_bits") if math.isfinite(about.get(name, math.nan))]
        if values:
            found[frozenset((a, b))] = float(values[0])
    return found
