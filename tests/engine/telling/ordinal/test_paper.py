"""What a paper gets: every figure in it is the result's, every work named is listed."""

from __future__ import annotations

import re

import html5lib
import numpy as np
import pytest

import engine
from engine.methods.ordinal.result import OrdinalResult
from engine.telling.apa import apa_number
from engine.telling.ordinal.figures import networks
from engine.telling.ordinal.paper import (
    REFERENCES,
    items_table,
    links_table,
    methods_paragraph,
    network_caption,
    paper_page,
    references,
)
from tests.engine.methods.ordinal.test_partial_network import P, table, true_weights


@pytest.fixture(scope="module")
def result() -> OrdinalResult:
    """All that can be asked."""
    data, method = table(0, true_weights(), 300), engine.Ordinal(approach="gpc")
    answer = method.run(data).with_parts(method.case_dropping(data, runs=2))
    return answer.with_parts(method.inclusion(data)).with_parts(method.half_samples(data, 5))


def test_the_paragraph_has_settings_versions_and_n(result: OrdinalResult) -> None:
    """And every work that it names is in the list, no other."""
    text = methods_paragraph(result)
    assert "300 rows with 8 variables" in text and "28 pairs" in text and "5 random halves" in text
    assert f"numpy {np.__version__}" in text
    named = set(re.findall(r"[A-Z][\w]+(?: & [A-Z]\w+| et al\.)?, \d{4}", text))
    assert named and named <= set(REFERENCES)
    assert references(result) == [REFERENCES[key] for key in REFERENCES if key in named]
    plain = engine.Ordinal(approach="gpc").run(table(0, true_weights(), 300))
    assert "Epskamp" not in methods_paragraph(plain)


def test_tables_hold_the_results_figures(result: OrdinalResult) -> None:
    """Drawn links only; every item."""
    assert result.lines is not None
    links, items = links_table(result), items_table(result)
    assert len(links) == int(np.triu(result.lines.clear, 1).sum())
    i, j = result.lines.pairs[0]
    assert links.iloc[0].tolist()[:2] == [
        f"{result.names[i]} – {result.names[j]}",
        apa_number(float(result.lines.partial[i, j])),
    ]
    assert items["Variable"].tolist() == list(result.names)
    value = result.lines.centralities["strength"].value[0]
    assert items["Strength"][0].startswith(f"{value:.2f} [")


def test_the_page_escapes_names_and_has_the_figure() -> None:
    """A name that is markup stays text in tables, figure and caption."""
    data = table(0, true_weights(), 300)
    hostile = "<script>alert(1)</script>"
    renamed = engine.Dataset.from_codes(
        data.codes, [4] * P, [hostile, *data.names[1:]], kinds=dict.fromkeys([hostile, *data.names[1:]], "ordinal")
    )
    page = paper_page(engine.Ordinal(approach="gpc").run(renamed))
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    assert not list(tree.iter("script"))
    assert page.count("<svg") == 2 and page.count("rings-node") == P
    assert hostile in [cell.text for cell in tree.iter("td")]


def test_figures_draw_every_item_once_and_each_layout_keeps_items_apart(result: OrdinalResult) -> None:
    """Rings never cover one another; arrows and lines stand on the same places; grey has no colour."""
    rings = networks.rings_of(result, result.names, {})
    for layout in networks.LAYOUTS:
        places = networks.place(rings, result, layout)
        at = np.array(list(places.values()))
        distance = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + 1e3 * np.eye(P)
        assert distance.min() > 27
    svg = networks.network_figure(result, grey=True)
    colours = {colour.upper() for colour in re.findall(r"#[0-9A-Fa-f]{6}", svg)}
    assert not colours & {"#17557E", "#A3195B", "#2C7A6B"}
    lines = networks.links_of(result, "lines", result.names)
    assert {link.pale for link in lines} == {True, False}
    implied = networks.links_of(result, "implied", result.names)
    P_matrix = np.linalg.inv(result.matrices["fitted"])
    for link in implied:
        i, j = result.names.index(link.source), result.names.index(link.target)
        assert link.value == pytest.approx(-P_matrix[i, j] / np.sqrt(P_matrix[i, i] * P_matrix[j, j]))
    assert len(implied) >= result.n_links - 1 and not any(link.pale for link in implied)
    assert networks.network_figure(result, "arrows").count("rings-link") == result.n_links


def test_the_page_has_both_figures_and_the_centralities_are_the_results(result: OrdinalResult) -> None:
    """A caption each; items from the largest expected influence on, with labels where there are any."""
    page = paper_page(result, {result.names[0]: "Feeling low"})
    assert page.count("Feeling low") >= 4 and "<td" in page  # tables and both figures
    assert page.count("<svg") == 2 and "Figure 2" in page and f"(n = {result.n_rows})" in page
    svg = networks.centralities_figure(result, labels={result.names[0]: "Feeling low"})
    assert "Feeling low" in svg and result.lines is not None
    shown = re.findall(r"text-anchor='end'>([^<]*)", svg)
    influence = result.lines.centralities["expected_influence"].value
    order = [result.lines.names[k] for k in np.argsort(-influence, kind="stable")]
    assert shown == ["Feeling low" if name == result.names[0] else name for name in order]
    assert network_caption(result).startswith("Partial correlation network (n = 300). Links of at least .")
    assert "5 half samples" in network_caption(result, "arrows")
