"""Other libraries' GES on the same table in the same run: seconds, edges, and what their graph scores.

    python -m pip install causal-learn ges     # for measuring only; a library that is missing is said to be
    python -m benchmarks.ges_peers --table b --limit 600

The tables are size b of `benchmarks.tables` (50 variables, 100 arcs, 1,000 rows) and "snv" (143
variables, 1,761 rows). Every library runs in a process of its
own under a limit of CPU seconds. Scores are this package's exact ones of the graph that was found.
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

from benchmarks.peer_scores import save_table
from benchmarks.peers import ONE_THREAD, ROOT

LIBRARIES = ("ours, prior", "ours, prior, fast", "ours", "causal-learn", "ges", "pgmpy")
LINE = "{:<18} {:>9} {:>6} {:>11} {:>12} {:>16} {:>6}"
NOT_INSTALLED = 3


def run(library: str, folder: Path, limit: int) -> dict[str, Any] | str:
    """What the worker answers, or why it did not."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.ges_peer_worker", library, str(folder), str(limit)],
        cwd=ROOT,
        env={**os.environ, **ONE_THREAD},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return answer
    if done.returncode == NOT_INSTALLED:
        return "not installed"
    if done.returncode < 0:
        return f"> {limit}"
    print(*done.stderr.strip().splitlines()[-1:], file=sys.stderr)
    return "failed"


def main() -> None:
    """Print a line for each library."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--limit", type=int, default=600, help="CPU seconds for each library")
    parser.add_argument("--table", default="b", choices=("b", "snv"))
    parser.add_argument("--only", nargs="+", default=list(LIBRARIES), choices=LIBRARIES)
    given = parser.parse_args()
    print(LINE.format("library", "learn s", "edges", "undirected", "BDeu(1)", "with the prior", "MiB"), flush=True)
    versions: dict[str, str] = {"python": sys.version.split()[0]}
    with tempfile.TemporaryDirectory() as name:
        save_table(given.table, Path(name))
        for library in given.only:
            answer = run(library, Path(name), given.limit)
            if isinstance(answer, str):
                print(LINE.format(library, answer, "", "", "", "", ""), flush=True)
                continue
            versions |= answer["versions"]
            print(
                LINE.format(
                    library,
                    f"{answer['learn']:.4f}",
                    answer["edges"],
                    answer["undirected"],
                    f"{answer['bdeu']:.2f}",
                    f"{answer['with_prior']:.2f}",
                    f"{answer['peak']:.0f}",
                ),
                flush=True,
            )
    print("versions:", ", ".join(f"{name} {number}" for name, number in versions.items()))


if __name__ == "__main__":
    main()
