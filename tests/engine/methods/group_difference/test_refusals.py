"""Settings that cannot be, groups that cannot be compared, and odd tables that can."""

from __future__ import annotations

import json

import numpy as np
import pytest

import engine
from tests.engine.make import two_groups


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"p_same": 0}, "p_same"),
        ({"p_same": 1.0}, "p_same"),
        ({"p_same": float("nan")}, "p_same"),
        ({"p_level": "row"}, "p_level"),
        ({"alignment": "best"}, "alignment"),
        ({"search": "ask"}, "search"),
        ({"groups": ("a", "a")}, "two different levels"),
        ({"groups": "ab"}, "list of names"),
        ({"groups": tuple("abcdefg")}, "up to 5 others"),
        ({"score": "k2"}, "score"),
        ({"max_parents": -2}, "max_parents"),
    ],
)
def test_bad_settings_are_refused_by_name(settings_: dict, words: str) -> None:
    """Each setting that cannot be has a sentence with its name."""
    with pytest.raises(engine.SettingsError, match=words):
        engine.GroupDifference(group="group", **settings_)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (engine.GroupDifference(group="nobody"), "no variable 'nobody'"),
        (engine.GroupDifference(group="v00", groups=("0", "9")), "no level '9'"),
        (engine.GroupDifference(group="seven"), "7 levels"),
        (engine.GroupDifference(group="three", groups=("x", "y", "nobody")), "no level 'nobody'"),
        (engine.GroupDifference(group="three", groups=("x", "unseen")), "No row has"),
    ],
)
def test_a_group_that_cannot_be_compared_is_named(method: engine.GroupDifference, words: str) -> None:
    """A missing column, a missing level, too many levels: each gets its sentence."""
    data = two_groups(30, 3, 2, seed=0)
    codes = np.vstack([data.codes, *((np.arange(60) % k).astype(np.uint8)[None, :] for k in (3, 7))])
    levels = [*[data.levels[n] for n in data.names], ["x", "y", "z", "unseen"], 7]
    wider = engine.Dataset.from_codes(codes, levels, [*data.names, "three", "seven"])
    with pytest.raises(engine.DataError, match=words):
        method.run(wider)


def test_a_copy_of_the_group_and_an_identifier_are_named() -> None:
    """A recoded group column and a column of nearly distinct values get a sentence in the summary."""
    data = two_groups(60, 3, 2, seed=0)
    codes = np.vstack([data.codes, data.codes[-1:], np.arange(120)[None, :].astype(np.uint8)])
    levels = [*[data.levels[n] for n in data.names], ["x", "y"], 120]
    wider = engine.Dataset.from_codes(codes, levels, [*data.names, "again", "number"])
    summary = engine.GroupDifference(group="group").run(wider).summary()
    assert "again, number: no value occurs in both groups" in summary
    split = codes.copy()
    split[-1] = np.arange(120) % 30
    summary = engine.GroupDifference(group="group").run(engine.Dataset.from_codes(split, levels, wider.names)).summary()
    assert "number: many levels for 120 rows" in summary


@pytest.mark.parametrize("rows", [(1, 1), (1, 500), (500, 1)])
def test_tiny_groups_and_constant_columns_give_finite_odds(rows: tuple[int, int]) -> None:
    """One row in a group, and columns without variation, are answered, not crashed on."""
    a, b = rows
    rng = np.random.default_rng(0)
    codes = np.vstack([rng.integers(0, 2, (3, a + b)), np.zeros((1, a + b), int), np.repeat([0, 1], rows)[None, :]])
    data = engine.Dataset.from_codes(codes, [2, 2, 2, 1, ["a", "b"]], ["x", "y", "z", "constant", "group"])
    result = engine.GroupDifference(group="group").run(data)
    assert np.isfinite(result.log_odds).all()
    assert result.log_odds["constant"] == pytest.approx(0.0, abs=1e-9)
    assert result.summary()
    assert json.loads(result.to_json())
    for name in result.names:
        assert len(result.contexts(name)) >= 1
        assert len(result.distributions(name)) >= 2


@pytest.mark.parametrize("label", ["all other rows", "pooled", "both groups together", "a) in b"])
def test_labels_that_sound_like_our_own_words_stay_apart(label: str) -> None:
    """A group called like the rest, or like the pooled network, loses no network, parents or column."""
    data = two_groups(80, 4, 5, seed=3, changed=True)
    levels = [*[data.levels[n] for n in data.names[:-1]], [label, "b"]]
    levels[0] = [f"{i}) in b" for i in range(len(levels[0]))]
    odd = engine.Dataset.from_codes(data.codes, levels, data.names)
    for groups in ((label,), (label, "b")):
        result = engine.GroupDifference(group="group", groups=groups).run(odd)
        assert len(set(result.labels)) == 2
        assert len(result.graphs()) == 3
        for name in result.names:
            assert len(result.parents(name)) == 3
            assert len(result.contexts(name).columns) == 7 + 2 * len(result.levels[name])
        assert result.summary()


def test_a_constant_column_is_never_called_different() -> None:
    """A prior below one half makes its odds favour a difference; it is said to hold no evidence all the same."""
    data = two_groups(60, 3, 2, seed=1)
    codes = np.vstack([data.codes, np.zeros((1, 120), np.uint8)])
    wider = engine.Dataset.from_codes(codes, [*[data.levels[n] for n in data.names], 1], [*data.names, "aaa"])
    result = engine.GroupDifference(group="group", p_same=0.1).run(wider)
    assert result.both().loc["aaa", "favour"] == "neither"
    assert result.variables().loc["aaa", ["verdict", "alone"]].tolist() == ["one level", ""]
    assert result.variables().index[-1] == "aaa"
    assert result.explain("aaa") == ["aaa has one level only, so nothing can be said."]
    assert result.ranking().index[-1] == "aaa"
    assert "aaa" not in result.summary().splitlines()[0]


@pytest.mark.parametrize(
    "settings_", [{"order": 5}, {"groups": 3}, {"p_same": None}, {"alignment": None}, {"seed": 1.5}]
)
def test_settings_of_a_wrong_kind_are_refused_by_name(settings_: dict) -> None:
    """A number where names belong, nothing where something must be: a sentence, never a traceback."""
    with pytest.raises(engine.SettingsError, match=next(iter(settings_))):
        engine.GroupDifference(group="group", **settings_)
    with pytest.raises(engine.SettingsError, match="group"):
        engine.GroupDifference(group=["group"])  # type: ignore[arg-type]


def test_every_question_about_a_variable_says_that_it_was_not_compared() -> None:
    """The group column itself, or a name that is no variable: one sentence from each."""
    result = engine.GroupDifference(group="group").run(two_groups(60, 3, 2, seed=1))
    for ask in (result.contexts, result.distributions, result.parents, result.explain):
        for name in ("group", "nobody"):
            with pytest.raises(engine.DataError, match=f"'{name}' was not compared"):
                ask(name)
