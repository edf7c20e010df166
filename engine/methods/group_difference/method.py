"""The method: `engine.GroupDifference`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from engine.data.dataset import Dataset
from engine.data.preparing.roles import reads_as_control
from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.methods.cost import Cost, Size
from engine.methods.group_difference.arms import ArmsResult, compare_arms
from engine.methods.group_difference.average.averaging import MOST_WALKED
from engine.methods.group_difference.cost import (
    average_cost,
    chance_parents,
    describing_seconds,
    searching_seconds,
)
from engine.methods.group_difference.learn import compare_groups
from engine.methods.group_difference.resampling import Null, ScoreCheck, Stability, check_score, null, stability
from engine.methods.group_difference.result import SLUG, GroupDifferenceResult
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_pair import likely_arms, likely_group, likely_group_why, likely_pair
from engine.methods.method import Method
from engine.methods.storing import storable

_BYTES = 30.0  # of a pair


@storable
@dataclass(frozen=True)
class GroupDifference(GroupDifferenceSettings, Method):
    """Which variables differ between two groups: blocks of Sverchkov & Cooper 2015, averaged over all networks.

    P(differs) of each variable is averaged over all orders of the variables and all parent sets that they allow, exact
    to 20 variables and by order MCMC to 200 (Koivisto & Sood 2004; Friedman & Koller 2003). The paper's own numbers,
    the posterior odds of equations 9 to 11 under one order, are in the same result: three networks are learned, one
    for each group and one for both together, with the same order of variables.

    Parameters
    ----------
    group : the variable that says which group a row belongs to
    groups : two of its levels, or one to compare with all other rows; a control and two to five others, each of which
        is compared with it; None for its two levels, or for each of three to six with what reads as a control
    score : `BDeu(ess=...)`, or `K2()` (uniform prior, the paper's)
    average : "orders", or "none" for the paper's single order, whose odds then carry the verdicts
    p_none : prior probability that nothing differs anywhere, above 0 and below 1; moves P(differs) only
    p_same : prior probability of "no difference" of the paper's odds, above 0 and below 1
    p_level : what that is about: "variable" (each), "overall" (all at once) or "context" (each combination of
        parent values)
    alignment : how the paper's networks are compared where their parents differ: "published" (equation 10 over the
        parents that all three share) or "common" (all three get the pooled network's parents)
    margin : a difference of a probability that would matter, above 0 and below 1 (0.1 is ten percentage points)
    chance : level of the permutation tests of each variable on its own, after Holm's correction
    search : of the paper's networks: "thick_thinning", "hill_climbing", "exact", "order_mcmc", or a search as a value
    order : the variables, causes first; None for all orders, and in the paper's numbers that of the pooled network
    max_parents : most parents of a variable; None for 3 where orders are averaged, else for no limit
    knowledge : what is known of the arcs, an `engine.Knowledge`; an order, tiers and required arcs restrict the orders
    seed : of all that is drawn

    Raises
    ------
    SettingsError : a setting has a value that it cannot have

    Examples
    --------
    >>> data = sample_data.dataset("two_hospitals")
    >>> result = engine.GroupDifference(group="hospital").run(data)
    >>> result.log_odds.idxmax()
    'early_antibiotics'
    """

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "Group differences"
    question: ClassVar[str] = "Which variables differ between two groups?"
    paper: ClassVar[str] = "Sverchkov & Cooper 2015"
    counts_only: ClassVar[tuple[str, ...]] = ("run", "check_score")
    counts_subjects: ClassVar[bool] = True

    @classmethod
    def propose(cls, data: Dataset) -> Self:
        """The comparison of the likeliest group column.

        Parameters
        ----------
        data : the table that is to be compared

        Returns
        -------
        settings to begin with

        Raises
        ------
        SettingsError : no column could be one
        """
        group = likely_group(data)
        if group is None:
            raise SettingsError("No column has two to six levels, so none can say who is in which group.")
        pair, arms = likely_pair(data, group)[0], likely_arms(data, group) if data.in_memory else ()
        return cls(group=group, groups=arms if arms and reads_as_control(arms[0]) else pair)

    @classmethod
    def why_proposed(cls, data: Dataset) -> str:
        """Why this column is compared, and why these two of its levels.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence, or two
        """
        group, why = likely_group_why(data)
        return why if group is None else " ".join(filter(None, (why, likely_pair(data, group)[1])))

    @classmethod
    def unfit(cls, data: Dataset) -> str:
        """Why groups can't be compared in this table.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where they can
        """
        if data.n_variables > 1 and all(len(levels) < 2 for levels in data.levels.values()):
            return "No column has two levels or more, so none can say who is in which group."
        return super().unfit(data)

    def cost(self, size: Size) -> Cost:
        """About what `run` takes; a table with few rows costs K2 more than one with many.

        Parameters
        ----------
        size : of the table

        Returns
        -------
        seconds of one core, bytes, and what makes it less
        """
        seconds = describing_seconds(size.variables) + searching_seconds(self, size)
        memory, quicker = _BYTES * size.variables**2, ""
        if chance_parents(self):
            quicker = "a limit on the parents of a variable"
        if self.average == "orders" and size.variables - 1 <= MOST_WALKED:
            average = average_cost(self, replace(size, variables=max(size.variables - 1, 1)))
            seconds, memory = seconds + average.seconds, memory + average.memory
            quicker = "fewer parents of a variable"
        return Cost(seconds, memory, quicker=quicker)

    def arms(self, data: Dataset) -> tuple[str, ...]:
        """The levels of three and more groups, the control first, that `run` compares with it one by one.

        Parameters
        ----------
        data : the table

        Returns
        -------
        the levels; none where two groups are compared
        """
        if self.groups is None:
            return likely_arms(data, self.group) if self.group in data.names else ()
        return self.groups if len(self.groups) > 2 else ()

    def cost_of(self, data: Dataset) -> Cost:
        """About what `run` takes on a table; each further arm takes as long as two groups.

        Parameters
        ----------
        data : the table

        Returns
        -------
        see `cost`
        """
        return super().cost_of(data).times(max(len(self.arms(data)) - 1, 1))

    def run(self, data: Dataset, progress: Progress = silent) -> GroupDifferenceResult | ArmsResult:
        """Compare the two groups, or every arm with the control.

        Parameters
        ----------
        data : a data set with the group column
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`. True logs it (`engine`)

        Returns
        -------
        `GroupDifferenceResult`; of three and more groups an `ArmsResult`

        Raises
        ------
        DataError : the group column or a level of it is missing, or a group has no rows
        SettingsError : an order or knowledge that does not fit the variables

        Examples
        --------
        >>> result = engine.GroupDifference(group="hospital").run(sample_data.dataset("two_hospitals"))
        >>> result.variables()["verdict"].value_counts().to_dict()
        {'alike': 6, 'no difference seen': 2, 'differs': 1, 'cannot tell': 1}
        """
        data, progress = self._asked(data, progress)
        arms = self.arms(data)
        return compare_arms(self, data, arms, progress) if arms else compare_groups(self, data, progress)

    def stability(self, data: Dataset, runs: int = 20, jobs: int = 1, progress: Progress = silent) -> Stability:
        """The comparison again on rows drawn with replacement; the paper's with random ties and orders of variables.

        Parameters
        ----------
        data : the data set, as `run` takes it
        runs : how many, at least 1
        jobs : processes to spread them over (equal bits whatever their number)
        progress : as for `run`

        Returns
        -------
        `Stability`: its `table()` has the spread of P(differs) and of the odds, and the share of runs in which a
        variable differs

        Raises
        ------
        DataError, SettingsError : as `run`; `runs` below 1
        """
        return stability(self, *self._asked(data, progress, "stability"), runs, jobs)

    def null(self, data: Dataset, runs: int = 20, jobs: int = 1, progress: Progress = silent) -> Null:
        """The whole comparison again with the group labels shuffled `runs` times: what chance alone would show.

        Parameters
        ----------
        data, runs, jobs, progress : as for `stability`

        Returns
        -------
        `Null`: `largest` has the largest P(differs) of each shuffle, `table(result.log_odds)` the share of shuffles
        that reach the paper's odds

        Raises
        ------
        DataError, SettingsError : as `run`; `runs` below 1
        """
        return null(self, *self._asked(data, progress, "null"), runs, jobs)

    def check_score(self, data: Dataset, progress: Progress = silent) -> ScoreCheck:
        """P(differs) under the other score, to see what hangs on it: K2 beside BDeu, BDeu(1) beside K2.

        Parameters
        ----------
        data, progress : as for `run`

        Returns
        -------
        `ScoreCheck`

        Raises
        ------
        DataError, SettingsError : as `run`, or orders are not averaged
        """
        return check_score(self, *self._asked(data, progress, "check_score"))
