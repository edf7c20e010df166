"""The networks of a result as figures: pictures side by side, a legend in words, and every link as text."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from engine import words
from engine.graphs.drawing.labels import LETTER, Box, boxes
from engine.graphs.drawing.layout import Point, layout
from engine.graphs.drawing.svg import STYLES, ArcStyle, Line, draw_network, frame
from engine.lazy import nx, pd
from engine.methods.result import YES, Result
from engine.project.report.markup import clean, name_of, render

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


def network_figure(result: Result, plan: FigureLayout, ident: str, title: str, most: int | None = None) -> Markup | str:
    """The networks of a result, or the first of them, in one figure; "" where it has none."""
    graphs = dict(list(result.graphs().items())[:most])
    if not graphs or not plan.positions:
        return ""
    edges = result.edges()
    edges = edges[edges["network"].isin(list(graphs))]
    lines = {name: _lines(result, graphs, name, edges[edges["network"] == name]) for name in graphs}
    claims = result.claims()
    differing = {*claims["about"][(claims["kind"] == "differs") & (claims["verdict"] == YES)]} & {*plan.positions}
    panels = [_panel(f"{ident}-{number}", name, lines[name], plan, differing) for number, name in enumerate(graphs, 1)]
    return render(
        "figure.html",
        plan=plan,
        rows=[panels[i : i + plan.per_row] for i in range(0, len(panels), plan.per_row)],
        single=len(graphs) == 1,
        legend=legend(lines, graphs, differs=bool(differing)),
        title=title,
        caption="".join(_caption(result, graphs, edges, plan)),
    )


def links_in_words(result: Result, title: str) -> Markup:
    """Every link of the networks of a result as text."""
    graphs, edges = result.graphs(), result.edges()
    return in_words({name: _lines(result, graphs, name, edges[edges["network"] == name]) for name in graphs}, title)


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
        THIN + (THICK - THIN) * math.sqrt(abs(strength) / most) if math.isfinite(strength) else THIN
        for strength in strengths
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


def _panel(
    ident: str, name: str, lines: Sequence[Line], plan: FigureLayout, differing: Collection[str]
) -> dict[str, str]:
    counted = words.count(len(lines), "link")
    title = name_of(name)
    svg = draw_network(
        lines,
        plan.positions,
        plan.boxes,
        ident=ident,
        title=f"Network: {title}",
        description=f"{words.count(len(plan.positions), 'variable')}, {counted}; each stands in words in the report.",
        width=plan.width,
        differing=differing,
    )
    markup = Markup(clean(svg.replace(_NAMESPACE, "")))  # noqa: S704 - drawn here
    return {"title": title, "count": counted, "svg": markup}


# -- in words ---------------------------------------------------------------------------------------------------------


def legend(lines: Mapping[str, Sequence[Line]], graphs: Mapping[str, nx.Graph], *, differs: bool = False) -> Markup:
    """Every kind of line that is drawn, with a sample of it, and what arrows and widths say."""
    used = [style for style in STYLES.values() if any(line.style == style for each in lines.values() for line in each)]
    notes = ["orange with a triangle: the variable differs"] if differs else []
    every = [line for each in lines.values() for line in each]
    if any(item.directed for item in every) and not all(entry.directed for entry in every):
        notes.append("a line without a head: its direction is not known")
    if len({element.width for element in every}) > 1:
        shared = any(line.style in (STYLES["shared"], STYLES["beside"]) for line in every)
        text = _STRENGTH["shared"] if shared else "the stronger the link"
        notes.append(f"the thicker, {text}")
    return render("legend.html", kinds=[(style, kind_words(style, list(graphs))) for style in used], notes=notes)


def kind_words(style: ArcStyle, titles: Sequence[str]) -> str:
    """What a kind of line is called beside networks of these titles."""
    a, b = ([name_of(title) for title in titles] + ["the first", "the second"])[:2]
    return "".join({"{a}": a, "{b}": b}.get(part, part) for part in re.split(r"(\{[ab]\})", style.words))


def in_words(lines: Mapping[str, Sequence[Line]], title: str) -> Markup:
    """Every link of every network as text, by kind."""
    networks: list[tuple[str, list[tuple[str, int, str]]]] = []
    titles = list(lines)
    written: dict[tuple[ArcStyle, str], str] = {}
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
            first = written.setdefault((style, listed), name_of(name))
            listed = listed if first == name_of(name) or len(kind) < 3 else f"the same as in {first}"
            sentences.append((kind_words(style, titles), len(kind), listed))
        networks.append((head, sentences))
    return render("in_words.html", networks=networks, title=title)


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


UPRIGHT, LYING = 657.0, 986.0
"""Pixels between the margins of an A4 page, upright and lying."""
TALL, LOW = 800.0, 520.0
"""Pixels of height that a picture may take on either."""
LEAST_LETTERS = 11.0
"""Pixels of a letter's body on paper."""
GAP = 16.0
MOST_PER_ROW, MOST_TRIED = 3, 100
"""Pictures in a row, and variables up to which a better shape is looked for."""
_SHARES = (1.0, 0.8, 0.6, 0.45)
"""Shares of a page's width that a picture is laid out for where its letters would be too small."""


@dataclass(frozen=True)
class FigureLayout:
    """How the networks of one result are drawn.

    Attributes
    ----------
    positions, boxes : name -> middle of its box, and the box
    width : of one picture in pixels
    per_row : pictures in a row
    lying : they need a page that lies on its side
    small : the letters are smaller than they should be, even so
    """

    positions: Mapping[str, Point]
    boxes: Mapping[str, Box]
    width: float
    per_row: int
    lying: bool = False
    small: bool = False


def lay_out(
    graphs: Sequence[nx.Graph],
    given: Sequence[Mapping[str, Point]] = (),
    others: Sequence[nx.Graph] = (),
    labels: Mapping[str, str] | None = None,
) -> FigureLayout:
    """One place for every variable in all the networks, and a size at which names or labels can be read on paper."""
    names = list(dict.fromkeys(name for graph in graphs for name in graph.nodes))
    result = boxes(names, labels)
    if not names:
        return FigureLayout({}, result, 1.0, 1)
    sizes, height = {name: box.width for name, box in result.items()}, result[names[0]].height
    known = next(({name: item[name] for name in names} for item in given if all(name in item for name in names)), None)
    rooms: list[float | None] = [None]
    if known is None and len(names) <= MOST_TRIED:
        rooms += [share * UPRIGHT * LETTER / LEAST_LETTERS for share in _SHARES]
    plans: list[FigureLayout] = []
    for room in rooms:
        plans.append(_sized(layout([*graphs, *others], known, sizes, height, room), result, len(graphs)))
        if not (plans[-1].small or plans[-1].lying):
            break
    return max(
        plans, key=lambda plan: (not plan.small, not plan.lying, plan.width / frame(plan.positions, result).width)
    )


def _sized(positions: Mapping[str, Point], result: Mapping[str, Box], number: int) -> FigureLayout:
    view = frame(positions, result)
    least = LEAST_LETTERS / LETTER  # the smallest a picture may be drawn
    for per_row in range(min(MOST_PER_ROW, number), 0, -1):
        room = (UPRIGHT - GAP * (per_row - 1)) / per_row - 2
        scale = min(1.0, room / view.width, TALL / view.height)
        if scale >= least:
            return FigureLayout(positions, result, scale * view.width, per_row)
    upright = min(1.0, UPRIGHT / view.width, TALL / view.height)
    lying = min(LYING / view.width, LOW / view.height)
    if lying > upright:
        return FigureLayout(positions, result, min(1.0, lying) * view.width, 1, lying=True, small=lying < least)
    return FigureLayout(positions, result, upright * view.width, 1, small=upright < least)
