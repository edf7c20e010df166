"""Pictures of a comparison: a link looks as its interval says, and which search found it stands in the text."""

from __future__ import annotations

from dashboard.network.compared import _group_edge, link_panels, links_of
from engine.comparison.scales import ODDS, SCALES
from tests.dashboard.views.compare.test_page import compared


def test_which_search_found_a_link_is_said_and_not_drawn() -> None:
    """The sentence counts what each search took; the pictures have every link of either."""
    found = compared()
    pair = found.labels
    a, b, difference = link_panels(found, pair, ("A: North", "B: South"), links_of(found, pair), None)
    took = [set(side.links) for side in found.sides]
    assert {frozenset((e.source, e.target)) for e in a.edges} == {frozenset((e.source, e.target)) for e in b.edges}
    both, only = took[0] & took[1], [took[0] - took[1], took[1] - took[0]]
    assert both and any(only)
    assert not any(edge.mark for edge in difference.edges)
    assert difference.subtitle == f"{len(found.called()) or 'none'} seen to differ"
    words = f"took {len(took[0])} links in {pair[0]} and {len(took[1])} in {pair[1]}"
    assert f"{words}: {len(both | only[0] | only[1])} in all, {len(both)} in both" in found.sentences()[-1]


def test_a_link_looks_the_same_whether_or_not_the_search_took_it() -> None:
    """Thin, grey and dotted says that its interval includes no association, and nothing else does."""
    about = {"estimate": 1.67, "low": 0.9, "high": 2.4, "pale": False, "drawn": True, "status": "positive"}
    link, pale = ("Sepsis", "Died"), {"low": -0.9, "pale": True, "status": "unsure"}
    taken, left, unclear = (
        _group_edge(SCALES[ODDS], "North", link, {**about, **more}, lit=False, search="search")
        for more in ({}, {"drawn": False}, {"drawn": False, **pale})
    )
    assert taken.width == left.width > 2 and unclear.width == 0
    assert (taken.status, left.status, unclear.status) == ("positive", "positive", "unsure")
    levels = {**about, **pale, "status": "linked"}
    unsigned = _group_edge(SCALES[ODDS], "North", link, levels, lit=False, search="search")
    assert unsigned.status == "link" and unsigned.certainty < taken.certainty == left.certainty
