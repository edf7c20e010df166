"""Items that are keyed the other way round: found by their own scale, turned only when asked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
import sample_data
from engine.data.preparing.deciding.decision import Decision
from engine.data.preparing.deciding.reversed_items import REVERSED_ITEMS

AGREE = ["strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree"]


def scale(
    stem: str, items: int, backwards: tuple[int, ...] = (), *, words: bool = True, seed: int = 1, loading: float = 0.7
) -> dict[str, list[object]]:
    """Items of one trait with these numbers keyed the other way round."""
    generator = np.random.default_rng(seed)
    trait = generator.standard_normal(300)
    result: dict[str, list[object]] = {}
    for i in range(1, items + 1):
        noise = generator.standard_normal(300) * np.sqrt(1 - loading**2)
        value = (-1 if i in backwards else 1) * loading * trait + noise
        codes = np.digitize(value, [-1.2, -0.4, 0.4, 1.2])
        result[f"{stem}{i}"] = [AGREE[code] if words else int(code) + 1 for code in codes]
    return result


def cards(table: pd.DataFrame, recipe: engine.Recipe | None = None) -> list[Decision]:
    """Those about reversed items."""
    return [card for card in engine.decisions(table, recipe or engine.Recipe()) if card.kind == REVERSED_ITEMS]


@pytest.mark.parametrize("words", [True, False])
def test_items_against_their_scale_are_one_card_with_evidence(words: bool) -> None:
    """One card a scale, of its own items only; words and numbers; a gap in the rows does not hide it."""
    frame = pd.DataFrame({**scale("ext_", 8, (2, 5), words=words), **scale("neu_", 6, words=words, seed=2)})
    frame.loc[:20, "ext_2"] = None
    (card,) = cards(frame)
    assert card.columns == ("ext_2", "ext_5")
    assert card.sentence == "'ext_2' and 'ext_5' run against the others of their scale: flip them?"
    assert card.why.startswith("Rank correlation with the sum of the others: ext_2 −0.")
    assert [option.key for option in card.options if option.now] == ["leave"]


def test_a_flip_turns_the_levels_and_can_be_taken_back() -> None:
    """Nothing is turned unasked; afterwards all items of the scale go together, and new rows are coded alike."""
    frame = pd.DataFrame(scale("ext_", 6, (3,)))
    assert engine.Dataset.from_frame(frame).levels["ext_3"] == tuple(AGREE)
    (card,) = cards(frame)
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("flip")))
    data = recipe.apply(frame)
    assert data.levels["ext_3"] == tuple(reversed(AGREE))
    assert (np.corrcoef(data.codes.astype(float)) > 0).all()
    (again,) = cards(frame, recipe)
    assert (again.key, again.why) == (card.key, card.why)
    assert [option.key for option in again.options if option.now] == ["flip"]
    left = engine.settle(recipe, again, again.option("leave"))
    assert not left.get("levels")
    assert not left.get("kinds")
    by_hand = engine.Recipe(levels={"ext_3": list(reversed(AGREE))}, kinds={"ext_3": "ordinal"})
    assert cards(frame, by_hand) == []


def noise_and_its_sum() -> dict[str, list[object]]:
    """Items that have nothing in common but one that is made of all the others."""
    values = np.random.default_rng(4).standard_normal((5, 300))
    items = [*values, -values.sum(axis=0) / 5**0.5]
    return {f"q{i}": list(np.digitize(item, [-0.8, 0.0, 0.8]) + 1) for i, item in enumerate(items, 1)}


def against_some() -> dict[str, list[object]]:
    """The last item goes against seven others and with two."""
    first, second, *rest = np.random.default_rng(5).standard_normal((12, 300))
    items = [0.8 * first + 0.6 * noise for noise in rest[:7]]
    items += [0.4 * first + 0.9 * second + 0.3 * noise for noise in rest[7:9]]
    items.append(-0.8 * first + 0.9 * second)
    return {f"q{i}": list(np.digitize(item, [-0.8, 0.0, 0.8]) + 1) for i, item in enumerate(items, 1)}


@pytest.mark.parametrize(
    "columns",
    [
        noise_and_its_sum(),
        against_some(),
        scale("ext_", 6),
        scale("ext_", 6, (1, 2, 3)),
        scale("ext_", 3, (1,)),
        scale("ext_", 8, (2,), loading=0.1),
        {**scale("ext_", 3), **scale("neu_", 3, (1, 2, 3), seed=1)},
    ],
    ids=["noise and its sum", "against some", "none", "half of them", "too few items", "no scale", "another scale"],
)
def test_no_card_where_nobody_can_say_that_an_item_is_turned(columns: dict[str, list[object]]) -> None:
    """A balanced scale, a short one, items that have little in common, two traits that go against each other."""
    assert cards(pd.DataFrame(columns)) == []


@pytest.mark.parametrize("key", sample_data.CATALOG)
def test_no_sample_has_a_false_card(key: str) -> None:
    """Also with the kinds that its dictionary gives."""
    table, data = sample_data.load(key), sample_data.dataset(key)
    levels = {name: data.levels[name] for name in data.names if data.kinds[name] != "continuous"}
    assert cards(table) == []
    assert cards(table, engine.Recipe(kinds=data.kinds, levels=levels)) == []
