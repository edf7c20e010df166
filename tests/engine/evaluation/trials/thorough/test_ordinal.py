"""Networks of hidden values whose truth is known: items, scores against slow versions, the null, refusals."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import pearsonr

import engine
from engine.errors import SettingsError
from engine.evaluation.trials.ordinal import OrdinalTrial
from engine.measures.structure import patterns

METHOD = engine.Ordinal(draws=50)
SMALL = OrdinalTrial(variables=7, neighbours=3, rows=300, seed=3)


def test_items_are_pairs_and_calls_those_of_the_network() -> None:
    """In the order of the columns; both graphs are looked at, the truth as far as data can tell directions."""
    model, data = SMALL.draw()
    outcome = SMALL.run(METHOD)
    pairs = list(itertools.combinations(data.names, 2))
    assert outcome.labels == tuple(f"{a} - {b}" for a, b in pairs)
    true = model.graph.to_undirected()
    assert outcome.truth.tolist() == [true.has_edge(*pair) for pair in pairs]
    result = METHOD.run(data)
    found = result.graph.to_undirected()
    assert outcome.called.tolist() == [found.has_edge(*pair) for pair in pairs]
    (picture,) = outcome.pictures
    assert set(picture.found.edges) == set(result.graph.edges)
    assert set(picture.truth.to_undirected().edges) == set(true.edges)
    assert patterns(picture.truth, model.graph).distance == 0


def test_scores_are_what_the_rows_say_of_every_pair() -> None:
    """Log Bayes factors of the result; a link of the network that gains nothing is none."""
    _, data = SMALL.draw()
    outcome, result = SMALL.run(METHOD), METHOD.run(data)
    worth = [result.link(a, b).log_bayes_factor for a, b in itertools.combinations(data.names, 2)]
    assert outcome.scores[0].values.tolist() == worth and outcome.scores[0].usual == 0


@pytest.mark.parametrize("approach", ["osem", "npc"])
def test_what_is_said_is_what_the_claims_say(approach: str) -> None:
    """Whatever the direction that a claim's name has."""
    method = engine.Ordinal(approach=approach, draws=50)
    outcome = SMALL.run(method)
    _, data = SMALL.draw()
    claims = method.run(data).claims()
    told = {frozenset(row.about.replace("->", "--").split(" -- ")): row.verdict for row in claims.itertuples()}
    words = {"yes": "linked", "no": "no link to speak of", "cannot tell": "cannot tell"}
    pairs = itertools.combinations(data.names, 2)
    assert outcome.claimed is not None
    assert outcome.claimed.tolist() == [words[told[frozenset(pair)]] for pair in pairs]
    assert not (outcome.case_claims & ~outcome.called).any(), "what is said to be linked is in the network"


def test_the_second_scores_are_of_pairs_alone() -> None:
    """Sizes of polychoric correlations; SciPy's test of the levels' correlation, whose threshold is shared out."""
    _, data = SMALL.draw()
    pairs = list(itertools.combinations(range(7), 2))
    start = METHOD.run(data).start.to_numpy()
    assert SMALL.run(METHOD, "polychoric").scores[1].values.tolist() == [abs(start[pair]) for pair in pairs]
    score = SMALL.run(METHOD, "levels").scores[1]
    assert score.usual == pytest.approx(-math.log10(0.05 / 21))
    for place, (i, j) in enumerate(pairs):
        p = pearsonr(data.codes[i].astype(float), data.codes[j].astype(float)).pvalue
        if p > 1e-5:  # Fisher's z and Student's t part further out
            assert score.values[place] == pytest.approx(-math.log10(p), abs=0.05)
    with pytest.raises(SettingsError, match="second is 'other'"):
        SMALL.run(METHOD, "other")


def test_without_neighbours_nothing_is_linked() -> None:
    """The null of this kind: no case, and the remark says so."""
    outcome = OrdinalTrial(variables=6, neighbours=0, rows=200).run(METHOD, "levels")
    assert len(outcome.truth) == 15 and not outcome.truth.any() and not outcome.has_curve
    assert "No variable depends on another." in outcome.remark
    assert np.isfinite(outcome.scores[1].values).all()


def test_levels_are_as_many_as_asked_for_and_all_occur() -> None:
    """2 to 2E - 2 of them; with E = 2 two."""
    _, data = OrdinalTrial(levels=2, seed=1).draw()
    assert set(data.arity.tolist()) == {2}
    _, data = OrdinalTrial(levels=4, variables=30, seed=1).draw()
    assert data.arity.min() >= 2 and data.arity.max() <= 6
    assert all(len(set(codes)) == many for codes, many in zip(data.codes.tolist(), data.arity, strict=True))


def test_equal_seeds_give_equal_tries() -> None:
    """Another seed gives another truth."""
    again = OrdinalTrial(variables=7, neighbours=3, rows=300, seed=3)
    assert (again.draw()[1].codes == SMALL.draw()[1].codes).all()
    other = OrdinalTrial(variables=7, neighbours=3, rows=300, seed=4)
    assert set(other.draw()[0].graph.edges) != set(SMALL.draw()[0].graph.edges)


def test_what_cannot_be_or_takes_minutes_is_refused() -> None:
    """As many neighbours as variables; too many rows, and how many would do."""
    with pytest.raises(SettingsError, match="at most 2 neighbours"):
        OrdinalTrial(variables=3, neighbours=3)
    with pytest.raises(SettingsError, match="at most 2,000 rows"):
        OrdinalTrial(variables=30, rows=2_001)
    OrdinalTrial(variables=30, rows=2_000)
