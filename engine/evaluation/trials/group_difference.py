"""Two groups whose networks differ in known variables: does the method tell which?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import networkx as nx
import numpy as np

from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.evaluation.baselines import chi_squared, lasso_scores
from engine.evaluation.trials.outcome import (
    COMPARING,
    LEVEL_CHOICES,
    SEED,
    Items,
    Outcome,
    Picture,
    Score,
    Trial,
    Words,
    claimed_words,
    p_score,
)
from engine.execution import Progress, part, silent
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import cpdag
from engine.methods.group_difference.learn import compare_groups
from engine.methods.group_difference.method import GroupDifference
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.group_difference.verdicts import Verdict
from engine.methods.setting import check_settings, setting
from engine.models.network import random_network
from engine.simulation.associations import LEVELS
from engine.simulation.networks import expected_neighbours_dag, random_arities
from engine.simulation.perturb import MOVED, MovedNumbers, Pair, moved_numbers, perturbed_pair

GROUP = "group"
MEANING = (
    "The averaged odds are P(differs) of the picture as odds, averaged over orders of the variables: a log10 of 0 is "
    "50 %, of 2 is 99 %."
)
MOST_LASSO = 20
"""Variables for which the lasso is a matter of seconds."""


@dataclass(frozen=True)
class GroupTrial(Trial):
    """A random network and one that differs from it in up to `draws` variables; items are the variables."""

    variables: int = setting(
        12,
        label="Variables",
        help="Of the network; the group column comes on top.",
        minimum=2,
        maximum=60,
        place="first",
    )
    neighbours: float = setting(
        2.0,
        label="Neighbours of a variable",
        help="How many parents and children a variable has on average.",
        minimum=0.0,
        maximum=6.0,
    )
    levels: str = setting("mixed", **LEVEL_CHOICES, used_when={"kind": ("parametric", "structural")})
    kind: str = setting(
        "parametric",
        label="Kind of difference",
        help="'parametric': in one situation of its parents a variable's probabilities are swapped round. "
        "'structural': a variable gains or loses a parent. 'numbers': all variables are numbers, and a changed one is "
        f"{MOVED:g} SD higher or lower given its parents.",
        choices=("parametric", "structural", "numbers"),
        words={
            "parametric": "Probabilities (parametric)",
            "structural": "Links (structural)",
            "numbers": "Numbers (a shift)",
        },
        place="first",
    )
    draws: int = setting(
        3,
        label="Differences drawn",
        help="A variable may be drawn twice, so fewer may be changed. 0: the groups are the same, and whatever is "
        "found is a false alarm.",
        minimum=0,
        maximum=10,
        place="first",
    )
    rows: int = setting(
        500, label="Rows in each group", help="Patients drawn.", minimum=10, maximum=20_000, place="first"
    )
    tell_order: bool = setting(
        False,
        label="Tell the method the true order",
        help="An order of the variables in which causes come first. The lasso is always told it, as in the paper.",
        choices=(False, True),
    )
    seed: int = setting(0, **SEED)

    slug: ClassVar[str] = "group_difference"
    title: ClassVar[str] = "Two groups"
    story: ClassVar[str] = (
        "A random network, and a second one that differs from it in a few variables. Rows are drawn from both; the "
        "method must find which variables were changed."
    )
    items: ClassVar[Items] = Items("variable", "variables", "changed", "unchanged")
    seconds: ClassVar[Mapping[str, str]] = {
        "lasso": "Lasso, told the order",
        "chi-squared": "Chi-squared, each variable alone",
        "published": "The paper's posterior odds, one order",
        "alignment": "The paper's posterior odds, other alignment",
        "order": "The same odds, the other way about the order",
    }
    first_second: ClassVar[str | None] = "lasso"
    nothing: ClassVar[str] = "the network has no variables."
    opened: ClassVar[tuple[str, ...]] = ("p_none", "p_same", "alignment")
    given: ClassVar[Mapping[str, Any]] = {"group": GROUP}
    claim_words: ClassVar[Words] = {("differs", verdict.value): verdict.value for verdict in Verdict}
    case_claims: ClassVar[tuple[str, ...]] = ("differs",)
    claims_note: ClassVar[str] = (
        '"equivalent overall": over all rows a difference above the margin ({method.margin:g}) is ruled out, yet a '
        'change may be smaller, or lie in one context. "no difference seen" rules nothing out.'
    )
    called_where: ClassVar[str] = "At even odds"

    def __post_init__(self) -> None:
        check_settings(self)
        if self.neighbours > self.variables - 1:
            raise SettingsError(
                f"neighbours is {self.neighbours:g}; with {self.variables} variables it can be at most "
                f"{self.variables - 1}."
            )

    def draw(self) -> tuple[Pair | MovedNumbers, Dataset]:
        """The pair of networks, and the rows of both with the column "group"."""
        for_network, for_changes, for_rows = self.generators(3)
        parents = expected_neighbours_dag(self.variables, self.neighbours, for_network)
        if self.kind == "numbers":
            moved = moved_numbers(parents, self.draws, for_changes)
            return moved, moved.sample(self.rows, for_rows, GROUP)
        arities = random_arities(self.variables, LEVELS[self.levels], for_network)
        network = random_network(parents, arities, for_network)
        pair = perturbed_pair(network, self.kind, self.draws, for_changes) if self.draws else Pair(network, network, ())
        return pair, pair.sample(self.rows, for_rows, GROUP)

    def too_slow(self, second: str | None) -> str | None:
        """What to do about a second score that would take minutes; None for one that does not."""
        if second != "lasso" or self.variables <= MOST_LASSO:
            return None
        return (
            f"The lasso would take minutes for {self.variables} variables; choose at most {MOST_LASSO}, or another "
            "score to compare with."
        )

    def look(
        self,
        method: GroupDifference,
        drawn: tuple[Pair | MovedNumbers, Dataset],
        second: str | None,
        progress: Progress,
    ) -> Outcome:
        """Every variable is scored by the odds that it differs; group column and order are set here."""
        pair, data = drawn
        names = pair.original.names
        order = tuple(names[i] for i in pair.order)
        settings = replace(method, group=GROUP, groups=None, order=order if self.tell_order else None)
        result = compare_groups(settings, data, part(progress, 0.1, 0.6))
        progress(0.65, COMPARING)
        scores = [_own_score(result, names)]
        if second is not None:
            progress(0.7, "computing the second score")
            scores.append(_second(second, settings, result, data, order, names))
        claimed = self.claimed(result, ((name,) for name in names))
        return Outcome(
            trial=self,
            method=settings,
            labels=names,
            truth=_truth(pair),
            called=scores[0].values > 0,
            scores=tuple(scores),
            pictures=_pictures(
                pair,
                result,
                dict(zip(names, scores[0].values.tolist(), strict=True)),
                dict(zip(names, claimed.tolist(), strict=True)),
            ),
            remark=_remark(pair),
            claimed=claimed,
        )

    def claimed(self, result: GroupDifferenceResult, items: Iterable[Sequence[str]]) -> np.ndarray:
        """(n,) the verdict on every variable, as the method's page has it."""
        claims = result.claims().assign(verdict=result.verdicts["verdict"].map(str).to_numpy())
        return claimed_words(claims, self.claim_words, self.unclaimed, list(items))


def _truth(pair: Pair | MovedNumbers) -> np.ndarray:
    """(p,) true for the variables that differ; one that was swapped back does not."""
    return np.asarray(pair.truth & ~pair.undone)


def _own_score(result: GroupDifferenceResult, names: tuple[str, ...]) -> Score:
    """The odds that verdicts rest on: averaged over all orders, or the paper's where nothing is averaged."""
    posterior = result.posterior
    if posterior is None:
        return Score("posterior odds", "log10 odds", _paper_odds(result, names), 0.0)
    odds = dict(zip(result.names, posterior.log_odds.tolist(), strict=True))
    values = np.array([odds[name] for name in names]) / math.log(10)
    return Score("averaged odds", "log10 odds", values, 0.0, meaning=MEANING)


def _paper_odds(result: GroupDifferenceResult, names: tuple[str, ...]) -> np.ndarray:
    """(n,) log10 of the paper's posterior odds under the result's alignment (equation 10)."""
    return np.asarray(result.log_odds[list(names)].to_numpy() / math.log(10))


def _second(
    second: str,
    settings: GroupDifference,
    result: GroupDifferenceResult,
    data: Dataset,
    order: tuple[str, ...],
    names: tuple[str, ...],
) -> Score:
    if second == "lasso":
        return Score("lasso, told the order", "penalty", lasso_scores(data, GROUP, order)[list(names)].to_numpy())
    if second == "chi-squared":
        return p_score("chi-squared", chi_squared(data, GROUP).loc[list(names), "log_p"].to_numpy(), len(names))
    if second == "published":
        return Score("the paper's odds", "log10 odds", _paper_odds(result, names), 0.0)
    if second == "alignment":
        other = "common" if settings.alignment == "published" else "published"
        values = _paper_odds(result.with_alignment(other), names)
        return Score(f"the paper's odds, {other} alignment", "log10 odds", values, 0.0)
    learned = settings.order is None
    again = compare_groups(replace(settings, order=order if learned else None), data, silent)
    rerun = _own_score(again, names)
    return replace(rerun, name=f"odds, order {'told' if learned else 'learned'}")


def _pictures(
    pair: Pair | MovedNumbers, result: GroupDifferenceResult, values: dict[str, float], claims: dict[str, str]
) -> tuple[Picture, ...]:
    """The networks of both groups; as DAGs where the order was told, else as far as data tell directions."""
    names = pair.original.names
    marked = tuple(name for name, changed in zip(names, _truth(pair), strict=True) if changed)
    pictures = []
    for title, network, parents in zip(
        ("original", "perturbed"), (pair.original, pair.perturbed), result.structures, strict=False
    ):
        graphs: list[nx.DiGraph] = [to_networkx(network.parents, names), to_networkx(parents, result.names)]
        truth, learned = graphs if result.method.order is not None else [cpdag(graph) for graph in graphs]
        pictures.append(Picture(f"Group {title}", truth, learned, marked, claims, values))
    return tuple(pictures)


def _remark(pair: Pair | MovedNumbers) -> str:
    """Say what was done, by kind, in the order of the draws."""
    names = pair.original.names
    swapped = [names[change.child] for change in pair.changes if change.what == "permuted"]
    where = "for one combination of their parents' values, or in all rows where they have no parents"
    parts = [f"{', '.join(swapped)} {where}"] if swapped else []
    if moved := [names[change.child] for change in pair.changes if change.what == "moved"]:
        parts.append(f"{', '.join(moved)} moved by {MOVED:g} SD")
    parts += [
        f"{names[change.child]} {'gained' if change.what == 'added' else 'lost'} the parent {names[change.parent]}"
        for change in pair.changes
        if change.parent is not None
    ]
    if not parts:
        return "Both groups were drawn from the same network."
    back = [name for name, undone in zip(names, pair.undone, strict=True) if undone]
    text = f"What was changed: {'; '.join(parts)}."
    return f"{text} In the end as before, and so unchanged: {', '.join(back)}." if back else text


TRIAL = GroupTrial
