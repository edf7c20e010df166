"""What joins answers that seem to contradict each other."""

from __future__ import annotations

import numpy as np
import pandas as pd

import engine
from engine.methods.links_result import NO_LINK, TWO_MEASURES, reconcile_results


def test_what_differs_between_groups_without_a_link_is_said() -> None:
    """A spread that ranges do not show; nothing of what is linked, of another table, or of a variable that is alike."""
    rng = np.random.default_rng(7)
    ward = np.repeat(["a", "b"], 150)
    table = pd.DataFrame(
        {
            "ward": ward,
            "wide": rng.normal(0, np.where(ward == "a", 1.0, 1.9)),
            "higher": rng.normal(np.where(ward == "a", 0.0, 2.0)),
            "alike": rng.normal(0, 1, 300),
        }
    )
    data = engine.Dataset.from_frame(table)
    groups = engine.GroupDifference(group="ward").run(data)
    links = engine.LogLinear(criterion="bic").run(data)
    claims = groups.claims().set_index("about")["verdict"]
    assert claims[["wide", "higher"]].tolist() == ["yes", "yes"] and claims["alike"] != "yes"
    assert not links.graph.has_edge("ward", "wide") and links.graph.has_edge("ward", "higher")
    said = reconcile_results([groups, links])
    assert said == NO_LINK.format("wide", "ward") and len(said.split()) <= 25
    other = engine.LogLinear(criterion="bic").run(engine.Dataset.from_frame(table.iloc[::-1]))
    assert reconcile_results([groups, other]) == "" == reconcile_results([groups]) == reconcile_results([links])
    both = reconcile_results([engine.Ordinal().run(data), links])
    assert both == TWO_MEASURES
