"""The method: `engine.GroupDifference`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.methods.group_difference.groups import likely_group
from engine.methods.group_difference.learn import compare_groups
from engine.methods.group_difference.resampling import Null, Stability, null, stability
from engine.methods.group_difference.result import SLUG, GroupDifferenceResult
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.method import Method
from engine.methods.storing import storable

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


@storable
@dataclass(frozen=True)
class GroupDifference(GroupDifferenceSettings, Method):
    """Which variables behave differently in two groups, by posterior odds (Sverchkov & Cooper 2015).

    Three networks are learned, one for each group and one for both together, with the same order of variables. A
    variable is *different* as far as its distribution, given its parents, is better explained for each group alone.

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

    @classmethod
    def propose(cls, data: Dataset) -> Self:
        """The comparison of the likeliest group column; `SettingsError` where no column could be one."""
        group = likely_group(data)
        if group is None:
            raise SettingsError("No column has two to six levels, so none can say who is in which group.")
        levels = data.levels[group]
        return cls(group=group, groups=None if len(levels) == 2 else levels[:2])

    @classmethod
    def unfit(cls, data: Dataset) -> str:
        """Why groups can't be compared in this table; empty where they can."""
        if likely_group(data) is None:
            return "No column has two to six levels, so none can say who is in which group."
        return super().unfit(data)

    def run(self, data: Dataset, progress: Progress = silent) -> GroupDifferenceResult:
        """Compare the two groups.

        Raises
        ------
        DataError : the group column or a level of it is missing, or a group has no rows
        SettingsError : an order that does not fit the variables
        """
        return compare_groups(self, *self._asked(data, progress))

    def stability(self, data: Dataset, runs: int = 20, jobs: int = 1, progress: Progress = silent) -> Stability:
        """The odds again under `runs` random rules for deciding ties and ordering variables.

        Parameters
        ----------
        runs : how many, at least 1;  jobs : processes to spread them over (equal bits whatever their number)

        Raises
        ------
        DataError, SettingsError : as `run`; `runs` below 1
        """
        return stability(self, *self._asked(data, progress, "stability"), runs, jobs)

    def null(self, data: Dataset, runs: int = 50, jobs: int = 1, progress: Progress = silent) -> Null:
        """The odds again with the group labels shuffled `runs` times: what chance alone would show.

        Parameters and errors as for `stability`.
        """
        return null(self, *self._asked(data, progress, "null"), runs, jobs)
