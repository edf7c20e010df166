"""Write, or compare to the last bit, what the methods answer: `python -m tests.golden.make [--compare]`.

The kept answers are of commit 4b52375. They are written again only where a figure is meant to change, which the commit
that does it says.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

from tests.golden.cases import CASES

KEPT = Path(__file__).parent / "kept"


def kept(name: str) -> str:
    """The answer of one case as it was."""
    return lzma.decompress((KEPT / f"{name}.json.xz").read_bytes()).decode("utf-8")


def main(arguments: list[str]) -> int:
    """Write all answers, or say which differ in any byte."""
    KEPT.mkdir(exist_ok=True)
    different = []
    for name, run in CASES.items():
        answer = run().to_json()
        if "--compare" not in arguments:
            (KEPT / f"{name}.json.xz").write_bytes(lzma.compress(answer.encode("utf-8"), preset=9))
        elif answer != kept(name):
            different.append(name)
    print(f"{len(CASES)} answers, different: {', '.join(different) or 'none'}")
    return len(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
