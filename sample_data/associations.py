"""3,000 people of a health survey, twenty answers, and the decomposable model that made them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from sample_data.sampling import Made, Variable, arcs, draw, entries

_LEVELS = {
    "region": ("north", "east", "south", "west"),
    "residence": ("city", "town", "village"),
    "age": ("18-34", "35-49", "50-64", "65+"),
    "sex": ("female", "male"),
    "education": ("basic", "middle", "higher"),
    "income": ("low", "medium", "high"),
    "work": ("seated", "standing", "heavy", "not working"),
    "smoking": ("never", "former", "current"),
    "alcohol": ("rarely", "weekly", "daily"),
    "vegetables": ("rarely", "weekly", "daily"),
    "exercise": ("low", "medium", "high"),
    "weight": ("normal", "overweight", "obese"),
    "blood_pressure": ("normal", "raised", "high"),
    "cholesterol": ("normal", "raised"),
    "diabetes": ("no", "yes"),
    "heart_disease": ("no", "yes"),
    "lung_disease": ("no", "yes"),
    "joint_pain": ("no", "yes"),
    "sleep": ("good", "fair", "poor"),
    "checkup": ("no", "yes"),
}
_ORDERED = ("age", "education", "income", "alcohol", "vegetables", "exercise", "weight", "blood_pressure", "sleep")

# Every family's parents are joined to each other, so leaving out the arrowheads gives a chordal graph with
# the same independences: the truth of an association model.
_PARENTS: dict[str, dict[str, float]] = {
    "region": {},
    "residence": {"region": 0.8},
    "age": {},
    "sex": {"age": 0.5},
    "education": {"age": -0.8, "sex": 0.5},
    "income": {"education": 1.1, "age": 0.5},
    "work": {"education": -0.9, "sex": 0.9},
    "smoking": {"education": -0.8},
    "alcohol": {"smoking": 0.9},
    "vegetables": {"income": 0.9},
    "exercise": {"vegetables": 1.0},
    "weight": {"exercise": -1.0},
    "blood_pressure": {"weight": 1.0},
    "cholesterol": {"weight": 0.9, "blood_pressure": 0.7},
    "diabetes": {"weight": 1.2, "blood_pressure": 0.9},
    "heart_disease": {"blood_pressure": 1.1, "cholesterol": 1.0},
    "lung_disease": {"smoking": 1.3},
    "joint_pain": {"exercise": -0.9},
    "sleep": {"joint_pain": 1.2},
    "checkup": {"diabetes": 1.6},
}
_RARE = {"diabetes": 1.6, "heart_disease": 1.9, "lung_disease": 1.9, "joint_pain": 0.8, "checkup": 0.6}


def associations(rng: np.random.Generator) -> Made:
    """Associations that grow with both variables' levels, two- and three-variable cliques."""
    network = [
        Variable(
            name,
            _LEVELS[name],
            name.replace("_", " ").capitalize(),
            tuple(family),
            _graded(name, family),
            "ordinal" if name in _ORDERED else "nominal",
        )
        for name, family in _PARENTS.items()
    ]
    _check_moral(_PARENTS)
    truth = {"edges": sorted(sorted(arc) for arc in arcs(network)), "directed": False}
    return Made(draw(network, 3000, rng), entries(network), truth)


def _graded(name: str, slopes: dict[str, float]) -> Callable[..., Sequence[float]]:
    """Log-linear chances: level scores from -1 to 1, multiplied with those of the parents."""

    def score(variable: str) -> dict[str, float]:
        return dict(zip(_LEVELS[variable], np.linspace(-1, 1, len(_LEVELS[variable])).tolist(), strict=True))

    own, others = score(name), {parent: score(parent) for parent in slopes}

    def chance(*given: str) -> list[float]:
        pull = sum(slope * others[p][level] for (p, slope), level in zip(slopes.items(), given, strict=True))
        return [float(np.exp(s * (pull - _RARE.get(name, 0.0) / 2))) for s in own.values()]

    return chance


def _check_moral(parents: dict[str, dict[str, float]]) -> None:
    """A v-structure would make the undirected graph wrong; this is our own slip, not the user's."""
    for child, family in parents.items():
        for a, b in product(family, family):
            if a != b and a not in parents[b] and b not in parents[a]:
                raise ValueError(f"{a} and {b}, parents of {child}, are not joined")
