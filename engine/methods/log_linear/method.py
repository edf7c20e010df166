"""The method: `engine.LogLinear`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from engine.execution import Progress, silent
from engine.methods.log_linear.learn import analyse
from engine.methods.log_linear.power import refusal
from engine.methods.log_linear.result import SLUG, LogLinearResult
from engine.methods.log_linear.settings import LogLinearSettings
from engine.methods.log_linear.stability import stability
from engine.methods.method import Method
from engine.methods.storing import storable

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset


@storable
@dataclass(frozen=True)
class LogLinear(LogLinearSettings, Method):
    """Which variables hang together, directly and not only by way of others (Petitjean, Allison & Webb 2014).

    Forward selection over decomposable log-linear models: starting from independence, the edge that pays most is added
    as long as one pays, and every graph on the way is chordal, so its estimates have a closed form.

    Examples
    --------
    >>> data = sample_data.dataset("two_hospitals")
    >>> result = engine.LogLinear().run(data)
    >>> result.steps[["a", "b"]].iloc[0].tolist()
    ['age', 'severity']
    """

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "Associations"
    question: ClassVar[str] = "Which variables hang together?"
    paper: ClassVar[str] = "Petitjean, Allison & Webb 2014"

    @classmethod
    def unfit(cls, data: Dataset) -> str:
        """Why this method has nothing to say of a table, as a sentence; empty where it has."""
        return refusal(data)

    def run(self, data: Dataset, progress: Progress = silent) -> LogLinearResult:
        """Select the model.

        Raises
        ------
        DataError : no rows or no variables
        SettingsError : edges between variables that do not exist, or forced edges that need a forbidden one
        """
        return analyse(self, *self._asked(data, progress))

    def stability(self, data: Dataset, runs: int = 100, jobs: int = 1, progress: Progress = silent) -> pd.DataFrame:
        """How often every edge comes back in `runs` bootstrap samples of the rows: a, b, share, low, high, in_model.

        `low` and `high` are the central 95 % interval of the share; equal bits whatever the number of `jobs`. Samples
        are searched from no edge, not from `start`, whose edges would come back every time; forced ones do.
        """
        return stability(self, *self._asked(data, progress, "stability"), runs, jobs)
