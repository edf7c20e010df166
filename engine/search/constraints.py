"""What a search may do: forbidden and required arcs, tiers, an order, a largest number of parents.

One object for every search, the forms and the export, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Constraints:
    """Background knowledge over p variables, by position.

    Attributes
    ----------
    allowed : (p, p) bool, `allowed[child, parent]`
    required : parents each child must keep
    max_parents : most parents of a variable (p - 1 where there is no limit)
    before : (p, p) bool, `before[later, earlier]`: in every order of the variables the second comes first, by the
        order, the tiers or a required arc; None where nothing is known of orders
    """

    allowed: np.ndarray
    required: tuple[tuple[int, ...], ...]
    max_parents: int
    before: np.ndarray | None = None

    def permuted(self, priority: Sequence[int]) -> Constraints:
        """The same knowledge with variable `priority[i]` in place i."""
        place = {old: new for new, old in enumerate(priority)}
        required = tuple(tuple(sorted(place[x] for x in self.required[old])) for old in priority)
        earlier = None if self.before is None else self.before[np.ix_(priority, priority)]
        return Constraints(self.allowed[np.ix_(priority, priority)], required, self.max_parents, earlier)
