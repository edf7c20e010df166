"""Weights that are counts, and copies that count once: as if the table had been written so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.data.preparing import used_rows
from engine.errors import DataError


def table(seed: int, n: int = 40) -> pd.DataFrame:
    """Numbers, words and some gaps, with counts from 0 to 4."""
    rng = np.random.default_rng(seed)
    found = pd.DataFrame(
        {"age": rng.integers(20, 80, n), "sex": rng.choice(["f", "m"], n), "ill": rng.integers(0, 2, n)}
    )
    found.loc[rng.random(n) < 0.1, "age"] = None
    return found.assign(times=rng.integers(0, 5, n))


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_weights_repeat_rows(seed: int) -> None:
    """Codes, cut points and numbers are those of the table with every row written so often."""
    given_ = table(seed)
    data = engine.Recipe(roles={"times": "weight"}).apply(given_)
    written = given_.loc[given_.index.repeat(given_["times"])]
    other = engine.Recipe(roles={"times": "identifier"}).apply(written.reset_index(drop=True))
    assert (data.codes == other.codes).all()
    assert data.cuts == other.cuts
    assert data.origin.tolist() == written.index[written["age"].notna()].tolist()
    assert data.numbers["age"].column.tolist() == other.numbers["age"].column.tolist()
    assert [one.counts for one in data.report.columns[:3]] == [one.counts for one in other.report.columns[:3]]
    again = data.recipe.apply(given_)
    assert again.fingerprint == data.fingerprint
    assert again.report.rows_sentence() == data.report.rows_sentence()


def test_the_report_says_what_the_weights_do() -> None:
    """Rows used, rows they count as, rows of weight 0 and rows with gaps."""
    given_ = pd.DataFrame({"x": ["a", "b", "a", None, "b"], "y": list("cddcc"), "n": [3, 0, 2, 1, 1]})
    data = engine.Recipe(roles={"n": "weight"}).apply(given_)
    assert data.n_rows == 6
    assert data.report.rows_sentence() == (
        "3 of 5 rows are used and count as 6, by 'n'; 1 were dropped because they lack a value in 'x' (1). 1 row have "
        "the weight 0."
    ).replace("1 row have", "1 row has")


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 0.5, 2, 1], "row 2 has '0.5'"),
        ([1, 2, -3, 1], "row 3 has '-3'"),
        ([1, 2, 1, None], "row 4 has no value"),
        (["1", "many", "2", "1"], "row 2 has 'many'"),
        ([0, 0, 0, 0], "has the weight 0"),
        ([1, 1, 1, 30_000_000], "more than 20,000,000"),
        ([1, 1, 1, 1e300], "more than 20,000,000"),
    ],
)
def test_weights_that_are_no_counts_are_refused(weights: list[Any], words: str) -> None:
    """One sentence: what is wrong, where, and what to do; a wrong weight in a row that is left out does no harm."""
    given_ = pd.DataFrame({"x": list("abab"), "y": list("ccdd"), "w": weights})
    with pytest.raises(DataError, match=r"[Tt]ake the role away|none is left") as caught:
        engine.Recipe(roles={"w": "weight"}).apply(given_)
    assert words in str(caught.value)
    assert caught.value.column == "w"


def test_a_wrong_weight_of_a_row_that_is_not_used_does_no_harm() -> None:
    """Nor one outside of the filter; the row of a wrong one is that of the table."""
    given_ = pd.DataFrame({"x": ["a", "b", None, "a", "b"], "y": list("ccddc"), "w": [1, 2, -1, 0.5, 3]})
    roles = {"w": "weight"}
    assert engine.Recipe(roles=roles, where=[("w", "is not", "0.5")]).apply(given_).n_rows == 6
    outside = engine.Recipe(roles=roles, where=[("y", "is", "d")], missing="level")
    with pytest.raises(DataError, match=r"row 4 has '0\.5'"):
        outside.apply(given_.assign(w=[1, 2, 1, 0.5, 3], z=list("abcde")[::-1], v=list("ababb")))


def test_copies_count_once_where_that_is_chosen() -> None:
    """The first of equal rows stays, equal as they were read and not as they are cut; saved and applied again too."""
    given_ = pd.concat([table(3).drop(columns="times")] * 2, ignore_index=True)
    recipe = engine.Recipe(rows={"copies": "once"})
    data = recipe.apply(given_)
    expected = given_.dropna().drop_duplicates()
    assert data.origin.tolist() == expected.index.tolist()
    assert data.report.rows_copied == len(given_.dropna()) - len(expected)
    assert f"{data.report.rows_copied} rows are copies of another one" in data.report.rows_sentence()
    assert engine.Recipe.load(data.recipe.to_json().encode()).apply(given_).fingerprint == data.fingerprint
    assert recipe.steps() == ["Rows: copies of another row do not count."]
    with pytest.raises(DataError, match="'rows' has"):
        engine.Recipe(rows={"copies": "twice"})


def test_only_copies_of_flagged_rows_are_looked_for() -> None:
    """The slow way: a set of what was seen."""
    rng = np.random.default_rng(0)
    columns, rows = [rng.integers(-1, 3, 80), rng.integers(0, 4, 80)], rng.random(80) < 0.7
    seen: set[tuple[int, ...]] = set()
    slow = []
    for i in range(80):
        content = tuple(int(one[i]) for one in columns)
        slow.append(bool(rows[i]) and content not in seen)
        seen |= {content} if rows[i] else set()
    assert used_rows.first_of_copies(columns, rows).tolist() == slow
