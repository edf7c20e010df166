"""Percentiles given all other values: the Gaussian closed form, a simulation, and what others determine."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import engine
from engine.models.conditional_percentiles import ConditionalPercentiles

CUTS = [-np.inf, -1.0, 0.2, 0.9, np.inf]


def latent(rows: int, columns: int, seed: int) -> np.ndarray:
    """(rows, columns) normal vectors with correlations of either sign."""
    generator = np.random.default_rng(seed)
    mixed = generator.normal(size=(columns, columns + 3))
    covariance = mixed @ mixed.T
    spread = np.sqrt(np.diag(covariance))
    return generator.multivariate_normal(np.zeros(columns), covariance / np.outer(spread, spread), rows)


def numbers(values: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({f"v{i}": np.exp(values[:, i]) for i in range(values.shape[1])})


def test_numbers_alone_have_the_closed_form() -> None:
    """Of every row: the normal conditional of ranks' scores, by regression on the others, to 1e-8."""
    frame = numbers(latent(300, 5, 0))
    data = engine.Dataset.from_frame(frame, kinds=dict.fromkeys(frame, "continuous"))
    model = ConditionalPercentiles.of(data)
    scores = special.ndtri((frame.rank().to_numpy() - 0.5) / len(frame))
    correlation = np.corrcoef(scores.T)
    for row in (0, 17, int(frame["v0"].idxmax())):
        found = model.percentiles(frame.loc[row].to_dict(), {})
        for j, name in enumerate(frame):
            rest = [i for i in range(5) if i != j]
            weights = np.linalg.solve(correlation[np.ix_(rest, rest)], correlation[rest, j])
            z = (scores[row, j] - weights @ scores[row, rest]) / math.sqrt(1 - weights @ correlation[rest, j])
            assert found[name].given == pytest.approx(stats.norm.cdf(z), abs=1e-8)
            assert found[name].overall == pytest.approx(stats.norm.cdf(scores[row, j]), abs=1e-12)


def test_ratings_are_averaged_over_their_intervals() -> None:
    """Against rejection draws from the model's own correlations, within their error; more ratings say more."""
    values = latent(1500, 5, 3)
    frame = numbers(values[:, :2])
    for i, kind in ((2, "ordinal"), (3, "ordinal"), (4, "nominal")):
        levels = ["a", "b", "c", "d"] if kind == "ordinal" else ["no", "yes"]
        cuts = CUTS if kind == "ordinal" else [-np.inf, 0.3, np.inf]
        frame[f"v{i}"] = pd.cut(values[:, i], cuts, labels=levels).astype(str)
    data = engine.Dataset.from_frame(frame, kinds={"v2": "ordinal", "v3": "ordinal", "v4": "nominal"})
    model = ConditionalPercentiles.of(data)
    assert model.numbers == ("v0", "v1") and model.ratings == ("v2", "v3", "v4") and not model.flags
    assert np.abs(model.correlation - np.corrcoef(values.T)).max() < 0.09
    generator, row = np.random.default_rng(5), 8
    known = {name: float(frame.at[row, name]) for name in ("v0", "v1")}
    codes = {name: int(data.column(name)[row]) for name in ("v2", "v3", "v4")}
    found = model.percentiles(known, codes)["v0"]
    own, other = (special.ndtri((frame[name].rank()[row] - 0.5) / len(frame)) for name in ("v0", "v1"))
    rest = [0, 2, 3, 4]
    weight = model.correlation[rest, 1]
    covariance = model.correlation[np.ix_(rest, rest)] - np.outer(weight, weight)
    drawn = generator.multivariate_normal(weight * other, covariance, 400_000)
    inside = np.ones(len(drawn), dtype=bool)
    for k, (name, cut) in enumerate(zip(model.ratings, model.cuts, strict=True), 1):
        inside &= (drawn[:, k] > cut[codes[name]]) & (drawn[:, k] <= cut[codes[name] + 1])
    share = float((drawn[inside, 0] < own).mean())
    assert inside.sum() > 2000
    assert found.given == pytest.approx(share, abs=3.5 * math.sqrt(share * (1 - share) / inside.sum()) + 0.002)
    assert abs(model.percentiles(known, {})["v0"].given - found.given) > 0.02


def test_what_others_determine_has_no_percentile_given_them() -> None:
    """A copy of a column before it in the alphabet; the others keep theirs. Too few rows: nothing given others."""
    frame = numbers(latent(400, 3, 1))
    frame["copy"], frame["flat"] = frame["v0"] * 2.5, 4.0
    frame["ward"] = np.random.default_rng(0).choice(["A", "B", "C"], 400)
    data = engine.Dataset.from_frame(frame, kinds=dict.fromkeys(["v0", "v1", "v2", "copy"], "continuous"))
    model = ConditionalPercentiles.of(data)
    assert model.determined == {"v0"} and len(model.flags) == 2
    known = {name: float(frame.at[3, name]) for name in ("v0", "v1", "v2", "copy")}
    found = model.percentiles(known, {"ward": int(data.column("ward")[3])})
    assert math.isnan(found["v0"].given) and found["copy"].overall == found["v0"].overall
    alone = ConditionalPercentiles.of(data.select(["copy", "v1", "v2", "ward"]))
    again = alone.percentiles({k: known[k] for k in ("copy", "v1", "v2")}, {"ward": int(data.column("ward")[3])})
    assert found["v1"].given == pytest.approx(again["v1"].given, abs=1e-12)
    few = ConditionalPercentiles.of(data.rows(np.arange(12)))
    assert all(math.isnan(item.given) for item in few.percentiles(known, {}).values())


def test_a_number_and_two_levels_correlate_as_their_latent_values_do() -> None:
    """The covariance with the level's mean, over the mean's own deviation, is the latent correlation of .8."""
    generator = np.random.default_rng(2)
    x = generator.normal(size=4000)
    y = 0.8 * x + 0.6 * generator.normal(size=4000)
    frame = pd.DataFrame({"x": x, "y": np.where(y > 0.8, "yes", "no")})
    model = ConditionalPercentiles.of(engine.Dataset.from_frame(frame, kinds={"x": "continuous"}))
    assert model.correlation[0, 1] == pytest.approx(0.8, abs=0.03)
