"""Figures of networks: legends in words, widths, every link as text."""

from __future__ import annotations

import html
import math
import re

import networkx as nx
import pytest

import engine
import sample_data
from engine.errors import SettingsError
from engine.graphs.drawing.svg import STYLES, Line
from engine.methods.result import Result
from engine.project.report.networks import in_words, legend, links_in_words, network_figure
from engine.telling.charts.network_layout import plan_networks
from engine.telling.drawing import THICK, _style, _widths, kind_words, lines_of
from tests.engine.project.report.answers import KINDS, answer


def figure(result: Result) -> str:
    """The figure of an answer."""
    return html.unescape(network_figure(result, plan_networks(list(result.graphs().values())), "r1", "Figure 1"))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("group_difference", ["in both"]),
        ("discriminative", ["shifts more in no", "shifts more in yes", "no clear difference in size"]),
        ("instance_specific", ["in both: not shown to fall away for this patient", "does not apply to this patient"]),
        ("cohort", ["in population as well", "the thicker, the more of the patients have it"]),
        ("log_linear", ["a link", "*  only with others held fixed, not overall"]),
        ("ordinal", ["one rises with the other", "a line without a head: its direction is not known"]),
    ],
)
def test_the_legend_says_what_the_lines_mean(kind: str, words: list[str]) -> None:
    """In the method's own terms, with the names of the groups."""
    found = figure(answer(kind))
    assert all(one in found for one in words)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_line_is_in_the_legend(kind: str) -> None:
    """And the legend names no other."""
    found = figure(answer(kind))
    key, pictures = found.split("</ul>", 1)
    for style in STYLES.values():
        if style.words.split("{")[0] in key and "{" not in style.words:
            assert f"stroke='{style.colour}'" in pictures


def test_a_width_is_called_by_what_it_shows_and_none_is_thicker_beside_one_not_known() -> None:
    """A probability is no strength, and a link that was not asked about is not a weak one; a doubtful line says so."""
    result = answer("group_difference")
    assert "the thicker, the more probable the link" in figure(result)
    lines = [line for each in lines_of(result).values() for line in each]
    assert {line.sign for line in lines if line.style == STYLES["unclear"]} <= {"?"} and "?" in STYLES["unclear"].words
    assert _widths([0.2, 0.9]) == pytest.approx([2.384, THICK], abs=0.001)
    assert len({*_widths([0.2, 0.9, math.nan])}) == 1


def test_a_link_that_the_population_lacks_is_another_kind() -> None:
    """A cluster's own link does not look like those of all."""
    style = STYLES["beside"]
    assert kind_words(style, ["population", "cluster 1"]) == "not in population"
    assert kind_words(STYLES["only_b"], ["x = {b}", "{a}"]) == "only in {a}"


def test_words_say_once_what_several_networks_share() -> None:
    """The second network refers to the first."""
    lines = [Line(a, b, True, STYLES["same"]) for a, b in ("ab", "bc", "cd")]
    found = html.unescape(in_words({"North": lines, "South": lines, "none": []}, "Figure 1.1"))
    assert found.count("a → b; b → c; c → d") == 1
    assert "the same as in North" in found
    assert "none: </b>no link." in found


def test_lines_of_one_width_are_not_explained() -> None:
    """Nor is a direction that all have."""
    lines = {"a": [Line("a", "b", True, STYLES["same"])]}
    found = legend(lines, "")
    assert "thicker" not in found
    assert "without a head" not in found


def test_links_of_classes_are_drawn_by_the_class_they_shift_more() -> None:
    """As on the page, whatever networks have them; which these are, and how far they shift, stands in the table."""
    result = answer("discriminative")
    found = figure(result)
    words = html.unescape(links_in_words(result, "Figure 1"))
    links = result.links()  # type: ignore[attr-defined]
    kinds = {"no": "more_a", "yes": "more_b", "": "more_neither"}
    assert set(links["more"]) == set(kinds)
    for more, kind in kinds.items():
        style, rows = STYLES[kind], links[links["more"] == more]
        line = f"<line [^>]*stroke='{style.colour}'[^>]*" + (
            f"stroke-dasharray='{' '.join(map(str, style.dash))}'" if style.dash else "marker"
        )
        assert len(re.findall(line, found.split("</ul>", 1)[1])) == len(rows)
        said = re.findall(rf"{kind_words(style, ['no', 'yes'])}</i> \((\d+)\): ([^<]*)\.", words)
        assert sum(int(number) for number, _ in said) == len(rows)
        listed = {link for _, each in said for link in each.split("; ")}
        assert listed == {f"{row.source} → {row.target}" for row in rows.itertuples()}
    for status in ("only in no", "only in yes", "in both"):
        assert status not in found


def test_a_shift_that_is_not_known_looks_unlike_one_that_is_alike() -> None:
    """And with more than two classes no class is ahead."""
    graph = nx.DiGraph(
        [("a", "b", {"status": "same", "more": "plain"}), ("b", "c", {"status": "plain", "more": "plain"})]
    )
    result, graphs = answer("discriminative"), {"x": graph}
    assert _style(result, graphs, "x", "a", "b", "same", "") == STYLES["more_unknown"]
    assert _style(result, graphs, "x", "b", "c", "plain", "") == STYLES["plain"]


def test_boxes_have_labels_in_place_of_names() -> None:
    """As wide as they need; the links stay between the names."""
    data = sample_data.dataset("two_hospitals")
    first, second = data.names[:2]
    text = engine.report(engine.LogLinear().run(data), labels={first: "A <b>long</b> label of a box"})
    assert text is not None
    (picture, *_) = re.findall(r"<svg(?! class='sample').*?</svg>", text, re.DOTALL)
    shown = html.unescape(" ".join(re.findall(r"<text[^>]*>([^<]*)", picture)))
    assert "label of a" in shown and second in shown and f">{first}<" not in picture and "<b>long" not in picture


def test_each_result_has_the_labels_of_its_own_table() -> None:
    """In its chapter, its pictures and on the first page; a list of another length is refused."""
    data = sample_data.dataset("two_hospitals")
    result = engine.LogLinear().run(data)
    name = next(name for name in data.names if name in result.headline())
    text = engine.report([result, result], labels=[{name: "Label A"}, {name: "Label B"}])
    assert text is not None
    cover, first, second, *_ = re.split(r"<section class='part[^>]*id='r", text)
    assert "Label A" in cover and "Label B" in cover
    assert f"Label A ({name})" in first and "Label B" not in first
    assert f"Label B ({name})" in second.split("id='data'")[0] and "Label A" not in second.split("id='data'")[0]
    with pytest.raises(SettingsError, match="labels"):
        engine.report([result, result], labels=[{}])
