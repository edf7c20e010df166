"""Write, or compare, what the methods answer: `python -m tests.golden.make [--compare] [names]`.

Three nets: `kept` holds what `to_json` gave (of commit 4b52375 the oldest), `shown` what a user sees of every result,
report and project file at the commit before the house was made light. They are written again only where a figure is
meant to change, which the commit that does it says. `--compare` says the largest difference of two numbers.
"""

from __future__ import annotations

import json
import lzma
import math
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from engine.data.coded_table import CodedTable
from tests.golden.cases import CASES, REPORTS
from tests.golden.sha256 import fingerprint_sha256
from tests.golden.shown import of_project, of_report, of_result

KEPT = Path(__file__).parent / "kept"
NAMES = (
    *(f"answer-{name}" for name in CASES),
    *(f"shown-{name}" for name in CASES),
    *(f"report-{name}" for name in REPORTS),
    *(f"project-{name}" for name in REPORTS),
)
VERSIONS = {"diptych": "0.1.0", "numpy": "2.4.6", "scipy": "1.17.1", "numba": "0.68.1", "python": "3.11.7"}
"""What every answer was made with: it is no difference that a newer library computes the same."""
RENAMED: dict[str, str] = {}
"""Field of then -> field of now, where a document calls a thing otherwise today."""


def kept(name: str) -> Any:
    """One answer as it was."""
    return json.loads(lzma.decompress((KEPT / f"{name}.json.xz").read_bytes()))


@cache
def result(case: str) -> Any:
    """The run of one case, but for the digest of the data, which is made as it was then."""
    with (
        mock.patch.object(CodedTable, "fingerprint", property(fingerprint_sha256)),
        mock.patch("engine.methods.evidence._versions", lambda: VERSIONS),
    ):
        return CASES[case]()


def answer(name: str) -> Any:
    """One answer as it is now."""
    kind, case = name.split("-", 1)
    if kind == "answer":
        return json.loads(result(case).to_json())
    if kind == "shown":
        return of_result(result(case))
    return (of_report if kind == "report" else of_project)([result(one) for one in REPORTS[case]])


def differences(then: Any, now: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """Where two answers differ, and by how much: relative to the larger of two numbers, else infinitely."""
    if isinstance(then, dict) and isinstance(now, dict):
        then = {RENAMED.get(key, key): value for key, value in then.items()}
        for key in sorted(then.keys() | now.keys()):
            yield from differences(then.get(key), now.get(key), f"{place}/{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for i, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from differences(old, new, f"{place}/{i}")
    elif isinstance(then, float) and isinstance(now, float):
        if then != now:
            size = abs(then - now) / max(abs(then), abs(now), 1.0)
            yield f"{place}: {then!r} is now {now!r}", size
    elif then != now:
        yield f"{place}: {then!r} is now {now!r}", math.inf


def main(arguments: list[str]) -> int:
    """Write all answers, or say which differ and by how much."""
    KEPT.mkdir(exist_ok=True)
    named = [one for one in arguments if not one.startswith("--")] or list(NAMES)
    failed = 0
    for name in (one for one in NAMES if any(part in one for part in named) or one in named):
        now = json.loads(json.dumps(answer(name)))
        if "--compare" not in arguments:
            text = json.dumps(now, ensure_ascii=False, separators=(",", ":"))
            (KEPT / f"{name}.json.xz").write_bytes(lzma.compress(text.encode("utf-8"), preset=9))
            continue
        if found := sorted(differences(kept(name), now), key=lambda one: -one[1]):
            failed += found[0][1] > 1e-12
            print(f"{name}: {len(found)} differ, most by {found[0][1]:.2g}: {found[0][0][:300]}")
    print(f"{failed} answers differ by more than 1e-12" if "--compare" in arguments else "written")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
