"""A patient's values in short, and the score over items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from engine import Dataset, InstanceSpecific
from engine.telling.instance_specific.strip import in_order, order_words, stands_among, stands_given, unexpected_values
from engine.telling.instance_specific.wording import scale_sentences
from engine.words import p_value

ROWS = 400


def questionnaire() -> pd.DataFrame:
    """Four items of one mood and one against it; sex, and a rare illness that goes with nothing."""
    rng = np.random.default_rng(4)
    mood = rng.normal(size=ROWS)
    item = {f"q{k}": np.clip(np.round(mood + 0.7 * rng.normal(size=ROWS)) + 2, 0, 4).astype(int) for k in range(4)}
    against = np.clip(np.round(2 - mood + 0.7 * rng.normal(size=ROWS)), 0, 4).astype(int)
    rare, sex = rng.permutation(["yes"] * 20 + ["no"] * (ROWS - 20)), rng.choice(["f", "m"], ROWS)
    return pd.DataFrame({**item, "q9": against, "ill": rare, "sex": sex})


def test_the_score_over_items_is_that_of_pandas() -> None:
    """Mean, total and the share of lower totals by rank; the item against the rest is named and left out."""
    frame = questionnaire()
    data = Dataset.from_frame(frame, kinds=dict.fromkeys(frame.columns[:5], "ordinal"))
    totals = frame[["q0", "q1", "q2", "q3"]].sum(axis=1)
    for row in (0, 7, int(totals.argmax())):
        (scale,) = InstanceSpecific().run(data, row).scales
        assert (scale.items, scale.against, scale.ends) == (("q0", "q1", "q2", "q3"), ("q9",), (0, 4))
        ranks = [totals.rank(method="min", ascending=ascending)[row] - 1 for ascending in (True, False)]
        assert [scale.lower, scale.higher] == ranks and (scale.total, scale.rows) == (totals[row], ROWS)
    highest = InstanceSpecific().run(data, int(totals.argmax()))
    mean, against = scale_sentences(highest)
    assert mean.startswith(f"Mean of 4 items {totals.max() / 4:.3g} (0 to 4), total {totals.max()}: higher than in 9")
    assert against == "q9 goes against the other items and is left out."
    assert mean in highest.summary() and mean in highest.how_sure()
    blanked = InstanceSpecific().run(data, 0, target="q0")
    assert not blanked.scales, "a score of some of the items is none"


def test_rare_levels_come_before_common_ones_and_a_value_without_a_link_has_its_share_alone() -> None:
    """The commoner of two levels stands last; a level that nothing is linked to is judged by nothing else."""
    frame = questionnaire()
    data = Dataset.from_frame(frame, kinds=dict.fromkeys(frame.columns[:5], "ordinal"))
    result = InstanceSpecific().run(data, int((frame["ill"] == "yes").argmax()))
    order = in_order(result)
    common = frame["sex"].value_counts(normalize=True)[result.patient["sex"]] >= 0.5
    assert order[0] == "ill" and (order[-1] == "sex") == common
    assert order_words(result).endswith("farthest out among all first; p uncorrected")
    assert stands_among(result, "ill") == "5\N{NO-BREAK SPACE}%"
    assert not result.population_dag.degree("ill") and stands_given(result, "ill") == "no link: its share alone"
    table = result.unusual_values().drop("ill")
    assert stands_given(result, table.index[0]) == p_value(table["surprise"].iloc[0]) != p_value(table["p"].iloc[0])


def test_unexpected_values_are_those_with_corrected_p_below_the_bar() -> None:
    """By their table; the others are called expected, or have their p."""
    frame = questionnaire()
    data = Dataset.from_frame(frame, kinds=dict.fromkeys(frame.columns[:5], "ordinal"))
    usual = InstanceSpecific().run(data, 0)
    likeliest = usual.unusual_values()["surprise"].drop("ill").idxmax()
    assert not unexpected_values(usual) and stands_given(usual, likeliest) == "expected"
    odd = InstanceSpecific().run(data, {"q0": "4", "q1": "4", "q2": "4", "q3": "0"})
    table = odd.unusual_values()
    assert unexpected_values(odd) == set(table.index[table["p"] < 0.05]) != set()
    assert all(stands_given(odd, name).startswith("unexpected, p") for name in unexpected_values(odd))
    assert pytest.approx(1.0) == odd.population_network.query("q3", {}).sum()
