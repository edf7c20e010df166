"""Numbers beside ratings: a Gaussian network where all are numbers, mixed tables, gaps by full information, exports."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.graphs.pdag import complete
from engine.methods.ordinal.answers import read
from engine.models.latent_normal import standard_scores
from engine.scores.ordinal import ExpectedGaussian
from engine.search.exact import Exact
from engine.search.problem import Problem
from engine.telling.ordinal.figures.networks import links_of
from engine.telling.ordinal.paper import links_table, methods_paragraph

UNDER = np.array([[1.0, 0.6, 0.36, 0.2], [0.6, 1.0, 0.6, 0.3], [0.36, 0.6, 1.0, 0.5], [0.2, 0.3, 0.5, 1.0]])


def table(rows: int, seed: int, numbers: str = "ad") -> pd.DataFrame:
    """a to d, of which some are numbers on scales of their own and the others ratings of four steps."""
    latent = np.random.default_rng(seed).multivariate_normal(np.zeros(4), UNDER, rows).T
    return pd.DataFrame(
        {
            name: np.exp(own) if name in numbers else np.searchsorted([-0.8, 0.1, 0.9], own)
            for name, own in zip("abcd", latent, strict=True)
        }
    )


def dataset(frame: pd.DataFrame, numbers: str = "ad") -> engine.Dataset:
    """With gaps as levels of their own."""
    kinds = {name: "continuous" if name in numbers else "ordinal" for name in frame}
    return engine.Dataset.from_frame(frame, kinds=kinds, missing="level")


def test_numbers_alone_are_a_gaussian_network_of_their_normal_scores() -> None:
    """Correlations, the network of highest BIC, lines and likelihood in closed form; no level is asked for."""
    frame = table(300, 1, "abcd")
    data, scores = dataset(frame, "abcd"), np.stack([standard_scores(frame[name].to_numpy()) for name in frame])
    correlation = np.corrcoef(scores)
    result = engine.Ordinal(search="exact").run(data)
    assert result.correlation.to_numpy() == pytest.approx(correlation, abs=1e-12)
    assert result.statistic.to_numpy() == pytest.approx(correlation, abs=1e-9)
    assert (result.information, len(result.table("Thresholds")), result.numbers) == (1.0, 0, ("a", "b", "c", "d"))
    score, constraints = ExpectedGaussian(correlation, data.names, 300, 3.0), engine.Knowledge().constraints(data.names)
    best = Exact().find(Problem(data, score, constraints)).dag()
    own, expected = result.cpdag, complete(best)
    assert (list(own.parents), list(own.neighbours)) == (list(expected.parents), list(expected.neighbours))
    precision = np.linalg.inv(correlation)
    root, off = np.sqrt(np.diag(precision)), ~np.eye(4, dtype=bool)
    assert result.lines is not None
    assert result.lines.partial[off] == pytest.approx((-precision / np.outer(root, root))[off], abs=1e-9)
    fitted = result.matrices["fitted"]
    white = np.linalg.inv(np.linalg.cholesky(fitted)) @ scores
    density = -0.5 * (white**2).sum() - 150 * np.linalg.slogdet(fitted)[1] - 600 * np.log(2 * np.pi)
    assert result.log_likelihood == pytest.approx(density, abs=1e-6)


def test_a_number_stands_uncut_and_its_scale_and_the_order_of_rows_change_nothing() -> None:
    """Bits are equal after a rising transformation of a number and a shuffle of rows and columns."""
    frame = table(250, 2)
    other = frame.assign(a=np.log(frame["a"]) * 7 + 100).sample(frac=1, random_state=3)[["d", "b", "a", "c"]]
    one, two = (engine.Ordinal(draws=60).run(dataset(item)) for item in (frame, other))
    assert set(one.graph.edges) == set(two.graph.edges) and one.criterion == two.criterion
    assert one.lines is not None and two.lines is not None
    at = [two.names.index(name) for name in one.names]
    assert (one.lines.partial == two.lines.partial[np.ix_(at, at)]).all()
    assert one.numbers == ("a", "d") and "a, d are not cut" in one.summary()
    assert one.document()["numbers"] == ["a", "d"]
    assert "a, d" in methods_paragraph(one) and "Olsson et al., 1982" in methods_paragraph(one)
    cut = engine.Ordinal(approach="bge").run(dataset(frame))
    assert "Arrows use the levels of a, d" in cut.summary()
    assert (cut.correlation.to_numpy() == one.correlation.to_numpy()).all()


def test_numbers_of_few_values_are_read_by_their_levels_and_many_ties_are_told() -> None:
    """A count of five values; and one that is 0 in half of the rows."""
    frame = table(300, 4)
    few = frame.assign(a=np.searchsorted([0.5, 1, 2, 3], frame["a"]))
    assert list(read(dataset(few), "latent").numbers) == [3]
    result = engine.Ordinal(draws=60).run(dataset(frame.assign(a=np.maximum(frame["a"] - 1, 0))))
    assert any(note.startswith("a has one value in more than 25\xa0% of the rows") for note in result.notes())


def test_full_information_undoes_what_gaps_that_depend_on_an_item_do_to_lines() -> None:
    """b and c are missing where a is high: full information finds the correlations of all rows, pairs do not."""
    frame, generator = table(3000, 5).astype(float), np.random.default_rng(6)
    whole = engine.Ordinal().partial_network(dataset(frame)).partial
    for name in "bc":
        frame.loc[(frame["a"] > 1.2) & (generator.random(3000) < 0.9), name] = np.nan
    data = dataset(frame)
    full, pairs = (engine.Ordinal(missing=item).partial_network(data) for item in ("latent", "pairwise"))
    assert (full.completed, pairs.completed) == (20, 0)
    assert full.correlation == pytest.approx(UNDER, abs=0.06)
    errors = [np.abs(item.partial - whole).max() for item in (full, pairs)]
    assert errors[0] < 0.06 < errors[1]


@pytest.mark.parametrize(
    ("missing", "assumed"), [("latent", "missing at random"), ("pairwise", "completely at random")]
)
def test_what_was_made_of_gaps_is_said_with_what_it_assumes(missing: str, assumed: str) -> None:
    """In summary and paragraph, and that gaps depend on an observed variable; not where they do not."""
    frame, generator = table(400, 7).astype(float), np.random.default_rng(1)
    lost = frame.assign(b=frame["b"].mask((frame["d"] > 1) & (generator.random(400) < 0.5)))
    result = engine.Ordinal(missing=missing, draws=60).run(dataset(lost))
    assert assumed in result.summary() and assumed in methods_paragraph(result)
    assert result.gaps_depend["b"][0] == "d" and "b is missing depending on d" in result.summary()
    anywhere = frame.assign(b=frame["b"].mask(generator.random(400) < 0.2))
    assert engine.Ordinal(missing=missing, draws=60).run(dataset(anywhere)).gaps_depend == {}


def test_clear_is_one_thing_and_correlations_are_the_pairwise_ones() -> None:
    """Corrected p in table, figure and paper; what the arrows imply has a name of its own."""
    result = engine.Ordinal(draws=60).run(dataset(table(150, 8)))
    shown = result.table("Lines")
    assert (shown["clear"] == (shown["p"] <= 0.05)).all() and not shown["clear"].all()
    thin = {frozenset((link.source, link.target)) for link in links_of(result, "lines", result.names) if link.width}
    clear = {frozenset(pair) for pair in zip(shown["a"][shown["clear"]], shown["b"][shown["clear"]], strict=True)}
    assert not thin & clear and thin and len(links_table(result)) == len(clear)
    for title, matrix in (("Correlations", "pairs"), ("Implied correlations", "fitted")):
        assert (result.table(title).set_index("variable").to_numpy() == result.matrices[matrix]).all()
    assert result.document()["correlation"]["a"] == result.matrices["pairs"][0].tolist()
