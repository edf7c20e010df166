"""The answer of a log-linear analysis: its evidence told, and the model changed by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from engine.lazy import nx, pd
from engine.methods.links_result import LinksResult
from engine.methods.log_linear import edge_tables
from engine.methods.log_linear import what_if as by_hand
from engine.methods.log_linear.evidence import LogLinearEvidence
from engine.methods.log_linear.number_checks import FROM_THE_CUT
from engine.methods.log_linear.pair_evidence import ONLY_HELD, held_fixed
from engine.methods.storing import storable
from engine.telling import links
from engine.telling.log_linear import columns, figures, wording
from engine.telling.sections import Section
from engine.words import count

SLUG = "log_linear"


@storable
@dataclass(frozen=True, eq=False, repr=False)
class LogLinearResult(LogLinearEvidence, LinksResult):
    """The answer to "which associations are direct?"; see `LogLinearEvidence` for its attributes."""

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/log-linear/1"
    titles: ClassVar[tuple[str, ...]] = ("Edges", "Steps", "Not taken", "Groups", "Message", "Settings")
    table_descriptions = columns.TABLES
    caution: ClassVar[str] = wording.NOT_CAUSAL
    thick: ClassVar[str] = "the stronger the evidence for the link"

    # -- the model and how it was built -------------------------------------------------------------------------------

    steps = property(edge_tables.steps)

    refused = property(edge_tables.refused)

    replay = edge_tables.replay

    directed = edge_tables.directed

    def directed_graphs(self) -> dict[str, nx.Graph]:
        """See `Result.directed_graphs`."""
        return {"directed": self.directed()}

    compare = edge_tables.compare

    expected = edge_tables.expected

    residuals = edge_tables.residuals

    claims = edge_tables.claims

    variables = edge_tables.variables

    what_if = by_hand.what_if

    edited = by_hand.edited

    def graphs(self) -> dict[str, nx.Graph]:
        """{"associations": the model}; the status of a link is there where it is no link of all rows."""
        graph = self.graph
        for pair in self._held:
            graph.edges[pair]["status"] = ONLY_HELD
        return {"associations": graph}

    _held = cached_property(held_fixed)

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is in bits: what taking the edge away would cost."""
        status = FROM_THE_CUT if about.get("from_the_cut") else about.get("status", "linked")
        return status, float(about["evidence_bits"]), math.nan, ""

    # -- how it is told -----------------------------------------------------------------------------------------------

    headline = wording.headline
    question, left_open = wording.question, links.left_open
    hidden_in = columns.hidden_in

    sentences = wording.sentences

    def notes(self) -> list[str]:
        """The limits of the answer, one sentence each."""
        return list(self._notes)

    _notes = cached_property(wording.notes)

    link_notes = cached_property(wording.link_notes)

    independence = wording.independence

    def document(self) -> dict[str, Any]:
        """Settings, model, steps, refused edges, message lengths."""
        return {"settings": self.method.shown(), "data": self.described_data(), **columns.document(self)}

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        return {**columns.tables(self), "Settings": lambda: self.settings_table({"rows": self.n_rows})}

    _own_figures = figures.figure_makers

    def short_title(self) -> str:
        """The count of variables."""
        return count(len(self.names), "variable")

    def sections(self) -> list[Section]:
        """The answer, the model, how it was built, and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "The model", (self.caution,), ("Edges", "Groups"), ("networks",)),
            Section("story", "How it was built", tables=("Steps", "Not taken", "Message"), figures=("savings",)),
            Section(
                "method",
                "How this is computed, with which settings and levels",
                wording.length_sentences(self),
                tables=("Settings",),
            ),
        ]
