"""Pictures of a comparison: which search found a link is said in dots and in text, and the counts are those drawn."""

from __future__ import annotations

from dashboard.network.compared import UNFOUND, _group_edge, link_panels, links_of
from engine.comparison.scales import ODDS, SCALES
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
    took = f"took {len(solid[0])} links in {pair[0]} and {len(solid[1])} in {pair[1]}"
    assert f"{took}: {len(both | only[0] | only[1])} in all, {len(both)} in both" in found.sentences()[-1]


def test_a_clear_link_is_as_wide_whether_or_not_the_search_took_it() -> None:
    """Dotted says which; thin that its interval includes no association."""
    about = {"estimate": 1.67, "low": 0.9, "high": 2.4, "pale": False, "drawn": True, "status": "positive"}
    link, pale = ("Sepsis", "Died"), {"low": -0.9, "pale": True}
    taken, left, unclear = (
        _group_edge(SCALES[ODDS], "North", link, {**about, **more}, lit=False, search="search")
        for more in ({}, {"drawn": False}, {"drawn": False, **pale})
    )
    assert taken.width == left.width > 2 and unclear.width == 0
    assert (taken.status, left.status, unclear.status) == ("positive", UNFOUND, UNFOUND)
