"""The whole comparison, and the paper's three networks with one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from engine.counting.differences.forms import LEVELS, NUMBER, ORDERED
from engine.data.dataset import Dataset
from engine.data.fine_codes import CELLS
from engine.data.notes import left_out_note
from engine.errors import SettingsError
from engine.execution import Progress, part
from engine.graphs.dag import Parents, topological_order
from engine.methods.cost import Size
from engine.methods.evidence import RunRecord
from engine.methods.group_difference.average.averaging import MOST_WALKED, Average, average_groups
from engine.methods.group_difference.average.families import average_constraints
from engine.methods.group_difference.blocks import Blocks, weigh, weigh_clusters
from engine.methods.group_difference.chance import chance
from engine.methods.group_difference.cost import average_cost, describing_seconds, searching_seconds
from engine.methods.group_difference.numbers.child_evidence import ChildEvidence, weigh_child
from engine.methods.group_difference.numbers.described import describe_numbers
from engine.methods.group_difference.numbers.equivalence import MOST_SINGLE, scan
from engine.methods.group_difference.numbers.items import compare_items
from engine.methods.group_difference.numbers.scales import Scale
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.group_difference.rows.clusters import ClusterFacts
from engine.methods.group_difference.rows.fine_groups import MOST_PARENTS
from engine.methods.group_difference.rows.groups import Groups, lost_groups, split_groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.table_one import table_one
from engine.scores.dirichlet import K2
from engine.search.knowledge import Knowledge
from engine.search.learn import as_search
from engine.search.problem import Problem
from engine.text import Count, told


def compare_groups(method: GroupDifferenceSettings, data: Dataset, progress: Progress) -> GroupDifferenceResult:
    """The whole comparison: split, learn the paper's three networks, average over orders, weigh blocks."""
    groups = split_groups(method, data)
    n = groups.pooled.n_variables
    averaged = method.average == "orders" and n <= MOST_WALKED
    if averaged:
        average_constraints(method, groups.pooled)  # what cannot be is said before anything is learned
    priority = sorted(range(n), key=lambda i: groups.pooled.names[i])
    learned, averages, described = _spans(method, groups, averaged)
    characteristics = table_one(data, method.group, method.groups or groups.labels)
    structures = learn_three(method, groups, priority, part(progress, 0.0, learned))
    average: Average | None = None
    likeliest: tuple[Blocks, ...] = ()
    differing: tuple[Blocks, ...] = ()
    if averaged:
        average = average_groups(method, groups, structures, part(progress, learned, averages))
        likeliest = weigh_clusters(method, groups, average.posterior.likeliest)
        differing = weigh_clusters(method, groups, average.posterior.differing, likeliest)
    progress(averages, "comparing the distributions of the two groups")
    published = weigh(method, groups, structures, common=False)
    common = weigh(method, groups, structures, common=True, known=published)
    marginal = weigh(method, groups, (((),) * n,) * 3, common=True)
    robust = weigh_clusters(method, groups, ((),) * n, marginal)
    worth = [float(own.weighed.sum() / max(own.counts.sum(), 1)) for own in robust]  # below 1 where rows go together
    marginal = tuple(replace(raw, ends=own.ends) for raw, own in zip(marginal, robust, strict=True))
    scales = groups.scales(method).scales
    ordered = tuple(
        name for name, scale in zip(groups.pooled.names, scales, strict=True) if _in_order(data, name, scale)
    )
    numbers = describe_numbers(groups, likeliest or common, differing or common, worth, data.units)
    evidence = (
        [_evidence(method, groups, blocks) for blocks in (likeliest, differing, marginal)] if averaged else [()] * 3
    )
    progress(described, "permuting the group labels")
    result = GroupDifferenceResult(
        method=method,
        names=groups.pooled.names,
        levels=groups.pooled.levels,
        labels=groups.labels,
        n=(groups.first.n_rows, groups.second.n_rows),
        structures=structures,
        published=published,
        common=common,
        marginal=marginal,
        average=average,
        likeliest=likeliest,
        differing=differing,
        chance_alone=chance(method, groups.pooled.names, marginal, groups=groups),
        clusters=None if groups.clusters is None else ClusterFacts.of(data.subject_column, groups.clusters),
        dropped=groups.dropped,
        fingerprint=data.fingerprint,
        made=RunRecord.of(data, method.group, groups.labels),
        left_out=left_out_note(data, method.group, groups.labels) or lost_groups(data, method.group),
        missing={name: level for name in groups.pooled.names if (level := data.missing_level(name)) is not None},
        ordered=ordered,
        numbers=numbers,
        evidence_likeliest=evidence[0],
        evidence_differing=evidence[1],
        evidence_alone=evidence[2],
        recording=(*groups.recording, *_of_counted(groups)),
        set_aside=groups.set_aside,
        described=characteristics,
        found_contexts=scan(groups, ordered, worth) if n <= MOST_SINGLE else (),
        scales=compare_items(groups, characteristics.variables),
        rows=data,
    )
    progress(1.0, "done")
    return result


def _of_counted(groups: Groups) -> tuple[str, ...]:
    """Sentences on numbers where families are only counted; nothing else."""
    if groups.fine is None or not groups.fine.known:
        return ()
    cells, parents = Count(CELLS - 1, "cell"), Count(MOST_PARENTS, "likely parent")
    return (
        told("Families are only counted: numbers stand in {}, given {} at most.", cells, parents),
        told("Where families are only counted, no line takes out a number inside its levels."),
    )


def _in_order(data: Dataset, name: str, scale: Scale) -> bool:
    """True where the levels of a variable have an order that differences of it are bounded along."""
    return scale.kind in (ORDERED, NUMBER) or (scale.kind == LEVELS and data.kinds[name] in ("ordinal", "continuous"))


def _evidence(method: GroupDifferenceSettings, groups: Groups, blocks: tuple[Blocks, ...]) -> tuple[ChildEvidence, ...]:
    """The evidence of every variable over the parents of its blocks; none where levels alone are compared."""
    if isinstance(method.score, K2):
        return ()
    return tuple(weigh_child(method, groups, i, own.parents, own) for i, own in enumerate(blocks))


def _spans(method: GroupDifferenceSettings, groups: Groups, averaged: bool) -> tuple[float, float, float]:
    """Where the searches end, the average over orders, and what is said of the variables but for the permutations."""
    size = Size.of(groups.pooled)
    seconds = [
        searching_seconds(method, size),
        average_cost(method, size).seconds if averaged else 0.0,
        describing_seconds(size.variables) / 2,
        describing_seconds(size.variables) / 2,
    ]
    learned, averages, described, _ = (end / sum(seconds) for end in accumulate(seconds))
    return learned, averages, described


def learn_three(
    method: GroupDifferenceSettings,
    groups: Groups,
    priority: Sequence[int],
    progress: Progress,
    pooled: Parents | None = None,
) -> tuple[Parents, Parents, Parents]:
    """The parents of every variable in the first group, the second and the pooled rows (section 3 of the paper).

    The pooled network comes first, under the user's order if there is one; its topological order binds the other two.
    """
    names = groups.pooled.names
    known = method.known()
    chosen = as_search(method.search)

    def search(data: Dataset, given: Knowledge, start: float, end: float, words: str) -> Parents:
        inner = part(progress, start, end)

        def told(fraction: float, step: str) -> None:
            inner(fraction, f"learning the network of {words}, {step}")

        result = chosen.find(Problem(data, method.score, given.constraints(names), priority, told)).parents
        if result is None:
            raise SettingsError(f"search is {method.search!r}, which finds no DAG; choose another.", setting="search")
        return result

    if pooled is None:
        pooled = search(groups.pooled, known, 0.0, 0.4, "both groups together")
    if known.order is None:
        rank = {variable: place for place, variable in enumerate(priority)}
        sequence = topological_order(pooled, [rank[i] for i in range(len(names))])
        known = replace(known, order=tuple(names[i] for i in sequence))
    first = search(groups.first, known, 0.4, 0.7, groups.labels[0])
    second = search(groups.second, known, 0.7, 1.0, groups.labels[1])
    return first, second, pooled
