"""The settings of instance-specific networks, `run` for one patient and `run_cohort` for many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.execution import Progress, silent
from engine.methods.setting import check_settings, setting

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.cohort import CohortResult
    from engine.methods.instance_specific.population import Population
    from engine.methods.instance_specific.result import InstanceSpecificResult

Patient = int | Mapping[str, object]
"""A row number, or a patient's known values by name; unknown ones are left out."""


@dataclass(frozen=True)
class InstanceSpecific:
    """One patient's network beside the population's (IGES; Jabbari, Visweswaran & Cooper 2018).

    The population network is learned with GES and BDeu. For one patient every variable then chooses the parents that
    matter for her: the rows that agree with her on them share one distribution, all other rows keep the population's.

    Examples
    --------
    >>> result = InstanceSpecific().run(data, {"smoking": "no", "age": "under 50"})      # doctest: +SKIP
    >>> result.arc_changes                                                               # doctest: +SKIP
    """

    mode: str = setting(
        "order_kept",
        label="Search for the patient",
        help="'order_kept' keeps the direction of the population's arcs and asks of every variable which of its "
        "parents matter for this patient: a proper probability model. 'published' is the paper's own search, which "
        "may also turn arcs; read its warning.",
        choices=("order_kept", "published"),
    )
    kappa: float = setting(
        0.1,
        label="Prior for a change (kappa)",
        help="How likely, beforehand, one arc of this patient differs from the population's, as odds against it "
        "staying. 1 means a change costs nothing; small values ask for strong evidence.",
        above=0.0,
        maximum=1.0,
    )
    ess: float = setting(
        1.0,
        label="Equivalent sample size (PESS)",
        help="How many imagined rows the uniform prior of a variable's distribution is worth.",
        above=0.0,
        maximum=1e6,
    )
    structure_prior: float = setting(
        1.0,
        label="Expected number of parents",
        help="How many parents a variable has, beforehand, in the population network (equation 11). Smaller values "
        "give fewer arcs.",
        above=0.0,
        maximum=1e6,
    )
    prior: str = setting(
        "union",
        label="Prior of the patient's parameters",
        help="'union' gives back the population's score exactly where nothing changes; 'paper' is equation 8.",
        choices=("union", "paper"),
    )
    empty: str = setting(
        "population",
        label="When no parent is left",
        help="'population': the variable keeps the population's distribution (as in the authors' program). 'all_rows': "
        "all rows share one distribution (as the paper's text says).",
        choices=("population", "all_rows"),
    )
    additions: bool = setting(
        False,
        label="Also look for extra parents",
        help="Lets a variable gain parents for this patient that it does not have in the population, in keeping with "
        "the order. Predicts a little better, claims more.",
        choices=(False, True),
    )
    max_parents: int | None = setting(None, label="Most parents of a variable", help="Empty for no limit.", minimum=0)
    seed: int = setting(0, label="Seed", help="Nothing here is random; every method takes a seed.", minimum=0)

    def __post_init__(self) -> None:
        check_settings(self)

    def learn_population(self, data: Dataset, leave_out: int | None = None, progress: Progress = silent) -> Population:
        """The population network, to be handed to `run` for many patients. `leave_out`: a row to learn it without.

        Raises
        ------
        DataError : fewer than two variables, no rows, or no such row
        """
        from engine.methods.instance_specific.population import learn_population

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
        instance : row number, or name -> level of what is known
        target : a variable to predict: her value of it is blanked, and a patient who is a row is left out of all rows
            that learn or score anything
        population : from `learn_population`, where it fits; else it is learned

        Raises
        ------
        DataError : a row, variable or level that does not exist, a target with one value
        SettingsError : a population network of other data or settings
        """
        from engine.methods.instance_specific.learn import run_one

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

        Raises
        ------
        DataError, SettingsError : as `run`, or no patients
        """
        from engine.methods.instance_specific.cohort import run_cohort

        return run_cohort(self, data, instances, population, jobs, progress)
