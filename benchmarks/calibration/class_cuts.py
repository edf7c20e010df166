"""Numbers cut where the classes' shares change, beside thirds: held-out AUC of class networks over ten tables.

Five tables come with scikit-learn, five are drawn here. Segments were to be the default if their area is no lower than
that of thirds in nine of ten. It is in seven (five repeats of ten folds, seed 0), so numbers stay cut by quantiles:

    breast_cancer .9868 v .9870, wine .9973 v .9956, iris .9855 v .9843, diabetes .7883 v .7834, digits .9978 v .9973,
    shift .5391 v .5499, spread .6002 v .5561, thresholds .7090 v .6436, turning .8348 v .8348, skewed .6531 v .6670

`python -m benchmarks.calibration.class_cuts` prints a line a table and the counts; a few minutes on an idle core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from scipy import special
from sklearn import datasets
from sklearn.metrics import roc_auc_score

from engine.counting.by_group import Slices
from engine.counting.class_cuts import MOST_CELLS, log_worth
from engine.data.preparing.binning import interval_codes, quantile_cuts
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.pipeline import fit_contrasts, stacked
from engine.methods.discriminative.settings import DiscriminativeSettings
from engine.resampling import stratified_folds
from engine.search.knowledge import Knowledge

WAYS = ("segments", "thirds", "quarters")
MOST = 4
"""Segments at most."""


def likeliest_segments(counts: np.ndarray, cells: np.ndarray, most: int) -> list[tuple[int, ...]]:
    """Before which cells a segment begins, of several numbers; none where one segment of all is likeliest.

    Parameters
    ----------
    counts : (p, C, K) rows of each class in each cell, cells in the order of the number
    cells : (p,) how many of the C cells each number has, from the first
    most : segments at most
    """
    worth = log_worth(counts)
    p, _, width = worth.shape
    number, reach = np.arange(p), np.minimum(cells, most)
    best, begins = worth[:, 0], np.zeros((most + 1, p, width), dtype=np.int64)
    top, segments = best[number, cells].copy(), np.ones(p, dtype=np.int64)
    for r in range(2, int(reach.max(initial=1)) + 1):
        sums = best[:, :, None] + worth
        begins[r], best = sums.argmax(axis=1), sums.max(axis=1)
        many = special.gammaln(cells) - special.gammaln(r) - special.gammaln(np.maximum(cells - r + 1, 1))
        here = best[number, cells] - many - np.log(np.maximum(reach - 1, 1))
        better = (r <= reach) & (here > top)
        top, segments = np.where(better, here, top), np.where(better, r, segments)
    result = []
    for i in range(p):
        at, starts = int(cells[i]), []
        for r in range(int(segments[i]), 1, -1):
            at = int(begins[r, i, at])
            starts.append(at)
        result.append(tuple(starts[::-1]))
    return result


def tables(seed: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Name, numbers and classes of each."""
    for name in ("breast_cancer", "wine", "iris"):
        public = getattr(datasets, f"load_{name}")()
        yield name, public.data, public.target
    public = datasets.load_diabetes()
    yield "diabetes", public.data, public.target > np.median(public.target)
    public = datasets.load_digits()
    here = np.isin(public.target, (3, 8))
    yield "digits 3, 8", public.data[here][:, public.data[here].std(axis=0) > 1], public.target[here] == 8
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


def cut_points(values: np.ndarray, classes: np.ndarray, way: str) -> list[tuple[float, ...]]:
    """Of training rows; segments are thirds where one is likeliest."""
    quantiles = [quantile_cuts(column, 4 if way == "quarters" else 3) for column in values.T]
    if way != "segments":
        return quantiles
    fine = [quantile_cuts(column, MOST_CELLS) for column in values.T]
    cells, many = np.array([len(cuts) + 1 for cuts in fine]), int(classes.max()) + 1
    counts = np.zeros((len(fine), int(cells.max()), many), dtype=np.int64)
    for table, column, cuts in zip(counts, values.T, fine, strict=True):
        np.add.at(table, (interval_codes(column, cuts), classes), 1)
    starts = likeliest_segments(counts, cells, MOST)
    return [
        tuple(cuts[start - 1] for start in own) or blank
        for cuts, own, blank in zip(fine, starts, quantiles, strict=True)
    ]


def area(values: np.ndarray, classes: np.ndarray, way: str, repeats: int) -> float:
    """The mean held-out area over classes and repeats; folds are the same for all ways."""
    n, p = values.shape
    many, method = int(classes.max()) + 1, DiscriminativeSettings(target="kind")
    known = Knowledge().constraints(tuple(f"v{i:02d}" for i in range(p)))
    result = []
    for repeat in range(repeats):
        fold = stratified_folds(classes, 10, np.random.default_rng(repeat), subjects=np.arange(n))
        scores = np.zeros((n, 1 if many == 2 else many))
        for f in range(int(fold.max()) + 1):
            training = fold != f
            cuts = cut_points(values[training], classes[training], way)
            codes = np.array([interval_codes(column, own) for column, own in zip(values.T, cuts, strict=True)])
            codes = codes.astype(np.uint8)
            arity = np.array([len(own) + 1 for own in cuts])
            counted = Counted(Slices(codes, codes, arity), np.arange(n), n)
            contrasts = fit_contrasts(counted, np.where(training, classes, -1), many, method, known)
            scores[~training] = stacked(contrasts)[~training]
        of = [1] if many == 2 else range(many)
        result += [roc_auc_score(classes == c, own) for c, own in zip(of, scores.T, strict=True)]
    return float(np.mean(result))


def main() -> None:
    """Print the areas, and in how many tables segments are no lower."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rows = {}
    for name, values, classes in tables(asked.seed):
        rows[name] = {way: area(values, classes.astype(np.int64), way, asked.repeats) for way in WAYS}
        print(f"{name:15s}", " ".join(f"{way} {size:.4f}" for way, size in rows[name].items()), flush=True)
    for other in WAYS[1:]:
        no_lower = sum(row["segments"] >= row[other] - 1e-9 for row in rows.values())
        print(f"segments no lower than {other} in {no_lower} of {len(rows)}")


if __name__ == "__main__":
    main()
