"""Conditional tables with prescribed strengths of their links, and the same with one link weaker.

Burge & Lane 2005 (section 4.2) make classes that differ in one link's strength, measured by normalised mutual
information, and leave out how. Here NMIS(parent) = MI(parent; child) / H(child), parents weighted by their own joint
distribution. A drawn table is log-linear in its parents, with the child's margin as asked. A changed table keeps the
parents' joint and every other pair of parent and child, and is the nearest to the old one with its new pair
(I-projection).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.errors import SettingsError

TOLERANCE = 1e-13
_ROUNDS = 20_000
_REDRAWS = 8
CLOSE = 1e-8
LEAST = 1e-300
Pairs = Sequence[tuple[int, np.ndarray]]
"""Parents by place, each with the joint that it shall have with the child."""


def nmis(table: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """Strength of each parent's link with the child: mutual information by the child's entropy."""
    joint = parents[..., None] * table
    return np.array([nmi(pair_of(joint, m)) for m in range(parents.ndim)])


def draw_table(
    strengths: Sequence[float], parents: np.ndarray, child: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """A random table whose parents are linked with the child as strongly as asked."""
    wanted = _checked(strengths, parents.ndim)
    for _ in range(_REDRAWS):
        leans = [_lean(parents.shape[m], len(child), m, parents.ndim, generator) for m in range(parents.ndim)]
        result = _solved(wanted, leans, parents, child)
        if result is not None:
            return result
    raise SettingsError(
        f"No table of {len(child)} levels was found whose parents have the strengths {listed(wanted)}: together they "
        "ask for more than the child has to tell. Make them weaker, or take more levels."
    )


def change_table(table: np.ndarray, parents: np.ndarray, strengths: Sequence[float]) -> np.ndarray:
    """The nearest table with weaker links; what the other parents tell about the child, each by itself, stays."""
    wanted = _checked(strengths, parents.ndim)
    now = nmis(table, parents)
    joint = parents[..., None] * table
    for m in np.flatnonzero(now - wanted > TOLERANCE).tolist():
        fixed = [(other, pair_of(joint, other)) for other in range(parents.ndim) if other != m]
        joint = fit_pairs(joint, parents, [*fixed, (m, _weaker(joint, parents, m, float(wanted[m])))])
    result = np.where(parents[..., None] > 0, joint / np.maximum(parents[..., None], LEAST), table)
    if np.abs(nmis(result, parents) - wanted).max() > CLOSE:
        raise SettingsError(
            f"No table with weaker links has the strengths {listed(wanted)} beside these parents: they depend on one "
            "another too strongly, or a strength is larger than it was."
        )
    return np.asarray(result)


def centre(values: np.ndarray) -> np.ndarray:
    """Without the means of rows and columns."""
    centred: np.ndarray = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return centred


def _checked(strengths: Sequence[float], count: int) -> np.ndarray:
    wanted = np.asarray(strengths, dtype=float)
    if wanted.shape != (count,) or not ((wanted >= 0) & (wanted < 1)).all():
        raise SettingsError(f"strengths must be {count} numbers from 0 up, below 1, one for each parent.")
    return wanted


def _lean(arity: int, levels: int, place: int, count: int, generator: np.random.Generator) -> np.ndarray:
    """Where the child leans under each level of one parent, as an array over all parents and the child."""
    return _along(centre(generator.normal(size=(arity, levels))), place, count)


def _solved(
    wanted: np.ndarray, leans: Sequence[np.ndarray], parents: np.ndarray, child: np.ndarray
) -> np.ndarray | None:
    """The table whose leans are scaled so that the strengths are as wanted; None where no scale was found."""
    from scipy.optimize import root

    present = np.flatnonzero(wanted > 0)
    margin = child.copy()  # the b of the table before, which the next one's is near to

    def table(scales: np.ndarray) -> np.ndarray:
        lean = np.zeros((*parents.shape, len(child)))
        for scale, m in zip(scales, present, strict=True):
            lean += scale * leans[int(m)]
        result, margin[:] = with_margin(lean, parents, child, margin)
        return result

    def strengths(logs: np.ndarray) -> np.ndarray:
        return nmis(table(np.exp(np.clip(logs, -20, 6))), parents)[present]

    if not len(present):
        return table(np.array([]))
    logs = np.log(np.sqrt(wanted[present]))
    for _ in range(12):  # near enough for Newton's steps
        logs += 0.5 * np.clip(np.log(wanted[present] / np.maximum(strengths(logs), 1e-12)), -1.4, 1.4)
    logs = root(lambda x: strengths(x) - wanted[present], logs, options={"xtol": 1e-13}).x
    result = table(np.exp(np.clip(logs, -20, 6)))
    return result if np.abs(nmis(result, parents) - wanted).max() <= CLOSE else None


def with_margin(
    lean: np.ndarray, parents: np.ndarray, child: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """P(k | j) in proportion to b_k exp(lean), the child's margin as asked; and b, which is begun at `start`."""
    rows = np.exp(lean - lean.max(axis=-1, keepdims=True)).reshape(-1, len(child))
    weight, b = parents.ravel(), start
    for _ in range(_ROUNDS):
        table = rows * b
        table /= (rows @ b)[:, None]
        margin = weight @ table
        if np.abs(margin - child).max() < TOLERANCE:
            break
        b = b * (child / np.maximum(margin, LEAST))
    return table.reshape(*parents.shape, len(child)), b


def _weaker(joint: np.ndarray, parents: np.ndarray, place: int, wanted: float) -> np.ndarray:
    """The pair's margin on its way to the one it has when the child does not listen to this parent."""
    from scipy.optimize import brentq

    pair = pair_of(joint, place)
    rest = parents.sum(axis=place, keepdims=True)
    deaf = joint.sum(axis=place, keepdims=True) / np.maximum(rest[..., None], LEAST)
    floor = pair_of(parents[..., None] * deaf, place)
    if nmi(floor) >= wanted:
        return floor
    return pair + brentq(lambda t: nmi(pair + t * (floor - pair)) - wanted, 0.0, 1.0, xtol=1e-15) * (floor - pair)


def fit_pairs(joint: np.ndarray, parents: np.ndarray, pairs: Pairs) -> np.ndarray:
    """Iterative proportional fitting onto the parents' joint and margins of pairs."""
    result = joint.copy()
    for _ in range(_ROUNDS):
        for m, aim in pairs:
            result *= _along(aim / np.maximum(pair_of(result, m), LEAST), m, parents.ndim)
        own = result.sum(axis=-1)
        result *= (parents / np.maximum(own, LEAST))[..., None]
        if np.abs(own - parents).max() < TOLERANCE:
            break
    return result


def _along(pair: np.ndarray, place: int, count: int) -> np.ndarray:
    """A pair's table as an array over all parents and the child."""
    shape = [1] * count + [pair.shape[1]]
    shape[place] = pair.shape[0]
    return pair.reshape(shape)


def pair_of(joint: np.ndarray, place: int) -> np.ndarray:
    """(arity, r) the joint of one parent and the child."""
    return np.asarray(joint.sum(axis=tuple(m for m in range(joint.ndim - 1) if m != place)))


def nmi(pair: np.ndarray) -> float:
    """MI / H(child) of the joint of two variables."""
    own, its = pair.sum(axis=1), pair.sum(axis=0)
    entropy = -_plogp(its)
    return (_plogp(pair) - _plogp(own) - _plogp(its)) / entropy if entropy > 0 else 0.0


def _plogp(p: np.ndarray) -> float:
    seen = p[p > 0]
    return float((seen * np.log(seen)).sum())


def listed(values: np.ndarray) -> str:
    return ", ".join(f"{value:g}" for value in values)
