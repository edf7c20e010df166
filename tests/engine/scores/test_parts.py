"""The parts of a family's score sum to the score, and its counts are those of the rows."""

from __future__ import annotations

import pytest

import engine
from engine.scores.local import LocalScore
from engine.scores.parts import score_parts
from tests.engine.make import random_data

SCORES = [engine.K2(), engine.BDeu(0.3), engine.BDe(2.0), engine.GaussianBIC(2.0), engine.BGe()]


@pytest.mark.parametrize("score", SCORES, ids=repr)
@pytest.mark.parametrize("parents", [[], ["v00"], ["v03", "v01"], ["v00", "v01", "v03", "v04"]])
def test_the_terms_sum_to_the_score(score: LocalScore, parents: list[str]) -> None:
    """To 1e-9, for families of no parent up to more configurations than rows."""
    data = random_data(60, 5, 7, 11)
    parts = score_parts(data, "v02", parents, score)
    assert parts.total == pytest.approx(score.family(data, "v02", parents), abs=1e-9)
    assert parts.tabulate_terms()["nats"].iloc[-1] == parts.total


def test_the_table_has_the_counts_of_the_rows() -> None:
    """Every configuration that occurs, its counts by level, and pseudo-counts that sum to the prior of the row."""
    data = random_data(200, 4, 5, 2, (2, 3))
    parts = score_parts(data, "v03", ["v00", "v01"], engine.BDeu(4.0))
    frame = data.to_frame().astype(str)
    groups = frame.groupby(["v00", "v01", "v03"], observed=True).size()
    levels = data.levels["v03"]
    for row in parts.table.to_dict("records"):
        found = [groups.get((row["v00 ="], row["v01 ="], level), 0) for level in levels]
        assert [row[f"v03 = {level}"] for level in levels] == found
        assert row["N"] == sum(found) > 0
        assert row["α of the row"] == pytest.approx(row["α of a cell"] * len(levels))
    assert parts.table["N"].sum() == data.n_rows
    q = len(data.levels["v00"]) * len(data.levels["v01"])
    assert parts.table["α of the row"].iloc[0] == pytest.approx(4.0 / q)
    assert parts.table["score"].sum() == pytest.approx(parts.total)
    assert "equivalent sample size" in parts.prior and "r levels" in parts.source


def test_another_score_is_refused() -> None:
    """A score of one's own has no equation here, even below K2."""

    class Half(engine.K2):
        def cell_prior(self, configurations: float, levels: int) -> float:
            return 0.5

    with pytest.raises(engine.SettingsError, match="not known"):
        score_parts(random_data(20, 3, 2, 1), "v00", [], Half())
