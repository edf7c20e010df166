"""600 filled-in symptom scales: twelve ordinal items cut from a Gaussian network, with a few unanswered
ones."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from sample_data.sampling import Columns, Entry, Made

OFTEN = ("never", "rarely", "sometimes", "often", "always")
STRONG = ("not at all", "a little", "quite a bit", "very much")

# item: (question, scale, {cause: weight}); the noise makes every latent variance one
_ITEMS: dict[str, tuple[str, tuple[str, ...], dict[str, float]]] = {
    "worry": ("Worrying that will not stop", OFTEN, {}),
    "pain": ("Pain that bothers", STRONG, {}),
    "restless": ("Being restless", STRONG, {"worry": 0.50}),
    "poor_sleep": ("Trouble falling or staying asleep", OFTEN, {"worry": 0.45, "pain": 0.40}),
    "fatigue": ("Being tired or without energy", OFTEN, {"poor_sleep": 0.60}),
    "poor_appetite": ("Poor appetite", STRONG, {"pain": 0.40}),
    "poor_concentration": ("Trouble concentrating", STRONG, {"fatigue": 0.45, "worry": 0.30}),
    "irritable": ("Being easily annoyed", STRONG, {"restless": 0.45}),
    "low_interest": ("Little interest in things", OFTEN, {"fatigue": 0.50}),
    "low_mood": ("Feeling down", OFTEN, {"low_interest": 0.55, "worry": 0.30}),
    "guilt": ("Feeling guilty or a failure", STRONG, {"low_mood": 0.60}),
    "withdrawal": ("Avoiding other people", STRONG, {"low_mood": 0.40, "low_interest": 0.30}),
}
_THRESHOLDS = {OFTEN: (-1.0, -0.3, 0.5, 1.3), STRONG: (-0.5, 0.4, 1.2)}
GAPS = 0.008
"""Share of answers left out."""


def symptoms(rng: np.random.Generator) -> Made:
    """The answers, and the network, noise and thresholds behind them."""
    n, inverse = 600, NormalDist().inv_cdf
    names = list(_ITEMS)
    correlation, noise = _implied()
    latent: dict[str, np.ndarray] = {}
    columns: Columns = {}
    for name, (_, scale, causes) in _ITEMS.items():
        error = np.array([inverse(u) for u in np.clip(rng.random(n), 1e-12, 1 - 1e-12)])
        latent[name] = sum((w * latent[c] for c, w in causes.items()), noise[name] * error)
        codes = np.searchsorted(_THRESHOLDS[scale], latent[name])
        columns[name] = [scale[code] for code in codes]
    for name in names:
        gaps = rng.random(n) < GAPS
        columns[name] = ["" if gap else cell for gap, cell in zip(gaps, columns[name], strict=True)]
    truth = {
        "arcs": [[cause, name] for name, (_, _, causes) in _ITEMS.items() for cause in causes],
        "weights": {name: causes for name, (_, _, causes) in _ITEMS.items() if causes},
        "noise": {name: round(value, 6) for name, value in noise.items()},
        "thresholds": {name: list(_THRESHOLDS[scale]) for name, (_, scale, _) in _ITEMS.items()},
        "names": names,
        "correlation": [[round(float(value), 6) for value in row] for row in correlation],
    }
    dictionary = [Entry(name, "ordinal", text, scale) for name, (text, scale, _) in _ITEMS.items()]
    return Made(columns, dictionary, truth)


def _implied() -> tuple[np.ndarray, dict[str, float]]:
    """Correlations of the latent answers, and the noise that gives each of them variance one."""
    names = list(_ITEMS)
    correlation, noise = np.eye(len(names)), {}
    for i, name in enumerate(names):
        weight = np.array([_ITEMS[name][2].get(cause, 0.0) for cause in names[:i]])
        correlation[i, :i] = correlation[:i, i] = correlation[:i, :i] @ weight
        noise[name] = float(np.sqrt(1.0 - weight @ correlation[:i, :i] @ weight))
    return correlation, noise
