"""The segments of a number beside all partitions written out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from benchmarks.calibration.class_cuts import likeliest_segments
from engine.counting.class_cuts import log_evidence


def brute_force(counts: np.ndarray, most: int) -> tuple[tuple[int, ...], float]:
    """The likeliest partition of the cells, and the ln Bayes factor, from every partition by itself."""
    cells, classes = counts.shape

    def segment(part: np.ndarray) -> float:
        inside = part.sum(axis=0)
        ups = sum(math.lgamma(n + 0.5) - math.lgamma(0.5) for n in inside)
        return ups - math.lgamma(inside.sum() + classes / 2) + math.lgamma(classes / 2)

    every = {}
    for r in range(1, min(most, cells) + 1):
        prior = 1.0 if r == 1 else 1 / (min(most, cells) - 1) / math.comb(cells - 1, r - 1)
        for starts in itertools.combinations(range(1, cells), r - 1):
            ends = (0, *starts, cells)
            every[starts] = math.log(prior) + sum(segment(counts[a:b]) for a, b in itertools.pairwise(ends))
    several = [value for starts, value in every.items() if starts]
    return max(every, key=every.__getitem__), float(np.logaddexp.reduce(several) - every[()])


@pytest.mark.parametrize("most", [2, 4, 8])
@pytest.mark.parametrize("classes", [2, 3])
def test_segments_are_the_likeliest_of_all_partitions(most: int, classes: int) -> None:
    """Numbers of three, five and eight cells at once, with a step, with two, and with nothing to see."""
    generator = np.random.default_rng(10 * most + classes)
    steps = np.repeat([[0.1, 0.7, 0.2], [0.5, 0.5, 0.5], [0.1, 0.1, 0.9]], [2, 3, 3], axis=1)
    cells, numbers = np.array([8, 3, 8, 5, 8]), []
    for number, many in enumerate(cells):
        second = generator.binomial(12, steps[number % 3][:many])
        table = np.stack([12 - second, second, *[generator.binomial(5, 0.3, many)] * (classes - 2)], axis=1)
        numbers.append(np.vstack([table, np.zeros((8 - many, classes), dtype=np.int64)]))
    slow = [brute_force(table[:many], most) for table, many in zip(numbers, cells, strict=True)]
    assert likeliest_segments(np.array(numbers), cells, most) == [starts for starts, _ in slow]
    assert len({len(starts) for starts, _ in slow}) > 1
    for table, many, (_, evidence) in zip(numbers, cells, slow, strict=True):
        assert log_evidence(table[:many], most) == pytest.approx(evidence, rel=1e-10)
