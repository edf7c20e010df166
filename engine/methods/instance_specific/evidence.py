"""The tables of one patient's result: links, families, the parent sets weighed, and the counts behind a choice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.graphs.compare import compare
from engine.measures.intervals import beta_interval
from engine.methods import report
from engine.methods.instance_specific.answer import InstanceAnswer
from engine.methods.instance_specific.links import Link, LinkWord, agreeing
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.result import CANNOT_TELL
from engine.scores.instance import UNKNOWN

if TYPE_CHECKING:
    import pandas as pd


FEW_CASES = 30
"""With fewer similar cases than this the shares are marked as thin evidence."""
SIMILAR = "similar cases"
STATUS = {"same": "kept", "only_a": "dropped", "only_b": "added", "reversed": "reversed"}
"""What `engine.graphs.compare` says of population and patient -> what this method calls it."""


def arc_changes(result: InstanceAnswer) -> pd.DataFrame:
    """One row an edge of either network; see `InstanceSpecificResult.arc_changes`."""
    cpdag = result.population_cpdag
    population, instance = result.population, result.instance
    rows = []
    for arc in compare(population, instance).arcs:
        source, target = arc.source, arc.target
        status = STATUS[arc.status]
        drawn = instance if status in ("added", "reversed") else population
        if drawn.has_edge(target, source) and not drawn.has_edge(source, target):
            source, target = target, source
        choice = result.choice(target)
        link = result.link(source, target)
        rows.append(
            {
                "source": source,
                "target": target,
                "status": status,
                "directed": not (drawn.has_edge(source, target) and drawn.has_edge(target, source)),
                "compelled": cpdag.has_edge(source, target) and not cpdag.has_edge(target, source),
                "known": result.codes[source] != UNKNOWN,
                "probability": result.probability_of(link) if link is not None else math.nan,
                "context": in_words(result, choice.parents),
                "cases": int(choice.cases.sum()),
                "score_gain": choice.gain,
                "kappa_cost": choice.cost,
                "net": choice.gain + choice.cost,
                **_said(result, link),
            }
        )
    columns = ["source", "target", "status", "directed", "compelled", "known", "probability", "context", "cases"]
    return report.data_frame(rows, columns=[*columns, "score_gain", "kappa_cost", "net", *SAID])


def _said(result: InstanceAnswer, link: Link | None) -> dict[str, Any]:
    """The columns `SAID` of one edge; of one that nothing can be said of, nothing."""
    nothing = math.nan
    if link is None:
        return dict(zip(SAID, (False, nothing, CANNOT_TELL, LinkWord.NOT_ASKED, *(nothing,) * 9, 0), strict=True))
    text = (
        link.asked,
        result.support_of(link),
        link.verdict,
        link.word,
        link.log_bayes_factor,
        *_shifts(link),
        nothing if link.needed is None else link.needed,
        link.rows,
    )
    return dict(zip(SAID, text, strict=True))


def _shifts(link: Link) -> tuple[float, ...]:
    """The shift here with its interval, that among the others, and their difference with its own."""
    item = link.compared
    if item is None:
        return link.here.effect, link.here.low, link.here.high, *(math.nan,) * 4
    difference = item.difference, item.difference_low, item.difference_high
    return item.here, item.here_low, item.here_high, item.others, *difference


SAID = (
    "asked",
    "in_population",
    "verdict",
    "word",
    "log_bayes_factor",
    "effect",
    "low",
    "high",
    "others",
    "difference",
    "difference_low",
    "difference_high",
    "rows_needed",
    "like",
)
"""What the verdicts add to an edge; see `InstanceSpecificResult.arc_changes`."""


def families(result: InstanceAnswer) -> pd.DataFrame:
    """One row a variable; see `InstanceSpecificResult.families`."""
    rows = []
    for name in result.names:
        choice = result.choice(name)
        chosen = sum(1 << i for i, x in enumerate(choice.pool) if x in choice.parents)
        links = [link for link in result.links if link.child == choice.child]
        rows.append(
            {
                "population_parents": result.in_order(choice.population),
                "instance_parents": result.in_order(choice.parents),
                "changed": choice.changed,
                "context": in_words(result, choice.parents),
                "cases": int(choice.cases.sum()),
                "rows": result.n_rows,
                "few_cases": bool(choice.cases.sum() / result.divided_by < FEW_CASES),
                "score_gain": choice.gain,
                "kappa_cost": choice.cost,
                "net": choice.gain + choice.cost,
                "probability": _parent_set_probability(result, choice, chosen),
                **{
                    word.replace(" ", "_"): result.in_order(
                        link_value.source for link_value in links if _kind(link_value) == word
                    )
                    for word in (LinkWord.NO_LONGER, LinkWord.DIFFERENTLY, CANNOT_TELL, LinkWord.NOT_ASKED)
                },
            }
        )
    return report.data_frame(rows, names=result.names)


def _kind(link: Link) -> str:
    """The word of a link; one for all that matter otherwise but still."""
    return LinkWord.DIFFERENTLY if link.told and link.word != LinkWord.NO_LONGER else link.word


def _parent_set_probability(result: InstanceAnswer, choice: NodeChoice, chosen: int) -> float:
    """The probability of a set of parents among those weighed; NaN where only one could be chosen."""
    if result.network.cpdag is not None or np.isfinite(choice.gains).sum() < 2:
        return math.nan
    return float(choice.posterior()[chosen])


def alternatives(result: InstanceAnswer, choice: NodeChoice) -> pd.DataFrame:
    """Every parent set that was weighed for one variable, best first."""
    weighed = [(choice.parents, choice.gain, choice.cost, math.nan)]
    if result.network.cpdag is None:
        posterior = choice.posterior()
        weighed = [
            (choice.subset(s), float(choice.gains[s]), float(choice.costs[s]), float(posterior[s]))
            for s in np.argsort(-(choice.gains + choice.costs), kind="stable").tolist()
            if choice.gains[s] > -np.inf
        ]
    elif choice.changed:
        weighed.append((choice.population, 0.0, 0.0, math.nan))
    rows = [
        {
            "parents": result.in_order(group),
            "dropped": result.in_order(set(choice.population) - set(group)),
            "added": result.in_order(set(group) - set(choice.population)),
            "context": in_words(result, group),
            "cases": _cases(result, choice, group),
            "score_gain": gain,
            "kappa_cost": cost,
            "net": gain + cost,
            "probability": probability,
        }
        for group, gain, cost, probability in weighed
    ]
    return report.data_frame(rows)


def distributions(result: InstanceAnswer, choice: NodeChoice) -> pd.DataFrame:
    """The child's distribution in the patient's row of parameters, and in the population rows this replaces."""
    family = result.counted[choice.child]
    r = family.counts.shape[1]
    blocks: list[tuple[str, np.ndarray, float]] = []
    if choice.changed:
        blocks.append((SIMILAR, choice.cases, _shared_prior(result, choice)))
    prior = result.method.ess / (family.possible + (result.method.prior == "paper" and choice.changed))
    replaced = agreeing(family, result.codes_by_position, {*choice.population} & {*choice.parents})
    for configuration, counts in zip(family.configurations[replaced], family.counts[replaced], strict=True):
        blocks.append((_row_words(result, family.parents, configuration), counts, prior))
    if not blocks:
        blocks.append((in_words(result, family.parents), np.zeros(r, dtype=np.int64), prior))
    levels = result.levels[result.name(choice.child)]
    rows = [row for who, counts, total in blocks for row in _shares(who, counts, total, levels, result.divided_by)]
    return report.data_frame(rows, columns=["who", "rows", "level", "count", "share", "low", "high"])


def in_words(result: InstanceAnswer, group: tuple[int, ...]) -> str:
    """The patient's known values of some variables in one cell of a table: "smoking = no"."""
    return ", ".join(f"{name} = {level}" for name, level in result.known_values(group).items())


def _row_words(result: InstanceAnswer, parents: tuple[int, ...], configuration: np.ndarray) -> str:
    values = dict(zip((result.name(x) for x in parents), configuration.tolist(), strict=True))
    words = [f"{name} = {result.levels[name][values[name]]}" for name in result.names if name in values]
    return ", ".join(words) or "all rows"


def _cases(result: InstanceAnswer, choice: NodeChoice, group: tuple[int, ...]) -> int | None:
    """Rows that agree with the patient on a subset of the population's parents; None for other parents."""
    if group == choice.parents:
        return int(choice.cases.sum())
    if not set(group) <= set(choice.population):
        return None
    family = result.counted[choice.child]
    return int(family.counts[agreeing(family, result.codes_by_position, group)].sum())


def _shared_prior(result: InstanceAnswer, choice: NodeChoice) -> float:
    if result.method.prior == "paper":
        return result.method.ess / (result.counted[choice.child].possible + 1)
    return result.method.ess / math.prod(len(result.levels[result.name(x)]) for x in choice.parents)


def _shares(who: str, counts: np.ndarray, prior: float, levels: tuple[str, ...], by: float) -> list[tuple[Any, ...]]:
    """Posterior mean and central 95 % interval of every level's share (Beta margins of the Dirichlet)."""
    a = counts / by + prior / len(counts)
    low, high = beta_interval(a, a.sum() - a)
    columns = (levels, counts.tolist(), a / a.sum(), low, high)
    return [(who, int(counts.sum()), *row) for row in zip(*columns, strict=True)]
