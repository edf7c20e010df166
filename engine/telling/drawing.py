"""The networks of a result as lines of a figure, each with its kind, width and sign; and what the kinds are called."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from engine.graphs.drawing.svg import HEADLESS, STYLES, ArcStyle, Line, draw_network, frame
from engine.lazy import go, nx, pd
from engine.notebook import LINE, text_height
from engine.telling.charts.labels import name_of, visible
from engine.telling.charts.network_layout import SCREEN, FigureLayout, plan_networks
from engine.telling.charts.networks import networks_figure


class Drawn(Protocol):
    """What a picture of networks needs of an answer."""

    caution: ClassVar[str]
    turned: ClassVar[str]
    thick: ClassVar[str]

    @property
    def names(self) -> tuple[str, ...]: ...
    def graphs(self) -> dict[str, nx.Graph]: ...
    def edges(self) -> pd.DataFrame: ...
    def claims(self) -> pd.DataFrame: ...
    def headline(self) -> str: ...
    def table_titles(self) -> tuple[str, ...]: ...
    def table(self, title: str) -> pd.DataFrame: ...


THIN, PLAIN, THICK = 1.3, 1.6, 3.6
_KINDS = {"both": "same", "only A": "only_a", "only B": "only_b", "cannot tell": "unclear"}
"""Status of a link of two groups -> the kind of line it is drawn as."""
_SHIFTS = {"only_a": "more_a", "only_b": "more_b", "same": "more_neither", "plain": "more_unknown", "turned": "turns"}
"""Class in which an arc of two classes' networks shifts its target more -> the kind of line, as on the page."""


def lines_of(result: Drawn, most: int | None = None) -> dict[str, list[Line]]:
    """Title -> the links of that network as they are drawn; of all networks of a result, or of the first `most`."""
    graphs, edges = dict(list(result.graphs().items())[:most]), result.edges()
    return {name: _lines(result, graphs, name, edges[edges["network"] == name]) for name in graphs}


def differing_names(result: Drawn) -> set[str]:
    """The variables of which a result claims that they differ, which are marked in its networks."""
    claims = result.claims()
    return {*claims["about"][(claims["kind"] == "differs") & (claims["verdict"] == "yes")]} & {*result.names}


def linked_names(result: Drawn) -> set[str]:
    """The variables that a line of any network of a result touches."""
    lines = [line for each in lines_of(result).values() for line in each]
    return {name for line in lines for name in (line.source, line.target)}


def _lines(result: Drawn, graphs: Mapping[str, nx.Graph], title: str, edges: pd.DataFrame) -> list[Line]:
    """The links of one network."""
    sizes = _widths(edges["strength" if edges["strength"].notna().any() else "probability"].tolist())
    lines = []
    for row, size in zip(edges.itertuples(), sizes, strict=True):
        style = _style(result, graphs, title, row.source, row.target, row.status, row.sign)
        sign = {"+": "+", "-": "−"}.get(row.sign, style.sign)
        lines.append(Line(row.source, row.target, row.mark == "->", style, size, sign))
    return lines


def _widths(strengths: Sequence[float]) -> list[float]:
    """Pixels by strength: the strongest the thickest, by square root, since strengths run over orders of magnitude.

    Beside one that is not known none is thicker.
    """
    most = max(map(abs, strengths), default=0.0)
    if not most or len(strengths) < 2 or not all(map(math.isfinite, strengths)):
        return [PLAIN] * len(strengths)
    return [THIN + (THICK - THIN) * math.sqrt(abs(strength) / most) for strength in strengths]


def _style(
    result: Drawn, graphs: Mapping[str, nx.Graph], title: str, source: str, target: str, status: str, sign: str
) -> ArcStyle:
    if sign in ("+", "-"):
        return STYLES["positive" if sign == "+" else "negative"]
    status = result.turned if status == "reversed" else _KINDS.get(status, status)
    about = graphs[title].edges[source, target]
    if "more" in about and status != "plain":  # of two classes: which networks have it stands in the table
        status = _SHIFTS[about["more"]]
    first = next(iter(graphs.values()))
    if status == "shared" and not (first.has_edge(source, target) or first.has_edge(target, source)):
        status = "beside"
    return STYLES.get(status, STYLES["plain"])


def drawn_kinds(lines: Mapping[str, Sequence[Line]]) -> list[tuple[ArcStyle, str]]:
    """Every kind of line that is drawn, and what a legend calls it."""
    used = [style for style in STYLES.values() if any(line.style == style for each in lines.values() for line in each)]
    return [(style, kind_words(style, list(lines))) for style in used]


def legend_notes(lines: Mapping[str, Sequence[Line]], thick: str, *, differs: bool = False) -> list[str]:
    """What colours of boxes, arrows and widths say; `thick` is what a thick line does."""
    notes = ["orange with a triangle: the variable differs"] if differs else []
    every = [line for each in lines.values() for line in each]
    if any(item.directed for item in every) and not all(entry.directed for entry in every):
        notes.append(HEADLESS)
    if len({element.width for element in every}) > 1:
        notes.append(f"the thicker, {thick}")
    return notes


def kind_words(style: ArcStyle, titles: Sequence[str]) -> str:
    """What a kind of line is called beside networks of these titles."""
    a, b = ([name_of(title) for title in titles] + ["the first", "the second"])[:2]
    return "".join({"{a}": a, "{b}": b}.get(part, part) for part in re.split(r"(\{[ab]\})", style.words))


MOST_SHOWN, MOST_ROWS, MOST_COLUMNS = 3, 10, 12
"""Networks, rows and columns that a notebook shows of a result."""


def draw_networks(result: Drawn) -> go.Figure:
    """All networks of a result on one layout, as the report has them."""
    lines = lines_of(result)
    return networks_figure(lines, _plan(result, len(lines)), drawn_kinds(lines), differing_names(result))


def _plan(result: Drawn, number: int) -> FigureLayout:
    """Where the variables stand, in as many of the networks as are drawn; in all of them at the same place."""
    graphs = list(result.graphs().values())
    return plan_networks(graphs[:number], others=graphs[number:], across=SCREEN)


def result_markup(result: Drawn) -> tuple[str, float]:
    """Headline, networks with their legend, and the first table, as HTML; and about how many pixels high that is."""
    headline = visible(result.headline())
    parts, height = [f"<p><b>{html.escape(headline)}</b></p>"], text_height(headline)
    lines = lines_of(result, MOST_SHOWN)
    plan = _plan(result, len(lines))
    if lines and plan.positions:
        differing, view = differing_names(result), frame(plan.positions, plan.boxes)
        pictures = []
        for number, (title, own) in enumerate(lines.items()):
            picture = draw_network(
                own, plan.positions, plan.boxes, ident=f"n{number}", width=plan.width, differing=differing
            )
            name = html.escape(name_of(title))
            pictures.append(
                f"<figure style='flex:0 1 {plan.width:.0f}px'><figcaption><b>{name}</b> ({len(own)})</figcaption>"
                f"{picture}</figure>"
            )
        for first in range(0, len(pictures), plan.per_row):
            parts.append(f"<div>{''.join(pictures[first : first + plan.per_row])}</div>")
        height += -(-len(lines) // plan.per_row) * (plan.width * view.height / view.width + 2 * LINE)
        entries = [_legend_entry(style, words) for style, words in drawn_kinds(lines)]
        notes = legend_notes(lines, result.thick, differs=bool(differing))
        entries += [f"<li>{html.escape(note)}</li>" for note in notes]
        parts.append(f"<ul>{''.join(entries)}</ul>")
        height += LINE * (1 + len(entries) // 4)
    table = result.table(result.table_titles()[0])
    shown = table.iloc[:MOST_ROWS, :MOST_COLUMNS]
    parts.append(shown.to_html(index=False, border=0, escape=True))
    parts.append(f"<p><small>{html.escape(result.caution)}</small></p>")
    return "".join(parts), height + LINE * (len(shown) + 2) + text_height(result.caution)


def _legend_entry(style: ArcStyle, words: str) -> str:
    """A kind of line with a sample of it."""
    dash = f" stroke-dasharray='{' '.join(map(str, style.dash))}'" if style.dash else ""
    sample = f"<svg width='34' height='8'><path d='M0 4H34' stroke='{style.colour}' stroke-width='2'{dash}/></svg>"
    return f"<li>{sample} {html.escape(words)}</li>"
