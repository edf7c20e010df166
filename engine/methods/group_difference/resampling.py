"""How much of an answer hangs on ties and on chance: the comparison again, many times, from one seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from engine import execution
from engine.execution import Progress
from engine.methods.group_difference import odds
from engine.methods.group_difference.learn import Groups, learn_three, split_groups, weigh

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.group_difference.settings import GroupDifference


@dataclass(frozen=True, eq=False)
class _Runs:
    """Natural-log odds of every variable in every run, `(runs, n)`, for both alignments, and overall `(runs,)`."""

    names: tuple[str, ...]
    alignment: str
    published: np.ndarray
    common: np.ndarray
    overall: np.ndarray

    @property
    def log_odds(self) -> np.ndarray:
        values: np.ndarray = getattr(self, self.alignment)
        return values


class Stability(_Runs):
    """Runs with other tie rules and topological orders; equal rows of odds mean a stable answer."""

    def table(self) -> pd.DataFrame:
        """By variable: lowest, median and highest log10 odds, and the share of runs with odds above 1."""
        return _spread(self)


class Null(_Runs):
    """Runs with shuffled group labels: what chance alone shows for these variables and group sizes."""

    def table(self, observed: pd.Series) -> pd.DataFrame:
        """The spread by variable, the observed log10 odds, and the share of shuffles that reach them.

        Parameters
        ----------
        observed : natural-log odds by variable, as `result.log_odds` gives them
        """
        table = _spread(self)
        values = observed.loc[list(self.names)].to_numpy()
        table["observed"] = values / np.log(10)
        # (1 + hits) / (1 + runs): the observed labelling is one of the possible ones, so the share is never 0
        table["share_as_high"] = (1 + (self.log_odds >= values - 1e-9).sum(axis=0)) / (1 + len(self.log_odds))
        return table


def _spread(runs: _Runs) -> pd.DataFrame:
    import pandas as pd

    log10 = runs.log_odds / np.log(10)
    return pd.DataFrame(
        {
            "lowest": log10.min(axis=0),
            "median": np.median(log10, axis=0),
            "highest": log10.max(axis=0),
            "share_above_even": (log10 > 0).mean(axis=0),
        },
        index=pd.Index(runs.names, name="variable"),
    )


def stability(method: GroupDifference, data: Dataset, runs: int, jobs: int, progress: Progress) -> Stability:
    """The comparison under random priorities of the variables, which decide ties and the topological order."""
    groups = split_groups(method, data)
    once = partial(_with_priority, method, groups)
    return Stability(*_gather(method, groups, once, runs, jobs, progress, "other orders"))


def null(method: GroupDifference, data: Dataset, runs: int, jobs: int, progress: Progress) -> Null:
    """The comparison with shuffled labels; the pooled rows, and so their network, stay as they are."""
    groups = split_groups(method, data)
    by_name = sorted(range(groups.pooled.n_variables), key=lambda i: groups.pooled.names[i])
    pooled = learn_three(method, groups, by_name, execution.silent)[2]
    once = partial(_with_labels, method, groups, by_name, pooled)
    return Null(*_gather(method, groups, once, runs, jobs, progress, "shuffled labels"))


def _with_priority(method: GroupDifference, groups: Groups, seed: np.random.SeedSequence) -> list[np.ndarray]:
    priority = np.random.default_rng(seed).permutation(groups.pooled.n_variables).tolist()
    return _odds(method, groups, learn_three(method, groups, priority, execution.silent))


def _with_labels(
    method: GroupDifference,
    groups: Groups,
    priority: list[int],
    pooled: tuple[tuple[int, ...], ...],
    seed: np.random.SeedSequence,
) -> list[np.ndarray]:
    shuffled = groups.relabelled(np.random.default_rng(seed))
    return _odds(method, shuffled, learn_three(method, shuffled, priority, execution.silent, pooled))


def _odds(method: GroupDifference, groups: Groups, structures: tuple[object, ...]) -> list[np.ndarray]:
    """ln O_i under both alignments and ln O under the chosen one."""
    found = {}
    for name in ("published", "common"):
        blocks = weigh(method, groups, structures, common=name == "common")  # type: ignore[arg-type]
        starts = np.cumsum([0, *(len(one.bayes) for one in blocks)])
        possible = np.array([one.possible for one in blocks])
        log_p = odds.log_block_priors(method.p_same, method.p_level, possible)
        bayes = np.concatenate([one.bayes for one in blocks])
        found[name] = odds.log_odds(bayes, starts, possible, log_p)
    return [found["published"][0], found["common"][0], np.array(found[method.alignment][1])]


def _gather(  # type: ignore[no-untyped-def]
    method: GroupDifference, groups: Groups, once, runs: int, jobs: int, progress: Progress, words: str
) -> tuple[tuple[str, ...], str, np.ndarray, np.ndarray, np.ndarray]:
    seeds = np.random.SeedSequence(method.seed).spawn(runs)
    found = execution.map(once, seeds, jobs=jobs, progress=progress, words=words)
    columns = [np.array([run[k] for run in found]) for k in range(3)]
    return groups.pooled.names, method.alignment, columns[0], columns[1], columns[2]
