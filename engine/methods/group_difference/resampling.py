"""How much of an answer hangs on ties and on chance: the comparison again, many times, from one seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine import execution
from engine.execution import Progress
from engine.graphs.dag import Parents
from engine.methods.group_difference import odds
from engine.methods.group_difference.blocks import stack, weigh
from engine.methods.group_difference.groups import Groups, split_groups
from engine.methods.group_difference.learn import learn_three
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.resampling import repeat

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset


Stacks = dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Per alignment what `learn.stack` gives: the evidence, before any prior."""


@dataclass(frozen=True, eq=False)
class _Runs:
    """The evidence of every run; the odds follow from it and the settings' prior and alignment.

    Attributes
    ----------
    method : the settings
    names : the n variables
    stacks : the evidence, one a run
    """

    method: GroupDifferenceSettings
    names: tuple[str, ...]
    stacks: tuple[Stacks, ...]

    def with_settings(self, method: GroupDifferenceSettings) -> Self:
        """The same runs under another prior or alignment, at once.

        Parameters
        ----------
        method : settings that differ in nothing else

        Returns
        -------
        runs that answer under these settings
        """
        return replace(self, method=method)

    def log_odds(self) -> tuple[np.ndarray, np.ndarray]:
        """The odds of every run.

        Returns
        -------
        (runs, n) natural-log odds by variable, and (runs,) overall
        """
        found = []
        for run in self.stacks:
            bayes, starts, possible = run[self.method.alignment]
            log_p = odds.log_block_priors(self.method.p_same, self.method.p_level, possible)
            found.append(odds.log_odds(bayes, starts, possible, log_p))
        return np.array([one for one, _ in found]), np.array([overall for _, overall in found])


class Stability(_Runs):
    """Runs with other tie rules and topological orders; equal rows of odds mean a stable answer."""

    def table(self) -> pd.DataFrame:
        """The spread of the odds.

        Returns
        -------
        pandas.DataFrame by variable: lowest, median and highest log10 odds, and the share of runs with odds above 1
        """
        return _spread(self.names, self.log_odds()[0])


class Null(_Runs):
    """Runs with shuffled group labels: what chance alone shows for these variables and group sizes."""

    def table(self, observed: pd.Series) -> pd.DataFrame:
        """The spread by variable, the observed log10 odds, and the share of shuffles that reach them.

        Parameters
        ----------
        observed : natural-log odds by variable, as `result.log_odds` gives them

        Returns
        -------
        pandas.DataFrame by variable; `share_as_high` is never 0: the observed labels count as one of the shuffles
        """
        shuffled = self.log_odds()[0]
        table = _spread(self.names, shuffled)
        values = observed.loc[list(self.names)].to_numpy()
        table["observed"] = values / np.log(10)
        table["share_as_high"] = _share(shuffled, values)
        return table

    def share_overall(self, observed: float) -> float:
        """The share of shuffles whose overall odds reach the observed ones.

        Parameters
        ----------
        observed : natural log, as `result.overall_log_odds` gives it

        Returns
        -------
        above 0, at most 1
        """
        return float(_share(self.log_odds()[1], observed))


def _share(shuffled: np.ndarray, observed: Any) -> Any:
    """(1 + hits) / (1 + runs): the observed labelling is one of the possible ones, so the share is never 0."""
    return (1 + (shuffled >= observed - 1e-9).sum(axis=0)) / (1 + len(shuffled))


def _spread(names: tuple[str, ...], log_odds: np.ndarray) -> pd.DataFrame:
    import pandas as pd

    log10 = log_odds / np.log(10)
    return pd.DataFrame(
        {
            "lowest": log10.min(axis=0),
            "median": np.median(log10, axis=0),
            "highest": log10.max(axis=0),
            "share_above_even": (log10 > 0).mean(axis=0),
        },
        index=pd.Index(names, name="variable"),
    )


def stability(method: GroupDifferenceSettings, data: Dataset, progress: Progress, runs: int, jobs: int) -> Stability:
    """The comparison under random priorities of the variables, which decide ties and the topological order."""
    groups = split_groups(method, data)
    once = partial(_with_priority, method, groups)
    found = repeat(once, runs, method.seed, jobs=jobs, progress=progress, words="other orders")
    return Stability(method, groups.pooled.names, tuple(found))


def null(method: GroupDifferenceSettings, data: Dataset, progress: Progress, runs: int, jobs: int) -> Null:
    """The comparison with shuffled labels; the pooled rows, and so their network, stay as they are."""
    groups = split_groups(method, data)
    by_name = sorted(range(groups.pooled.n_variables), key=lambda i: groups.pooled.names[i])
    pooled = learn_three(method, groups, by_name, execution.silent)[2]
    once = partial(_with_labels, method, groups, by_name, pooled)
    found = repeat(once, runs, method.seed, jobs=jobs, progress=progress, words="shuffled labels")
    return Null(method, groups.pooled.names, tuple(found))


def _with_priority(method: GroupDifferenceSettings, groups: Groups, seed: np.random.SeedSequence) -> Stacks:
    priority = np.random.default_rng(seed).permutation(groups.pooled.n_variables).tolist()
    return _stacks(method, groups, learn_three(method, groups, priority, execution.silent))


def _with_labels(
    method: GroupDifferenceSettings, groups: Groups, priority: list[int], pooled: Parents, seed: np.random.SeedSequence
) -> Stacks:
    shuffled = groups.relabelled(np.random.default_rng(seed))
    return _stacks(method, shuffled, learn_three(method, shuffled, priority, execution.silent, pooled))


def _stacks(method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, Parents, Parents]) -> Stacks:
    published = weigh(method, groups, structures, common=False)
    common = weigh(method, groups, structures, common=True, known=published)
    return {"published": stack(published), "common": stack(common)}
