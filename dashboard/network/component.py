"""Our components on a page, and what the user did to them: networks, a room's bar, the board of the order in time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, TypeVar

import streamlit as st

from dashboard.network.panel import ASSETS, Panel, Point, panel_data
from dashboard.session.labels import full_name

Item = TypeVar("Item")


@dataclass(frozen=True)
class NetworkEvent:
    """A click on the networks; all fields are empty when there was none.

    Attributes
    ----------
    node : the variable clicked or found by search
    edge : (source, target, panel number) of the arc clicked
    group : (number of the group, panel number) whose outline was clicked
    cleared : a click beside everything
    moved : variable -> where it was dragged to
    """

    node: str | None = None
    edge: tuple[str, str, int] | None = None
    group: tuple[int, int] | None = None
    cleared: bool = False
    moved: Mapping[str, Point] = field(default_factory=dict)


def network_panels(
    panels: Sequence[Panel],
    positions: Mapping[str, Point],
    selected: str | None = None,
    *,
    key: str,
    words: Mapping[str, str] | None = None,
    evidence: str = "",
    small: bool = False,
    height: int = 0,
    least: Sequence[float] = (),
) -> NetworkEvent:
    """Show one to three networks side by side; they zoom, move, select and highlight together."""
    names = list(positions)
    data = panel_data(
        panels, positions, selected, words=words, evidence=evidence, small=small, height=height, least=least
    )
    result = _component()(key=key, data=data, on_event_change=nothing, height="content")
    return read_event(getattr(result, "event", None), names, len(panels))


def item_at(items: Sequence[Item], place: Any) -> Item | None:
    """The item at a place that a component named; None where it named no such place."""
    good = isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(items)
    return items[place] if good else None


def read_event(raw: Any, names: Sequence[str], panels: int) -> NetworkEvent:
    """The component's answer with names in it; whatever does not fit is nothing."""
    name = partial(item_at, names)
    if not isinstance(raw, Mapping):
        return NetworkEvent()
    kind = raw.get("kind")
    if kind == "group":
        group, panel = raw.get("group"), raw.get("panel")
        good = all(isinstance(item, int) and item >= 0 for item in (group, panel))
        return NetworkEvent(group=(group, panel)) if good and panel < panels else NetworkEvent()  # type: ignore
    if kind == "node":
        node = name(raw.get("node"))
        return NetworkEvent(node=node, cleared=raw.get("node") is None)
    if kind == "edge":
        source, target, panel = name(raw.get("source")), name(raw.get("target")), raw.get("panel")
        if source is not None and target is not None and isinstance(panel, int) and 0 <= panel < panels:
            return NetworkEvent(edge=(source, target, panel))
    if kind == "moved" and isinstance(raw.get("positions"), list):
        return NetworkEvent(moved=dict(filter(None, (_moved(entry, name) for entry in raw["positions"]))))
    return NetworkEvent()


def _moved(item: Any, name: Any) -> tuple[str, Point] | None:
    if not (isinstance(item, list | tuple) and len(item) == 3):
        return None
    number, x, y = item
    known = name(number)
    numbers = all(isinstance(v, int | float) and math.isfinite(v) and abs(v) < 1e6 for v in (x, y))
    return (known, (float(x), float(y))) if known is not None and numbers else None


def nothing() -> None:
    """Streamlit hands a trigger back only when a callback is registered for it."""


def loaded(name: str, script: str, stylesheet: str = "") -> Any:
    """A component whose script comes from this server, so that a re-run carries data only."""
    base = st.get_option("server.baseUrlPath").strip("/")
    code = f"""
export default async (component) => {{
  const address = new URL("{f"/{base}" if base else ""}/diptych/{script}", window.location.origin).href;
  return (await import(address)).mount(component);
}};
"""
    style = (ASSETS / stylesheet).read_text(encoding="utf-8") if stylesheet else None
    return st.components.v2.component(name, css=style, js=code)


@cache
def _component() -> Any:
    return loaded("diptych_network", "network_component.js", "network.css")


@cache
def leaving_guard() -> Any:
    """What asks before a page is left; it shows nothing."""
    return loaded("diptych_leaving", "leaving.js")


@cache
def guide_links() -> Any:
    """What follows links to the guide within the tab; it shows nothing."""
    return loaded("diptych_guide", "guide.js")


@cache
def secret_handover() -> Any:
    """What hands over the secret that this browser keeps for this server; it shows nothing."""
    return loaded("diptych_handover", "handover.js")


@cache
def projector_bar() -> Any:
    """The bar that steps from picture to picture while a page is shown to a room."""
    return loaded("diptych_projector", "projector.js", "projector.css")


REST = "No place in time"
MOST_BOXES = 6


def tiers_board(names: Sequence[str], boxes: Sequence[Sequence[str]], *, key: str) -> list[list[str]] | None:
    """Show the columns in their boxes."""
    place = {name: number for number, name in enumerate(names)}
    tiers = [[place[name] for name in box if name in place] for box in boxes]
    known = {number for tier in tiers for number in tier}
    rest = [number for number in range(len(names)) if number not in known]
    data = {"names": list(map(full_name, names)), "boxes": [rest, *tiers], "titles": [REST, *tier_titles(len(tiers))]}
    result = _board()(key=key, data=data, on_moved_change=nothing, height="content")
    return read_tiers(getattr(result, "moved", None), names)


def tier_titles(boxes: int) -> list[str]:
    """Names of the places in time."""
    return ["First", *(["Then"] * (boxes - 2)), "Last"] if boxes > 1 else ["First"]


def read_tiers(raw: Any, names: Sequence[str]) -> list[list[str]] | None:
    """The component's answer with names in it; whatever does not fit is nothing."""
    boxes = raw.get("boxes") if isinstance(raw, Mapping) else None
    if not isinstance(boxes, Sequence) or isinstance(boxes, str) or not 2 <= len(boxes) <= MOST_BOXES + 1:
        return None
    if not all(isinstance(box, Sequence) and not isinstance(box, str) for box in boxes):
        return None
    numbers = [number for box in boxes for number in box]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        return None
    if sorted(numbers) != list(range(len(names))):
        return None
    return [[names[number] for number in box] for box in boxes[1:]]


@cache
def _board() -> Any:
    return loaded("diptych_tiers", "tiers.js", "tiers.css")
