"""Small pictures beside a network: whether two variables are d-separated, how paths pass, and shares of a change."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from dashboard.session.labels import full_name, labelled
from dashboard.text import visible
from engine.words import in_percent, points, shown_difference, with_sign

if TYPE_CHECKING:
    import numpy as np

    from engine.graphs.separation import Path
    from engine.models.evidence import Explanation

_KINDS = {
    "chain": ("open", "blocked", ((12, 17), (50, 17), (88, 17)), ((0, 1), (1, 2))),
    "fork": ("open", "blocked", ((12, 27), (50, 7), (88, 27)), ((1, 0), (1, 2))),
    "collider": ("blocked, unless a descendant is known", "open", ((12, 7), (50, 27), (88, 7)), ((0, 1), (2, 1))),
}
"""Kind -> what its middle does unknown and known, where its three variables stand, and its arrows."""
_RADIUS, _REST = 6.5, 9.0
Place = tuple[int, int]


def answer_box(title: str, path: Path | None, known: Collection[str], reason: str) -> str:
    """Yes or no, the path that decides it with known variables underlined, and the rule, as markup."""
    lines = [f"<b>{html.escape(title)}</b>"]
    if path is not None:
        lines.append(f"<span>{_path_markup(path, known)}</span>")
    if reason:
        lines.append(f"<small>{html.escape(visible(labelled(reason)))}</small>")
    return f"<div class='workshop-answer' role='status'>{''.join(lines)}</div>"


def _path_markup(path: Path, known: Collection[str]) -> str:
    parts = []
    for place, node in enumerate(path.nodes):
        if place:
            parts.append("→" if path.forward[place - 1] else "←")
        name = html.escape(visible(full_name(str(node))))
        parts.append(f"<u>{name}</u>" if node in known else name)
    return " ".join(parts)


def kinds_table(acting: Collection[tuple[str, bool]]) -> str:
    """How a path passes its middle, as markup; the rows and cells that decide here stand out.

    Parameters
    ----------
    acting : (kind, whether the middle, or what opens it, is known)
    """
    rows = []
    for kind, (unknown, known, places, arrows) in _KINDS.items():
        cells = "".join(
            f"<td>{'<b>' if (kind, state) in acting else ''}{word}{'</b>' if (kind, state) in acting else ''}</td>"
            for state, word in ((False, unknown), (True, known))
        )
        tinted = " class='acting'" if any((kind, state) in acting for state in (False, True)) else ""
        rows.append(f"<tr{tinted}><td>{_triple_picture(kind, places, arrows)}{kind}</td>{cells}</tr>")
    return (
        "<table class='workshop-kinds'><thead><tr><th>Middle variable</th><th>unknown</th><th>known</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _triple_picture(kind: str, places: Sequence[Place], arrows: Sequence[tuple[int, int]]) -> str:
    """Three circles and two arrows in the colour of the text: a mask, since Streamlit takes SVG out of markup."""
    circles = "".join(
        f"<circle cx='{x}' cy='{y}' r='{_RADIUS}' fill-opacity='{0.35 if kind == 'collider' and i == 1 else 0}' "
        "stroke='#000' stroke-width='1.3'/>"
        for i, (x, y) in enumerate(places)
    )
    lines = "".join(_arrow(places[a], places[b]) for a, b in arrows)
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 34'>{lines}{circles}</svg>"
    return f'<i style="mask:url(data:image/svg+xml,{quote(svg)}) center/contain no-repeat"></i>'


def _arrow(start: Place, end: Place) -> str:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    x1, y1 = start[0] + ux * _REST, start[1] + uy * _REST
    x2, y2 = end[0] - ux * _REST, end[1] - uy * _REST
    bx, by = x2 - ux * 6, y2 - uy * 6
    head = f"{x2:.1f},{y2:.1f} {bx - uy * 3:.1f},{by + ux * 3:.1f} {bx + uy * 3:.1f},{by - ux * 3:.1f}"
    line = f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{bx:.1f}' y2='{by:.1f}' stroke='#000' stroke-width='1.2'/>"
    return f"{line}<polygon points='{head}'/>"


def shares_table(explanation: Explanation, levels: dict[str, str]) -> str:
    """What each piece of evidence adds to a change, the largest first, with a bar to either side, as markup.

    Parameters
    ----------
    explanation : the shares
    levels : name -> level of what is known
    """
    largest = max(map(abs, explanation.shares.values()), default=0.0) or 1.0
    rows = "".join(
        f"<tr><td>{html.escape(visible(f'{name} = {levels[name]}'))}</td>"
        f"<td><i style='{_bar_style(share / largest)}'></i></td><td>{points(share)}</td></tr>"
        for name, share in sorted(explanation.shares.items(), key=lambda item: -abs(item[1]))
    )
    return (
        "<table class='workshop-shares'><thead><tr><th>Known</th><th>lowers | raises</th><th>share</th></tr></thead>"
        f"<tbody>{rows}<tr><td><b>Together</b></td><td></td><td><b>{points(explanation.change)}</b></td></tr></tbody></table>"
    )


def doing_table(name: str, levels: Sequence[str], done: Mapping[str, np.ndarray]) -> str:
    """Probabilities of a variable's levels where X is set to one level and to another, and the effect, as markup.

    Parameters
    ----------
    name, levels : of the variable
    done : the two levels of X -> (levels,) probabilities where it is set
    """
    heads = "".join(f"<th>set X = {html.escape(visible(level))}</th>" for level in done)
    rows = "".join(
        f"<tr><td>{html.escape(visible(level))}</td>{''.join(f'<td>{in_percent(p, 1)}</td>' for p in both)}"
        f"<td>{with_sign(shown_difference(both[0], both[1], 1), 1)}</td></tr>"
        for level, *both in zip(levels, *(own.tolist() for own in done.values()), strict=True)
    )
    return (
        f"<table class='workshop-kinds'><thead><tr><th>{html.escape(visible(name))}</th>{heads}<th>effect, pp</th></tr>"
        f"</thead><tbody>{rows}</tbody></table>"
    )


def _bar_style(share: float) -> str:
    """A bar from the middle to the right where it raises, to the left where it lowers."""
    width = 50 * abs(share)
    return f"margin-left:{50 if share >= 0 else 50 - width:.1f}%;width:{max(width, 0.6):.1f}%"
