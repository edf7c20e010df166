"""P(differs) of three mixed variables against every order and parent set written out; five of them in `thorough`."""

from __future__ import annotations

import pytest

import engine
from tests.engine.methods.group_difference.numbers.plain_evidence import written
from tests.engine.methods.group_difference.numbers.tables import mixed_data


@pytest.mark.parametrize("names", [("level", "score", "kind"), ("score", "step", "sign")])
def test_three_mixed_variables_equal_all_orders_written_out(names: tuple[str, ...]) -> None:
    """Numbers with ties and gaps, ordered and nominal ones, small blocks and large, with lines and without."""
    data = mixed_data(150, 1).select([*names, "group"])
    found = engine.GroupDifference(group="group", groups=("a", "b")).run(data).variables()["probability"]
    plain = written(data, "group", ("step",))
    for name, p in plain.averaged().items():
        assert found[name] == pytest.approx(p, abs=1e-5 if plain.followed else 1e-10), name
