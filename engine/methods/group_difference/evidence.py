"""The findings of a group comparison: every number that is told of it, and the verdicts that follow from them."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import SettingsError
from engine.lazy import nx, pd
from engine.measures.risk_difference import risk_difference
from engine.methods import frames
from engine.methods.group_difference import links, odds
from engine.methods.group_difference.average.averaging import Posterior
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.compared_groups import ComparedGroups
from engine.methods.group_difference.effects import contexts_counted, decisive, difference, level_of, most_different
from engine.methods.group_difference.numbers.child_evidence import ChildEvidence
from engine.methods.group_difference.numbers.described import ContextNumbers
from engine.methods.group_difference.numbers.equivalence import FoundContext, bound_of, drawn_largest
from engine.methods.group_difference.odds import rows_for_posterior
from engine.methods.group_difference.verdicts import (
    EVEN,
    EVERYWHERE,
    IMPROBABLE,
    MOST_R_HAT,
    OUTCOME_EVEN,
    RARE_MARGIN,
    SURE,
    WORTH_R_HAT,
    Alone,
    Verdict,
    Where,
)
from engine.methods.readings import once, without_store

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
class GroupDifferenceEvidence(ComparedGroups):
    """Evidence of a comparison of two groups; its fields are those of `ComparedGroups`."""

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
        """The evidence over S* of a variable; None where levels alone were compared.

        Parameters
        ----------
        i : position of the variable
        """
        which = self.evidence_differing if self.differs_likelier(i) else self.evidence_likeliest
        return which[i] if which else None

    def numbers_of(self, i: int) -> ContextNumbers | None:
        """A number over S*, by context; None for what is no number.

        Parameters
        ----------
        i : position of the variable
        """
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
        alone, remarks = self.chance_alone.corrected, self._remarks
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = log_odds - np.log(prior / (1 - prior))
        judged = zip(range(len(self.names)), probability, prior, error, r_hat, remarks, strict=True)
        verdicts = [self._verdict(*one) for one in judged]
        levels, rows = self._levels_told(verdicts, probability), []
        for i, (verdict, remark, k) in enumerate(zip(verdicts, remarks, levels, strict=True)):
            blocks, where = self.best_blocks[i], self.places[i]
            open_pair = i in self.undecided
            needed = self._rows_needed(i) if verdict == Verdict.CANNOT_TELL and not open_pair else math.nan
            found = self.found(i) if verdict == Verdict.NOT_SEEN and remark == Alone.NOT_SEEN else None
            parents, share = self.parents_of(i)
            stated = where is not None and remark != Alone.THROUGH_OTHERS
            there = difference(blocks, k, decisive(blocks)) if stated else [math.nan] * 3
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

    def _levels_told(self, verdicts: list[Verdict], probability: np.ndarray) -> list[int]:
        """The level that each variable's differences are of: which differs most; of those that are on one scale, as the
        items of a questionnaire, and do not differ, that of the surest, so that their shares can be compared."""
        every = zip(self.best_blocks, self.marginal, self.names, strict=True)
        levels = [level_of(blocks, alone, self.levels[name]) for blocks, alone, name in every]
        surest: dict[tuple[str, ...], int] = {}
        for i in np.argsort(-np.nan_to_num(probability), kind="stable").tolist():
            name, differs = self.names[i], verdicts[i].called or self._remarks[i] == Alone.THROUGH_OTHERS
            if len(self.levels[name]) > 2 and name not in self.numbers:
                common = surest.setdefault(tuple(self.levels[name]), levels[i])
                levels[i] = levels[i] if differs else common
        return levels

    def of_level(self, i: int, k: int) -> dict[str, float | str]:
        """The columns of a variable's row that are of one of its levels.

        Those within S* are NaN where no difference is seen given others: that is averaged over all networks, and S* is
        one set of parents.

        Parameters
        ----------
        i : position of the variable
        k : position of the level
        """
        held, alone = (difference(blocks, k) for blocks in (self.best_blocks[i], self.marginal[i]))
        held = (math.nan,) * 3 if self._remarks[i] == Alone.THROUGH_OTHERS else held
        return {
            "level": self.levels[self.names[i]][k],
            **dict(zip(("effect", "low", "high"), held, strict=True)),
            **dict(zip(("effect_alone", "low_alone", "high_alone"), alone, strict=True)),
        }

    def _in_units(self, i: int) -> dict[str, float | str]:
        """The columns of a variable's row that are in its unit; NaN where it is no number."""
        summary, given = self.numbers.get(self.names[i]), self.numbers_of(i)
        unknown = (math.nan,) * 3
        given = None if self._remarks[i] == Alone.THROUGH_OTHERS else given  # see `of_level`
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
        within = self._bounds[i] <= self.margin_of(i) and remark != Alone.THROUGH_OTHERS and self.found(i) is None
        return Verdict.ALIKE if within else Verdict.NOT_SEEN

    def margin_of(self, i: int) -> float:
        """The largest difference that is called equivalent: the margin, of two levels at most half the rarer's share.

        Parameters
        ----------
        i : position of the variable
        """
        rows = self.marginal[i].counts[0].sum(axis=0)
        rarer = rows.min() / rows.sum() if len(rows) == 2 else 1.0
        return min(self.method.margin, RARE_MARGIN * float(rarer))

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

        Parameters
        ----------
        i : position of the variable
        """
        called = set() if self.posterior is None else set(np.flatnonzero(self.posterior.log_odds >= 0).tolist())
        contexts = self.found_contexts[i] if self.found_contexts else ()
        large = (context for context in contexts if abs(context.effect) > self.method.margin)
        return next((context for context in large if not called & set(context.variables)), None)

    def context_found(self, found: FoundContext) -> str:
        """'severity = severe, admission = night'.

        Parameters
        ----------
        found : a context of `found_contexts`
        """
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
        """The variables that a difference of this one is seen to go through.

        Parameters
        ----------
        i : position of the variable
        """
        return () if self.posterior is None or i in self.undecided else self.posterior.through(i)

    @once(*READ)
    def _remarks(self) -> list[Alone]:
        """What each variable shows on its own."""
        p, seen = self._probabilities()[0], self.chance_alone.corrected <= self.method.chance
        return [self._alone(i, bool(seen[i]), float(p[i])) for i in range(len(self.names))]

    def _alone(self, i: int, seen: bool, p: float) -> Alone:
        if len(self.levels[self.names[i]]) < 2:
            return Alone.ONE_LEVEL
        if not seen:
            return Alone.NOT_SEEN
        return Alone.THROUGH_OTHERS if p < EVEN else Alone.DIFFERS

    def parents_of(self, i: int) -> tuple[tuple[str, ...], float]:
        """The likeliest parents by name, and their probability; those of the pooled network where none is averaged.

        Parameters
        ----------
        i : position of the variable
        """
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
        needed = float(result * blocks.counts.sum() / blocks.weighed.sum())
        return needed if needed > min(self.n) else math.nan  # so many there are, and it is open all the same

    def blocks(self, alignment: str | None = None) -> tuple[Blocks, ...]:
        """The blocks of every variable under an alignment; over S* where it is None.

        Parameters
        ----------
        alignment : "published", "common" or "marginal"; None for S*
        """
        return self.best_blocks if alignment is None else self.blocks_under(alignment)

    def log_block_prior(self, alignment: str | None, i: int) -> float:
        """ln of the prior probability that one block of variable i is the same.

        Parameters
        ----------
        alignment : as of `blocks`
        i : position of the variable
        """
        if alignment is not None or self.average is None:
            return float(self._log_block_priors(alignment or "common")[i])
        return float(self.log_priors[i]) / self.best_blocks[i].possible

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
        return dict(zip(self.graph_titles(), (graph.copy() for graph in self._networks), strict=True))

    @once(*READ)
    def _networks(self) -> list[nx.DiGraph]:
        if self.average is None or self.posterior is None:
            graphs = [graph.copy() for graph in self._single_order_networks]
        else:
            every = (*self.average.arcs, self.posterior.arcs)
            graphs = [links.averaged_network(self.names, arcs, self.link_status) for arcs in every]
        about = self._judged[["verdict", "probability", "where", "effect"]].to_dict("index")
        for graph in graphs:
            for name in self.names:
                graph.nodes[name].update(about[name])
        return graphs

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in without_store(self).items() if name != "rows"}
