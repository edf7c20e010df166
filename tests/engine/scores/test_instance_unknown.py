"""What the IS-Score makes of values that are not known, and what the population's rows keep of the prior."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from engine.scores.instance import UNKNOWN, InstanceScore, InstanceTables
from tests.engine.make import random_data


def test_kappa_is_charged_for_what_is_known() -> None:
    """Every parent dropped or added costs once; an added parent whose value is unknown costs nothing."""
    data = random_data(60, 5, 5, seed=1)
    tables = InstanceTables(data, ((), (), (0,), (0, 1), ()))
    log_kappa = math.log(0.1)
    score = InstanceScore(tables, np.array([0, 0, UNKNOWN, 0, 0]), log_kappa)
    for parents, costs in [((0, 1), 0), ((0,), 1), ((), 2), ((0, 1, 4), 1), ((0, 1, 2), 0), ((0, 2), 1), ((2, 4), 3)]:
        assert score.cost(3, parents) == pytest.approx(costs * log_kappa)
        plain = InstanceScore(tables, score.values).local(3, parents)
        assert score.local(3, parents) == pytest.approx(plain + costs * log_kappa)


@pytest.mark.parametrize("prior", ["union", "paper"])
@pytest.mark.parametrize("empty", ["population", "all_rows"])
def test_additions_to_a_family_with_an_unknown_value(prior: str, empty: str) -> None:
    """Each is the population's family as `local` has it, asked before or after; nothing wrong is remembered."""
    data = random_data(80, 5, 6, seed=3)
    values = np.array([UNKNOWN, *data.codes[1:, 4].astype(int)])
    families = ((), (), (), (), (0, 1))
    for own in ((0,), (0, 1), (2,)):
        shared = InstanceTables(data, families, 1.0, prior, empty)
        additions = InstanceScore(shared, values).additions(4, own)
        for x in range(4):
            if x not in own:
                group = tuple(sorted((*own, x)))
                fresh = InstanceScore(InstanceTables(data, families, 1.0, prior, empty), values).local(4, group)
                assert additions[x] == pytest.approx(fresh, abs=1e-9)
                assert InstanceScore(shared, values).local(4, group) == pytest.approx(fresh, abs=1e-9)
                if UNKNOWN in values[list(group)]:
                    assert fresh == pytest.approx(shared.plain(4), abs=1e-9)


@pytest.mark.parametrize("own", [(), (1,), (1, 2), (1, 3), (3,), (1, 2, 3), (3, 4)])
def test_what_the_populations_rows_keep_of_the_prior(own: tuple[int, ...]) -> None:
    """Joint configurations of both parent sets, one by one: those that agree on Pa_IS went to the own row."""
    data = random_data(200, 5, 6, seed=2, levels=(2, 3))
    population = (1, 2)
    values = data.codes[:, 3].astype(np.int64)
    tables = InstanceTables(data, (population, (), (), (), ()), ess=6.0)
    kept = InstanceScore(tables, values).remaining_priors(0, own)
    union = sorted({*population, *own})
    share = 6.0 / math.prod(int(data.arity[x]) for x in union)
    configurations = tables.family(0).configurations
    assert len(kept) == len(configurations)
    for configuration, total in zip(configurations.tolist(), kept.tolist(), strict=True):
        expected = 0.0
        for joint in itertools.product(*[range(int(data.arity[x])) for x in union]):
            here = dict(zip(union, joint, strict=True))
            if [here[x] for x in population] == configuration and any(here[x] != values[x] for x in own):
                expected += share
        assert total == pytest.approx(expected if own else 0.0, abs=1e-12)
    paper = InstanceTables(data, tables.parents, ess=6.0, prior="paper")
    q = int(data.arity[1]) * int(data.arity[2])
    assert InstanceScore(paper, values).remaining_priors(0, own).tolist() == pytest.approx([6.0 / (q + 1)] * len(kept))
