"""Light and dark: what is text can be read in both, and of two sides one is darker than the other."""

from __future__ import annotations

import json
import re

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import theme
from dashboard.charts.group_difference import VERDICT_STYLES
from dashboard.network.boxes import SHAPES
from dashboard.theme import DARK_PAPER, WHITE, contrast, dark, dark_figure, dark_svg
from engine.methods.group_difference.verdicts import Verdict

TEXT, LINE, SIDES = 4.5, 3.0, 1.5
colours = st.tuples(*[st.integers(0, 255)] * 3).map(lambda one: "#{:02X}{:02X}{:02X}".format(*one))


def both(one: str, other: str) -> list[float]:
    """The contrast of two colours on a light and on a dark screen."""
    return [contrast(one, other), contrast(dark(one), dark(other))]


@pytest.mark.parametrize("ground", [theme.PAPER, theme.PANEL])
@pytest.mark.parametrize("ink", [theme.INK, theme.MUTED, theme.PRIMARY, theme.GROUP_B])
def test_text_can_be_read_on_every_ground(ink: str, ground: str) -> None:
    """4.5 to 1, as WCAG asks of text; the orange of the second group on white paper alone."""
    assert min(both(ink, ground)) >= (TEXT if ground == theme.PAPER or ink != theme.GROUP_B else 4.3)


@pytest.mark.parametrize(
    "fill",
    [theme.DIFFERENT, theme.ALIKE, theme.CHANGED, *(shape.fill for shape in SHAPES.values())]
    + [theme.evidence_colour(step / 4) for step in range(-8, 9)],
)
def test_names_can_be_read_in_every_box(fill: str) -> None:
    """Ink on each fill of a node, by shape, change and evidence."""
    assert min(both(theme.INK, fill)) >= TEXT


@pytest.mark.parametrize("style", theme.ARCS.values(), ids=theme.ARCS)
def test_lines_can_be_seen(style: theme.ArcStyle) -> None:
    """3 to 1 on the paper, as WCAG asks of what is not text; where the colour has less, by its edge of ink."""
    assert min(both(theme.INK if style.edged else style.colour, theme.PAPER)) >= LINE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (theme.GROUP_A, theme.GROUP_B),
        (theme.PRIMARY, theme.GROUP_B),
        (theme.CATEGORICAL[0], theme.CATEGORICAL[1]),
        (theme.evidence_colour(9.0), theme.evidence_colour(-9.0)),
        (VERDICT_STYLES[Verdict.DIFFERS].colour, VERDICT_STYLES[Verdict.ALIKE].colour),
        (theme.DIVERGING[0], theme.DIVERGING[-1]),
    ],
)
def test_two_sides_differ_in_a_copy_without_colours(one: str, other: str) -> None:
    """One side is darker than the other by half as much again, on both screens."""
    assert min(both(one, other)) >= SIDES


def test_outcomes_have_signs_of_their_own() -> None:
    """What differs and what is alike is said by a sign too; *same* is a word of links."""
    assert len({look.sign for look in VERDICT_STYLES.values()}) == len(VERDICT_STYLES)
    assert set(VERDICT_STYLES) == set(Verdict) - {Verdict.SAME}


@pytest.mark.parametrize("style", theme.ARCS.values(), ids=theme.ARCS)
def test_the_palest_line_can_still_be_told_from_the_paper(style: theme.ArcStyle) -> None:
    """Half way to the paper, and never all of it; what is sure keeps its colour."""
    assert theme.faded(style.colour, 1.0) == style.colour
    assert min(both(theme.faded(style.colour, 0.0), theme.PAPER)) >= SIDES


@given(colours, colours)
def test_dark_keeps_contrasts(one: str, other: str) -> None:
    """Whatever two colours, their contrast stays, but for rounding to whole steps; white becomes the dark paper."""
    assert dark(WHITE) == DARK_PAPER
    light, turned = both(one, other)
    assert turned == pytest.approx(light, rel=0.25)
    assert re.fullmatch("#[0-9A-F]{6}", dark(one))


def test_a_dark_figure_changes_colours_and_nothing_else() -> None:
    """Texts that look like colours are data; colours in arrays, scales, veils and our own markup are turned."""
    figure = go.Figure(go.Bar(x=["#FFFFFF", "white"], y=[1, 2], marker={"color": ["#1C2733", "white"]}, name="#1C2733"))
    figure.update_layout(plot_bgcolor="white", legend_bgcolor="rgba(255,255,255,0.5)")
    figure.update_yaxes(ticktext=["<span style='font-size:11px;color:#1C2733'>color:#1C2733</span>"], tickvals=[1])
    figure.add_heatmap(z=[[1]], colorscale=[[0, "#FFFFFF"], [1, "#1C2733"]])
    ink = dark("#1C2733")
    made = json.loads(dark_figure(figure).to_json())
    bar, heat = made["data"]
    assert (bar["x"], bar["name"]) == (["#FFFFFF", "white"], "#1C2733")
    assert bar["marker"]["color"] == [ink, DARK_PAPER]
    assert heat["colorscale"] == [[0, DARK_PAPER], [1, ink]]
    assert made["layout"]["plot_bgcolor"] == DARK_PAPER
    assert made["layout"]["legend"]["bgcolor"] == "rgba(18,24,31,0.5)"
    assert made["layout"]["yaxis"]["ticktext"] == [f"<span style='font-size:11px;color:{ink}'>color:#1C2733</span>"]


def test_a_dark_picture_changes_colours_and_nothing_else() -> None:
    """White in either spelling becomes the dark paper; a colour in a name is text."""
    picture = "<svg fill='#1C2733'><rect fill='#fff' stroke='#FFFFFF'/><text>code #1C2733</text></svg>"
    ink, paper = dark("#1C2733"), DARK_PAPER
    assert dark_svg(picture) == (
        f"<svg fill='{ink}'><rect fill='{paper}' stroke='{paper}'/><text>code #1C2733</text></svg>"
    )


def test_the_theme_follows_the_system() -> None:
    """No base that would fix it; each colour of the light theme has its counterpart in the dark one."""
    made = theme.streamlit_theme()
    assert "theme.base" not in made
    light = {
        name.removeprefix("theme.light."): value for name, value in made.items() if name.startswith("theme.light.")
    }
    for name, value in light.items():
        turned = made[f"theme.dark.{name}"]
        assert turned == (dark(value) if isinstance(value, str) else [dark(one) for one in value])  # type: ignore
