"""How much of an answer hangs on the rows, on chance and on the score: the comparison again, from one seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine import execution, words
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.execution import Progress
from engine.graphs.dag import Parents
from engine.lazy import pd
from engine.methods import frames
from engine.methods.group_difference import odds
from engine.methods.group_difference.average.averaging import MOST_WALKED, log_odds_only
from engine.methods.group_difference.blocks import stack, weigh
from engine.methods.group_difference.learn import learn_three
from engine.methods.group_difference.rows.groups import Groups, split_groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_difference.verdicts import CALLED, EVEN, SURE
from engine.resampling import repeat
from engine.scores.dirichlet import K2, BDeu
from engine.text import Count, Name, Number, first, told
from engine.words import short

if TYPE_CHECKING:
    from engine.methods.group_difference.evidence import GroupDifferenceEvidence


Stacks = dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Per alignment what `blocks.stack` gives: the evidence, before any prior."""

ROWS_WORTH_THREADS = 100_000
"""Rows from which on two runs side by side are faster than one after the other; with fewer, Python has the time."""


@dataclass(frozen=True, eq=False)
class _Runs:
    """The evidence of every run; the odds follow from it and the settings' prior and alignment.

    Attributes
    ----------
    method : the settings
    names : the n variables
    stacks : the evidence, one a run
    averaged : (runs, n) ln odds of a difference under the prior of the runs, averaged over orders; the paper's odds
        where orders are not averaged
    """

    method: GroupDifferenceSettings
    names: tuple[str, ...]
    stacks: tuple[Stacks, ...]
    averaged: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """(runs, n) P(differs)."""
        return odds.probability(self.averaged)

    def with_settings(self, method: GroupDifferenceSettings) -> Self:
        """The same runs under another prior or alignment of the paper's odds, at once."""
        return replace(self, method=method)

    def log_odds(self) -> tuple[np.ndarray, np.ndarray]:
        """The paper's odds of every run."""
        method = self.method
        result = [odds.paper_odds(run[method.alignment], method.p_same, method.p_level) for run in self.stacks]
        return np.array([each for each, _ in result]), np.array([overall for _, overall in result])


class Stability(_Runs):
    """Runs on rows drawn again; alike rows mean a stable answer."""

    def table(self) -> pd.DataFrame:
        """How often a variable differs in other rows, and the spread of P(differs) and of the paper's odds."""
        p = self.probabilities
        columns = {
            "share_differs": (p >= SURE).mean(axis=0),
            "share_probable": (p >= EVEN).mean(axis=0),
            "p_lowest": p.min(axis=0),
            "p_median": np.median(p, axis=0),
            "p_highest": p.max(axis=0),
        }
        return frames.data_frame(columns, names=self.names).join(_spread(self.names, self.log_odds()[0]))


class Null(_Runs):
    """Runs with shuffled group labels: what chance alone shows for these variables and group sizes."""

    def table(self, observed: pd.Series) -> pd.DataFrame:
        """The spread by variable, the observed log10 odds, and the share of shuffles that reach them."""
        shuffled = self.log_odds()[0]
        table = _spread(self.names, shuffled)
        values = observed.loc[list(self.names)].to_numpy()
        table["observed"] = values / np.log(10)
        table["share_as_high"] = _share(shuffled, values)
        return table

    @property
    def largest(self) -> np.ndarray:
        """(runs,) the largest P(differs) of each shuffle."""
        return np.asarray(self.probabilities.max(axis=1))

    def p_of(self, observed: np.ndarray) -> np.ndarray:
        """How often the largest odds of any variable in a shuffle reach observed ones."""
        return np.asarray(_share(self.averaged.max(axis=1)[:, None], np.asarray(observed)))

    def sentence(self, result: GroupDifferenceEvidence) -> str:
        """A sentence on what chance alone shows, and which verdicts that name a difference are not beyond it.

        Parameters
        ----------
        result : the answer whose verdicts are held against it
        """
        averaged = self.method.average == "orders" and len(self.names) <= MOST_WALKED
        measure = told("P(differs)" if averaged else "P(different) of the paper's odds")
        tables, largest = Count(len(self.largest), "table"), Number(words.probability(float(self.largest.max())))
        verdicts = result.verdicts
        called = verdicts[verdicts["verdict"].isin(CALLED) & (verdicts["probability"] <= self.largest.max())]
        which = told(", so {} may be chance", first(map(Name, called.index), 3)) if len(called) else ""
        return told("Shuffled group labels gave {} up to {} ({}){}.", measure, largest, tables, which)

    def deal_sentences(self, result: GroupDifferenceEvidence) -> list[str]:
        """How often dealt labels reach what was found, where rows belong together."""
        matches = result.verdicts["probability"].dropna()
        if result.clusters is None or result.posterior is None or matches.empty:
            return []
        p = dict(zip(self.names, self.p_of(result.posterior.log_odds), strict=True))
        called = [str(name) for name in matches.index[matches >= EVEN]] or [str(matches.idxmax())]
        reached = first((told("{} has {}", Name(name), Number(words.p_value(p[name]))) for name in called), 3)
        how = told("inside each" if result.clusters.crossing else "to whole values of")
        times, subject = Count(len(self.stacks), "time"), Name(short(result.clusters.name, 40))
        return [told("With labels dealt {} {} '{}', {} after correction.", times, how, subject, reached)]

    def share_overall(self, observed: float) -> float:
        """The share of shuffles whose overall odds reach the observed ones."""
        return float(_share(self.log_odds()[1], observed))


def _share(shuffled: np.ndarray, observed: Any) -> Any:
    """(1 + hits) / (1 + runs): the observed labelling is one of the possible ones, so the share is never 0."""
    return (1 + (shuffled >= observed - 1e-9).sum(axis=0)) / (1 + len(shuffled))


def _spread(names: tuple[str, ...], log_odds: np.ndarray) -> pd.DataFrame:
    log10 = log_odds / np.log(10)
    return frames.data_frame(
        {
            "lowest": log10.min(axis=0),
            "median": np.median(log10, axis=0),
            "highest": log10.max(axis=0),
            "share_above_even": (log10 > 0).mean(axis=0),
        },
        names=names,
    )


@dataclass(frozen=True, eq=False)
class ScoreCheck:
    """P(differs) under another score.

    Attributes
    ----------
    name : of the score, such as "K2"
    probabilities : by variable
    """

    name: str
    probabilities: pd.Series

    def sentences(self, observed: pd.Series) -> list[str]:
        """Which variables the two scores put on two sides of one half."""
        observed = observed.dropna()
        other = self.probabilities[observed.index]
        crossed = observed.index[(observed >= EVEN) != (other >= EVEN)]
        if not len(crossed):
            same = "Under {} too, P(differs) of every variable stays on its side of {}."
            return [told(same, Number(self.name), Number(words.in_percent(EVEN)))]
        named = (told("{} ({})", Name(name), Number(words.probability(float(other[name]), "P"))) for name in crossed)
        turned = "Under {} P(differs) is on the other side of {}: {}."
        return [told(turned, Number(self.name), Number(words.in_percent(EVEN)), first(named, 4))]


def check_score(method: GroupDifferenceSettings, data: Dataset, progress: Progress) -> ScoreCheck:
    """P(differs) under K2 where the method's score is BDeu, else under BDeu(1)."""
    if method.average == "none":
        raise SettingsError(
            "average is 'none'; another score is looked at where orders are averaged.", setting="average"
        )
    groups = split_groups(method, data)
    if groups.pooled.n_variables > MOST_WALKED:
        raise SettingsError(f"Orders are averaged for up to {MOST_WALKED} variables; choose fewer.")
    other: K2 | BDeu = BDeu() if isinstance(method.score, K2) else K2()
    result = odds.probability(log_odds_only(replace(method, score=other), groups, progress))
    progress(1.0, "done")
    name = "K2" if isinstance(other, K2) else "BDeu(1)"
    return ScoreCheck(name, frames.series_of(result, groups.pooled.names))


def stability(method: GroupDifferenceSettings, data: Dataset, progress: Progress, runs: int, jobs: int) -> Stability:
    """The comparison on rows drawn again; the paper's under random priorities, which decide ties and its order."""
    groups = split_groups(method, data)
    task = partial(_again, method, groups)
    threaded = groups.pooled.n_rows >= ROWS_WORTH_THREADS
    result = repeat(task, runs, method.seed, jobs=jobs, threaded=threaded, progress=progress, words="resampled tables")
    return Stability(method, groups.pooled.names, *_stacked(result))


def null(method: GroupDifferenceSettings, data: Dataset, progress: Progress, runs: int, jobs: int) -> Null:
    """The comparison with permuted labels; the pooled rows, and so their network, stay as they are."""
    groups = split_groups(method, data)
    by_name = sorted(range(groups.pooled.n_variables), key=lambda i: groups.pooled.names[i])
    pooled = learn_three(method, groups, by_name, execution.silent)[2]
    task = partial(_with_labels, method, groups, by_name, pooled)
    threaded = groups.pooled.n_rows >= ROWS_WORTH_THREADS
    result = repeat(task, runs, method.seed, jobs=jobs, threaded=threaded, progress=progress, words="permutations")
    return Null(method, groups.pooled.names, *_stacked(result))


def _stacked(result: Sequence[tuple[Stacks, np.ndarray]]) -> tuple[tuple[Stacks, ...], np.ndarray]:
    return tuple(stacks for stacks, _ in result), np.array([averaged for _, averaged in result])


def _again(method: GroupDifferenceSettings, groups: Groups, seed: np.random.SeedSequence) -> tuple[Stacks, np.ndarray]:
    generator = np.random.default_rng(seed)
    drawn = groups.resampled(generator)
    priority = generator.permutation(groups.pooled.n_variables).tolist()
    return _weighed(method, drawn, learn_three(method, drawn, priority, execution.silent))


def _with_labels(
    method: GroupDifferenceSettings, groups: Groups, priority: list[int], pooled: Parents, seed: np.random.SeedSequence
) -> tuple[Stacks, np.ndarray]:
    shuffled = groups.relabelled(np.random.default_rng(seed))
    return _weighed(method, shuffled, learn_three(method, shuffled, priority, execution.silent, pooled))


def _weighed(
    method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, Parents, Parents]
) -> tuple[Stacks, np.ndarray]:
    """The paper's evidence of one run, and ln odds of a difference."""
    published = weigh(method, groups, structures, common=False)
    common = weigh(method, groups, structures, common=True, known=published)
    stacks = {"published": stack(published), "common": stack(common)}
    if method.average == "orders" and groups.pooled.n_variables <= MOST_WALKED:
        return stacks, log_odds_only(method, groups)
    return stacks, odds.paper_odds(stacks[method.alignment], method.p_same, method.p_level)[0]
