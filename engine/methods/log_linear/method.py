"""The method: `engine.LogLinear`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from engine.execution import Progress, silent
from engine.methods.log_linear.learn import analyse, stability
from engine.methods.log_linear.power import refusal
from engine.methods.log_linear.result import SLUG, LogLinearResult
from engine.methods.log_linear.settings import LogLinearSettings
from engine.methods.method import Cost, Method, Size
from engine.methods.storing import storable

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset


_PAIR, _CELL = 6e-8, 1e-12  # seconds of a pair of variables, and of one row and cell of its table
_TRIPLE = 2e-9  # of a row and cell of a table of three variables, for each variable and link, with two links at once
_BYTES, _BYTES_A_PAIR = 4e7, 14.0  # of what is worked on at a time, whatever the table, and of the ranks of pairs


@storable
@dataclass(frozen=True)
class LogLinear(LogLinearSettings, Method):
    """Which variables hang together, directly and not only by way of others (Petitjean, Allison & Webb 2014).

    Forward selection over decomposable log-linear models: starting from independence, the edge that pays most is added
    as long as one pays, and every graph on the way is chordal, so its estimates have a closed form.

    Parameters
    ----------
    criterion : when an edge pays: "mml" (it shortens the message, the paper's), "smt" or "chi2" (a test), "bic", and
        for comparison "ah" and "kl"
    joint : whether two edges are tried together where no single one pays; for "mml" and "bic"
    max_clique : most variables that may hang together whole, at least 2; None for no limit ("kl" then uses 5)
    alpha : chance of any false edge that "smt" and "chi2" accept, above 0 and below 1
    thin_tables : of "smt" and "chi2", p where cells are few: "drawn" from tables with the same margins, or "published"
    forced, forbidden : pairs of variables with an edge that must, or must not, be there
    start : pairs of variables with an edge to begin with, instead of none
    knowledge : an `engine.Knowledge`: required arcs are forced edges, arcs forbidden both ways forbidden ones
    seed : of the bootstrap (`stability`) and of the tables drawn

    Raises
    ------
    SettingsError : a setting has a value that it cannot have, or two contradict each other

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
    counts_only: ClassVar[tuple[str, ...]] = ("run",)

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
        return refusal(data)

    def cost(self, size: Size) -> Cost:
        """About what `run` takes with these settings.

        Parameters
        ----------
        size : of the table

        Returns
        -------
        seconds of one core, bytes, and what makes it less
        """
        pairs = size.variables**2
        seconds = pairs * (_PAIR + _CELL * size.rows * size.levels**2)
        if self.joint:
            seconds += _TRIPLE * pairs * size.levels**3
        matrices = 3 if self.joint or self.criterion == "ah" else 1
        return Cost(
            seconds, _BYTES + matrices * _BYTES_A_PAIR * pairs, quicker="not two links at once" if self.joint else ""
        )

    def run(self, data: Dataset, progress: Progress = silent) -> LogLinearResult:
        """Select the model.

        Parameters
        ----------
        data : the rows
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

        Returns
        -------
        `LogLinearResult`

        Raises
        ------
        DataError : no rows or no variables
        SettingsError : edges between variables that do not exist, or forced edges that need a forbidden one

        Examples
        --------
        >>> result = engine.LogLinear(criterion="bic").run(sample_data.dataset("two_hospitals"))
        >>> result.cliques[0]
        ('severity', 'admission', 'early_antibiotics')
        """
        return analyse(self, *self._asked(data, progress))

    def stability(self, data: Dataset, runs: int = 100, jobs: int = 1, progress: Progress = silent) -> pd.DataFrame:
        """How often every edge comes back when the rows are drawn again.

        Samples are searched from no edge, not from `start`, whose edges would come back every time; forced ones do.

        Parameters
        ----------
        data : the rows
        runs : bootstrap samples, at least 1
        jobs : processes to spread them over (equal bits whatever their number)
        progress : as for `run`

        Returns
        -------
        pandas.DataFrame, one row an edge: a, b, share, low and high (its central 95 % interval), in_model

        Raises
        ------
        DataError, SettingsError : as `run`; `runs` below 1
        """
        return stability(self, *self._asked(data, progress, "stability"), runs, jobs)
