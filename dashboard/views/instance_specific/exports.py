"""Everything one patient's result can be taken away as."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from dashboard.views.instance_specific.networks import changes_words, longest_values, overlaid, side_by_side
from dashboard.views.shared.exports import GraphFile, WebPage, script, take_away
from dashboard.views.shared.neighbourhood import part_drawn, part_of, strengths
from dashboard.views.shared.network_view import places_of
from engine.methods.instance_specific.result import SLUG

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.network.panel import Panel
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.result import InstanceSpecificResult

EXPRESSION = "result.families()"
Panels = Callable[["InstanceSpecificResult", str], "list[Panel]"]


def show_exports(result: InstanceSpecificResult, data: Dataset, title: str) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, result.names, lambda: strengths(overlaid(result, title)))
    positions = dict(places_of(names, list(result.graphs().values()), longest_values(result)))

    def parts(panels: Panels) -> list[Panel]:
        return [part_of(panel, names) for panel in panels(result, title)]

    pages = [
        WebPage(
            label,
            stem,
            "One patient beside the population",
            partial(parts, panels),
            positions,
            changes_words(published=result.network.cpdag is not None),
        )
        for label, stem, panels in (
            ("Web page, side by side", "patient-networks", side_by_side),
            ("Web page, in one picture", "patient-overlay", overlaid),
        )
    ]
    graphs = [
        GraphFile(words, f"network-{which}", partial(_graph, result, which))
        for which, words in (("population", "The population"), ("patient", "This patient"))
    ]
    take_away(result, data, stem="patient", pages=pages, graphs=graphs, shown=EXPRESSION, run=_run_arguments(result))


def _graph(result: InstanceSpecificResult, which: str) -> nx.DiGraph:
    return result.graphs()[which]


def _run_arguments(result: InstanceSpecificResult) -> dict[str, Any]:
    """What `run` took beside the data."""
    arguments: dict[str, Any] = {"instance": result.patient if result.row is None else result.row}
    return arguments if result.target is None else arguments | {"target": result.target}


def patient_script(result: InstanceSpecificResult, data: Dataset) -> str:
    """The Python that repeats the result."""
    return script(result.method, data, _run_arguments(result), EXPRESSION)
