"""A study is many blocks that know nothing of each other: worked on anywhere, kept as each ends, taken up again.

A block's outcome is kept as a small JSON file under a fingerprint of everything that decides it: the plan, its blocks
in their order, the data and the versions of what computes. A run that was killed goes on where it stopped, and gives
the table it would have given; another plan, or another version, starts from nothing.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.execution import Progress, map, silent

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
Outcome = tuple[list[Row], dict[str, float]]
"""The rows of a block, and the CPU seconds that they took by what took them."""
SECONDS = "block seconds"
"""Column of a tidy table: CPU seconds of the whole block that a row belongs to."""
PACKAGES = ("diptych", "numpy", "scipy", "numba", "scikit-learn")


@dataclass(frozen=True)
class Running:
    """Where and how the blocks of a study are worked on; nothing of it changes a figure.

    Attributes
    ----------
    jobs : blocks at once on this machine
    cluster : address of a Dask scheduler to use instead
    keep : folder in which finished blocks are kept, and looked for first; None to keep none
    progress : told after each block
    """

    jobs: int = 1
    cluster: str | None = None
    keep: Path | None = None
    progress: Progress = silent


HERE = Running()


def versions() -> dict[str, str]:
    """{"python": ..., "numpy": ...}: what computes here."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from a source tree that nobody installed
            found[name] = "unknown"
    return found


def run_blocks(
    function: Callable[[Any], Outcome],
    blocks: Sequence[Hashable],
    plan: Any,
    running: Running,
    *,
    words: str,
    data: Sequence[str] = (),
) -> list[Outcome]:
    """The outcome of every block, in their order.

    Parameters
    ----------
    function : block -> outcome; it can be pickled
    plan : a dataclass, all settings that decide an outcome
    words : what blocks are called in the progress
    data : fingerprints of the tables that the blocks start from

    Raises
    ------
    Cancelled : out of the progress of `running`
    """
    if running.keep is None:
        return map(function, blocks, jobs=running.jobs, cluster=running.cluster, progress=running.progress, words=words)
    folder = running.keep / _fingerprint(plan, blocks, data)
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{place:05d}.json" for place in range(len(blocks))]
    found = {place: held for place, file in enumerate(files) if (held := _read(file)) is not None}
    missing = [place for place in range(len(blocks)) if place not in found]
    already = len(found) / len(blocks)

    def kept(number: int, outcome: Outcome) -> None:
        _write(files[missing[number]], outcome)

    def progress(fraction: float, _: str) -> None:
        done = len(blocks) - len(missing) + round(fraction * len(missing))
        running.progress(already + (1 - already) * fraction, f"{words}: {done} of {len(blocks)}")

    new = map(
        function,
        [blocks[place] for place in missing],
        jobs=running.jobs,
        cluster=running.cluster,
        finished=kept,
        progress=progress,
    )
    found |= dict(zip(missing, new, strict=True))
    return [found[place] for place in range(len(blocks))]


def total(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """CPU seconds of all blocks by what took them."""
    seconds: dict[str, float] = {}
    for _, spent in outcomes:
        for what, many in spent.items():
            seconds[what] = seconds.get(what, 0.0) + many
    return seconds


def table_of(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """The rows of all blocks, each with the seconds of its block."""
    import pandas as pd

    return pd.DataFrame([row | {SECONDS: sum(spent.values())} for rows, spent in outcomes for row in rows])


def _fingerprint(plan: Any, blocks: Sequence[Hashable], data: Sequence[str]) -> str:
    everything = {"plan": asdict(plan), "blocks": list(blocks), "data": list(data), "versions": versions()}
    return hashlib.sha256(json.dumps(everything, sort_keys=True).encode()).hexdigest()[:16]


def _read(file: Path) -> Outcome | None:
    """None for a block that is not there, or was damaged since."""
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        return held["rows"], held["seconds"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(file: Path, outcome: Outcome) -> None:
    """Whole or not at all: a run may be killed while it writes."""
    rows, seconds = outcome
    unfinished = file.with_suffix(".part")
    # numbers of NumPy know their Python selves; floats are written so that they read back to the last bit
    text = json.dumps({"rows": rows, "seconds": seconds}, default=lambda number: number.item())
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)
