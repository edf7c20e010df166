"""The settings of a group comparison, and `run`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.methods.setting import check_settings, setting
from engine.scores.dirichlet import K2, BDeu

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.resampling import Null, Stability
    from engine.methods.group_difference.result import GroupDifferenceResult


@dataclass(frozen=True)
class GroupDifference:
    """Which variables behave differently in two groups, by posterior odds (Sverchkov & Cooper 2015).

    Three networks are learned, one for each group and one for both together, with the same order of variables. A
    variable is *different* as far as its distribution, given its parents, is better explained for each group alone.

    Examples
    --------
    >>> result = GroupDifference(group="arm").run(data)      # doctest: +SKIP
    >>> result.log_odds.sort_values()                        # doctest: +SKIP
    """

    group: str = setting(
        label="Group column", help="The variable that says which group a row belongs to.", role="variable"
    )
    groups: tuple[str, ...] | None = setting(
        None,
        label="Groups to compare",
        help="Two of its levels; one level alone is compared with all other rows.",
        role="levels",
    )
    score: K2 | BDeu = setting(
        K2(),
        label="Score",
        help="How well a network explains the rows. K2 (uniform prior) is the paper's; BDeu spreads an "
        "equivalent sample size evenly.",
        role="score",
    )
    p_same: float = setting(
        0.5,
        label="Prior probability of no difference",
        help="How likely you think 'no difference' is before seeing the data. Can be moved afterwards.",
        above=0.0,
        below=1.0,
    )
    p_level: str = setting(
        "variable",
        label="This prior is about",
        help="The two groups as a whole, each variable, or each context (one combination of parent values).",
        choices=("overall", "variable", "context"),
    )
    alignment: str = setting(
        "published",
        label="Comparing networks whose parents differ",
        help="'published' is the paper's equation 10 over the parents that all three networks share; 'common' gives "
        "all three the parents of the pooled network. Both are always computed.",
        choices=("published", "common"),
    )
    search: str = setting(
        "thick_thinning",
        label="Search",
        help="Thick thinning is the paper's: add the best arc until none helps, then remove. Exact is for up to 20 "
        "variables.",
        choices=("thick_thinning", "hill_climbing", "exact"),
    )
    order: tuple[str, ...] | None = setting(
        None,
        label="Order of variables",
        help="Causes first, if you know it. Otherwise the order of the pooled network is used.",
        role="order",
    )
    max_parents: int | None = setting(None, label="Most parents of a variable", help="Empty for no limit.", minimum=0)
    seed: int = setting(0, label="Seed", help="Of the re-runs; equal seeds give equal numbers.", minimum=0)

    def __post_init__(self) -> None:
        for name in ("groups", "order"):  # lists are welcome; a frozen value holds tuples
            given = getattr(self, name)
            if given is not None:
                if isinstance(given, str) or not isinstance(given, Iterable):
                    raise SettingsError(f"{name} is {given!r}; it must be a list of names, or None.")
                object.__setattr__(self, name, tuple(map(str, given)))
        if self.groups is not None and (len(self.groups) not in (1, 2) or len(set(self.groups)) < len(self.groups)):
            raise SettingsError(
                "groups must name two different levels of the group column, or one to compare with the rest."
            )
        if not isinstance(self.score, K2 | BDeu):
            raise SettingsError(f"score is {self.score!r}; it can be K2() or BDeu(ess=...).")
        check_settings(self)

    def run(self, data: Dataset, progress: Progress = silent) -> GroupDifferenceResult:
        """Compare the two groups.

        Raises
        ------
        DataError : the group column or a level of it is missing, or a group has no rows
        SettingsError : an order that does not fit the variables
        """
        from engine.methods.group_difference.learn import compare_groups

        return compare_groups(self, data, progress)

    def stability(self, data: Dataset, runs: int = 20, jobs: int = 1, progress: Progress = silent) -> Stability:
        """The odds again under `runs` random rules for deciding ties and ordering variables.

        Parameters
        ----------
        runs : how many, at least 1;  jobs : processes to spread them over (equal bits whatever their number)

        Raises
        ------
        DataError, SettingsError : as `run`; `runs` below 1
        """
        from engine.methods.group_difference.resampling import stability

        return stability(self, data, runs, jobs, progress)

    def null(self, data: Dataset, runs: int = 50, jobs: int = 1, progress: Progress = silent) -> Null:
        """The odds again with the group labels shuffled `runs` times: what chance alone would show.

        Parameters and errors as for `stability`.
        """
        from engine.methods.group_difference.resampling import null

        return null(self, data, runs, jobs, progress)
