"""Peak memory of fresh processes that work on large tables in the ordinary way.

    python -m benchmarks.past_memory.ordinary

`links`: a model is selected for 150 variables x 10^6 rows. `climb`: a network is learned of table e, 100 variables x
10^6 rows, by hill climbing with BDeu. The codes are read with `numpy.load` and handed to `Dataset.from_codes`, which
keeps bit planes of them and nothing else; the kernels are loaded after that, by the first count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.peer_worker import peak_mib
from benchmarks.peers import ONE_THREAD, ROOT

TARGETS = {"links": 264, "climb": 250}


def make(folder: Path, way: str, rows: int) -> None:
    """Codes and numbers of levels as files."""
    if way == "links":
        from engine.simulation.associations import many_variables

        rng = np.random.default_rng(1)
        model = many_variables("ternary", rng)
        codes, arity = model.sample_codes(rows, rng), np.asarray(model.arities)
    else:
        from benchmarks.tables import make_table

        codes, arity = make_table("e")
        codes = codes[:, :rows]
    np.save(folder / "codes.npy", codes.astype(np.uint8))
    np.save(folder / "arity.npy", arity)


def work(folder: Path, way: str) -> None:
    """Read, pack, search; print the peak after each."""
    import engine

    peaks = {"import": peak_mib()}
    arity = np.load(folder / "arity.npy").tolist()
    data = engine.Dataset.from_codes(np.load(folder / "codes.npy"), arity, [f"x{i:03d}" for i in range(len(arity))])
    peaks["packed"] = peak_mib()
    began = time.process_time()
    if way == "links":
        edges = engine.LogLinear().run(data).graph.number_of_edges()
    else:
        edges = engine.learn(data, engine.BDeu(1.0), engine.HillClimbing()).number_of_edges()
    peaks["searched"] = peak_mib()
    words = ", ".join(f"{name} {peak:.0f}" for name, peak in peaks.items())
    print(f"{way}: {words} MiB (target {TARGETS[way]}); {edges} edges; ", end="")
    print(f"{time.process_time() - began:.2f} s of CPU for the search, kernels loaded in it")


def main() -> None:
    """Both, each in processes of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--worker", nargs=3, metavar=("FOLDER", "WAY", "DO"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        folder, way = Path(given.worker[0]), given.worker[1]
        if given.worker[2] == "make":
            make(folder, way, given.rows)
        else:
            work(folder, way)
        return
    for way in TARGETS:
        with tempfile.TemporaryDirectory() as name:
            for do in ("make", "work"):  # this process stays small: a child's peak begins with its parent's
                command = [sys.executable, "-m", "benchmarks.past_memory.ordinary", "--rows", str(given.rows)]
                environment = {**os.environ, **ONE_THREAD}
                subprocess.run([*command, "--worker", name, way, do], cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    main()
