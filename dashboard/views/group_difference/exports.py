"""Everything a group comparison can be taken away as."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dashboard.text import short
from dashboard.views.group_difference.networks import (
    EVIDENCE,
    LONGEST_LINE,
    averaged,
    drawn_networks,
    links,
    panels,
    status_words,
)
from dashboard.views.shared.exports import GraphFile, WebPage, take_away
from dashboard.views.shared.neighbourhood import part_drawn, part_of
from dashboard.views.shared.network_view import places_of
from engine.methods.group_difference.groups import split_groups
from engine.methods.group_difference.result import SLUG

if TYPE_CHECKING:
    import networkx as nx

    from engine.data.dataset import Dataset
    from engine.methods.group_difference.result import GroupDifferenceResult

BOTH = "both together"


def show_exports(result: GroupDifferenceResult, data: Dataset) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, result.names, partial(links, result))
    positions = dict(places_of(names, drawn_networks(result), LONGEST_LINE))

    page = WebPage(
        "Web page, opens offline",
        "networks",
        "Networks of two groups",
        lambda: [part_of(panel, names) for panel in panels(result, names)],
        positions,
        status_words(result),
        EVIDENCE,
    )
    titles = (*(short(label, 14) for label in result.labels), BOTH)
    graphs = [
        GraphFile(
            title,
            f"network-{number + 1}",
            partial(_graph, result, number),
            None if averaged(result) else partial(_rows, result, data, number),  # an average has lines: no BIF
        )
        for number, title in enumerate(titles)
    ]
    take_away(result, data, pages=[page], graphs=graphs, shown="result.variables()")


def _graph(result: GroupDifferenceResult, number: int) -> nx.DiGraph:
    return list(result.graphs().values())[number]


def _rows(result: GroupDifferenceResult, data: Dataset, number: int) -> Dataset:
    """The rows that a network was learned on."""
    groups = split_groups(result.method, data)
    return (groups.first, groups.second, groups.pooled)[number]
