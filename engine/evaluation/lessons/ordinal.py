"""A lesson: a drawn network, its values cut into levels, and what every approach still finds of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
import pandas as pd

from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.graphs.pdag import cpdag
from engine.measures.structure import patterns
from engine.methods.ordinal.method import Ordinal
from engine.methods.ordinal.settings import APPROACHES
from engine.simulation.ordinal import cut_graph
from engine.words import in_percent

TABLES = 10
EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "Two causes of one effect": (("worry", "sleep"), ("pain", "sleep"), ("sleep", "fatigue")),
    "A chain": (("worry", "sleep"), ("sleep", "fatigue"), ("fatigue", "mood"), ("mood", "contact")),
    "Two groups and a bridge": (
        ("worry", "sleep"), ("pain", "sleep"), ("sleep", "fatigue"),
        ("fatigue", "mood"), ("guilt", "mood"), ("mood", "contact"),
    ),
}  # fmt: skip
"""Small networks to begin with; every arc has the weight of `cut_graph`."""


@dataclass(frozen=True, eq=False)
class Cutting:
    """The outcome at one number of levels and rows.

    Attributes
    ----------
    levels, rows : of every table
    truth : the class of networks that was drawn from
    networks : approach -> the class that it found in the first table
    found, wrong : approach -> (tables,) right links, and wrong ones, per link there is (`patterns`)
    """

    levels: int
    rows: int
    truth: nx.DiGraph
    networks: Mapping[str, nx.DiGraph]
    found: Mapping[str, np.ndarray]
    wrong: Mapping[str, np.ndarray]

    def frame(self) -> pd.DataFrame:
        """A row an approach: approach, found, found_low, found_high, wrong, wrong_low, wrong_high; ends of 95 %."""
        rows = [(name, *_interval(self.found[name], 1.0), *_interval(self.wrong[name])) for name in self.found]
        columns = [f"{kind}{end}" for kind in ("found", "wrong") for end in ("", "_low", "_high")]
        return pd.DataFrame(rows, columns=["approach", *columns])

    def headline(self) -> str:
        """Who finds how much."""
        text = "; ".join(
            f"{APPROACHES[name].split(': ', 1)[0]} {in_percent(values.mean())}" for name, values in self.found.items()
        )
        tables = len(next(iter(self.found.values()), ()))
        return (
            f"{len(self.truth)} variables cut into {self.levels} levels, {self.rows:,} rows, {tables} tables. Of the "
            f"links are found: {text}."
        )


def cutting(
    arcs: Sequence[tuple[str, str]],
    levels: int,
    rows: int,
    approaches: Sequence[str] = tuple(APPROACHES),
    tables: int = TABLES,
    seed: int = 0,
    progress: Progress = silent,
) -> Cutting:
    """Draw from a network, cut, and learn with every approach, again and again."""
    if not arcs:
        raise SettingsError("There is no arrow yet; draw one at least.", setting="arcs")
    drawn = nx.DiGraph(list(arcs))
    model = cut_graph(drawn, levels)
    truth = cpdag(drawn)
    networks: dict[str, nx.DiGraph] = {}
    result: dict[str, list[float]] = {name: [] for name in approaches}
    wrong: dict[str, list[float]] = {name: [] for name in approaches}
    for table in range(tables):
        data = model.sample(rows, np.random.default_rng([seed, table]))
        for place, name in enumerate(approaches):
            progress((table + place / len(approaches)) / tables, f"simulated tables: {table + 1} of {tables}")
            graph = Ordinal(seed=seed + table).set_params(approach=name).run(data).graph
            rates = patterns(graph, truth)
            networks.setdefault(name, graph)
            result[name].append(rates.tpr)
            wrong[name].append(rates.fprp)
    progress(1.0, "done")
    each = ({name: np.array(values) for name, values in item.items()} for item in (result, wrong))
    return Cutting(levels, rows, truth, networks, *each)


def _interval(values: np.ndarray, most: float = math.inf) -> tuple[float, float, float]:
    """Mean, and the ends of its 95 % interval between 0 and what there can be at most; none of a single table."""
    mean = float(values.mean())
    if len(values) < 2:
        return mean, math.nan, math.nan
    half = 1.96 * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, max(0.0, mean - half), min(most, mean + half)
