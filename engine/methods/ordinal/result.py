"""The answer of an ordinal analysis: the network, how sure it is, and how it is told."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.errors import SettingsError
from engine.graphs import pdag
from engine.methods import report
from engine.methods.fitting import check_counts, check_parents, check_shape, check_that
from engine.methods.ordinal import tell
from engine.methods.ordinal.columns import TABLES
from engine.methods.ordinal.effects import Link
from engine.methods.ordinal.model import OrdinalModel
from engine.methods.ordinal.predict import log_loss
from engine.methods.ordinal.recurrence import EdgeStrength, HalfSamples, Recurrence, SeedStability, origin_of
from engine.methods.result import CANNOT_TELL, CLAIMS, NO, YES, Result, Section
from engine.methods.storing import storable

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset

SLUG = "ordinal"


@storable
@dataclass(frozen=True, eq=False, repr=False)
class OrdinalResult(OrdinalModel, Result):
    """The answer to "how do ordered ratings hang together?"; see its base for the fields."""

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/ordinal/1"
    titles: ClassVar[tuple[str, ...]] = ("Edges", "Strength", "Thresholds", "Correlations", "Rounds", "Settings")
    table_descriptions = TABLES
    link_scale: ClassVar[str] = "partial"
    caution: ClassVar[str] = tell.NOT_CAUSAL

    # -- how sure -----------------------------------------------------------------------------------------------------

    @property
    def edge_strength(self) -> EdgeStrength | None:
        """How often links come back when the rows are drawn again; None where that was not asked."""
        return self.strength

    def with_strength(self, strength: EdgeStrength) -> Self:
        """The same answer with what `Ordinal.edge_strength` found.

        Parameters
        ----------
        strength : of the same data

        Returns
        -------
        a result

        Raises
        ------
        SettingsError : it is of other data or settings
        """
        self._check_origin(strength)
        return replace(self, strength=strength)

    def with_seeds(self, seeds: SeedStability) -> Self:
        """The same answer with what `Ordinal.monte_carlo` found.

        Parameters
        ----------
        seeds : of the same data

        Returns
        -------
        a result

        Raises
        ------
        SettingsError : it is of other data or settings
        """
        self._check_origin(seeds)
        return replace(self, seeds=seeds)

    def with_halves(self, halves: HalfSamples) -> Self:
        """The same answer with what `Ordinal.half_samples` found: arrows that do not return are drawn as lines.

        Parameters
        ----------
        halves : of the same data

        Returns
        -------
        a result

        Raises
        ------
        SettingsError : it is of other data or settings
        """
        self._check_origin(halves)
        return replace(self, halves=halves)

    def _check_origin(self, found: Recurrence) -> None:
        if found.origin != origin_of(self.method, self.fingerprint) or found.names != self.names:
            raise SettingsError(
                "These networks were learned from other data or with other settings than the answer; learn them again."
            )

    def averaged(self, threshold: float | None = None) -> nx.DiGraph:
        """The network of the links that came back often enough.

        Parameters
        ----------
        threshold : links in a larger share of the networks are in; the one of the L1 rule where None

        Returns
        -------
        networkx.DiGraph; a line, which runs both ways, where fewer than three quarters of a link's networks agree on
        its direction. It need not be a class of DAGs, and arrows may go round in a circle

        Raises
        ------
        SettingsError : the rows were not drawn again; a threshold that is not from 0 to 1
        """
        if self.strength is None:
            raise SettingsError("The rows were not drawn again; set bootstrap, or call Ordinal.edge_strength.")
        if threshold is not None and not 0 <= threshold <= 1:
            raise SettingsError(f"threshold is {threshold!r}; it must be a number from 0 to 1.", setting="threshold")
        chosen = self.strength.threshold if threshold is None else float(threshold)
        return pdag.to_networkx(self.strength.averaged(chosen), self.names)

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

    def headline(self) -> str:
        """The one-sentence answer."""
        return tell.headline(self)

    def sentences(self) -> list[str]:
        """The strongest link, and what the answer rests on."""
        return tell.sentences(self)

    def row_notes(self) -> list[str]:
        """Sentences on rows that belong together or were left out."""
        return tell.row_notes(self)

    def notes(self) -> list[str]:
        """What limits the answer, one sentence each."""
        return tell.notes(self)

    def sections(self) -> list[Section]:
        """The answer, the network, how sure it is, what stands behind the levels, and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("networks", "The network", (self.caution,), ("Edges",), ("networks",)),
            Section(
                "strength", "How stable it is", tuple(tell.stability(self)), self._there("Strength"), ("directions",)
            ),
            Section(
                "latent",
                "Behind the levels",
                tuple(tell.latent(self)),
                ("Thresholds", "Correlations"),
                ("thresholds", "correlations"),
            ),
            Section("method", "How this is computed, with which settings", tables=self._there("Rounds", "Settings")),
        ]

    def claims(self) -> pd.DataFrame:
        """One row a pair: whether it is linked beyond what the later one's other parents explain.

        "yes" where the link is in the network and beyond chance among all pairs, "no" where it is not in it and a
        partial correlation of the margin or more is improbable; "cannot tell" of every pair where rows belong to fewer
        than six subjects. `effect` with `low` and `high` is the partial
        correlation of the hidden values; `chance` is p times the number of pairs.
        """
        import pandas as pd

        linked = {frozenset(pair): pair for pair, _ in self.edge_pairs}
        rows = []
        for pair, one in self.links.items():
            own = linked.get(frozenset(pair))
            about = tell.named(self, own) if own else f"{pair[0]} -- {pair[1]}"
            verdict = self._verdict(own is not None, one)
            effect = (one.partial, one.low, one.high)
            rows.append((about, "linked", verdict, one.log_bayes_factor, math.nan, one.chance, *effect, self.n_rows))
        return pd.DataFrame(rows, columns=list(CLAIMS))

    def _verdict(self, linked: bool, one: Link) -> str:
        if self.undecided:
            return CANNOT_TELL
        if linked and one.beyond_chance:
            return YES
        return NO if not linked and one.below(self.method.margin) else CANNOT_TELL

    def variables(self) -> pd.DataFrame:
        """One row a variable: levels, links, rarest (share of the rows that the rarest level holds)."""
        import pandas as pd

        degree = dict.fromkeys(self.names, 0)
        for pair, _ in self.edge_pairs:
            for name in pair:
                degree[name] += 1
        return pd.DataFrame(
            {
                "levels": [len(self.levels[name]) for name in self.names],
                "links": [degree[name] for name in self.names],
                "rarest": [min(self.shares[name]) for name in self.names],
            },
            index=pd.Index(self.names, name="variable"),
        )

    def edge_table(self) -> pd.DataFrame:
        """One row a link, the strongest first.

        Returns
        -------
        pandas.DataFrame: source, target, mark ("->" or "--"); partial (partial correlation of the hidden values given
        the later one's other parents), low, high (95 %); weight (of the regression, in standard deviations);
        log_bayes_factor (natural); chance (p times the number of pairs); share, share_low, share_high (of networks
        with the rows drawn again that have the link); directed_share (that have it this way); seeds_share; where
        halves of the rows were learned, half_share (that have the link) and half_way (of these, that have it this way)
        """
        import pandas as pd

        columns = [
            "source",
            "target",
            "mark",
            "partial",
            "low",
            "high",
            "weight",
            "log_bayes_factor",
            "chance",
            "share",
        ]
        columns += ["share_low", "share_high", "directed_share", "seeds_share"]
        columns += ["half_share", "half_way"] if self.halves is not None else []
        return pd.DataFrame(tell.edge_rows(self), columns=columns)

    @cached_property
    def _network(self) -> nx.DiGraph:
        graph = self.graph.copy()
        for (source, target), directed in self.drawn_pairs:
            about = {"partial": self.link(source, target).partial}
            if self.strength is not None:
                about["share"] = self.strength.share(source, target)
            graph.add_edge(source, target, **about)
            if not directed:
                graph.add_edge(target, source, **about)
        return graph

    def graphs(self) -> dict[str, nx.Graph]:
        """{"network": the class of networks}; a line runs both ways.

        Where halves of the rows were learned, an arrow that fewer than nine in ten of them turn alike is a line.
        """
        return {"network": self._network.copy()}

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is the partial correlation's size."""
        partial = float(about["partial"])
        return "linked", abs(partial), math.nan, "+" if partial > 0 else "-"

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables that this answer has."""
        gone = {"Strength": self.strength is None, "Rounds": not self.rounds}
        return tuple(title for title in self.titles if not gone.get(title))

    def _there(self, *titles: str) -> tuple[str, ...]:
        return tuple(title for title in titles if title in self.table_titles())

    def table(self, title: str) -> pd.DataFrame:
        """One of the tables.

        Parameters
        ----------
        title : "Edges", "Strength", "Thresholds", "Correlations", "Rounds" or "Settings"

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SettingsError : there is no such table
        """
        import pandas as pd

        self._check_title(title)
        if title == "Edges":
            return self.edge_table()
        if title == "Strength":
            none = pd.DataFrame(columns=["source", "target", "share", "low", "high", "directed"])
            return none if self.strength is None else self.strength.frame()
        if title == "Thresholds":
            return pd.DataFrame(self._thresholds(), columns=["variable", "level", "rows", "share", "above", "below"])
        if title == "Correlations":
            return self.correlation.reset_index(names="variable")
        if title == "Rounds":
            rows = [(one.draws, one.step, one.links, one.criterion) for one in self.rounds]
            return pd.DataFrame(rows, columns=["draws", "step", "links", "criterion"])
        rows_ = {"rows": self.n_rows, "missing answers": self.n_gaps}
        if self.subjects:
            rows_ |= {f"subjects ({self.subject})": self.subjects, "rows they are worth": max(round(self.size), 1)}
        return report.settings_table(self.settings(), rows_, self.fingerprint, self.made.versions)

    def _thresholds(self) -> list[tuple[str, str, int, float, float, float]]:
        """Variable, level, rows, share, and between which thresholds; infinite at the ends."""
        found = []
        for name in self.names:
            ends = [-math.inf, *self.thresholds[name], math.inf]
            for i, level in enumerate(self.levels[name]):
                found.append((name, level, int(self.counts[name][i]), self.shares[name][i], ends[i], ends[i + 1]))
        return found

    def _check_read(self) -> None:
        super()._check_read()
        n = len(self.names)
        check_that(self.cpdag.n_variables == n, "its network stands over other variables")
        check_parents(self.parents, n)
        check_that(set(self.counts) == set(self.cuts) == set(self.names), "a variable has no counts")
        for name, levels in self.levels.items():
            check_shape(self.counts[name], len(levels))
            check_counts(self.counts[name])
            check_shape(self.cuts[name], len(levels) - 1)
        for matrix in self.matrices.values():
            check_shape(matrix, n, n)
        check_that(1.0 <= self.effect < math.inf and self.subjects >= 0, "its design effect is none")
        for one in (self.strength, self.seeds, self.halves):
            if one is not None:
                check_that(one.names == self.names, "its re-runs are of other variables")
                check_shape(one.links, n, n)
                check_shape(one.directed, n, n)

    def document(self) -> dict[str, Any]:
        """Settings, network, thresholds, correlations, rounds."""
        return tell.document(self)
