"""Pictures of a comparison: which search found a link is said in dots and in text, and the counts are those drawn."""

from __future__ import annotations

from dashboard.network.compared import UNFOUND, link_panels, links_of
from tests.dashboard.views.compare.test_page import compared


def test_which_search_found_a_link_is_seen_and_counted() -> None:
    """Dotted where the group's search did not find it, its letter on the difference; counts are of what is drawn."""
    found = compared()
    pair = found.labels
    a, b, difference = link_panels(found, pair, ("A: North", "B: South"), links_of(found, pair), None)
    solid = [{frozenset((e.source, e.target)) for e in panel.edges if e.status != UNFOUND} for panel in (a, b)]
    assert solid == [set(side.links) for side in found.sides]
    assert a.subtitle.endswith(f", {len(solid[0])} links found")
    both, only = solid[0] & solid[1], [solid[0] - solid[1], solid[1] - solid[0]]
    assert both and any(only)
    marks = {frozenset((e.source, e.target)): e.mark for e in difference.edges}
    assert [{ends for ends, mark in marks.items() if mark == letter} for letter in "AB"] == only
    parts = [f"{len(ends)} in {letter} only" for letter, ends in zip("AB", only, strict=True) if ends]
    assert difference.subtitle == ", ".join([f"{len(both)} found in both", *parts])
    assert f"share {len(both)} of {len(both | only[0] | only[1])} links" in found.sentences()[-1]
