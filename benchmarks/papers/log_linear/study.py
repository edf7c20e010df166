"""The experiments of Petitjean, Allison & Webb (2014), section V.A, with the paper's claims beside ours.

Random models of the paper's kinds D1, D2 and D3 (`engine.simulation.associations`); the rows of a smaller size are the
first ones of the largest. Every method selects a model of each; an edge is right where the true graph has it.

- `mml`, `mml joint` (two edges at once where no single one pays; not in the paper), `smt` (alpha 0.05), `bic`.
- `chi2` with the paper's alpha of 0.001, from exact logarithms of p.
- `chi2, 1 - P`: the same test as the authors' program computes it: p = 1 - P is exactly 0 below about 1e-16, so it
  passes every threshold, and of such edges the one with the fewest degrees of freedom comes first. For comparison with
  the printed figures only.
- `ah`, reconstructed from the paper's description, see `engine.methods.log_linear.criteria.AH`.
- `kl` with cliques of at most five variables on D3, as in the paper, and without a limit on D1 and D2.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import ClassVar

import numpy as np

from benchmarks.papers.blocks import HERE, Outcome, Running, run_blocks, table_of, total
from benchmarks.papers.log_linear import tables as told
from benchmarks.papers.log_linear.plan import METHODS, SIZES, SMALL_SETS, SMALL_SIZES, Plan
from benchmarks.papers.results import AUTHORS, LATER, PROGRAM, TARGETS
from benchmarks.papers.study import Study, printed_or_said
from engine.data.dataset import Dataset
from engine.graphs.chordal import DecomposableGraph
from engine.measures.structure import Agreement
from engine.methods.log_linear.criteria import Chi2, SearchState
from engine.methods.log_linear.method import counted
from engine.methods.log_linear.search import Search
from engine.simulation.associations import LEVELS, AssociationModel, independent, many_variables, nine_variables


@dataclass(frozen=True, eq=False)
class LogLinearStudy(Study):
    """What came out.

    Attributes
    ----------
    plan : what was asked for
    rows : one row for each data set and method: data ("D1", "D2", "D3"), levels, set, rows, method, true (edges there
        are), edges, false, missed, fdr, recall, f, seconds (CPU, counting included)
    seconds : {"models": CPU time of all of it, drawing the rows included}
    """

    slug = "log_linear"
    paper = "Petitjean, Allison & Webb 2014, Figures 3 and 4"
    title = "Associations"
    asked = "The true links are known; how many are found, how many are false, and how long does it take?"
    reading = (
        "The paper does not say how many levels its variables have. With two each ours are nearest; three, or two to "
        "four, stand beside the same printed figures. Chi-squared stands there with exact p, and with the p of the "
        "authors' program. A sentence that is read in several ways counts once. AH is a reconstruction, chosen by the "
        "shape of Figure 4, so its lines get no verdict."
    )
    unjudged = LATER
    quick: ClassVar = {"sizes": [size for size in SIZES if size <= 100_000], "sets": 1, "small_sets": 2}
    full: ClassVar = {"sets": 10}
    keys: ClassVar = ["data", "levels", "rows", "method"]
    by = "method"
    along = "rows"

    plan: Plan

    _done = staticmethod(told.done)
    heading = told.heading
    tables = told.tables
    compared = told.compared
    runs = told.runs
    verdicts = told.verdicts

    @classmethod
    def source_of(cls, what: str, band: str) -> str:
        """Data sets made the same way by two other programs; all else is the paper's, but for what was asked by us."""
        others = {"an independent implementation": PROGRAM, "the authors' program": AUTHORS, "asked for": TARGETS}
        return next((source for words, source in others.items() if f"({words}" in band), printed_or_said(band))

    @classmethod
    def run(
        cls,
        sizes: Iterable[int] = SIZES,
        levels: Iterable[str] = tuple(LEVELS),
        methods: Iterable[str] = tuple(METHODS),
        sets: int = 3,
        small_sets: int = SMALL_SETS,
        seed: int = 0,
        *,
        running: Running = HERE,
    ) -> LogLinearStudy:
        """Run the study.

        Parameters
        ----------
        sizes : rows of D3; none for D1 and D2 alone
        levels : "binary", "ternary", "mixed" (2 to 4)
        methods : keys of `METHODS`
        sets : models of D3, for each kind of levels
        small_sets : models of D1 and of D2

        Raises
        ------
        SettingsError : a name or a number that cannot be
        Cancelled : out of the progress of `running`
        """
        plan = Plan(tuple(sorted(set(sizes))), tuple(levels), tuple(methods), sets, small_sets, seed)
        blocks = [("D3", plan.sizes, kind, one) for kind in plan.levels for one in range(sets) if plan.sizes]
        for data, small in SMALL_SIZES.items():  # the longest come first, so that no worker ends with one
            blocks += [(data, small, kind, one) for kind in plan.levels for one in range(small_sets)]
        found = run_blocks(partial(_one_model, plan), blocks, plan, running, words="models")
        return cls(plan, table_of(found), total(found))


def _one_model(plan: Plan, block: tuple[str, tuple[int, ...], str, int]) -> Outcome:
    """All rows of one model, and the CPU seconds they took."""
    _load_kernels()
    start = time.process_time()
    data, sizes, levels, number = block
    key = (int(data[1:]), list(LEVELS).index(levels), number)
    for_model, for_rows = _generators(plan.seed, key)
    model = {"D1": independent, "D2": nine_variables, "D3": many_variables}[data](levels, for_model)
    codes = model.sample_codes(max(sizes), for_rows)
    rows = []
    for size in sizes:
        part = np.ascontiguousarray(codes[:, :size])
        part.flags.writeable = False
        table = Dataset.from_codes(part, [int(arity) for arity in model.arities], model.names)
        table.planes.words  # noqa: B018  # packed before the clock runs, for all methods alike
        for name in plan.methods:
            key_of_row = {"data": data, "levels": levels, "set": number, "rows": size, "method": name}
            rows.append({**key_of_row, **_measures(model, table, name)})
    return rows, {"models": time.process_time() - start}


@cache
def _load_kernels() -> None:
    """Select once from next to nothing, so that no method's seconds hold the loading of compiled code."""
    codes = np.random.default_rng(0).integers(0, 2, (3, 60))
    for name in METHODS:
        _edges(name, Dataset.from_codes(codes, [2, 2, 2], ["a", "b", "c"]))


def _generators(seed: int, key: tuple[int, ...]) -> tuple[np.random.Generator, np.random.Generator]:
    """Generators of a model and of its rows, of their own for every model."""
    one, two = np.random.SeedSequence(seed, spawn_key=key).spawn(2)
    return np.random.default_rng(one), np.random.default_rng(two)


def _measures(model: AssociationModel, data: Dataset, method: str) -> dict[str, float]:
    start = time.process_time()
    found = _edges(method, data)
    seconds = time.process_time() - start
    truth = model.edges
    right = len(found & truth)
    agreement = Agreement(right, len(found) - right, len(truth) - right)
    return {
        "true": len(truth),
        "edges": len(found),
        "false": agreement.wrong,
        "missed": agreement.missed,
        "fdr": agreement.wrong / len(found) if found else 0.0,
        "recall": agreement.recall,
        "f": agreement.f if truth else float(not found),
        "seconds": seconds,
    }


def _edges(name: str, data: Dataset) -> set[tuple[str, str]]:
    """The edges a method selects, pairs of names in alphabetical order."""
    method = METHODS[name]
    if method is not None:
        if method.max_clique is not None and data.n_variables < 10:
            method = replace(method, max_clique=data.n_variables)
        return {(min(pair), max(pair)) for pair in method.run(data).graph.edges}
    counts = counted(data)
    search = Search(counts, UnderflowingChi2(counts, 0.001), DecomposableGraph(data.n_variables))
    search.run()
    return {(counts.names[a], counts.names[b]) for a, b in search.graph.edges()}


class UnderflowingChi2(Chi2):
    """The test as the authors' program computes it: p = 1 - P, which is exactly 0 for a strong edge.

    Such an edge is always taken; of several the one with the fewest degrees of freedom, then with the largest G.
    """

    _ALWAYS = 1e6

    def rank(self, information: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        """-ln p, or near `_ALWAYS` where p is 0."""
        from scipy.special import gammainc

        half_g = np.maximum(np.asarray(information, dtype=float), 0.0)
        df = np.broadcast_to(np.asarray(degrees, dtype=float), half_g.shape)
        p = 1.0 - gammainc(np.maximum(df, 1.0) / 2, half_g)
        with np.errstate(divide="ignore"):
            return np.asarray(np.where(p > 0, -np.log(p), self._ALWAYS - df + 1e-9 * half_g))

    def margin(self, rank: float, state: SearchState) -> float:
        """As the layered test, but p = 0 passes any threshold."""
        return 1.0 if rank > self._ALWAYS / 2 else super().margin(rank, state)


STUDY = LogLinearStudy
