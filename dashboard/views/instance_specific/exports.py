"""Everything one patient's result can be taken away as."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from dashboard.session.session import session
from dashboard.views.instance_specific.networks import changes_words, in_one, side_by_side
from dashboard.views.shared.exports import GraphFile, WebPage, script, take_away

if TYPE_CHECKING:
    import networkx as nx

    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.result import InstanceSpecificResult

SHOWN = "result.families()"


def show_exports(result: InstanceSpecificResult, data: Dataset, title: str) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    places = dict(session().layouts.of(result.names, {}))
    pages = [
        WebPage(
            label,
            stem,
            "One patient beside the population",
            partial(panels, result, title),
            places,
            changes_words(),
        )
        for label, stem, panels in (
            ("Web page, side by side", "patient-networks", side_by_side),
            ("Web page, in one picture", "patient-overlay", in_one),
        )
    ]
    graphs = [
        GraphFile(words, f"network-{which}", partial(_graph, result, which))
        for which, words in (("population", "The population"), ("patient", "This patient"))
    ]
    take_away(result, data, stem="patient", pages=pages, graphs=graphs, shown=SHOWN, run=_asked(result))


def _graph(result: InstanceSpecificResult, which: str) -> nx.DiGraph:
    return result.graphs()[which]


def _asked(result: InstanceSpecificResult) -> dict[str, Any]:
    """What `run` took beside the data."""
    asked: dict[str, Any] = {"instance": result.patient if result.row is None else result.row}
    return asked if result.target is None else asked | {"target": result.target}


def patient_script(result: InstanceSpecificResult, data: Dataset) -> str:
    """The Python that repeats the result."""
    return script(result.method, data, _asked(result), SHOWN)
