"""Rows of one subject are one unit: divided scores, whole subjects drawn and left out, few subjects, none at all."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.counting.design_effect import design_effect, design_effect_of
from engine.methods.instance_specific.contrasts import subjects_of_family, without_subject
from engine.resampling import bootstrap
from engine.scores.dirichlet import BDeu
from engine.scores.divided import Divided
from engine.scores.instance import InstanceScore, InstanceTables
from tests.engine.methods.instance_specific.make import figure_one

METHOD = engine.InstanceSpecific()
NAMES = ("w", "z", "x")


def visits(subjects: int, each: int, seed: int = 0, slope: float = 0.0) -> engine.Dataset:
    """w, z and x of every visit; subjects differ in all three, and z shifts x by 50 points less where w = 0."""
    generator = np.random.default_rng(seed)
    who = np.repeat(np.arange(subjects), each)
    bent = generator.normal(0, 1.5, (3, subjects))[:, who]
    w, z = (generator.random(len(who)) < 1 / (1 + np.exp(-bent[i])) for i in range(2))
    share = np.where(w, 0.15 + 0.7 * z, 0.4 + 0.2 * z)
    x = generator.random(len(who)) < np.clip(share + slope * bent[2] / 10, 0.02, 0.98)
    frame = pd.DataFrame({"who": [f"p{i}" for i in who], "w": w, "z": z, "x": x}).astype(str)
    return engine.Dataset.from_frame(frame, roles={"who": "subject"})


def alone(data: engine.Dataset) -> engine.Dataset:
    """The same rows, each by itself."""
    return engine.Dataset.from_codes(data.codes, [data.levels[name] for name in data.names], data.names)


def row_score(counts: np.ndarray, alpha: float) -> float:
    """One row of a Dirichlet-multinomial, by logarithms of gamma."""
    share = alpha / len(counts)
    cells = sum(math.lgamma(share + n) - math.lgamma(share) for n in counts)
    return cells + math.lgamma(alpha) - math.lgamma(alpha + sum(counts))


def test_scores_are_those_of_counts_divided_by_one_number() -> None:
    """BDeu of a family and the patient's score of a set of parents, cell by cell; by 1 they are the plain ones."""
    data = figure_one(rows=300)
    by = 3.7
    x0, x1, x2 = (data.column(name) for name in ("X0", "X1", "X2"))
    cells = np.array([[[((x0 == a) & (x1 == b) & (x2 == k)).sum() for k in (0, 1)] for b in (0, 1)] for a in (0, 1)])
    bound = Divided(BDeu(2.0), by).bind(data)
    expected = sum(row_score(cells[a, b] / by, 0.5) for a in (0, 1) for b in (0, 1))
    assert bound.local(2, (0, 1)) == pytest.approx(expected)
    assert bound.additions(2, (0,))[1] == pytest.approx(expected)
    assert bound.additions(2, (0,))[[0, 2]].tolist() == [-np.inf, -np.inf]
    parents = ((), (), (0, 1), (), (), ())
    tables = InstanceTables(data, parents, 2.0, "union", "population", by)
    gains, cases = tables.subsets(2, (0, 1))
    shared = row_score(cells[0].sum(axis=0) / by, 1.0) - sum(row_score(cells[0, b] / by, 0.5) for b in (0, 1))
    assert gains[1] == pytest.approx(shared)
    assert cases[1].tolist() == cells[0].sum(axis=0).tolist()
    values = np.array([0, 1, -1, -1, -1, -1])
    assert InstanceScore(tables, values).local(2, (0,)) - InstanceScore(tables, values).local(
        2, (0, 1)
    ) == pytest.approx(shared)
    for prior in ("union", "paper"):
        plain = InstanceTables(data, parents, 2.0, prior)
        one = InstanceTables(data, parents, 2.0, prior, "population", 1 + 1e-12)
        assert one.subsets(2, (0, 1))[0] == pytest.approx(plain.subsets(2, (0, 1))[0], abs=1e-9)
        assert one.plain(2) == pytest.approx(plain.plain(2))
        for group in ((0,), (1,), (0, 1), (0, 3)):
            both = InstanceScore(one, np.zeros(6, dtype=int)), InstanceScore(plain, np.zeros(6, dtype=int))
            assert both[0].local(2, group) == pytest.approx(both[1].local(2, group))


def test_counts_are_divided_by_the_mean_design_effect_of_the_rows_that_learn() -> None:
    """Ten visits of sixty subjects; where no two rows share one nothing is divided, to the bit."""
    data = visits(60, 10)
    result = METHOD.run(data, 3)
    ordered = data.select(sorted(data.names))
    assert result.divided_by == design_effect_of(data) == design_effect(ordered.codes, ordered.arity, data.clusters)
    assert result.divided_by > 1.1
    single = METHOD.run(alone(data), 3)
    assert single.divided_by == 1.0
    assert METHOD.run(visits(600, 1), 3).divided_by == 1.0
    gains = [found.network.choices[2].gains for found in (result, single)]
    assert np.isfinite(gains[0]).sum() == 3 and (gains[0] > gains[1])[1:3].all()  # fewer rows, less against a change
    wide = [one["high"] - one["low"] for one in (found.distributions("x").iloc[0] for found in (result, single))]
    assert wide[0] > wide[1]


def test_copies_of_every_row_add_nothing() -> None:
    """Each row of 500 five times, as visits of a subject: links, p and widths are nearly those of the 500 rows."""
    once = visits(500, 1, seed=3)
    codes = np.repeat(once.codes, 5, axis=1)
    frame = pd.DataFrame(codes.T, columns=list(once.names)).astype(str)
    frame["who"] = np.repeat(np.arange(500), 5).astype(str)
    copied = engine.Dataset.from_frame(frame, roles={"who": "subject"})
    first, second = METHOD.run(once, 7), METHOD.run(copied, 35)
    assert second.divided_by == pytest.approx(5.0, rel=0.02)
    assert set(first.population.edges) == set(second.population.edges)
    for one in first.links:
        two = second.link(first.name(one.source), first.name(one.child))
        assert one.compared is not None and two is not None and two.compared is not None
        assert two.compared.difference == pytest.approx(one.compared.difference, abs=0.02)
        widths = [found.difference_high - found.difference_low for found in (one.compared, two.compared)]
        assert widths[1] == pytest.approx(widths[0], rel=0.1)
        assert two.compared.units == two.rows // 5


def test_the_patients_own_subject_is_never_among_the_others() -> None:
    """Rows compared, similar rows, and with a target every row that learns: none of subject p0."""
    data = visits(60, 10)
    clusters = data.clusters
    assert clusters is not None
    other = clusters != clusters[3]
    result = METHOD.run(data, 3)
    for link in result.links:
        agree = other.copy()
        for name, level in result.context_of(link).items():
            agree &= data.column(name) == data.levels[name].index(level)
        assert link.rows == agree.sum()
        assert link.compared is None or link.compared.units == len(set(clusters[agree]))
    for name in data.names:
        assert not set(result.similar_rows(data, name)) & set(np.flatnonzero(~other))
    aimed = METHOD.run(data, 3, target="x")
    assert aimed.n_rows == 590
    without = METHOD.learn_population(data.rows(other))
    assert aimed.network_of_all.parents == without.parents
    unaware = METHOD.run(data.rows(other), {name: data.levels[name][data.column(name)[3]] for name in data.names})
    assert result.held_out.population == pytest.approx(unaware.held_out.population, abs=1e-9)
    cohort = METHOD.run_cohort(data, [3, 4])
    found = [any(one.told for one in METHOD.run(data, row).links) for row in (3, 4)]
    assert cohort.told.any(axis=1).tolist() == found


def test_a_family_without_a_subject_is_that_of_the_other_rows() -> None:
    """Counts by configuration and level, and entries that add up to them."""
    data = visits(20, 7, seed=2).select(["w", "x", "z"])
    tables = InstanceTables(data, ((), (0, 2), ()))
    family, subjects = tables.family(1), subjects_of_family(data, 1, (0, 2))
    assert subjects is not None and data.clusters is not None
    added = np.zeros_like(family.counts)
    np.add.at(added, (subjects.configuration, subjects.level), subjects.count)
    assert added.tolist() == family.counts.tolist()
    rest = without_subject(family, subjects, 4)
    for configuration, counts in zip(rest.family.configurations, rest.family.counts, strict=True):
        inside = (data.column("w") == configuration[0]) & (data.column("z") == configuration[1]) & (data.clusters != 4)
        assert counts.tolist() == np.bincount(data.column("x")[inside], minlength=2).tolist()
    assert rest.subjects is not None and not (rest.subjects.number == 4).any()


def test_fewer_than_six_subjects_give_no_verdict() -> None:
    """Six subjects of 200 visits: without the patient's own there are five, and the sentence says why nothing is asked;
    for a patient who is none of them, and of seven, there is an answer."""
    for subjects, patient, asked in ((6, 3, False), (6, {"w": "True", "z": "True"}, True), (7, 3, True)):
        result = METHOD.run(visits(subjects, 200, seed=1), patient)
        assert result.links and any(one.asked for one in result.links) == asked
        assert ("fewer than 6 other subjects" in result.headline()) != asked
        assert result.unusual_values()["p"].notna().any() == asked


def test_whole_subjects_are_drawn_for_the_support_of_links() -> None:
    """Each table learned here over the subjects drawn with the seeds of the runs, counts divided as in the whole."""
    data = visits(40, 6, seed=5)
    method = replace(METHOD, search="ges", seed=2)
    support = method.link_support(data, runs=4)
    ordered, hits = data.select(sorted(data.names)), np.zeros((3, 3), dtype=int)
    for seed in np.random.SeedSequence(2).spawn(4):
        rows = ordered.rows(bootstrap(ordered.n_rows, np.random.default_rng(seed), data.clusters))
        graph = engine.learn(rows, Divided(BDeu(1.0), design_effect_of(ordered)), engine.GES(structure_prior=1.0))
        for i, one in enumerate(ordered.names):
            for j, other in enumerate(ordered.names):
                hits[i, j] += graph.has_edge(one, other) or graph.has_edge(other, one)
    assert support.hits.tolist() == hits.tolist()


def test_nulls_with_subjects_keep_their_rate() -> None:
    """30 tables of 24 subjects with 50 visits, no interaction: counted by row most tell somebody something."""
    told = [0, 0]
    for seed in range(30):
        generator = np.random.default_rng([7, seed])
        who = np.repeat(np.arange(24), 50)
        bent, slope = generator.normal(0, 1.0, (2, 24))[:, who]
        w = who % 2
        z = generator.random(1200) < 0.5
        x = generator.random(1200) < 1 / (1 + np.exp(-(bent + (1.2 + 4.0 * slope) * (z - 0.5) + 0.8 * w)))
        frame = pd.DataFrame({"who": who, "w": w, "z": z, "x": x}).astype(str)
        data = engine.Dataset.from_frame(frame, roles={"who": "subject"})
        for place, table in enumerate((data, alone(data))):
            tables = InstanceTables(table.select(NAMES), ((), (), (0, 1)))
            rows = engine_rows(table.select(NAMES), tables)
            told[place] += rows <= 0.05
    assert told[0] <= 4 < 12 <= told[1]


def engine_rows(data: engine.Dataset, tables: InstanceTables) -> float:
    """The smallest corrected p of the links into x."""
    from engine.methods.instance_specific.contrasts import FamilyRows
    from engine.methods.instance_specific.links import Questions

    rows = FamilyRows(tables.family(2), subjects_of_family(data, 2, (0, 1)))
    return Questions({(2, source): rows for source in (0, 1)}).least
