"""The evidence that one variable differs given some parents, taken apart: what a difference is, and where on the
scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.counting.backend import kernels
from engine.counting.differences.forms import (
    FORMS,
    LEVELS,
    MOST_CELLS,
    NOMINAL,
    NUMBER,
    ORDERED,
    ROWS_OF_A_CELL,
    ChildComparison,
)
from engine.data.fine_codes import CELLS
from engine.methods.fitting import check_shape, check_that
from engine.methods.group_difference.average.families import common_of_clusters
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.numbers.scales import Scale, Scales, level_scores, nodes
from engine.methods.group_difference.rows.fine_groups import FineGroups
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.storing import storable

SHAPES = ("location", "spread", "shape")
"""Kinds of one common difference of a number or an ordered variable: of its scores, of their squares, and of how far
from the middle they are where the squares agree (two humps)."""


@storable
@dataclass(frozen=True, eq=False)
class Segments:
    """Where along a number or an ordered scale the groups' shares differ, in one context (NUMBERS, Evidence 1).

    Attributes
    ----------
    lows, highs : (k,) least and largest value of the rows in each cell, in the column's units (of an ordered variable
        its codes)
    counts : (2, k) rows of the first group and of the second in each cell
    higher : (k,) posterior probability that the second group's share in the cell is above its share of the context
    """

    lows: np.ndarray
    highs: np.ndarray
    counts: np.ndarray
    higher: np.ndarray

    def _check_read(self) -> None:
        k = len(self.lows)
        for numbers in (self.highs, self.higher):
            check_shape(numbers, k)
        check_shape(self.counts, 2, k)
        check_that(((self.higher >= 0) & (self.higher <= 1)).all(), "a probability is none")


@storable
@dataclass(frozen=True, eq=False)
class ChildEvidence:
    """The evidence that a variable differs given some parents.

    Attributes
    ----------
    parents : by position
    common : (s,) ln Bayes factors of one common difference over all contexts: of `SHAPES` for a number or an ordered
        variable, and at last of how often it is missing where some is; of the odds of each level against the rest else;
        none where only blocks are weighed
    effects : (s,) their estimates: in standard deviations of the scores, or log odds ratios; above 0 where the second
        group is higher, varies more, is further from the middle, has more of the level
    blocks : (J,) ln Bayes factor of each context that has rows, in the order of the configurations
    segments : of each context of a number or an ordered variable, in the same order; none for others
    """

    parents: tuple[int, ...]
    common: np.ndarray
    effects: np.ndarray
    blocks: np.ndarray
    segments: tuple[Segments, ...]

    def _check_read(self) -> None:
        check_shape(self.effects, len(self.common))
        check_that(len(self.segments) in (0, len(self.blocks)), "contexts and their segments do not match")


def weigh_child(
    method: GroupDifferenceSettings, groups: Groups, child: int, parents: tuple[int, ...], blocks: Blocks
) -> ChildEvidence:
    """Take apart the evidence of one variable given some parents; `blocks` are its levels' over the same parents."""
    scales, levels = groups.scales(method), int(groups.pooled.arity[child])
    scale, many = scales.scales[child], len(blocks.bayes)
    logs, effects = np.zeros(levels + FORMS), np.zeros(levels + FORMS)
    given = np.array([parents], dtype=np.int64).reshape(1, -1), np.array([len(parents)])
    if scale.kind == LEVELS:
        return ChildEvidence(parents, np.zeros(0), np.zeros(0), blocks.bayes, ())
    if groups.clusters is not None:
        _, logs, effects = common_of_clusters(groups, scales, child, *given)
        return ChildEvidence(parents, *_parts(scale, levels, logs, effects, False), blocks.bayes, ())
    factors, alpha = np.zeros(many), method.score.cell_prior(blocks.possible, levels) * levels / 2
    tables = scales.tables, nodes()
    lines = np.array([x for x in parents if scales.line[x]], dtype=np.int64)
    if groups.fine is not None and groups.fine.holds(child, parents):
        return _of_fine_codes(groups.fine, scales, child, blocks, alpha)
    counts = np.ascontiguousarray(blocks.counts.transpose(1, 0, 2)).reshape(2, -1)
    if len(scales.rows) and (scale.kind == NUMBER or len(lines)):
        key = scales.places(parents, blocks.configurations)
        how = ChildComparison(scale.kind, scales.known(child), scale.absent, *tables)
        about = scales.scores[child], scales.codes[child], levels, lines, scales.scores, alpha
        out = factors, 0, np.empty(len(key)), logs, effects
        kernels().compare_values(how, key, many, groups.first.n_rows, *about, *out)
    else:
        how = ChildComparison(scale.kind, scale.levels, scale.absent, *tables)
        kernels().compare_counts(how, *counts, many, levels, alpha, factors, 0, logs, effects)
    both = blocks.counts.sum(axis=2).min(axis=1) > 0
    bayes = np.zeros(many)
    if scale.kind == NOMINAL and not len(lines):
        bayes = blocks.bayes
    else:
        bayes[both] = factors[: both.sum()]
    missing = bool(scale.absent >= 0 and blocks.counts[:, :, scale.absent].any())
    segments = () if scale.kind == NOMINAL else _segments(groups, scales, child, blocks)
    return ChildEvidence(parents, *_parts(scale, levels, logs, effects, missing), bayes, segments)


def _of_fine_codes(fine: FineGroups, scales: Scales, child: int, blocks: Blocks, alpha: float) -> ChildEvidence:
    """The evidence of a number whose rows are only counted."""
    parents, many = blocks.parents, len(blocks.bayes)
    table = fine.family(child, parents)
    places = np.zeros(many, dtype=np.int64)
    for x, codes in zip(parents, blocks.configurations.T, strict=True):
        places = places * scales.data.arity[x] + codes
    table = np.ascontiguousarray(table[:, places])
    order, factors = level_scores(table.sum(axis=(0, 1)), CELLS - 1), np.zeros(many)
    logs, effects = np.zeros(CELLS + FORMS), np.zeros(CELLS + FORMS)
    how = ChildComparison(ORDERED, order, CELLS - 1, scales.tables, nodes())
    kernels().compare_counts(how, *table.reshape(2, -1), many, CELLS, alpha, factors, 0, logs, effects)
    both, bayes = table.sum(axis=2).min(axis=0) > 0, np.zeros(many)
    bayes[both] = factors[: both.sum()]
    known, result = fine.cells[scales.data.names[child]], []
    ends = np.array([known.ends(cell) for cell in range(len(known.means))])
    for counts in table[:, :, : len(known.means)].transpose(1, 0, 2):
        rows = counts.sum(axis=0)
        there = np.flatnonzero(rows)
        before = np.cumsum(rows[there]) - rows[there]
        begins = np.flatnonzero(np.diff(before * MOST_CELLS // max(int(rows.sum()), 1), prepend=-1))
        merged = np.add.reduceat(counts[:, there], begins, axis=1) if len(there) else counts[:, :0]
        lasts = np.append(begins[1:], len(there)) - 1
        lows = np.maximum(ends[there[begins], 0], known.means[0])
        highs = np.minimum(ends[there[lasts], 1], known.means[-1])
        result.append(_shared_out(lows, highs, np.ascontiguousarray(merged), scales))
    missing = bool(table[:, :, -1].any())
    return ChildEvidence(
        parents, logs[: FORMS + missing].copy(), effects[: FORMS + missing].copy(), bayes, tuple(result)
    )


def _parts(
    scale: Scale, levels: int, logs: np.ndarray, effects: np.ndarray, missing: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The common differences that a variable of this kind may have, and their estimates."""
    many = levels if scale.kind == NOMINAL else FORMS + missing
    return logs[:many].copy(), effects[:many].copy()


def _segments(groups: Groups, scales: Scales, child: int, blocks: Blocks) -> tuple[Segments, ...]:
    """Where along the scale the groups differ in each context."""
    scale, result = scales.scales[child], []
    if len(scales.rows):
        name = groups.pooled.names[child]
        known, key = scales.known(child), scales.places(blocks.parents, blocks.configurations)[scales.known(child)]
        values = groups.pooled.numbers[name].column if scale.kind == NUMBER else groups.pooled.column(name)
        values, second = values[scales.rows][known].astype(float), known >= groups.first.n_rows
        for j in range(len(blocks.bayes)):
            own, of_second = values[key == j], second[key == j]
            ends, most = np.zeros(MOST_CELLS, dtype=np.int64), min(MOST_CELLS, len(own) // ROWS_OF_A_CELL)
            cells = kernels().cell_ends(own, len(own), most, ends) if most > 1 else min(len(own), 1)
            ends[0] = ends[0] if most > 1 else len(own)
            starts = np.concatenate([[0], ends[: cells - 1]]).astype(np.int64)[:cells]
            hits = np.add.reduceat(of_second, starts) if cells else np.zeros(0, dtype=np.int64)
            counts = np.array([np.diff(np.append(starts, len(own))) - hits, hits]).astype(np.int64)
            result.append(_shared_out(own[starts], own[ends[:cells] - 1], counts, scales))
        return tuple(result)
    for table in blocks.counts:
        there = np.flatnonzero(table.any(axis=0) & (np.arange(table.shape[1]) != scale.absent))
        counts = np.ascontiguousarray(table[:, there])
        result.append(_shared_out(there.astype(float), there.astype(float), counts, scales))
    return tuple(result)


def _shared_out(lows: np.ndarray, highs: np.ndarray, counts: np.ndarray, scales: Scales) -> Segments:
    higher = np.full(len(lows), 0.5)
    if len(lows) > 1 and counts.sum(axis=1).all():
        kernels().segment_shares(counts[0], counts[1], len(lows), scales.tables, higher)
    return Segments(lows, highs, counts, higher)
