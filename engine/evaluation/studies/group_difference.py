"""Table 1 of Sverchkov & Cooper (2015) again: areas under the ROC curve of the posterior odds and of the lasso.

A network is learned from each data set as the paper does (thick thinning, K2, on the whole table) and fitted with
posterior means. A block is a data set, a kind of perturbation, a number of perturbations and a number of rows; it has
20 pairs of groups, one from the network and one from a perturbed network of its own (`engine.evaluation.perturb` says
how). Every variable of every pair has a score; the curve pools them all, the perturbed variables being the cases.

Scores: the odds without and with the true order, each under both alignments (`engine.GroupDifference`); the lasso,
which knows the order, as in the paper; chi-squared of each variable alone, which is not in the paper. The true order is
one that fits both networks, if there is one (`Pair.order`). The prior (0.5 a variable) and all other settings are the
method's own. The same perturbed networks serve all numbers of rows.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import SettingsError
from engine.evaluation.perturb import KINDS
from engine.evaluation.studies.group_difference_printed import DRAWS, SETS, SIZES, Block
from engine.execution import Progress, map, silent

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.evaluation.network import Network

SCORES = ("odds", "odds, common", "odds, order", "odds, order, common", "lasso", "chi-squared")
KEYS = ["data", "kind", "draws", "rows", "repeat"]


@dataclass(frozen=True)
class Plan:
    """What is drawn and scored; equal plans give equal scores, whatever the number of workers."""

    sets: tuple[str, ...] = SETS
    kinds: tuple[str, ...] = KINDS
    draws: tuple[int, ...] = DRAWS
    sizes: tuple[int, ...] = SIZES
    pairs: int = 20
    repeats: int = 3
    lasso: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("sets", SETS), ("kinds", KINDS)):
            for one in getattr(self, name):
                if one not in known:
                    raise SettingsError(f"{name} has {one!r}; it may have {', '.join(repr(x) for x in known)}.")
        for name in ("sets", "kinds", "draws", "sizes"):
            if not getattr(self, name):
                raise SettingsError(f"The study needs at least one of {name}.")
        for name, least in (("draws", min(self.draws)), ("sizes", min(self.sizes))):
            if least < 1:
                raise SettingsError(f"{name} has {least}; each must be at least 1.")
        for name in ("pairs", "repeats"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; it must be at least 1.")

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores that are computed."""
        return tuple(name for name in SCORES if self.lasso or name != "lasso")

    @property
    def blocks(self) -> list[tuple[str, str, int, int, int]]:
        """All blocks, in the order of the printed table, and within it by repeat."""
        return [
            (name, kind, draws, rows, repeat)
            for name in self.sets
            for kind in self.kinds
            for draws in self.draws
            for rows in self.sizes
            for repeat in range(self.repeats)
        ]


@dataclass(frozen=True, eq=False)
class GroupDifferenceStudy:
    """What came out.

    Attributes
    ----------
    plan : what was asked for
    rows : one row for each data set, kind, draws, rows, repeat, pair and variable: whether it is perturbed ("truth"),
        and its scores, the larger the more different (odds in natural log, chi-squared as -ln p)
    seconds : CPU time of all blocks by what took it: "drawing", "odds", "odds, order", "lasso", "chi-squared"
    """

    plan: Plan
    rows: pd.DataFrame
    seconds: dict[str, float] = field(default_factory=dict)

    def blocks(self) -> pd.DataFrame:
        """One row a block and repeat: cases, others, the area of every score, and DeLong's p of odds against lasso."""
        from engine.evaluation.studies.group_difference_tables import blocks

        return blocks(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}: ours beside the printed ones, differences, counts and verdicts."""
        from engine.evaluation.studies.group_difference_tables import tables

        return tables(self)

    def markdown(self) -> str:
        """All tables as one Markdown page."""
        from engine.evaluation.studies.group_difference_tables import markdown

        return markdown(self)


def group_difference(
    sets: Iterable[str] | None = None,
    kinds: Iterable[str] = KINDS,
    draws: Iterable[int] = DRAWS,
    sizes: Iterable[int] = SIZES,
    pairs: int = 20,
    repeats: int = 3,
    lasso: bool = True,
    seed: int = 0,
    *,
    folder: Path | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> GroupDifferenceStudy:
    """Run the study.

    Parameters
    ----------
    sets : of the printed table; None for all four with a folder, without one for balance-scale, which is made here
    kinds : "parametric", "structural"
    draws : numbers of perturbations
    sizes : rows of each group
    pairs : pairs of groups a block
    repeats : blocks of each sort, each with perturbed networks and rows of its own
    lasso : whether to run it; it takes the most time
    folder : where UCI's other tables are; see `engine.evaluation.studies.group_difference_data`
    jobs : blocks worked on at once

    Raises
    ------
    SettingsError : a name or a number that cannot be, a table that needs a folder
    DataError : a table that is not in the folder, or is not what it should be
    Cancelled : out of `progress`
    """
    import pandas as pd

    from engine.evaluation.studies.group_difference_data import MADE, table

    chosen = tuple(sets) if sets is not None else SETS if folder is not None else (MADE,)
    plan = Plan(chosen, tuple(kinds), tuple(draws), tuple(sizes), pairs, repeats, lasso, seed)
    networks = {name: original(table(name, folder)) for name in plan.sets}
    found = map(partial(_one_block, plan, networks), plan.blocks, jobs=jobs, progress=progress, words="blocks")
    seconds: dict[str, float] = {}
    for _, spent in found:
        for what, many in spent.items():
            seconds[what] = seconds.get(what, 0.0) + many
    return GroupDifferenceStudy(plan, pd.DataFrame([row for rows, _ in found for row in rows]), seconds)


def original(data: Dataset) -> Network:
    """The network that a data set stands for: thick thinning with K2, tables by posterior mean."""
    from engine.evaluation.network import fitted
    from engine.graphs.dag import parents_of
    from engine.scores.dirichlet import K2
    from engine.search.learn import learn

    return fitted(data, parents_of(learn(data, K2()), data.names))


def _one_block(
    plan: Plan, networks: dict[str, Network], block: tuple[str, str, int, int, int]
) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """All rows of a block, and the CPU seconds they took."""
    from engine.evaluation.perturb import perturbed_pair

    name, kind, draws, size, repeat = block
    network = networks[name]
    rows: list[dict[str, Any]] = []
    seconds: dict[str, float] = {"drawing": 0.0}
    for number in range(plan.pairs):
        start = time.process_time()
        for_network, for_rows = _generators(plan.seed, (name, kind, draws, size), repeat, number)
        pair = perturbed_pair(network, kind, draws, for_network)
        data = pair.sample(size, for_rows)
        seconds["drawing"] += time.process_time() - start
        scores = _scores(data, [network.names[i] for i in pair.order], plan.lasso, seconds)
        key = dict(zip(KEYS, block, strict=True))
        for i, variable in enumerate(network.names):
            mine = {what: float(values[i]) for what, values in scores.items()}
            rows.append({**key, "pair": number, "variable": variable, "truth": bool(pair.truth[i]), **mine})
    return rows, seconds


def _generators(seed: int, block: Block, repeat: int, pair: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Generators of a perturbed network, the same for all sizes, and of the rows."""
    name, kind, draws, size = block
    key = (SETS.index(name), KINDS.index(kind), draws, repeat, pair)
    one, two = (np.random.SeedSequence(seed, spawn_key=which) for which in (key, (*key, size)))
    return np.random.default_rng(one), np.random.default_rng(two)


def _scores(data: Dataset, order: list[str], lasso: bool, seconds: dict[str, float]) -> dict[str, np.ndarray]:
    """(p,) of every score of one pair of groups; CPU seconds are added to `seconds`."""
    from engine.evaluation.baselines import chi_squared, lasso_scores
    from engine.methods.group_difference.settings import GroupDifference

    found: dict[str, np.ndarray] = {}

    def timed(what: str, start: float) -> None:
        seconds[what] = seconds.get(what, 0.0) + time.process_time() - start

    for what, given in (("odds", None), ("odds, order", tuple(order))):
        start = time.process_time()
        result = GroupDifference(group="group", order=given).run(data)
        found[what] = result.log_odds.to_numpy()
        found[f"{what}, common"] = result.with_alignment("common").log_odds.to_numpy()
        timed(what, start)
    if lasso:
        start = time.process_time()
        found["lasso"] = lasso_scores(data, "group", order).to_numpy()
        timed("lasso", start)
    start = time.process_time()
    found["chi-squared"] = -chi_squared(data, "group")["log_p"].to_numpy()
    timed("chi-squared", start)
    return {what: found[what] for what in SCORES if what in found}
