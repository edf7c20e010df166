"""The papers' tables beside ours: words, shading, figures and runs, against the stored run itself."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from benchmarks.papers.catalog import every_study
from dashboard.charts.papers import agreement_figure, by_size_figure, number_words, quantity_words, runs_figure
from dashboard.theme import signed_colour
from dashboard.views.evaluate.papers import (
    cell_words,
    chosen_cells,
    curve_scores,
    few_valued,
    figures_table,
    printed_words,
    quantities,
    runs_words,
    styled,
)
from dashboard.views.evaluate.story import agreement_words, verdicts_table
from engine.evaluation.papers import (
    FEW,
    FIGURES,
    LATER,
    SENTENCES,
    every_paper,
    farthest,
    of_cell,
    read_results,
    repeats,
)
from engine.measures.comparing import compare_curves
from engine.measures.curves import auc
from tests.dashboard.app_pages.stored_runs import made_up


def verdicts(*words: str) -> pd.DataFrame:
    return pd.DataFrame([(f"*what* {i}", ">= 1", "0.5", word, FIGURES) for i, word in enumerate(words)],
                        columns=["what", "band", "ours", "verdict", "held to"])  # fmt: skip


def test_agreement_is_counted_and_misses_stand_on_top() -> None:
    """All within, one outside, and none held to a band."""
    both = agreement_words(verdicts("within", "within"), LATER)
    assert both == "- :material/check_circle: **The paper's figures: 2 of 2 are within their band.**"
    two = verdicts("within", "outside")
    assert agreement_words(two, LATER) == "- :material/error: **The paper's figures: 1 of 2 are within their band.**"
    assert "no figure is held" in agreement_words(verdicts(), LATER)
    assert list(verdicts_table(two, "")["verdict"]) == ["outside", "within"]


def test_a_reading_chosen_later_gets_no_verdict() -> None:
    """It is neither a tick nor a miss, and both readings stand in their order; what has no band is not counted."""
    four = verdicts("within", "outside", "no verdict", "no verdict")
    said = agreement_words(four, LATER)
    assert "1 of 2 are within" in said
    assert "2 figures get no verdict, being of a reading chosen after it was seen" in said
    assert list(verdicts_table(four, LATER)["verdict"]) == ["within", "outside", "no verdict", "no verdict"]
    assert list(verdicts_table(verdicts("within", "outside"), LATER)["verdict"]) == ["outside", "within"]
    assert "1 of 1 are within" in agreement_words(verdicts("within", ""), LATER)


def test_figures_of_too_few_tables_are_not_said_to_be_of_a_later_reading() -> None:
    """They say why they have no verdict, and misses stay on top."""
    few = verdicts("within", "outside", "no verdict")
    assert "1 figure gets no verdict, being of too few tables." in agreement_words(few, FEW)
    assert "reading" not in agreement_words(few, FEW)
    assert verdicts_table(few, FEW)["verdict"].iloc[0] == "outside"


def test_what_the_paper_says_and_what_our_own_program_says_are_counted_apart() -> None:
    """Of the runs that came with the package; no line is counted twice, and none of a program as the paper's."""
    for name in every_paper():
        lines = read_results(name).verdicts
        said = agreement_words(lines, read_results(name).unjudged)
        counted = sum(int(number) for number in re.findall(r": \d+ of (\d+)", said))
        judged = lines[lines["verdict"].isin(["within", "outside"])]
        assert counted == len(judged["sentence" if "sentence" in judged else "what"].unique())
        held = verdicts_table(lines, read_results(name).unjudged)
        program = held["band"].str.contains("program|implementation")
        assert not held["held to"][program].isin([SENTENCES, FIGURES]).any()
    classes = agreement_words(read_results("discriminative").verdicts, "")
    words = "under some reading, {} under every one.**"
    assert f"**The paper's own sentences: 11 of 15 are seen here {words.format(7)}" in classes
    assert f"**The paper's figures: 2 of 4 are within their band {words.format(0)}" in classes
    assert "**Our own second program: 66 of 67 agree.**" in classes


@pytest.mark.parametrize("name", every_paper())
def test_what_was_done_has_the_numbers_of_the_plan(name: str) -> None:
    """And a plan that lacks them gives no wrong ones."""
    plan = made_up(name).plan
    words = every_study()[name].done(plan)
    assert f"Seed {plan['seed']}" in words
    assert len(re.findall(r"\d+|twice", words)) >= min(3, len(plan))
    assert made_up(name).done == words
    assert every_study()[name].done({}) == ""


def test_quantities_are_said_in_words_and_printed_ones_come_first() -> None:
    """One that is not known keeps its name."""
    assert quantity_words("adjacency P IS") == "adjacency: precision at variables in context"
    assert quantity_words("something new") == "something new"
    assert quantity_words("odds, order, common") == (
        "AUC of the odds, order of the original given, one set of parents for both"
    )
    assert quantity_words("p, odds, order") == "p of odds, order against lasso"
    assert quantities(made_up("log_linear").compared) == ["recall", "fdr", "seconds"]
    assert quantities(made_up("group_difference").compared)[:3] == ["odds", "lasso", "p, odds"]


def test_filters_keep_cells_by_value_also_one_that_is_missing() -> None:
    """Kappa of GES is none; an empty filter keeps all."""
    study = made_up("instance_specific")
    assert few_valued(study.compared, study.keys) == ["arcs", "search", "kappa"]
    kept = chosen_cells(study.compared, "added", {"arcs": ["50"], "kappa": ["–", "0.1"], "search": []})
    assert sorted(kept["search"]) == ["GES", "order kept", "published"]
    assert set(kept["arcs"]) == {50}
    ges = kept[kept["search"] == "GES"].iloc[0]
    block = of_cell(study.runs, ges, study.keys)
    assert set(block["search"]) == {"GES"}
    assert block.loc[block["quantity"] == "added", "value"].mean() == pytest.approx(ges["ours"])


def test_the_table_shows_ours_less_printed_with_its_sign_and_colour() -> None:
    """Blue below, magenta above, nothing where the paper prints nothing."""
    study = made_up("instance_specific")
    cells = chosen_cells(study.compared, "distance", {})
    table = figures_table(cells, study.keys)
    assert list(table)[3:] == ["printed", "± printed", "ours", "± ours", "difference"]
    html = styled(table).to_html()
    far = float(table["difference"].abs().max())
    for value in table["difference"]:
        if value == value:
            assert number_words(value, 2, signed=True) in html
            assert signed_colour(value, far) in html
    assert html.count("background-color") == len(set(table["difference"].dropna()))
    assert "± printed" not in figures_table(chosen_cells(made_up("group_difference").compared, "odds", {}), ["data"])


def test_the_cell_open_at_first_is_the_farthest() -> None:
    """By distance whatever its sign; without print the first."""
    cells = pd.DataFrame({"difference": [0.1, -0.4, np.nan, 0.3]}, index=[7, 8, 9, 10])
    assert farthest(cells) == 8
    assert farthest(cells.assign(difference=np.nan)) == 7


def test_every_printed_cell_is_a_point_and_shapes_tell_kinds() -> None:
    """Points carry the labels of their cells, in order."""
    cells = chosen_cells(made_up("group_difference").compared, "odds", {})
    traces = [one for one in agreement_figure("kind", cells, int(cells.index[0])).data if one.customdata is not None]
    assert [one.name for one in traces] == ["parametric", "structural"]
    assert len({one.marker.symbol for one in traces}) == len({one.marker.color for one in traces}) == 2
    points = {label: (x, y) for one in traces for label, x, y in zip(one.customdata, one.x, one.y, strict=True)}
    assert points == {label: (row["printed"], row["ours"]) for label, row in cells.iterrows()}


def test_without_print_ours_is_drawn_by_size() -> None:
    """The lines of the open cell's data and levels only, and the one printed number as a diamond."""
    study = made_up("log_linear")
    cells = chosen_cells(study.compared, "recall", {})
    picked = farthest(cells)
    figure = by_size_figure(study, cells, picked)
    assert [one.name for one in figure.data] == ["mml", "mml, printed", "chi2", "open below"]
    assert list(figure.data[0].x) == [10_000, 100_000, 1_000_000]
    assert list(figure.data[1].y) == [0.66]
    assert {(cells.at[i, "data"], cells.at[i, "levels"]) for i in figure.data[2].customdata} == {("D3", "binary")}


def test_runs_are_dots_with_their_mean_and_the_printed_band() -> None:
    """Against the stored values."""
    study = made_up("instance_specific")
    cell = study.compared[(study.compared["quantity"] == "added") & study.compared["printed"].notna()].iloc[0]
    here = of_cell(study.runs, cell, study.keys)
    here = here[here["quantity"] == "added"]
    figure = runs_figure(here, cell)
    assert list(figure.data[2].x) == list(here["value"])
    assert set(figure.data[0].x) == {cell["printed"]}
    assert set(figure.data[1].x) == {cell["ours"]}
    band = figure.layout.shapes[0]
    assert (band.x0, band.x1) == (cell["printed"] - cell["printed_spread"], cell["printed"] + cell["printed_spread"])
    words = runs_words(here, cell)
    assert f"{cell['ours']:.2f}" in words
    assert "mean of 10 runs" in words
    inside = abs(cell["difference"]) <= cell["printed_spread"]
    assert ("within one printed" in words) == inside
    assert "prints no number" in runs_words(here, cell.replace({cell["printed"]: np.nan}))


def test_a_block_has_its_repeats_and_the_printed_areas() -> None:
    """Areas and p of every repeat from its scores; the words have printed and ours."""
    study = made_up("group_difference")
    assert study.scores is not None
    cell = study.compared[(study.compared["quantity"] == "odds") & study.compared["printed"].notna()].iloc[3]
    block = of_cell(study.scores, cell, study.keys)
    assert cell_words(cell, study.keys).startswith(f"{cell['data']}, {cell['kind']}, draws 1, rows ")
    table = repeats(block, ["odds", "lasso"], "changed", "unchanged")
    for line, (_, here) in zip(table.to_dict("records"), block.groupby("repeat"), strict=True):
        assert line["changed"] + line["unchanged"] == len(here)
        assert line["AUC, odds"] == auc(here["odds"], here["truth"]).value
        assert line["DeLong p"] == compare_curves(here["odds"], here["lasso"], here["truth"]).p
    words = printed_words(study, cell)
    assert f"AUC of the odds {cell['printed']:.4f}" in words
    assert f"AUC of the odds {cell['ours']:.4f}" in words
    assert "DeLong p" in words


@pytest.mark.parametrize(
    ("quantity", "names"),
    [
        ("odds", ["odds", "lasso"]),
        ("p, odds", ["odds", "lasso"]),
        ("lasso", ["odds", "lasso"]),
        ("odds, order", ["odds, order", "lasso"]),
        ("odds, common", ["lasso"]),
        ("contrast sets", ["odds"]),
        ("lasso, order", ["odds, order"]),
        ("p, odds, order against lasso", ["odds, order", "lasso"]),
        ("p, odds against odds, order", ["odds", "odds, order"]),
    ],
)
def test_a_curve_has_the_score_and_its_rival(quantity: str, names: list[str]) -> None:
    """A score that was not stored is left out."""
    scores = made_up("group_difference").scores
    assert scores is not None
    assert curve_scores(quantity, scores) == names


def test_signs_only_where_there_is_something() -> None:
    """A difference that rounds to nothing has none."""
    assert [number_words(one, 2, signed=True) for one in (0.016, -0.016, -0.001, float("nan"))] == [
        "+0.02", "-0.02", "0.00", "–"
    ]  # fmt: skip
