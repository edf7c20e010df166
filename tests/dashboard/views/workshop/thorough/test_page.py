"""Networks of results in the workshop."""

from __future__ import annotations

from typing import Any

import pytest

import engine
import sample_data
from dashboard.server.memory import memory
from dashboard.session.cards import Card
from dashboard.session.session import Session
from engine.methods.with_tables import network_makers
from tests.dashboard.views.workshop.test_page import page, shown, state_of


def results() -> list[tuple[Any, Any]]:
    """An answer of groups, of one patient, of ordered ratings and of associations, with their tables."""
    cough, ratings = sample_data.dataset("cough_and_smoke"), sample_data.dataset("symptoms")
    part = cough.select(["sex", "smoking", "cough", "age"])
    patient = dict(zip(part.names, ("male", "yes", "no", "under 50"), strict=True))
    return [
        (engine.GroupDifference(group="sex", average="none").run(part), part),
        (engine.InstanceSpecific().run(part, patient), part),
        (engine.Ordinal().run(ratings), ratings),
        (engine.LogLinear().run(cough), cough),
    ]


def titles(card: Card) -> list[str]:
    """Of the networks of a result."""
    return list(network_makers(card.result, card.data))


@pytest.mark.parametrize("least", [0, 5])
def test_networks_of_results_are_offered_unless_small_counts_are_hidden(
    least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every one that is offered opens with tables; where small counts are hidden none is, and the page says so."""
    monkeypatch.setattr(memory(), "smallest_cell", least)
    held = Session()
    for place, (result, data) in enumerate(results()):
        held.cards.add(Card(place, result, data, "table.csv"))
    at = page(held)
    usual = page(Session()).selectbox(key="workshop.network").options
    offered = [option for option in at.selectbox(key="workshop.network").options if option not in usual]
    if least:
        assert not offered and "not offered here, since small counts are hidden" in shown(at)
        return
    assert len(offered) >= 4
    for value in [f"result {card.number} {title}" for card in held.cards for title in titles(card)]:
        at.selectbox(key="workshop.network").set_value(value).run()
        assert not at.exception and state_of(at).source == value, state_of(at).error
