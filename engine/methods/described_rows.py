"""Rows described in every variable, overall and by group, in numbers; `engine.telling.table_one` tells them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.data.item_scales import level_steps
from engine.methods.fitting import check_counts, check_shape, check_that
from engine.methods.storing import storable


@storable
@dataclass(frozen=True, eq=False)
class DescribedVariable:
    """One variable, overall and in each group; c columns, those of the groups after the overall one.

    Attributes
    ----------
    name, unit : of the variable
    levels : its levels in order, without that of missing values; none of a number
    counts : (k, c) rows with each level; of a number (1, c) rows with a value
    missing : (c,) rows without a value
    means, deviations, quartiles : (c,), (c,), (c, 3) of a number; empty of others
    difference : standardised mean difference; NaN where there is none
    p_means, p_ranks : of the tests of means and of ranks; of levels both are that of the levels
    few : the test is in doubt, since rows are few
    dates : a number is days since 1970
    exact : its numbers are those of the rows, and not of cells that they were put into
    limited : a value beyond a limit of detection is taken as the limit
    odd : values of a number that look like errors, ascending, one for each row
    ordered : its levels, three or more, have an order
    lowest : the number of the first of these: its code in the file where codes go up by one, else 1
    """

    name: str
    unit: str
    levels: tuple[str, ...]
    counts: np.ndarray
    missing: np.ndarray
    means: np.ndarray
    deviations: np.ndarray
    quartiles: np.ndarray
    difference: float
    p_means: float
    p_ranks: float
    few: bool = False
    dates: bool = False
    exact: bool = True
    limited: bool = False
    odd: tuple[float, ...] = ()
    ordered: bool = False
    lowest: int = 1

    @property
    def steps(self) -> np.ndarray:
        """Of ordered levels: the levels where these are numbers, one apart, else codes of the file, or 1, 2, ..."""
        return level_steps(self.levels, self.lowest)

    def _check_read(self) -> None:
        check_counts(self.counts, self.missing)
        columns = len(self.missing)
        check_shape(self.counts, len(self.levels) or 1, columns)
        for numbers, *shape in ((self.means, columns), (self.deviations, columns), (self.quartiles, columns, 3)):
            check_shape(numbers, *([0] if self.levels else shape))


@dataclass(frozen=True, eq=False)
class DescribedRows:
    """Rows described in every variable, overall and by group.

    Attributes
    ----------
    group : the column of the groups, "" for none
    labels : what the groups are called, the control first
    n : rows overall, then of each group
    variables : every variable but the group
    subject, subjects : the column that says which rows belong together, and how many subjects overall and in each group
    gaps : methods leave rows with a gap out
    complete : rows without one overall and of each group, where the others are described too; else empty
    """

    group: str
    labels: tuple[str, ...]
    n: tuple[int, ...]
    variables: tuple[DescribedVariable, ...]
    subject: str = ""
    subjects: tuple[int, ...] = ()
    gaps: bool = False
    complete: tuple[int, ...] = ()

    def _check_read(self) -> None:
        check_counts(*self.n, *self.subjects, *self.complete)
        columns = len(self.labels) + 1
        known = all(len(counts) in (0, columns) for counts in (self.subjects, self.complete))
        check_that(len(self.n) == columns and known, "a table has other groups")
        for variable in self.variables:
            check_that(len(variable.missing) == columns, "a variable has other groups")
