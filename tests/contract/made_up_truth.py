"""What the made-up method is evaluated with: a trial, and the study of a paper that nobody wrote."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from benchmarks.papers.blocks import Running
from benchmarks.papers.study import Study, cells
from engine.evaluation.trials.outcome import Items, Outcome, Picture, Score, Trial
from engine.execution import Progress, part
from engine.methods.registry import METHODS
from engine.methods.setting import check_settings, setting
from tests.contract.made_up import ChowLiu

NAMES = ("a", "b", "c")


@dataclass(frozen=True)
class CoinsTrial(Trial):
    """Of three variables the first two mostly agree."""

    rows: int = setting(200, label="Coins tossed", help="Rows.", minimum=10, maximum=1000, place="first")
    side: str = setting(
        "both", label="Side", help="Nothing comes of it.", choices=("both", "one"), words={"one": "Only heads"}
    )
    seed: int = setting(0, label="Seed", help="Other rows.", minimum=0)

    slug: ClassVar[str] = "chow_liu"
    title: ClassVar[str] = "Three coins"
    story: ClassVar[str] = "Two of three coins agree; the method must find which."
    items: ClassVar[Items] = Items("couple", "couples", "agreeing", "free")
    seconds: ClassVar[Mapping[str, str]] = {"constant": "The same for all"}
    opened: ClassVar[tuple[str, ...]] = ("least",)
    given: ClassVar[Mapping[str, Any]] = {"least": 0.02}

    def __post_init__(self) -> None:
        check_settings(self)

    def draw(self) -> engine.Dataset:
        """Toss."""
        generator = self.generators(1)[0]
        a, b, c = generator.integers(0, 2, (3, self.rows))
        b = np.where(generator.random(self.rows) < 0.8, a, b)
        return engine.Dataset.from_codes(np.array([a, b, c]), [2, 2, 2], NAMES)

    def look(self, method: ChowLiu, drawn: engine.Dataset, second: str | None, progress: Progress) -> Outcome:
        """Look."""
        result = method.run(drawn, part(progress, 0.0, 1.0))
        pairs = result.table("Pairs")
        values = pairs["information"].to_numpy()
        scores = [Score("information", "nats", values, method.least)]
        return Outcome(
            trial=self,
            method=method,
            labels=tuple(f"{one.a} - {one.b}" for one in pairs.itertuples()),
            truth=np.array([{one.a, one.b} == {"a", "b"} for one in pairs.itertuples()]),
            called=values > method.least,
            scores=(*scores, *([Score("constant", "", np.ones(3))] if second else [])),
            pictures=(Picture("Coins", _linked(), result.graphs()["Tree"]),),
            remark="Coins have no memory.",
        )


def _linked() -> nx.Graph:
    graph = nx.Graph([("a", "b")])
    graph.add_nodes_from(NAMES)
    return graph


@dataclass(frozen=True)
class CoinsPlan:
    """Settings of the study."""

    seed: int
    times: int


@dataclass(frozen=True, eq=False)
class CoinsStudy(Study):
    """How often the pair that agrees comes first."""

    slug = "chow_liu"
    paper = "Nobody 2026, Table 9"
    title = "Coins of nobody"
    asked = "Which coins agree?"
    quick: ClassVar = {"times": 2}
    full: ClassVar = {"times": 3}
    keys: ClassVar = ["coins"]
    by = "coins"
    along = "coins"

    @classmethod
    def run(cls, times: int = 2, seed: int = 0, *, running: Running | None = None) -> CoinsStudy:
        """Toss again and again."""
        hits = [CoinsTrial(seed=seed + i).run(ChowLiu()).among_first(0) for i in range(times)]
        rows = pd.DataFrame({"coins": 3, "run": [f"run {i + 1}" for i in range(times)], "hits": hits})
        return cls(CoinsPlan(seed, times), rows, {"tossing": 0.1})

    def heading(self) -> str:
        """What was run."""
        return f"# {self.paper}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """One."""
        return {"Hits": self.compared()}

    def compared(self) -> pd.DataFrame:
        """The paper prints a hit a run."""
        printed = pd.DataFrame([(3, "hits", 1.0, np.nan)], columns=["coins", "quantity", "printed", "printed_spread"])
        return cells(self.runs(), self.keys, printed)

    def runs(self) -> pd.DataFrame:
        """A row a run."""
        return self.rows.rename(columns={"hits": "value"}).assign(quantity="hits")

    def verdicts(self) -> pd.DataFrame:
        """Every run has to hit."""
        hit = float(self.rows["hits"].mean())
        return pd.DataFrame(
            [("hits", "1", hit, "within" if hit == 1 else "outside")], columns=["what", "band", "ours", "verdict"]
        )


TRIAL, STUDY = CoinsTrial, CoinsStudy
FILES = ("engine.evaluation.trials.chow_liu", "benchmarks.papers.chow_liu.study")


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry with the made-up method, and this file where those of a method's trial and study would be."""
    monkeypatch.setitem(METHODS, ChowLiu.slug, ChowLiu)
    for name in FILES:
        monkeypatch.setitem(sys.modules, name, sys.modules[__name__])
