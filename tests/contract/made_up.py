"""A method made up for tests: the pairs of variables whose mutual information is above a bar. Nobody should use it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import networkx as nx
import numpy as np
import pandas as pd

import engine
from engine.errors import DataError, SettingsError
from engine.execution import Progress, silent
from engine.methods.method import Method, Settings
from engine.methods.result import CLAIMS, NO, YES, Made, Result, Section
from engine.methods.setting import setting
from engine.methods.storing import storable
from engine.search.knowledge import Knowledge


@storable
@dataclass(frozen=True, eq=False, repr=False)
class PairsResult(Result):
    """Mutual information of all pairs, in nats."""

    method: Any
    names: tuple[str, ...]
    information: np.ndarray
    fingerprint: str
    made: Made
    slug: ClassVar[str] = "pairs"
    format: ClassVar[str] = "diptych/pairs/1"
    titles: ClassVar[tuple[str, ...]] = ("Pairs",)
    caution: ClassVar[str] = "A pair is not a cause."

    def headline(self) -> str:
        return f"{len(self.edges())} pairs stand out."

    def sentences(self) -> list[str]:
        return [f"The bar is {self.method.bar:g} nats."]

    def notes(self) -> list[str]:
        return []

    def sections(self) -> list[Section]:
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            Section("pairs", "The pairs", (self.caution,), ("Pairs",), ("networks",)),
        ]

    def _pairs(self) -> list[tuple[str, str, float]]:
        found = list(combinations(range(len(self.names)), 2))
        return [(self.names[i], self.names[j], float(self.information[i, j])) for i, j in found]

    def claims(self) -> pd.DataFrame:
        nothing = math.nan
        rows = [
            (" -- ".join(sorted((a, b))), "stands out", YES if value > self.method.bar else NO, *[nothing] * 6, 1)
            for a, b, value in self._pairs()
        ]
        return pd.DataFrame(rows, columns=list(CLAIMS))

    def variables(self) -> pd.DataFrame:
        return pd.DataFrame({"sum": self.information.sum(axis=0)}, index=pd.Index(self.names, name="variable"))

    def graphs(self) -> dict[str, nx.Graph]:
        graph = nx.Graph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from((a, b) for a, b, value in self._pairs() if value > self.method.bar)
        return {"pairs": graph}

    def table(self, title: str) -> pd.DataFrame:
        self._check_title(title)
        return pd.DataFrame(self._pairs(), columns=["a", "b", "information"])

    def document(self) -> dict[str, Any]:
        return {"pairs": [list(one) for one in self._pairs()]}


@storable
@dataclass(frozen=True)
class Pairs(Settings, Method):
    """The pairs of variables whose mutual information is above a bar."""

    bar: float = setting(0.05, label="Bar", help="Nats from which a pair stands out.", minimum=0.0)
    knowledge: Knowledge = setting(Knowledge(), label="Known", help="Only checked.", place="hidden")
    seed: int = setting(0, label="Seed", help="Nothing is random.", minimum=0)
    slug: ClassVar[str] = "pairs"
    title: ClassVar[str] = "Pairs"
    question: ClassVar[str] = "Which pairs stand out?"
    paper: ClassVar[str] = "Nobody 2026"

    def run(self, data: engine.Dataset, progress: Progress = silent) -> PairsResult:
        """Mutual information of every pair."""
        data, progress = self._asked(data, progress)
        if data.n_variables < 2 or not data.n_rows:
            raise DataError("There are no pairs in this table; choose more variables or rows.")
        for arc in (*self.knowledge.required, *self.knowledge.forbidden):
            for name in arc:
                if name not in data.names:
                    raise SettingsError(f"There is no variable {name!r} in this table.")
        p = data.n_variables
        found = np.zeros((p, p))
        for i in range(p):
            progress(i / p, f"variable {i + 1} of {p}")
            for j in range(i):
                joint = np.zeros((data.arity[i], data.arity[j]))
                np.add.at(joint, (data.codes[i], data.codes[j]), 1 / data.n_rows)
                apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
                here = joint > 0
                found[i, j] = found[j, i] = float((joint[here] * np.log(joint[here] / apart[here])).sum())
        progress(1.0, "done")
        return PairsResult(self, data.names, found, data.fingerprint, Made.of(data))
