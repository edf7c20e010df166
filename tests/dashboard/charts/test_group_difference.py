"""What a bar of the differences says when it is pointed at."""

from __future__ import annotations

import re

from dashboard.charts.group_difference import differences_figure
from engine.words import p_value
from tests.engine.project.report.answers import answer


def test_p_is_written_as_one_and_not_as_a_chance() -> None:
    """In two figures without a leading 0, said to be corrected, its sign of "less than" no markup."""
    variables = answer("group_difference").variables()
    variables.loc[variables.index[0], "p_alone"] = 1e-9
    (hover, *_) = differences_figure(variables, 0.1, ["North", "South"]).data
    said = "\n".join(hover.hovertext)
    for p in variables["p_alone"].dropna():
        assert p_value(p, corrected=True).replace("<", "&lt;") in said
    assert "p &lt; .001 after correction" in said
    assert not re.search(r"p = [01]\.0|p < |[Cc]hance", said.replace("p = 1.00", ""))
