"""Lines and centralities: beside what they are made of, order of rows and columns, and how often they claim."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
import sample_data
from engine.data.item_scales import scales_by_prefix
from engine.measures import centrality
from engine.models.latent_normal import Boxes
from engine.models.partial_correlations import boxes_of, estimate, influences
from engine.telling.links import determined_words
from engine.telling.ordinal import wording
from engine.telling.ordinal.figures.networks import links_of, network_figure

CUTS = [-0.9, -0.2, 0.5]
P, N = 8, 400


def true_weights() -> np.ndarray:
    """Partial correlations of a chain with a bridge and one negative link; all others are 0."""
    weights = np.zeros((P, P))
    for i, value in enumerate((0.4, 0.3, 0.0, -0.35, 0.3, 0.4, 0.25)):
        weights[i, i + 1] = weights[i + 1, i] = value
    weights[1, 6] = weights[6, 1] = 0.3
    return weights


def table(seed: int, weights: np.ndarray, n: int = N, p: int = P) -> engine.Dataset:
    """Rated rows whose latent values have these partial correlations; items of two scales."""
    covariance = np.linalg.inv(np.eye(p) - weights)
    root = np.sqrt(np.diag(covariance))
    values = np.random.default_rng(seed).multivariate_normal(np.zeros(p), covariance / np.outer(root, root), n).T
    names = [f"{'a' if i < p // 2 else 'b'}_{i}" for i in range(p)]
    return engine.Dataset.from_codes(
        np.searchsorted(CUTS, values).astype(np.uint8), [4] * p, names, kinds=dict.fromkeys(names, "ordinal")
    )


def test_values_are_those_of_the_estimates() -> None:
    """Strength of the drawn lines, expected influence of all; explained shares from the inverse."""
    data = table(0, true_weights())
    lines = engine.Ordinal().partial_network(data)
    own = estimate(boxes_of(data.codes.astype(int), np.full(P, 4)))
    assert lines.partial == pytest.approx(own.partial, abs=1e-8)
    assert lines.explained == pytest.approx(own.explained, abs=1e-8)
    values = {name: item.value for name, item in lines.centralities.items()}
    scales = [name[0] for name in data.names]
    assert values["strength"] == pytest.approx(centrality.strength(lines.weights), abs=1e-8)
    assert values["expected_influence"] == pytest.approx(own.partial.sum(axis=1) - 1, abs=1e-8)
    assert values["bridge_strength"] == pytest.approx(centrality.bridge_strength(lines.weights, scales), abs=1e-8)
    assert (lines.drawn == ((lines.low > 0) | (lines.high < 0))).all()
    assert lines.weights[3, 4] < 0  # the negative link
    assert wording.clear_links(lines).startswith(
        "Clear: p at most .05 after correction for all 28 pairs, all other variables held fixed."
    )


def test_no_link_is_called_the_strongest_where_intervals_overlap() -> None:
    """By sizes, whatever the signs and the order."""
    largest = (-0.7, -0.8, -0.6)
    assert wording._order_open([(0.5, 0.4, 0.61), largest]).endswith("strongest is uncertain: intervals overlap.")
    assert not any(map(wording._order_open, ([(0.5, 0.4, 0.59), largest], [largest], [])))


def test_what_would_have_been_clear_is_told_and_is_so() -> None:
    """In a headline of none: about 8 in 10 tables call a link of that size clear."""
    none = engine.Ordinal(approach="gpc").run(table(5, np.zeros((P, P)), 300))
    assert none.lines is not None
    size = none.lines.visible
    said = f"is clear in 300 rows; half the pairs would show one of {size:.2f} (power".replace(" 0.", " .")
    assert said in none.headline()
    weights = np.zeros((P, P))
    weights[0, 1] = weights[1, 0] = size
    found = [engine.Ordinal().partial_network(table(seed, weights, 300), draws=100).clear[0, 1] for seed in range(60)]
    assert 0.65 < np.mean(found) < 0.92


def test_a_variable_that_the_others_nearly_determine_is_named_and_a_questionnaire_is_not() -> None:
    """In the summary, beside the headline, and of each group; its partial correlations are not to be relied on."""
    found = engine.Ordinal(approach="gpc").run(table(4, true_weights(), 800))
    assert found.lines is not None and not found.determined and len(found.how_sure()) == 1
    lines = replace(found.lines, explained=np.array([0.97, *found.lines.explained[1:]]))
    shaky = replace(found, lines=lines)
    assert not found.arrows_first and shaky.arrows_first and network_figure(shaky) == network_figure(shaky, "arrows")
    assert "beyond chance; the largest estimate is from " in shaky.headline() and shaky.headline() in shaky.summary()
    halves = found.method.half_samples(table(4, true_weights(), 800), 1)
    halved = shaky.with_parts(replace(halves, links=0 * halves.links))  # no half has a link: by that all were pale
    pale = {(link.source, link.target) for link in links_of(halved, "arrows", halved.names) if link.pale}
    links = halved.edge_table().set_index(["source", "target"])["chance"]
    assert pale == set(links.index[links > 0.05]) != set(links.index) and "half samples" not in halved.sentences()[0]
    assert shaky.sentences()[0].startswith("Beyond chance: p at most .05")
    assert [*wording.centrality(shaky)] == [wording.no_ranking(shaky)] and "centrality" not in shaky.figures()
    said = (
        "Other variables explain 97\u00a0% of a_0. Partial correlations with it are unreliable, even in sign, and "
        "links may be missed; Associations does without this model."
    )
    assert shaky.how_sure()[1] == said and said in shaky.summary()
    assert "explain 97\u00a0% of a_0 in North. Partial" in determined_words({"North": shaky, "South": found})
    assert not replace(shaky, copies=(("a_0", "a_1"),)).determined  # copies are told by themselves


def test_links_to_covariates_count_for_no_item() -> None:
    """An item is as central as its links with items; a sex is linked, and ranked, tested and named first nowhere."""
    weights = true_weights()
    weights[0, 1] = weights[1, 0] = 0.6
    whole = table(0, weights)
    names = ("sex", *"qrstuvw")
    data = engine.Dataset.from_codes(whole.codes, [4] * P, names, kinds=dict.fromkeys(names, "ordinal"))
    result = engine.Ordinal(approach="gpc").run(data)
    lines = result.lines
    assert lines is not None and lines.covariates == ["sex"] and lines.clear[0, 1]
    inside = lines.partial[1:, 1:]
    found = lines.centrality_table().set_index("variable")
    assert found.loc["sex", ["strength", "expected_influence", "closeness"]].isna().all()
    assert found["expected_influence"].to_numpy()[1:] == pytest.approx(inside.sum(axis=1) - 1, abs=1e-8)
    assert found["strength"].to_numpy()[1:] == pytest.approx(centrality.strength(lines.weights[1:, 1:]), abs=1e-8)
    assert not (lines.difference_table("strength")[["a", "b"]] == "sex").any(axis=None)
    clear, every = (np.triu(some).sum() for some in (lines.clear[1:, 1:], lines.clear))
    assert "sex" not in result.headline() and result.headline().startswith(
        f"{every} links are clear; the largest not of a covariate is between "
    )
    assert every == clear + 1 and result.sentences()[0].endswith(
        " Covariates, held fixed too: sex; 1 link of theirs is clear."
    )
    none = replace(result, lines=replace(lines, p=np.where(np.arange(8)[:, None] * np.arange(8) == 0, 1.0, lines.p)))
    assert none.headline().startswith(f"{clear} links are clear; the largest estimate is between ")
    only = replace(lines, p=np.where(np.arange(8)[:, None] * np.arange(8) == 0, lines.p, 1.0))
    assert wording.clear_links(only).endswith(" Covariates, held fixed too: sex; 1 link of theirs is clear.")


def test_a_link_whose_variables_correlate_the_other_way_round_says_so() -> None:
    """Two causes of one effect, alike themselves: given it they go against each other, by both numbers."""
    source = np.random.default_rng(5)
    cause = source.multivariate_normal([0, 0], [[1, 0.3], [0.3, 1]], 1500)
    values = np.column_stack([cause, cause.sum(axis=1) + source.normal(0, 0.5, 1500)])
    codes = np.array([np.searchsorted(np.quantile(x, [0.25, 0.5, 0.75]), x) for x in values.T], dtype=np.uint8)
    names = ("left", "right", "effect")
    data = engine.Dataset.from_codes(codes, [4] * 3, names, kinds=dict.fromkeys(names, "ordinal"))
    result = engine.Ordinal(approach="gpc").run(data)
    assert result.lines is not None
    plainly, held = result.correlation.loc["left", "right"], result.lines.partial[0, 1]
    covariance = np.linalg.inv(result.correlation.to_numpy())
    assert held == pytest.approx(-covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]), abs=0.02)
    assert plainly > 0.2 and held < -0.5
    said = f"left with right: correlation +{plainly:.2f}, but −{-held:.2f} given all others".replace("0.", ".")
    assert wording.turned_sign(result) == f"{said}; a third may go with both." in result.notes()
    flat = replace(result.lines, low=-np.ones((3, 3)), high=np.ones((3, 3)))
    assert not wording.turned_sign(replace(result, lines=flat)), "a link that may be 0 has no sign"


def test_the_sign_of_a_link_with_two_levels_names_the_level() -> None:
    """Whichever is coded higher, and whichever is named first: the level that goes with more."""
    codes = np.random.default_rng(0).multivariate_normal([0, 0], [[1, -0.6], [-0.6, 1]], N).T
    codes = np.array([codes[0] > 0, np.searchsorted(CUTS, codes[1])]).astype(np.uint8)
    kinds, levels = {"gender": "ordinal", "sad": "ordinal"}, [["Female", "Male"], ["0", "1", "2", "3"]]
    result = engine.Ordinal(approach="gpc").run(engine.Dataset.from_codes(codes, levels, list(kinds), kinds=kinds))
    assert result.lines is not None and result.lines.partial[0, 1] < 0
    for pair in (("gender", "sad"), ("sad", "gender")):
        said = wording.pair_words(result, result.lines, *pair)
        assert said.endswith(" Negative: sad is higher with gender = Female.")
    assert wording.sign_words(result, "sad", "gender", 0.3) == "Positive: sad is higher with gender = Male."


def test_order_of_rows_and_columns_changes_nothing() -> None:
    """Equal bits of values and errors by name."""
    data = table(1, true_weights(), 300)
    generator = np.random.default_rng(0)
    moved = data.rows(generator.permutation(300)).select(list(generator.permutation(data.names)))
    tables = [engine.Ordinal().partial_network(item).centrality_table().set_index("variable") for item in (data, moved)]
    paths = ["closeness", "betweenness"]  # sums over paths, which are taken in another order
    again = tables[1].loc[tables[0].index]
    assert tables[0].drop(columns=paths).equals(again.drop(columns=paths))
    assert tables[0][paths].to_numpy() == pytest.approx(again[paths].to_numpy(), rel=1e-12)


def test_differences_of_nodes_are_tested() -> None:
    """The ends of the strong links above a node with none; the same difference with its sign turned the other way."""
    weights = np.zeros((P, P))
    weights[0, 1] = weights[1, 0] = weights[0, 2] = weights[2, 0] = 0.5
    lines = engine.Ordinal().partial_network(table(3, weights, 600))
    tested = lines.difference_table("expected_influence").set_index(["a", "b"])
    assert tested.loc[("a_0", "b_7"), "p_corrected"] < 0.001
    assert tested["p"].is_monotonic_increasing and (tested["p_corrected"] >= tested["p"]).all()
    item = lines.centralities["expected_influence"]
    assert tested.loc[("a_0", "b_7"), "difference"] == pytest.approx(item.value[0] - item.value[7])
    assert (item.difference_error == item.difference_error.T).all()
    ahead, behind = (
        wording.difference_words(lines, "expected_influence", *ends) for ends in (["a_0", "b_7"], ["b_7", "a_0"])
    )
    assert ", a_0 minus b_7: +" in ahead and ", b_7 minus a_0: \N{MINUS SIGN}" in behind
    assert ahead.endswith(" for all pairs: they differ.")
    with pytest.raises(engine.DataError, match="was not measured"):
        lines.difference_table("closeness")


def test_copies_of_a_row_that_share_a_subject_tell_nothing_new() -> None:
    """Each row four times as one subject: errors as wide as those of the rows themselves."""
    data = table(2, true_weights(), 200)
    frame = pd.DataFrame(np.repeat(data.codes, 4, axis=1).T, columns=list(data.names))
    frame["person"] = np.repeat([f"p{i}" for i in range(200)], 4)
    copied = engine.Dataset.from_frame(frame, roles={"person": "subject"})
    once, four = (engine.Ordinal().partial_network(item) for item in (data, copied))
    assert four.units == 200
    assert four.high - four.low == pytest.approx(once.high - once.low, rel=0.05)


def test_four_times_the_rows_halve_the_errors() -> None:
    """Of links, on Fisher's scale, and of what is left unexplained, on the scale of logs."""
    data = table(2, true_weights(), 200)
    copied = engine.Dataset.from_codes(
        np.repeat(data.codes, 4, axis=1), [4] * P, list(data.names), kinds=dict.fromkeys(data.names, "ordinal")
    )
    pair, widths = np.triu_indices(P, 1), []
    for rows in (data, copied):
        lines = engine.Ordinal().partial_network(rows)
        left = np.log((1 - lines.explained_low) / (1 - lines.explained_high))
        widths.append(np.concatenate([np.arctanh(lines.high[pair]) - np.arctanh(lines.low[pair]), left]))
    _, _, of_row = influences(boxes_of(data.codes.astype(int), np.full(P, 4)), np.arange(200), 200)
    error = np.linalg.norm(of_row, axis=1) * np.sqrt(200 / (200 - P - 1))
    assert widths[0][-P:] == pytest.approx(2 * stats.t.ppf(0.975, 200 - P - 1) * error)
    assert widths[1] == pytest.approx(widths[0] / 2, rel=0.1)


def test_too_few_rows_and_too_many_items_are_refused_in_a_sentence() -> None:
    """Directly; a run has no lines then and keeps its network."""
    small = table(0, true_weights(), 10)
    with pytest.raises(engine.DataError, match="at least 11 rows"):
        engine.Ordinal().partial_network(small)
    result = engine.Ordinal(approach="gpc").run(small)
    assert result.lines is None and "Lines" not in result.table_titles() and "lines" not in result.graphs()


def test_scales_are_the_beginnings_of_names() -> None:
    """Two to four of them, each of several items."""
    assert set(scales_by_prefix(sample_data.dataset("two_questionnaires").names).values()) == {"obs", "dep"}
    assert scales_by_prefix(["a_1", "a_2", "b_1"]) == {}
    assert scales_by_prefix(["a_1", "a_2", "a_3", "b_1", "b_2", "b_3", "b_4", "age"]).keys() == {
        *("a_1", "a_2", "a_3", "b_1", "b_2", "b_3", "b_4")
    }
    assert scales_by_prefix([f"{letter}_{i}" for letter in "abcde" for i in range(2)]) == {}
    joined = [f"{scale} item {i}" for scale in ("PHQ", "GAD") for i in range(5)]  # of names in two rows
    assert scales_by_prefix([*joined, "GAD sex", "GAD age"]) == {name: name[:3] for name in joined}
    assert scales_by_prefix(["feeling low", "feeling sad", "sleep late", "sleep short"]) == {}


def test_the_sentence_names_the_bridge() -> None:
    """Links that join two scales; the report, the summary and the page have this sentence."""
    data = table(4, true_weights(), 800)
    result = engine.Ordinal(approach="gpc").run(data)
    assert result.headline().startswith(
        "2 clear links join the scales a and b; the largest estimate is between a_3 and b_4: partial correlation"
    )
    assert result.headline() == result.sections()[0].title == result.summary().splitlines()[0]
    none = engine.Ordinal(approach="gpc").run(table(5, np.zeros((P, P)), 300))
    assert none.headline().startswith("No partial correlation of 8 variables is clear in 300 rows")


def test_no_variable_comes_first_where_all_or_several_are_equal() -> None:
    """No drawn line gives every variable a strength of 0; one drawn line gives both its ends the same."""
    lines = engine.Ordinal(approach="gpc").run(table(5, np.zeros((P, P)), 300)).lines
    assert lines is not None

    def leader(values: np.ndarray) -> str:
        measure = replace(lines.centralities["strength"], value=values)
        changed = replace(lines, centralities={**lines.centralities, "strength": measure})
        return wording._leader(changed, "strength")

    assert leader(np.zeros(P)) == "Several variables have the largest strength: 0 for all."
    pair = np.where(np.arange(P) < 2, 0.4, 0.0)
    assert leader(pair) == (
        f"Several variables have the largest strength: +.40 for {lines.names[0]}, {lines.names[1]}."
    )
    assert leader(np.linspace(0.1, 0.8, P)).startswith(f"{lines.names[-1]} ")


def test_boxes_are_not_those_of_the_papers_program() -> None:
    """Half a row a level, where the paper's program adds one."""
    codes = np.array([[0, 0, 0, 1], [0, 1, 1, 1]])
    assert boxes_of(codes, np.array([2, 2])).cuts[0][1] != Boxes.of(codes, [2, 2]).cuts[0][1]
