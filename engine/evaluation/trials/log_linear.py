"""A table of associated variables whose graph is known: does the method tell the linked pairs?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.evaluation.trials.outcome import LEVEL_CHOICES, SEED, Outcome, PairTrial, Picture, Score, p_score
from engine.execution import Progress, part
from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.criteria import LN2, MML, graph_term
from engine.methods.log_linear.method import LogLinear, counted
from engine.methods.log_linear.result import LogLinearResult
from engine.methods.log_linear.search import Search
from engine.methods.setting import check_settings, setting
from engine.simulation.associations import (
    AssociationModel,
    health_survey,
    independent,
    many_variables,
    nine_variables,
)

MEANING = (
    "Net bits saved: how much shorter the message is with the link than without it, in the end. A link of the model "
    "can cost bits where later links do its work. The study under The papers judges the graph chosen, not this order."
)
MOST_CELLS = 20_000_000
"""Rows times variables that are drawn, searched and scored in seconds."""


@dataclass(frozen=True)
class AssociationTrial(PairTrial):
    """A decomposable model (Petitjean et al. 2014, section V.A) and rows from it; items are pairs of variables."""

    shape: str = setting(
        "survey",
        label="Truth",
        help="'survey': 24 variables of 2 to 5 levels, clear associations. 'nine': nine variables and eleven links, "
        "weak ones, as in the paper. 'many': 150 variables and 232 links, as in the paper. 'none': twelve variables "
        "that have nothing to do with each other.",
        choices=("survey", "nine", "many", "none"),
        words={
            "survey": "24 variables, clear links",
            "nine": "9 variables, weak links",
            "many": "150 variables, weak links",
            "none": "12 variables, no links",
        },
        place="first",
    )
    levels: str = setting("mixed", **LEVEL_CHOICES | {"help": f"{LEVEL_CHOICES['help']} The survey has its own."})
    rows: int = setting(
        2000,
        label="Rows",
        help="The paper's weak associations want 10,000 and more.",
        minimum=20,
        maximum=1_000_000,
        place="first",
    )
    seed: int = setting(0, **SEED)

    slug: ClassVar[str] = "log_linear"
    title: ClassVar[str] = "Associations"
    story: ClassVar[str] = (
        "Variables are linked in known groups, and rows are drawn from them. The method must find which pairs are "
        "linked directly."
    )
    seconds: ClassVar[Mapping[str, str]] = {
        "chi-squared": "Chi-squared, each pair alone",
        "information": "Mutual information of the pair",
    }
    first_second: ClassVar[str | None] = "chi-squared"
    unclaimed: ClassVar[str] = "nothing seen"
    claims_note: ClassVar[str] = (
        'Of the pairs that just failed to be linked, "no link to speak of" makes a shift of a share by a tenth or more '
        'improbable; "inconclusive" leaves it open. "nothing seen" is no verdict: such pairs came less near.'
    )
    called_where: ClassVar[str] = "In its model"

    def __post_init__(self) -> None:
        check_settings(self)
        size = {"survey": 24, "nine": 9, "many": 150, "none": 12}[self.shape]
        if size * self.rows > MOST_CELLS:
            raise SettingsError(
                f"{self.rows:,} rows of {size} variables would take minutes; draw at most {MOST_CELLS // size:,} rows."
            )

    def draw(self) -> tuple[AssociationModel, Dataset]:
        """The model and its rows."""
        for_model, for_rows = self.generators(2)
        if self.shape == "survey":
            model = health_survey(for_model)
        elif self.shape == "none":
            model = independent(self.levels, for_model, 12)
        else:
            model = (nine_variables if self.shape == "nine" else many_variables)(self.levels, for_model)
        return model, model.sample(self.rows, for_rows)

    def look(
        self, method: LogLinear, drawn: tuple[AssociationModel, Dataset], second: str | None, progress: Progress
    ) -> Outcome:
        """Every pair of variables is scored by the bits that its link saves."""
        model, data = drawn
        result = method.run(data, part(progress, 0.2, 0.8))
        progress(0.8, "testing every pair")
        bits = _in_pairs(evidence_bits(result, data), data.names)
        scores = [Score("net bits saved", "bits; below 0 the link costs", bits, meaning=MEANING)]
        if second is not None:
            scores.append(_second(second, data))
        picture = Picture("The links", model.graph, result.graph)
        return self.pairs_outcome(method, result, data.names, model.edges, scores, picture, "")


def evidence_bits(result: LogLinearResult, data: Dataset) -> np.ndarray:
    """(p, p) bits by which a message with the edge is shorter than one without it, symmetric, in column order.

    For an edge of the model that cannot go alone what it saved when it came; -inf for a pair that cannot come alone.
    Message lengths (MML) whatever the criterion of the search.
    """
    counts = counted(data)
    search = Search(counts, MML(counts, 0.05), result.chosen.copy())
    bits = (search.candidates.ranks - graph_term(result.pairs, result.chosen.n_edges)) / LN2
    place = {name: i for i, name in enumerate(counts.names)}
    for a, b, about in result.graph.edges(data=True):
        x, y = place[a], place[b]
        evidence = about["evidence_bits"] if about["removable"] else about["entry_bits"]
        bits[x, y] = bits[y, x] = evidence
    order = [place[name] for name in data.names]
    return np.asarray(bits[np.ix_(order, order)])


def _second(second: str, data: Dataset) -> Score:
    counts = counted(data)
    information = counts.all_pairs(counts.entropy_terms)
    order = [list(counts.names).index(name) for name in data.names]
    information = np.maximum(_in_pairs(information[np.ix_(order, order)], data.names), 0.0)
    if second == "information":
        return Score("mutual information", "bits a row", information / data.n_rows / LN2)
    levels = np.asarray(data.arity, dtype=float) - 1
    degrees = _in_pairs(np.outer(levels, levels), data.names)
    return p_score("chi-squared", log_chi2_tail(2 * information, degrees), len(information))


def _in_pairs(matrix: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """The part above the diagonal, in the order of all pairs of names."""
    return np.asarray(matrix[np.triu_indices(len(names), k=1)])


TRIAL = AssociationTrial
