"""Peak memory of a fresh process that selects a model for 150 variables x 10^6 rows.

    python -m benchmarks.log_linear_memory

`array`: the codes are read into memory, as a script would. `mapped`: they are mapped from the file, packed, and the
pages given back before the search, as the authors' program does, which keeps bit sets only.
"""

from __future__ import annotations

import argparse
import mmap
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.peer_worker import peak_mib
from benchmarks.peers import ONE_THREAD, ROOT


def make(folder: Path, rows: int) -> None:
    """Codes and numbers of levels as files."""
    from engine.simulation.associations import many_variables

    rng = np.random.default_rng(1)
    model = many_variables("ternary", rng)
    np.save(folder / "codes.npy", model.sample_codes(rows, rng))
    np.save(folder / "arities.npy", model.arities)


def work(folder: Path, mapped: bool) -> None:
    """Read, pack, select; print the peak after each."""
    import engine

    peaks = {"import": peak_mib()}
    codes = np.load(folder / "codes.npy", mmap_mode="r" if mapped else None)
    codes.flags.writeable = False  # so that it is taken as it is
    arities = np.load(folder / "arities.npy").tolist()
    data = engine.Dataset.from_codes(codes, arities, [f"x{i:03d}" for i in range(len(arities))])
    assert data.planes.n_rows == codes.shape[1] and data.fingerprint
    peaks["packed"] = peak_mib()
    if mapped:
        codes._mmap.madvise(mmap.MADV_DONTNEED)  # type: ignore[attr-defined]
    result = engine.LogLinear().run(data)
    peaks["selected"] = peak_mib()
    words = ", ".join(f"{name} {peak:.0f}" for name, peak in peaks.items())
    print(f"{'mapped' if mapped else 'array'}: {words} MiB; {result.graph.number_of_edges()} edges; ", end="")
    print(f"{time.process_time():.2f} s of CPU in all")


def main() -> None:
    """Both ways, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--worker", nargs=2, metavar=("FOLDER", "WAY"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        folder, way = Path(given.worker[0]), given.worker[1]
        if way == "make":
            make(folder, given.rows)
        else:
            work(folder, way == "mapped")
        return
    with tempfile.TemporaryDirectory() as name:
        for way in ("make", "array", "mapped"):  # this process stays small: a child's peak begins with its parent's
            command = [sys.executable, "-m", "benchmarks.log_linear_memory", "--rows", str(given.rows)]
            subprocess.run([*command, "--worker", name, way], cwd=ROOT, env={**os.environ, **ONE_THREAD}, check=True)


if __name__ == "__main__":
    main()
