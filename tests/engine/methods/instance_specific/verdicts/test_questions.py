"""All questions of a table: Holm's correction, what stands beside a link, and that order and names do not matter."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.graphs.pdag import Pdag
from engine.methods.instance_specific.contrasts import FamilyRows
from engine.methods.instance_specific.links import CHANCE, Comparison, Questions, conditioning_parents
from engine.methods.instance_specific.solver import solver_of
from engine.scores.instance import InstanceTables
from tests.engine.methods.instance_specific.make import figure_one

METHOD = engine.InstanceSpecific()


def moderated(rows: int, here: float, elsewhere: float, seed: int) -> engine.Dataset:
    """z shifts x by `here` where w = 0 and by `elsewhere` where w = 1; u stands alone."""
    generator = np.random.default_rng(seed)
    z, w, u = (generator.random(rows) < 0.5 for _ in range(3))
    size = np.where(w, elsewhere, here)
    x = generator.random(rows) < 0.5 + (z - 0.5) * size + 0.2 * (w - 0.5)
    return engine.Dataset.from_codes(np.array([z, w, x, u]).astype(int), [2] * 4, ["z", "w", "x", "u"])


def questions_of(data: engine.Dataset) -> Questions:
    population = METHOD.learn_population(data)
    return solver_of(METHOD, population, data).questions


def test_p_is_holms_over_every_contrast_of_the_table() -> None:
    """Each contrast's own p, by the step-down rule written out; two groups are one question."""
    questions = questions_of(figure_one(rows=900))
    raw = questions.p.tolist()
    assert len(raw) == 4  # two links into X2 and two into X5, each of two groups
    expected, most = [], 0.0
    for rank, p in enumerate(raw):
        most = max(most, min(1.0, (len(raw) - rank) * p))
        expected.append(most)
    assert [questions.corrected(p) for p in raw] == pytest.approx(expected)
    questions.p = np.array([0.001, 0.02, 0.03, 0.2])
    assert [questions.corrected(p) for p in (0.001, 0.02, 0.03, 0.2)] == pytest.approx([0.004, 0.06, 0.06, 0.2])


def test_twenty_points_against_seventy_is_told_both_ways() -> None:
    """Where w = 0 z matters less, where w = 1 more; the intervals hold the truth and p is below .001."""
    data = moderated(2000, 0.2, 0.7, seed=1)
    population = METHOD.learn_population(data)
    for level, word, truth in (("0", "matters less", -0.5), ("1", "matters more", 0.5)):
        link = METHOD.run(data, {"w": level, "z": "1"}, population=population).link("z", "x")
        assert link is not None and link.compared is not None
        assert (link.word, link.status) == (word, "kept")
        assert link.compared.difference_low < truth < link.compared.difference_high
        assert link.compared.p < 0.001
    turned = METHOD.run(moderated(2000, -0.3, 0.5, seed=2), {"w": "0"})
    assert turned.link("z", "x").word == "matters the other way round"  # type: ignore[union-attr]
    assert turned.headline().startswith("With w = 0, z matters for x the other way round: −")
    alike = METHOD.run(moderated(60_000, 0.4, 0.4, seed=3), {"w": "0"}).link("z", "x")
    assert alike is None or not alike.told


def test_tables_without_interaction_seldom_tell_anybody_anything() -> None:
    """40 tables each of effects that add up in points and on the log odds: any contrast of any patient, at most 5."""
    told = 0
    for seed in range(80):
        generator = np.random.default_rng(seed)
        codes = generator.integers(0, [[2], [2], [3]], (3, 1500))
        size = generator.uniform(0.2, 0.4, 3) * [1, 1, 0.5]
        total = (size[:, None] * codes).sum(axis=0)
        share = 0.05 + total * 0.7 if seed % 2 else 1 / (1 + np.exp(-4 * (total - 0.5)))
        x = generator.random(1500) < share
        data = engine.Dataset.from_codes(np.vstack([codes, x]).astype(int), [2, 2, 3, 2], list("abcd"))
        tables = InstanceTables(data, ((), (), (), (0, 1, 2)))
        questions = Questions({(3, source): FamilyRows(tables.family(3), None) for source in range(3)})
        assert questions.number > 10
        told += questions.least <= CHANCE
    assert told <= 8  # 80 at .05 give 4 on average, more than 8 in one of 50 runs; both statistics together give fewer


def test_a_link_without_direction_is_asked_beside_what_both_ends_are_tied_to() -> None:
    """A triangle: whichever of the three is the child, the third stands beside the link; compelled arcs as they are."""
    everything = [0b110, 0b101, 0b011]
    triangle = Pdag([0] * 3, [0] * 3, everything)
    assert conditioning_parents(triangle, ((), (0,), (0, 1))) == {(1, 0): (0, 2), (2, 0): (0, 1), (2, 1): (0, 1)}
    collider = Pdag([0, 0, 0b011], [0b100, 0b100, 0], [0] * 3)
    assert conditioning_parents(collider, ((), (), (0, 1))) == {(2, 0): (0, 1), (2, 1): (0, 1)}


@pytest.mark.parametrize("seed", [1, 2])
def test_rows_and_columns_in_another_order_give_the_same_comparisons(seed: int) -> None:
    """Every number of every link, by the names of its ends."""
    data = figure_one(rows=700)
    generator = np.random.default_rng(seed)
    other = data.rows(generator.permutation(700)).select(generator.permutation(data.names).tolist())
    patient = {"X0": "0", "X1": "1", "X3": "0", "X4": "1"}
    found = []
    for table in (data, other):
        result = METHOD.run(table, patient)
        found.append({(result.name(one.source), result.name(one.child)): one.compared for one in result.links})
    assert found[0].keys() == found[1].keys()
    for ends, one in found[0].items():
        two = found[1][ends]
        assert (one is None) == (two is None)
        if isinstance(one, Comparison) and isinstance(two, Comparison):
            assert list(vars(one).values()) == pytest.approx(list(vars(two).values()))


def test_an_unknown_value_is_averaged_over() -> None:
    """With v unknown, here are all rows with w = 0, stratified by v: effects that add up show no difference."""
    generator = np.random.default_rng(4)
    z, w, v = generator.integers(0, 2, (3, 8000))
    v = np.where(generator.random(8000) < 0.8, z * w, v)  # v goes with z where w = 1 only
    x = generator.random(8000) < 0.2 + 0.2 * z + 0.1 * w + 0.35 * v
    data = engine.Dataset.from_codes(np.array([z, w, v, x]).astype(int), [2] * 4, list("zwvx"))
    tables = InstanceTables(data, ((), (), (), (0, 1, 2)))
    questions = Questions({(3, source): FamilyRows(tables.family(3), None) for source in range(3)})
    found = questions.compare(3, 0, {0: 1, 1: 0, 2: -1}, 0.1)
    assert isinstance(found, Comparison)
    assert found.here == pytest.approx(0.2, abs=0.04) and found.others == pytest.approx(0.2, abs=0.06)
    assert not found.differs
    assert isinstance(questions.compare(3, 0, {0: 1, 1: -1, 2: -1}, 0.1), str)
