"""The parts of the associations page that can be looked at without a page."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import engine
import sample_data
from dashboard.views.log_linear import graph as picture
from dashboard.views.log_linear import stability
from dashboard.views.log_linear.clique import chosen_clique
from dashboard.views.log_linear.what_if import comparison_table, comparison_words, price_words, side_panels
from dashboard.views.shared.exports import script
from engine import words
from engine.methods.log_linear.demonstrations import blind_spot, coin, phantom_price
from engine.methods.log_linear.edge_tables import held_fast, parts_of
from engine.methods.log_linear.pair_evidence import held_fixed, in_order, strongest_link
from engine.methods.log_linear.power import level_table
from engine.methods.log_linear.result import LogLinearResult
from engine.methods.log_linear.settings import continue_from, demand_edge
from engine.telling.charts.recurrence import stability_figure
from engine.telling.log_linear.figures import (
    SHADES,
    link_worths,
    message_figure,
    mosaic_alt,
    mosaic_figure,
    shade,
    tiles,
    worth_alt,
    worth_figure,
)
from engine.telling.log_linear.power import odd_levels, power_sentence

HOSTILE = ["<b>a</b>", "![p](http://evil.example/p.png)", "observed", "</script>"]


@pytest.fixture(scope="module")
def survey() -> engine.Dataset:
    return sample_data.dataset("health_survey")


@pytest.fixture(scope="module")
def found(survey: engine.Dataset) -> LogLinearResult:
    """The model of the sample table."""
    return engine.LogLinear(joint=True).run(survey)


@pytest.fixture(scope="module")
def hostile() -> LogLinearResult:
    """Four variables with hostile names, one group of three among them."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 500)
    b, c = (np.where(rng.random(500) < 0.85, a, 1 - a) for _ in range(2))
    c = np.where(rng.random(500) < 0.3, b, c)
    codes = np.array([a, b, c, rng.integers(0, 2, 500)], dtype=np.uint8)
    return engine.LogLinear().run(engine.Dataset.from_codes(codes, [["<i>", "1"]] * 4, HOSTILE))


def test_strengths_are_the_present_evidence_strongest_first(found: LogLinearResult) -> None:
    """Bits of removal where the engine has them, those of entry where it does not."""
    strengths = {edge: one.strength for edge, one in found.edge_values.items()}
    assert list(strengths.values()) == sorted(strengths.values(), reverse=True)
    assert {frozenset(edge) for edge in strengths} == {frozenset(edge) for edge in found.graph.edges}
    for (a, b), bits in strengths.items():
        about = found.graph.edges[a, b]
        assert bits == (about["evidence_bits"] if about["removable"] else about["entry_bits"])


def test_the_reading_opens_on_the_link_that_is_named(found: LogLinearResult) -> None:
    """The clique in the spotlight holds the strongest link, and the sentence says where it shows and how much."""
    a, b = strongest_link(found)
    assert {a, b} <= set(chosen_clique(found))
    assert found.sentences()[0].startswith("Strongest: without this link the model fits worst (p\u00a0")
    said = found.headline()
    shares = re.search(rf"{b} = (.+) in .+ \((.+)\) where {a} = (.+), .+ \((.+)\) otherwise", said)
    level, here, where, elsewhere = shares.groups()
    counts = found.margin_of([found.position(a), found.position(b)]).dense(found.arity)
    i, j = found.levels[a].index(where), found.levels[b].index(level)
    rest = np.delete(counts, i, axis=0)
    assert here == f"{counts[i, j]:,} of {counts[i].sum():,}"
    assert elsewhere == f"{rest[:, j].sum():,} of {rest.sum():,}"


def test_what_the_rows_say_of_a_link(found: LogLinearResult) -> None:
    """Evidence words on the Bayes factor, p beside it, doubt where chance could show as much; no odds from bits."""
    for edge, one in found.supports.items():
        said = picture.evidence_words(found, edge)
        if edge in held_fixed(found):
            assert said == f"only with {', '.join(one.separator)} held fixed"
            continue
        assert said.startswith(words.evidence(one.log_bayes_factor, "it"))
        assert "p\u00a0=\u00a0." in said or "p\u00a0<\u00a0.001" in said
        assert ("no more than chance" in said) == (edge in found.doubtful_links())
        assert "to 1" not in picture.edge_words(found, *edge)
    table = picture.link_table(found)
    assert list(table.columns) == ["one", "another", "largest difference", "bits", "what the rows say", "groups"]
    rng = np.random.default_rng(4)
    free = engine.Dataset.from_codes(rng.integers(0, 2, (3, 200)).astype(np.uint8), [2] * 3, list("abc"))
    forced = engine.LogLinear(forced=(("a", "b"),)).run(free)
    assert "no more than chance" in picture.evidence_words(forced, ("a", "b"))
    square = [("a", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d")]
    given = engine.LogLinear(start=square).run(
        engine.Dataset.from_codes(rng.integers(0, 2, (4, 200)).astype(np.uint8), [2] * 4, list("abcd"))
    )
    assert picture.evidence_words(given, ("a", "b")) == "not asked"


def test_rows_needed_in_words() -> None:
    """A factor as a sentence, none as one too."""
    assert "about 5.0 times" in picture.rows_words(4.97)
    assert "about 78 times" in picture.rows_words(78.09)
    assert "no number" in picture.rows_words(math.inf)
    assert "no number" in picture.rows_words(math.nan, 0.0)
    assert "not known" in picture.rows_words(math.nan, 3.0)
    assert "not known" in picture.rows_words(pd.NA, 3.0)
    assert picture.rows_words(1.02).startswith("a few more rows")


def test_the_panel_holds_links_groups_and_no_lone_variable(
    found: LogLinearResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links that cannot go alone are dashed; outlines stand for groups of three and more, numbered as in the list."""
    apart = {name: (900.0 * math.cos(i), 900.0 * math.sin(i)) for i, name in enumerate(found.names)}
    monkeypatch.setattr(picture, "free_outlines", lambda groups, *_: groups)  # wherever boxes stand
    panel = picture.model_panel(found, list(found.edge_values), found.cliques[0], apart)
    held = {frozenset((edge.source, edge.target)) for edge in panel.edges if edge.status == "held"}
    assert held == {frozenset((a, b)) for a, b, about in found.graph.edges(data=True) if not about["removable"]}
    (apart_pair,) = held_fixed(found)  # is linked only with another held fixed, so no outline says that it is
    outlined = [one for one in found.cliques if len(one) > 2 and not set(apart_pair) <= set(one)]
    assert [group.members for group in panel.groups] == outlined
    assert [group.label for group in panel.groups] == ["1", "3", "4", "5", "6"]
    assert [group.chosen for group in panel.groups] == [True] + [False] * 4
    assert {node.name for node in panel.nodes if node.lit} == set(found.cliques[0])  # not who lies under the outline
    assert {node.name for node in panel.nodes} == set(found.names) - set(found.isolated)
    assert all(not edge.directed for edge in panel.edges)


def test_fewer_links_draw_fewer_variables_and_only_whole_groups(found: LogLinearResult) -> None:
    """The strongest links stay; a group is outlined while all its links are on screen."""
    edges = picture.strongest_edges(found, 5)
    assert edges == list(found.edge_values)[:5]
    panel = picture.model_panel(found, edges, None, picture.model_positions(found))
    assert {node.name for node in panel.nodes} == {name for edge in edges for name in edge}
    assert panel.groups == []
    assert "5 strongest of 24" in panel.subtitle


def test_widths_grow_with_bits(found: LogLinearResult) -> None:
    """The wider, the stronger; none vanishes."""
    width = picture.weights(found)
    values = list(width.values())
    assert values == sorted(values, reverse=True)
    assert min(values) > 0
    assert max(values) == 1


def test_tiles_have_areas_of_the_counts(found: LogLinearResult) -> None:
    """Without gaps in the last step: heights in a column add up to one, and widths stand in the counts' proportion."""
    table = found.residuals(found.cliques[0], ("age", "sex"))
    cells, spans = tiles(table, ["education", "age", "sex"], "observed")
    assert len(cells) == len(table)
    for left in {cell.left for cell in cells}:
        column = [cell for cell in cells if cell.left == left]
        assert sum(cell.high - cell.low for cell in column) == pytest.approx(1)
    gaps = table.assign(observed=[40, 0] * (len(table) // 2))
    heights = {gaps.at[cell.row, "observed"]: cell.high - cell.low for cell in tiles(gaps, ["sex"], "observed")[0]}
    assert heights[0] == 0 < heights[40], "no rows, no area: a line with its number"
    drawn = mosaic_figure(gaps, ["education", "age", "sex"])
    assert any(str(one.text).startswith("0") for one in drawn.layout.annotations)
    rows = {cell.row: cell for cell in cells}
    first = table[table["education"] == "basic"]
    for (_, one), (_, two) in zip(first.groupby("age"), list(first.groupby("age"))[1:], strict=False):
        widths = [rows[int(part.index[0])].right - rows[int(part.index[0])].left for part in (one, two)]
        counts = [int(part["observed"].sum()) for part in (one, two)]
        assert widths[0] / widths[1] == pytest.approx(counts[0] / counts[1])
    assert {span.level for span in spans if span.depth == 0} == {"basic", "middle", "higher"}


@pytest.mark.parametrize(
    ("residual", "words", "sign"),
    [
        (5.0, "far more", "++"),
        (3.0, "more", "+"),
        (0.0, "about as many", ""),
        (-3.0, "fewer", "−"),
        (-4.0, "far", "−\u2009−"),
    ],
)
def test_shades_say_the_same_thing_thrice(residual: float, words: str, sign: str) -> None:
    """Colour, pattern and sign; only fewer has a pattern."""
    one = shade(residual)
    assert words in one.words
    assert one.sign.strip() == sign
    assert bool(one.pattern) is ("−" in sign)
    assert len({one.colour for one in SHADES}) == len(SHADES)


def test_the_mosaic_names_every_count(found: LogLinearResult) -> None:
    """Each cell's exact count stands in it and in the hover."""
    table = found.residuals(found.cliques[0], ("age", "sex"))
    figure = mosaic_figure(table, ["education", "age", "sex"])
    texts = [text for bar in figure.data for text in bar.text]
    assert sorted(int(text.split()[0].replace(",", "")) for text in texts) == sorted(table["observed"])
    assert "expected" in mosaic_alt(table, ["education", "age", "sex"])
    named = {one.text: one for one in figure.layout.annotations}
    assert named["sex"].x < 0 and named["sex"].y == 1, "above its own levels, which stand on the left"
    assert named["education"].x == named["age"].x == 0.5 and named["education"].y < named["age"].y < 0


def test_hostile_names_stay_text_in_pictures(hostile: LogLinearResult) -> None:
    """No name reaches Plotly as markup; a variable called as a column of the table is not taken for it."""
    group = hostile.cliques[0]
    table = hostile.residuals(group, (group[0], group[1]))
    for figure in (mosaic_figure(table, list(group)), worth_figure(link_worths(hostile), 1)):
        shown = figure.to_json()
        assert "<b>a" not in shown
        assert "</script" not in shown
        assert "u003cb\\u003ea" not in shown.replace("&lt;b&gt;", "")
    assert len(tiles(table, list(group), table.columns[-5])[0]) == len(table)


def test_a_fine_table_is_shown_in_parts() -> None:
    """Outer variables are held until few enough cells are left; the part farthest off comes first."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (5, 4000)).astype(np.uint8)
    codes[1] = np.where(codes[2] == 0, codes[0], codes[1])
    data = engine.Dataset.from_codes(codes, [3] * 5, list("abcde"))
    forced = tuple((x, y) for i, x in enumerate("abcde") for y in "abcde"[i + 1 :])
    result = engine.LogLinear(forced=forced).run(data)
    table = result.residuals(tuple("abcde"), ("a", "b"))
    held, rest = held_fast(table, ["c", "d", "e", "a", "b"], 48)
    assert (held, rest) == (["c", "d"], ["e", "a", "b"])
    parts = parts_of(table, held)
    assert len(parts) == 9
    assert parts[0][0] == data.levels["c"][0]


def test_bars_rank_links_as_the_table_does(found: LogLinearResult, survey: engine.Dataset) -> None:
    """A bar a link: what the message grows by without it, as part of that of the strongest; later ones are pale."""
    links = link_worths(found)
    (bars,) = worth_figure(links, 2).data
    assert list(zip(links["a"], links["b"], strict=True)) == in_order(found)
    whole = found.message["total"]["this model"]
    free = links[links["worth"].notna()]
    without = [found.edited(survey, remove=[(row.a, row.b)]).message["total"] for row in free.itertuples()]
    grown = [message["this model"] - whole for message in without]
    assert list(free["worth"]) == pytest.approx([bits / max(grown) for bits in grown])
    assert [x for x, worth in zip(bars.x, links["worth"], strict=True) if worth == worth] == list(free["worth"])
    assert {text for text, worth in zip(bars.text, links["worth"], strict=True) if worth != worth} == {
        "cannot go alone"
    }
    assert [opacity == 1.0 for opacity in bars.marker.opacity] == [step <= 2 for step in links["step"]]
    assert sorted(links["step"]) == list(found.steps["step"])
    assert "(step 1)" in worth_alt(links) and "bits" not in str(worth_figure(links, 2).layout)


def test_many_links_have_no_names() -> None:
    """Beyond the rows that fit, links have no name; one that costs reaches below nothing."""
    rows = [("x", "y", 0.5 if step else -0.1, step, "") for step in range(60)]
    figure = worth_figure(pd.DataFrame(rows, columns=["a", "b", "worth", "step", "taken"]), 30)
    assert figure.layout.yaxis.ticktext is None and figure.layout.xaxis.range[0] < 0 > figure.data[0].x[0]


def test_message_parts_stack_to_the_total(found: LogLinearResult) -> None:
    """Three bars a model."""
    table = found.message.reset_index(drop=True)
    figure = message_figure(table, ["no links", "found"])
    assert sum(np.array(bar.x) for bar in figure.data) == pytest.approx(table["total"].to_numpy())


def test_upright_names_lie_beside_each_other_on_a_small_screen() -> None:
    """An eighth of the width a line, in the columns' order, and no two read alike."""
    levels = ("Did not apply to me at all", "Applied to me to some degree", "Applied to me a considerable degree")
    levels = (*levels, "Applied to me very much")
    cells = [(level, arm, n) for level, n in zip(levels, (30, 60, 6, 4), strict=True) for arm in "ab"]
    table = pd.DataFrame(cells, columns=["how often", "arm", "observed"]).assign(e=1.0, p=0.0, z=0.0, small=False)
    upright = [one for one in mosaic_figure(table, ["how often", "arm"]).layout.annotations if one.textangle == -90]
    rows = [one.text.count("<br>") + 1 for one in upright]
    assert rows == [2, 2, 1, 1] and len({one.text for one in upright}) == 4
    assert upright[2].text == "…a considerable degree", "what two begin with gives way"
    ends = [(one.x - row / 16, one.x + row / 16) for one, row in zip(upright, rows, strict=True)]
    assert all(right <= left + 1e-9 for (_, right), (left, _) in pairwise(ends)) and ends[-1][1] <= 1 + 1e-9


def test_a_label_without_room_is_joined_to_its_tile() -> None:
    """Three thin tiles above a high one; where all have room no line is drawn."""
    levels = ("never, not at all", "a few times a month", "several times a week", "every day of the week")
    cells = [(arm, level, n) for arm in "ab" for level, n in zip(levels, (90, 2, 2, 2), strict=True)]
    table = pd.DataFrame(cells, columns=["arm", "how often", "observed"]).assign(e=1.0, p=0.0, z=0.0, small=False)
    crowded = mosaic_figure(table, ["arm", "how often"]).layout
    joined = [(line.y1, line.y0) for line in crowded.shapes]
    assert [place for _, place in joined] == list(crowded.yaxis.tickvals) and len(joined) == 4
    assert sorted(joined) == joined and max(abs(tile - place) for tile, place in joined) > 0.05
    assert not mosaic_figure(table.assign(observed=20), ["arm", "how often"]).layout.shapes


def test_prices_in_words(found: LogLinearResult, survey: engine.Dataset) -> None:
    """Cost or saving, for or against, and the links that come along."""
    assert "Adding the link would **cost 22.8 bits**" in price_words(found.what_if(survey, "region", "checkup"))
    assert "Taking the link away would **cost" in price_words(found.what_if(survey, "age", "income"))
    price = found.what_if(survey, "age", "education")
    words = price_words(price)
    assert "does not go alone" in words
    assert " goes with it" in price_words(replace(price, fill_in=(("age", "sex"),)))
    assert " comes with it" in price_words(replace(price, action="add", fill_in=(("age", "sex"),)))


def test_a_demand_takes_the_place_of_its_opposite() -> None:
    """Forcing lifts a ban, forbidding lifts force and start; searching on lifts bans on what is there."""
    method = engine.LogLinear(forbidden=(("b", "a"),), forced=(("c", "d"),), start=(("c", "d"),))
    assert demand_edge(method, ("a", "b"), there=True).forbidden == ()
    assert demand_edge(method, ("a", "b"), there=True).forced == (("c", "d"), ("a", "b"))
    without = demand_edge(method, ("d", "c"), there=False)
    assert (without.forced, without.start) == ((), ())
    assert without.forbidden == (("b", "a"), ("d", "c"))


def test_searching_on_starts_from_the_links_by_hand(found: LogLinearResult, survey: engine.Dataset) -> None:
    """The start is the model by hand, and the search keeps it."""
    by_hand = found.edited(survey, add=[("region", "checkup")])
    method = continue_from(engine.LogLinear(forbidden=(("checkup", "region"),)), tuple(by_hand.edge_values))
    assert method.forbidden == ()
    assert method.run(survey).graph.has_edge("region", "checkup")
    gone = found.edited(survey, remove=[("diabetes", "checkup")])
    assert continue_from(engine.LogLinear(forced=(("checkup", "diabetes"),)), tuple(gone.edge_values)).forced == ()


def test_two_models_share_their_variables(found: LogLinearResult, survey: engine.Dataset) -> None:
    """Links of one only carry its status; both panels draw the same variables."""
    other = engine.LogLinear(criterion="smt").run(survey)
    here, there = side_panels(found, other, ("one", "two"))
    only = {frozenset((edge.source, edge.target)) for edge in here.edges if edge.status == "only_a"}
    assert only == {frozenset(("cholesterol", "diabetes"))}
    assert {edge.status for edge in there.edges} == {"same", "only_b"}
    assert [node.name for node in here.nodes] == [node.name for node in there.nodes]


def test_the_comparison_puts_differences_first(found: LogLinearResult, survey: engine.Dataset) -> None:
    """Words and table say who found what."""
    table = found.compare(engine.LogLinear(criterion="smt").run(survey))
    display = comparison_table(table, "MML", "SMT")
    assert set(display["found by"][:2]) == {"MML", "SMT"}
    assert set(display["found by"][2:]) == {"both"}
    assert "**23 links in both.** Only MML: cholesterol" in comparison_words(table, "MML", "SMT")
    assert "the same 24 links" in comparison_words(found.compare(found), "MML", "SMT")


def test_stability_in_words_and_rows() -> None:
    """Safe links counted, the least sure named, rivals outside the model mentioned."""
    rows = [("a", "b", 1.0, 0.97, 1.0, True), ("c", "d", 0.6, 0.4, 0.7, True), ("a", "d", 0.55, 0.4, 0.6, False)]
    table = pd.DataFrame(rows, columns=["a", "b", "share", "low", "high", "in_model"])
    words = stability.stability_words(table, 50)
    assert "1 of the 2 links come back in at least 90\u00a0% of 50 bootstrap samples" in words
    assert "c - d, 60\u00a0% (40\u00a0% to 70\u00a0%)" in words
    assert "1 link outside the model comes" in words
    assert len(stability_figure(stability.stability_rows(table)).data) == 2


def test_power_and_levels_before_running() -> None:
    """Too few rows are said to be too few; constant, unseen and many levels each have a sentence."""
    few = [(f"v{i}", ("1", "2"), np.array([2, 1])) for i in range(20)]
    assert "not even a perfect link" in power_sentence(few, 3)
    table = pd.DataFrame({"x": ["1", "2"] * 10, "same": ["k"] * 20, "wide": [str(i % 15) for i in range(20)]})
    kinds = dict.fromkeys(table, "nominal")
    data = engine.Dataset.from_frame(table, levels={"x": ["1", "2", "3"]}, kinds=kinds)
    said = " ".join(odd_levels(level_table(data)))
    assert "never linked: same" in said
    assert "dearer: x" in said
    assert "merging some: wide" in said


def test_the_three_experiments() -> None:
    """The paper's coin, a lamp that only two links at once find, a link that a phantom level hides."""
    tossed = coin(60)
    assert (tossed.by_share, tossed.exact) == (pytest.approx(97.095, abs=0.001), pytest.approx(93.473, abs=0.001))
    rows, single, both = blind_spot(10)
    assert (rows, tossed.share) == (320, 0.6)
    assert single == [("switch 1", "switch 2")]
    assert {frozenset(pair) for pair in both} == {
        frozenset(pair) for pair in (("switch 1", "switch 2"), ("switch 1", "lamp"), ("switch 2", "lamp"))
    }
    (rows, without), (_, phantom) = phantom_price(8, 0), phantom_price(8, 1)
    assert rows == 256
    assert without.saving_bits > 0 > phantom.saving_bits
    assert (without.degrees, phantom.degrees) == (4, 9)


def test_what_edges_are_worth_is_the_graphs(found: LogLinearResult) -> None:
    """Kept, not computed twice, and the same as stands on the edges of the graph."""
    assert found.edge_values is found.edge_values
    assert len(found.edge_values) == found.graph.number_of_edges()
    for (a, b), one in found.edge_values.items():
        for name, value in found.graph.edges[a, b].items():
            np.testing.assert_equal(getattr(one, name), value)


def test_the_script_repeats_the_analysis(found: LogLinearResult, survey: engine.Dataset) -> None:
    """The settings and the engine's call stand in it."""
    source = script(found.method, survey, {}, "result.table('Edges')")
    assert "engine.LogLinear(joint=True)" in source
    assert "result.table('Edges')" in source


def test_notes_of_links_stand_in_the_table_and_the_sentence() -> None:
    """Columns of which each row has one; nothing is added where there are none."""
    arm = np.random.default_rng(0).integers(0, 3, 600)
    data = engine.Dataset.from_codes(
        np.array([arm == 0, arm == 1], dtype=int), [("no", "yes")] * 2, ["placebo", "drug"]
    )
    result = engine.LogLinear().run(data)
    note = "no row has both: cannot placebo and drug both be yes by construction?"
    assert picture.link_table(result).note.tolist() == [f"N{note[1:]}"]
    assert any(note in sentence for sentence in result.sentences())


def test_too_few_subjects_are_said_at_every_link() -> None:
    """No evidence and no p."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, 400)
    codes = np.array([x, np.where(rng.random(400) < 0.9, x, 1 - x), np.arange(400) % 4])
    data = engine.Dataset.from_codes(codes, [2, 2, 4], ["x", "y", "ward"], roles={"ward": "subject"})
    result = engine.LogLinear().run(data)
    assert picture.evidence_words(result, ("x", "y")) == "not judged: too few subjects"
    assert "4 wards" in result.headline()
