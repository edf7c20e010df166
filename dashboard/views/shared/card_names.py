"""What a card is called where others of the same name stand beside it, and its settings in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dashboard.text import short

if TYPE_CHECKING:
    from dashboard.session.cards import Card

SEEN = 24
"""Letters of a name that a list beside a page has room for."""


def distinct_name(card: Card, cards: Iterable[Card], name: str = "") -> str:
    """The card's name, or what stands in its place, with the settings that others of that name and table lack."""
    own = card.result.method.shown()
    others = [other for other in cards if other is not card and _twins(card, other)]
    known = [other.result.method.shown() for other in others]
    apart = {key: value for key, value in own.items() if any(values.get(key) != value for values in known)}
    return ", ".join([name or card.name(), *_settings(card, apart)])


def distinct_question(card: Card, cards: Iterable[Card]) -> str:
    """The same with the question in plain words in place of the name."""
    return distinct_name(card, cards, card.asked())


def names_apart(cards: Collection[Card]) -> dict[int, str]:
    """Number -> what a list calls a card: name, table and settings that set it apart; its number before names that
    begin alike."""
    several = len({card.source for card in cards}) > 1
    names = {
        card.number: distinct_name(card, cards) + (f", {short(card.source, 30)}" if several else "") for card in cards
    }
    begins = [words[:SEEN] for words in names.values()]
    return {
        number: words if begins.count(words[:SEEN]) == 1 else f"{number}. {words}" for number, words in names.items()
    }


def settings_words(card: Card) -> str:
    """The settings that differ from those the method begins with, in a line."""
    result = _settings(card, card.unusual())
    return f"{'; '.join(result)}." if result else "Default settings."


def _twins(card: Card, other: Card) -> bool:
    """Whether only settings tell two cards apart."""
    names = (card.name(), card.source, card.slug, card.title)
    return names == (other.name(), other.source, other.slug, "")


def _settings(card: Card, values: Mapping[str, Any]) -> list[str]:
    labels = {field.name: field.metadata.get("label") or field.name for field in fields(card.result.method)}
    return [f"{labels.get(name, name)}: {_value(value)}" for name, value in values.items()]


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        rest = [f"{name} {_value(item)}" for name, item in value.items() if name != "name"]
        return f"{value.get('name', '')} {'(' + ', '.join(rest) + ')' if rest else ''}".strip()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return short(", ".join(map(str, value)), 60)
    return short(value, 40)
