"""Numbers cut where the classes' shares change, beside thirds: held-out AUC of class networks over ten tables.

Five tables come with scikit-learn, five are drawn here. Segments are the default because their area is no lower than
that of thirds in nine of ten. `python -m benchmarks.calibration.class_cuts` prints a line a table and the count; a minute or
two on an idle core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn import datasets

import engine

THIRDS = {"discretise": "quantiles", "levels": 3}
WAYS = {"segments": {"discretise": "segments"}, "thirds": THIRDS, "quarters": THIRDS | {"levels": 4}}


def tables(seed: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Name, numbers and classes of each."""
    for name in ("breast_cancer", "wine", "iris"):
        public = getattr(datasets, f"load_{name}")()
        yield name, public.data, public.target
    public = datasets.load_diabetes()
    yield "diabetes", public.data, public.target > np.median(public.target)
    public = datasets.load_digits()
    here = np.isin(public.target, (3, 8))
    yield "digits 3, 8", public.data[here][:, public.data[here].std(axis=0) > 1], public.target[here]
    draw, n = np.random.default_rng(seed), 600
    ill, values = draw.random(n) < 0.5, draw.normal(size=(n, 8))
    yield "shift", values + np.where(np.arange(8) < 3, 0.4, 0.0) * ill[:, None], ill
    ill, values = draw.random(n) < 0.5, draw.normal(size=(n, 8))
    yield "spread", np.exp(values * np.where(ill[:, None] & (np.arange(8) < 2), 1.6, 1.0)), ill
    values = draw.normal(size=(n, 8))
    logit = 3 * (values[:, 0] > 1.3) + 2 * (np.abs(values[:, 1]) < 0.25) - 1
    yield "thresholds", values, draw.random(n) < 1 / (1 + np.exp(-logit))
    ill, values = draw.random(n) < 0.5, draw.normal(size=(n, 8))
    values[:, 1] = np.where(ill, 0.8, -0.8) * values[:, 0] + 0.6 * values[:, 1]
    yield "turning", values, ill
    values = np.hstack([draw.gamma(1.0, size=(n, 6)).round(1), draw.poisson(1.5, (n, 3))])
    logit = 1.2 * np.log(values[:, 0] + 0.2) - 0.8 * (values[:, 6] == 0) + 0.5 * values[:, 1]
    yield "skewed, counts", values, draw.random(n) < 1 / (1 + np.exp(logit.mean() - logit))


def areas(values: np.ndarray, classes: np.ndarray, repeats: int) -> dict[str, float]:
    """The mean area over classes and repeats, by way of cutting; folds are the same for all."""
    names = [f"v{i:02d}" for i in range(values.shape[1])]
    frame = pd.DataFrame(values, columns=names).assign(kind=[f"c{int(c)}" for c in classes])
    data = engine.Dataset.from_frame(frame, kinds=dict.fromkeys(names, "continuous"))
    result = {}
    for way, settings in WAYS.items():
        held = engine.Discriminative("kind", **settings).evaluate(data, repeats=repeats, shuffles=0)
        of = held.classes if len(held.classes) > 2 else held.classes[:1]
        result[way] = float(np.mean([held.auc(name).value for name in of]))
    return result


def main() -> None:
    """Print the areas, and in how many tables segments are no lower."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rows = {}
    for name, values, classes in tables(asked.seed):
        rows[name] = areas(values, classes, asked.repeats)
        print(f"{name:15s}", " ".join(f"{way} {area:.4f}" for way, area in rows[name].items()), flush=True)
    for other in ("thirds", "quarters"):
        no_lower = sum(row["segments"] >= row[other] - 1e-9 for row in rows.values())
        print(f"segments no lower than {other} in {no_lower} of {len(rows)}")


if __name__ == "__main__":
    main()
