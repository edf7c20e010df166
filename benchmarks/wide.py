"""A table of thousands of variables: what a hill climb takes, and the most memory of its process.

DIPTYCH_THREADS=1 python -m benchmarks.wide                     # 3,000 variables, 10,000 rows
DIPTYCH_THREADS=1 python -m benchmarks.wide --variables 1000
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

import engine
from benchmarks.tables import SEED, Size, dataset, draw, random_network
from engine.counting.backend import prepare_compiled

MOST_PARENTS = 5


def main() -> None:
    """Draw, climb, say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--variables", type=int, default=3_000)
    parser.add_argument("--rows", type=int, default=10_000)
    given = parser.parse_args()
    rng = np.random.default_rng(SEED)
    network = random_network(Size(given.rows, given.variables, 3 * given.variables // 2, (2, 3)), rng)
    data = dataset(draw(network, given.rows, rng), network.arity)
    prepare_compiled()
    start = time.process_time()
    graph = engine.learn(data, engine.BDeu(1.0), "hill_climbing", max_parents=MOST_PARENTS)
    taken = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{given.variables:,} variables x {given.rows:,} rows, at most {MOST_PARENTS} parents: {taken:.1f} s of CPU, ",
        end="",
    )
    print(f"{graph.number_of_edges():,} arcs, peak {peak:.0f} MiB with the drawing of the rows")


if __name__ == "__main__":
    main()
