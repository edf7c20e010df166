"""Links of numbers that were cut are checked with the numbers: forks are pale, direct and curved links are not."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.log_linear.number_checks import FROM_THE_CUT


def fork(rows: int, direct: float = 0.0, curved: float = 0.0, bent: bool = False, seed: int = 0) -> engine.Dataset:
    """x <- c -> y by .9, or along curves, with another way from x to y; and whether something happens, by c alone."""
    generator = np.random.default_rng(seed)
    c, e, f = generator.normal(size=(3, rows))
    x = 0.9 * c + math.sqrt(0.19) * e
    y = 0.9 * c + math.sqrt(0.19) * f + direct * e + curved * (e**2 - 1)
    if bent:
        x, y = c**2 + 0.5 * e, np.sin(2 * c) + c**2 + 0.5 * f
    died = np.where(generator.random(rows) < 1 / (1 + np.exp(-3 * c)), 1, 0)
    frame = pd.DataFrame({"c": c, "x": np.exp(x), "y": y, "died": died, "ward": generator.choice(["A", "B"], rows)})
    return engine.Dataset.from_frame(frame, kinds=dict.fromkeys("cxy", "continuous"))


def test_a_fork_of_numbers_may_come_from_the_cut() -> None:
    """Thirds link the ends of a fork; the numbers do not: status, claim, note, headline and JSON say so."""
    result = engine.LogLinear(criterion="smt").run(fork(3000))
    assert ("x", "y") in result.edge_values and result.from_the_cut(("x", "y"))
    check = result.number_check("y", "x")
    assert check is not None and {"c"} <= set(check.cut) and check.low < 0 < check.high and abs(check.correlation) < 0.1
    status = {frozenset((row.source, row.target)): row.status for row in result.edges().itertuples()}
    assert status[frozenset("xy")] == FROM_THE_CUT and status[frozenset("cx")] == status[frozenset("cy")] == "linked"
    claims = result.claims().set_index("about")["verdict"]
    assert claims["x -- y"] == "cannot tell" and claims["c -- x"] == "yes"
    assert FROM_THE_CUT in result.link_notes["x", "y"] and FROM_THE_CUT in result.summary()
    assert any("alpha does not bound" in note for note in result.notes())
    [edge] = [row for row in result.document()["edges"] if {row["a"], row["b"]} == {"x", "y"}]
    assert edge["from_the_cut"] and edge["partial_correlation"] == check.correlation
    assert not any("alpha does not bound" in note for note in engine.LogLinear().run(fork(300)).notes())


def test_a_fork_along_curves_is_taken_out_too() -> None:
    """A line through c would leave a part of both curves, and call their ends linked."""
    result = engine.LogLinear().run(fork(1500, bent=True))
    assert ("x", "y") in result.edge_values and result.from_the_cut(("x", "y"))


@pytest.mark.parametrize("way", [{"direct": 0.25}, {"curved": 0.3}])
def test_a_link_that_numbers_show_stays(way: dict[str, float]) -> None:
    result = engine.LogLinear().run(fork(3000, **way))
    check = result.number_check("x", "y")
    assert check is not None and check.shown and not result.from_the_cut(("x", "y"))


def test_an_association_through_a_cut_number_is_not_called_one() -> None:
    """Whether one dies hangs on c alone: given its thirds x still tells of it, and the sentence says why."""
    result = engine.LogLinear().run(fork(1500, seed=2))
    check = result.number_check("x", "died")
    assert check is not None and check.of == ("", "1") and check.from_the_cut
    text = result.independence("x", "died")
    assert f"which {FROM_THE_CUT}: given" in text or f"it {FROM_THE_CUT}" in text


def test_sentences_speak_of_the_level_that_one_speaks_of() -> None:
    """Never of the share that did not die, whichever cell is farthest off."""
    generator = np.random.default_rng(1)
    ill = generator.random(800) < 0.3
    died = generator.random(800) < np.where(ill, 0.43, 0.14)
    frame = pd.DataFrame({"ill": np.where(ill, "ja", "nein"), "died": died.astype(int)})
    result = engine.LogLinear().run(engine.Dataset.from_frame(frame))
    assert "died = 1 in 4" in result.headline() and "where ill = ja" in result.headline()
