"""P(differs) of mixed tables against every order, parent set, block and partition written out over plain rows."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from tests.engine.methods.group_difference.numbers.plain_evidence import Written, written
from tests.engine.methods.group_difference.numbers.tables import mixed_data

TIERS = {"kind": 0, "level": 0, "step": 1, "score": 1, "sign": 2}
CASES = {
    "blocks of all sizes": ({"rows": 300, "seed": 1}, {}, {}),
    "large blocks": ({"rows": 700, "seed": 2}, {"max_parents": 2}, {"most": 2}),
    "small blocks and groups": ({"rows": 44, "seed": 3}, {}, {}),
    "a small group": ({"rows": 240, "seed": 4, "share": 0.1}, {}, {}),
    "no gaps, another prior and score": (
        {"rows": 160, "seed": 5, "gaps": False},
        {"p_none": 0.9, "score": engine.BDeu(4.0), "max_parents": 2},
        {"p_none": 0.9, "ess": 4.0, "most": 2},
    ),
    "tiers": (
        {"rows": 200, "seed": 6},
        {"knowledge": engine.Knowledge(tiers=[["kind", "level"], ["step", "score"], ["sign"]])},
        {"tiers": TIERS},
    ),
}


def check(data: engine.Dataset, method: engine.GroupDifference, plain: Written) -> None:
    """P(differs) to ten digits."""
    result, expected = method.run(data), plain.averaged()
    found = dict(
        zip(result.names, result.posterior.probabilities, strict=True)
    )  # a call also has to survive its movers
    assert set(expected) == set(found)
    for name, p in expected.items():
        assert found[name] == pytest.approx(p, abs=1e-5 if plain.followed else 1e-10), name


@pytest.mark.parametrize("case", CASES)
def test_five_mixed_variables_equal_all_orders_written_out(case: str) -> None:
    """Numbers with ties and gaps, an ordered column, nominal ones, with lines and without."""
    table, choices, own = CASES[case]
    data = mixed_data(**table)
    check(
        data,
        engine.GroupDifference(group="group", groups=("a", "b"), **choices),
        written(data, "group", ("step",), **own),
    )


@pytest.mark.parametrize("outcome", ["score", "sign"])
def test_an_outcome_has_its_own_prior_and_comes_last(outcome: str) -> None:
    """Prior one half for it, p_none shared out among the others; it is nobody's parent."""
    data = mixed_data(200, 7, roles={outcome: "outcome"})
    plain = written(data, "group", ("step",), outcome=outcome, tiers={outcome: 1})
    assert sum(plain.log_same(name) for name in plain.columns) == pytest.approx(2 * np.log(0.5))
    check(data, engine.GroupDifference(group="group", groups=("a", "b")), plain)
