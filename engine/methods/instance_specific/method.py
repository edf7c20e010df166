"""The method: `engine.InstanceSpecific`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from engine.execution import Progress, silent
from engine.methods.instance_specific.cohort import run_cohort
from engine.methods.instance_specific.cohort_result import CohortResult
from engine.methods.instance_specific.learn import Patient, run_one
from engine.methods.instance_specific.population import Population, learn_population
from engine.methods.instance_specific.result import SLUG, InstanceSpecificResult
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.method import Method
from engine.methods.storing import storable

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


@storable
@dataclass(frozen=True)
class InstanceSpecific(InstanceSpecificSettings, Method):
    """One patient's network beside the population's (IGES; Jabbari, Visweswaran & Cooper 2018).

    The population network is learned with GES and BDeu. For one patient every variable then chooses the parents that
    matter for the patient: the rows that agree on them share one distribution, all others keep the population's.

    Examples
    --------
    >>> data = sample_data.dataset("cough_and_smoke")
    >>> result = engine.InstanceSpecific().run(data, {"smoking": "no", "age": "70 and over"}, target="cough")
    >>> result.prediction.idxmax().tolist()
    ['no', 'no']
    """

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "One patient"
    question: ClassVar[str] = "Which links hold for this one patient?"
    paper: ClassVar[str] = "Jabbari, Visweswaran & Cooper 2018"

    @classmethod
    def first_asked(cls, data: Dataset) -> tuple[Any, ...]:
        """The first row is the first patient."""
        return (0,)

    def learn_population(self, data: Dataset, leave_out: int | None = None, progress: Progress = silent) -> Population:
        """The population network, to be handed to `run` for many patients. `leave_out`: a row to learn it without.

        Raises
        ------
        DataError : fewer than two variables, no rows, or no such row
        """
        data, progress = self._asked(data, progress, "learn_population")
        return learn_population(self, data, leave_out, progress)

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
        instance : row number; or the known values, as a dictionary by name, a row of a pandas table or a table with
            one row: levels, or values as they stand in a file, which are coded as the table was; what has no level
            counts as not known, and the notes say so
        target : a variable to predict: its value is blanked, and a patient who is a row is left out of all rows
            that learn or score anything
        population : from `learn_population`, where it fits; else it is learned

        Raises
        ------
        DataError : a row, variable or level that does not exist, a target with one value
        SettingsError : a population network of other data or settings
        """
        data, progress = self._asked(data, progress)
        return run_one(self, data, instance, target, population, progress)

    def run_cohort(
        self,
        data: Dataset,
        instances: Iterable[Patient] | None = None,
        *,
        population: Population | None = None,
        jobs: int = 1,
        progress: Progress = silent,
    ) -> CohortResult:
        """The networks of many patients (all rows where None), equal to `run` of each, `jobs` processes at once.

        Parameters
        ----------
        instances : patients as `run` takes them, or a pandas table with a patient a row
        population : from `learn_population`, where it fits; else it is learned
        jobs : processes to spread the patients over; equal bits whatever their number

        Raises
        ------
        DataError, SettingsError : as `run`, or no patients
        """
        data, progress = self._asked(data, progress, "run_cohort")
        return run_cohort(self, data, instances, population, jobs, progress)
