"""A network of hidden normal values that were cut into levels: does the method tell the linked pairs?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.evaluation.trials.outcome import COMPARING, SEED, Outcome, PairTrial, Picture, Score, p_score
from engine.execution import Progress, part
from engine.graphs.pdag import complete, to_networkx
from engine.lazy import pd, special
from engine.methods.ordinal.method import Ordinal
from engine.methods.ordinal.result import OrdinalResult
from engine.methods.setting import check_settings, setting
from engine.simulation.ordinal import LatentModel, full_sample, random_latent_model, with_gaps
from engine.words import in_percent

MEANING = (
    "Evidence is the natural logarithm of the Bayes factor for a link, in nats: at 0 the rows favour neither, 3 nats "
    "multiply the odds of a link by 20."
)
MOST_CELLS = 60_000
"""Rows times variables that are learned from in seconds."""


@dataclass(frozen=True)
class OrdinalTrial(PairTrial):
    """A random network as Luo, Moffa & Kuipers (2021, section 4.1) draw them; items are pairs of variables."""

    variables: int = setting(
        12, label="Variables", help="The paper has 12, 20 and 30.", minimum=3, maximum=40, place="first"
    )
    neighbours: int = setting(
        4,
        label="Neighbours of a variable",
        help="How many a variable is linked to on average. 0: nothing is linked, and whatever is found is a false "
        "alarm.",
        minimum=0,
        maximum=8,
        place="first",
    )
    levels: int = setting(
        3,
        label="Levels",
        help="On average: a variable has from 2 up to twice this number less 2. With 2 every variable has two levels.",
        minimum=2,
        maximum=8,
        place="first",
    )
    rows: int = setting(500, label="Rows", help="The paper has 300 to 800.", minimum=50, maximum=20_000, place="first")
    gaps: float = setting(
        0.0,
        label="Answers missing",
        help="Share of the answers to every second variable; the more, the higher the variable before it. The method "
        "then leaves their latent values open.",
        minimum=0.0,
        maximum=0.4,
        place="first",
    )
    seed: int = setting(0, **SEED)

    slug: ClassVar[str] = "ordinal"
    title: ClassVar[str] = "Ordinal networks"
    story: ClassVar[str] = (
        "Hidden normal values depend on each other by a known network and are cut into levels, like answers. The "
        "method sees the levels only, and must find which pairs are linked directly."
    )
    seconds: ClassVar[Mapping[str, str]] = {
        "polychoric": "Hidden correlation, each pair alone",
        "levels": "Correlation of the levels as numbers, each pair alone",
    }
    first_second: ClassVar[str | None] = "polychoric"
    claims_note: ClassVar[str] = (
        '"linked": in the network found, and beyond chance among all pairs. "no link to speak of": not in it, and a '
        "partial correlation of {method.margin:g} (the margin) or more is improbable."
    )
    called_where: ClassVar[str] = "In its network"

    def __post_init__(self) -> None:
        check_settings(self)
        if self.neighbours >= self.variables:
            raise SettingsError(
                f"neighbours is {self.neighbours}; of {self.variables} variables each has at most "
                f"{self.variables - 1} neighbours.",
                setting="neighbours",
            )
        if self.variables * self.rows > MOST_CELLS:
            raise SettingsError(
                f"{self.rows:,} rows of {self.variables} variables would take minutes; draw at most "
                f"{MOST_CELLS // self.variables:,} rows.",
                setting="rows",
            )

    def draw(self) -> tuple[LatentModel, Dataset]:
        """The model and its rows, in which every level occurs."""
        for_model, for_rows = self.generators(2)
        model = random_latent_model(self.variables, for_model, float(self.neighbours), self.levels)
        model, data = full_sample(model, self.rows, for_rows)
        return model, with_gaps(data, self.gaps, for_rows) if self.gaps else data

    def look(
        self, method: Ordinal, drawn: tuple[LatentModel, Dataset], second: str | None, progress: Progress
    ) -> Outcome:
        """Every pair is scored by how much the rows speak for a link."""
        model, data = drawn
        if self.gaps:
            method = replace(method, missing="latent")
        result = method.run(data, progress=part(progress, 0.1, 0.95))
        progress(0.97, COMPARING)
        pairs = itertools.combinations(data.names, 2)
        evidence = np.array([result.link(*pair).log_bayes_factor for pair in pairs])
        scores = [Score("evidence", "nats", evidence, 0.0, MEANING)]
        if second is not None:
            scores.append(_second(second, data, result))
        picture = Picture("The network", to_networkx(complete(model.parents), model.names), result.graph)
        return self.pairs_outcome(
            method, result, data.names, model.graph.edges, scores, picture, _remark(model, result)
        )


def _second(second: str, data: Dataset, result: OrdinalResult) -> Score:
    above = np.triu_indices(data.n_variables, k=1)
    if second == "polychoric":
        return Score("polychoric", "size of the correlation", np.abs(result.start.to_numpy())[above])
    columns = [
        np.where(data.column(name) == len(levels) - 1, math.nan, data.column(name))
        if (levels := data.levels[name])[-1] == data.missing_level(name)
        else data.column(name)
        for name in data.names
    ]
    table = pd.DataFrame(np.array(columns, dtype=float).T)  # pairs of answers that are both there
    correlation = table.corr(min_periods=2).fillna(0.0).to_numpy()[above]
    known = table.notna().to_numpy(dtype=float)
    z = np.abs(np.arctanh(np.clip(correlation, -1 + 1e-12, 1 - 1e-12)))
    z *= np.sqrt(np.maximum((known.T @ known)[above] - 3, 1))
    return p_score("levels", math.log(2) + special.log_ndtr(-z), len(z))


def _remark(model: LatentModel, result: OrdinalResult) -> str:
    """What the levels keep."""
    text = f"The levels keep an estimated {in_percent(result.information)} of the information on a link."
    return text if model.graph.number_of_edges() else f"No variable depends on another. {text}"


TRIAL = OrdinalTrial
