"""Everything an analysis of associations can be taken away as."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dashboard.views.log_linear.graph import MOST_EDGES, WORDS, linked, model_panel, positions_of, strengths, within
from dashboard.views.shared.exports import GraphFile, WebPage, script, take_away
from dashboard.views.shared.neighbourhood import part_drawn
from engine.methods.log_linear.result import SLUG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.network.panel import Panel
    from dashboard.views.log_linear.edge_words import Pair
    from engine.data.dataset import Dataset
    from engine.methods.log_linear.result import LogLinearResult

LABELS = {"Edges": "Links", "Not taken": "Links not taken"}
EXPRESSION = "result.table('Edges')"


def show_exports(result: LogLinearResult, data: Dataset) -> None:
    """Tables, networks, the formula, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, linked(result), partial(strengths, result))
    edges = within(result.edge_values, names)[:MOST_EDGES]
    page = WebPage(
        "Web page, opens offline",
        "associations",
        "Which variables hang together",
        partial(_panels, result, edges),
        dict(positions_of(result, names)),
        WORDS,
    )
    graphs = [
        GraphFile("The model", "associations-model", lambda: result.graph),
        GraphFile("The same as a directed network", "associations-directed", result.directed),
    ]
    take_away(
        result,
        data,
        stem="associations",
        labels=LABELS,
        pages=[page],
        graphs=graphs,
        formula=result.formula,
        shown=EXPRESSION,
    )


def association_script(result: LogLinearResult, data: Dataset) -> str:
    """The Python that reads the table as it was read here, prepares it so, and repeats the search."""
    return script(result.method, data, {}, EXPRESSION)


def _panels(result: LogLinearResult, edges: Sequence[Pair]) -> list[Panel]:
    return [model_panel(result, edges, None)]
