"""What every method's page says before a long run, and that all of them stand on a wide network."""

from __future__ import annotations

import pytest

from dashboard.views.ordinal import picture
from dashboard.views.shared import neighbourhood
from tests.contract.brings import WITH_PAGE
from tests.dashboard.app_pages.running import finished
from tests.dashboard.views.shared.test_analysis_page import opened, said


@pytest.mark.parametrize("slug", [slug for slug in WITH_PAGE if slug != "discriminative"])
def test_a_wide_network_opens_on_a_part(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four boxes count as wide here: two are drawn, and said to be; around another centre; or all."""
    monkeypatch.setattr(neighbourhood, "WIDE", 3)
    monkeypatch.setattr(picture, "MOST_WHOLE", 3)  # of the page whose boxes are smaller
    monkeypatch.setattr(neighbourhood, "MOST", 2)
    at = opened(slug, run=True)
    assert "Drawn: 2 of" in said(at)
    centre = next(one for one in at.selectbox if one.label == "Draw what lies around")
    name = centre.options[-1]
    finished(centre.set_value(name).run())
    assert f"Drawn: {name}" in said(at)
    layouts = at.session_state["diptych"].layouts.all()
    assert len(layouts) >= 2
    assert max(map(len, layouts)) <= 2
    whole = next(one for one in at.toggle if one.label.startswith("All "))
    finished(whole.set_value(True).run())
    assert max(map(len, at.session_state["diptych"].layouts.all())) > 2
