"""False links where rows belong together: null tables of subjects and of clinics, with the role and without it.

    python -m benchmarks.calibration.clustered_links                       100 tables a cell, every cell
    python -m benchmarks.calibration.clustered_links --tables 20 --method ordinal --draws 50

Variables are normal values that were cut into levels; a share of each one's variance (the intraclass correlation) is
the subject's, and no variable knows of another. So every link is false. There is no bar; the figures are told.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np

import engine
from benchmarks.calibration.shares import Share
from engine import execution
from engine.data.dataset import Dataset

VARIABLES = 8
LINK, CLAIMED = "any link", "any link beyond chance"
CRITERIA = ("mml", "bic", "smt")
SEED = 20


@dataclass(frozen=True)
class Rows:
    """How rows belong together.

    Attributes
    ----------
    name : what they are
    subjects, each : how many subjects, and rows of each
    icc : share of a variable's variance that is the subject's
    """

    name: str
    subjects: int
    each: int
    icc: float

    def table(self, levels: tuple[int, int], generator: np.random.Generator) -> Dataset:
        """Unrelated variables with so many levels, and whose rows they are."""
        who = np.repeat(np.arange(self.subjects), self.each)
        codes, sizes = [who], [self.subjects]
        for _ in range(VARIABLES):
            size = int(generator.integers(levels[0], levels[1] + 1))
            own = generator.standard_normal(self.subjects)[who] * np.sqrt(self.icc)
            value = own + generator.standard_normal(len(who)) * np.sqrt(1 - self.icc)
            cuts = np.quantile(generator.standard_normal(4000), np.cumsum(generator.dirichlet(np.full(size, 5.0)))[:-1])
            codes.append(np.searchsorted(cuts, value))
            sizes.append(size)
        names = ["subject", *(f"v{i}" for i in range(VARIABLES))]
        kinds = dict.fromkeys(names[1:], "ordinal")
        return Dataset.from_codes(np.array(codes), sizes, names, kinds=kinds, roles={"subject": "subject"})


CELLS = (
    Rows("60 subjects x 10, ICC .25", 60, 10, 0.25),
    Rows("20 clinics x 100, ICC .03", 20, 100, 0.03),
    Rows("60 subjects x 10, ICC 0", 60, 10, 0.0),
)


def without_role(data: Dataset) -> Dataset:
    """The same rows, each of its own."""
    return Dataset.from_codes(data.codes, [len(data.levels[name]) for name in data.names], data.names, kinds=data.kinds)


def measure(
    rows: Rows, method: engine.LogLinear | engine.Ordinal, levels: tuple[int, int], seed: np.random.SeedSequence
) -> dict[str, tuple[bool, bool]]:
    """With the role and without: whether there is a link, and one beyond chance."""
    generator = np.random.default_rng(seed)
    data = rows.table(levels, generator)
    while min(len(np.unique(line)) for line in data.codes) < 2:  # a variable of one value cannot be asked
        data = rows.table(levels, generator)
    found = {}
    for name, one in (("role", data), ("none", without_role(data))):
        result = method.run(one)
        claims = result.claims()
        edges = next(iter(result.graphs().values())).number_of_edges()
        found[name] = (edges > 0, bool((claims["verdict"] == "yes").any()))
    return found


def methods(draws: int) -> Iterator[tuple[str, engine.LogLinear | engine.Ordinal, tuple[int, int]]]:
    """What is asked, under which name, and of how many levels."""
    for criterion in CRITERIA:
        yield f"associations, {criterion}", engine.LogLinear(criterion=criterion), (2, 3)
    for penalty in (3.0, 1.0):
        yield f"ordinal, penalty {penalty:g}", engine.Ordinal(penalty=penalty, draws=draws), (3, 5)
    yield "ordinal, gpc", engine.Ordinal(approach="gpc"), (3, 5)


def shares(cell: str, found: Sequence[Mapping[str, tuple[bool, bool]]], role: str) -> list[Share]:
    """Of how many tables there is a link, and one beyond chance."""
    return [Share(cell, what, sum(one[role][k] for one in found), len(found)) for k, what in enumerate((LINK, CLAIMED))]


def main() -> None:
    """Draw, measure, print one line a cell."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--method", default="", help="only those whose name begins so")
    parser.add_argument("--draws", type=int, default=100, help="of the ordinal fit; 600 is the method's own")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    print(f"{'method':24} {'rows':28} {'':6} {LINK:24} {CLAIMED:24}")
    for name, method, levels in methods(asked.draws):
        if not name.startswith(asked.method):
            continue
        for rows in CELLS:
            begun = time.perf_counter()
            seeds = np.random.SeedSequence([SEED, crc32(f"{name}{rows.name}".encode())]).spawn(asked.tables)
            once: Callable[[np.random.SeedSequence], dict[str, tuple[bool, bool]]] = partial(
                measure, rows, method, levels
            )
            found = execution.map(once, seeds, jobs=asked.jobs)
            for role in ("none", "role"):
                link, claimed = shares(rows.name, found, role)
                print(f"{name:24} {rows.name:28} {role:6} {told(link):24} {told(claimed):24}", flush=True)
            print(f"  {time.perf_counter() - begun:.0f} s", flush=True)


def told(share: Share) -> str:
    """'3 of 100 (.01 to .09)'."""
    low, high = share.interval
    return f"{share.hits} of {share.of} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    main()
