"""The findings of a group comparison: every number that is told of it, and the verdicts that follow from them."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import words
from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.graphs.dag import Parents
from engine.lazy import nx, pd
from engine.measures.risk_difference import risk_difference
from engine.methods import frames
from engine.methods.described_rows import DescribedRows
from engine.methods.evidence import Evidence
from engine.methods.group_difference import links, odds
from engine.methods.group_difference.average.averaging import Average, Posterior, log_priors
from engine.methods.group_difference.blocks import Blocks, stack
from engine.methods.group_difference.chance import Chance
from engine.methods.group_difference.effects import contexts_counted, decisive, difference, level_of, most_different
from engine.methods.group_difference.gap.evidence import GapEvidence
from engine.methods.group_difference.numbers.child_evidence import ChildEvidence
from engine.methods.group_difference.numbers.described import ContextNumbers, NumberSummary
from engine.methods.group_difference.numbers.equivalence import FoundContext, bound_of, drawn_largest
from engine.methods.group_difference.odds import rows_for_posterior
from engine.methods.group_difference.rows.clusters import ClusterFacts
from engine.methods.group_difference.verdicts import (
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
from engine.methods.readings import once, without_store

ALIGNMENTS = ("published", "common")
READ = ("p_same", "p_level", "alignment", "margin", "p_none")
"""Settings that can be moved after the evidence is there."""
_ORDER = list(Verdict)


def sureness(variables: pd.DataFrame) -> list[tuple[int, float]]:
    """The order of variables: by the place of the verdict, then by evidence."""
    certainty = -variables["log10_bayes_factor"].fillna(-math.inf)
    return list(zip(map(_ORDER.index, variables["verdict"]), certainty, strict=True))


def surest_first(variables: pd.DataFrame) -> pd.DataFrame:
    """The variables that differ first, then by P(differs)."""
    order = sureness(variables)
    return variables.iloc[sorted(range(len(order)), key=order.__getitem__)]


@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferenceEvidence(Evidence):
    """The findings of a comparison of two groups, in numbers.

    Attributes
    ----------
    method : the settings
    names, levels : the variables compared (without the group column) and their levels
    labels, n : what the two groups are called, and their numbers of rows
    structures : parents of every variable in the first group's, the second's and the pooled network
    published, common : the blocks of every variable under the two alignments
    marginal : one block a variable, without parents: the univariate comparison
    average : P(differs) and P(link) averaged over orders; None where they are not
    likeliest, differing : the blocks of every variable over its likeliest parents, and over its likeliest parents where
        it differs, both groups over the same; none where orders are not averaged
    chance_alone : what shuffled labels show of `marginal`
    dropped : levels that neither group has
    fingerprint : of the data set
    clusters : of rows that belong together; None where each is by itself
    left_out : a sentence on rows left out for gaps, where what differs may be that; "" else
    missing : variable -> its level for values that are missing
    made : what it was computed from and with
    ordered : the variables whose levels have an order, numbers among them
    numbers : of those whose values are at hand, in their units
    evidence_likeliest, evidence_differing : what a difference of every variable is, over S* of either kind
    evidence_alone : the same without parents; none of the three where levels alone were compared
    found_contexts : of every variable those in which it differs whatever is said of all rows; none where not looked for
    recording : sentences on how unlike recording was evened out between the groups
    set_aside : columns that others determine, which were not asked together -> a sentence
    described : all rows of both groups, in every variable; None in an answer that an older version saved
    gaps : those that were explained, by what they are of; they are told and saved with the answer
    rows : the rows that it was made from, as long as it stays where it was made
    """

    levels: Mapping[str, tuple[str, ...]]
    labels: tuple[str, str]
    n: tuple[int, int]
    structures: tuple[Parents, Parents, Parents]
    published: tuple[Blocks, ...]
    common: tuple[Blocks, ...]
    marginal: tuple[Blocks, ...]
    average: Average | None
    likeliest: tuple[Blocks, ...]
    differing: tuple[Blocks, ...]
    chance_alone: Chance
    dropped: Mapping[str, tuple[str, ...]]
    clusters: ClusterFacts | None
    left_out: str
    missing: Mapping[str, str]
    ordered: tuple[str, ...] = ()
    numbers: Mapping[str, NumberSummary] = field(default_factory=dict)
    evidence_likeliest: tuple[ChildEvidence, ...] = ()
    evidence_differing: tuple[ChildEvidence, ...] = ()
    evidence_alone: tuple[ChildEvidence, ...] = ()
    found_contexts: tuple[tuple[FoundContext, ...], ...] = ()
    recording: tuple[str, ...] = ()
    set_aside: Mapping[str, str] = field(default_factory=dict)
    described: DescribedRows | None = None
    gaps: Mapping[str, GapEvidence] = field(default_factory=dict)
    rows: Dataset | None = field(default=None, metadata={"stored": False})

    @property
    def n_rows(self) -> int:
        """Rows of both groups together."""
        return sum(self.n)

    @property
    def alignment(self) -> str:
        """Whose contexts a report shows: "likeliest" where orders are averaged, else those of the settings."""
        return "likeliest" if self.average else self.method.alignment

    def group_names(self) -> tuple[str, str]:
        """Names of the two groups in sentences: with their variable too where a label says nothing without it."""
        first, second = (f"{self.method.group} = {label}" if words.is_bare(label) else label for label in self.labels)
        return first, second

    def graph_titles(self) -> tuple[str, str, str]:
        """Titles of the three networks, different even where the labels are odd."""
        group = self.method.group
        return f"{group} = {self.labels[0]}", f"{group} = {self.labels[1]}", "both groups together"

    @property
    def outcome(self) -> str:
        """The variable that was asked about beforehand; "" where none was, or orders are not averaged."""
        place = -1 if self.average is None else self.average.outcome
        return self.names[place] if place >= 0 else ""

    @property
    def log_priors(self) -> np.ndarray:
        """(n,) ln of the prior probability that each variable is the same."""
        return log_priors(self.method.p_none, len(self.names), -1 if self.average is None else self.average.outcome)

    def context(self, blocks: Blocks, j: int) -> str:
        """Block j of a variable in words: the values of its parents."""
        if not blocks.parents:
            return "all rows"
        named = zip(blocks.parents, blocks.configurations[j], strict=True)
        return ", ".join(f"{self.names[x]} = {self.levels[self.names[x]][code]}" for x, code in named)

    def parents(self, variable: str) -> dict[str, tuple[str, ...]]:
        """The parents of a variable in the three networks.

        Parameters
        ----------
        variable : one of those compared

        Returns
        -------
        title of `graphs()` -> names

        Raises
        ------
        DataError : the variable was not compared
        """
        i = self.index(variable)
        return {
            title: tuple(self.names[x] for x in structure[i])
            for title, structure in zip(self.graph_titles(), self.structures, strict=True)
        }

    def index(self, variable: str) -> int:
        """The position of a variable; `DataError` where it was not compared."""
        if variable not in self.names:
            raise DataError(f"{variable!r} was not compared; the group column itself never is.")
        return self.names.index(variable)

    # -- the average over orders, and S* -------------------------------------------------------------------------------

    @once("p_none")
    def posterior(self) -> Posterior | None:
        """P(differs) and what belongs to it, under the settings' prior `p_none`; None where orders are not averaged."""
        average = self.average
        if average is None or average.posterior.p_none == self.method.p_none:
            return None if average is None else average.posterior
        if average.families is None:
            raise SettingsError(
                f"Orders of {len(self.names)} variables were drawn under p_none = {average.posterior.p_none:g}; "
                "another prior takes another run.",
                setting="p_none",
            )
        return average.under(self.method.p_none, self.names)

    @property
    def p_any(self) -> float:
        """P(anything differs) of the average; NaN where orders are not averaged, or clusters are too few."""
        few = self.clusters is not None and self.clusters.too_few
        return math.nan if self.posterior is None or few else -math.expm1(self.posterior.log_none)

    @property
    def overall_bayes_factor(self) -> float:
        """Natural-log Bayes factor for a difference anywhere: of the average, or else of the paper's common parents."""
        posterior = self.posterior
        if posterior is None:
            return odds.paper_odds(self._stacked["common"], 0.5, "overall")[1]
        p = self.method.p_none
        any_odds = math.log(-math.expm1(min(posterior.log_none, -1e-300))) - posterior.log_none
        return any_odds - (math.log1p(-p) - math.log(p))

    @once("p_none")
    def best_blocks(self) -> tuple[Blocks, ...]:
        """S*: over the likeliest parents, among models in which the variable differs where that is the likelier."""
        if self.posterior is None:
            return self.common
        pairs = enumerate(zip(self.differing, self.likeliest, strict=True))
        return tuple(differing if self.differs_likelier(i) else likeliest for i, (differing, likeliest) in pairs)

    def differs_likelier(self, i: int) -> bool:
        """True where S* of a variable is over models in which it differs.

        Parameters
        ----------
        i : its position in `names`

        Returns
        -------
        bool
        """
        return self.posterior is not None and bool(self.posterior.log_odds[i] >= 0)

    def evidence_of(self, i: int) -> ChildEvidence | None:
        """The evidence over S* of a variable; None where levels alone were compared."""
        which = self.evidence_differing if self.differs_likelier(i) else self.evidence_likeliest
        return which[i] if which else None

    def numbers_of(self, i: int) -> ContextNumbers | None:
        """A number over S*, by context; None for what is no number."""
        summary = self.numbers.get(self.names[i])
        return None if summary is None else summary.differing if self.differs_likelier(i) else summary.likeliest

    # -- verdicts ------------------------------------------------------------------------------------------------------

    @once(*READ)
    def verdicts(self) -> pd.DataFrame:
        """One row a variable in numbers, what differs first: see `GroupDifferenceResult.variables`."""
        table = self._judged
        table = table.join(self._ranking.drop(columns=table.columns, errors="ignore"))
        return surest_first(table.sort_index(kind="stable")).copy()  # one block a type: every copy of it is quick

    @once(*READ)
    def _judged(self) -> pd.DataFrame:
        """The columns of `verdicts` that are not those of `ranking`, in column order."""
        probability, error, r_hat, prior, log_odds = self._probabilities()
        constant = [len(self.levels[name]) < 2 for name in self.names]  # it has its prior, which is no finding
        probability = np.where(constant, math.nan, probability)
        alone = self.chance_alone.corrected
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = log_odds - np.log(prior / (1 - prior))
        rows = []
        for i in range(len(self.names)):
            blocks, where = self.best_blocks[i], self.places[i]
            remark = self._alone(i, bool(alone[i] <= self.method.chance), probability[i])
            verdict = self._verdict(i, probability[i], prior[i], error[i], r_hat[i], remark)
            open_pair = i in self.undecided
            needed = self._rows_needed(i) if verdict == Verdict.CANNOT_TELL and not open_pair else math.nan
            found = self.found(i) if verdict == Verdict.NOT_SEEN and remark == Alone.NOT_SEEN else None
            parents, share = self.parents_of(i)
            k = level_of(blocks, self.marginal[i], self.levels[self.names[i]])
            there = difference(blocks, k, decisive(blocks)) if where else [math.nan] * 3
            rows.append(
                {
                    "verdict": str(verdict),
                    "probability": probability[i],
                    "error": error[i],
                    **self.of_level(i, k),
                    **self._in_units(i),
                    "through": ", ".join(self.names[m] for m in self.through(i)),
                    "where": where.context if where else "",
                    **dict(zip(("where_effect", "where_low", "where_high"), there, strict=True)),
                    "alone": str(remark),
                    "p_alone": alone[i],
                    "p_over_margin": float((self._largest[i] > self.method.margin).mean()),
                    "bound": self._bounds[i],
                    "found": "" if found is None else self.context_found(found),
                    "rows_needed": needed,
                    "log10_bayes_factor": factor[i] / math.log(10),
                    "parents": ", ".join(parents),
                    "p_parents": share,
                }
            )
        table = frames.data_frame(rows, names=self.names)
        return table.assign(**contexts_counted(self.best_blocks))

    def of_level(self, i: int, k: int) -> dict[str, float | str]:
        """The columns of a variable's row that are of one of its levels."""
        held, alone = (difference(blocks, k) for blocks in (self.best_blocks[i], self.marginal[i]))
        return {
            "level": self.levels[self.names[i]][k],
            **dict(zip(("effect", "low", "high"), held, strict=True)),
            **dict(zip(("effect_alone", "low_alone", "high_alone"), alone, strict=True)),
        }

    def _in_units(self, i: int) -> dict[str, float | str]:
        """The columns of a variable's row that are in its unit; NaN where it is no number."""
        summary, given = self.numbers.get(self.names[i]), self.numbers_of(i)
        unknown = (math.nan,) * 3
        held, overall = unknown if given is None else given.difference, unknown if summary is None else summary.alone
        return {
            "unit": "" if summary is None else summary.unit,
            **dict(zip(("difference", "difference_low", "difference_high"), held, strict=True)),
            **dict(zip(("overall", "overall_low", "overall_high"), overall, strict=True)),
        }

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
        within = self._bounds[i] <= self.method.margin and remark != Alone.THROUGH_OTHERS and self.found(i) is None
        return Verdict.ALIKE if within else Verdict.NOT_SEEN

    @once("p_none")
    def _largest(self) -> list[np.ndarray]:
        """Draws from the posterior of the largest difference in any context of each variable's S*."""
        named = zip(self.names, self.best_blocks, strict=True)
        return [drawn_largest(self.method, name, blocks) for name, blocks in named]

    @once("p_none")
    def _bounds(self) -> list[float]:
        """The largest difference of each variable that is left room for, by all rows and by those held within S*."""
        result = []
        for i, name in enumerate(self.names):
            ordered = name in self.ordered
            alone = self.numbers[name].bound if name in self.numbers else bound_of(self.marginal[i], ordered)
            blocks = self.best_blocks[i]
            result.append(max(alone, bound_of(blocks, ordered)) if blocks.parents else alone)
        return result

    def found(self, i: int) -> FoundContext | None:
        """The context in which a variable differs most surely, of those in which it does by more than the margin.

        None that variables make which differ themselves: among rows chosen by an effect its causes differ too.
        """
        called = set() if self.posterior is None else set(np.flatnonzero(self.posterior.log_odds >= 0).tolist())
        contexts = self.found_contexts[i] if self.found_contexts else ()
        large = (context for context in contexts if abs(context.effect) > self.method.margin)
        return next((context for context in large if not called & set(context.variables)), None)

    def context_found(self, found: FoundContext) -> str:
        """'severity = severe, admission = night'."""
        pairs = [(self.names[x], code) for x, code in zip(found.variables, found.codes, strict=True)]
        return ", ".join(f"{name} = {self.levels[name][code]}" for name, code in pairs)

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

    def through(self, i: int) -> tuple[int, ...]:
        """The variables that a difference of this one is seen to go through."""
        return () if self.posterior is None or i in self.undecided else self.posterior.through(i)

    def _alone(self, i: int, seen: bool, p: float) -> Alone:
        if len(self.levels[self.names[i]]) < 2:
            return Alone.ONE_LEVEL
        if not seen:
            return Alone.NOT_SEEN
        return Alone.THROUGH_OTHERS if p < EVEN else Alone.DIFFERS

    def parents_of(self, i: int) -> tuple[tuple[str, ...], float]:
        """The likeliest parents by name, and their probability; those of the pooled network where none is averaged."""
        posterior = self.posterior
        parents = self.structures[2][i] if posterior is None else posterior.likeliest[i]
        return tuple(self.names[x] for x in parents), math.nan if posterior is None else float(posterior.shares[i])

    @once("p_none")
    def places(self) -> list[Where | None]:
        return [self._place_of(i, blocks) for i, blocks in enumerate(self.best_blocks)]

    def _place_of(self, i: int, blocks: Blocks) -> Where | None:
        rows, j = blocks.counts.sum(axis=2), decisive(blocks)
        if len(self.levels[self.names[i]]) < 2 or j is None:
            return None
        k = most_different(risk_difference(blocks.counts[j : j + 1])[0], self.levels[self.names[i]])
        level, (effect, low, high) = self.levels[self.names[i]][k], difference(blocks, k, j)
        hits = int(blocks.counts[j, 0, k]), int(blocks.counts[j, 1, k])
        context = self.context(blocks, j) if blocks.parents else EVERYWHERE
        missing = self.missing.get(self.names[i]) == level
        return Where(context, level, hits, (int(rows[j, 0]), int(rows[j, 1])), effect, low, high, missing)

    def _rows_needed(self, i: int) -> float:
        if self.posterior is None or (self.clusters is not None and self.clusters.too_few):
            return math.nan
        if self.names[i] in self.unvaried:  # however many rows there are
            return math.nan
        blocks = self.best_blocks[i]
        alpha = self.method.score.cell_prior(blocks.possible, blocks.counts.shape[2])
        log_same = float(self.log_priors[i])
        seed = [self.method.seed, zlib.crc32(self.names[i].encode()), 2]
        result = rows_for_posterior(blocks.weighed, blocks.possible, self.method.margin, alpha, log_same, SURE, seed)
        return float(result * blocks.counts.sum() / blocks.weighed.sum())

    # -- the paper's own numbers ---------------------------------------------------------------------------------------

    @property
    def log_odds(self) -> pd.Series:
        """ln O_i by variable under the chosen alignment (equation 10), natural log, in column order."""
        return self._series(self._odds[self.method.alignment][0])

    @property
    def overall_log_odds(self) -> float:
        """ln O under the chosen alignment (equation 11), natural log."""
        return self._odds[self.method.alignment][1]

    def both(self) -> pd.DataFrame:
        """The two alignments side by side.

        `favour` is "a difference" or "no difference" when both lean so, however little, "one each" when they disagree,
        and "neither" for a variable with one level, whose odds are the prior's. It is no verdict: see `variables`.
        """
        return self._both.copy()

    def tipping_prior(self) -> pd.Series:
        """For each variable the `p_same` (of the same level) at which its odds are even.

        The evidence for a difference is as strong as the prior against it would have to be.
        """
        alignment = self.method.alignment
        unit = odds.log_block_priors(math.exp(-1.0), self.method.p_level, self._stacked[alignment][2])
        return self._series(np.exp(-self._tipping[alignment] / unit))  # unit is ln p_ieta for ln p = -1

    def ranking(self) -> pd.DataFrame:
        """The paper's own numbers, one row a variable, strongest evidence for a difference first (ties by name).

        Odds are log10. `marginal_log10_odds` is the univariate answer under the same prior; `tipping_prior` is the
        `p_same` that would make the odds even.

        Returns
        -------
        pandas.DataFrame by variable
        """
        return self._ranking.copy()

    @once("p_same", "p_level", "alignment")
    def _ranking(self) -> pd.DataFrame:
        log_p = self._log_block_priors(self.method.alignment)
        prior = -log_p * self._stacked[self.method.alignment][2]  # -ln P(the variable is the same)
        table = self._both.assign(
            log10_odds=self.log_odds / math.log(10),
            p_different=odds.probability(self.log_odds.to_numpy()),
            log10_published=self._both["published"] / math.log(10),
            log10_common=self._both["common"] / math.log(10),
            marginal_log10_odds=self._odds["marginal"][0] / math.log(10),
            prior_log10_odds=(prior + np.log(-np.expm1(-prior))) / math.log(10),
            tipping_prior=self.tipping_prior(),
            **contexts_counted(self.blocks(self.method.alignment)),
            silent=self._both["favour"] == "neither",
        )
        table = table.drop(columns=["published", "common"]).sort_index()
        table = table.sort_values(["silent", "log10_odds"], ascending=[True, False], kind="stable")
        return table.drop(columns="silent").copy()

    @once("p_same", "p_level")
    def _both(self) -> pd.DataFrame:
        published, common = (self._odds[alignment][0] for alignment in ALIGNMENTS)
        favour = np.where(published > 0, "a difference", "no difference").astype(object)
        favour[(published > 0) != (common > 0)] = "one each"
        favour[[len(self.levels[name]) < 2 for name in self.names]] = "neither"
        return frames.data_frame(
            {
                "published": published,
                "common": common,
                "p_different_published": odds.probability(published),
                "p_different_common": odds.probability(common),
                "favour": favour,
                "parents_differ": [len({s[i] for s in self.structures}) > 1 for i in range(len(self.names))],
            },
            names=self.names,
        )

    @once("p_same", "p_level")
    def _odds(self) -> dict[str, tuple[np.ndarray, float]]:
        method = self.method
        return {name: odds.paper_odds(own, method.p_same, method.p_level) for name, own in self._stacked.items()}

    @once()
    def _stacked(self) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Per alignment: all log Bayes factors in a row, where each variable's begin, and H_i."""
        return {name: stack(self.blocks(name)) for name in (*ALIGNMENTS, "marginal")}

    @once()
    def _tipping(self) -> dict[str, np.ndarray]:
        """Per alignment: (n,) ln p_ieta at even odds; the prior does not move it."""
        return {name: odds.tipping_log_block_prior(*self._stacked[name]) for name in ALIGNMENTS}

    def _log_block_priors(self, alignment: str) -> np.ndarray:
        possible = self._stacked[alignment][2]
        return odds.log_block_priors(self.method.p_same, self.method.p_level, possible)

    def blocks(self, alignment: str | None = None) -> tuple[Blocks, ...]:
        """The blocks of every variable under an alignment; over S* where it is None."""
        if alignment is None:
            return self.best_blocks
        if alignment not in (*ALIGNMENTS, "marginal"):
            raise DataError(f"There is no alignment {alignment!r}; there are 'published' and 'common'.")
        blocks: tuple[Blocks, ...] = getattr(self, alignment)
        return blocks

    def log_block_prior(self, alignment: str | None, i: int) -> float:
        """ln of the prior probability that one block of variable i is the same."""
        if alignment is not None or self.average is None:
            return float(self._log_block_priors(alignment or "common")[i])
        return float(self.log_priors[i]) / self.best_blocks[i].possible

    def _series(self, values: np.ndarray) -> pd.Series:
        return frames.series_of(values, self.names)

    # -- links ---------------------------------------------------------------------------------------------------------

    @once("p_none")
    def link_status(self) -> np.ndarray:
        """(n, n) what each link is to the two groups; empty where orders are not averaged."""
        return links.link_status(self.average, self.posterior)

    @once("p_none")
    def link_table(self) -> pd.DataFrame:
        """See `GroupDifferenceResult.links`."""
        return links.link_table(self.names, self.average, self.link_status)

    @once()
    def _single_order_networks(self) -> list[nx.DiGraph]:
        return links.single_order_networks(self.names, self.structures, self.method.score.equivalent)

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
            every = (*self.average.arcs, self.posterior.arcs)
            graphs = [links.averaged_network(self.names, arcs, self.link_status) for arcs in every]
        about = self._judged[["verdict", "probability", "where", "effect"]].to_dict("index")
        for graph in graphs:
            for name in self.names:
                graph.nodes[name].update(about[name])
        return dict(zip(self.graph_titles(), graphs, strict=True))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in without_store(self).items() if name != "rows"}
