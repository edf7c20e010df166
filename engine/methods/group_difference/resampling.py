"""How much of an answer hangs on the rows, on ties and on chance: the comparison again, many times, from one seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine import execution
from engine.execution import Progress
from engine.graphs.dag import Parents
from engine.methods.group_difference import odds
from engine.methods.group_difference.blocks import stack, weigh
from engine.methods.group_difference.chance import chance
from engine.methods.group_difference.groups import Groups, split_groups
from engine.methods.group_difference.learn import learn_three
from engine.methods.group_difference.odds import log_bayes_factor
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_difference.verdicts import called
from engine.resampling import repeat

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset


Stacks = dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Per alignment what `blocks.stack` gives: the evidence, before any prior."""

SHUFFLES = 99
"""Least shuffles of a variable within one run: a run needs its verdicts, not a band."""
ROWS_WORTH_THREADS = 100_000
"""Rows from which on two runs side by side are faster than one after the other; with fewer, Python has the time."""
_SWAPPED, _FEW = 0.3, 3
"""Two variables swap where one is called so much more often without the other, in runs that are not so few."""


@dataclass(frozen=True, eq=False)
class _Runs:
    """The evidence of every run; the odds follow from it and the settings' prior and alignment.

    Attributes
    ----------
    method : the settings
    names : the n variables
    stacks : the evidence, one a run
    called : (runs, n) whether the run says that the variable differs
    """

    method: GroupDifferenceSettings
    names: tuple[str, ...]
    stacks: tuple[Stacks, ...]
    called: np.ndarray

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
    """Runs on rows drawn again, under other tie rules and topological orders; alike rows mean a stable answer."""

    def table(self) -> pd.DataFrame:
        """The spread of the odds, and how often the verdict holds.

        Returns
        -------
        pandas.DataFrame by variable: lowest, median and highest log10 odds, the share of runs with odds above 1, and
        the share in which it is said to differ
        """
        return _spread(self.names, self.log_odds()[0]).assign(share_differs=self.called.mean(axis=0))

    def swaps(self, neighbours: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
        """Variables that are said to differ where another is not: a difference may lie at either end of an arc.

        Parameters
        ----------
        neighbours : variable -> those that an arc joins it to, such as `result.neighbours()`

        Returns
        -------
        variable -> the neighbours that are called much more often in the runs that do not call it
        """
        place = {name: i for i, name in enumerate(self.names)}
        found = {}
        for name, others in neighbours.items():
            with_it = self.called[:, place[name]]
            if min(with_it.sum(), (~with_it).sum()) < _FEW:
                continue
            gain = self.called[~with_it].mean(axis=0) - self.called[with_it].mean(axis=0)
            found[name] = tuple(one for one in others if gain[place[one]] > _SWAPPED)
        return {name: others for name, others in found.items() if others}


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

    def range_called(self) -> tuple[int, int]:
        """How many variables shuffled labels say to differ: the least and the most of all shuffles."""
        many = self.called.sum(axis=1)
        return int(many.min()), int(many.max())

    @property
    def none_called(self) -> int:
        """In how many of the shuffles no variable is said to differ."""
        return int((~self.called.any(axis=1)).sum())

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
    """The comparison on rows drawn again, under random priorities, which decide ties and the topological order."""
    groups = split_groups(method, data)
    once = partial(_again, method, groups)
    many = groups.pooled.n_rows >= ROWS_WORTH_THREADS
    found = repeat(once, runs, method.seed, jobs=jobs, threaded=many, progress=progress, words="other rows and orders")
    return Stability(method, groups.pooled.names, *_stacked(found))


def null(method: GroupDifferenceSettings, data: Dataset, progress: Progress, runs: int, jobs: int) -> Null:
    """The comparison with shuffled labels; the pooled rows, and so their network, stay as they are."""
    groups = split_groups(method, data)
    by_name = sorted(range(groups.pooled.n_variables), key=lambda i: groups.pooled.names[i])
    pooled = learn_three(method, groups, by_name, execution.silent)[2]
    once = partial(_with_labels, method, groups, by_name, pooled)
    many = groups.pooled.n_rows >= ROWS_WORTH_THREADS
    found = repeat(once, runs, method.seed, jobs=jobs, threaded=many, progress=progress, words="shuffled labels")
    return Null(method, groups.pooled.names, *_stacked(found))


def _stacked(found: Sequence[tuple[Stacks, np.ndarray]]) -> tuple[tuple[Stacks, ...], np.ndarray]:
    return tuple(stacks for stacks, _ in found), np.array([called for _, called in found])


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
    """The evidence of one run, and which variables it says to differ."""
    published = weigh(method, groups, structures, common=False)
    common = weigh(method, groups, structures, common=True, known=published)
    stacks = {"published": stack(published), "common": stack(common)}
    factors = {name: log_bayes_factor(*one) for name, one in stacks.items()}
    if not ((factors["common"] > 0) & (factors["published"] > 0)).any():
        return stacks, np.zeros(len(common), dtype=bool)  # no chance could have any of them called
    shuffled = chance(method, groups.pooled.names, common, SHUFFLES)
    return stacks, called(shuffled, factors, method.chance)
