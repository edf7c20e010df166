"""Which changes are made, and which tests each of them has to pass."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.changes import Change, changes
from tests.mutants.equivalent import why_equivalent

WHERE = (
    "engine/scores",
    "engine/search",
    "engine/counting",
    "engine/graphs",
    "engine/models",
    "engine/measures",
    "engine/resampling.py",
    "engine/simulation",
    "engine/methods",
    "engine/evaluation",
    "engine/data",
    "engine/project",
    "dashboard/jobs",
    "dashboard/session",
    "dashboard/views/shared/downloads.py",
)
"""What is changed. Drawing, files of other programs and pages are held by other means (browser, hostile files)."""

LEFT_OUT = re.compile(r"engine/graphs/drawing/|engine/.*/figures(/|\.py$)")
"""Where a node is drawn, and how high a chart is, is a matter of taste."""

AT_LEAST = 12
"""Changes of a folder, however small it is."""

NAMED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("engine/counting/", ("tests/engine/counting", "tests/engine/scores")),
    ("engine/data/preparing/deciding/", ("tests/engine/data/preparing/deciding", "tests/engine/data/preparing")),
    ("engine/data/preparing/", ("tests/engine/data/preparing", "tests/engine/data")),
    ("engine/methods/group_difference/", ("tests/engine/methods/group_difference",)),
    ("engine/methods/instance_specific/", ("tests/engine/methods/instance_specific",)),
    ("engine/methods/log_linear/", ("tests/engine/methods/log_linear",)),
    ("engine/methods/ordinal/", ("tests/engine/methods/ordinal",)),
    ("engine/methods/discriminative/", ("tests/engine/methods/discriminative",)),
    ("engine/methods/", ("tests/engine/methods", "tests/contract")),
)
"""Where the tests of a module stand in more than the mirrored folder, by how its path begins; the first that fits.

A kernel is what a score makes of it; what is prepared is seen in the data set and its recipe; the base of the methods
is held by the contract.
"""

_UNWANTED = ("test_speed",)


def folder_of(path: str) -> str:
    """The room a file is in, as the table of results shows it."""
    parts = path.split("/")
    deep = parts[:2] in (["engine", "methods"], ["engine", "evaluation"], ["engine", "data"], ["dashboard", "views"])
    return "/".join(parts[: 3 if deep and len(parts) > 3 else 2])


def tests_of(root: Path, path: str) -> tuple[str, ...]:
    """The test files of the mirrored folder, those with the module's name first; else those of the folder above."""
    stem = Path(path).stem
    for start, places in NAMED:
        if path.startswith(start):
            found = [file for place in places for file in _files(root, root / place)]
            return tuple(sorted(found, key=lambda one: (stem not in Path(one).stem, places.index(_place(one, places)))))
    folder = root / "tests" / Path(path).parent
    while folder != root / "tests":
        files = _files(root, folder)
        if files:
            return tuple(sorted(files, key=lambda one: (stem not in Path(one).stem, one)))
        folder = folder.parent
    return ()


def _place(file: str, places: Sequence[str]) -> str:
    return max((one for one in places if file.startswith(one)), key=len)


def _files(root: Path, place: Path) -> list[str]:
    tiers = ("test_*.py", "thorough/test_*.py")
    found = [place] if place.is_file() else [file for tier in tiers for file in sorted(place.glob(tier))]
    return [str(one.relative_to(root)) for one in found if one.stem not in _UNWANTED]


def all_changes(root: Path, only: Sequence[str] = ()) -> dict[str, list[Change]]:
    """Every change of every folder that is looked at; what is known to change nothing is left out."""
    by_folder: dict[str, list[Change]] = defaultdict(list)
    for place in WHERE:
        files = sorted((root / place).rglob("*.py")) if (root / place).is_dir() else [root / place]
        for file in files:
            path = str(file.relative_to(root))
            if not file.exists() or LEFT_OUT.match(path) or (only and not path.startswith(tuple(only))):
                continue
            found = changes(path, file.read_bytes())
            by_folder[folder_of(path)] += [one for one in found if why_equivalent(one) is None]
    return dict(by_folder)


def choose(by_folder: dict[str, list[Change]], count: int, seed: int) -> list[Change]:
    """About `count` changes, shared out by the number of changes there could be, at most one of a line.

    A change is taken by a number made of its name and the seed, so that an edit elsewhere takes no other ones.
    """
    everything = sum(map(len, by_folder.values()))
    chosen = []
    for folder in sorted(by_folder):
        share = max(AT_LEAST, round(count * len(by_folder[folder]) / max(everything, 1)))
        lines: set[tuple[str, int]] = set()
        for one in sorted(by_folder[folder], key=lambda change: _number(change, seed)):
            if len(lines) < share and (one.path, one.line) not in lines:
                lines.add((one.path, one.line))
                chosen.append(one)
    return chosen


def _number(change: Change, seed: int) -> str:
    return hashlib.sha256(f"{seed} {change.name}".encode()).hexdigest()
