"""What BGe predicts by: the correlations of a network under its posterior, by the paper's formula and by its program.

With R the posterior matrix of BGe (`engine.BGe.posterior_matrix`; only ratios of it matter here) and Pa the parents of
variable j in a network, the estimate at the posterior mode is (Viinikka et al. 2020, equation 2)

    b_j = R[Pa, Pa]^-1 R[Pa, j],    v_j = R[j, j] - R[j, Pa] R[Pa, Pa]^-1 R[Pa, j],
    Sigma = (I - B)^-1 V (I - B)^-T,    V = diag(v_1 ... v_p),

rescaled to ones on the diagonal. The authors' program has the same B but V = diag(R[1, 1] ... R[p, p]): the marginal
variances in place of the conditional ones. What its parents explain of a variable is then counted twice, and networks
of one equivalence class no longer have the same Sigma.
"""

from __future__ import annotations

import numpy as np

from engine.graphs.dag import Parents, topological_order
from engine.models.latent_normal import as_correlation, fitted


def by_formula(matrix: np.ndarray, parents: Parents) -> np.ndarray:
    """(p, p) correlations of a network, by conditional variances.

    Parameters
    ----------
    matrix : (p, p) the posterior matrix of BGe
    parents : positions, for every variable
    """
    return fitted(matrix, parents, topological_order(parents))


def by_program(matrix: np.ndarray, parents: Parents) -> np.ndarray:
    """(p, p) the same by marginal variances.

    Parameters
    ----------
    matrix : (p, p) the posterior matrix of BGe
    parents : positions, for every variable
    """
    p = len(matrix)
    slopes = np.zeros((p, p))
    for child, family in enumerate(map(list, parents)):
        slopes[child, family] = np.linalg.solve(matrix[np.ix_(family, family)], matrix[family, child])
    spread = np.linalg.inv(np.eye(p) - slopes)
    return as_correlation(spread * np.diag(matrix) @ spread.T)
