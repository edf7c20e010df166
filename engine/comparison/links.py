"""From answers and their rows to the estimates of every pair in every group."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from engine.comparison.difference import find_differences, share_units
from engine.comparison.estimates import (
    Estimates,
    GroupRows,
    empty_cells,
    estimate_odds_ratios,
    group_rows,
    level_sides,
    odds_ratios_of,
    step_sizes,
    widened,
)
from engine.comparison.link_estimates import LinkEstimates
from engine.comparison.nodes import find_node_differences
from engine.comparison.numbers import (
    LEAST_LEVELS,
    estimate_number_links,
    estimate_partial_correlations,
    number_pairs,
    read_numbers,
)
from engine.comparison.scales import CORRELATION, MEANS, ODDS, PARTIAL, SCALES
from engine.comparison.structure import BareNetwork
from engine.comparison.table import LinkTest
from engine.counting.backend import kernels
from engine.data.dataset import Dataset
from engine.data.rows.relations import FEWEST
from engine.errors import DataError
from engine.execution import Progress, part, silent
from engine.graphs.dag import parents_of, to_networkx, topological_order
from engine.graphs.pdag import consistent_extension
from engine.lazy import nx
from engine.methods.result import Result
from engine.models.latent_normal import UNKNOWN, read_levels
from engine.scores.dirichlet import BDeu
from engine.search.constraints import Constraints
from engine.search.hill_climbing import hill_climbing
from engine.telling.subjects import few_subjects
from engine.text import Count, People, told
from engine.words import short

MOST_GROUPS = 6
GAPS = (
    "Answers are missing: each link rests on the rows with both, which assumes gaps completely at random; a network’s "
    "own lines use full information."
)
Answer = Result | BareNetwork


def graph_of(answer: Answer) -> nx.Graph:
    """The network whose links are compared: the first of an answer."""
    return answer.graph() if isinstance(answer, BareNetwork) else next(iter(answer.searched_graphs().values()))


def scale_of(answer: Answer) -> str:
    """The scale of an answer's links; of a bare network that of counts."""
    return ODDS if isinstance(answer, BareNetwork) else answer.link_scale


def varying_names(answers: Sequence[Answer], parts: Sequence[Dataset]) -> tuple[str, ...]:
    """The variables that every answer has and that vary in every group, in alphabetical order."""
    shared = set.intersection(*(set(answer.names) for answer in answers))
    open_gaps = scale_of(answers[0]) == PARTIAL
    rows = [part for part in parts if len(part)]
    return tuple(sorted(name for name in shared if all(_varies(part, name, open_gaps) for part in rows)))


def _varies(data: Dataset, name: str, open_gaps: bool) -> bool:
    """True of a variable with more than one level in these rows; where gaps are open, missing is none."""
    codes = read_levels(data, name)[0] if open_gaps else data.column(name)
    known = codes[codes != UNKNOWN] if open_gaps else codes
    return len(known) > 0 and bool(np.ptp(known) > 0)


def _least_answered(data: Dataset, names: Sequence[str]) -> int:
    """In how many rows, or subjects, the two answers are that are there together least often."""
    known = np.array([read_levels(data, name)[0] != UNKNOWN for name in names])
    if data.clusters is not None:
        known = np.array([np.bincount(data.clusters, own) > 0 for own in known])
    return int((known.astype(float) @ known.T.astype(float)).min())


def estimate_links(
    answers: Sequence[Answer],
    parts: Sequence[Dataset],
    names: Sequence[str],
    progress: Progress = silent,
    labels: Sequence[str] = tuple("ABCDEF"),
) -> LinkEstimates:
    """Estimate every pair in every group, whether or not a search took it."""
    scale = scale_of(answers[0])
    numbers, notes = read_numbers(parts, names, labels[: len(parts)])
    rows = group_rows(parts, names, open_gaps=scale == PARTIAL, numbers=numbers)

    def each(estimate: Callable[[GroupRows], Estimates]) -> list[Estimates]:
        result = []
        for number, own in enumerate(rows):
            progress(number / len(rows), f"estimating the links: group {number + 1} of {len(rows)}")
            result.append(estimate(own))
        return result

    if scale == PARTIAL:
        pairs = np.array(list(combinations(range(len(names)), 2)), dtype=np.int64).reshape(-1, 2)
        levels = np.full((len(pairs), 2, 2), -1)
        groups = each(estimate_partial_correlations)
        if any((own.codes == UNKNOWN).any() for own in rows):
            notes = (*notes, GAPS)
        return LinkEstimates(scale, tuple(names), pairs, levels, groups, notes=notes, numbers=tuple(numbers))
    ordered = [parts[0].kinds[name] != "nominal" for name in names]
    sizes = [len(parts[0].levels[name]) for name in names]
    places = rows[0].numbers
    ratios = odds_ratios_of(sizes, ordered, places)
    graphs = [graph_of(answer) for answer in answers]
    shared = shared_network(parts, names) if graphs[0].is_directed() else None
    given = separators(graphs, names, ratios.pairs, shared)
    groups = widened(each(lambda own: estimate_odds_ratios(own, ratios, given)), empty_cells(rows, ratios))
    slabs = SCALES[ODDS].slab * step_sizes(rows, ratios)
    estimates = LinkEstimates(scale, tuple(names), ratios.pairs[ratios.of_pair], ratios.levels, groups, slabs=slabs)
    if not places:
        return estimates
    missing = [parts[0].missing_level(name) for name in names]
    absent = [
        -1 if level is None else parts[0].levels[name].index(level)
        for name, level in zip(names, missing, strict=True)
    ]  # fmt: skip
    scored = [
        i in places or (ordered[i] and sizes[i] - (absent[i] >= 0) >= LEAST_LEVELS) for i in range(len(names))
    ]  # fmt: skip
    asked = number_pairs(level_sides(sizes, ordered), scored, places)
    held = separators(graphs, names, asked[0], shared)
    if shared is None:  # a network of cut numbers misses links: what separates in it leaves some of a way between
        linked = np.any([_adjacency(graph, names) for graph in graphs], axis=0)
        held |= linked[asked[0]].any(axis=1)
        held[np.arange(len(held))[:, None], asked[0]] = False
    more = each(lambda own: estimate_number_links(own, scored, asked, held, absent))
    scales = (*(ODDS,) * len(estimates.pairs), *np.where(asked[2], CORRELATION, MEANS).tolist())
    return replace(
        estimates,
        pairs=np.concatenate([estimates.pairs, asked[0]]),
        levels=np.concatenate([estimates.levels, asked[1]]),
        groups=[group.joined(other) for group, other in zip(groups, more, strict=True)],
        scales=scales if len(set(scales)) > 1 else (),
        scale=scale if len(set(scales)) > 1 else scales[0],
        notes=notes,
        numbers=tuple(numbers),
        slabs=np.append(slabs, np.where(asked[2], SCALES[CORRELATION].slab, SCALES[MEANS].slab)),
    )


def why_no_test(answers: Sequence[Answer], parts: Sequence[Dataset]) -> str:
    """Why the links of these answers cannot be tested against each other; "" where they can."""
    named = [answer for answer in answers if isinstance(answer, Result)]
    first = parts[0]
    if len({scale_of(answer) for answer in answers}) > 1 or len({answer.slug for answer in named}) > 1:
        return "The results are of different methods, so only their structure is compared."
    if why := next((answer.no_link_test for answer in named if answer.no_link_test), ""):
        return why
    if any(part.whole != first.whole for part in parts):
        return "The results come from different tables, so only their structure is compared."
    if any(part.levels[name] != first.levels[name] or part.kinds[name] != first.kinds[name]
           for part in parts for name in first.names if name in part):  # fmt: skip
        return told("The variables of the two were prepared in different ways, so only their structure is compared.")
    rows = [np.unique(part.origin) for part in parts]
    if len(np.unique(np.concatenate(rows))) < sum(map(len, rows)):
        return "The results share rows, so only their structure is compared; a test needs different rows."
    few = [part for part in parts if part.subject_count is not None and part.subject_count.too_few]
    if few and few[0].subject_count is not None:
        text = few_subjects(few[0].subject_column, few[0].subject_count.subjects, FEWEST)
        return told("{} So no difference is tested.", text)
    directed = {graph_of(answer).is_directed() for answer in answers}
    if scale_of(answers[0]) == ODDS and len(directed) > 1:
        return told("One network has directions and the other none, so only their structure is compared.")
    if scale_of(answers[0]) == ODDS and directed == {True} and not all(map(_is_extendable, answers)):
        return "The arrows of a network run in a circle or contradict each other, so only the structure is compared."
    names = varying_names(answers, parts)
    if len(names) < 2:
        return told("Fewer than two variables vary in every group, so there is no pair to test.")
    least = min(part.n_rows if part.clusters is None else int(part.clusters.max()) + 1 for part in parts)
    answered = min(_least_answered(part, names) for part in parts) if scale_of(answers[0]) == PARTIAL else least
    if scale_of(answers[0]) == PARTIAL and answered < len(names) + 3:
        return told(
            "Partial correlations of {} need at least {} rows a group, or subjects, with both answers of every pair; "
            "the fewest are {}.",
            Count(len(names), "rating"),
            Count(len(names) + 3),
            People(answered),
        )
    return "" if least > 1 else "A group has one row only, so there is nothing to test."


def _is_extendable(answer: Answer) -> bool:
    """True of a DAG or a class of DAGs."""
    try:
        consistent_extension(graph_of(answer))
    except DataError:
        return False
    return True


def check_parts(answers: Sequence[Answer], parts: Sequence[Dataset]) -> None:
    """Nothing where each answer was made from its rows; `DataError` elsewhere."""
    if len(parts) != len(answers):
        raise DataError(f"There are {len(answers)} answers and {len(parts)} data sets; give one data set an answer.")
    for answer, rows in zip(answers, parts, strict=True):
        if isinstance(answer, Result):
            answer.check_data(rows)
        elif missing := [name for name in answer.names if name not in rows]:
            raise DataError(f"The data have no variable '{short(missing[0], 60)}', which the network has.")


def compute_link_test(
    answers: Sequence[Answer],
    parts: Sequence[Dataset],
    names: Sequence[str],
    draws: int,
    seed: int,
    progress: Progress = silent,
    labels: Sequence[str] = tuple("ABCDEF"),
) -> LinkTest:
    """The joint test of every link of the answers in their rows."""
    variables = varying_names(answers, parts)
    result = estimate_links(answers, parts, variables, part(progress, 0.0, 0.4), labels)
    differences = find_differences(result.groups, draws, seed, part(progress, 0.4, 0.9), result.weights)
    constant = tuple(name for name in names if name not in variables)
    upper = tuple(_upper_level(parts[0], name) for name in variables)
    units = tuple(len(group.units) for group in result.groups)
    paired = share_units(result.groups)  # a subject with one row in each group belongs together only across them
    subject = next((part.subject_column for part in parts if paired or part.clusters is not None), "")
    words = _level_words(result, parts[0])
    nodes = find_node_differences(result, differences.seen, draws, seed)
    return LinkTest(
        result.scale, variables, result.pairs, words, differences, constant, upper, units, subject,
        result.scales, result.notes, nodes, result.numbers, result.slabs,
    )  # fmt: skip


def _upper_level(data: Dataset, name: str) -> str:
    """Of a variable with two levels the one that counts as up; "" where levels have an order of their own."""
    levels = data.levels[name]
    return levels[1] if data.kinds[name] == "nominal" and len(levels) == 2 else ""


def _level_words(link_estimates: LinkEstimates, data: Dataset) -> tuple[str, ...]:
    """The levels that are set against each other in each number: '' where it is all levels in their order."""
    words = []
    for pair, sides in zip(link_estimates.pairs, link_estimates.levels, strict=True):
        sentences = []
        for x, (low, high) in zip(pair, sides, strict=True):
            levels = data.levels[link_estimates.variables[x]]
            if low >= 0:
                against = f"{levels[low]} v rest" if high < 0 else f"{levels[high]} v {levels[low]}"
                sentences.append(f"{link_estimates.variables[x]} {against}")
        words.append(", ".join(sentences))
    return tuple(words)


# -- what separates a pair in any group -------------------------------------------------------------------------------

SAME = 0.9
"""Prior probability that a family's table is the same in all groups."""
RESTARTS = 10
_GROUP = "\0group"


def separators(
    graphs: Sequence[nx.Graph], names: Sequence[str], pairs: np.ndarray, shared: nx.DiGraph | None = None
) -> np.ndarray:
    """The union over the groups of what separates each pair.

    Of an undirected network: neighbours of u that reach v's component without u's other neighbours, from u or from v,
    the smaller set; for a link of a chordal one the common neighbours. Of directed ones: what is linked with the later
    variable, in any group's network or in the shared one, and comes before it in an order of the shared one.
    """
    given = np.zeros((len(pairs), len(names)), dtype=bool)
    if shared is not None:
        dags = [shared, *(consistent_extension(_in_order(graph, names)) for graph in graphs)]
        linked = np.any([_adjacency(dag, names) for dag in dags], axis=0)
        order = np.empty(len(names), dtype=np.int64)
        order[list(topological_order(parents_of(shared, names)))] = np.arange(len(names))
        for i, (u, v) in enumerate(pairs):
            earlier, later = (u, v) if order[u] < order[v] else (v, u)
            given[i] = linked[later] & (order < order[later])
            given[i, earlier] = False
        return given
    for graph in graphs:
        kernels().add_separators(_adjacency(graph, names), pairs, given)
    return given


def _in_order(graph: nx.DiGraph, names: Sequence[str]) -> nx.DiGraph:
    """The network over these variables, in this order."""
    result = graph.__class__()
    result.add_nodes_from(names)
    inside = set(names)
    result.add_edges_from(sorted((a, b) for a, b in graph.edges if a in inside and b in inside))
    return result


def _adjacency(graph: nx.Graph, names: Sequence[str]) -> np.ndarray:
    place = {name: i for i, name in enumerate(names)}
    result = np.zeros((len(names), len(names)), dtype=bool)
    for source, target in graph.edges:
        if source in place and target in place and source != target:
            result[place[source], place[target]] = result[place[target], place[source]] = True
    return result


class SameOrDifferent:
    """The score of a family whose table is the same in all groups, or another in each.

    Parameters
    ----------
    data : all rows, with the group as the last variable
    """

    def __init__(self, data: Dataset) -> None:
        self._score = BDeu().bind(data)
        self.n_variables = data.n_variables - 1

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family."""
        together = self._score.local(child, parents)
        separate = self._score.local(child, (*parents, self.n_variables))
        return float(np.logaddexp(math.log(SAME) + together, math.log1p(-SAME) + separate))

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of the families with one parent more."""
        candidates = np.append(np.ones(self.n_variables, dtype=bool) if among is None else among, False)
        together = self._score.additions(child, parents, candidates)
        separate = self._score.additions(child, (*parents, self.n_variables), candidates)
        return np.asarray(np.logaddexp(math.log(SAME) + together, math.log1p(-SAME) + separate)[:-1])


def shared_network(parts: Sequence[Dataset], names: Sequence[str]) -> nx.DiGraph:
    """The network of all rows in which few tables differ between the groups; directed networks are read in its order.

    Where only the table of a child differs, its parents' link is the same given what comes before them, and differs
    given the child. So the score lets a family's table be the same in all groups or another in each: ln [p P(counts
    together) + (1 - p) product of P(counts of a group)], with BDeu. It is searched once, for the order only; no number
    of a link comes from it.
    """
    codes = [part.codes_of([part.index(name) for name in names]).astype(np.int64) for part in parts]
    group = np.repeat(np.arange(len(parts)), [part.n_rows for part in parts])
    levels = [*(len(parts[0].levels[name]) for name in names), len(parts)]
    data = Dataset.from_codes(np.vstack([np.concatenate(codes, axis=1), group]), levels, [*names, _GROUP])
    p = len(names)
    free = Constraints(~np.eye(p, dtype=bool), ((),) * p, p - 1)
    return to_networkx(hill_climbing(SameOrDifferent(data), free, restarts=RESTARTS), names)
