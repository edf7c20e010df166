"""Everything that class networks can be taken away as."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dashboard.text import short
from dashboard.views.discriminative.networks import ALL, drawn, status_words
from dashboard.views.shared.exports import GraphFile, WebPage, take_away
from dashboard.views.shared.neighbourhood import part_drawn, part_of, strengths
from dashboard.views.shared.network_view import places_of
from engine.methods.discriminative.result import SLUG

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.network.panel import Panel
    from engine.data.dataset import Dataset
    from engine.methods.discriminative.result import DiscriminativeResult


def show_exports(result: DiscriminativeResult, data: Dataset) -> None:
    """Tables, networks (of series with the names of both steps), the whole result, and the Python that repeats it."""
    titles = list(result.graphs())
    positions = drawn(result, titles, ALL)[1]
    boxes = tuple(positions) or part_drawn(SLUG, result.names, lambda: strengths(_panels(result)))
    positions = positions or dict(places_of(boxes, list(result.graphs().values())))

    def parts() -> list[Panel]:
        return [part_of(panel, boxes) for panel in _panels(result)]

    page = WebPage(
        "Web page, opens offline",
        "class-networks",
        "Networks of classes",
        parts,
        positions,
        status_words(result),
    )
    graphs = [
        GraphFile(
            short(title, 24),
            f"class-network-{number + 1}",
            partial(_graph, result, title),
            fitted=partial(result.fitted, title),
        )
        for number, title in enumerate(titles)
    ]
    take_away(result, data, pages=[page], graphs=graphs, shown="result.families().head(10)")


def _graph(result: DiscriminativeResult, title: str) -> nx.DiGraph:
    return result.graphs()[title]


def _panels(result: DiscriminativeResult) -> list[Panel]:
    return drawn(result, list(result.graphs()), ALL)[0]
