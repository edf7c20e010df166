"""P(a variable differs) and P(a link), averaged over all orders and parent sets, with the paper's blocks.

For a child i with parents S of q configurations (blocks), and the prior probability p that nothing differs anywhere,
ln p_block = ln p / (n q):

    w_i(S) = prior(S) prod over blocks of [ p_block P(rows of both) + (1 - p_block) P(rows of A) P(rows of B) ]
    v_i(S) = prior(S) prod over blocks of   p_block P(rows of both)

P is the method's own score, prior(S) one over the number of sets of that size; `mixed` below is ln w, `surprise` is
ln w - ln v. Sums over orders of w, with v in place of w for one child, give P(i the same) (Koivisto & Sood 2004). To 20
variables the sums are exact; beyond, orders are drawn (`engine.search.orders.sampling`).
"""

from __future__ import annotations

import numpy as np

from engine.execution import Progress, part, silent
from engine.graphs.dag import Parents
from engine.methods.group_difference.families import average_constraints, list_families
from engine.methods.group_difference.groups import Groups
from engine.methods.group_difference.posterior import Average, arcs_of, posterior_of
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_difference.walking import walk_differences, walk_groups
from engine.search.orders.average import MOST_VARIABLES, average_orders

MOST_WALKED = 200
"""Variables beyond which no orders are drawn."""


def average_groups(
    method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, ...], progress: Progress
) -> Average:
    """Average over all orders: exactly to `MOST_VARIABLES`, by walks beyond."""
    n = groups.pooled.n_variables
    constraints = average_constraints(method, groups.pooled)
    if n > MOST_VARIABLES:
        return walk_groups(method, groups, structures, constraints, progress)
    families, own = list_families(method, groups, constraints, part(progress, 0.0, 0.2))
    posterior = posterior_of(families, method.p_none, part(progress, 0.2, 0.5))
    arcs = np.empty((2, n, n))
    for g in range(2):
        inner = part(progress, 0.5 + 0.25 * g, 0.75 + 0.25 * g)
        values = own[:, g] + families.sets.log_prior()
        arcs[g] = arcs_of(families.sets, average_orders(families.sets, values, families.before, inner).probabilities)
    return Average(posterior, families, arcs, np.zeros((2, n, n)), constraints.max_parents)


def log_odds_only(method: GroupDifferenceSettings, groups: Groups, progress: Progress = silent) -> np.ndarray:
    """(n,) ln odds of a difference, without the groups' own links: what shuffled labels and other scores are asked."""
    constraints = average_constraints(method, groups.pooled)
    if groups.pooled.n_variables > MOST_VARIABLES:
        return walk_differences(method, groups, (), constraints, progress)[0].log_odds
    families, _ = list_families(method, groups, constraints, part(progress, 0.0, 0.3))
    return posterior_of(families, method.p_none, part(progress, 0.3, 1.0)).log_odds
