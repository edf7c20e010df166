"""Everything an ordinal network can be taken away as."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dashboard.views.ordinal.networks import averaged_panel, network_panel, positions_of, words_of
from dashboard.views.shared.exports import GraphFile, WebPage, take_away
from dashboard.views.shared.neighbourhood import part_drawn, part_of, strengths
from engine.methods.ordinal.result import SLUG

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.network.panel import Panel
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.result import OrdinalResult

STEM = "ordinal"
LABELS = {"Edges": "Links", "Strength": "Links that came back"}


def show_exports(result: OrdinalResult, data: Dataset) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, result.names, lambda: strengths(_panels(result)))

    def parts() -> list[Panel]:
        return [part_of(panel, names) for panel in _panels(result)]

    page = WebPage(
        "Web page, opens offline",
        f"{STEM}-networks",
        result.headline(),
        parts,
        dict(positions_of(result, names)),
        words_of(result),
    )
    graphs = [
        GraphFile("The network; lines have no direction", f"{STEM}-network", partial(_graph, result)),
        GraphFile("One of the networks it stands for", f"{STEM}-dag", partial(_dag, result)),
    ]
    note = ""
    if result.strength is not None:
        graphs.append(GraphFile("Averaged over drawn tables", f"{STEM}-averaged", result.averaged))
        if result.method.bootstrap != result.strength.runs:
            note = f"The rows drawn again on this page: method.edge_strength(data, runs={result.strength.runs})."
    if result.halves is not None:
        note = f"{note} The half samples: method.half_samples(data, runs={result.halves.runs}).".strip()
    take_away(
        result, data, stem=STEM, labels=LABELS, pages=[page], graphs=graphs, shown="result.edge_table()", note=note
    )


def _graph(result: OrdinalResult) -> nx.Graph:
    return result.graphs()["network"]


def _dag(result: OrdinalResult) -> nx.DiGraph:
    return result.dag


def _panels(result: OrdinalResult) -> list[Panel]:
    matches = [network_panel(result)]
    if result.strength is not None:
        matches.append(averaged_panel(result, result.strength.threshold))
    return matches
