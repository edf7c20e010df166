"""The networks of a result in a document: pictures side by side, a legend in words, and every link as text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from markupsafe import Markup

from engine import words
from engine.graphs.drawing.svg import ArcStyle, Line, draw_network
from engine.methods.result import Result
from engine.project.report.markup import clean, render
from engine.telling.charts.labels import name_of
from engine.telling.charts.network_layout import FigureLayout
from engine.telling.drawing import differing_names, drawn_kinds, kind_words, legend_notes, lines_of

_NAMESPACE = " xmlns='http://www.w3.org/2000/svg'"
"""A picture in HTML needs none, and without it the document holds no address at all."""
MOST_NAMED = 40
"""Variables without a link that a caption names."""


def network_figure(result: Result, plan: FigureLayout, ident: str, title: str, most: int | None = None) -> Markup | str:
    """The networks of a result, or the first of them, in one figure; "" where it has none."""
    lines = lines_of(result, most)
    if not lines or not plan.positions:
        return ""
    networks = len(lines)
    if all(drawn == next(iter(lines.values())) for drawn in lines.values()):  # equal pictures would say nothing more
        lines = {words.listed(lines): next(iter(lines.values()))}
    differing = differing_names(result) & {*plan.positions}
    panels = [_panel(f"{ident}-{number}", name, lines[name], plan, differing) for number, name in enumerate(lines, 1)]
    return render(
        "figure.html",
        plan=plan,
        rows=[panels[i : i + plan.per_row] for i in range(0, len(panels), plan.per_row)],
        single=len(lines) == 1,
        legend=legend(lines, result.thick, differs=bool(differing)),
        title=title,
        caption="".join(_caption(result, lines, plan, networks)),
    )


def links_in_words(result: Result, title: str) -> Markup:
    """Every link of the networks of a result as text."""
    return in_words(lines_of(result), title)


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


def legend(lines: Mapping[str, Sequence[Line]], thick: str, *, differs: bool = False) -> Markup:
    """Every kind of line that is drawn, with a sample of it, and what arrows and widths say."""
    return render("legend.html", kinds=drawn_kinds(lines), notes=legend_notes(lines, thick, differs=differs))


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


def _caption(result: Result, lines: Mapping[str, Sequence[Line]], plan: FigureLayout, networks: int) -> list[str]:
    number = len(lines)
    if not any(lines.values()) and networks > 1:
        return [f"None of the {networks} networks has a link. ", result.caution]
    text = f"{number} networks; every variable stands in the same place in each. "
    if number == 1:
        text = (
            "The networks have the same links, which need not be equally strong. " if networks > 1 else "One network. "
        )
    alone = {*plan.positions} - {
        name for each in lines.values() for line in each for name in (line.source, line.target)
    }
    names = dict.fromkeys(name for graph in result.graphs().values() for name in graph.nodes)
    left_out = [name_of(name) for name in names if name not in plan.positions]
    sentences = [text]
    if left_out:
        sentences.append(f"Without any link and not drawn: {words.first(left_out, MOST_NAMED)}. ")
    if alone:
        sentences.append(f"{words.count(len(alone), 'variable')} without any link. ")
    if plan.small:
        sentences.append("The letters are small on paper; enlarge the picture on a screen. ")
    return [*sentences, result.caution]
