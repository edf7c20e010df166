"""One table of the study, and what every approach makes of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from benchmarks.ordinal.gaps import with_gaps
from benchmarks.papers.blocks import Row
from benchmarks.papers.ordinal.bge import by_formula, by_program
from benchmarks.papers.ordinal.plan import (
    BGE_FORMULA,
    GAPS,
    HELD,
    MISSING,
    NEIGHBOURS,
    NETWORK_OF,
    PREDICTING,
    SPARSITY,
    TUNED,
    neighbours_words,
)
from engine.data.dataset import Dataset
from engine.data.reading.read import read_table
from engine.execution import silent
from engine.graphs.pdag import to_networkx
from engine.measures.structure import adjacencies, patterns
from engine.methods.ordinal.held_out_loss import log_loss
from engine.methods.ordinal.learn import analyse, class_of
from engine.methods.ordinal.method import Ordinal
from engine.scores.gaussian import BGe
from engine.simulation.ordinal import LatentModel, full_sample, random_latent_model

Cell = tuple[str, int, int, int]
"""Data, variables, rows and levels."""


def method_of(approach: str, setting: float, **more: Any) -> Ordinal:
    """The method of an approach's name with a value of its setting."""
    name, given = TUNED[approach]
    settings: dict[str, Any] = {name: float(setting), **given, **more}
    return Ordinal(**settings)


def drawn(cell: Cell, run: int, seed: int) -> tuple[LatentModel, Dataset]:
    """The model and the table of a run; graph and weights are the same for all numbers of rows and levels.

    Parameters
    ----------
    cell, run : which one
    seed : of the study
    """
    data, n, rows, levels = cell
    model = random_latent_model(n, _generator(seed, n, run), neighbours_of(data), levels)
    model, table = full_sample(model, rows, _generator(seed, n, run, rows, levels))
    if data == GAPS:
        table = with_gaps(table, MISSING, _generator(seed, n, run, rows, levels, 1))
    return model, table


def neighbours_of(data: str) -> float:
    """Expected neighbours in the networks of a kind of tables."""
    return next((many for many in SPARSITY if neighbours_words(many) == data), NEIGHBOURS)


def _generator(seed: int, *key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def recovered(cell: Cell, run: int, seed: int, grids: Mapping[str, tuple[float, ...]]) -> Iterator[Row]:
    """A row an approach and setting: how much of the true pattern it finds, and in how many CPU seconds.

    Parameters
    ----------
    cell, run : which table
    seed : of the study; all that is random about an approach comes from its own seed 0
    grids : approach -> values of its setting
    """
    model, table = drawn(cell, run, seed)
    truth = model.graph
    more = {"missing": "latent"} if cell[0] == GAPS else {}
    for approach, values in grids.items():
        for setting in values:
            method = method_of(approach, setting, **more)
            start = time.process_time()
            found = class_of(method, table, silent)
            seconds = time.process_time() - start
            rates = rates_of(to_networkx(found, table.names), truth)
            yield {"approach": approach, "setting": float(setting), **rates, "seconds": seconds}


def rates_of(graph: nx.DiGraph, truth: nx.DiGraph) -> Row:
    """How much of the true pattern a network has, and of its skeleton."""
    rates, joined = patterns(graph, truth), adjacencies(graph, truth).overall
    return {
        "TPR": rates.tpr,
        "FPRp": rates.fprp,
        "SHD": float(rates.distance),
        "skeleton TPR": joined.recall,
        "skeleton FPRp": joined.wrong / joined.there,
        "skeleton SHD": float(joined.wrong + joined.missed),
        "true links": truth.number_of_edges(),
    }


def recovered_and_predicted(cell: Cell, run: int, seed: int, grids: Mapping[str, tuple[float, ...]]) -> Iterator[Row]:
    """The same, and beside it the mean log loss of as many new rows, in nats (Figure S10).

    Parameters
    ----------
    cell, run, seed, grids : as of `recovered`
    """
    model, table = drawn(cell, run, seed)
    new = model.sample(table.n_rows, _generator(seed, *cell[1:3], run, cell[3], 2))
    for approach, values in grids.items():
        for setting in values:
            start = time.process_time()
            result = analyse(method_of(approach, setting), table, silent)
            loss = float(log_loss(result, new).mean())
            seconds = time.process_time() - start
            rates = rates_of(result.graph, model.graph)
            yield {"approach": approach, "setting": float(setting), **rates, "log loss": loss, "seconds": seconds}


def table_called(name: str, folder: Path) -> Dataset:
    """A table of the folder, every variable ordinal as the paper has them, levels in the order of their numbers."""
    read = read_table(folder / f"{name}.csv")
    return Dataset.from_frame(read, kinds=dict.fromkeys(map(str, read.columns), "ordinal"))


def predicted(data: Dataset, rows: int, split: int, seed: int) -> Iterator[Row]:
    """A row an approach and setting: mean log loss of the rows held out, nats.

    Parameters
    ----------
    data : the table
    rows : of it that are drawn; a fifth of them is held out
    split : which one of its splits
    seed : of the study
    """
    order = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(split,))).permutation(data.n_rows)[:rows]
    held = round(HELD * rows)
    train, test = data.rows(np.sort(order[held:])), data.rows(np.sort(order[:held]))
    for approach, values in PREDICTING.items():
        for setting in values:
            start = time.process_time()
            loss = loss_held_out(approach, setting, train, test)
            seconds = time.process_time() - start
            yield {"approach": approach, "setting": float(setting), "log loss": loss, "seconds": seconds}


def loss_held_out(approach: str, setting: float, train: Dataset, test: Dataset) -> float:
    """Mean log loss of some rows, nats, of an approach that learned from others."""
    result = analyse(method_of(NETWORK_OF.get(approach, approach), setting), train, silent, strict=False)
    if approach in NETWORK_OF:
        matrix = BGe(am=float(setting), prior_mean="zero").posterior_matrix(train)
        correlation = (by_formula if approach == BGE_FORMULA else by_program)(matrix, result.parents)
        result = replace(result, matrices={**result.matrices, "fitted": correlation})
    return float(log_loss(result, test).mean())
