"""Items of a questionnaire added up: means and interval as SciPy has them, and what is never added up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
from engine.methods.group_difference.numbers.items import compare_items
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.group_difference.rows.groups import split_groups

WORDS = ("never", "now and then", "often", "always")


def answers(seed: int, n: int = 240, items: int = 6, shift: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """(n, items) of one trait in four steps, and who is in the second group, whose trait is higher."""
    rng = np.random.default_rng(seed)
    second = np.arange(n) >= n // 3
    trait = rng.normal(size=n) + shift * second
    own = trait[:, None] + rng.normal(size=(n, items))
    return np.digitize(own, (-1.0, 0.2, 1.4)), second


def compared(codes: np.ndarray, second: np.ndarray, extra: dict[str, object] | None = None) -> GroupDifferenceResult:
    """The comparison of the groups in items of these answers."""
    columns = {f"item{i + 1}": np.array(WORDS)[codes[:, i]] for i in range(codes.shape[1])}
    table = pd.DataFrame({"group": np.where(second, "new", "old"), **columns, **(extra or {})})
    kinds = dict.fromkeys(columns, "ordinal")
    data = engine.Dataset.from_frame(table, kinds=kinds, levels=dict.fromkeys(columns, WORDS))
    found = engine.GroupDifference(group="group", groups=("old", "new")).run(data)
    assert isinstance(found, GroupDifferenceResult)
    return found


@pytest.fixture(scope="module")
def plain() -> tuple[GroupDifferenceResult, np.ndarray, np.ndarray]:
    """Six items of one trait, with their codes and groups."""
    codes, second = answers(1)
    return compared(codes, second, {"ward": np.resize(["a", "b"], len(second))}), codes, second


def test_means_and_interval_are_welchs(plain: tuple[GroupDifferenceResult, np.ndarray, np.ndarray]) -> None:
    """Of levels from 1; the ends are moved for skewness by a little only, as those of every mean here."""
    found, codes, second = plain
    (scale,) = found.scales
    means = 1 + codes.mean(axis=1)
    old, new = means[~second], means[second]
    welch = stats.ttest_ind(new, old, equal_var=False).confidence_interval(0.95)
    assert scale.items == tuple(f"item{i}" for i in range(1, 7)) and scale.against == () and scale.ends == (1, 4)
    assert scale.n == (80, 160)
    assert scale.means == pytest.approx((old.mean(), new.mean()))
    assert scale.difference[0] == pytest.approx(new.mean() - old.mean())
    assert scale.difference[1:] == pytest.approx(welch, abs=0.02 * (welch.high - welch.low))
    higher = (codes[second].mean(axis=0) > codes[~second].mean(axis=0)).sum()
    assert scale.higher == (6 - higher, higher)


def test_a_clear_scale_is_the_headline(plain: tuple[GroupDifferenceResult, np.ndarray, np.ndarray]) -> None:
    """Where no single variable differs: both means and the interval, in screen, card, report and JSON alike."""
    found, *_ = plain
    (scale,) = found.scales
    size, low, high = scale.difference
    assert found.headline() == (
        f"The mean of 6 items scored 1 to 4 is higher in new: {scale.means[1]:.2f} v {scale.means[0]:.2f}, difference "
        f"{size:.2f} (95 %: {low:.2f} to {high:.2f})."
    )
    assert found.headline() in found.summary() and json.loads(found.to_json())["headline"] == found.headline()
    assert found.sentences()[0] == "Each of the 6 items has the higher mean there."
    assert str(found.how_sure()[0]).startswith(f"{found.sentences()[0]} {found.sentences()[1]}")


def test_a_variable_that_differs_stays_the_headline() -> None:
    """The scale then stands below it, with its interval."""
    codes, second = answers(1)
    found = compared(codes, second, {"ward": np.where(second, "a", "b")})
    assert found.scales[0].clear and "ward" in found.headline()
    assert str(found.sentences()[0]).startswith("The mean of 6 items scored 1 to 4 is higher in new: ")


def test_scales_of_tables_without_a_difference_are_rarely_clear() -> None:
    """In 1 of 100 such tables, and by the test that SciPy has; with one of them the headline has no word of a scale."""
    codes, second = answers(3, shift=0.0)
    found = compared(codes, second)
    assert found.rows is not None and found.described is not None
    groups, clear, rng = split_groups(found.method, found.rows), [], np.random.default_rng(8)
    for _ in range(300):
        shuffled = replace(groups, inside=rng.permutation(groups.inside))
        (scale,) = compare_items(shuffled, found.described.variables)
        means = codes.mean(axis=1)
        p = stats.ttest_ind(means[shuffled.inside], means[~shuffled.inside], equal_var=False).pvalue
        assert scale.clear == (p < 0.01) or abs(p - 0.01) < 0.003, "the skewness of the answers moves it by a little"
        clear.append(scale.clear)
    assert 0 < sum(clear) <= 8, "3 are expected"
    assert not found.scales[0].clear and str(found.headline()).startswith("No variable is seen to differ")
    assert str(found.sentences()[0]).startswith("The mean of 6 items scored 1 to 4 is 2.43 in new, 2.35 in old: ")
    assert str(found.sentences()[0]).endswith(", uncorrected.")


def test_which_group_is_first_turns_nothing_but_the_sign() -> None:
    """The sentence names the group that is higher, whichever is subtracted."""
    codes, second = answers(2)
    one, other = compared(codes, second), compared(codes, ~second)
    assert one.scales[0].difference == pytest.approx([-end for end in np.array(other.scales[0].difference)[[0, 2, 1]]])
    assert str(one.scales and one.headline()).replace("in new", "in old") == str(other.headline())


def test_an_item_keyed_the_other_way_is_left_out_and_named() -> None:
    """It is not turned round silently, nor does it weigh against the others."""
    codes, second = answers(3)
    codes[:, 4] = 3 - codes[:, 4]
    found = compared(codes, second)
    (scale,) = found.scales
    assert scale.against == ("item5",) and len(scale.items) == 5
    means = 1 + np.delete(codes, 4, axis=1).mean(axis=1)
    assert scale.means == pytest.approx((means[~second].mean(), means[second].mean()))
    assert "Left out, since they go against these: item5." in found.sentences()[0]


def test_what_does_not_hang_together_is_not_added_up() -> None:
    """Unrelated columns with the same levels, and half of the items keyed the other way."""
    codes, second = answers(4)
    rng = np.random.default_rng(5)
    assert compared(rng.permuted(codes, axis=0), second).scales == ()
    codes[:, ::2] = 3 - codes[:, ::2]
    assert compared(codes, second).scales == ()


def test_beginnings_of_names_part_scales() -> None:
    """Two questionnaires with one set of answers are two scales, and each is named by its items."""
    rng = np.random.default_rng(6)
    first, second = answers(7, shift=0.0)
    other = np.digitize(rng.normal(size=(len(second), 1)) + rng.normal(size=(len(second), 4)), (-1.0, 0.2, 1.4))
    columns = {f"low_{i}": np.array(WORDS)[first[:, i]] for i in range(6)}
    columns |= {f"fear_{i}": np.array(WORDS)[other[:, i]] for i in range(4)}
    table = pd.DataFrame({"group": np.where(second, "new", "old"), **columns})
    data = engine.Dataset.from_frame(
        table, kinds=dict.fromkeys(columns, "ordinal"), levels=dict.fromkeys(columns, WORDS)
    )
    found = engine.GroupDifference(group="group", groups=("old", "new")).run(data)
    assert isinstance(found, GroupDifferenceResult)
    assert [len(scale.items) for scale in found.scales] == [6, 4]
    assert "(low_0 to low_5)" in found.sentences()[0] and "(fear_0 to fear_3)" in found.sentences()[1]


def test_a_saved_answer_says_it_again(
    plain: tuple[GroupDifferenceResult, np.ndarray, np.ndarray], tmp_path: Path
) -> None:
    """The means stand in the file, since the rows do not."""
    found, *_ = plain
    engine.save(found, tmp_path / "answer.diptych")
    again = engine.load(tmp_path / "answer.diptych")
    assert again.sentences() == found.sentences()
