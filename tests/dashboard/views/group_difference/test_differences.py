"""Which variables differ, as bars, boxes, lines and words: what must not be confused looks different."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.charts.group_difference import (
    OVERALL,
    SELECTED,
    VERDICT_STYLES,
    arms_display,
    arms_tinted,
    by_probability,
    called_words,
    end_of_scale,
    interval_note,
    number_words,
    odds_display,
    outcome_words,
    tinted,
    variables_display,
    verdict_colours,
    verdict_mark,
)
from dashboard.network.panel import Edge, of_share
from dashboard.views.group_difference.networks import (
    CHOICES,
    MARKED,
    STATUS,
    chosen_panels,
    difference_panel,
    panels,
    verdict_legend,
)
from engine.methods.group_difference.verdicts import ALL_ROWS, Alone, Verdict
from engine.telling.group_difference.figures import (
    MOST_CONTEXTS,
    contexts_figure,
    distribution_figure,
    draw_distributions,
    reading_figure,
    shares_of,
)
from engine.telling.group_difference.one_variable import (
    above_lowest,
    apart_words,
    means_left_out,
    verdict_words,
    without_means,
)
from engine.telling.group_difference.tables import told_in_one_word
from engine.telling.terms import SHOWN
from engine.words import NO_BREAK, in_percent, probability, with_sign, with_unit
from sample_data.catalog import dataset
from tests.engine.make import trial, two_groups


@pytest.fixture(scope="module")
def result() -> Any:
    """A comparison with variables that differ and others that do not, and links of every kind."""
    found = engine.GroupDifference(group="group").run(two_groups(400, 6, 9, seed=3, changed=True))
    assert {"differs", "no difference seen"} <= set(found.variables()["verdict"])
    return found


@pytest.fixture(scope="module")
def hospitals() -> Any:
    """The worked example: one variable differs, in one of its six contexts."""
    return engine.GroupDifference(group="hospital").run(dataset("two_hospitals"))


def inconclusive_survey() -> Any:
    """A comparison of more variables than boxes have words for, some of them inconclusive."""
    return engine.GroupDifference(group="group").run(two_groups(60, 14, 9, seed=3, changed=True))


def told(verdict: str, alone: str = Alone.NOT_SEEN, rows: float = float("nan")) -> pd.Series:
    """A row of `variables` as far as words go."""
    return pd.Series({"verdict": verdict, "alone": str(alone), "rows_needed": rows, "found": "", "what": ""})


@pytest.mark.parametrize("verdict", VERDICT_STYLES)
def test_every_verdict_has_a_look_and_its_own_words(verdict: Verdict) -> None:
    """No verdict has the sign of another, and no two that are coloured share a colour; its words are the engine's."""
    looks = list(VERDICT_STYLES.values())
    assert len({one.sign for one in looks}) == len(looks)
    assert set(VERDICT_STYLES) == set(Verdict) - {Verdict.SAME}, "which is a word of links"
    assert len({VERDICT_STYLES[one].colour for one in MARKED}) == len(MARKED)
    brief_words = verdict_words(verdict, 0.1).removesuffix(f", ±10{NO_BREAK}pp")
    assert outcome_words(told(verdict), 0.1) == brief_words


def test_what_differs_through_others_is_no_second_verdict() -> None:
    """The verdict stays the first word; what would tell, or what the variable shows on its own, stands behind it."""
    words = outcome_words(told(Verdict.CANNOT_TELL, Alone.THROUGH_OTHERS), 0.1)
    assert words == "adjusted, inconclusive; differs overall"
    assert (
        outcome_words(told(Verdict.CANNOT_TELL, rows=1200.0), 0.1) == f"inconclusive (10{NO_BREAK}pp: 1,200 rows each)"
    )


def read(result: Any, name: str) -> Any:
    """The picture of one variable, of the level that differs most."""
    place = result.where(name)
    level = place.level if place else result.levels[name][-1]
    return reading_figure(result.differences(name), shares_of(result, name, level), result.labels, result.names)


def test_bars_hold_the_shares_of_the_context_that_decides(hospitals: Any) -> None:
    """A bar a group with its share and counts; below, a filled circle and a hollow square in every other context."""
    place = hospitals.where("early_antibiotics")
    figure = read(hospitals, "early_antibiotics")
    bars = [one for one in figure.data if one.type == "bar"]
    assert [one.x[0] for one in bars] == pytest.approx(
        [1.0, place.hits[0] / place.n[0], 1.0, place.hits[1] / place.n[1]]
    )
    written = [one.text for one in figure.layout.annotations]
    assert {"<b>76\u00a0%</b>", "<b>33\u00a0%</b>", "59 of 78", "30 of 92"} <= set(written)
    circles, squares = [one for one in figure.data if one.type == "scatter"]
    others = hospitals.differences("early_antibiotics").iloc[1:]
    assert len(circles.x) == len(squares.x) == len(others)
    assert set(circles.marker.symbol) == {"circle"} and set(squares.marker.symbol) == {"square-open"}
    apart = [b - a for a, b in zip(circles.x, squares.x, strict=True)]
    assert apart == pytest.approx(list(others["difference"]))
    rows = figure.layout.yaxis.ticktext
    assert rows[:2] == ("<b>North</b>", "<b>South</b>") and rows[-1] == "all rows" and rows[2] == "severe, day"


def test_few_rows_are_hollow_and_said(result: Any) -> None:
    """Under ten rows of a group the mark is hollow, and a word says so."""
    differences = pd.DataFrame({"context": ["a = 1", ALL_ROWS]})
    counts = {("a = 1", "a"): (3, 4), ("a = 1", "b"): (2, 8), (ALL_ROWS, "a"): (5, 9), (ALL_ROWS, "b"): (30, 90)}
    rows = [(context, group, k, n, k / n) for (context, group), (k, n) in counts.items()]
    shares = pd.DataFrame(rows, columns=["context", "group", "count", "n", "share"])
    figure = reading_figure(differences, shares, ("a", "b"), ("a",))
    circles, _ = [one for one in figure.data if one.type == "scatter"]
    assert list(circles.marker.symbol) == ["circle-open"]
    written = " ".join(one.text for one in figure.layout.annotations)
    assert "3 of 4<br>fewer than 10" in written and "9, 90 few" in written


def test_names_of_a_table_are_no_markup() -> None:
    """A variable, a level and a group that are HTML arrive as letters in labels, tips and contexts."""
    data = two_groups(300, 3, 3, seed=3, changed=True)
    wild = "<b onclick=x>v</b>"
    names = [wild, *data.names[1:]]
    levels = [
        ["<i>a</i>", *map(str, range(1, len(data.levels[n])))] if i == 0 else data.levels[n]
        for i, n in enumerate(data.names)
    ]
    found = engine.GroupDifference(group="group").run(engine.Dataset.from_codes(data.codes, levels, names))
    name = found.names[-1]
    differences = found.differences(name).assign(context=lambda table: [wild, *table["context"][1:]])
    shares = shares_of(found, name, found.levels[name][-1])
    shares["context"] = shares["context"].replace(found.differences(name)["context"][0], wild)
    drawn = reading_figure(differences, shares, found.labels, found.names).to_json()
    assert "<b onclick" not in drawn and "<u>" not in drawn
    renamed = shares.assign(group=shares["group"].replace(found.labels[0], "<u>1</u>"))
    shown = reading_figure(differences, renamed, ("<u>1</u>", found.labels[1]), found.names).to_json()
    assert "<b onclick" not in shown and "<u>" not in shown


def test_tables_have_every_number_under_a_heading(result: Any) -> None:
    """One row a variable, one verdict each; the verdict's and the odds' tables share nothing but the name."""
    found = result.variables()
    one, other = variables_display(found, 0.1, "b − a"), odds_display(result.ranking())
    assert list(one["variable"]) == list(found.index) and list(one["unit or level"]) == list(found["level"])
    assert list(one["A"]) == list(found["first"]) and one["A"].str.fullmatch(r"[\d,]+ \(\d+.?%\)").all()
    for shown, (_, row) in zip(one["verdict"], found.iterrows(), strict=True):
        assert len(shown) == 1 and shown[0][0] == VERDICT_STYLES[row["verdict"]].sign
        assert outcome_words(row, 0.1).startswith(shown[0][2:]) and shown[0] in verdict_colours(found, 0.1)
    assert one["adjusted"].to_numpy() == pytest.approx(100 * found["effect"].to_numpy(), nan_ok=True)
    assert one["b − a, overall"].to_numpy() == pytest.approx(100 * found["effect_alone"].to_numpy(), nan_ok=True)
    empty = tinted(one, found.assign(effect=math.nan), None, "b − a").to_html()
    assert empty.count(">nan") == 0 and one["adjusted"].notna().any()
    assert set(one) & set(other) == {"variable"}
    above = by_probability(found.head(4).assign(probability=[0.5, 0.9993, 0.6, 0.9999]))
    assert list(above.index) == [found.index[place] for place in (1, 3, 2, 0)]
    assert not [name for name in (*one, *other) if "_" in name]
    html = tinted(one, found, str(found.index[0]), "b − a").to_html()
    low, high = (with_sign(100 * found[f"{end}_alone"].iloc[0]) for end in ("low", "high"))
    assert f">{with_unit(with_sign(100 * found['effect_alone'].iloc[0]))} ({low} to {high})<" in html
    alike = found.iloc[:2].assign(
        verdict=[str(Verdict.ALIKE), str(Verdict.NOT_SEEN)], low_alone=-0.096, high_alone=0.04
    )
    both = tinted(variables_display(alike, 0.1, "b − a"), alike, None, "b − a").to_html()
    assert "(−9.6 to +4.0)" in both and "(−10 to +4)" in both, "none that is equivalent looks like the margin"
    assert SELECTED in html
    assert (one["b − a, overall"] < -1).any() and not re.search(r">-\d", html)  # a true minus


def test_the_context_that_decides_comes_first_and_all_rows_last(hospitals: Any) -> None:
    """Shares of one level, of every context and of all rows; a variable without parents has all rows alone."""
    place = hospitals.where("early_antibiotics")
    shares = shares_of(hospitals, "early_antibiotics", place.level)
    contexts = list(dict.fromkeys(shares["context"]))
    assert (contexts[0], contexts[-1], len(contexts)) == (place.context, ALL_ROWS, 7)
    first = shares.iloc[:2]
    assert (tuple(first["count"]), tuple(first["n"])) == (place.hits, place.n)
    assert set(shares_of(hospitals, "sex", "male")["context"]) == {ALL_ROWS}
    drawn = hospitals.differences("early_antibiotics")
    assert len(drawn) <= MOST_CONTEXTS + 2


def test_lines_are_drawn_by_probability_and_by_what_is_said(result: Any) -> None:
    """Every link of either group once; "only in" only where the result says so; pale and thin what cannot be told."""
    table = result.links()
    most = table[["probability_first", "probability_second"]].max(axis=1)
    drawn = {frozenset((edge.source, edge.target)): edge for edge in difference_panel(result).edges}
    assert set(drawn) == {frozenset(pair) for pair in table.loc[most > 0.1, ["source", "target"]].to_numpy()}
    for row, p in zip(table.itertuples(), most, strict=True):
        edge = drawn.get(frozenset((row.source, row.target)))
        if edge is not None:
            assert (edge.status, edge.weight) == (STATUS[row.status], of_share(p))
            assert (edge.certainty == 1.0) == (p >= 0.9)
            assert edge.p == p
    assert {"only_a", "only_b"} & {edge.status for edge in drawn.values()}


def test_a_line_has_an_arrow_only_where_its_direction_is_clear(result: Any) -> None:
    """In a group's own network as its graph has it; in both together only where the groups agree."""
    graphs = list(result.graphs().values())
    for panel, graph in zip(panels(result), graphs, strict=True):
        for edge in panel.edges:
            assert edge.directed == (not graph.has_edge(edge.target, edge.source))
        assert len({frozenset((edge.source, edge.target)) for edge in panel.edges}) == len(panel.edges)
    for edge in difference_panel(result).edges:
        if edge.directed:
            assert not any(graph.has_edge(edge.target, edge.source) for graph in graphs[:2])


def test_boxes_say_sign_and_probability(result: Any) -> None:
    """Orange for what differs, blue for what is alike, "?" for what is inconclusive; one panel a network."""
    found = result.variables()
    for node in difference_panel(result).nodes:
        row = found.loc[node.name]
        if row["verdict"] in (Verdict.DIFFERS, Verdict.PROBABLY):
            assert node.value.startswith(VERDICT_STYLES[row["verdict"]].sign)
            assert node.value.endswith(probability(row["probability"]))
        assert node.fill == (VERDICT_STYLES[row["verdict"]].colour if row["verdict"] in MARKED else "")
    many = [node for node in difference_panel(inconclusive_survey()).nodes if node.words.startswith("inconclusive")]
    assert many and all(node.sign == "?" for node in many)
    assert "? inconclusive; no sign: no difference seen" in verdict_legend(result).values()
    assert set(verdict_legend(result)) == {VERDICT_STYLES[verdict].colour for verdict in MARKED}
    assert [len(chosen_panels(result, choice)) for choice in CHOICES] == [1, 1, 1, 1, 2]
    assert chosen_panels(result, "second")[0].title == "b"


def test_one_order_draws_the_papers_networks(result: Any) -> None:
    """Not averaged: arcs with what they are to both groups, as wide and as dark as any."""
    single = replace(result.method, average="none").run(two_groups(400, 6, 9, seed=3, changed=True))
    first, second, _ = single.graphs().values()
    arcs = {(edge.source, edge.target): edge for edge in difference_panel(single).edges}
    only = {arc for arc in second.edges if second.edges[arc]["status"] == "only B"}
    assert set(arcs) == set(first.edges) | only
    plain = Edge("a", "b")
    for arc, edge in arcs.items():
        assert edge.status == STATUS[(first if arc in first.edges else second).edges[arc]["status"]]
        assert (edge.directed, edge.weight, edge.certainty) == (True, plain.weight, plain.certainty)


@pytest.mark.parametrize(
    ("verdict", "low", "high", "said"),
    [
        (Verdict.CANNOT_TELL, 0.02, 0.2, True),
        (Verdict.NOT_SEEN, -0.2, -0.02, True),
        (Verdict.CANNOT_TELL, -0.1, 0.2, False),
        (Verdict.DIFFERS, 0.02, 0.2, False),
        (Verdict.CANNOT_TELL, math.nan, math.nan, False),
    ],
)
def test_an_interval_without_0_beside_another_verdict_is_explained(
    verdict: Verdict, low: float, high: float, said: bool
) -> None:
    """In at most 25 words, and only there."""
    words = interval_note(pd.Series({"low": low, "high": high}), verdict)
    assert bool(words) == said
    assert len(words.split()) <= 25


@pytest.mark.parametrize(
    ("verdict", "alone", "low", "p", "said"),
    [
        (Verdict.CANNOT_TELL, Alone.NOT_SEEN, 2.8, 0.064, True),
        (Verdict.NOT_SEEN, Alone.NOT_SEEN, 2.8, 0.064, True),
        (Verdict.CANNOT_TELL, Alone.NOT_SEEN, -2.8, 0.064, False),
        (Verdict.CANNOT_TELL, Alone.THROUGH_OTHERS, 2.8, 0.004, False),
        (Verdict.PROBABLY, Alone.DIFFERS, 2.8, 0.004, False),
        (Verdict.CANNOT_TELL, Alone.NOT_SEEN, 2.8, math.nan, False),
    ],
)
def test_a_row_whose_interval_leaves_out_0_says_that_it_is_not_corrected(
    hospitals: Any, verdict: Verdict, alone: Alone, low: float, p: float, said: bool
) -> None:
    """Of a number that is not said to differ; a shorter interval than the correction allows looks like a finding."""
    row = hospitals.variables().iloc[-1].copy()
    row[["verdict", "alone", "found"]] = verdict, str(alone), ""
    row[["overall", "overall_low", "overall_high", "p_alone", "rows_needed"]] = 7.1, low, 11.6, p, 1200.0
    display = variables_display(row.to_frame().T, 0.1, "South − North")
    assert (display["note"].item() == "p\u00a0=\u00a0.064, corrected") == said
    assert apart_words(row).endswith("the interval is not corrected.") == said


def test_a_context_that_differs_stands_beside_no_difference_overall() -> None:
    """In the table as in the sentences."""
    row = pd.Series({**told(Verdict.NOT_SEEN), "found": "where a = 1"})
    assert outcome_words(row, 0.1) == "no difference seen (where a = 1)"


def test_effects_that_run_both_ways_show_the_context_that_decides() -> None:
    """Their average, near 0, is no evidence beside "differs": it is a note, and a sentence says what it hides."""
    rng = np.random.default_rng(3)
    group, x = rng.choice(["control", "treated"], 800), rng.choice(["no", "yes"], 800)
    p = np.where((group == "control") == (x == "yes"), 0.7, 0.3)
    frame = pd.DataFrame({"arm": group, "smoking": x, "relapse": np.where(rng.random(800) < p, "yes", "no")})
    result = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(frame))
    found = result.variables()
    row = found.loc["relapse"]
    assert row["verdict"] in ("differs", "probably differs") and row["low"] < 0 < row["high"] < 0.15
    display = variables_display(found, 0.1, "treated − control")
    shown = tinted(display, found, None, "treated − control").to_html()
    assert abs(row["where_effect"]) > 0.25
    assert f">{with_unit(with_sign(100 * row['where_effect']))} (" in shown
    assert f"where {row['where']}" in shown
    note = display.set_index("variable").at["relapse", "note"]
    assert note.partition("; ")[2].startswith(f"average {with_unit(with_sign(100 * row['effect']))} (")
    assert "The average's interval holds 0; most evidence is where smoking = " in " ".join(result.explain("relapse"))


@pytest.fixture(scope="module")
def laboratory() -> Any:
    """Lactate is higher in the second hospital, also by severity; glucose varies more; age does not differ."""
    rng = np.random.default_rng(5)
    second, severe = rng.random(600) < 0.5, rng.random(600) < 0.4
    frame = {
        "hospital": np.where(second, "South", "North"),
        "severity": np.where(severe, "severe", "mild"),
        "Lactate (mmol/L)": np.exp(rng.normal(0.4 + 0.5 * severe + 0.5 * second, 0.5)).round(1),
        "Glucose (mmol/L)": (6 + rng.normal(0, 1, 600) * np.where(second, 2, 1)).round(1),
        "age_years": rng.normal(60, 12, 600).round(),
    }
    return engine.GroupDifference(group="hospital").run(engine.Dataset.from_frame(pd.DataFrame(frame)))


def test_the_report_has_the_word_of_the_page(laboratory: Any) -> None:
    """What differs overall only is called so in both, whatever its verdict given others is."""
    marks = [verdict_mark(row, 0.1)[2:] for _, row in laboratory.variables().iterrows()]
    assert [SHOWN.get(word, word) for word in laboratory.table("Variables")["verdict"]] == marks
    assert "differs in spread" in marks
    found = laboratory.variables()[:2].assign(verdict=["no difference seen", "cannot tell"])
    found["alone"] = [Alone.THROUGH_OTHERS, Alone.NOT_SEEN]
    said = [SHOWN.get(word, word) for word in told_in_one_word(found)["verdict"]]
    assert said == [verdict_mark(row, 0.1)[2:] for _, row in found.iterrows()] == ["differs overall", "inconclusive"]


def test_what_differs_overall_is_in_the_legend() -> None:
    """Only where a variable does: here one that follows what differs."""
    rng = np.random.default_rng(2)
    group = rng.random(1000) < 0.5
    first = rng.random(1000) < 0.3 + 0.4 * group
    columns = {"group": group, "first": first, "then": rng.random(1000) < 0.3 + 0.4 * first}
    frame = pd.DataFrame({name: np.where(column, "yes", "no") for name, column in columns.items()})
    found = engine.GroupDifference(group="group").run(engine.Dataset.from_frame(frame))
    assert found.verdicts["alone"].tolist() == [Alone.DIFFERS, Alone.THROUGH_OTHERS]
    assert any(f"{OVERALL[0]} overall" in text for text in verdict_legend(found).values())


def test_a_share_of_a_number_rises_with_it(laboratory: Any) -> None:
    """A plus is higher in the second group, also where the lowest range differs most: the share from its end up."""
    table = without_means(laboratory, laboratory.variables())
    row, raw = (some.loc["Lactate (mmol/L)"] for some in (table, laboratory.verdicts))
    assert (raw["level"], row["level"]) == ("below 1.9", "1.9 and above")
    counts = laboratory.marginal[laboratory.names.index("Lactate (mmol/L)")].counts[0]
    above = counts[:, 1:].sum(axis=1) / counts.sum(axis=1)
    assert row["effect_alone"] == pytest.approx(above[1] - above[0])
    assert row["low_alone"] < row["effect_alone"] < row["high_alone"]
    assert (row["low"], row["high"]) == (-raw["high"], -raw["low"])


def test_a_number_stands_in_its_unit_in_table_box_and_card(laboratory: Any) -> None:
    """Unit behind the name, both medians, the difference of means; what differs in place of P in the box."""
    found = laboratory.variables()
    shown = variables_display(found, 0.1, "South − North", groups=("North", "South")).set_index("variable")
    row = shown.loc["Lactate"]
    assert (row["North"], row["South"]) == tuple(found.loc["Lactate (mmol/L)", ["first", "second"]])
    assert (row["unit or level"], row["note"]) == ("mmol/L", "higher") and shown.at["Glucose", "note"] == "varies more"
    assert row["overall"] == found.at["Lactate (mmol/L)", "overall"] and shown.at["age", "unit or level"] == "years"
    html = tinted(shown.reset_index(), found, None, "South − North").to_html()
    numbers = found.loc["Lactate (mmol/L)", ["difference", "difference_low", "difference_high"]]
    given, low, high = (with_sign(number, 2) for number in numbers)
    assert f">{given} ({low} to {high})<" in html
    what, size, about = number_words(found.loc["Lactate (mmol/L)"], "South − North")
    alone = [with_sign(found.at["Lactate (mmol/L)", f"overall{end}"], 2) for end in ("", "_low", "_high")]
    assert (what, size) == ("Higher in South", "{} mmol/L ({} to {})".format(*alone))
    parents = found.at["Lactate (mmol/L)", "parents"]
    assert about == f"South − North: means overall, 95 %; adjusted for {parents} {given} ({low} to {high})."
    assert not means_left_out(laboratory, "Lactate (mmol/L)") and not means_left_out(laboratory, "severity")
    assert "their interval includes 0" in means_left_out(laboratory, "Glucose (mmol/L)"), (
        "it varies more, about one mean"
    )
    assert not any("mean is" in said for said in laboratory.explain("Glucose (mmol/L)"))
    wide = without_means(laboratory, found).loc["Glucose (mmol/L)"]
    assert wide["first"] == found.at["Glucose (mmol/L)", "first"], "medians, where no difference of means is told"
    own, means = laboratory.number("Lactate (mmol/L)"), without_means(laboratory, found).loc["Lactate (mmol/L)"]
    told = [float(text) for text in re.findall(r"[\d.]+", f"{means['first']} {means['second']}")]
    assert told == pytest.approx(np.column_stack([own.means, own.deviations]).ravel(), abs=0.051)
    assert verdict_mark(found.loc["Glucose (mmol/L)"], 0.1) == "▲ differs in spread", "which no share shows"
    _, size, about = number_words(wide, "South − North")
    assert size == f"{wide['second']} v {wide['first']} mmol/L" and not about and not wide["level"]
    assert wide[["effect", "low_alone", "where_high"]].isna().all(), "a share at a cut would look like a direction"
    assert laboratory.table_description("Variables").unsaid == ("Glucose (mmol/L)",)
    assert laboratory.table("Variables")["difference"].notna().sum() == found["difference"].notna().sum(), "in files"
    boxes = {node.name: node.value for node in difference_panel(laboratory).nodes}
    assert boxes["Lactate (mmol/L)"] == "▲ higher in South" and boxes["Glucose (mmol/L)"] == "▲ varies more"


def test_both_distributions_share_an_axis_and_the_whole_of_their_rows(laboratory: Any) -> None:
    """A solid and a dashed line of equal areas, medians at their place, shades where shares differ and medians do not
    tell it, the unit below."""
    summary, segments = laboratory.number("Glucose (mmol/L)"), laboratory.segments("Glucose (mmol/L)")
    higher = distribution_figure(laboratory, "Lactate (mmol/L)").layout.shapes
    assert all(shape.type == "line" for shape in higher) and len(laboratory.segments("Lactate (mmol/L)"))
    figure = distribution_figure(laboratory, "Glucose (mmol/L)")
    one, other = figure.data
    assert (one.line.dash, other.line.dash) == ("solid", "5px,3px") and one.line.color != other.line.color
    areas = [np.trapezoid(line.y, line.x) for line in figure.data]
    assert areas[0] / areas[1] == pytest.approx(1, abs=0.05)
    lines = [shape.x0 for shape in figure.layout.shapes if shape.type == "line" and shape.x0 == shape.x1]
    assert lines == pytest.approx(list(summary.quartiles[:, 1]))
    shades = [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"]
    assert len(shades) == min(len(segments), 3) > 0
    row = segments.loc[(segments["share_second"] - segments["share_first"]).abs().idxmax()]
    order = f"{in_percent(row['share_second'])} v {in_percent(row['share_first'])}"
    assert any(order in note.text for note in figure.layout.annotations), (
        "the second group first, as in every difference"
    )
    assert figure.layout.xaxis.title.text == "mmol/L"
    assert "median" in one.name and "IQR" in one.name
    few = replace(summary, counts=np.minimum(summary.counts, 1))
    assert {line.line.shape for line in draw_distributions(few, segments.iloc[:0], ("<b>a</b>", "b")).data} == {"hv"}
    assert "<b>" not in draw_distributions(few, segments, ("<b>a</b>", "b")).data[0].name
    with pytest.raises(engine.DataError, match="no number"):
        distribution_figure(laboratory, "severity")


def test_contexts_of_a_number_have_median_quartiles_and_rows(laboratory: Any) -> None:
    """A circle and a square in each, hollow and said where rows are few."""
    contexts = laboratory.contexts_in_units("Lactate (mmol/L)")
    assert len(contexts) > 1
    contexts.loc[0, "n_first"] = 9
    figure = contexts_figure(contexts, laboratory.labels, laboratory.names, "mmol/L")
    circles, squares = figure.data
    assert (circles.marker.symbol, squares.marker.symbol) == ("circle", "square")
    assert list(circles.x) == list(contexts["median_first"])
    ends = np.add(squares.x, squares.error_x.array)
    assert ends == pytest.approx(contexts["q3_second"].to_numpy())
    assert circles.marker.color[0] != circles.marker.color[1] == circles.marker.line.color
    written = [note.text for note in figure.layout.annotations]
    assert f"9, {contexts.at[0, 'n_second']} few" in written


def test_a_scale_that_is_higher_says_that_its_lowest_level_is_rarer() -> None:
    """Beside a difference below 0 of that level, in words; not of another level, nor of two levels."""
    row = pd.Series({"verdict": "differs", "what": "higher in b", "level": "never", "effect_alone": -0.2})
    scale = ["never", "some", "often"]
    assert called_words(row, scale) == "Higher in b: the lowest level is rarer"
    assert called_words(row.replace("never", "some"), scale) == called_words(row, scale[::2]) == "Higher in b"
    assert called_words(row.replace("higher in b", "lower in b"), scale[::-1]).endswith("the highest level is rarer")
    assert not called_words(row.replace("differs", "cannot tell"), scale)


def test_all_arms_stand_in_one_table() -> None:
    """A column an arm with the sign of its verdict and its effect, beside the control; the trend last."""
    answer = engine.GroupDifference(group="arm").run(trial())
    heads = dict(zip(answer.labels, answer.labels, strict=True))
    display = arms_display(answer, list(answer.variables().index), heads)
    assert list(display.columns) == ["Variable", "placebo", "10 mg", "20 mg", "Trend"]
    cure = display.set_index("Variable").loc["cure: yes"]
    assert cure["placebo"] == answer.pair("20 mg").variables().at["cure", "first"]
    effect = answer.pair("20 mg").variables().at["cure", "effect"]
    assert cure["20 mg"].startswith(f"▲ {with_unit(with_sign(100 * effect))} (")
    assert cure["Trend"].startswith("↗ p") and display.iloc[list(answer.variables().index).index("ward")]["Trend"] == ""
    ward = answer.arms().set_index("variable").loc["ward"]
    assert ward["level"].nunique() == ward["first"].nunique() == 1  # so that its cells can be compared
    pain, way = answer.variables().loc["pain"], {"mild": "↗", "moderate": "", "severe": "↘"}
    row = list(answer.variables().index).index("pain")
    assert pain["trend"] < 0 and display.iloc[row]["Trend"].startswith(f"{way[pain['level']]} p".strip())
    unsure = replace(answer, p_trend=np.minimum(answer.p_trend * 1e6, 1))
    assert arms_display(unsure, list(answer.variables().index), heads).iloc[row]["Trend"].startswith("p")
    assert SELECTED in arms_tinted(display, answer, heads, "sex").to_html()


def test_a_number_that_does_not_differ_is_shown_too() -> None:
    """Its distributions without a range, and its medians where nothing can be told yet."""

    def page() -> None:
        import numpy as np
        import pandas as pd
        import streamlit as st

        import engine
        from dashboard.views.group_difference.reading import show_variable

        rng = np.random.default_rng(5)
        frame = pd.DataFrame(
            {"group": np.array(["A", "B"])[np.arange(120) % 2], "Lactate (mmol/L)": rng.normal(5, 1, 120)}
        )
        frame["Lactate (mmol/L)"] += 0.45 * (frame["group"] == "B")
        data = engine.Dataset.from_frame(frame)
        show_variable(engine.GroupDifference("group").run(data), data, st.container())

    at = AppTest.from_function(page, default_timeout=60).run()
    assert not at.exception
    assert any("mmol" in item.value for item in at.markdown), [item.value for item in at.markdown]


def test_a_scale_without_contexts_shows_every_level() -> None:
    """Dots of both groups a level, with their rows, as pandas counts them; of two levels the bars say all."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"group": rng.choice(["a", "b"], 200), "mood": rng.choice(["low", "mid", "high"], 200)})
    frame["sick"] = rng.choice(["no", "yes"], 200)
    data = engine.Dataset.from_frame(frame, levels={"mood": ["low", "mid", "high"]})
    found = engine.GroupDifference(group="group").run(data)
    assert not found.variables().at["mood", "parents"]
    figure = reading_figure(found.differences("mood"), shares_of(found, "mood", "high"), found.labels, found.names)
    assert list(figure.layout.yaxis.ticktext)[2:] == ["low", "mid", "high"]
    counted = pd.crosstab(frame["mood"], frame["group"]).loc[["low", "mid", "high"]]
    written = [note.text for note in figure.layout.annotations]
    assert all(f"{a}, {b}" in written for a, b in counted.to_numpy())
    shares = (counted / counted.sum()).to_numpy().T
    assert np.array([trace.x for trace in figure.data[-2:]], float) == pytest.approx(shares)
    assert len(shares_of(found, "sick", "yes")) == 2


def test_a_narrow_column_names_the_ends_of_a_scale() -> None:
    """Of several levels; what is between them has its own name, and so has one of two."""
    scale = ["never", "some", "often"]
    assert [end_of_scale(level, scale) for level in scale] == ["lowest level", "", "highest level"]
    assert end_of_scale("above never", scale) == "above lowest"
    assert not end_of_scale("never", scale[:2]) and not end_of_scale("never", ())


def test_what_is_higher_has_a_plus_where_the_lowest_level_differs_most() -> None:
    """The share above it, with the rows that pandas counts, and the difference turned; no other row is changed."""
    rng = np.random.default_rng(4)
    scale = ["never", "some", "often"]
    frame = pd.DataFrame({"group": np.repeat(["a", "b"], 150), "sex": rng.choice(["f", "m"], 300)})
    frame["mood"] = np.concatenate(
        [rng.choice(scale, 150, p=[0.6, 0.2, 0.2]), rng.choice(scale, 150, p=[0.2, 0.4, 0.4])]
    )
    data = engine.Dataset.from_frame(frame, kinds={"mood": "ordinal"}, levels={"mood": scale})
    found = engine.GroupDifference(group="group").run(data)
    before = without_means(found, found.variables())
    assert before.at["mood", "level"] == "never" and before.at["mood", "effect_alone"] < 0
    after = above_lowest(found, before.copy())
    counted = pd.crosstab(frame["mood"] != "never", frame["group"]).loc[True]
    assert [after.at["mood", column].split(" ")[0] for column in ("first", "second")] == [f"{n}" for n in counted]
    assert (
        after.at["mood", "level"] == "above never"
        and after.at["mood", "effect_alone"] == -before.at["mood", "effect_alone"]
    )
    assert after.at["mood", "low_alone"] == -before.at["mood", "high_alone"] > 0
    pd.testing.assert_frame_equal(after.drop("mood"), before.drop("mood"))
