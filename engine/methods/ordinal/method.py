"""The method: `engine.Ordinal`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from engine import execution
from engine.counting.design_effect import design_effect_of
from engine.data.dataset import Dataset
from engine.data.item_scales import scales_by_prefix
from engine.errors import DataError, SettingsError, check_choice, check_number
from engine.execution import Progress, part, silent
from engine.graphs.pdag import Pdag
from engine.lazy import pd
from engine.methods.cost import Cost, Size
from engine.methods.method import Method
from engine.methods.ordinal.answers import (
    check_kinds,
    leaving_out,
    number_values,
    read,
    unordered_variables,
    with_order,
)
from engine.methods.ordinal.case_dropping import RUNS, CaseDropping, drop_cases
from engine.methods.ordinal.held_out_loss import compared, path
from engine.methods.ordinal.inclusion import PRIORS, Inclusion, Prior, estimate_inclusion
from engine.methods.ordinal.learn import analyse, class_of
from engine.methods.ordinal.partial_network import (
    DRAWS,
    FEWEST_DRAWS,
    MOST_ITEMS,
    PartialNetwork,
    estimate_partial_network,
    groups_in_hand,
    why_no_lines,
)
from engine.methods.ordinal.recurrence import HALVES, EdgeStrength, HalfSamples, Recurrence, SeedStability, origin_of
from engine.methods.ordinal.result import SLUG, OrdinalResult
from engine.methods.ordinal.settings import BY_TEST, LATENT, OrdinalSettings
from engine.methods.ordinal.structural_em import LEAST_DRAWS, run_seconds
from engine.methods.storing import storable
from engine.resampling import bootstrap, check_runs, half


def _sorted(data: Dataset) -> tuple[Dataset, float]:
    """The table with its variables by name and its rows by their answers, so that no order matters; and its effect."""
    ordered = data.select(sorted(data.names))
    keys = [*number_values(ordered).values(), *ordered.codes[::-1]]
    return ordered.rows(np.lexsort(keys)), design_effect_of(ordered)


def _learn_resampled(
    method: OrdinalSettings,
    data: Dataset,
    effect: float,
    names: tuple[str, ...],
    draw: Callable[[int, np.random.Generator, np.ndarray | None], np.ndarray],
    seed: np.random.SeedSequence,
) -> Pdag:
    """The network of some rows of a table, its rounds begun once; of whole subjects where rows belong together."""
    rows = draw(data.n_rows, np.random.default_rng(seed), data.clusters)
    return class_of(method, data.rows(rows).select(names), silent, effect, starts=1)


Kind = TypeVar("Kind", bound=Recurrence)


def _joined(first: Kind, second: Kind) -> Kind:
    """The runs of both; of two sets the number of different networks is not known, and its least is told."""
    return replace(
        first,
        runs=first.runs + second.runs,
        links=first.links + second.links,
        directed=first.directed + second.directed,
        classes=max(first.classes, second.classes),
    )


PENALTIES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0)
_OF_INFLUENCES = 16.0  # bytes of a pair and row, of two matrices of half the pairs
_BYTES = {True: 600.0, False: 2000.0}  # of a pair, by tests and otherwise: matrices and what a walk remembers


@storable
@dataclass(frozen=True)
class Ordinal(OrdinalSettings, Method):
    """Networks of ordered ratings, from ordinal data (Luo, Moffa & Kuipers 2021), and their rivals.

    Every answer is taken for a hidden normal value that was cut into levels, and the hidden values form a network.
    Structural EM draws them, searches, fits, and draws again (OSEM). A number is its own hidden value, by its normal
    scores; rivals read its levels.

    Parameters
    ----------
    approach : "osem" (the paper's); of the levels themselves: "bge" and "bic" (as numbers, by a score), "bde" (as
        names, by a score), "gpc" (as numbers), "opc" (ordered) and "npc" (as names), the last three by PC; "npc_pcalg"
        is "npc" with the test of R's pcalg, which takes tables with few rows for independent; also by PC "rpc" (rank
        correlations), "cpc" (correlations of a Gaussian copula) and "mmpc" (ordinal regressions)
    penalty : of "osem" and "bic", multiplier of the BIC's penalty (lambda), from 0 up
    alpha : of the PC approaches, significance, between 0 and 1
    ess : of "bde", equivalent sample size (chi), above 0
    am : of "bge", weight of the prior, above 0
    prior_mean : of "bge", "rows" (the mean of the rows, as bnlearn) or "zero" (as BiDAG, which the paper used)
    search : "order_mcmc" (the paper's), "exact" (up to 20 variables), "ges", "hill_climbing", or a search as a value
    mode : of "osem": "relaxed" (steps further, keeps the best round) or "published" (as the authors' program)
    draws : of "osem", hidden values drawn for every row and round, from 1 up
    missing : "refuse"; "latent": a missing answer's hidden value may lie anywhere, for arrows and lines (full
        information, missing at random); "pairwise": lines use each pair's own answers (missing completely at random).
        The table must have its gaps as levels of their own (`missing="level"` of a recipe)
    bootstrap : how often the rows are drawn again, to see how sure every link is
    margin : a partial correlation that would matter, above 0 and below 1
    knowledge : what is known of the arcs, an `engine.Knowledge`
    seed : of draws, searches and rows drawn again

    Raises
    ------
    SettingsError : a setting has a value that it cannot have

    Examples
    --------
    >>> result = engine.Ordinal(draws=50).run(sample_data.dataset("symptoms"))
    >>> result.graph.number_of_nodes(), result.correlation.shape
    (12, (12, 12))
    """

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "Ordinal networks"
    question: ClassVar[str] = "How are ordered ratings linked?"
    paper: ClassVar[str] = "Luo, Moffa & Kuipers 2021"

    @classmethod
    def unfit(cls, data: Dataset) -> str:
        """Why this method has nothing to say of a table.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where it has
        """
        if refused := cls._unfit_rows(data):
            return refused
        try:
            check_kinds(data)
        except DataError as error:
            return str(error)
        return ""

    def _for_ordered(self, data: Any, progress: Any, call: str = "run") -> tuple[Self, Dataset, Progress, str]:
        """Settings and table without the variables that have no order, and the fingerprint of the table with them."""
        whole, progress = self._asked(data, progress, call)
        check_kinds(whole)
        learner = replace(self, knowledge=self.knowledge.without(unordered_variables(whole)))
        return learner, with_order(whole), progress, whole.fingerprint

    @classmethod
    def propose(cls, data: Dataset) -> Self:
        """The settings to begin with: missing answers are left open where the table has them.

        Parameters
        ----------
        data : the table

        Returns
        -------
        the settings
        """
        gaps = any(data.missing_level(name) is not None for name in data.names)
        return cls(missing="latent") if gaps else cls()

    def cost(self, size: Size) -> Cost:
        """About what `run` takes with these settings.

        Parameters
        ----------
        size : of the table

        Returns
        -------
        seconds of one core, bytes, and what makes it less
        """
        task = run_seconds(self, size.variables, size.rows)
        memory = _BYTES[self.approach in BY_TEST] * size.variables**2
        if size.variables <= MOST_ITEMS:
            memory += _OF_INFLUENCES * size.variables**2 * min(groups_in_hand(size.variables), size.rows)
        drawn = task - run_seconds(replace(self, draws=1), size.variables, size.rows)
        fewer = (["draws"] if drawn > task / 4 else []) + (["bootstrap samples"] if self.bootstrap else [])
        quicker = f"fewer {' or '.join(fewer)}" if fewer else ""
        return Cost(task * (1 + self.bootstrap), memory, "choose fewer variables, or another approach", quicker)

    def run(self, data: Dataset, jobs: int = 1, progress: Progress = silent) -> OrdinalResult:
        """Learn the network.

        Parameters
        ----------
        data : numbers, ordinal or two-level variables; others are left out, and the answer says which
        jobs : processes for the tables drawn again; equal bits whatever their number
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`. True logs it (`engine`)

        Returns
        -------
        `OrdinalResult`

        Raises
        ------
        DataError : fewer than two rows or variables with an order, one value only, missing answers
        SettingsError : knowledge that does not fit the variables, an exact search of more than 20

        Examples
        --------
        >>> engine.Ordinal(approach="bge").run(sample_data.dataset("symptoms")).rounds
        ()
        """
        learner, ordered, progress, origin = self._for_ordered(data, progress)
        learned = 1 / (1 + self.bootstrap)
        evidence = analyse(learner, ordered, part(progress, 0.0, learned))
        left_out = leaving_out([name for name in data.names if name not in ordered.names])
        result = OrdinalResult.from_evidence(
            replace(evidence, method=self, fingerprint=origin, warnings=(*left_out, *evidence.warnings))
        )
        if not result.undecided and not why_no_lines(read(ordered, self.missing)):
            lines = self.partial_network(data)
            if lines.correlation is not None:  # links are judged on what the lines rest on
                result = replace(result, matrices={**result.matrices, "pairs": lines.correlation})
            result = result.with_parts(lines)
        if not self.bootstrap:
            return result
        rest = part(progress, learned, 1.0)
        return result.with_parts(self.edge_strength(data, self.bootstrap, jobs=jobs, progress=rest))

    def partial_network(
        self, data: Dataset, scales: Mapping[str, str] | None = None, *, draws: int = DRAWS
    ) -> PartialNetwork:
        """Lines: partial correlations of the latent values given all others, and how central the nodes are.

        They do not hang on the approach or the search. See `result.with_parts`.

        Parameters
        ----------
        data : the rows
        scales : name -> scale, of all or some variables; from the beginnings of the names where None
        draws : of the errors, from 100 up

        Returns
        -------
        `PartialNetwork`

        Raises
        ------
        DataError : as `run`; too few rows for so many variables, or too many variables
        SettingsError : fewer than 100 draws

        Examples
        --------
        >>> lines = engine.Ordinal().partial_network(sample_data.dataset("two_questionnaires"))
        >>> sorted(set(lines.scales.values())), bool((lines.explained > 0).all())
        (['dep', 'obs'], True)
        """
        _, data, _, origin = self._for_ordered(data, silent, "partial_network")
        check_number("draws", draws, least=FEWEST_DRAWS, whole=True)
        answers = read(data, self.missing)
        if why := why_no_lines(answers):
            raise DataError(why)
        known = scales_by_prefix(data.names) if scales is None else dict(scales)
        known = {name: known[name] for name in data.names if name in known}
        known = known if len(set(known.values())) > 1 else {}
        return estimate_partial_network(answers, data.names, known, draws, self.seed, origin, self.missing)

    def case_dropping(
        self,
        data: Dataset,
        scales: Mapping[str, str] | None = None,
        runs: int = RUNS,
        *,
        progress: Progress = silent,
    ) -> CaseDropping:
        """Case-dropping stability: how well the order of the nodes survives with fewer rows (its coefficient).

        See `result.with_parts`.

        Parameters
        ----------
        data : the rows
        scales : as for `partial_network`
        runs : draws of each of ten steps, at least 1
        progress : as for `run`

        Returns
        -------
        `CaseDropping`

        Raises
        ------
        DataError, SettingsError : as `partial_network`; `runs` below 1

        Examples
        --------
        >>> dropped = engine.Ordinal().case_dropping(sample_data.dataset("symptoms"), runs=2)
        >>> dropped.correlations["strength"].shape
        (10, 2)
        """
        network = self.partial_network(data, scales)
        _, data, progress, _ = self._for_ordered(data, progress, "case_dropping")
        check_runs(runs)
        return drop_cases(read(data, self.missing), data.names, network, runs, self.seed, progress)

    def inclusion(self, data: Dataset, prior: Prior = "sparse", *, progress: Progress = silent) -> Inclusion:
        """Inclusion probability of every link, over networks drawn by order MCMC with BGe; see `result.with_parts`.

        Approximate: polychoric correlations are taken for those of as many rows of latent values as the levels are
        worth. What is known of the arcs counts.

        Parameters
        ----------
        data : the rows
        prior : "sparse" (as many arcs as variables are expected) or "dense" (every arc as likely as not)
        progress : as for `run`

        Returns
        -------
        `Inclusion`

        Raises
        ------
        DataError, SettingsError : as `run`; another prior

        Examples
        --------
        >>> found = engine.Ordinal().inclusion(sample_data.dataset("symptoms").select(["worry", "fatigue", "guilt"]))
        >>> found.frame()["line"].between(0, 1).all()
        np.True_
        """
        learner, data, progress, origin = self._for_ordered(data, progress, "inclusion")
        check_choice("prior", prior, PRIORS)
        answers = read(data, self.missing)
        constraints = learner.knowledge.constraints(answers.data.names)
        asked = prior, self.seed, origin, progress, self.missing
        return estimate_inclusion(answers, data.names, constraints, *asked)

    def edge_strength(
        self,
        data: Dataset,
        runs: int = 100,
        *,
        jobs: int = 1,
        so_far: EdgeStrength | None = None,
        progress: Progress = silent,
    ) -> EdgeStrength:
        """Share of bootstrap samples in which every link comes back; see `result.with_parts`.

        Parameters
        ----------
        data : the rows
        runs : tables drawn, at least 1
        jobs : processes to spread them over; equal bits whatever their number
        so_far : of fewer runs of the same, which is gone on with; None to begin
        progress : as for `run`

        Returns
        -------
        `EdgeStrength`

        Raises
        ------
        DataError, SettingsError : as `run`; `runs` below 1; `so_far` of something else

        Examples
        --------
        >>> method = engine.Ordinal(approach="gpc")
        >>> method.edge_strength(sample_data.dataset("symptoms"), runs=5).runs
        5
        """
        learner, ordered, progress, origin = self._for_ordered(data, progress, "edge_strength")
        read(ordered, self.missing)
        check_runs(runs)
        how: dict[str, Any] = {"jobs": jobs, "progress": progress, "words": "bootstrap samples"}
        return self._resample(EdgeStrength, learner, ordered, origin, bootstrap, runs, so_far, **how)

    def half_samples(
        self,
        data: Dataset,
        runs: int = HALVES,
        *,
        jobs: int = 1,
        so_far: HalfSamples | None = None,
        progress: Progress = silent,
    ) -> HalfSamples:
        """Share of random halves of the rows in which links and directions come back; see `result.with_parts`.

        Halves are drawn without replacement, of whole subjects where rows belong together. Each has at most 50 draws of
        latent values a row: shares then differ from those with 100 as they do between seeds (by .03 for 25 items).

        Parameters
        ----------
        data : the rows
        runs : halves drawn, at least 1
        jobs : processes to spread them over; equal bits whatever their number
        so_far : as of `edge_strength`
        progress : as for `run`

        Returns
        -------
        `HalfSamples`

        Raises
        ------
        DataError, SettingsError : as `edge_strength`; fewer than four rows or two subjects

        Examples
        --------
        >>> engine.Ordinal(approach="gpc").half_samples(sample_data.dataset("symptoms"), runs=5).runs
        5
        """
        learner, ordered, progress, origin = self._for_ordered(data, progress, "half_samples")
        read(ordered, self.missing)
        if ordered.n_rows < 4 or (ordered.clusters is not None and ordered.clusters.max() < 1):
            raise DataError("There are too few rows or subjects to take half of them.")
        check_runs(runs)
        learner = replace(learner, draws=min(self.draws, LEAST_DRAWS))
        how = {"jobs": jobs, "progress": progress, "words": "half samples"}
        return self._resample(HalfSamples, learner, ordered, origin, half, runs, so_far, **how)

    def monte_carlo(
        self, data: Dataset, seeds: int = 5, *, jobs: int = 1, progress: Progress = silent
    ) -> SeedStability:
        """Networks of the same rows under other seeds: what is left to the draws; see `result.with_parts`.

        Parameters
        ----------
        data : the rows
        seeds : how many, at least 2; the method's own is the first
        jobs : processes to spread them over; equal bits whatever their number
        progress : as for `run`

        Returns
        -------
        `SeedStability`

        Raises
        ------
        DataError, SettingsError : as `run`; `seeds` below 2

        Examples
        --------
        >>> engine.Ordinal(approach="gpc").monte_carlo(sample_data.dataset("symptoms"), seeds=2).classes
        1
        """
        learner, ordered, progress, origin = self._for_ordered(data, progress, "monte_carlo")
        read(ordered, self.missing)
        check_number("seeds", seeds, least=2, whole=True)  # one seed tells nothing of others
        others = [replace(learner, seed=self.seed + number) for number in range(seeds)]
        task = partial(class_of, data=ordered, progress=silent)
        how = {"jobs": jobs, "progress": progress, "words": "seeds"}
        return self._count(SeedStability, ordered.names, origin, task, others, **how)

    def _resample(
        self,
        kind: type[Kind],
        learner: Ordinal,
        data: Dataset,
        origin: str,
        draw: Callable[..., np.ndarray],
        runs: int,
        so_far: Kind | None,
        **how: Any,
    ) -> Kind:
        """The networks of tables drawn from this one, beside those that there are already."""
        if so_far is not None and (so_far.origin, so_far.seed) != (origin_of(self, origin), self.seed):
            raise SettingsError("so_far is of other data, settings or another seed; leave it out.")
        if so_far is not None and so_far.runs >= runs:
            return so_far
        task = partial(_learn_resampled, learner, *_sorted(data), data.names, draw)
        seeds = np.random.SeedSequence(self.seed).spawn(runs)[0 if so_far is None else so_far.runs :]
        fresh = self._count(kind, data.names, origin, task, seeds, **how)
        return fresh if so_far is None else _joined(so_far, fresh)

    def _count(
        self,
        kind: type[Kind],
        names: tuple[str, ...],
        origin: str,
        task: Callable[..., Pdag],
        each: Sequence[Any],
        **how: Any,
    ) -> Kind:
        """The networks that a task learns of each seed or method, counted."""
        graphs = execution.map(task, each, threaded=self.approach in LATENT, **how)
        return kind.of(names, graphs, self.seed, origin_of(self, origin))

    def lambda_path(
        self,
        data: Dataset,
        penalties: Sequence[float] = PENALTIES,
        *,
        repeats: int = 0,
        jobs: int = 1,
        progress: Progress = silent,
    ) -> pd.DataFrame:
        """Links and prediction along a path of penalties (of other approaches alpha, ess or am).

        Parameters
        ----------
        data : the rows
        penalties : values of the setting that decides how many links the approach finds
        repeats : splits into 80 % and 20 % for the log loss; 0 for none
        jobs : processes to spread the work over; equal bits whatever their number
        progress : as for `run`

        Returns
        -------
        pandas.DataFrame: setting (its name), penalty (its value), links, distance (structural Hamming distance of
        patterns to this method's own network), log_loss (mean nats a row held out), low, high (its difference to this
        method's own loss, 95 % interval, added to that loss)

        Raises
        ------
        DataError, SettingsError : as `run`; a value that the setting cannot have

        Examples
        --------
        >>> path = engine.Ordinal(approach="gpc").lambda_path(sample_data.dataset("symptoms"), [0.01, 0.2])
        >>> path["setting"].tolist(), bool(path["links"].is_monotonic_increasing)
        (['alpha', 'alpha'], True)
        """
        learner, data, progress, _ = self._for_ordered(data, progress, "lambda_path")
        return path(learner, data, penalties, repeats, jobs, progress)

    def log_loss(
        self,
        data: Dataset,
        against: Sequence[str | OrdinalSettings] = ("bge", "bde"),
        repeats: int = 10,
        share: float = 0.2,
        *,
        jobs: int = 1,
        progress: Progress = silent,
    ) -> pd.DataFrame:
        """Held-out log loss of this and other approaches on the same splits of the rows.

        Parameters
        ----------
        data : the rows
        against : approaches with this method's other settings, or methods
        repeats : splits, at least 1
        share : of the rows that are held out, between 0 and 1
        jobs : processes to spread the splits over; equal bits whatever their number
        progress : as for `run`

        Returns
        -------
        pandas.DataFrame, one row a method, this one first: approach, log_loss (mean nats a row held out), difference
        (to this one; above 0 is worse), low, high (its 95 % interval over splits that share rows, Nadeau & Bengio
        2003), better (splits in which this one lost less), n (rows held out a split)

        Raises
        ------
        DataError, SettingsError : as `run`; an unknown approach, no repeats, a share that is not between 0 and 1

        Examples
        --------
        >>> found = engine.Ordinal(approach="bde").log_loss(sample_data.dataset("symptoms"), ["gpc"], repeats=2)
        >>> found["approach"].tolist()
        ['bde', 'gpc']
        """
        learner, data, progress, _ = self._for_ordered(data, progress, "log_loss")
        return compared(learner, data, against, repeats, share, jobs, progress)


def cost_of_halves(method: Ordinal, size: Size, runs: int) -> Cost:
    """About what learning so many halves of the rows takes."""
    return (
        replace(method, bootstrap=0, draws=min(method.draws, LEAST_DRAWS))
        .cost(replace(size, rows=max(size.rows // 2, 1)))
        .times(runs)
    )


def learn_halves(
    method: Ordinal, data: Dataset, runs: int, so_far: HalfSamples | None, progress: Progress
) -> HalfSamples:
    """Half samples up to `runs`; how far it is counts in all `HALVES` that there will be."""
    begun = 0 if so_far is None else so_far.runs

    def share(fraction: float, _: str) -> None:
        done = begun + fraction * (runs - begun)
        progress(done / HALVES, f"half samples: {round(done)} of {HALVES}")

    return method.half_samples(data, runs, so_far=so_far, progress=share)
