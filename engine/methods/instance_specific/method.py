"""The method: `engine.InstanceSpecific`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from engine import words
from engine.data.dataset import Dataset
from engine.execution import Progress, part, silent
from engine.lazy import pd
from engine.methods.cost import Cost, Size
from engine.methods.instance_specific.cohort_result import CohortResult
from engine.methods.instance_specific.contrasts import LEAST_ROWS
from engine.methods.instance_specific.learn import Patient, predict_patients, run_cohort, run_patient
from engine.methods.instance_specific.null import RUNS as TABLES
from engine.methods.instance_specific.null import WithoutContext, without_context
from engine.methods.instance_specific.population import (
    RUNS,
    LinkSupport,
    Population,
    learn_population,
    link_support,
    matching,
    population_seconds,
)
from engine.methods.instance_specific.result import SLUG, InstanceSpecificResult
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.solver import solver_of
from engine.methods.method import Method
from engine.methods.storing import storable
from engine.resampling import check_runs

FEWEST_VARIABLES = 3
"""A link needs a second parent beside it to be compared."""
_BYTES = {"ges": 8.0, "best": 60.0}  # of a pair


@storable
@dataclass(frozen=True)
class InstanceSpecific(InstanceSpecificSettings, Method):
    """One patient's network beside the population's (IGES; Jabbari, Visweswaran & Cooper 2018).

    The population network is learned with BDeu by the best of several searches. For one patient every variable then
    chooses the parents that matter for the patient: the rows that agree on them share one distribution, all others keep
    the population's.

    Parameters
    ----------
    mode : "order_kept" (every variable chooses among the population's parents, arcs keep their direction) or
        "published" (the paper's own search, which may turn arcs)
    search : of the population's network, "best" (of several, see `engine.Best`) or "ges" (the paper's)
    kappa : prior odds that one arc of the patient differs from the population's, above 0, at most 1 (equation 12)
    ess : equivalent sample size (PESS), above 0
    structure_prior : how many parents a variable is expected to have in the population, above 0 (equation 11)
    prior : of the patient's parameters, "union" or "paper" (equation 8)
    empty : what no parent left means, "population" (its distribution stays) or "all_rows" (one distribution for all)
    additions : whether a variable may gain parents that it does not have in the population
    max_parents : most parents of a variable, None for no limit
    margin : the shift of a share, in probability, below which a link no longer matters; between 0 and 1
    knowledge : what is known of the arcs, an `engine.Knowledge`, for the population and every patient
    seed : nothing here is random; every method takes one

    Raises
    ------
    SettingsError : a setting has a value that it cannot have

    Examples
    --------
    >>> data = sample_data.dataset("cough_and_smoke")
    >>> result = engine.InstanceSpecific().run(data, {"smoking": "no", "age": "70 and over"}, target="cough")
    >>> result.prediction.idxmax().tolist()
    ['no', 'no']
    """

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "One patient"
    question: ClassVar[str] = "What is unusual about one patient?"
    paper: ClassVar[str] = "Jabbari, Visweswaran & Cooper 2018"
    counts_only: ClassVar[tuple[str, ...]] = ("learn_population", "run", "run_cohort")

    @classmethod
    def first_asked(cls, data: Dataset) -> tuple[Any, ...]:
        """The first row is the first patient.

        Parameters
        ----------
        data : the table

        Returns
        -------
        what `run` is handed beside the data
        """
        return (0,)

    def learn_population(self, data: Dataset, leave_out: int | None = None, progress: Progress = silent) -> Population:
        """The population network, to be handed to `run` for many patients.

        Parameters
        ----------
        data : the rows of the population
        leave_out : a row to learn it without, None for none
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `Population`

        Raises
        ------
        DataError : fewer than two variables, no rows, or no such row
        """
        data, progress = self._asked(data, progress, "learn_population")
        result = learn_population(self, data, leave_out, progress)
        if self.mode == "order_kept":
            _ = solver_of(self, result, data).questions  # asked now, so that the first patient need not wait
        return result

    def compares_nothing(self, data: Dataset, population: Population | None = None) -> str:
        """Why a run would compare no link between patients, as far as that is known before it.

        Parameters
        ----------
        data : the rows of the population
        population : from `learn_population`, where it is there already

        Returns
        -------
        a sentence; empty where links may be compared

        Examples
        --------
        >>> engine.InstanceSpecific().compares_nothing(sample_data.dataset("cough_and_smoke").select(["age", "cough"]))
        'Links are not compared between patients: that takes three variables, and there are 2.'
        """
        counted, why = data.subject_count, ""
        if self.mode == "published":
            return ""
        if counted is not None and counted.too_few:
            why = f"rows belong to {words.count(counted.subjects, 'subject')} only"
        elif data.n_variables < FEWEST_VARIABLES:
            why = f"that takes three variables, and there are {data.n_variables}"
        elif data.n_rows < 4 * LEAST_ROWS:  # ten on either side, of either value
            why = f"that takes {4 * LEAST_ROWS} rows, and there are {data.n_rows}"
        elif population is not None and math.isnan(solver_of(self, population, data).questions.least):
            why = "no variable has two links into it and rows enough: more rows or fewer levels (Data) may help"
        return f"Links are not compared between patients: {why}." if why else ""

    def link_support(
        self, data: Dataset, runs: int = RUNS, *, jobs: int = 1, progress: Progress = silent
    ) -> LinkSupport:
        """Bootstrap the population's links, from tables whose rows are drawn again; see `result.with_support`.

        Parameters
        ----------
        data : the rows of the population
        runs : how many tables are drawn
        jobs : processes to spread them over; equal bits whatever their number
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `LinkSupport`

        Raises
        ------
        DataError : fewer than two variables, or no rows
        SettingsError : runs is not a whole number from 1 up

        Examples
        --------
        >>> support = engine.InstanceSpecific().link_support(sample_data.dataset("cough_and_smoke"), runs=5)
        >>> support.share("smoking", "cough")
        1.0
        """
        data, progress = self._asked(data, progress, "link_support")
        return link_support(self, data, runs, jobs, progress)

    def cost(self, size: Size) -> Cost:
        """About what `run` takes for the first patient, who waits for the population's network.

        Parameters
        ----------
        size : of the table

        Returns
        -------
        seconds of one core, bytes, and what makes it less
        """
        less = "choose fewer variables"
        if self.search == "best":
            less = "choose fewer variables, or for the population the paper's search alone (GES)"
        return Cost(population_seconds(self, size), _BYTES[self.search] * size.variables**2, less)

    def run(
        self,
        data: Dataset,
        instance: Patient,
        *,
        target: str | None = None,
        population: Population | None = None,
        progress: Progress = silent,
    ) -> InstanceSpecificResult:
        """One patient's network.

        Parameters
        ----------
        data : the rows of the population
        instance : row number; or the known values, as a dictionary by name, a row of a pandas table or a table with
            one row: levels, or values as they stand in a file, which are coded as the table was; what has no level
            counts as not known, and the notes say so
        target : a variable to predict: its value is blanked, and a patient who is a row is left out of all rows
            that learn or score anything
        population : from `learn_population`, where it fits; else it is learned
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`. True logs it (`engine`)

        Returns
        -------
        `InstanceSpecificResult`

        Raises
        ------
        DataError : a row, variable or level that does not exist, a target with one value
        SettingsError : a population network of other data or settings

        Examples
        --------
        >>> result = engine.InstanceSpecific().run(sample_data.dataset("cough_and_smoke"), 0)
        >>> result.arc_changes["status"].value_counts().to_dict()
        {'kept': 10, 'dropped': 1}
        """
        data, progress = self._asked(data, progress)
        return InstanceSpecificResult.from_evidence(run_patient(self, data, instance, target, population, progress))

    def without_context(
        self,
        data: Dataset,
        population: Population | None = None,
        runs: int = TABLES,
        *,
        jobs: int = 1,
        progress: Progress = silent,
    ) -> WithoutContext:
        """The share of patients told something in tables without interaction; see `cohort.with_chance`.

        Parameters
        ----------
        data : the rows of the population
        population : from `learn_population`, where it fits; else it is learned
        runs : how many tables are drawn
        jobs : processes to spread them over; equal bits whatever their number
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `WithoutContext`

        Raises
        ------
        DataError : fewer than two variables, or no rows
        SettingsError : a population network of other data or settings, or runs is not a whole number from 1 up

        Examples
        --------
        >>> data = sample_data.dataset("cough_and_smoke")
        >>> 0 <= engine.InstanceSpecific().without_context(data, runs=1).mean <= 1
        True
        """
        data, progress = self._asked(data, progress, "without_context")
        check_runs(runs)
        learned = 0.0 if population is not None else 1 / (runs + 1)
        population = matching(self, data, None, population, part(progress, 0.0, learned))
        return without_context(self, data, population, runs, jobs, part(progress, learned, 1.0))

    def run_cohort(
        self,
        data: Dataset,
        instances: Iterable[Patient] | None = None,
        *,
        population: Population | None = None,
        jobs: int = 1,
        progress: Progress = silent,
    ) -> CohortResult:
        """The networks of many patients, equal to `run` of each.

        Parameters
        ----------
        data : the rows of the population
        instances : patients as `run` takes them, or a pandas table with a patient a row; all rows where None
        population : from `learn_population`, where it fits; else it is learned
        jobs : processes to spread the patients over; equal bits whatever their number
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `CohortResult`

        Raises
        ------
        DataError, SettingsError : as `run`, or no patients

        Examples
        --------
        >>> cohort = engine.InstanceSpecific().run_cohort(sample_data.dataset("cough_and_smoke"), range(100))
        >>> cohort.n_patterns
        4
        """
        data, progress = self._asked(data, progress, "run_cohort")
        return CohortResult.from_evidence(run_cohort(self, data, instances, population, jobs, progress))

    def predict(
        self,
        data: Dataset,
        patients: pd.DataFrame,
        target: str,
        *,
        population: Population | None = None,
        progress: Progress = silent,
    ) -> pd.DataFrame:
        """Predict the probability of every level of a variable for new patients, each by a network of its own.

        Parameters
        ----------
        data : the rows of the population
        patients : a patient a row, with levels or values as they stand in a file, as `run` takes them; what has no
            level counts as not known. The target need not be there; where it is, it is not used
        target : the variable to predict
        population : from `learn_population`, where it fits; else it is learned
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`. True logs it (`engine`)

        Returns
        -------
        pandas.DataFrame by row of `patients`: observed (missing where the target is not known), class (the most
        probable level), and for every level its probability by the patient's network, "p(level)", and by the
        population's, "population p(level)"; equal to `run(data, patient, target=target)` of each row. NaN where tables
        get too large

        Raises
        ------
        DataError : no pandas table, a variable that does not exist, a target with one value
        SettingsError : a population network of other data or settings

        Examples
        --------
        >>> table = sample_data.load("cough_and_smoke")
        >>> data = engine.Dataset.from_frame(table[20:])
        >>> engine.InstanceSpecific().predict(data, table[:20], "cough")["class"].value_counts().to_dict()
        {'no': 18, 'yes': 2}
        """
        data, progress = self._asked(data, progress, "predict")
        return predict_patients(self, data, patients, target, population, progress)
