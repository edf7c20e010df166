"""A gap of an outcome between two groups explained: the numbers of `evidence`, and how they are told."""

from __future__ import annotations

from dataclasses import dataclass

from engine.lazy import go
from engine.methods.group_difference.gap.evidence import GapEvidence
from engine.methods.storing import storable
from engine.telling.group_difference import gap as telling


@storable
@dataclass(frozen=True, eq=False)
class Gap(GapEvidence):
    """A gap of an outcome between two groups, and the share of each variable in it; see its base for the fields."""

    title = telling.title
    sentences = telling.sentences
    document = telling.document

    def figures(self) -> dict[str, go.Figure]:
        """The waterfall from the first group to the second.

        Returns
        -------
        {"gap": plotly.graph_objects.Figure}
        """
        return {"gap": telling.waterfall(self)}
