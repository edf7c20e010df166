"""500 people after treatment: those who relapse answer alike on every question, but two answers hang together
differently."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from sample_data.sampling import Columns, Entry, Made

ROWS, RELAPSED = 500, 150
CLASSES = ("no", "yes")
OFTEN = ("never", "rarely", "sometimes", "often")
AGREE = ("not at all", "a little", "quite a bit", "very much")
_CUTS: dict[tuple[str, ...], tuple[float, ...]] = {OFTEN: (-0.7, 0.1, 0.9), AGREE: (-0.6, 0.2, 1.0)}

# answer: (question, its scale, {cause: weight}); continuous ones have unit and how a standard number becomes one.
# The noise makes every latent variance one, so an answer has the same distribution whatever its causes weigh.
_ITEMS: dict[str, tuple[str, tuple[str, ...], dict[str, float]]] = {
    "age": ("Age", (), {}),
    "exercise": ("Exercise in an ordinary week", (), {"age": -0.25}),
    "stress": ("Stress at work or at home", OFTEN, {}),
    "support": ("Somebody to talk to", AGREE, {}),
    "worry": ("Worrying that will not stop", OFTEN, {"stress": 0.60}),
    "sleep": ("Sleep in an ordinary night", (), {"worry": -0.50}),
    "fatigue": ("Being tired or without energy", OFTEN, {"sleep": -0.50}),
    "low_mood": ("Feeling down", OFTEN, {"worry": 0.45, "exercise": -0.65}),
    "interest": ("Interest in things", AGREE, {"low_mood": -0.60}),
    "going_out": ("Going out to see people", OFTEN, {"support": 0.50, "interest": 0.35}),
    "drinking": ("Drinking alcohol to calm down", OFTEN, {"stress": 0.05}),
    "concentration": ("Trouble concentrating", AGREE, {"fatigue": 0.50}),
}
_OTHERWISE = {("exercise", "low_mood"): 0.0, ("stress", "drinking"): 0.80}
"""Links of another weight in those who relapse: exercise no longer lifts the mood, and stress leads to drinking."""
_NUMBERS: dict[str, tuple[str, Callable[[float], str]]] = {
    "age": ("years", lambda z: f"{min(max(43 + 13 * z, 18), 80):.0f}"),
    "exercise": ("hours", lambda z: f"{2.6 * float(np.exp(0.55 * z)):.1f}"),
    "sleep": ("hours", lambda z: f"{6.9 + 0.9 * z:.1f}"),
}


def screening(rng: np.random.Generator) -> Made:
    """One row a person, in no order; a Gaussian network behind the answers, with two weights that differ."""
    relapsed = np.argsort(np.argsort(rng.random(ROWS))) < RELAPSED
    latent = np.where(relapsed[:, None], _latent(rng, True), _latent(rng, False))
    columns: Columns = {"relapse": [CLASSES[int(one)] for one in relapsed]}
    for z, (name, (_, scale, _)) in zip(latent.T, _ITEMS.items(), strict=True):
        if scale:
            columns[name] = [scale[int(np.searchsorted(_CUTS[scale], one))] for one in z]
        else:
            columns[name] = [_NUMBERS[name][1](float(one)) for one in z]
    return Made(columns, _dictionary(), _truth())


def _weights(name: str, relapsed: bool) -> dict[str, float]:
    return {
        cause: _OTHERWISE.get((cause, name), weight) if relapsed else weight
        for cause, weight in _ITEMS[name][2].items()
    }


def _latent(rng: np.random.Generator, relapsed: bool) -> np.ndarray:
    """(ROWS, answers) standard numbers behind the answers of people of one class."""
    inverse = NormalDist().inv_cdf
    names = list(_ITEMS)
    correlation, latent = np.eye(len(names)), np.zeros((ROWS, len(names)))
    for i, name in enumerate(names):
        weights = _weights(name, relapsed)
        weight = np.array([weights.get(cause, 0.0) for cause in names[:i]])
        correlation[i, :i] = correlation[:i, i] = correlation[:i, :i] @ weight
        noise = float(np.sqrt(1.0 - weight @ correlation[:i, :i] @ weight))
        own = np.array([inverse(u) for u in np.clip(rng.random(ROWS), 1e-12, 1 - 1e-12)])
        latent[:, i] = latent[:, :i] @ weight + noise * own
    return latent


def _truth() -> dict[str, object]:
    """All links, those of another weight in one class, and the weights in the other class."""
    return {
        "group": "relapse",
        "arcs": [[cause, name] for name, (_, _, causes) in _ITEMS.items() for cause in causes],
        "changed": [name for _, name in _OTHERWISE],
        "links": [
            {"link": [cause, name], "weight": dict(zip(CLASSES, (_ITEMS[name][2][cause], other), strict=True))}
            for (cause, name), other in _OTHERWISE.items()
        ],
        "weights": {name: causes for name, (_, _, causes) in _ITEMS.items() if causes},
    }


def _dictionary() -> list[Entry]:
    answers = [
        Entry(name, "ordinal" if scale else "continuous", text, scale, "" if scale else _NUMBERS[name][0])
        for name, (text, scale, _) in _ITEMS.items()
    ]
    return [Entry("relapse", "nominal", "Relapse within a year", CLASSES), *answers]
