"""What a table must be, and what is warned of."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from benchmarks.ordinal.gaps import with_gaps
from engine.methods.ordinal.answers import ONE_SIDED, read, warnings
from engine.models.latent_normal import UNKNOWN
from engine.project.file import to_bytes
from engine.words import in_percent
from tests.engine.methods.ordinal.make import chain, turned


def table(**kinds: str) -> engine.Dataset:
    """Three columns of two, three and four levels, each as often as the others."""
    codes = np.array([[0, 1] * 60, [0, 1, 2] * 40, [0, 1, 2, 3] * 30])
    return engine.Dataset.from_codes(codes, [2, 3, 4], ["two", "three", "four"], kinds=kinds)


def test_levels_without_an_order_are_refused_by_name_where_fewer_than_two_variables_have_one() -> None:
    """Two levels have an order all the same."""
    with pytest.raises(engine.DataError, match=r"'four' and 'three' have no order.*data page") as caught:
        read(table())
    assert caught.value.column == "four" and engine.Ordinal.unfit(table())
    assert read(table(three="ordinal", four="continuous")).levels == (4, 3, 2)


def test_variables_without_an_order_are_left_out_of_every_question() -> None:
    """The answer is that of the other variables, belongs to the whole table, and says what it leaves out."""
    some = table(three="ordinal")
    known = engine.Knowledge(forbidden=[("four", "two")], tiers=[["four"], ["two"], ["three"]])
    method = engine.Ordinal(draws=50, knowledge=known)
    result = method.run(some)
    alone = replace(method, knowledge=known.without(["four"])).run(some.select(["two", "three"]))
    assert not engine.Ordinal.unfit(some)
    assert result.names == ("two", "three") and result.fingerprint == some.fingerprint and result.method == method
    np.testing.assert_array_equal(result.correlation, alone.correlation)
    assert "Left out, as its levels have no order: four." in result.notes()
    halves = method.half_samples(some, runs=8, so_far=method.half_samples(some, runs=4))
    assert halves.names == ("two", "three") and halves.runs == 8
    for part in (halves, method.monte_carlo(some, seeds=2), method.edge_strength(some, runs=2), method.inclusion(some)):
        result = result.with_parts(part)
    again = engine.load(to_bytes(result))
    assert again.notes() == result.notes() and again.edges().equals(result.edges())
    assert set(method.log_loss(some, ["bge"], repeats=2)["approach"]) == {"osem", "bge"}


def test_one_value_only_is_refused_but_in_a_part_of_a_table() -> None:
    """Rows drawn again may all have the same answer."""
    codes = np.array([[0, 1, 0, 1], [0, 0, 0, 0]])
    data = engine.Dataset.from_codes(codes, [2, 2], ["a", "b"])
    with pytest.raises(engine.DataError, match="'b' has one value only"):
        read(data)
    assert read(data, strict=False).levels == (2, 2)


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few_rows_or_columns_are_refused(rows: int) -> None:
    """A sentence, not a failure of a library."""
    whole = chain(20)
    with pytest.raises(engine.DataError, match="two at least"):
        read(whole.rows(np.arange(rows)))
    with pytest.raises(engine.DataError, match="two columns or more"):
        read(whole.select(["a"]))


def test_missing_answers_are_refused_or_left_open() -> None:
    """Their level is no level then, and the others close up."""
    whole = chain(200)
    data = with_gaps(whole, 0.1, np.random.default_rng(1))
    with pytest.raises(engine.DataError, match=r"lacks \d+ answers; drop those rows.*missing='latent'"):
        read(data)
    answers = read(data, "latent")
    assert answers.gaps == 80
    assert answers.levels == (4, 4, 4, 4)
    back = np.empty_like(answers.codes)
    back[:, answers.rows] = answers.codes
    known = back != UNKNOWN
    assert np.array_equal(back[known], whole.select(sorted(whole.names)).codes[known])


def test_two_items_that_no_row_answers_both_are_refused_by_name() -> None:
    """One row with both is enough to be asked."""
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({name: generator.integers(1, 4, 120).astype(float) for name in "abc"})
    frame.loc[:59, "b"], frame.loc[60:, "c"] = np.nan, np.nan
    with pytest.raises(engine.DataError, match="No row has an answer to both 'b' and 'c'; leave one of them out"):
        read(engine.Dataset.from_frame(frame, missing="level"), "latent")
    frame.loc[0, "b"] = 1.0
    assert read(engine.Dataset.from_frame(frame, missing="level"), "latent").gaps == 119


def test_a_file_with_gaps_keeps_the_order_of_its_scales() -> None:
    """With a level for missing cells a variable has no order as a whole; but for those it has."""
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({name: generator.integers(0, 4, 120).astype(float) for name in "abc"})
    frame.loc[3, "b"] = np.nan
    data = engine.Dataset.from_frame(frame, missing="level")
    assert data.kinds["b"] == "nominal"
    answers = read(data, "latent")
    assert answers.gaps == 1
    assert engine.Ordinal(missing="latent", draws=10).run(data).levels["b"] == ("0", "1", "2", "3")
    assert read(data.recipe.apply(frame), "latent").gaps == 1


def test_a_declared_level_that_no_row_has_keeps_its_place() -> None:
    """So that rows held out can have it."""
    codes = np.array([[0, 1, 3, 0], [0, 1, 1, 0]])
    data = engine.Dataset.from_codes(codes, [4, 2], ["a", "b"], kinds={"a": "ordinal"})
    assert read(data).levels == (4, 2)
    assert sorted(read(data).codes[0].tolist()) == [0, 0, 1, 3]


def test_no_order_of_rows_or_columns_matters() -> None:
    """The codes are the same, whatever the table looked like."""
    data = chain(150)
    one, other = read(data), read(turned(data))
    assert np.array_equal(one.codes, other.codes)
    assert one.data.names == other.data.names


def test_warnings_name_what_ruins_recovery() -> None:
    """Two levels, an end that holds nearly all rows, a level that holds nearly none."""
    n = 1000
    codes = np.array([[0] * 500 + [1] * 500, [0] * 800 + [1] * 100 + [2] * 100, [0] * 20 + [1] * 490 + [2] * 490])
    names = ["half", "sided", "rare"]
    data = engine.Dataset.from_codes(codes, [2, 3, 3], names, kinds=dict.fromkeys(names, "ordinal"))
    said = warnings(read(data))
    assert len(said) == 3
    assert said[0] == "half has only two levels; links of it are found less often."
    assert said[1].startswith(f"sided has more than {in_percent(ONE_SIDED)} of the rows at one end;")
    assert said[2].startswith("rare has a level with fewer than 3\u00a0% of the rows;")
    assert not warnings(read(chain(n)))


def test_scales_in_words_go_from_a_file_to_an_answer() -> None:
    """24 columns of never, sometimes and often: not in the order of the alphabet, and without a click."""
    generator = np.random.default_rng(3)
    words = np.array(["never", "sometimes", "often"])
    first = generator.integers(0, 3, 300)
    columns = {f"scale {i:02d}": words[np.where(generator.random(300) < 0.5, first, generator.integers(0, 3, 300))]
               for i in range(24)}  # fmt: skip
    text = pd.DataFrame(columns).to_csv(index=False)
    data = engine.Dataset.from_frame(engine.read_table(io.BytesIO(text.encode()), name="scales.csv"))
    assert set(data.levels.values()) == {("never", "sometimes", "often")}
    assert set(data.kinds.values()) == {"ordinal"}
    result = engine.Ordinal(approach="bge").run(data)
    assert result.n_links > 0
    assert (result.edge_table()["partial"] > 0).mean() > 0.9
