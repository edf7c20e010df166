"""Three small tables on which one can see how the method thinks: a coin, a lamp with two switches, a phantom level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.data.dataset import Dataset
from engine.methods import frames
from engine.methods.log_linear.message import data_length, entropy_sum
from engine.methods.log_linear.method import LogLinear
from engine.methods.log_linear.what_if import WhatIf

BIT = data_length(np.array([1.0, 1.0]))
"""One toss with one head and one tail takes one bit: the method's own unit, in nats."""

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class CodeLengths:
    """The cost of sending a row of tosses.

    Attributes
    ----------
    share : of heads
    by_share : bits when each toss is sent with that probability
    exact : bits when the number of heads is known, and only their order is sent
    """

    share: float
    by_share: float
    exact: float


def coin(heads: int, tosses: int = 100) -> CodeLengths:
    """The coin of the paper's equations 9 and 10."""
    counts = np.array([heads, tosses - heads], dtype=float)
    by_share = entropy_sum(np.array([tosses], dtype=float)) - entropy_sum(counts)
    return CodeLengths(heads / tosses, by_share / BIT, data_length(counts) / BIT)


def exclusive_or(copies: int) -> Dataset:
    """Two switches that mostly stand alike, a lamp that is on when just one is up, two coins without any part in it."""
    rows = [
        (item, two, "on" if item != two else "off", coin, other)
        for item in ("up", "down")
        for two in ("up", "down")
        for coin in ("heads", "tails")
        for other in ("heads", "tails")
        for _ in range(3 if item == two else 1)
    ]
    names = ["switch 1", "switch 2", "lamp", "coin 1", "coin 2"]
    return Dataset.from_frame(frames.data_frame(rows * copies, columns=names))


def blind_spot(copies: int) -> tuple[int, Pairs, Pairs]:
    """Rows of an exclusive-or; the edges found in it one at a time, and with two at once."""
    data = exclusive_or(copies)
    single, both = (list(LogLinear(joint=joint).run(data).edge_values) for joint in (False, True))
    return data.n_rows, single, both


def phantom_price(copies: int, extra: int) -> tuple[int, WhatIf]:
    """Rows, and what the one edge is worth, when both variables declare levels that never occur."""
    levels = ["low", "middle", "high"]
    rows = [
        (level, two)
        for i, level in enumerate(levels)
        for j, two in enumerate(levels)
        for _ in range((6, 3, 1)[abs(i - j)])
    ]
    declared = [*levels, *(f"never {i + 1}" for i in range(extra))]
    table = frames.data_frame(rows * copies, columns=["diet", "weight"])
    data = Dataset.from_frame(table, levels={"diet": declared, "weight": declared})
    result = LogLinear().run(data)
    bare = result.edited(data, remove=list(result.edge_values))
    return data.n_rows, bare.what_if(data, "diet", "weight")
