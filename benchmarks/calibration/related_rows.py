"""Group comparisons where rows belong together: false calls and power, with the role of the subject and without it.

    python -m benchmarks.calibration.related_rows                     100 tables a cell, every cell
    python -m benchmarks.calibration.related_rows --cell clinics --tables 25
    python -m benchmarks.calibration.related_rows --markdown docs/calibration-related-rows.md

Every variable is an ordered probit on up to two parents: its hidden value has a part that all rows of a cluster share,
whose share of the variance is the ICC. Bars were set before any table was drawn; a cell misses its bar only if the 95 %
Clopper-Pearson interval of its share excludes it. *Called* is a P(differs) of .5 and more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import norm

import engine
from benchmarks.calibration.group_differences import CALLED, Cell, Counted, main
from engine.data.dataset import Dataset
from engine.data.notes import left_out_note
from engine.data.rows.relations import CLUSTERS, ORDER, SERIES

VARIABLES = 6
COEFFICIENT = 0.5
"""Effect of a parent's code, centred, on the hidden value."""
CALLED_NULL, CALLED_EDGE = "role set: any called", "role set: any called (6 + 6 clusters)"
FOUND_CLINICS, FOUND_SUBJECTS = "role set: found, 20 clinics", "role set: found, 60 subjects"
SURELY, OTHERS = "role set: found as 'differs'", "role set: another called"
LOST, MOVED_BY_ONE = "role set: found without the role only", "one miscoded row: a P moves by more than .1"
RAW_ANY, RAW_FOUND, RAW_OTHERS = "no role: any called", "no role: found", "no role: another called"
CARD, NO_CARD = "card for clinics", "any card for a harmless code"
NOTE, NO_NOTE = "note on gaps, by group and a variable", "note on gaps at random"


def cells() -> list[Cell]:
    """Every cell of the bars for rows that belong together."""
    clinics, subjects = partial(_sizes, 20, 100), partial(_sizes, 60, 10)
    return [
        Cell("null, 20 clinics x 100, ICC .03", partial(_null, clinics, 0.03, CALLED_NULL, 0, False)),
        Cell("null, 60 subjects x 10, ICC .25", partial(_null, subjects, 0.25, CALLED_NULL, 0, False)),
        Cell("null, 10 + 10 of 5 to 200 rows, ICC .1", partial(_null, _unequal, 0.1, CALLED_NULL, 0, False)),
        Cell("null, 6 + 6 x 50, ICC .1", partial(_null, partial(_sizes, 12, 50), 0.1, CALLED_EDGE, 0, False)),
        Cell(
            "null, two variables constant in a subject, 60 x 10", partial(_null, subjects, 0.25, CALLED_NULL, 2, False)
        ),
        Cell("null, copies, weights 1 to 6", partial(_null, _weights, 1.0, CALLED_NULL, 0, False)),
        Cell("null, halves of a series, blocks", _halves),
        Cell("null, groups inside 60 subjects x 10, ICC .25", partial(_null, subjects, 0.25, CALLED_NULL, 0, True)),
        Cell("25 points, 20 clinics x 100, ICC .03", partial(_moved, clinics, 0.03, 0.25, FOUND_CLINICS)),
        Cell("25 points, 60 subjects x 10, ICC .25", partial(_moved, subjects, 0.25, 0.25, FOUND_SUBJECTS)),
        Cell("15 points, independent rows, a harmless subject column", _harmless),
        Cell("one miscoded row, 20 clinics x 100", _miscoded),
        Cell("not told: 20 clinics x 100, ICC .03, 10 binary variables", partial(_card, clinics, 0.03, CARD)),
        Cell("not told: a code of 20 values, independent rows", partial(_card, clinics, 0.0, NO_CARD)),
        Cell("not told: a code of 300 values, independent rows", partial(_card, partial(_sizes, 300, 2), 0.0, NO_CARD)),
        Cell("gaps by group and a variable, 600 rows", partial(_gaps, NOTE)),
        Cell("gaps at random, 600 rows", partial(_gaps, NO_NOTE)),
    ]


# -- tables -----------------------------------------------------------------------------------------------------------


def _sizes(many: int, rows: int, generator: np.random.Generator) -> np.ndarray:
    return np.full(many, rows)


def _unequal(generator: np.random.Generator) -> np.ndarray:
    return np.round(np.exp(generator.uniform(np.log(5), np.log(200), 20))).astype(np.int64)


def _weights(generator: np.random.Generator) -> np.ndarray:
    """300 rows, each copied 1 to 6 times: a cluster of copies."""
    return generator.integers(1, 7, 300)


class _Truth:
    """An ordered probit network whose hidden values have a part that clusters share."""

    def __init__(self, generator: np.random.Generator, icc: float, constant: int = 0) -> None:
        n = VARIABLES
        self.icc = np.full(n, icc)
        self.icc[:constant] = 1.0
        self.levels = generator.integers(2, 4, n)
        self.parents = [
            generator.choice(
                np.arange(constant, i), size=min(int(generator.integers(0, 3)), max(i - constant, 0)), replace=False
            )
            for i in range(n)
        ]
        self.effects = [generator.normal(0, COEFFICIENT, len(own)) for own in self.parents]
        self.cuts = [np.sort(norm.ppf(generator.uniform(0.25, 0.75, r - 1))) for r in self.levels]
        self.moved, self.shift = -1, 0.0

    def sample(self, cluster: np.ndarray, second: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """(rows, n) codes."""
        codes = np.zeros((len(cluster), VARIABLES), dtype=np.int64)
        for i in range(VARIABLES):
            shared = generator.normal(size=cluster.max() + 1)[cluster]
            hidden = np.sqrt(self.icc[i]) * shared + np.sqrt(1 - self.icc[i]) * generator.normal(size=len(cluster))
            for x, effect in zip(self.parents[i], self.effects[i], strict=True):
                # where hidden values are shared whole, so is what the parents add
                hidden = hidden + effect * (codes[:, x] - (self.levels[x] - 1) / 2)
            hidden = hidden + (self.shift * second if i == self.moved else 0.0)
            codes[:, i] = np.searchsorted(self.cuts[i], hidden)
        return codes

    def move(self, points: float, generator: np.random.Generator) -> None:
        """Shift a variable's hidden value in the second group until its top level is so much more frequent there."""
        self.moved = int(generator.integers(0, VARIABLES))
        seed = int(generator.integers(1 << 30))
        rows = np.arange(40_000)

        def share() -> float:
            codes = self.sample(rows, np.ones(len(rows)), np.random.default_rng(seed))
            return float((codes[:, self.moved] == self.levels[self.moved] - 1).mean())

        self.shift = 0.0
        before = share()
        low, high = 0.0, 4.0
        while high - low > 1e-3:
            self.shift = (low + high) / 2
            low, high = (self.shift, high) if share() - before < points else (low, self.shift)


def _groups(many: int, generator: np.random.Generator) -> np.ndarray:
    """(clusters,) half of them in the second group."""
    return generator.permutation(np.arange(many) % 2)


def _verdicts(codes: np.ndarray, second: np.ndarray, cluster: np.ndarray | None) -> tuple[list[str], np.ndarray]:
    names = [f"v{i}" for i in range(VARIABLES)]
    columns = [*codes.T, second.astype(np.int64)] + ([] if cluster is None else [cluster])
    levels = [*(int(row.max()) + 1 for row in columns)]
    more = [] if cluster is None else ["cluster"]
    roles = {} if cluster is None else {"cluster": "subject"}
    data = Dataset.from_codes(np.vstack(columns), levels, [*names, "group", *more], roles=roles)
    found = engine.GroupDifference(group="group").run(data).variables()
    return [str(found["verdict"][name]) for name in names], found["probability"][names].to_numpy()


def _any(verdicts: list[str], but: int = -1) -> int:
    return int(any(one in CALLED for i, one in enumerate(verdicts) if i != but))


def _null(
    sizes: Callable[[np.random.Generator], np.ndarray],
    icc: float,
    quantity: str,
    constant: int,
    inside: bool,
    generator: np.random.Generator,
) -> Counted:
    clusters = sizes(generator)
    cluster = np.repeat(np.arange(len(clusters)), clusters)
    truth = _Truth(generator, icc, constant)
    if icc == 1.0:  # copies: every row of a cluster is the same row
        truth.icc[:] = 0.0
        rows = truth.sample(np.arange(len(clusters)), np.zeros(len(clusters)), generator)
        codes, second = rows[cluster], _groups(len(clusters), generator)[cluster]
    else:
        second = _groups(len(clusters), generator)[cluster]
        if inside:
            second = generator.integers(0, 2, len(cluster))
        codes = truth.sample(cluster, np.zeros(len(cluster)), generator)
    return {
        quantity: (_any(_verdicts(codes, second, cluster)[0]), 1, 0.0),
        RAW_ANY: (_any(_verdicts(codes, second, None)[0]), 1, 0.0),
    }


def _halves(generator: np.random.Generator) -> Counted:
    """One stationary series of 1,200 steps, its first half against its second; hidden values are autoregressive.

    The card is answered: rows were measured one after the other.
    """
    rows = 1200
    truth = _Truth(generator, 0.0)
    codes = np.zeros((rows, VARIABLES), dtype=np.int64)
    for i in range(VARIABLES):
        noise, hidden = generator.normal(size=rows), np.zeros(rows)
        hidden[0] = noise[0]
        for t in range(1, rows):
            hidden[t] = 0.7 * hidden[t - 1] + np.sqrt(1 - 0.7**2) * noise[t]
        for x, effect in zip(truth.parents[i], truth.effects[i], strict=True):
            hidden = hidden + effect * (codes[:, x] - (truth.levels[x] - 1) / 2)
        codes[:, i] = np.searchsorted(truth.cuts[i], hidden)
    second = np.arange(rows) >= rows // 2
    frame = pd.DataFrame(codes, columns=[f"v{i}" for i in range(VARIABLES)]).astype(str)
    frame["group"] = np.where(second, "late", "early")
    data = engine.Recipe(settled={f"{ORDER}:": SERIES}).apply(frame)
    answered = engine.GroupDifference(group="group").run(data).variables()["verdict"]
    return {
        CALLED_NULL: (int(answered.isin(CALLED).any()), 1, 0.0),
        RAW_ANY: (_any(_verdicts(codes, second, None)[0]), 1, 0.0),
    }


def _moved(
    sizes: Callable[[np.random.Generator], np.ndarray],
    icc: float,
    points: float,
    quantity: str,
    generator: np.random.Generator,
) -> Counted:
    clusters = sizes(generator)
    cluster = np.repeat(np.arange(len(clusters)), clusters)
    second = _groups(len(clusters), generator)[cluster]
    truth = _Truth(generator, icc)
    truth.move(points, generator)
    codes = truth.sample(cluster, second, generator)
    verdicts, raw = (_verdicts(codes, second, of)[0] for of in (cluster, None))
    return {
        quantity: (int(verdicts[truth.moved] in CALLED), 1, 0.0),
        SURELY: (int(verdicts[truth.moved] == "differs"), 1, 0.0),
        OTHERS: (_any(verdicts, truth.moved), 1, 0.0),
        RAW_FOUND: (int(raw[truth.moved] in CALLED), 1, 0.0),
        RAW_OTHERS: (_any(raw, truth.moved), 1, 0.0),
    }


def _harmless(generator: np.random.Generator) -> Counted:
    """600 rows that are independent, with a column that says they are of 60 subjects."""
    cluster = np.repeat(np.arange(60), 10)
    second = _groups(60, generator)[cluster]
    truth = _Truth(generator, 0.0)
    truth.move(0.15, generator)
    codes = truth.sample(cluster, second, generator)
    with_role, without = (_verdicts(codes, second, of)[0][truth.moved] in CALLED for of in (cluster, None))
    return {
        LOST: (int(without and not with_role), 1, 0.0),
        "role set: found": (int(with_role), 1, 0.0),
        RAW_FOUND: (int(without), 1, 0.0),
    }


def _card(
    sizes: Callable[[np.random.Generator], np.ndarray], icc: float, quantity: str, generator: np.random.Generator
) -> Counted:
    """A table as a person gives it, its rows in random order, with a text code that nobody explains."""
    clusters = sizes(generator)
    cluster = np.repeat(np.arange(len(clusters)), clusters)
    codes = np.empty((len(cluster), 10), dtype=np.int64)
    for i in range(10):
        shared, own = generator.normal(size=cluster.max() + 1)[cluster], generator.normal(size=len(cluster))
        hidden = np.sqrt(icc) * shared + np.sqrt(1 - icc) * own + (0.5 * codes[:, i - 1] if i else 0.0)
        codes[:, i] = hidden > generator.uniform(-0.5, 0.8)
    frame = pd.DataFrame(codes, columns=[f"symptom {i}" for i in range(10)]).replace({0: "no", 1: "yes"})
    frame["clinic"] = [f"K{one:03d}" for one in cluster]
    found = Dataset.from_frame(frame.iloc[generator.permutation(len(frame))]).relations
    called = [one for one in found if quantity != CARD or one.kind == CLUSTERS]
    return {quantity: (int(bool(called)), 1, 0.0)}


def _gaps(quantity: str, generator: np.random.Generator) -> Counted:
    """One of six variables lacks values: at random in 15 %, or in 5 % of one group and 15 or 35 % of the other."""
    codes = _Truth(generator, 0.0).sample(np.arange(600), np.zeros(600), generator)
    second = generator.integers(0, 2, 600)
    share = np.full(600, 0.15)
    if quantity == NOTE:
        share = np.where(second == 1, np.where(codes[:, 1] > 0, 0.35, 0.15), 0.05)
    frame = pd.DataFrame(codes, columns=[f"v{i}" for i in range(VARIABLES)]).astype(object)
    frame.loc[generator.random(600) < share, "v0"] = None
    frame["group"] = np.where(second == 1, "B", "A")
    return {quantity: (int(bool(left_out_note(Dataset.from_frame(frame), "group"))), 1, 0.0)}


def _miscoded(generator: np.random.Generator) -> Counted:
    cluster = np.repeat(np.arange(20), 100)
    second = _groups(20, generator)[cluster]
    truth = _Truth(generator, 0.03)
    codes = truth.sample(cluster, np.zeros(len(cluster)), generator)
    turned = second.copy()
    turned[generator.integers(len(turned))] ^= 1
    p, q = (_verdicts(codes, labels, cluster)[1] for labels in (second, turned))
    return {MOVED_BY_ONE: (int(np.abs(p - q).max() > 0.1), 1, 0.0)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], cells(), "python -m benchmarks.calibration.related_rows", "Rows that belong together"))
