"""The order of answers by the words in them that say how much."""

from __future__ import annotations

import pytest

from engine.data.preparing.strengths import are_ranked, likely_order


@pytest.mark.parametrize(
    ("words", "order"),
    [
        (("sehr", "gar nicht", "etwas", "ziemlich"), ["gar nicht", "etwas", "ziemlich", "sehr"]),
        (("a lot", "no", "a little"), ["no", "a little", "a lot"]),
        (("applies fully", "applies a little", "applies not at all"), [2, 1, 0]),
        (("blue", "green", "red"), ["blue", "green", "red"]),
    ],
)
def test_the_likely_order_goes_by_the_words_that_say_how_much(words: tuple[str, ...], order: list[object]) -> None:
    """And by the alphabet where they say nothing."""
    assert likely_order(words) == [words[item] if isinstance(item, int) else item for item in order]


def test_one_silent_answer_leaves_the_order_open() -> None:
    """An answer that says nothing of how much has no place among the others."""
    assert are_ranked(["did not apply at all", "applied to some degree", "applied very much"])
    assert not are_ranked(["did not apply at all", "applied", "applied very much"])
    assert not are_ranked(["a little", "some", "very much"])
