"""Pictures of class networks hold the numbers of the result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.methods.discriminative.result import DiscriminativeResult
from engine.telling.charts.colours import DIVERGING
from engine.telling.discriminative.families import against_control, apart, family_sentence, family_tables
from engine.telling.discriminative.figures import (
    configurations,
    links_figure,
    name_axes,
    points_figure,
    pushes_figure,
    tables_alt,
    tables_figure,
)
from engine.words import in_percent
from tests.engine.methods.discriminative.make import METHOD, dataset, row_frame, series_frame

BAD = "<b>v0</b>"


@pytest.fixture(scope="module")
def found() -> DiscriminativeResult:
    """Series whose first variable has a hostile name."""
    frame = series_frame().rename(columns={"v0": BAD})
    return replace(METHOD, shuffles=19).run(dataset(frame))


def test_tables_of_a_family_are_drawn_with_their_numbers(found: DiscriminativeResult) -> None:
    """Three heat maps whose texts are the shares, no name as markup."""
    table = found.cpt("ill", "v1")
    figure = tables_figure(table, "ill", "well", "v1 (t+1)")
    assert len(figure.data) == 3
    assert configurations(table, "v1 (t+1)") == 3
    first = table.iloc[0]
    assert figure.data[0].text[0][0].startswith(f"{in_percent(first['share ill'])}")
    assert figure.data[2].text[0][0] == f"{100 * first['difference']:+.0f}"
    assert [figure.data[2].colorscale[place][1] for place in (0, -1)] == [DIVERGING[0], DIVERGING[-1]]
    assert "percentage points" in tables_alt(table, "ill", "well")
    near = table.assign(**{"share ill": 0.766, "share well": 0.734, "difference": 0.032})
    (text,) = {text for row in tables_figure(near, "ill", "well", "v1 (t+1)").data[2].text for text in row}
    assert text == "+4", "77 % and 73 % stand beside it"
    assert "<b>" not in figure.layout.yaxis2.title.text
    domains = [figure.layout[f"yaxis{trace.yaxis[1:]}"].domain for trace in figure.data]
    assert domains[2] > domains[0] > domains[1], "of three levels one below another, the difference first"
    alone = found.families()
    alone = alone[alone["parents"].map(len) == 0]
    if len(alone):
        one = alone.iloc[0]
        tables_figure(found.cpt(one["network"], one["child"]), "ill", "well", f"{one['child']} (t+1)")


def test_points_and_boundary_are_those_of_the_result(found: DiscriminativeResult) -> None:
    """Held out filled, learned from hollow; on the dotted line the score is 0."""
    held, learned = found.held_out, found.learned[0]
    figure = name_axes(points_figure(held, found.likelihoods, 0, "s03", learned.boundary), "ill", "well", series=True)
    assert len(figure.data) == 5
    filled = [trace for trace in figure.data if trace.name.endswith("held out")]
    assert sum(len(trace.x) for trace in filled) == 12
    place = filled[0].customdata.index(held.ids.index("s03"))
    out = held.likelihoods.mean(axis=0)[held.ids.index("s03"), 0]
    assert filled[0].y[place] == pytest.approx(out[1] - out[0])
    line = figure.data[-1]
    for middle, gap in zip(line.x, line.y, strict=True):
        own, others = middle + gap / 2, middle - gap / 2
        assert learned.boundary @ np.array([1.0, own, others]) == pytest.approx(0, abs=1e-9)


def test_pushes_sum_to_the_score(found: DiscriminativeResult) -> None:
    """Bars and the score below them, with room for the numbers beside the longest; no name as markup."""
    row = found.predict(dataset(series_frame().rename(columns={"v0": BAD}))).iloc[3]
    figure = pushes_figure(row, ("ill", "well"))
    bars = figure.data[0]
    assert sum(bars.x[:-1]) == pytest.approx(bars.x[-1])
    assert bars.x[-1] == pytest.approx(row["score"])
    assert figure.layout.xaxis.range[1] == pytest.approx(1.8 * max(map(abs, bars.x)))
    assert "<b>" not in "".join(pushes_figure(row, (BAD, "well")).layout.yaxis.ticktext)


def test_of_many_variables_the_links_are_a_heat_map(found: DiscriminativeResult) -> None:
    """A number a link, of the network where it is worth most; no name as markup, and none longer than 22 letters."""
    ranked = found.families()
    ranked = ranked[ranked["parents"].map(len) > 0]
    figure = links_figure(ranked)
    heat = figure.data[0]
    assert heat.z[0][0] == pytest.approx(ranked["gain"].iloc[0])
    pairs = {(parent, row.child) for row in ranked.itertuples() for parent in row.parents}
    assert int(np.isfinite(heat.z).sum()) == len(pairs)
    assert "<b>v0" not in str(heat.hovertext)
    long = ranked.assign(child=["v" * 30] * len(ranked))
    assert {len(name) for name in links_figure(long).layout.xaxis.ticktext} == {22}


def test_a_control_is_what_is_subtracted_in_the_tables_of_a_family() -> None:
    """'no' reads as a control, whichever class the network is of."""
    frame = row_frame(300).replace({"class": {"ill": "yes", "well": "no"}})
    found = METHOD.run(engine.Dataset.from_frame(frame))
    for _, row in found.families().iterrows():
        table, one, base = family_tables(found, row)
        assert (one, base) == ("class = yes", "class = no")
        np.testing.assert_allclose(table["difference"], table["share class = yes"] - table["share class = no"])
        assert (
            "common with class = yes than with class = no" in family_sentence(row, apart(found, row))
            or not row["where"]
        )


def test_where_neither_class_is_a_control_the_first_is_subtracted() -> None:
    """As on the page of group differences, and whichever class the network is of."""
    assert against_control(("male", "female"), ("male", "female")) == (("female", "male"), -1)
    assert against_control(("female", "male"), ("male", "female")) == (("female", "male"), 1)
    assert against_control(("not mild", "mild"), ("mild", "moderate", "severe")) == (("mild", "not mild"), -1)
