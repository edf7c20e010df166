"""The chart of a comparison: what stands in it is what the table says."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
import sample_data
from engine.comparison.result import ComparisonResult
from engine.comparison.scales import SCALES
from engine.errors import DataError
from engine.telling.comparison.figures import links_figure


@cache
def boredom(method: type[Any]) -> ComparisonResult:
    """Both languages, by associations or ordinal networks."""
    parts = list(engine.by_group(sample_data.dataset("boredom"), "language").values())
    answers = [method().run(part) for part in parts]
    return engine.compare(*answers, data=parts)


@pytest.mark.parametrize("method", [engine.LogLinear, engine.Ordinal])
def test_every_point_is_a_number_of_the_table(method: type[Any]) -> None:
    """Estimates, ends and differences of each link stand at its row; filled where it differs."""
    found = boredom(method)
    rows, figure = found.drawn_links(), found.plot_links()
    for row, about in enumerate(rows.itertuples()):
        seen: dict[str, tuple[float, float, float]] = {}
        for trace in figure.data:
            for x, y, link, up, down in zip(
                trace.x, trace.y, trace.customdata, trace.error_x.array, trace.error_x.arrayminus, strict=True
            ):
                if tuple(link) == (about.source, about.target):
                    assert abs(y - row) < 0.5
                    seen[trace.name] = (x, x - down, x + up)
        assert seen["en"] == pytest.approx((about.a, about.a_low, about.a_high))
        assert seen["fr"] == pytest.approx((about.b, about.b_low, about.b_high))
        assert seen["difference"] == pytest.approx((about.difference, about.low, about.high))
    filled = [trace for trace in figure.data if trace.name == "difference" and trace.marker.color == "#DD8432"]
    assert sum(len(trace.x) for trace in filled) == int((rows["what"] != "").sum())


def test_links_are_shown_in_the_order_asked_for() -> None:
    """Also pairs that no network has; either way round."""
    found = boredom(engine.LogLinear)
    asked = [("sit_around", "loose_ends"), ("repetitive", "motivated")]
    figure = found.plot_links(links=asked, selected=("loose_ends", "sit_around"))
    names = [one.text for one in figure.layout.annotations if one.x == 0.0 and one.hovertext]
    assert [set(name.split(" – ")) for name in names] == [set(link) for link in asked]
    assert any(shape.line.width == 1.5 for shape in figure.layout.shapes)


def test_a_group_that_is_not_there_is_refused() -> None:
    """With the groups that there are."""
    with pytest.raises(DataError, match="There is no group 'de'; there are 'en', 'fr'"):
        boredom(engine.LogLinear).plot_links(groups=("en", "de"))


def test_odds_ratios_have_their_unit_among_other_scales() -> None:
    """'OR 0.22' and 'OR × 0.50' beside SDs; alone they stand as they are, below a head that names them."""
    columns = {"source": "a", "target": "b", "group_a": "x", "group_b": "y", "levels": "", "what": "", "word": ""}
    numbers = dict.fromkeys(("a_low", "b_low", "low"), -2.0) | dict.fromkeys(("a_high", "b_high", "high"), 1.0)
    row = columns | numbers | {"a": -1.5, "b": -2.2, "difference": -0.7, "p": 0.5, "probability": 0.1}
    row |= {"log_bayes_factor": 0.0, "scale": "odds", "source_up": "male", "target_up": "yes"}

    def texts(*scales: str) -> list[str]:
        rows = pd.DataFrame([row | {"scale": scale} for scale in scales])
        chart = links_figure(rows, SCALES["mixed" if len(set(scales)) > 1 else "odds"], (0, 1))
        return [one.text.replace("\u00a0", " ") for one in chart.layout.annotations]

    assert {"a = male – b", "OR 0.22", "OR 0.11", "OR × 0.50", "−1.50 SD"} <= set(texts("odds", "means"))
    assert {"0.22", "× 0.50"} <= set(texts("odds")) and not any("OR" in text for text in texts("odds"))


def test_hostile_names_are_no_markup() -> None:
    """Names, levels and groups with tags are escaped everywhere in the chart."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (3, 300))
    codes[1] = np.where(rng.random(300) < 0.7, codes[0], codes[1])
    codes[2] %= 2
    bad = "<img src=x onerror=alert(1)>"
    levels = [[f"{bad}{i}" for i in range(3)], [f"{bad}{i}" for i in range(3)], [f"{bad}a", f"{bad}b"]]
    data = engine.Dataset.from_codes(codes, levels, [f"{bad}1", f"{bad}2", f"{bad}3"])
    parts = list(engine.by_group(data, f"{bad}3").values())
    found = engine.compare(*(engine.LogLinear().run(part) for part in parts), data=parts)
    document = json.loads(found.plot_links().to_json())
    shown = [one["text"] for one in document["layout"]["annotations"]]
    shown += [text for trace in document["data"] for text in trace["hovertext"]]
    shown += [trace["name"] for trace in document["data"]]
    assert not [text for text in shown if "<img" in text]


def test_a_comparison_is_drawn_as_two_networks_and_their_difference() -> None:
    """Side by side on one layout, whether links were tested or structures alone are compared."""
    tested = boredom(engine.LogLinear)
    titles = [item.text.split("</b>")[0].removeprefix("<b>") for item in tested.plot().layout.annotations]
    assert titles == [*tested.labels, "Difference"]
    assert list(tested.figures()) == ["networks", "links"]
    bare = engine.compare(*tested.answers)
    titles = [item.text.split("</b>")[0].removeprefix("<b>") for item in bare.plot().layout.annotations]
    assert titles == [*bare.labels, "Difference"]
    assert list(bare.figures()) == ["networks"]
