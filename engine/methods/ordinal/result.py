"""The answer of an ordinal analysis: its evidence, told."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.lazy import pd
from engine.methods import frames
from engine.methods.links_result import LinksResult
from engine.methods.ordinal.case_dropping import CaseDropping
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.methods.ordinal.held_out_loss import log_loss
from engine.methods.ordinal.inclusion import Inclusion
from engine.methods.ordinal.partial_network import PartialNetwork
from engine.methods.ordinal.recurrence import EdgeStrength, HalfSamples, SeedStability, origin_of
from engine.methods.storing import storable
from engine.telling import links
from engine.telling.ordinal import wording
from engine.telling.ordinal.columns import TABLES
from engine.telling.ordinal.figures.makers import figure_makers
from engine.telling.ordinal.stability import stability
from engine.telling.sections import Section
from engine.telling.tables import TableDescription

SLUG = "ordinal"
Beside = EdgeStrength | SeedStability | HalfSamples | PartialNetwork | CaseDropping | Inclusion
"""What the method works out beside a run."""
_FIELDS: Mapping[type, str] = {
    EdgeStrength: "strength",
    SeedStability: "seeds",
    HalfSamples: "halves",
    PartialNetwork: "lines",
    CaseDropping: "dropping",
    Inclusion: "inclusion",
}
_TABLES_BESIDE = {
    "Lines": ("lines", "line_table"),
    "Inclusion": ("inclusion", "frame"),
    "Centrality": ("lines", "centrality_table"),
    "Case dropping": ("dropping", "frame"),
    "Strength": ("strength", "frame"),
}
"""Title of a table -> the field that it is of, and that field's method that gives it."""


@storable
@dataclass(frozen=True, eq=False, repr=False)
class OrdinalResult(OrdinalEvidence, LinksResult):
    """The answer to "how are ordered ratings linked?"; `OrdinalEvidence` says what its fields are."""

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/ordinal/1"
    titles: ClassVar[tuple[str, ...]] = (
        *("Edges", "Lines", "Inclusion", "Centrality", "Case dropping"),
        *("Strength", "Thresholds", "Correlations", "Implied correlations", "Rounds", "Settings"),
    )
    table_descriptions = TABLES
    link_scale: ClassVar[str] = "partial"
    caution: ClassVar[str] = wording.NOT_CAUSAL

    def with_parts(self, *parts: Beside) -> Self:
        """The same answer with what the method worked out beside the run, such as `Ordinal.edge_strength`.

        With half samples, arrows that do not return are drawn as lines. Lines with other scales leave out case
        dropping that was of these.

        Parameters
        ----------
        parts : of the same data, at most one of each kind

        Returns
        -------
        a result

        Raises
        ------
        SettingsError : one is of other data or settings
        """
        changes: dict[str, Any] = {}
        for part in parts:
            again = isinstance(part, EdgeStrength | SeedStability | HalfSamples)
            origin: object = origin_of(self.method, self.fingerprint) if again else self.fingerprint
            if part.origin != origin or part.names != self.names:
                raise SettingsError(
                    "This was worked out of other data or with other settings than the answer; ask for it again."
                )
            if isinstance(part, PartialNetwork) and (self.lines is None or self.lines.scales != part.scales):
                changes = {"dropping": None, **changes}
            changes[_FIELDS[type(part)]] = part
        return replace(self, **changes)

    def log_loss(self, test: Dataset) -> float:
        """Mean minus log probability of rows that the network was not learned from.

        Parameters
        ----------
        test : rows with the same variables and levels

        Returns
        -------
        nats a row

        Raises
        ------
        DataError : other variables or levels
        """
        return float(log_loss(self, test).mean())

    # -- how it is told -----------------------------------------------------------------------------------------------

    _own_figures, headline, short_title = figure_makers, wording.headline, wording.short_title
    question, how_sure, left_open = wording.question, wording.how_sure, links.left_open
    rows_words = wording.rows_words

    sentences, notes = wording.sentences, wording.notes

    def sections(self) -> list[Section]:
        """The answer, the network, how sure it is, what stands behind the levels, and how it was computed."""
        said = (*self.sentences(), *self.notes())
        central, latent = tuple(wording.centrality(self)), tuple(wording.latent(self))
        cuts, pictures = ("Thresholds", "Correlations", "Implied correlations"), ("thresholds", "correlations")
        there, stable = self.table_titles(), tuple(stability(self))
        parts = (
            Section("answer", self.headline(), said),
            Section("networks", "The network", (self.caution,), ("Edges", "Lines", "Inclusion"), ("networks",)),
            Section("centrality", "How central each variable is", central, ("Centrality", "Case dropping")),
            Section("strength", "How stable it is", stable, ("Strength",), ("directions",)),
            Section("latent", "Behind the levels", latent, cuts, pictures),
            Section("method", "How this is computed, with which settings", tables=("Rounds", "Settings")),
        )
        return [replace(part, tables=tuple(title for title in part.tables if title in there)) for part in parts]

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables that this answer has."""
        absent = {title for title, (part, _) in _TABLES_BESIDE.items() if getattr(self, part) is None}
        return tuple(title for title in self.titles if title not in absent and (self.rounds or title != "Rounds"))

    def table_description(self, title: str) -> TableDescription:
        """Description of the columns of one of the tables; of centralities, the ends of those that were measured.

        Parameters
        ----------
        title : one of `table_titles()`
        """
        about = super().table_description(title)
        if title != "Centrality" or self.lines is None:
            return about
        measured = {"explained", *self.lines.centralities}
        return replace(about, ends={name: pair for name, pair in about.ends.items() if name in measured})

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        return {
            "Edges": self.edge_table,
            **{title: partial(self._table_beside, title) for title in _TABLES_BESIDE},
            "Thresholds": self.threshold_table,
            "Correlations": lambda: self.correlation.reset_index(names="variable"),
            "Implied correlations": lambda: self.implied_correlation.reset_index(names="variable"),
            "Rounds": lambda: frames.data_frame(
                map(asdict, self.rounds), columns=["draws", "step", "links", "criterion"]
            ),
            "Settings": lambda: self.settings_table({"rows": self.n_rows, "missing answers": self.n_gaps}),
        }

    def _table_beside(self, title: str) -> pd.DataFrame:
        """A table of something that may not have been asked for; without rows then."""
        field, name = _TABLES_BESIDE[title]
        part, columns = getattr(self, field), list(TABLES[title].columns)
        table: pd.DataFrame = frames.data_frame(columns=columns) if part is None else getattr(part, name)()
        return table

    def document(self) -> dict[str, Any]:
        """Settings, network, thresholds, correlations, rounds."""
        return {
            "settings": self.method.shown(),
            "data": self.described_data(missing_answers=self.n_gaps),
            "edges": [frames.record(row) for row in self.edge_table().to_dict("records")],
            "thresholds": {name: list(cuts) for name, cuts in self.thresholds.items()},
            "correlation": dict(zip(self.names, self.matrices["pairs"].tolist(), strict=True)),
            "implied_correlation": dict(zip(self.names, self.matrices["fitted"].tolist(), strict=True)),
            "numbers": list(self.numbers),
            "copies": [list(pair) for pair in self.copies],
            "gaps": {name: list(others) for name, others in self.gaps_depend.items()},
            "start": dict(zip(self.names, self.matrices["start"].tolist(), strict=True)),
            "log_likelihood": None if math.isnan(self.log_likelihood) else self.log_likelihood,
            "information": self.information,
            "lifted": self.lifted,
            "rounds": [asdict(entry) for entry in self.rounds],
        }
