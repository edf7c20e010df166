"""The networks of a result as figures: pictures side by side, a legend in words, and every link as text."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine import words
from engine.graphs.drawing.arcs import STYLES, ArcStyle
from engine.graphs.drawing.panel import Line, panel_svg
from engine.methods.result import Result
from engine.project.report.layout import FigureLayout
from engine.project.report.markup import clean, name_of, render

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    from markupsafe import Markup

THIN, THICK = 1.3, 3.6
_NAMESPACE = " xmlns='http://www.w3.org/2000/svg'"
"""A picture in HTML needs none, and without it the document holds no address at all."""
_KINDS = {"both": "same", "only A": "only_a", "only B": "only_b", "cannot tell": "unclear"}
"""Status of a link of two groups -> the kind of line it is drawn as."""
_SHIFTS = {"only_a": "more_a", "only_b": "more_b", "same": "more_neither", "plain": "more_unknown"}
"""Class in which an arc of two classes' networks shifts its target more -> the kind of line, as on the page."""
_TURNED = {("InstanceSpecificResult", "reversed"): "turned"}
"""The one status whose word is another beside a patient than between groups."""
_STRENGTH = {"shared": "the more of the patients have it"}
"""What a thick line says, by status; in the others the method's own strength."""


def network_figure(result: Result, plan: FigureLayout, ident: str, title: str) -> Markup | str:
    """All networks of a result in one figure.

    Parameters
    ----------
    result : the answer
    plan : where its variables stand
    ident : what ids in the figure begin with
    title : of the figure

    Returns
    -------
    markup; nothing where the result has no network
    """
    graphs = result.graphs()
    if not graphs or not plan.places:
        return ""
    edges = result.edges()
    lines = {name: _lines(result, graphs, name, edges[edges["network"] == name]) for name in graphs}
    panels = [_panel(f"{ident}-{number}", name, lines[name], plan) for number, name in enumerate(graphs, 1)]
    return render(
        "figure.html",
        plan=plan,
        rows=[panels[i : i + plan.beside] for i in range(0, len(panels), plan.beside)],
        single=len(graphs) == 1,
        legend=legend(lines, graphs),
        title=title,
        caption="".join(_caption(result, graphs, edges, plan)),
        in_words=in_words(lines),
    )


def _lines(result: Result, graphs: Mapping[str, nx.Graph], title: str, edges: pd.DataFrame) -> list[Line]:
    known = edges["strength"].notna().any()
    sizes = _widths(edges["strength" if known else "probability"].tolist())
    return [
        Line(
            row.source,
            row.target,
            row.mark == "->",
            _style(result, graphs, title, row.source, row.target, row.status, row.sign),
            size,
            {"+": "+", "-": "−"}.get(row.sign, ""),
        )
        for row, size in zip(edges.itertuples(), sizes, strict=True)
    ]


def _widths(strengths: Sequence[float]) -> list[float]:
    """Pixels by strength: the strongest the thickest, by square root, since strengths run over orders of magnitude."""
    known = [abs(strength) for strength in strengths if math.isfinite(strength)]
    most = max(known, default=0.0)
    if not most or len(known) < 2:
        return [1.6] * len(strengths)
    return [
        THIN + (THICK - THIN) * math.sqrt(abs(strength_value) / most) if math.isfinite(strength_value) else THIN
        for strength_value in strengths
    ]


def _style(
    result: Result, graphs: Mapping[str, nx.Graph], title: str, source: str, target: str, status: str, sign: str
) -> ArcStyle:
    if sign in ("+", "-"):
        return STYLES["positive" if sign == "+" else "negative"]
    status = _TURNED.get((type(result).__name__, status), _KINDS.get(status, status))
    about = graphs[title].edges[source, target]
    if "more" in about and status != "plain":  # of two classes: which networks have it stands in the table
        status = _SHIFTS[about["more"]]
    first = next(iter(graphs.values()))
    if status == "shared" and not (first.has_edge(source, target) or first.has_edge(target, source)):
        status = "beside"
    return STYLES.get(status, STYLES["plain"])


def _panel(ident: str, name: str, lines: Sequence[Line], plan: FigureLayout) -> dict[str, str]:
    from markupsafe import Markup

    counted = words.count(len(lines), "link")
    shown = name_of(name)
    svg = panel_svg(
        lines,
        plan.places,
        plan.boxes,
        ident=ident,
        title=f"Network: {shown}",
        description=f"{words.count(len(plan.places), 'variable')}, {counted}; each is listed below the figure.",
        width=plan.width,
    )
    markup = Markup(clean(svg.replace(_NAMESPACE, "")))  # noqa: S704 - drawn here
    return {"title": shown, "count": counted, "svg": markup}


# -- in words ---------------------------------------------------------------------------------------------------------


def legend(lines: Mapping[str, Sequence[Line]], graphs: Mapping[str, nx.Graph]) -> Markup:
    """Every kind of line that is drawn, with a sample of it, and what arrows and widths say.

    Parameters
    ----------
    lines : title of a network -> its edges
    graphs : title -> network

    Returns
    -------
    a list
    """
    used = [
        style_value
        for style_value in STYLES.values()
        if any(line.style == style_value for each in lines.values() for line in each)
    ]
    notes = []
    every = [line for each in lines.values() for line in each]
    if any(item.directed for item in every) and not all(entry.directed for entry in every):
        notes.append("a line without a head: its direction cannot be told")
    if len({element.width for element in every}) > 1:
        shared = any(item_value.style in (STYLES["shared"], STYLES["beside"]) for item_value in every)
        text = _STRENGTH["shared"] if shared else "the stronger the link"
        notes.append(f"the thicker, {text}")
    return render("legend.html", kinds=[(style, kind_words(style, list(graphs))) for style in used], notes=notes)


def kind_words(style: ArcStyle, titles: Sequence[str]) -> str:
    """What a kind of line is called beside networks of these titles.

    Parameters
    ----------
    style : the kind
    titles : of the networks, in order

    Returns
    -------
    words
    """
    a, b = ([name_of(title) for title in titles] + ["the first", "the second"])[:2]
    return "".join({"{a}": a, "{b}": b}.get(part, part) for part in re.split(r"(\{[ab]\})", style.words))


def in_words(lines: Mapping[str, Sequence[Line]]) -> Markup:
    """Every link of every network as text, by kind.

    Parameters
    ----------
    lines : title of a network -> its edges

    Returns
    -------
    markup
    """
    networks: list[tuple[str, list[tuple[str, int, str]]]] = []
    titles = list(lines)
    before: dict[tuple[ArcStyle, str], str] = {}
    for name, each in lines.items():
        head = "" if len(lines) == 1 else f"{name_of(name)}: "
        kinds: dict[ArcStyle, list[str]] = {}
        for item in each:
            kinds.setdefault(item.style, []).append(
                f"{name_of(item.source)} {'→' if item.directed else '—'} {name_of(item.target)}"
            )
        sentences = []
        for style, kind in kinds.items():
            listed = "; ".join(kind)
            first = before.setdefault((style, listed), name_of(name))
            listed = listed if first == name_of(name) or len(kind) < 3 else f"the same as in {first}"
            sentences.append((kind_words(style, titles), len(kind), listed))
        networks.append((head, sentences))
    return render("in_words.html", networks=networks)


def _caption(result: Result, graphs: Mapping[str, nx.Graph], edges: pd.DataFrame, plan: FigureLayout) -> list[str]:
    number = len(graphs)
    text = "One network. " if number == 1 else f"{number} networks; every variable stands in the same place in each. "
    alone = {name for graph in graphs.values() for name in graph.nodes} - {*edges["source"], *edges["target"]}
    matches = [text]
    if alone:
        matches.append(f"{words.count(len(alone), 'variable')} without any link. ")
    if plan.small:
        matches.append("The letters are small on paper; enlarge the picture on a screen. ")
    return [*matches, result.caution]
