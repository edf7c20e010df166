"""The answer of a group comparison: its numbers, and how they are told."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.lazy import nx, pd, special
from engine.measures.risk_difference import risk_difference
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL as NEITHER
from engine.methods.evidence import CLAIMS, NO, YES, Claim
from engine.methods.fitting import check_codes, check_counts, check_parents, check_positions, check_shape, check_that
from engine.methods.group_difference import figures, links, odds, telling, wording
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.columns import TABLES, described_for
from engine.methods.group_difference.document import document, per_context
from engine.methods.group_difference.evidence import FEW_ROWS, GroupDifferenceEvidence
from engine.methods.group_difference.gap.gap import sections_of, table_of
from engine.methods.group_difference.numbers.described import NumberSummary
from engine.methods.group_difference.numbers.equivalence import FoundContext, bound_of, drawn_largest
from engine.methods.group_difference.odds import rows_for_posterior
from engine.methods.group_difference.rows.groups import split_groups
from engine.methods.group_difference.verdicts import (
    ALL_ROWS,
    EVEN,
    EVERYWHERE,
    IMPROBABLE,
    MOST_R_HAT,
    OUTCOME_EVEN,
    SURE,
    WORTH_R_HAT,
    Alone,
    Verdict,
    Where,
)
from engine.methods.readings import once
from engine.methods.storing import storable
from engine.methods.table_one import TITLE
from engine.telling.sections import Section
from engine.telling.spoken import spoken_level
from engine.telling.tables import TableDescription

SLUG = "group_difference"
STATES = {Verdict.DIFFERS: YES, Verdict.ALIKE: NO}
"""Verdicts that carry a claim or its opposite; the others carry neither."""
_ORDER = list(Verdict)
_READ = ("p_same", "p_level", "alignment", "margin", "p_none")
"""Settings that can be moved after the evidence is there."""


@storable
@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferenceResult(GroupDifferenceEvidence):
    """The answer to "which variables differ between the two groups?"; see its base for the fields."""

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/group-difference/4"
    titles = ("Variables", "Links", "Contexts", "Distributions", "Paper", TITLE, "Gap", "Settings")
    table_descriptions = TABLES
    no_link_test: ClassVar[str] = "These answers compare two groups already, so only their structure is compared."
    caution: ClassVar[str] = wording.CAUTION

    def table_description(self, title: str) -> TableDescription:
        """What the columns of one of the tables are, with the names of the groups.

        Parameters
        ----------
        title : one of `table_titles()`

        Returns
        -------
        `engine.telling.tables.TableDescription`
        """
        known = title in TABLES
        return described_for(title, *wording.headings(self)) if known else super().table_description(title)

    def variables(self) -> pd.DataFrame:
        """One row a variable, as the page shows them: what differs first, then by P(differs).

        `verdict` is one of `Verdict`, `alone` one of `Alone`.

        Returns
        -------
        pandas.DataFrame by variable: verdict; probability of a difference and its Monte Carlo error (0 where sums are
        exact); what differs, in words, of a variable that is called; unit; first and second, both groups as one tells
        them over all rows; difference of the means given the parents and overall, of a number in its unit, with ends;
        through, the variables that it is seen to differ through; where, the context that carries most of the
        evidence; level, that whose share differs most within the contexts of S*: every difference of a share is of
        it, second group minus first. These are effect with low and high (95 %), held within the contexts;
        where_effect, in `where`, its interval widened for the choice among the contexts; and effect_alone, without
        parents; alone and p_alone (corrected by Holm); p_over_margin, the posterior probability that a difference in
        any context of S* exceeds the margin, on which no verdict hangs; bound, the largest difference that all rows,
        and those held within S*, allow at 95 %; found, a context in which it differs by more than the margin where
        none is seen
        overall; rows_needed, a group, where it cannot be told, for P(differs) of .95 in 8 of 10 tables with
        a difference of the margin; log10 Bayes factor of the average; parents, the likeliest, and their probability;
        contexts, contexts_with_rows and few_rows of S*; then the columns of `ranking`, the paper's own numbers
        """
        return self._variables.copy()

    def where(self, variable: str) -> Where | None:
        """The context of S* with the largest odds for a difference.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        `Where`; None for a variable of one level, and where no context has rows of both groups

        Raises
        ------
        DataError : the variable was not compared
        """
        return self._where[self._index(variable)]

    def number(self, variable: str) -> NumberSummary | None:
        """A number in its unit: means, quartiles and histogram of both groups, differences of means.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        `engine.methods.group_difference.numbers.described.NumberSummary`; None where it is none, or its values are not
        at hand

        Raises
        ------
        DataError : the variable was not compared
        """
        self._index(variable)
        return self.numbers.get(variable)

    def contexts_in_units(self, variable: str) -> pd.DataFrame:
        """A number in each context of S*, in its unit.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        pandas.DataFrame: context; n_first, n_second; median, q1 and q3 of both groups; difference of the medians and
        of the means, second group minus first. In the order of `differences`; no rows for what is no number

        Raises
        ------
        DataError : the variable was not compared
        """
        return telling.contexts_in_units(self, self._index(variable))

    def segments(self, variable: str) -> pd.DataFrame:
        """The ranges of a number or an ordered variable in which the groups' shares differ, in the deciding context.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        pandas.DataFrame: low, high, in the variable's unit or as codes of its levels; share_first, share_second;
        direction, "higher" or "lower", of the second group's share. No rows where nothing is told of ranges

        Raises
        ------
        DataError : the variable was not compared
        """
        return telling.segments_table(self, self._index(variable))

    def differences(self, variable: str, level: str | None = None) -> pd.DataFrame:
        """How much the share of a level differs in each context of S*, and over all rows.

        Parameters
        ----------
        variable : one of those compared
        level : of it; None for that of `where`

        Returns
        -------
        pandas.DataFrame: context; n_first, n_second; difference of the share, second group minus first, with low and
        high (95 %, of all contexts together), NaN where a group has no rows; few_rows. The strongest evidence for a
        difference first, contexts without rows of both groups last of them, and all rows (`ALL_ROWS`) at the end

        Raises
        ------
        DataError : the variable was not compared, or has no such level
        """
        i = self._index(variable)
        place, blocks = self._where[i], self._likeliest_blocks[i]
        levels = self.levels[variable]
        if level is not None and level not in levels:
            raise DataError(f"'{variable}' has no level {level!r} here.", column=variable)
        k = levels.index(level) if level is not None else levels.index(place.level) if place else len(levels) - 1
        rows = blocks.counts.sum(axis=2)
        both = rows.min(axis=1) > 0
        order = sorted(range(len(rows)), key=lambda j: (not both[j], -blocks.bayes[j]))
        result = []
        parts = [(self._context(blocks, j), blocks, j) for j in order] if blocks.parents else []
        for context, item, j in [*parts, (ALL_ROWS, self.marginal[i], 0)]:
            n = item.counts[j].sum(axis=1)
            ends = self._difference(item, k, j)
            result.append((context, int(n[0]), int(n[1]), *ends, bool(n.min() < FEW_ROWS)))
        columns = ["context", "n_first", "n_second", "difference", "low", "high", "few_rows"]
        return frames.data_frame(result, columns=columns)

    def links(self) -> pd.DataFrame:
        """One row a pair of variables: the probability of a link, in either direction, in each group's network.

        Returns
        -------
        pandas.DataFrame: source, target; probability_first and probability_second, and the larger of them; status,
        "both", "only A", "only B", "neither" or "cannot tell"; error, the larger Monte Carlo error. The most probable
        first; no rows where orders are not averaged. "Only" is said where P(link) is at least .9 in one group and at
        most .1 in the other, and one of the ends is more probable than not to differ
        """
        return self._links.copy()

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: network} of the first group, the second, and the structure that both share.

        Averaged over orders: every link that is more probable than `NOT_THERE`, as two arcs unless one direction has
        `THERE` of its probability; arcs carry `probability` (of the link) and `status` ("both", "only A", "only B",
        "neither", "cannot tell"). Else the paper's three networks, whose arcs carry `status` ("both", "only A", "only
        B", "reversed", "neither") and `compelled`. Nodes carry `verdict`, `probability`, `where` and `effect`.
        """
        if self.average is None or self.posterior is None:
            graphs = [graph.copy() for graph in self._single_order_networks]
        else:
            graphs = [nx.empty_graph(self.names, nx.DiGraph) for _ in range(3)]
            for graph, arcs in zip(graphs, (*self.average.arcs, self.posterior.arcs), strict=True):
                links.add_links(self, graph, arcs)
        about = self._verdicts[["verdict", "probability", "where", "effect"]].to_dict("index")
        for graph in graphs:
            for name in self.names:
                graph.nodes[name].update(about[name])
        return dict(zip(self.graph_titles(), graphs, strict=True))

    def rows_of_networks(self, data: Dataset) -> tuple[Dataset, ...]:
        """The rows that each network of `graphs` was learned on: of the first group, of the second, of both.

        Parameters
        ----------
        data : the rows that the answer was made from

        Returns
        -------
        a data set a network
        """
        groups = split_groups(self.method, data)
        return groups.first, groups.second, groups.pooled

    @property
    def overall_bayes_factor(self) -> float:
        """Natural-log Bayes factor for a difference anywhere: of the average, or else of the paper's common parents."""
        posterior = self.posterior
        if posterior is None:
            return odds.paper_odds(self._stacked["common"], 0.5, "overall")[1]
        p = self.method.p_none
        any_odds = math.log(-math.expm1(min(posterior.log_none, -1e-300))) - posterior.log_none
        return any_odds - (math.log1p(-p) - math.log(p))

    @property
    def p_any(self) -> float:
        """P(anything differs) of the average; NaN where orders are not averaged, or clusters are too few."""
        few = self.clusters is not None and self.clusters.too_few
        return math.nan if self.posterior is None or few else -math.expm1(self.posterior.log_none)

    # -- inside -------------------------------------------------------------------------------------------------------

    @once("p_none")
    def _largest(self) -> list[np.ndarray]:
        """Draws from the posterior of the largest difference in any context of each variable's S*."""
        named = zip(self.names, self._likeliest_blocks, strict=True)
        return [drawn_largest(self.method, name, blocks) for name, blocks in named]

    @once(*_READ)
    def _variables(self) -> pd.DataFrame:
        """What `variables` gives away a copy of: every sentence on the page asks for it."""
        table = self._verdicts
        table = table.join(self._ranking.drop(columns=table.columns, errors="ignore"))
        place = [_ORDER.index(item) for item in table["verdict"]]
        certainty = -table["log10_bayes_factor"].fillna(-math.inf)
        table = table.assign(place=place, sure=certainty).sort_index(kind="stable")
        table = table.sort_values(["place", "sure"], kind="stable").drop(columns=["place", "sure"])
        return table.copy()  # one block a type: every copy of it is quick

    @once(*_READ)
    def _verdicts(self) -> pd.DataFrame:
        """The columns of `variables` that are not those of `ranking`, in column order."""
        probability, error, r_hat, prior, log_odds = self._probabilities()
        constant = [len(self.levels[name]) < 2 for name in self.names]  # it has its prior, which is no finding
        probability = np.where(constant, math.nan, probability)
        alone = self.chance_alone.corrected
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = log_odds - np.log(prior / (1 - prior))
        rows = []
        for i in range(len(self.names)):
            blocks, where = self._likeliest_blocks[i], self._where[i]
            remark = self._alone(i, bool(alone[i] <= self.method.chance), probability[i])
            verdict = self._verdict(i, probability[i], prior[i], error[i], r_hat[i], remark)
            open_pair = i in self.undecided
            needed = self._rows_needed(i) if verdict == Verdict.CANNOT_TELL and not open_pair else math.nan
            found = self._found(i) if verdict == Verdict.NOT_SEEN and remark == Alone.NOT_SEEN else None
            parents, share = self._parents_of(i)
            k = self._level_of(i, blocks)
            there = self._difference(blocks, k, self._decisive(blocks)) if where else [math.nan] * 3
            rows.append(
                {
                    "verdict": str(verdict),
                    "probability": probability[i],
                    "error": error[i],
                    "what": telling.what(self, i) if verdict in telling.CALLED else "",
                    **telling.of_level(self, i, k),
                    **telling.in_units(self, i),
                    "through": ", ".join(self.names[m] for m in self._through(i)),
                    "where": where.context if where else "",
                    **dict(zip(("where_effect", "where_low", "where_high"), there, strict=True)),
                    "alone": str(remark),
                    "p_alone": alone[i],
                    "p_over_margin": float((self._largest[i] > self.method.margin).mean()),
                    "bound": self._bounds[i],
                    "found": "" if found is None else wording.found_words(self, found),
                    "rows_needed": needed,
                    "log10_bayes_factor": factor[i] / math.log(10),
                    "parents": parents,
                    "p_parents": share,
                }
            )
        table = frames.data_frame(rows, names=self.names)
        return table.assign(**self._about_contexts(self._likeliest_blocks))

    def _probabilities(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(n,) P(differs), its Monte Carlo error, its R-hat, its prior, and ln odds as they were worked out, since
        probabilities near 1 have lost their digits; NaN where nothing carries a verdict."""
        n, posterior, clusters = len(self.names), self.posterior, self.clusters
        unknown, exact = np.full(n, math.nan), (np.zeros(n), np.ones(n))
        uncounted = clusters is not None and (clusters.too_few or posterior is None)
        if uncounted or (posterior is None and self.method.average == "orders"):
            return unknown, *exact, unknown, unknown
        if posterior is not None:
            prior = -np.expm1(self.log_priors)
            return posterior.claimed, posterior.error, posterior.r_hat, prior, posterior.log_odds
        alignment = self.method.alignment
        prior = -np.expm1(self._log_block_priors(alignment) * self._stacked[alignment][2])
        log_odds = self._odds[alignment][0]
        return odds.probability(log_odds), *exact, prior, log_odds

    def _verdict(self, i: int, p: float, prior: float, error: float, r_hat: float, remark: Alone) -> Verdict:
        """The word of one variable."""
        if len(self.levels[self.names[i]]) < 2:
            return Verdict.ONE_LEVEL
        low, even = min(IMPROBABLE, prior / 2), OUTCOME_EVEN if self.names[i] == self.outcome else EVEN
        crossed = i in self.undecided or any(abs(p - limit) < 2 * error for limit in (SURE, even, low))
        if math.isnan(p) or crossed or (error > WORTH_R_HAT and not r_hat <= MOST_R_HAT):
            return Verdict.CANNOT_TELL
        if p >= even:
            return Verdict.DIFFERS if p >= SURE else Verdict.PROBABLY
        if p >= low:
            return Verdict.CANNOT_TELL
        within = self._bounds[i] <= self.method.margin and remark != Alone.THROUGH_OTHERS and self._found(i) is None
        return Verdict.ALIKE if within else Verdict.NOT_SEEN

    @once("p_none")
    def _bounds(self) -> list[float]:
        """The largest difference of each variable that is left room for, by all rows and by those held within S*."""
        result = []
        for i, name in enumerate(self.names):
            ordered = name in self.ordered
            alone = self.numbers[name].bound if name in self.numbers else bound_of(self.marginal[i], ordered)
            blocks = self._likeliest_blocks[i]
            result.append(max(alone, bound_of(blocks, ordered)) if blocks.parents else alone)
        return result

    def _found(self, i: int) -> FoundContext | None:
        """The context in which a variable differs most surely, of those in which it does by more than the margin.

        None that variables make which differ themselves: among rows chosen by an effect its causes differ too.
        """
        called = set() if self.posterior is None else set(np.flatnonzero(self.posterior.log_odds >= 0).tolist())
        contexts = self.found_contexts[i] if self.found_contexts else ()
        large = (item for item in contexts if abs(item.effect) > self.method.margin)
        return next((item for item in large if not called & set(item.variables)), None)

    @once("p_none")
    def undecided(self) -> frozenset[int]:
        """Variables of which one differs, or how they go together, so that none is called by itself; by position."""
        posterior = self.posterior
        sets = () if posterior is None else (*posterior.together, *posterior.alternatives)
        return frozenset(i for group in sets for i in group)

    @property
    def unvaried(self) -> list[str]:
        """Variables of one value in each subject where groups are compared inside subjects: nothing can be evidence."""
        inside = self.clusters is not None and self.clusters.crossing and self.evidence_alone
        pairs = zip(self.names, self.evidence_alone, strict=True) if inside else ()
        return [name for name, own in pairs if len(own.common) and not own.common.any()]

    def _through(self, i: int) -> tuple[int, ...]:
        """The variables that a difference of this one is seen to go through."""
        return () if self.posterior is None or i in self.undecided else self.posterior.through(i)

    def _alone(self, i: int, seen: bool, p: float) -> Alone:
        if len(self.levels[self.names[i]]) < 2:
            return Alone.ONE_LEVEL
        if not seen:
            return Alone.NOT_SEEN
        return Alone.THROUGH_OTHERS if p < EVEN else Alone.DIFFERS

    def _parents_of(self, i: int) -> tuple[str, float]:
        """The likeliest parents by name, and their probability; those of the pooled network where none is averaged."""
        posterior = self.posterior
        parents = self.structures[2][i] if posterior is None else posterior.likeliest[i]
        share = math.nan if posterior is None else float(posterior.shares[i])
        return ", ".join(self.names[x] for x in parents), share

    def _level_of(self, i: int, blocks: Blocks) -> int:
        """The level that every difference of a variable is of: whose share differs most within the contexts of S*, or
        over all rows where no context has rows of both groups."""
        effect = risk_difference(blocks.counts)[0]
        effect = effect if np.isfinite(effect).any() else risk_difference(self.marginal[i].counts)[0]
        return _most_different(effect, self.levels[self.names[i]])

    def _difference(self, blocks: Blocks, k: int, j: int | None = None) -> tuple[float, float, float]:
        """The difference of the share of level k with its interval, held within all blocks or in block j.

        That of a block holds for all blocks together, since a reader is shown the one that differs most.
        """
        many = 1 if j is None else max(int((blocks.counts.sum(axis=2).min(axis=1) > 0).sum()), 1)
        effect, low, high = risk_difference(blocks.counts if j is None else blocks.counts[j : j + 1], 1 - 0.05 / many)
        if not np.isfinite(effect[k]):
            return math.nan, math.nan, math.nan
        if blocks.ends is not None:
            low, high = blocks.ends[-1 if j is None else j]
            wider = float(special.ndtri(1 - 0.025 / many) / special.ndtri(0.975))
            middle, reach = (low + high) / 2, wider * (high - low) / 2
            low, high = np.maximum(middle - reach, -1.0), np.minimum(middle + reach, 1.0)
        return float(effect[k]), float(low[k]), float(high[k])

    @once("p_none")
    def _where(self) -> list[Where | None]:
        return [self._where_of(i, blocks) for i, blocks in enumerate(self._likeliest_blocks)]

    def _where_of(self, i: int, blocks: Blocks) -> Where | None:
        rows, j = blocks.counts.sum(axis=2), self._decisive(blocks)
        if len(self.levels[self.names[i]]) < 2 or j is None:
            return None
        k = _most_different(risk_difference(blocks.counts[j : j + 1])[0], self.levels[self.names[i]])
        level, (effect, low, high) = self.levels[self.names[i]][k], self._difference(blocks, k, j)
        hits = int(blocks.counts[j, 0, k]), int(blocks.counts[j, 1, k])
        context = self._context(blocks, j) if blocks.parents else EVERYWHERE
        missing = self.missing.get(self.names[i]) == level
        return Where(context, level, hits, (int(rows[j, 0]), int(rows[j, 1])), effect, low, high, missing)

    def _decisive(self, blocks: Blocks) -> int | None:
        """The block with the largest odds for a difference of those with rows of both groups."""
        both = blocks.counts.sum(axis=2).min(axis=1) > 0
        return int(np.argmax(np.where(both, blocks.bayes, -math.inf))) if both.any() else None

    def _rows_needed(self, i: int) -> float:
        if self.posterior is None or (self.clusters is not None and self.clusters.too_few):
            return math.nan
        if self.names[i] in self.unvaried:  # however many rows there are
            return math.nan
        blocks = self._likeliest_blocks[i]
        alpha = self.method.score.cell_prior(blocks.possible, blocks.counts.shape[2])
        log_same = float(self.log_priors[i])
        seed = [self.method.seed, zlib.crc32(self.names[i].encode()), 2]
        result = rows_for_posterior(blocks.weighed, blocks.possible, self.method.margin, alpha, log_same, SURE, seed)
        return float(result * blocks.counts.sum() / blocks.weighed.sum())

    # -- links --------------------------------------------------------------------------------------------------------

    @once("p_none")
    def _link_status(self) -> np.ndarray:
        return links.status_of(self)

    @once("p_none")
    def _links(self) -> pd.DataFrame:
        return links.table_of(self)

    # -- how it is told ------------------------------------------------------------------------------------------------

    _own_figures = figures.figure_makers

    def short_title(self) -> str:
        """The group column, its two groups and the score."""
        first, second = self.labels
        return f"{self.method.group}: {first} v {second}, {type(self.method.score).__name__}"

    headline = wording.headline

    sentences = wording.sentences

    row_notes = wording.row_notes

    notes = wording.notes

    explain = wording.explain

    def adding_up(self, variable: str) -> str:
        """How the parts of a variable's contexts make its evidence, over its likeliest parents; one sentence.

        Parameters
        ----------
        variable : one of those compared
        """
        return telling.adding_up(self.contexts(variable)["part"])

    def sections(self) -> list[Section]:
        """The answer, the ranking, one variable, the networks, and how it was computed."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            self._described_section(),
            Section("ranking", "Which variables differ", tables=("Variables",), figures=("ranking",)),
            Section(
                "variable",
                "One variable, context by context",
                tuple(self.explain(str(self.variables().index[0]))),
                ("Contexts", "Distributions"),
                ("contexts",),
            ),
            *sections_of(list(self.gaps.values())),
            Section("networks", "Networks of the groups", (self.caution,), ("Links",), ("networks",)),
            Section("paper", "The paper's own numbers, under one order", tuple(wording.published(self)), ("Paper",)),
            Section("method", "How this is computed, and with which settings", tables=("Settings",)),
        ]

    def claims(self) -> pd.DataFrame:
        """One row a variable: whether it differs.

        "yes" is *differs*, "no" is *alike* within the margin; Bayes factor and probability are those of the average.
        """
        rows = [
            Claim(
                str(name),
                "differs",
                STATES.get(row["verdict"], NEITHER),
                row["log10_bayes_factor"] * math.log(10),
                **row[["probability", "effect", "low", "high"]],
                n=self.n_rows,
            )
            for name, row in self.variables().iterrows()
        ]
        return frames.data_frame(rows, columns=list(CLAIMS))

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        rows = {f"rows in {label}": n for label, n in zip(self.labels, self.n, strict=True)}
        return {
            "Variables": lambda: self.variables().reset_index(),
            "Links": lambda: self.links() if self.average else self.edges()[["network", "source", "target", "status"]],
            "Contexts": lambda: per_context(  # the shares differ by variable: "Distributions"
                self, lambda name, alignment: self.contexts(name, alignment).iloc[:, :7]
            ),
            "Distributions": lambda: per_context(self, self.distributions),
            "Paper": lambda: self.ranking().reset_index(),
            TITLE: self._described_table,
            "Gap": lambda: table_of(list(self.gaps.values())),
            "Settings": lambda: self.settings_table(rows),
        }

    def _check_read(self) -> None:
        super()._check_read()
        n = len(self.names)
        check_counts(*self.n)
        check_that(len(set(self.labels)) == 2, "the groups are one")
        for parents in self.structures:
            check_parents(parents, n)
        for blocks in (self.published, self.common, self.marginal, self.likeliest, self.differing):
            optional = blocks is self.likeliest or blocks is self.differing
            check_that(len(blocks) == (n if self.average or not optional else 0), "variables and blocks do not match")
            for name, block in zip(self.names, blocks, strict=False):
                check_positions(block.parents, n)
                check_that(block.possible >= 1, "a block has no configurations")
                check_shape(block.configurations, None, len(block.parents))
                check_shape(block.counts, len(block.configurations), 2, len(self.levels[name]))
                check_shape(block.bayes, len(block.configurations))
                check_counts(block.counts)
                check_codes(block.configurations.T, [len(self.levels[self.names[x]]) for x in block.parents])
        chance = self.chance_alone
        check_that(len(chance.p) == len(chance.corrected) == n, "variables and their chances are not as many")
        check_that(self.average is None or self.average.arcs.shape[1] == n, "the average is of other variables")

    document = document


def _most_different(effect: np.ndarray, levels: tuple[str, ...]) -> int:
    """The level with the largest difference; of two levels, which mirror each other, that which one speaks of."""
    size, spoken = np.round(np.abs(effect), 9), spoken_level(levels)
    return int(np.flatnonzero(size == size.max())[-1]) if spoken is None else spoken
