"""Other libraries on the same data and score in the same run: seconds, arcs, and what their graph scores.

    python -m benchmarks.peers --sizes a b c d --limit 600

Every library runs in a process of its own under a limit of CPU seconds. Scores are this package's exact ones of the
graph that was found: pyAgrum's own BDeu is inexact where a pseudo-count falls below 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.peer_scores import graph_score, save_table

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
ROOT = Path(__file__).parent.parent
PEERS = {"hill_climbing": ("ours", "pyagrum", "pgmpy"), "thick_thinning": ("ours", "pyagrum")}
LINE = "{:<5} {:<15} {:<8} {:>9} {:>9} {:>8} {:>9} {:>6} {:>6} {:>12} {:>6}"


def run_peer(library: str, search: str, folder: Path, limit: int) -> dict[str, Any] | None:
    """What the worker answers, or None where it did not end within the limit."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.peer_worker", library, search, str(folder), str(limit)],
        cwd=ROOT,
        env={**os.environ, **ONE_THREAD},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return answer
    if done.returncode > 0:
        print(done.stderr.strip().splitlines()[-1:], file=sys.stderr)
    return None


def compare(size: str, search: str, folder: Path, libraries: tuple[str, ...], limit: int) -> dict[str, str]:
    """Print a line for each library; the versions that ran."""
    mine: dict[str, Any] | None = None
    versions: dict[str, str] = {}
    for library in libraries:
        answer = run_peer(library, search, folder, limit)
        if answer is None:
            print(LINE.format(size, search, library, "-", f"> {limit}", "", "", "", "", "", ""), flush=True)
            continue
        versions |= answer["versions"]
        score = graph_score(folder, answer["arcs"], search)
        if mine is None:
            mine = {**answer, "score": score}
        same = len(set(map(tuple, answer["arcs"])) & set(map(tuple, mine["arcs"])))
        total = answer["load"] + answer["learn"]
        print(
            LINE.format(
                size,
                search,
                library,
                f"{answer['load']:.3f}",
                f"{answer['learn']:.4f}",
                f"{answer['learn'] / mine['learn']:.0f}",
                f"{total / mine['learn']:.0f}",
                len(answer["arcs"]),
                same,
                f"{score - mine['score']:+.1f}",
                f"{answer['peak']:.0f}",
            ),
            flush=True,
        )
    return versions


def main() -> None:
    """Print the table of the sizes that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", nargs="+", default=list("abcdf"), choices=list("abcdef"))
    parser.add_argument("--limit", type=int, default=600, help="CPU seconds for each library and size")
    parser.add_argument("--searches", nargs="+", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--only", nargs="+", default=["ours", "pyagrum", "pgmpy"], help="libraries")
    given = parser.parse_args()
    heads = (
        "size",
        "search",
        "library",
        "load s",
        "learn s",
        "ratio",
        "w. load",
        "arcs",
        "same",
        "score - ours",
        "MiB",
    )
    print(LINE.format(*heads))
    versions: dict[str, str] = {"python": sys.version.split()[0]}
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as name:
            save_table(size, Path(name))
            for search in given.searches:
                chosen = tuple(library for library in PEERS[search] if library in given.only)
                versions |= compare(size, search, Path(name), chosen, given.limit)
    print("versions:", ", ".join(f"{name} {number}" for name, number in versions.items()))


if __name__ == "__main__":
    main()
