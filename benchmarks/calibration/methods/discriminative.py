"""How often classes that do not differ are told apart, and planted links found: series and rows.

The bars are those that were set before the tables were drawn: of classes dealt at random a family is called in at most
7 %, the classes are said to differ in at most 7 %, and of those held out about half are classified correctly even where
settings are chosen; a link that is planted is called in four of five tables.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.calibration.cell import Bar, Cell, Counted
from engine.data.dataset import Dataset
from engine.methods.discriminative.families import SIGNIFICANCE, beyond_chance
from engine.methods.discriminative.method import Discriminative
from engine.methods.discriminative.result import DiscriminativeResult
from engine.simulation.series import DynamicNetwork, random_pair, sample_subjects, with_noise

ANY = "classes dealt at random: any family called"
TOLD = "permuted classes: said to differ"
RIGHT = "permuted classes: held out and classified correctly"
CHOSEN = "the same with settings chosen in an inner loop"
PLANTED = "a planted link called"
FALSE = "another family called beside it"
APART = "classes that differ: said to differ"
BARS = {
    ANY: Bar(high=0.07),
    TOLD: Bar(high=0.07),
    RIGHT: Bar(low=0.47, high=0.53),
    CHOSEN: Bar(low=0.47, high=0.53),
    PLANTED: Bar(low=0.8),
}
SHUFFLES = 39
"""Of every table: .05 is then two of forty."""


def cells() -> list[Cell]:
    """Series and rows without a difference, and series with one planted link."""
    return [
        Cell("24 series of 12 variables, 200 steps", partial(_null_series, 24, 12, 200), 0.2),
        Cell("15 series of 6 variables, 10 and 5, 200 steps", partial(_null_series, 15, 6, 200), 0.4),
        Cell("20 series of 6 variables, 60 steps in one class and 240 in the other", partial(_null_unlike, False), 0.2),
        Cell("20 series of 6 variables, 60 to 160 and 100 to 240 steps", partial(_null_unlike, True), 0.2),
        Cell("120 rows of 8 variables, 80 and 40", _null_rows, 0.2),
        Cell("24 series of 8 variables, 300 steps, one link .22 and .05", partial(_planted, 24, 8, 300, 0), 0.4),
        Cell(
            "24 series of 8 variables, 300 steps, the same with subject noise", partial(_planted, 24, 8, 300, 30), 0.4
        ),
    ]


def series_data(codes: np.ndarray, labels: np.ndarray) -> Dataset:
    """Codes (p, S, T) of series and (S,) classes as a data set."""
    p, subjects, steps = codes.shape
    who, when = np.repeat(np.arange(subjects), steps), np.tile(np.arange(steps), subjects)
    names = [*(f"v{i:02d}" for i in range(p)), "class", "subject", "time"]
    table = np.vstack([codes.reshape(p, -1), np.repeat(labels, steps), who, when])
    levels = [int(codes.max()) + 1] * p + [2, subjects, steps]
    return Dataset.from_codes(table, levels, names, roles={"subject": "subject", "time": "time"})


def _null_series(subjects: int, variables: int, steps: int, generator: np.random.Generator) -> Counted:
    """One network for all; classes dealt at random, a third of them to one class where the number is odd."""
    one, _, _ = random_pair(variables, 0, generator)
    first = subjects // 2 if subjects % 2 == 0 else subjects // 3
    labels = generator.permutation((np.arange(subjects) < first).astype(np.int64))
    return _null(series_data(one.sample(subjects, steps, generator), labels), generator)


def _null_unlike(overlap: bool, generator: np.random.Generator) -> Counted:
    """One network for all; how long a series is hangs on its class."""
    one, _, _ = random_pair(6, 0, generator)
    labels = generator.permutation(np.arange(20) % 2)
    lengths = np.where(labels == 0, 60, 240)
    if overlap:
        lengths = np.where(labels == 0, generator.integers(60, 161, 20), generator.integers(100, 241, 20))
    data = series_data(one.sample(20, 240, generator), labels)
    return _null(data.rows(np.tile(np.arange(240), 20) < np.repeat(lengths, 240)), generator)


def _null_rows(generator: np.random.Generator) -> Counted:
    """Rows whose variables lean on each other the same way in both classes."""
    codes = generator.integers(0, 3, (8, 120))
    for i in range(1, 8, 2):
        codes[i] = np.where(generator.random(120) < 0.5, codes[i - 1], codes[i])
    labels = generator.permutation((np.arange(120) < 40).astype(np.int64))
    names = [*(f"v{i}" for i in range(8)), "class"]
    return _null(Dataset.from_codes(np.vstack([codes, labels]), [3] * 8 + [2], names), generator)


def _null(data: Dataset, generator: np.random.Generator) -> Counted:
    result = _run(data, generator)
    held, claims = result.held_out, result.claims()
    counted = {
        ANY: (int(_called(result).any()), 1),
        TOLD: (int((claims["kind"] == "classes told").to_numpy() @ (claims["verdict"] == "yes").to_numpy()), 1),
        RIGHT: _balanced(held.by_class, held.sizes),
    }
    if result.series and len(result.names) > 8:
        chosen = result.method.evaluate(data, choose=("top_families", "parameters"), shuffles=0)
        counted[CHOSEN] = _balanced(chosen.by_class, chosen.sizes)
    return counted


def _planted(subjects: int, variables: int, steps: int, rho: int, generator: np.random.Generator) -> Counted:
    one, other, (child,) = random_pair(variables, 1, generator)
    labels = np.arange(subjects) % 2
    networks: list[DynamicNetwork] = [with_noise((one, other)[k], rho, generator) for k in labels]
    data = series_data(sample_subjects(networks, steps, generator), labels)
    result = _run(data, generator)
    place = one.names.index(child)
    parent = f"v{one.parents[place][1]:02d}"
    called = result.families()[_called(result)]
    right = (called["child"] == f"v{place:02d}") & called["parents"].map(lambda group: parent in group)
    others = int((called["child"] != f"v{place:02d}").any())
    return {PLANTED: (int(right.any()), 1), FALSE: (others, 1), APART: (int(result.held_out.p <= SIGNIFICANCE), 1)}


def _run(data: Dataset, generator: np.random.Generator) -> DiscriminativeResult:
    return Discriminative("class", shuffles=SHUFFLES, seed=int(generator.integers(1 << 31))).run(data)


def _called(result: DiscriminativeResult) -> np.ndarray:
    """(families,) which are said to be beyond chance."""
    ranked = result.families()
    return (beyond_chance(ranked) & (ranked["parents"].map(len) > 0)).to_numpy()


def _balanced(hits: np.ndarray, sizes: np.ndarray) -> tuple[int, int]:
    """Rightly told of as many of each class, so that half is chance whatever the sizes: of the smaller's number "
    "each."""
    each = int(sizes.min())
    return round(float((hits / sizes).sum() * each)), len(sizes) * each
