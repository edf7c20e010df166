"""Which of two levels one speaks of."""

from engine.data.spoken_levels import says_yes, spoken_level


def test_yes_is_spoken_of_wherever_it_stands_and_else_the_second() -> None:
    assert [spoken_level(levels) for levels in (("no", "yes"), ("ja", "nein"), ("0", "1"), ("died", "lived"))] == [
        1, 0, 1, 1,
    ]  # fmt: skip
    assert spoken_level(("a", "b", "c")) is None and says_yes(("died", "lived")) is None
