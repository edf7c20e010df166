"""How each kind of arc is drawn: colour and dash say the same thing twice, so no meaning rests on colour alone."""

from __future__ import annotations

from dataclasses import dataclass

INK, MUTED = "#1C2733", "#5B6770"


@dataclass(frozen=True)
class ArcStyle:
    """Colour and dash of one kind of arc, and what a legend calls it.

    `words` may name `{a}` and `{b}`, the titles of the two networks that are compared.
    """

    colour: str
    dash: tuple[int, ...]
    words: str


STYLES: dict[str, ArcStyle] = {
    "same": ArcStyle(MUTED, (), "in both"),
    "only_a": ArcStyle("#00507F", (9, 5), "only in {a}"),
    "only_b": ArcStyle("#2C7A6B", (2, 4), "only in {b}"),
    "reversed": ArcStyle("#8E3A76", (11, 4, 2, 4), "runs the other way in the other network"),
    "neither": ArcStyle("#7A6A00", (3, 7), "in neither of the two"),
    "unclear": ArcStyle("#6B7780", (6, 6), "not clear whether in both"),
    "kept": ArcStyle(MUTED, (), "holds for this patient too"),
    "dropped": ArcStyle("#C02B2B", (9, 6), "does not apply to this patient"),
    "added": ArcStyle("#00805A", (2, 4), "only for this patient"),
    "turned": ArcStyle("#B87400", (11, 4, 2, 4), "turned round for this patient"),
    "linked": ArcStyle("#4D6A80", (), "a link"),
    "positive": ArcStyle("#17557E", (), "+  one rises with the other"),
    "negative": ArcStyle("#A3195B", (9, 5), "−  one falls as the other rises"),
    "differs": ArcStyle("#DD8432", (), "a difference beyond chance"),
    "differs_undrawn": ArcStyle("#DD8432", (8, 5), "a difference beyond chance, in neither network"),
    "unseen": ArcStyle("#87919A", (), "no difference beyond chance"),
    "shared": ArcStyle(MUTED, (), "in {a} as well"),
    "beside": ArcStyle("#00805A", (2, 4), "not in {a}"),
    "more_neither": ArcStyle(MUTED, (), "no clear difference in size"),
    "more_a": ArcStyle("#00507F", (9, 5), "shifts more in {a}"),
    "more_b": ArcStyle("#2C7A6B", (2, 4), "shifts more in {b}"),
    "more_unknown": ArcStyle("#6B7780", (6, 6), "size of the shift not known"),
    "plain": ArcStyle(MUTED, (), "an arc"),
}
"""Status of an arc -> its style, in the order in which legends name them. The hues are those of Okabe and Ito's
palette, darkened where thin lines need contrast on white; of two sides one is darker, for copies in grey."""
