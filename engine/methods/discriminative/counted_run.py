"""Class networks of rows that are only counted: learned from counts by class and fold, scored block by block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.counting.requests import level_counts
from engine.data.dataset import Dataset
from engine.data.store import watched_pass
from engine.errors import DataError, SettingsError
from engine.execution import Progress, part
from engine.methods.discriminative.coding import Coding
from engine.methods.discriminative.counted_rows import CountedRows, RowGroups
from engine.methods.discriminative.effect import learned_networks
from engine.methods.discriminative.evaluation import Evaluation
from engine.methods.discriminative.pipeline import MOST_FOLDS, sides
from engine.methods.discriminative.points import check_classes
from engine.methods.discriminative.result import DiscriminativeResult
from engine.methods.discriminative.scored_rows import (
    FamilyTable,
    Moments,
    ScoreCells,
    Scored,
    Scoring,
    count_scores,
    moments_of,
    step_of,
    tables_of,
    units_of,
    work_of,
)
from engine.methods.discriminative.structure import Learned, LearnedNetwork, Pair, fit_pair, limits_of, weights_of
from engine.methods.result import RunRecord
from engine.scores.discriminative import log_parameters, pacl_cells
from engine.search.constraints import Constraints
from engine.words import count, first

if TYPE_CHECKING:
    from engine.methods.discriminative.settings import DiscriminativeSettings

NEIGHBOURS = 64
"""Rows side by side that are always in one fold."""
FOLDS = f"Folds were dealt to runs of {NEIGHBOURS} neighbouring rows; scores were counted in small steps."
BY_TABLE = "Classes were permuted table by table, which is enough for p of all links; the accuracy has no p."
NO_CHANCE = (
    "Permutations of rows that are only counted need at most one parent of a variable and fewer than a billion rows; "
    "no link has a p."
)
COUNTED_WORDS = (
    "Rows are only counted here: no p for the accuracy, no probabilities, no other methods on the same folds."
)
MOST_DEALT = 1_000_000_000
"""Rows from which on NumPy draws no hypergeometric numbers."""


def run_counted(method: DiscriminativeSettings, data: Dataset, progress: Progress) -> DiscriminativeResult:
    """See `engine.Discriminative.run`."""
    progress(0.0, "reading the classes")
    check_counted(method, data)
    names = tuple(sorted(name for name in data.names if name != method.target))
    if not names:
        raise DataError("There is no variable beside the classes; choose more.")
    rows = level_counts(data.select([method.target]))[0]
    classes, label = _classes(method, data, rows)
    data_in_order = data.select([*names, method.target])
    folds = _folds(method, data, [int(rows[label == code].sum()) for code in (0, 1)])
    seed = int(np.random.SeedSequence([method.seed, 1]).generate_state(1)[0])
    groups = RowGroups(data_in_order, folds, seed)
    with watched_pass(part(progress, 0.02, 0.2), "counting pairs by class and fold"):
        groups.by_group  # noqa: B018  # in one pass; the networks are learned from it
    counted, labels = CountedRows(groups), np.tile(label, folds)
    fold = np.repeat(np.arange(folds), len(label))
    known = method.knowledge.without([method.target]).constraints(names)
    pairs = []
    for f in range(folds + 1):  # without each fold, then from all rows
        words = f"networks without fold {f + 1} of {folds}" if f < folds else "networks of all rows"
        progress(0.2 + 0.2 * f / (folds + 1), words)
        side = sides(np.where(fold == f, -1, labels), 2)[0]
        with watched_pass(_fixed_progress(progress, 0.2 + 0.2 * f / (folds + 1)), words):
            pairs.append((fit_pair(counted, side, method, known), side))
    gains, alone = shuffled_tables(counted, pairs[-1][1], method, known, part(progress, 0.4, 0.5))
    learned, held_out = _scored(method, data_in_order, counted, pairs, label, seed, progress)
    recurrence = np.zeros((1, 2, len(names), len(names)))
    for pair, _ in pairs[:-1]:
        for net, network in enumerate((pair.others, pair.own)):
            for child, parents in enumerate(network.parents):
                recurrence[0, net, child, list(parents)] += 1
    chance_words = (BY_TABLE if len(gains) else NO_CHANCE,) if method.shuffles else ()
    lost = int(rows[label < 0].sum())
    lost_words = (f"{count(lost, 'row')} without a class left out.",) if lost else ()
    coding = Coding("given", groups.arity, (np.zeros(0),) * len(names), np.zeros(len(names), dtype=bool))
    progress(1.0, "done")
    return DiscriminativeResult(
        method=method,
        names=tuple(name for name in data.names if name != method.target),
        derived=(),
        fingerprint=data.fingerprint,
        made=RunRecord.of(data, method.target),
        digest=data.numbers_digest,
        classes=classes,
        series=False,
        variables_in_order=names,
        levels=tuple(data.levels[name] for name in names),
        coding=coding,
        cut=np.zeros(len(names), dtype=bool),
        learned=(learned,),
        likelihoods=np.zeros((0, 1, 2)),
        chance=gains,
        chance_levels=alone,
        held_out=_evaluation(method, classes, held_out, folds, recurrence / folds),
        words=(*lost_words, FOLDS, *chance_words),
        block=0,
    )


def shuffled_tables(
    counted: CountedRows, side: np.ndarray, method: DiscriminativeSettings, known: Constraints, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """(B,) the most that any link gains, and that any variable's levels are worth, with classes dealt table by table.

    Each table of two variables is dealt by itself (hypergeometric), while a dealing of rows deals all at once. However
    these hang together, the best of all is as large at most as often as its tables are, added up (Bonferroni); and the
    best of tables that were dealt apart is so nearly as often where that is rare. Nothing where a variable may have
    several parents: there are too many tables.
    """
    parents = max(limits_of(method, known))
    sizes = counted.slices.sizes(side, 2)
    if not method.shuffles or parents > 1 or sizes.sum() >= MOST_DEALT:
        return np.zeros(0), np.zeros(0)
    weights = weights_of(counted, side, method)
    parameters = method.parameters if method.score == "acl" else "ml"
    pooled = counted.pairs(side).sum(axis=0).astype(np.int64)
    starts, p = counted.slices.starts, counted.slices.n_variables
    generator = np.random.default_rng(np.random.SeedSequence([method.seed, 2]))

    def deal(rows: np.ndarray) -> np.ndarray:
        """(2, B, ...) rows of the other class and of the class."""
        own = generator.multivariate_hypergeometric(rows.ravel(), int(sizes[1]), method.shuffles, method="marginals")
        own = own.reshape(-1, *rows.shape)
        return np.stack([rows - own, own]).astype(float)

    def worth(dealt: np.ndarray) -> np.ndarray:
        """(2, B) PACL in the other class's network and in the class's; the child's levels last."""
        others, own = dealt
        cells = (
            pacl_cells(others, weights[1] * own, parameters, method.eps),
            pacl_cells(own, weights[0] * others, parameters, method.eps),
        )
        return np.stack([item.reshape(len(item), -1).sum(axis=1) for item in cells])

    gains, alone = np.zeros(method.shuffles), np.full(method.shuffles, -np.inf)
    for x in range(p):
        progress(x / p, f"permutations of the classes: variable {x + 1} of {p}")
        own = slice(starts[x], starts[x + 1])
        alone = np.maximum(alone, worth(deal(np.diagonal(pooled[own, own]))).max(axis=0))
        for y in range(x) if parents else ():
            dealt = deal(pooled[own, starts[y] : starts[y + 1]])
            for child, table in ((y, dealt), (x, dealt.swapaxes(2, 3))):
                if known.allowed[child, x if child == y else y]:
                    added = (table.shape[2] - 1) * (table.shape[3] - 1)
                    gain = worth(table) - worth(table.sum(axis=2)) - added
                    gains = np.maximum(gains, gain.max(axis=0))
    return gains, alone


def check_counted(method: DiscriminativeSettings, data: Dataset) -> None:
    """Refuse settings that look at rows one by one."""
    where = data.store.where
    if method.score.startswith("ccl"):
        raise SettingsError(
            f"CCL looks at every row for every link, and these rows are {where}; choose 'acl' or 'bde'.",
            setting="score",
        )
    if method.discretise in ("series", "differences"):
        raise SettingsError(
            f"discretise={method.discretise!r} needs several steps a subject; of rows take 'quantiles'.",
            setting="discretise",
        )
    if method.folds == "leave_one_out":
        raise SettingsError(
            f"Leaving out one at a time learns as often as there are rows, and these are {where}; choose 10 folds.",
            setting="folds",
        )


def _classes(method: DiscriminativeSettings, data: Dataset, rows: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """Both classes, and the class of each level of the target, -1 for none."""
    target, levels = method.target, data.levels[method.target]
    unknown = data.missing_level(target)
    present = [level for level, many in zip(levels, rows.tolist(), strict=True) if many and level != unknown]
    check_two(present, method.target, data)
    label = np.array([present.index(level) if level in present else -1 for level in levels])
    check_classes(tuple(present), np.array([rows[label == code].sum() for code in range(len(present))]), target, "row")
    return tuple(present), label


def check_two(classes: Sequence[str], target: str, data: Dataset) -> None:
    """Refuse more than two classes."""
    if len(classes) > 2:
        raise DataError(
            f"'{target[:60]}' has {len(classes)} classes ({first(repr(level[:40]) for level in classes)}); rows "
            f"{data.store.where} are separated two at a time. Keep the rows of two classes, or take a sample into "
            "memory: data.rows(numbers of rows).",
            column=target,
        )


def _folds(method: DiscriminativeSettings, data: Dataset, sizes: Sequence[int]) -> int:
    """How many folds: as the settings say, if rows and classes suffice."""
    runs = -(-data.n_rows // NEIGHBOURS)
    if runs < 2:
        raise DataError(
            f"{data.n_rows:,} rows are too few to hold out runs of {NEIGHBOURS} neighbours; take them into memory: "
            "data.rows(numbers of rows)."
        )
    most = MOST_FOLDS if method.folds == "subject" else int(method.folds)
    return max(2, min(most, runs, *sizes))


def _fixed_progress(progress: Progress, fraction: float) -> Progress:
    """Progress that stays where it is, and can be cancelled."""
    return lambda _, words: progress(fraction, words)


def _scored(
    method: DiscriminativeSettings,
    data: Dataset,
    counted: CountedRows,
    pairs: Sequence[tuple[Pair, np.ndarray]],
    label: np.ndarray,
    seed: int,
    progress: Progress,
) -> tuple[Learned, ScoreCells]:
    """The networks of all rows with their boundary, and the scores of the rows that each fold held out."""
    folds = len(pairs) - 1
    tables = [_tables(counted, pair, side, method) for pair, side in pairs]
    scored_pairs, unit = units_of(tables)
    scoring = Scoring(tuple(scored_pairs), folds, seed, tuple(data.arity.tolist()), tuple(label.tolist()))
    with watched_pass(part(progress, 0.5, 0.8), "boundaries between the classes"):
        sums = data.store.totals(moments_of, [scoring], work_of(scoring))[0]
    moments = [Moments(own, balance=method.balance) for own in sums]
    way = "ratio" if method.by_ratio else method.boundary
    boundaries = np.array([item.boundary(way, unit) for item in moments])
    in_units = boundaries * np.array([1.0, unit, unit])
    step = step_of([item.deviation(own) for item, own in zip(moments[:-1], in_units, strict=False)])
    with watched_pass(part(progress, 0.8, 0.98), "scores of the rows held out"):
        held_out = count_scores(data.store, Scored(scoring, in_units[:-1], step))
    pair, side = pairs[-1]
    networks = learned_networks(counted, pair, side, method, None)
    usual = _usual(networks, boundaries[-1], method)
    return Learned(*networks, boundaries[-1], usual), held_out


def _tables(
    counted: CountedRows, pair: Pair, side: np.ndarray, method: DiscriminativeSettings
) -> tuple[list[FamilyTable], list[FamilyTable]]:
    """The families of both networks that are used, with their log-probabilities."""
    used, weights = pair.used(method.top_families, shared=method.shared), weights_of(counted, side, method)
    parameters = method.parameters if method.score == "acl" else "ml"
    result = []
    for net, network in enumerate((pair.others, pair.own)):
        own = side if net else np.where(side >= 0, 1 - side, side)
        families: list[FamilyTable] = []
        for child in np.flatnonzero(used[net]).tolist():
            extra, intra = counted.family(child, network.parents[child], own)
            table = log_parameters(intra, weights[1 - net] * extra, parameters, method.eps)
            families.append((child, network.parents[child], table))
        result.append(families)
    return result[0], result[1]


def _usual(
    networks: tuple[LearnedNetwork, LearnedNetwork], boundary: np.ndarray, method: DiscriminativeSettings
) -> np.ndarray:
    """(p,) mean over both classes of what each family pushes, from counts; 0 for a likelihood ratio."""
    result = np.zeros(len(networks[0].parents))
    if method.by_ratio:
        return result
    for network, slope in zip(networks, boundary[[2, 1]], strict=True):
        for child, _, table in tables_of(network, method):
            for counts in network.counts[child]:
                result[child] += slope * float((counts * table).sum() / counts.sum()) / 2
    return result


def _evaluation(
    method: DiscriminativeSettings, classes: tuple[str, ...], cells: ScoreCells, folds: int, recurrence: np.ndarray
) -> Evaluation:
    many = len(cells.rows)
    return Evaluation(
        method=method,
        choose=(),
        chosen=(),
        classes=classes,
        ids=(),
        labels=cells.label,
        noun="row",
        positions=np.arange(many),
        observations=np.ones(many, dtype=np.int64),
        units=np.arange(many),
        scores=cells.score[None, :, None],
        times=cells.rows,
        likelihoods=np.zeros((1, 0, 1, 2)),
        folds=np.arange(folds)[None],
        null=np.zeros((0, 2)),
        recurrence=recurrence,
        probabilities=np.full(many, np.nan),
    )
