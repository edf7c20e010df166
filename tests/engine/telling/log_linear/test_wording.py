"""Notes at links that the way a table was made may explain: one-hot columns, codes that follow, gaps that coincide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import engine
from engine.methods.log_linear.pair_evidence import contrast_of, share_ends, strongest_link
from engine.methods.storing import decode, encode
from engine.telling.log_linear.wording import contrast_cells, contrast_words, held_sentence, level_note, links_counted
from engine.words import in_percent

YES = ("no", "yes")


def frame(**columns: np.ndarray) -> engine.Dataset:
    """A data set of words; empty cells are a level."""
    return engine.Dataset.from_frame(pd.DataFrame(columns), missing="level")


def one_hot(rows: int = 600) -> engine.Dataset:
    """Which of three arms, a column each; age has nothing to do with them."""
    rng = np.random.default_rng(0)
    arm = rng.integers(0, 3, rows)
    columns = {name: np.where(arm == k, "yes", "no") for k, name in enumerate(("placebo", "low", "high"))}
    return frame(**columns, old=np.where(rng.random(rows) < 0.5, "yes", "no"))


def test_columns_of_which_each_row_has_one() -> None:
    """The question stands at the link: in the table, in the sentences, in the document; and is stored."""
    result = engine.LogLinear().run(one_hot())
    assert result.edge_values
    note = "no row has both: cannot {} and {} both be yes by construction?"
    for pair in result.edge_values:
        assert result.link_notes[pair] == note.format(*pair)
        assert f"But {result.link_notes[pair]}" in result.independence(*pair)
    assert result.table("Edges").note.str.contains("by construction").all()
    assert all("by construction" in edge["note"] for edge in result.document()["edges"])
    assert any("by construction" in one for one in result.sentences())
    again = decode(encode(result))
    assert again.link_notes == result.link_notes


def test_a_link_whose_shares_are_alike_is_told_with_what_it_takes() -> None:
    """Two causes of one effect go together among rows alike in it, and not over all rows."""
    rng = np.random.default_rng(3)
    south, sepsis = (rng.random(2000) < 0.5 for _ in range(2))
    high = rng.random(2000) < 0.05 + 0.45 * south + 0.45 * sepsis
    words = {"hospital": np.where(south, "South", "North")}
    words |= {name: np.where(value, "yes", "no") for name, value in (("sepsis", sepsis), ("lactate high", high))}
    result = engine.LogLinear().run(frame(**words))
    pair = next(pair for pair in result.edge_values if set(pair) == {"hospital", "sepsis"})
    contrast, only = contrast_of(result, *pair), "only with lactate high held fixed"
    assert contrast is not None and contrast.here[1] + contrast.elsewhere[1] == 2000, "the shares are of all rows"
    said = contrast_words(result, *pair)
    assert said.startswith("Overall hospital and sepsis are not seen to be associated (")
    assert said.endswith("; holding lactate high fixed links them, which can happen when both act on it")
    assert "strong evidence" not in result.independence(*pair)
    for own in set(result.edge_values) - {pair}:
        said, cells = contrast_words(result, *own), contrast_cells(result, *own)
        assert "held fixed" not in said
        here, elsewhere = (str(cells[head]).partition(" (") for head in ("share there", "otherwise"))
        assert said.startswith(f"{cells['share of']} in {here[0]} ("), "cells say what the headline does"
        assert f" where {cells['where']}, {elsewhere[0]} (" in said
        one = contrast_of(result, *own)
        for ends, (hits, n) in ((here[2], one.here), (elsewhere[2], one.elsewhere)):
            low, high = binomtest(int(hits), int(n)).proportion_ci(method="wilson")
            assert ends == f"{100 * low:.0f} to {100 * high:.0f})"
            fewer = replace(result, effect=4.0)
            low, high = binomtest(int(hits) // 4, int(n) // 4).proportion_ci(method="wilson")
            assert share_ends(fewer, (hits // 4 * 4, n // 4 * 4)) == pytest.approx((low, high)), (
                "of rows that tell less"
            )
    dotted = held_sentence(result)
    assert dotted == "The dotted link may only mean that hospital and sepsis both act on lactate high."
    counted = f"2 links, and 1 {only}"
    assert links_counted(result, list(result.edge_values)) == counted
    assert "strongest of 2 links" in result.headline() and f"; hospital – sepsis {only}" in result.sentences()[0]
    first, second = sorted(result.edge_values[own].evidence_bits for own in set(result.edge_values) - {pair})[::-1]
    assert second > 0.8 * first
    assert f"the fit worsens by {in_percent(second / first)} of that" in result.sentences()[0], (
        "the next is near, and said to be"
    )
    assert not any("all linked with each other" in sentence for sentence in result.sentences())
    last = result.table("Edges").iloc[-1]
    assert {last.a, last.b} == {*pair} and np.isnan(last.p)
    assert last.shares.startswith("no overall association seen (") and last.shares.endswith(f"; linked {only}")


def test_a_long_level_of_both_is_said_once() -> None:
    """Two items of a questionnaire answered alike."""
    scale, one = np.array(["does not apply at all", "applies very much"]), np.arange(200) % 10 < 3
    result = engine.LogLinear().run(frame(panic=scale[one.astype(int)], worry=scale[(one ^ (np.arange(200) < 9)) * 1]))
    said = contrast_words(result, *strongest_link(result))
    assert said.startswith(
        "worry = “does not apply at all” in 96\u00a0% (134 of 140) where panic is too, 5\u00a0% (3 of 60)"
    )


def test_a_code_that_follows_from_another() -> None:
    """Nobody is pregnant and male: the level that goes with one level only, whichever way round."""
    rng = np.random.default_rng(1)
    sex = np.where(rng.random(400) < 0.5, "male", "female")
    pregnant = np.where((sex == "female") & (rng.random(400) < 0.2), "yes", "no")
    for data in (frame(sex=sex, pregnant=pregnant), frame(pregnant=pregnant, sex=sex)):
        result = engine.LogLinear().run(data)
        (note,) = result.link_notes.values()
        rule = "every row with pregnant = yes has sex = female"
        assert note == f"{rule}: does the one follow from the other?"


def test_columns_that_are_missing_together() -> None:
    """Two unrelated answers on a sheet that was not filled in: the link is that, and is gone without these rows."""
    rng = np.random.default_rng(2)
    gone = rng.random(600) < 0.3
    x, y, z = (rng.choice(["a", "b", "c"], 600) for _ in range(3))
    z = np.where(rng.random(600) < 0.6, x, z)
    sheet = {name: np.where(gone, None, own) for name, own in (("x", x), ("y", y), ("z", z))}
    result = engine.LogLinear().run(frame(**sheet))
    told = {frozenset(pair): note for pair, note in result.link_notes.items()}
    assert set(told) == set(map(frozenset, result.edge_values))
    prefix = "they are missing together: without those rows there is "
    real = told[frozenset("xz")]
    assert real == f"{prefix}very strong evidence for the link (p\u00a0<\u00a0.001)."
    others = [note for pair, note in told.items() if pair != frozenset("xz")]
    assert others
    for note in others:
        assert note.startswith((f"{prefix}very strong evidence against the link", f"{prefix}strong evidence against"))
        assert "p\u00a0<\u00a0.001" not in note
    alone = engine.LogLinear().run(frame(**{name: own[~gone] for name, own in (("x", x), ("z", z))}))
    pair = next(pair for pair in result.edge_values if set(pair) == {"x", "z"})
    own, whole = alone.supports["x", "z"], result.supports[pair]
    assert own.log_bayes_factor < whole.log_bayes_factor
    assert own.log10_p < -3


@pytest.mark.parametrize(
    ("levels", "table", "noted"),
    [
        ((YES, YES), [[40, 20], [20, 0]], "by construction"),
        ((YES, YES), [[40, 20], [20, 1]], ""),
        ((YES, YES), [[200, 20], [20, 0]], ""),
        ((YES, YES), [[0, 20], [20, 40]], "every row with"),
        ((("f", "m"), YES), [[40, 20], [40, 0]], "follow"),
        ((("f", "m"), YES), [[40, 3], [40, 0]], ""),
        ((("low", "mid", "high"), ("a", "b", "c")), [[30, 9, 0], [20, 30, 20], [0, 9, 30]], ""),
        ((("low", "mid", "high"), ("a", "b", "c")), [[30, 0, 0], [20, 30, 20], [0, 9, 30]], "u = low"),
    ],
)
def test_what_is_noted(levels: tuple[tuple[str, ...], ...], table: list[list[int]], noted: str) -> None:
    """An empty cell where five rows and more were expected, and no other; scales that go together are no rule."""
    note = level_note(("u", "v"), dict(zip("uv", levels, strict=True)), np.array(table))
    assert (noted in note) if noted else note == ""


def test_an_ordinary_table_has_no_notes() -> None:
    """Nor a column for them."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, 500)
    y = np.where(rng.random(500) < 0.8, x, 1 - x)
    result = engine.LogLinear().run(engine.Dataset.from_codes([x, y], [YES, YES], ["x", "y"]))
    assert result.edge_values
    assert not result.link_notes
    assert "note" not in result.table("Edges").columns
