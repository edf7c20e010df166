"""What tells two cards of one name apart."""

from __future__ import annotations

from dashboard.session.cards import Card
from dashboard.views.shared.card_names import distinct_name
from engine import Dataset, Discriminative
from tests.engine.methods.discriminative.make import row_frame


def test_cards_of_one_name_are_told_apart_by_their_settings() -> None:
    """The setting that differs is added; not beside a card of another table, one alone or one that has a name."""
    data = Dataset.from_frame(row_frame())
    results = [Discriminative("class", max_parents=most, shuffles=0).run(data) for most in (1, 2)]
    one, two = (Card(place, result, source="a.csv") for place, result in enumerate(results))
    assert one.name() == two.name()
    assert distinct_name(one, [one, two]) == f"{one.name()}, Most parents of a variable: 1"
    assert distinct_name(two, [one, two]) == f"{one.name()}, Most parents of a variable: 2"
    elsewhere = Card(3, results[1], source="b.csv")
    assert distinct_name(one, [one]) == distinct_name(one, [one, elsewhere]) == one.name()
    two.title = "Mine"
    assert distinct_name(two, [one, two]) == "Mine" and distinct_name(one, [one, two]) == one.name()
