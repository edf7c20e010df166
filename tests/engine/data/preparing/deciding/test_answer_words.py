"""Columns that share a vocabulary of no known scale: one card, a likely order, and any other that the user gives."""

from __future__ import annotations

import numpy as np
import pandas as pd

import engine
from engine.data.preparing.deciding.answer_words import ANSWER_WORDS, in_order
from engine.data.preparing.deciding.decision import Decision

STEPS = (
    "Doesn't describe me",
    "Describes me slightly",
    "Describes me fairly well",
    "Describes me very well",
    "Describes me perfectly",
)


def table(columns: int = 4, words: tuple[str, ...] = STEPS, **more: object) -> pd.DataFrame:
    """Items that answer with these words, the first one without the last of them."""
    generator = np.random.default_rng(1)
    items = {f"q{i}": generator.choice(words[: len(words) - (i == 0)], 120) for i in range(columns)}
    return pd.DataFrame({**items, **more})


def cards(frame: pd.DataFrame, recipe: engine.Recipe | None = None) -> list[Decision]:
    """Those about answers in words."""
    found = engine.decisions(frame, recipe or engine.Recipe())
    return [card for card in found if card.kind == ANSWER_WORDS]


def test_one_card_for_all_columns_that_share_a_vocabulary() -> None:
    """Also for one in which a word was never given; not for another vocabulary, nor for columns of a few words."""
    other = np.random.default_rng(2).choice(["x", "y", "z"], 120)
    (card,) = cards(table(4, site=other))
    assert card.columns == ("q0", "q1", "q2", "q3")
    assert card.sentence == "4 columns answer with the same 5 words: are they steps?"
    assert card.option("steps").effect.startswith("Doesn't describe me < Describes me slightly < Describes me fairly")
    assert cards(table(2)) == []
    assert cards(table(4, ("No", "no", "Yes", "yes"))) == []


def test_an_order_serves_all_columns_and_can_be_taken_back() -> None:
    """In the order given; the card stays among those settled, with that order; what is taken back leaves nothing."""
    frame, backwards = table(), list(reversed(STEPS))
    (card,) = cards(frame)
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, in_order(card.option("steps"), backwards)))
    data = recipe.apply(frame)
    assert set(data.kinds.values()) == {"ordinal"}
    assert data.levels["q1"] == tuple(backwards)
    assert data.levels["q0"] == tuple(backwards[1:])
    (again,) = cards(frame, recipe)
    assert again.key in recipe.settled
    assert [option.now for option in again.options] == [True, False]
    left = engine.settle(recipe, again, again.option("names"))
    assert not left.get("levels")
    assert not left.get("kinds")
