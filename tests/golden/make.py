"""Write, or compare to the last bit, what the methods answer: `python -m tests.golden.make [--compare]`.

The kept answers are of commit 4b52375, those of groups of the commit that averages over orders. They are written again
only where a figure is meant to change, which the commit that does it says.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path
from unittest import mock

from engine.data.coded_table import CodedTable
from tests.golden.cases import CASES

KEPT = Path(__file__).parent / "kept"


def kept(name: str) -> str:
    """The answer of one case as it was."""
    return lzma.decompress((KEPT / f"{name}.json.xz").read_bytes()).decode("utf-8")


def answer(name: str) -> str:
    """The answer of one case as it is now, but for the digest of the data, which is made as it was then."""
    old = property(lambda data: data.fingerprint_sha256)
    with mock.patch.object(CodedTable, "fingerprint", old):
        return CASES[name]().to_json()


def main(arguments: list[str]) -> int:
    """Write all answers, or say which differ in any byte."""
    KEPT.mkdir(exist_ok=True)
    different = []
    for name in CASES:
        found = answer(name)
        if "--compare" not in arguments:
            (KEPT / f"{name}.json.xz").write_bytes(lzma.compress(found.encode("utf-8"), preset=9))
        elif found != kept(name):
            different.append(name)
    print(f"{len(CASES)} answers, different: {', '.join(different) or 'none'}")
    return len(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
