"""Panels, charts and the script of one patient."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from dashboard.network.boxes import node_sizes
from dashboard.network.panel import panel_data
from dashboard.theme import ARCS
from dashboard.views.instance_specific import cohort, patient
from dashboard.views.instance_specific.beliefs import MOST_DRAWN, drawn_names, why_drawn
from dashboard.views.instance_specific.cohort import extreme_numbers
from dashboard.views.instance_specific.evidence import alternatives_display, cases_table
from dashboard.views.instance_specific.networks import JUDGED, MARKS, STATUS, changes_words, overlaid, side_by_side
from engine.exchange.script import analysis_script
from engine.graphs import compelled
from engine.graphs.drawing.layout import layout
from engine.methods.instance_specific.method import InstanceSpecific
from engine.methods.instance_specific.result import InstanceSpecificResult
from engine.telling.instance_specific.card_figures import prediction_figure
from engine.telling.instance_specific.figures import MOST_TERMS, distributions_figure, strength_figure
from engine.telling.instance_specific.wording import which_network
from engine.words import in_percent
from sample_data.catalog import dataset, truth
from tests.engine.make import random_data


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    return dataset("cough_and_smoke")


@pytest.fixture(scope="module")
def nolan(data: engine.Dataset) -> InstanceSpecificResult:
    patient = truth("cough_and_smoke")["patients"][0]["instance"]
    return InstanceSpecific().run(data, patient, target="cough")


def test_what_differs_is_told_by_colour_dash_sign_and_legend() -> None:
    """No two kinds of arc share a dash, a colour or a sign; kept arcs are plain lines."""
    styles = [ARCS[STATUS[one]] for one in STATUS]
    assert len({style.dash for style in styles}) == len({style.colour for style in styles}) == len(styles)
    assert len(set(MARKS.values())) == 3
    assert ARCS["kept"].dash == ()
    assert all(changes_words()[STATUS[one]].startswith(sign) for one, sign in MARKS.items())
    assert len(set(JUDGED.values())) == 5
    legend = " ".join(changes_words(published=False).values())
    assert all(f"{sign} " in legend for sign in JUDGED.values())


def test_side_by_side_shows_each_network_once(nolan: InstanceSpecificResult) -> None:
    """Left all the population has, the dropped arc marked; right the patient's own arcs."""
    left, right = side_by_side(nolan, "Mrs. Nolan")
    known = compelled(nolan.population_dag)
    for panel, graph in ((left, nolan.population), (right, nolan.instance)):
        assert {frozenset((edge.source, edge.target)) for edge in panel.edges} == set(map(frozenset, graph.edges))
        heads = {(edge.source, edge.target) for edge in panel.edges if edge.directed}
        assert heads == known & set(graph.edges) != set(graph.edges), "a head where no row tells the direction"
    marked = [(edge.source, edge.target, edge.status, edge.mark) for edge in left.edges if edge.mark]
    assert marked == [("age", "cough", "dropped", "✕"), ("smoking", "cough", "turned", "+")]
    assert [node.name for node in left.nodes if node.changed] == ["cough"]
    assert "smoking = no" in next(edge.words for edge in left.edges if edge.mark)
    words = next(edge.words for edge in left.edges if edge.mark).replace("\u00a0", " ")
    assert "smoking = yes by 38 pp" in words


def test_in_one_picture_every_arc_stands_once(nolan: InstanceSpecificResult) -> None:
    """The union of both networks, each arc with its status; the patient's values stand in the boxes."""
    (panel,) = overlaid(nolan, "Mrs. Nolan")
    assert len(panel.edges) == len(nolan.arc_changes)
    values = {node.name: node.value for node in panel.nodes}
    assert values["smoking"] == "= no"
    assert values["cough"] == "= to predict"
    assert values["phlegm"] == ""


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_published_networks_draw_lines_without_a_direction_once(seed: int) -> None:
    """Arcs both ways in a CPDAG become one line; every pair is drawn once a panel."""
    data = random_data(300, 7, 9, seed)
    result = InstanceSpecific(mode="published", kappa=0.9).run(data, 0)
    for panel, graph in zip(side_by_side(result, "row 1"), result.graphs().values(), strict=True):
        pairs = [frozenset((edge.source, edge.target)) for edge in panel.edges]
        assert len(set(pairs)) == len(pairs)
        assert set(pairs) == {frozenset(arc) for arc in graph.edges}
        for edge in panel.edges:
            assert edge.directed != graph.has_edge(edge.target, edge.source)
    places = layout(list(result.graphs().values()), sizes=node_sizes(result.names))
    assert len(panel_data(overlaid(result, "row 1"), places)["panels"][0]["edges"]) == len(result.arc_changes)


def test_a_variable_changes_when_a_link_into_it_differs() -> None:
    """With the order kept these are the families that changed; published, none whose links are all kept."""
    data = random_data(300, 7, 9, 1)
    kept = InstanceSpecific(kappa=0.9).run(data, 0)
    families = kept.families()
    assert sorted(kept.relinked()) == sorted(families.index[families["changed"]])
    published = InstanceSpecific(mode="published", kappa=0.9).run(data, 0)
    same = published.arc_changes.query("status == 'kept'")
    differs = published.arc_changes.query("status != 'kept'")
    untouched = set(published.names) - {*differs["source"], *differs["target"]}
    assert not untouched & set(published.relinked())
    assert untouched & {*same["source"], *same["target"]}


def test_bars_of_the_ratio_add_up(nolan: InstanceSpecificResult) -> None:
    """Also when only the dozen largest have a bar of their own."""
    assert sum(strength_figure(nolan.log_ratio_terms).data[0].x) == pytest.approx(nolan.log_likelihood_ratio)
    terms = pd.Series({f"v{i}": float(i + 1) for i in range(30)})
    bars = strength_figure(terms).data[0]
    assert len(bars.x) == MOST_TERMS + 1
    assert sum(bars.x) == pytest.approx(terms.sum())


def test_distributions_carry_their_intervals(nolan: InstanceSpecificResult) -> None:
    """The bar ends at the posterior share, the error bar at the interval; the similar cases come first."""
    table = nolan.distributions("cough")
    first = distributions_figure(table).data[0]
    rows = table[table["who"] == "similar cases"]
    assert list(first.y) == list(rows["share"])
    assert [y + up for y, up in zip(first.y, first.error_y.array, strict=True)] == pytest.approx(list(rows["high"]))
    assert first.name.startswith("similar cases (1,276)")


def test_a_prediction_stands_beside_the_population_and_all_rows(data: engine.Dataset) -> None:
    """Three marks with their shares, the intervals of both networks around their own."""
    figure = prediction_figure(0.11, (0.09, 0.13), 0.09, (0.06, 0.12), 0.22)
    marks = {one.y[0]: one.x[0] for one in figure.data if one.mode == "markers"}
    assert [marks[place] for place in range(3)] == [0.22, 0.09, 0.11]
    lines = [(*one.x, *one.y) for one in figure.data if one.mode == "lines"]
    assert lines == [(0.06, 0.12, 1, 1), (0.09, 0.13, 2, 2)]
    assert [one.text for one in figure.layout.annotations] == ["22\u00a0%", "9\u00a0%", "11\u00a0%"]


def test_parent_sets_read_as_words(nolan: InstanceSpecificResult) -> None:
    """Names joined by commas, the empty set by a word, best first."""
    table = alternatives_display(nolan.alternatives("cough"))
    assert list(table["parents"])[:2] == ["smoking", "age, smoking"]
    assert "added" not in table.columns


def test_similar_cases_have_the_tables_row_numbers(data: engine.Dataset, nolan: InstanceSpecificResult) -> None:
    """From 1, beside a column of the user's that is called row too."""
    rows = nolan.similar_rows(data, "cough")[:5]
    assert list(cases_table(data, rows)["row"]) == [row + 1 for row in rows]
    twin = engine.Dataset.from_codes(data.codes[:2], [data.levels[name] for name in data.names[:2]], ["row", "b"])
    assert "row of the table" in cases_table(twin, rows).columns


def test_the_script_repeats_the_patient(data: engine.Dataset, nolan: InstanceSpecificResult) -> None:
    """It runs, and prints the same summary."""
    source = analysis_script(
        nolan.method,
        data.fingerprint,
        sample="cough_and_smoke",
        preparing={"kinds": dict(data.kinds), "levels": {name: list(data.levels[name]) for name in data.names}},
        run={"instance": nolan.patient, "target": "cough"},
        shown="result.families()",
    )
    space: dict[str, object] = {}
    exec(source, space)  # noqa: S102 - our own script, as the user would run it
    assert isinstance(space["result"], InstanceSpecificResult)
    assert space["result"].to_json() == nolan.to_json()


@pytest.mark.parametrize(
    ("pairs", "target", "expected"),
    [
        (1, None, {"v00", "v01"}),
        (3, None, {"v00", "v01", "v02", "v03", "v04", "v05"}),
        (9, None, {"v00", "v01"}),
        (1, "v05", {"v05"}),
    ],
)
def test_of_many_variables_the_linked_are_drawn(pairs: int, target: str | None, expected: set[str]) -> None:
    """Without an outcome and a link that differs: all that are linked, or, where they are many, neighbours of some."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (20, 400))
    for first in range(0, 2 * pairs, 2):
        codes[first + 1] = np.where(rng.random(400) < 0.95, codes[first], 1 - codes[first])
    table = engine.Dataset.from_codes(codes, [2] * 20, [f"v{i:02d}" for i in range(20)])
    result = InstanceSpecific(structure_prior=0.01, search="ges").run(table, 0, target=target)
    assert len(table.names) > MOST_DRAWN
    assert set(drawn_names(result)) == expected
    about = f"{target or 'the most linked, v00,'} and what it is linked to"
    assert why_drawn(result) == ("the linked ones" if target is None and pairs < 9 else about)


def test_where_the_two_networks_predict_otherwise_both_figures_are_named(
    data: engine.Dataset, nolan: InstanceSpecificResult
) -> None:
    """The bars are the population's network, the sentence and the card this patient's: the line says which is which."""
    assert nolan.prediction is not None
    own, population = (in_percent(nolan.prediction.at["yes", which]) for which in ("instance", "population"))
    assert own != population
    assert which_network(nolan) == (
        f"Here cough = yes has {population}; by this patient's own network, as above, {own}."
    )
    assert which_network(InstanceSpecific().run(data, 0)) == ""  # nothing is predicted


def test_patients_with_extreme_numbers_are_named_among_many() -> None:
    """Each row's own numbers and how many rows are as far; patients given by their values have none."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"x{i}": rng.normal(0, 1, 200).round(2) for i in range(3)})
    frame.loc[3, ["x1", "x2"]], frame.loc[4, "x1"] = (-8.5, 9.0), -9.5
    data = engine.Dataset.from_frame(frame)
    cohort = engine.InstanceSpecific().run_cohort(data, [5, 4, 3, {"x0": data.levels["x0"][0]}])
    minus = "\N{MINUS SIGN}"
    assert extreme_numbers(cohort, data) == [
        "",
        f"x1 {minus}9.5 (1 so far out)",
        f"x2 9 (1 so far out), x1 {minus}8.5 (2 so far out)",
        "",
    ]


def test_a_row_that_is_clicked_becomes_the_one_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its number in the table that was read, where rows before it are left out; a click that selects nothing not."""
    table = pd.DataFrame({"a": [None, *["u", "v", "w", "u"] * 10], "b": ["x", "y"] * 20 + ["x"]})
    data, said = engine.Dataset.from_frame(table), dict[str, object]()
    monkeypatch.setattr(patient, "set_value", said.__setitem__)
    cohort._open(data, [7, 5], {"selection": {"cells": []}})
    assert not said
    cohort._open(data, [7, 5], {"selection": {"cells": [(1, "patient")]}})
    key = patient.patient_key(data)
    assert said == {f"{key}.way": "row", f"{key}.row": 7, "instance_specific.view": "One patient"}
