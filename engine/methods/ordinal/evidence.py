"""The evidence of an ordinal analysis: the network, the normal values behind it, and how sure it is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from engine.errors import SettingsError, check_number
from engine.graphs import dag, pdag
from engine.graphs.pdag import Pdag
from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, NO, YES, Claim, Verdict
from engine.methods.fitting import check_counts, check_parents, check_shape, check_that
from engine.methods.links_evidence import LinksEvidence
from engine.methods.ordinal.case_dropping import CaseDropping
from engine.methods.ordinal.effects import Link, link
from engine.methods.ordinal.inclusion import Inclusion
from engine.methods.ordinal.partial_network import DETERMINED, PartialNetwork
from engine.methods.ordinal.recurrence import RETURNS_AT, EdgeStrength, HalfSamples, SeedStability
from engine.methods.ordinal.settings import LATENT
from engine.methods.ordinal.structural_em import Round

Pair = tuple[str, str]
EDGE_COLUMNS = (
    *("source", "target", "mark", *Link.__dataclass_fields__),
    *("share", "share_low", "share_high", "directed_share", "seeds_share"),
)
"""Columns of `OrdinalEvidence.edge_table`, before those of half samples."""


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalEvidence(LinksEvidence):
    """Evidence on the links of ordered ratings, in numbers; positions are those of `names`.

    Attributes
    ----------
    method : the settings
    names : the variables, in column order
    fingerprint, made : of the data set; see `engine.methods.links_evidence` for its levels, rows and subjects
    counts : name -> (L,) rows of each level
    cuts : name -> (L - 1,) thresholds of the hidden normal value
    n_gaps : missing answers
    cpdag : the class of networks;  parents : of every variable in one DAG of it
    matrices : "start" (pairwise polychoric, as the fit began), "statistic" (on which the network was found), "fitted"
        (what it implies), "pairs" (pairwise polychoric, on which links are judged), "variances" (of these), "answered"
        (rows with both answers), "effects" (design effect of every link, where rows belong together)
    information : share of what hidden values would tell of a link that the levels keep
    log_likelihood : of the answers under the fitted correlations, natural logarithm; not a number where no hidden
        values were fitted
    lifted : whether the pairwise correlations had to be made to fit together
    rounds : of the EM;  criterion : of the one that is kept;  starts : how often the rounds began
    exact : whether `parents` have exactly the arrows of the class; not so where the tests of a PC search contradict
        each other
    warnings : about the levels
    predicting : of an approach without an order, the tables of shares it predicts by
    strength, seeds, halves : networks of rows drawn again, of other seeds, and of halves of the rows, where they were
        asked for
    lines : partial correlations given all others; None where there are too few rows for so many variables
    dropping : the lines' nodes measured again with fewer rows;  inclusion : how probable every link is; where asked for
    numbers : variables that are their own latent values;  copies : pairs that say nearly the same, or the reverse
    gaps_depend : name -> the variables on whose answers it depends whether its own is missing
    """

    counts: Mapping[str, np.ndarray]
    cuts: Mapping[str, np.ndarray]
    n_gaps: int
    cpdag: Pdag
    parents: tuple[tuple[int, ...], ...]
    matrices: Mapping[str, np.ndarray]
    information: float
    log_likelihood: float
    lifted: bool
    rounds: tuple[Round, ...]
    warnings: tuple[str, ...]
    criterion: float = math.nan
    exact: bool = True
    starts: int = 1
    predicting: tuple[np.ndarray, ...] = ()
    strength: EdgeStrength | None = None
    seeds: SeedStability | None = None
    halves: HalfSamples | None = None
    lines: PartialNetwork | None = None
    dropping: CaseDropping | None = None
    inclusion: Inclusion | None = None
    numbers: tuple[str, ...] = ()
    copies: tuple[Pair, ...] = ()
    gaps_depend: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def uncut(self) -> bool:
        """True where the search took numbers as they are; rivals and the published rounds read their levels."""
        return self.method.approach in LATENT and self.method.mode == "relaxed"

    @property
    def effective_rows(self) -> float:
        """Rows of hidden values that would tell as much as these rows of levels, for a pair on the average."""
        return self.information * self.size

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The class of networks: arrows one way, lines both ways."""
        return pdag.to_networkx(self.cpdag, self.names)

    @cached_property
    def dag(self) -> nx.DiGraph:
        """One network of the class; the direction of a line is arbitrary in it. See `exact` for that of a PC search."""
        return dag.to_networkx(self.parents, self.names)

    @property
    def correlation(self) -> pd.DataFrame:
        """Correlations of the hidden values, pair by pair (polychoric), by name; see the table "Correlations"."""
        return self._frame("pairs")

    @property
    def implied_correlation(self) -> pd.DataFrame:
        """Correlations of the hidden values that the network implies, by name."""
        return self._frame("fitted")

    @property
    def start(self) -> pd.DataFrame:
        """Polychoric correlation of every pair by itself, by name; lifted where they did not fit together."""
        return self._frame("start")

    @property
    def statistic(self) -> pd.DataFrame:
        """Correlations on which the network was found, by name."""
        return self._frame("statistic")

    def _frame(self, which: str) -> pd.DataFrame:
        return pd.DataFrame(self.matrices[which], index=list(self.names), columns=list(self.names))

    @property
    def thresholds(self) -> dict[str, tuple[float, ...]]:
        """name -> where the hidden normal value is cut, from low to high."""
        return {name: tuple(self.cuts[name].tolist()) for name in self.names}

    @property
    def shares(self) -> dict[str, tuple[float, ...]]:
        """name -> share of the rows that each level holds, of those with an answer."""
        return {name: tuple((self.counts[name] / self.counts[name].sum()).tolist()) for name in self.names}

    @cached_property
    def edge_pairs(self) -> tuple[tuple[Pair, bool], ...]:
        """Both ends of every link, and whether it has a direction; of a line the earlier column comes first."""
        result = []
        for i, name in enumerate(self.names):
            for j in dag.bits(self.cpdag.children[i]):
                result.append(((name, self.names[j]), True))
            for j in dag.bits(self.cpdag.neighbours[i]):
                if i < j:
                    result.append(((name, self.names[j]), False))
        return tuple(result)

    @cached_property
    def drawn_pairs(self) -> tuple[tuple[Pair, bool], ...]:
        """`edge_pairs`, where an arrow that too few halves of the rows turn alike has no direction."""
        halves = self.halves
        if halves is None:
            return self.edge_pairs
        return tuple((pair, directed and halves.returns(*pair) >= RETURNS_AT) for pair, directed in self.edge_pairs)

    @property
    def determined(self) -> Mapping[str, float]:
        """Of the lines, the largest share first; copies are told by themselves."""
        if self.lines is None:
            return {}
        shares = sorted(zip(self.lines.names, self.lines.explained.tolist(), strict=True), key=lambda item: -item[1])
        copies = {name for pair in self.copies for name in pair}
        return {name: share for name, share in shares if share >= DETERMINED and name not in copies}

    @property
    def arrows_first(self) -> bool:
        """True where arrows answer better than lines: others nearly determine a variable, and a network was found."""
        return bool(self.determined and self.edge_pairs)

    @property
    def chance_first(self) -> bool:
        """True where the headline is of links beyond chance: arrows answer better than lines, or there are none."""
        return self.arrows_first or self.lines is None

    @cached_property
    def pale_pairs(self) -> tuple[Pair, ...]:
        """The links that the picture of arrows has pale, by the yardstick of the headline.

        Those not beyond chance where the headline counts that; else those that half samples return too rarely.
        """
        if self.chance_first:
            return tuple(self.doubtful_links())
        halves = self.halves
        return () if halves is None else tuple(p for p, _ in self.edge_pairs if halves.share(*p) < RETURNS_AT)

    def given(self, a: str, b: str) -> tuple[str, ...]:
        """What the partial correlation of two variables in the network is given: the later one's other parents.

        Parameters
        ----------
        a, b : names, in either order
        """
        ends = {self.names.index(a), self.names.index(b)}
        others = next(given for source, child, given in self.families if {source, child} == ends)
        return tuple(self.names[x] for x in others)

    @property
    def n_links(self) -> int:
        """Number of links."""
        return len(self.edge_pairs)

    @cached_property
    def families(self) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
        """Of every pair in column order a possible parent, its child, and the child's other parents, by position."""
        p = len(self.names)
        alphabet = sorted(range(p), key=lambda i: self.names[i])
        positions = [alphabet.index(i) for i in range(p)]  # so that the order of the columns decides nothing
        order = dag.topological_order(self.parents, positions)
        rank = {x: place for place, x in enumerate(order)}
        result = []
        for i in range(p):
            for j in range(i + 1, p):
                source, child = (i, j) if rank[i] < rank[j] else (j, i)
                given = tuple(x for x in sorted(self.parents[child], key=positions.__getitem__) if x != source)
                result.append((source, child, given))
        return tuple(result)

    @cached_property
    def links(self) -> dict[Pair, Link]:
        """Evidence on every pair of variables, linked or not, by the ends in column order."""
        result = {}
        for source, child, given in self.families:
            a, b = sorted((source, child))
            rows = float(self.matrices["answered"][source, child])
            effect = float(self.matrices["effects"][source, child]) if "effects" in self.matrices else 1.0
            known = self.matrices["pairs"], self.matrices["variances"], source, child, given, rows
            result[self.names[a], self.names[b]] = link(*known, len(self.families), effect, self.subjects)
        return result

    def link(self, a: str, b: str) -> Link:
        """Evidence on two variables.

        Parameters
        ----------
        a, b : names, in either order
        """
        return self.links[(a, b) if (a, b) in self.links else (b, a)]

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
            raise SettingsError("No bootstrap was run; set bootstrap, or call Ordinal.edge_strength.")
        chosen = self.strength.threshold if threshold is None else threshold
        check_number("threshold", chosen, least=0, most=1)
        return pdag.to_networkx(self.strength.averaged(chosen), self.names)

    def doubtful_links(self) -> list[Pair]:
        """The links that chance alone could show among so many pairs, weakest first."""
        doubtful = [pair for pair, _ in self.edge_pairs if self.undecided or not self.link(*pair).beyond_chance]
        return sorted(doubtful, key=lambda pair: abs(self.link(*pair).partial))

    def claims(self) -> pd.DataFrame:
        """One row a pair: whether it is linked beyond what the later one's other parents explain.

        "yes" where the link is in the network and beyond chance among all pairs, "no" where it is not in it and a
        partial correlation of the margin or more is improbable; "cannot tell" of every pair where rows belong to fewer
        than six subjects. `effect` with `low` and `high` is the partial
        correlation of the hidden values; `chance` is p times the number of pairs.
        """
        linked = {frozenset(pair): pair for pair, _ in self.edge_pairs}
        drawn = dict(self.drawn_pairs)
        rows = []
        for pair, known in self.links.items():
            own = linked.get(frozenset(pair), pair)
            about = f"{own[0]} {'->' if drawn.get(own) else '--'} {own[1]}"
            effect = {"chance": known.chance, "effect": known.partial, "low": known.low, "high": known.high}
            verdict = self._verdict(frozenset(pair) in linked, known)
            rows.append(Claim(about, "linked", verdict, known.log_bayes_factor, **effect, n=self.n_rows))
        return frames.data_frame(rows, columns=list(CLAIMS))

    def _verdict(self, linked: bool, link: Link) -> Verdict:
        if self.undecided:
            return CANNOT_TELL
        if linked and link.beyond_chance:
            return YES
        return NO if not linked and link.below(self.method.margin) else CANNOT_TELL

    def variables(self) -> pd.DataFrame:
        """One row a variable: levels, links, rarest (share of the rows that the rarest level holds)."""
        degree = Counter(name for pair, _ in self.edge_pairs for name in pair)
        rows = [(len(self.levels[name]), degree[name], min(self.shares[name])) for name in self.names]
        return frames.data_frame(rows, ["levels", "links", "rarest"], names=self.names)

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
        columns = EDGE_COLUMNS if self.halves is None else (*EDGE_COLUMNS, "half_share", "half_way")
        rows = [self._edge_row(pair, directed) for pair, directed in self.drawn_pairs]
        return frames.data_frame(sorted(rows, key=lambda row: -abs(row["partial"])), columns=list(columns))

    def _edge_row(self, pair: Pair, directed: bool) -> dict[str, Any]:
        row = dict.fromkeys(EDGE_COLUMNS, math.nan) | asdict(self.link(*pair))
        row |= {"source": pair[0], "target": pair[1], "mark": "->" if directed else "--"}
        if self.strength is not None:
            row["share_low"], row["share_high"] = self.strength.interval(*pair)
            row |= {"share": self.strength.share(*pair), "directed_share": self.strength.directed_share(*pair)}
        if self.seeds is not None:
            row["seeds_share"] = self.seeds.share(*pair)
        if self.halves is not None:
            row |= {"half_share": self.halves.share(*pair), "half_way": self.halves.returns(*pair)}
        return row

    def threshold_table(self) -> pd.DataFrame:
        """One row a level: between which thresholds it lies, infinite at the ends; numbers have none.

        Returns
        -------
        pandas.DataFrame: variable, level, rows, share, above, below
        """
        rows = []
        for name in (name for name in self.names if name not in self.numbers):
            ends = [-math.inf, *self.thresholds[name], math.inf]
            levels = zip(
                self.levels[name], self.counts[name].tolist(), self.shares[name], ends[:-1], ends[1:], strict=True
            )
            rows += [(name, *about) for about in levels]
        return frames.data_frame(rows, columns=["variable", "level", "rows", "share", "above", "below"])

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
        """{"network": the class of networks}, and "lines" where they were estimated.

        A line of the class runs both ways. "lines" are the pairs whose partial correlation has an interval without 0.
        Where halves of the rows were learned, an arrow that fewer than nine in ten turn alike is a line.
        """
        graphs: dict[str, nx.Graph] = {"network": self._network.copy()}
        if self.lines is not None:
            graphs["lines"] = self._lines_graph(self.lines)
        return graphs

    def searched_graphs(self) -> dict[str, nx.Graph]:
        """The network; no search chooses the lines."""
        return {"network": self._network.copy()}

    def _lines_graph(self, lines: PartialNetwork) -> nx.Graph:
        graph = nx.empty_graph(self.names)
        for i, j in lines.pairs:
            if lines.drawn[i, j]:
                about = {"partial": float(lines.partial[i, j]), "clear": bool(lines.clear[i, j])}
                graph.add_edge(self.names[i], self.names[j], **about)
        return graph

    def _edge_facts(self, about: Mapping[str, Any]) -> tuple[str, float, float, str]:
        """The strength is the partial correlation's size."""
        partial = float(about["partial"])
        return "linked", abs(partial), math.nan, "+" if partial > 0 else "-"

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
        for again in (self.strength, self.seeds, self.halves):
            if again is not None:
                check_that(again.names == self.names, "its re-runs are of other variables")
                check_shape(again.links, n, n)
                check_shape(again.directed, n, n)
        for part in (self.lines, self.dropping, self.inclusion):
            check_that(part is None or part.names == self.names, "its lines are of other variables")
