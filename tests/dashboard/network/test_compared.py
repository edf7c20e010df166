"""Pictures of a comparison: which search found a link is said in dots and in text, and the counts are those drawn."""

from __future__ import annotations

from dashboard.network.compared import UNFOUND, link_panels, links_of
from tests.dashboard.views.compare.test_page import compared


def test_which_search_found_a_link_is_seen_and_counted() -> None:
    """Dotted where the group's search did not find it, no sign of it on the difference; counts are of what is drawn."""
    found = compared()
    pair = found.labels
    a, b, difference = link_panels(found, pair, ("A: North", "B: South"), links_of(found, pair), None)
    solid = [{frozenset((e.source, e.target)) for e in panel.edges if e.status != UNFOUND} for panel in (a, b)]
    assert solid == [set(side.links) for side in found.sides]
    assert a.subtitle.endswith(f", {len(solid[0])} links taken by its search")
    both, only = solid[0] & solid[1], [solid[0] - solid[1], solid[1] - solid[0]]
    assert both and any(only)
    assert not any(edge.mark for edge in difference.edges)
    called = len(found.called())
    assert difference.subtitle == f"{called} of {len(difference.edges)} links seen to differ"
    assert f"share {len(both)} of {len(both | only[0] | only[1])} links" in found.sentences()[-1]
