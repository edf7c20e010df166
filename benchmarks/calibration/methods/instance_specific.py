"""One patient: are the population's links as probable as is said, do the intervals cover, how often is a verdict wrong.

Every function simulates tables from networks whose truth is known and gives a row for everything that was said. Table
number t of a seed is the same whatever the number of tables, so that a run can be taken up again: `first` is the number
of the first table. Half of the networks have contexts in which some parents stop mattering, half have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.calibration.cell import Bar, Cell, Counted
from engine.data.dataset import Dataset
from engine.execution import Progress, silent
from engine.graphs.dag import Parents
from engine.methods.instance_specific.links import Link, LinkWord
from engine.methods.instance_specific.method import InstanceSpecific
from engine.models.network import Network
from engine.simulation.networks import random_arities, random_context_network, random_dag, random_rows

if TYPE_CHECKING:
    import pandas as pd

    from engine.methods.instance_specific.result import InstanceSpecificResult

WRONGLY = "'no longer matters' although the shift exceeds the margin"
COVERED = "interval of the shift holds it"
TOLD = "patients told that a link is another for them"
TRUE = "links said to be {:.0%} to {:.0%} probable that are there"
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
NEAR, ENOUGH = 0.15, 100
"""A probability is as good as its bin's middle, give or take so much; a bin with fewer links is not judged."""
KEPT = "patients told where a link that all have is 50 points weaker or stronger for them"
FALSELY = "tables without interaction with any of 10 patients told"
NO_EXCESS = "cohorts without interaction whose headline says no excess"
BARS = {
    WRONGLY: Bar(high=0.07),
    COVERED: Bar(0.92, 0.98),
    KEPT: Bar(low=0.9),
    FALSELY: Bar(high=0.07),
    NO_EXCESS: Bar(low=0.93),
} | {
    TRUE.format(low, high): Bar(max(0.0, (low + high) / 2 - NEAR), min(1.0, (low + high) / 2 + NEAR), ENOUGH)
    for low, high in pairwise(BINS)
}


def cells() -> list[Cell]:
    """Networks with contexts and without, of 200 to 3,000 rows; every second table that the plan asks for."""
    found = [
        Cell(f"{words}, 200 to 3,000 rows, 10 variables", partial(_table, contexts), share=0.5)
        for words, contexts in (("networks with contexts", True), ("networks without contexts", False))
    ]
    found += [
        Cell(f"{here} points for the patient, {elsewhere} for others, 3,000 rows", partial(_kept, here, elsewhere), 0.2)
        for here, elsewhere in ((20, 70), (70, 20))
    ]
    found += [
        Cell(f"effects that add up, {variables} variables, {rows:,} rows", partial(_added_up, variables, rows), 0.4)
        for variables, rows in ((6, 500), (6, 2000), (10, 2000))
    ]
    return [*found, Cell("effects that add up, 6 variables, 1,000 rows, 100 patients", _cohort, 0.2)]


def _kept(here: int, elsewhere: int, generator: np.random.Generator) -> Counted:
    """Z shifts X in both states of W, by so much where W is 0; four more variables hang on these and on each other."""
    network = _moderated(here / 100, elsewhere / 100, generator)
    data = network.sample(3000, generator)
    population = InstanceSpecific().learn_population(data)
    told = 0
    patients = np.flatnonzero(data.column("X01") == 0)[:PATIENTS]
    for row in patients.tolist():
        result = InstanceSpecific().run(data, row, population=population)
        told += any(link.told for link in result.links if {result.name(x) for x in _ends(link)} == {"X02", "X03"})
    return {KEPT: (told, len(patients))}


def _ends(link: Link) -> tuple[int, int]:
    return link.source, link.child


def _added_up(variables: int, rows: int, generator: np.random.Generator) -> Counted:
    data = additive(variables, generator).sample(rows, generator)
    population = InstanceSpecific().learn_population(data)
    results = [InstanceSpecific().run(data, row, population=population) for row in range(PATIENTS)]
    return {FALSELY: (int(any(link.told for result in results for link in result.links)), 1)}


def _cohort(generator: np.random.Generator) -> Counted:
    data = additive(6, generator).sample(1000, generator)
    method = InstanceSpecific(seed=int(generator.integers(1 << 30)))
    population = method.learn_population(data)
    cohort = method.run_cohort(data, range(100), population=population)
    told = cohort.with_chance(method.without_context(data, population)).headline()
    return {NO_EXCESS: (int(told.startswith("No more patients")), 1)}


def additive(variables: int, generator: np.random.Generator) -> Network:
    """A network of two-valued variables in which parents' effects add up on the log odds.

    Parameters
    ----------
    variables : how many, with up to three parents each
    """
    parents = tuple(
        tuple(sorted(generator.choice(i, min(i, int(generator.integers(0, 4))), replace=False).tolist())) if i else ()
        for i in range(variables)
    )
    tables = []
    for family in parents:
        grid = (
            np.array(np.unravel_index(np.arange(2 ** len(family)), (2,) * len(family))) if family else np.zeros((0, 1))
        )
        logit = generator.normal(0, 0.5) + generator.normal(0, 1.2, len(family)) @ (grid - 0.5)
        yes = 1 / (1 + np.exp(-np.atleast_1d(logit)))
        tables.append(np.column_stack([1 - yes, yes]))
    return _named(parents, np.full(variables, 2), tuple(tables))


def _moderated(here: float, elsewhere: float, generator: np.random.Generator) -> Network:
    """W, Z and X first, about equally frequent, then an additive network that hangs on them."""
    parents: list[tuple[int, ...]] = [(), (), (0, 1)]
    middle = generator.uniform(0.45, 0.55, 2)
    yes = np.array([middle[w] + (z - 0.5) * (here if w == 0 else elsewhere) for w in (0, 1) for z in (0, 1)])
    margins = generator.uniform(0.4, 0.6, 2)
    tables = [*(np.array([[1 - p, p]]) for p in margins), np.column_stack([1 - yes, yes])]
    for child in range(3, 7):
        own = int(generator.integers(0, child))
        p = generator.uniform(0.2, 0.8, 2)
        parents.append((own,))
        tables.append(np.column_stack([1 - p, p]))
    return _named(tuple(parents), np.full(7, 2), tuple(tables))


def _table(contexts: bool, generator: np.random.Generator) -> Counted:
    """One table: its links, intervals and verdicts, and what ten patients are told."""
    seed, number = int(generator.integers(1 << 31)), 2 * int(generator.integers(1 << 20)) + int(not contexts)
    said, links = verdicts(1, seed, first=number), reliability(1, seed, first=number)
    found = {TRUE.format(low, high): (0, 0) for low, high in pairwise(BINS)}
    if len(links):
        for low, high, many, _, share in bins(links).itertuples(index=False):
            found[TRUE.format(low, high)] = (round(many * share) if many else 0, int(many))
    if len(said):
        no_longer = said["word"] == LinkWord.NO_LONGER
        found[WRONGLY] = (int(said.loc[no_longer, "wrong"].sum()), int(no_longer.sum()))
        found[COVERED] = (int(said["covered"].sum()), len(said))
    if not contexts:
        told = told_without_context(1, seed, first=number)
        found[TOLD] = (int(told["told"].sum()), len(told))
    return found


SIZES = (200, 500, 1000, 3000)
VARIABLES, LINKS = 10, 14
PATIENTS = 10


@dataclass(frozen=True, eq=False)
class Drawn:
    """A network whose truth is known, rows of it, and patients who are none of the rows."""

    number: int
    kind: str
    network: Network
    data: Dataset
    patients: np.ndarray


def drawn(number: int, seed: int, sizes: tuple[int, ...] = SIZES, *, contexts: bool | None = None) -> Drawn:
    """Table `number` of a seed.

    Parameters
    ----------
    number, seed : which one
    sizes : numbers of rows, taken in turn
    contexts : whether some parents stop mattering in some contexts; None for every other table

    Returns
    -------
    `Drawn`
    """
    generator = np.random.default_rng([seed, number])
    with_contexts = number % 2 == 0 if contexts is None else contexts
    rows = sizes[number // 2 % len(sizes)]
    network = _with_contexts(generator) if with_contexts else _without(generator)
    data = network.sample(rows, generator)
    return Drawn(
        number, "contexts" if with_contexts else "none", network, data, network.sample_codes(PATIENTS, generator).T
    )


def _with_contexts(generator: np.random.Generator) -> Network:
    made = random_context_network(VARIABLES, LINKS, generator)
    return _named(made.parents, made.arities, made.tables)


def _without(generator: np.random.Generator) -> Network:
    """Tables of plain random rows, drawn towards one row by a random part, so that there are weak links too."""
    parents = random_dag(VARIABLES, LINKS, generator)
    arities = random_arities(VARIABLES, (2, 3), generator)
    tables = []
    for child, family in enumerate(parents):
        configurations = int(np.prod([arities[x] for x in family], dtype=np.int64))
        part = generator.uniform(0.2, 1.0)
        own = random_rows(configurations, int(arities[child]), generator)
        tables.append(part * own + (1 - part) * random_rows(1, int(arities[child]), generator))
    return _named(parents, arities, tuple(tables))


def _named(parents: Parents, arities: np.ndarray, tables: tuple[np.ndarray, ...]) -> Network:
    levels = tuple(tuple(str(code) for code in range(int(many))) for many in arities)
    return Network(tuple(f"X{i:02d}" for i in range(1, len(parents) + 1)), levels, parents, tables)


def reliability(
    tables: int, seed: int = 0, *, first: int = 0, runs: int = 50, jobs: int = 1, progress: Progress = silent
) -> pd.DataFrame:
    """Whether the population's links are true as often as their probabilities say.

    Parameters
    ----------
    tables, seed, first : how many, of which seed, from which number on
    runs : tables drawn again from each
    jobs : processes

    Returns
    -------
    pandas.DataFrame, a row a link of a population network: table, kind, rows, source, target, share (of the tables
    drawn again), probability, true
    """

    def one(case: Drawn) -> Iterator[dict[str, Any]]:
        method = InstanceSpecific()
        population = method.learn_population(case.data)
        support = method.link_support(case.data, runs=runs, jobs=jobs)
        true = {frozenset((x, child)) for child, family in enumerate(case.network.parents) for x in family}
        place = case.network.names.index
        for child, family in enumerate(population.parents):
            for x in family:
                ends = population.names[x], population.names[child]
                yield {
                    "source": ends[0],
                    "target": ends[1],
                    "share": support.share(*ends),
                    "probability": support.probability(*ends),
                    "true": frozenset(map(place, ends)) in true,
                }

    return _each(one, tables, seed, first, progress)


def bins(rows: pd.DataFrame, column: str = "probability") -> pd.DataFrame:
    """What `reliability` found, by bins of the probability.

    Parameters
    ----------
    rows : as `reliability` gives them
    column : "probability" or "share"

    Returns
    -------
    pandas.DataFrame: from, to, links, said (mean), true (share)
    """
    import pandas as pd

    found = []
    for low, high in pairwise(BINS):
        inside = rows[(rows[column] >= low) & ((rows[column] < high) | (high == 1.0))]
        found.append((low, high, len(inside), inside[column].mean(), inside["true"].mean()))
    return pd.DataFrame(found, columns=["from", "to", "links", "said", "true"])


def verdicts(tables: int, seed: int = 0, *, first: int = 0, progress: Progress = silent) -> pd.DataFrame:
    """What is said of every link that is asked about, beside the truth: coverage of the interval, and wrong verdicts.

    Parameters
    ----------
    tables, seed, first : how many, of which seed, from which number on

    Returns
    -------
    pandas.DataFrame, a row a link and kind of patient: table, kind, rows, source, target, status, word, like, effect,
    low, high, truth (the largest shift among all patients like this one), covered, wrong ("no longer matters" where the
    truth passes the margin)
    """

    def one(case: Drawn) -> Iterator[dict[str, Any]]:
        method = InstanceSpecific()
        population = method.learn_population(case.data)
        seen: set[tuple[Any, ...]] = set()
        for patient in _patients(case):
            result = method.run(case.data, patient, population=population)
            for link in result.links:
                own = result.context_of(link)
                key = (link.source, link.child, tuple(sorted(own.items())))
                if not link.asked or key in seen:
                    continue
                seen.add(key)
                truth = _true_shift(case.network, result, link, own)
                yield {
                    "source": result.name(link.source),
                    "target": result.name(link.child),
                    "status": link.status,
                    "word": link.word,
                    "like": link.rows,
                    "effect": link.here.effect,
                    "low": link.here.low,
                    "high": link.here.high,
                    "truth": truth,
                    "covered": link.here.low - 1e-12 <= truth <= link.here.high + 1e-12,
                    "wrong": link.word == LinkWord.NO_LONGER and truth > method.margin,
                }

    return _each(one, tables, seed, first, progress)


def told_without_context(tables: int, seed: int = 0, *, first: int = 0, progress: Progress = silent) -> pd.DataFrame:
    """How many patients are told that a link is another for them, in tables of networks without any context.

    Parameters
    ----------
    tables, seed, first : how many, of which seed, from which number on

    Returns
    -------
    pandas.DataFrame, a row a patient: table, kind, rows, patient, dropped (whether the patient's network lacks a link,
    which is what was told formerly), told (whether any verdict says that a link is another for this patient)
    """

    def one(case: Drawn) -> Iterator[dict[str, Any]]:
        method = InstanceSpecific()
        population = method.learn_population(case.data)
        for number, patient in enumerate(_patients(case)):
            links = method.run(case.data, patient, population=population).links
            yield {
                "patient": number,
                "dropped": any(link.status == "dropped" for link in links),
                "told": any(link.told for link in links),
            }

    return _each(one, tables, seed, first, progress, contexts=False)


def _each(
    one: Callable[[Drawn], Iterator[dict[str, Any]]],
    tables: int,
    seed: int,
    first: int,
    progress: Progress,
    contexts: bool | None = None,
) -> pd.DataFrame:
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for done, number in enumerate(range(first, first + tables)):
        progress(done / tables, f"table {done + 1} of {tables}")
        case = drawn(number, seed, contexts=contexts)
        about = {"table": number, "kind": case.kind, "rows": case.data.n_rows}
        rows += [{**about, **said} for said in one(case)]
    progress(1.0, "done")
    return pd.DataFrame(rows)


def _patients(case: Drawn) -> list[dict[str, str]]:
    levels = case.network.levels
    return [
        {name: levels[x][code] for x, (name, code) in enumerate(zip(case.network.names, codes, strict=True))}
        for codes in case.patients.tolist()
    ]


def _true_shift(network: Network, result: InstanceSpecificResult, link: Link, context: dict[str, str]) -> float:
    """The largest shift between levels of the source that some row like the patient has, by the network itself."""
    source, child = result.name(link.source), result.name(link.child)
    there = [level for level, rows in zip(result.levels[source], link.counts.sum(axis=1), strict=False) if rows]
    shares = np.array([network.query(child, {**context, source: level}) for level in there])
    return float(np.max(shares.max(axis=0) - shares.min(axis=0))) if len(shares) > 1 else 0.0
