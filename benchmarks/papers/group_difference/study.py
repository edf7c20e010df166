"""Table 1 of Sverchkov & Cooper (2015) again: areas under the ROC curve of the posterior odds and of the lasso.

A network is learned from each data set as the paper does (thick thinning, K2, on the whole table) and fitted with
posterior means. A block is a data set, a kind of perturbation, a number of perturbations and a number of rows; it has
20 pairs of groups, one from the network and one from a perturbed network of its own (`engine.simulation.perturb` says
how). Every variable of every pair has a score; the curve pools them all, the perturbed variables being the cases.

Scores: the odds without and with the true order, each under both alignments (`engine.GroupDifference`); the lasso,
which knows the order, as in the paper; chi-squared of each variable alone and the other approaches that section 2.1
names (`comparators`), none of which the paper runs. The prior (0.5 a variable) and all other settings are the method's
own. The same perturbed networks serve all numbers of rows.

"An ordering from a true generating model" is read as one of the original network, which is a true model of one of the
two groups. An arc that was added may run against it. Beside it, for the odds and for the lasso, stands one that fits
both networks of the pair, if there is one (`Pair.order`); with it no arc runs backwards.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from benchmarks.papers.blocks import HERE, Outcome, Row, Running, run_blocks, table_of, total
from benchmarks.papers.group_difference import tables as told
from benchmarks.papers.group_difference.comparators import comparator_scores
from benchmarks.papers.group_difference.data import MADE, table
from benchmarks.papers.group_difference.held import AFTERWARDS
from benchmarks.papers.group_difference.plan import BOTH, KEYS, SCORES, Plan
from benchmarks.papers.group_difference.printed import DRAWS, SETS, SIZES, Block
from benchmarks.papers.results import LATER, TARGETS
from benchmarks.papers.study import Study, printed_or_said
from engine.evaluation.baselines import chi_squared, lasso_scores
from engine.graphs.dag import parents_of, topological_order
from engine.methods.group_difference.method import GroupDifference
from engine.models.network import fitted
from engine.scores.dirichlet import K2
from engine.search.learn import learn
from engine.simulation.perturb import KINDS, perturbed_pair

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.models.network import Network


@dataclass(frozen=True, eq=False)
class GroupDifferenceStudy(Study):
    """What came out.

    Attributes
    ----------
    plan : what was asked for
    rows : one row for each data set, kind, draws, rows, repeat, pair and variable: whether it is perturbed ("truth"),
        and its scores, the larger the more different (odds in natural log, chi-squared as -ln p)
    seconds : CPU time of all blocks by what took it: "drawing", a score with its alignments, ...
    """

    slug = "group_difference"
    paper = "Sverchkov & Cooper 2015, Table 1"
    title = "Group differences"
    asked = "Two networks differ in known places; who finds them, the posterior odds or a lasso?"
    reading = (
        'The paper gives the lasso "an ordering from a true generating model". Our first reading, an order that fits '
        "both networks of a pair, has the odds without an order ahead in 40 of 72 blocks; an order of the original "
        "network has them ahead in 57, but was chosen after that count was seen, so nothing under it earns a tick. "
        "With an order of their own the odds are ahead in 70 under both. The bands on the lasso, on the split by kind "
        "and on the agreement block by block were set when our figures were known: they are targets of ours."
    )
    claim = (
        "What may be said: the areas of the odds reproduce to 0.05; their advantage with the order reproduces; without "
        "it, it is not established."
    )
    slips = (
        "The paper's text has the odds ahead in 53 of 72 blocks, its Table 1 in 52.",
        "Its text gives p < .0001 for the signed rank test over the blocks, its printed areas give p = .0002.",
    )
    needs: ClassVar = ("--data FOLDER",)
    unjudged = LATER
    quick: ClassVar = {"sizes": SIZES[:1], "repeats": 1}
    full: ClassVar = {"repeats": 3}
    keys: ClassVar = KEYS[:4]
    by = "kind"
    along = "rows"
    curves: ClassVar = ("odds", "odds, common", "odds, order", "lasso", "chi-squared")

    plan: Plan

    _done = staticmethod(told.done)
    heading = told.heading
    tables = told.tables
    compared = told.compared
    runs = told.runs
    verdicts = told.verdicts
    blocks = told.blocks

    @classmethod
    def source_of(cls, what: str, band: str) -> str:
        """The paper's Table 1 and its section 4.3; targets of ours where a band was set when our figures were known."""
        return TARGETS if band.endswith(AFTERWARDS) else printed_or_said(band)

    @classmethod
    def run(
        cls,
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
        running: Running = HERE,
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
        folder : where UCI's other tables are; see `benchmarks.papers.group_difference.data`

        Raises
        ------
        SettingsError : a name or a number that cannot be, a table that needs a folder
        DataError : a table that is not in the folder, or is not what it should be
        Cancelled : out of the progress of `running`
        """
        chosen = tuple(sets) if sets is not None else SETS if folder is not None else (MADE,)
        plan = Plan(chosen, tuple(kinds), tuple(draws), tuple(sizes), pairs, repeats, lasso, seed)
        networks, prints = {}, []
        for name in plan.sets:
            data = table(name, folder)
            networks[name] = original(data)
            prints.append(data.fingerprint)
        block = partial(_one_block, plan, networks)
        found = run_blocks(block, plan.blocks, plan, running, words="blocks", data=prints)
        return cls(plan, table_of(found), total(found))

    @staticmethod
    def add_options(parser: argparse.ArgumentParser) -> None:
        """Which tables, and where those are that are not made here."""
        parser.add_argument("--data", type=Path, help="folder with car.csv, hayes-roth.csv and nursery.csv of UCI")
        parser.add_argument("--sets", nargs="+", choices=SETS, help="of data (default: what there is)")

    @staticmethod
    def options(chosen: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
        """The folder is not spelled out: it is another one on another machine."""
        words = ["--sets", *chosen.sets] if chosen.sets else []
        words += ["--data FOLDER"] if chosen.data else []
        return {"folder": chosen.data, "sets": chosen.sets}, words


def original(data: Dataset) -> Network:
    """The network that a data set stands for: thick thinning with K2, tables by posterior mean."""
    return fitted(data, parents_of(learn(data, K2()), data.names))


def _one_block(plan: Plan, networks: dict[str, Network], block: tuple[str, str, int, int, int]) -> Outcome:
    """All rows of a block, and the CPU seconds they took."""
    name, kind, draws, size, repeat = block
    network = networks[name]
    order = [network.names[i] for i in topological_order(network.parents)]
    rows: list[Row] = []
    seconds: dict[str, float] = {"drawing": 0.0}
    for number in range(plan.pairs):
        start = time.process_time()
        for_network, for_rows = _generators(plan.seed, (name, kind, draws, size), repeat, number)
        pair = perturbed_pair(network, kind, draws, for_network)
        data = pair.sample(size, for_rows)
        seconds["drawing"] += time.process_time() - start
        scores = _scores(data, order, [network.names[i] for i in pair.order], plan.lasso, seconds)
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


def _scores(
    data: Dataset, order: list[str], of_both: list[str], lasso: bool, seconds: dict[str, float]
) -> dict[str, np.ndarray]:
    """(p,) of every score of one pair of groups; CPU seconds are added to `seconds`."""
    found: dict[str, np.ndarray] = {}

    @contextmanager
    def timed(what: str) -> Iterator[None]:
        start = time.process_time()
        yield
        seconds[what] = seconds.get(what, 0.0) + time.process_time() - start

    for what, given in (("odds", None), ("odds, order", tuple(order))):
        with timed(what):
            result = GroupDifference(group="group", order=given).run(data)
            found[what] = result.log_odds.to_numpy()
            found[f"{what}, common"] = result.with_alignment("common").log_odds.to_numpy()
    if lasso:
        with timed("lasso"):
            found["lasso"] = lasso_scores(data, "group", order).to_numpy()
        with timed("order of both"):
            found |= dict(zip(BOTH, (found["odds, order"], found["lasso"]), strict=True))
            if of_both != order:
                found[BOTH[0]] = GroupDifference(group="group", order=tuple(of_both)).run(data).log_odds.to_numpy()
                found[BOTH[1]] = lasso_scores(data, "group", of_both).to_numpy()
    with timed("chi-squared"):
        found["chi-squared"] = -chi_squared(data, "group")["log_p"].to_numpy()
    with timed("other approaches"):
        found |= {name: scores.to_numpy() for name, scores in comparator_scores(data, "group").items()}
    return {what: found[what] for what in SCORES if what in found}


STUDY = GroupDifferenceStudy
