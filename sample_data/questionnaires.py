"""Two filled-in questionnaires of 400 people: 24 ordered answers cut from a Gaussian network that one link holds
together."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graphs.pdag import cpdag
from engine.simulation.ordinal import LatentModel
from sample_data.sampling import Entry, Made

ROWS = 400
SCALES = {"obs": ("0", "1", "2", "3", "4"), "dep": ("0", "1", "2", "3")}
"""Beginning of the names of a questionnaire -> the steps of its answers."""
BRIDGE = ("obs_avoiding", "dep_withdrawn")
APART = ("dep_little_hunger", "dep_loose_clothes")
_SHARES: dict[str, dict[str, tuple[float, ...]]] = {
    "obs": {
        "seldom": (0.42, 0.24, 0.16, 0.11, 0.07),
        "some": (0.30, 0.26, 0.22, 0.14, 0.08),
        "common": (0.16, 0.24, 0.28, 0.20, 0.12),
    },
    "dep": {
        "seldom": (0.48, 0.26, 0.16, 0.10),
        "some": (0.34, 0.30, 0.22, 0.14),
        "common": (0.18, 0.32, 0.30, 0.20),
    },
}

# answer: (question, how common it is, {cause: weight}); the noise has sd 1 before every answer is scaled to variance 1
_ITEMS: dict[str, tuple[str, str, dict[str, float]]] = {
    "obs_intruding": ("Thoughts that come unasked", "common", {}),
    "obs_doubting": ("Doubting what one has done", "some", {"obs_intruding": 0.7}),
    "obs_checking": ("Checking doors, taps or letters again", "some", {"obs_doubting": 0.8}),
    "obs_repeating": ("Starting over until it feels right", "some", {"obs_checking": 0.6, "obs_counting": 0.6}),
    "obs_washing": ("Washing or cleaning more than others do", "seldom", {}),
    "obs_arranging": ("Putting things in one order", "common", {}),
    "obs_counting": ("Counting without need", "seldom", {"obs_arranging": 0.7}),
    "obs_late": ("Coming late because of habits", "some", {"obs_repeating": 0.6, "obs_washing": 0.6}),
    "obs_avoiding": ("Keeping away from places and things", "some", {"obs_washing": 0.8}),
    "obs_reassured": ("Asking others whether all is well", "common", {"obs_doubting": 0.7}),
    "dep_low_mood": ("Feeling down", "common", {}),
    "dep_no_joy": ("Enjoying nothing", "some", {"dep_low_mood": 0.9}),
    "dep_tired": ("Being without strength", "common", {"dep_broken_sleep": 0.6, "dep_no_joy": 0.6}),
    "dep_broken_sleep": ("Waking at night", "common", {}),
    "dep_early_waking": ("Waking too early in the morning", "some", {"dep_broken_sleep": 0.8}),
    "dep_morning_low": ("Mornings as the worst time", "some", {"dep_early_waking": 0.6, "dep_low_mood": 0.6}),
    "dep_hopeless": ("Expecting nothing of the future", "some", {"dep_low_mood": 0.8}),
    "dep_worthless": ("Thinking oneself worthless", "seldom", {"dep_hopeless": 0.8}),
    "dep_slow": ("Thinking slowly", "some", {"dep_tired": 0.8}),
    "dep_indecisive": ("Being unable to decide", "some", {"dep_slow": 0.7}),
    "dep_restless": ("Being unable to sit still", "seldom", {"dep_slow": -0.6, "dep_broken_sleep": 0.8}),
    "dep_withdrawn": ("Seeing nobody", "some", {"dep_no_joy": 0.7, "obs_avoiding": 0.7}),
    "dep_little_hunger": ("Eating without appetite", "some", {}),
    "dep_loose_clothes": ("Clothes that have become too wide", "seldom", {"dep_little_hunger": 0.9}),
}


def questionnaires(rng: np.random.Generator) -> Made:
    """The answers as plain numbers, one row a person, and the network behind them."""
    model = behind()
    data = model.sample(ROWS, rng)
    columns = {name: [_scale(name)[code] for code in data.column(name).tolist()] for name in data.names}
    dictionary = [Entry(name, "ordinal", text, _scale(name)) for name, (text, _, _) in _ITEMS.items()]
    return Made(columns, dictionary, _truth(model))


def behind() -> LatentModel:
    """The network that the answers are cut from."""
    names = tuple(_ITEMS)
    families = [
        sorted((names.index(cause), weight) for cause, weight in causes.items()) for _, _, causes in _ITEMS.values()
    ]
    return LatentModel(
        names,
        tuple(tuple(parent for parent, _ in family) for family in families),
        tuple(np.array([weight for _, weight in family]) for family in families),
        tuple(np.array(_SHARES[name[:3]][common]) for name, (_, common, _) in _ITEMS.items()),
    )


def _scale(name: str) -> tuple[str, ...]:
    return SCALES[name[:3]]


def _truth(model: LatentModel) -> dict[str, Any]:
    """The network of answers scaled to variance 1, what of its directions can be learned, and what is special in it."""
    names, best = model.names, cpdag(model.graph)
    families = [[names[parent] for parent in family] for family in model.parents]
    weights = zip(names, families, model.scaled_weights, strict=True)
    return {
        "arcs": [[parent, name] for name, family in zip(names, families, strict=True) for parent in family],
        "directed": [[a, b] for a, b in best.edges if not best.has_edge(b, a)],
        "undirected": [[a, b] for a, b in best.edges if best.has_edge(b, a) and names.index(a) < names.index(b)],
        "scales": {scale: [name for name in names if name.startswith(scale)] for scale in SCALES},
        "bridge": list(BRIDGE),
        "apart": list(APART),
        "weights": {
            name: dict(zip(family, _rounded(values), strict=True)) for name, family, values in weights if family
        },
        "noise": dict(zip(names, _rounded(1 / model.sd), strict=True)),
        "thresholds": {name: _rounded(cuts) for name, cuts in zip(names, model.thresholds, strict=True)},
        "names": list(names),
        "correlation": [_rounded(row) for row in model.correlation],
    }


def _rounded(values: np.ndarray) -> list[float]:
    return [round(float(value), 6) for value in values]
