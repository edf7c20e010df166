"""Copies of the project in which changes are made, and the tests run against each of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutants.changes import Change

_ARGUMENTS = (
    "-o",
    "addopts=",
    "-n",
    "0",
    "-x",
    "-q",
    "-m",
    "not browser",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:randomly",
)
_DURATION = re.compile(r"^([\d.]+)s (?:setup|call|teardown) +(\S+?)::", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """What the tests made of one change.

    Attributes
    ----------
    verdict : "survived" where all tests passed, else what ended it: "test", "import", "crash" or "time"
    cpu : processor seconds of the run
    words : the first line that says what failed
    """

    verdict: str
    cpu: float
    words: str

    @property
    def killed(self) -> bool:
        return self.verdict != "survived"


class House:
    """One copy of the project with a warm worker in it; close it when done."""

    def __init__(self, root: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="diptych-mutants-"))
        for source in root.iterdir():
            if source.name.startswith("."):  # the history, an environment, caches
                continue
            target = self.folder / source.name
            shutil.copytree(source, target) if source.is_dir() else shutil.copy2(source, target)
        self._baselines: dict[frozenset[str], float] = {}
        self._seconds: dict[str, float] = {}
        self._worker = self._start()

    def _start(self) -> subprocess.Popen[str]:
        calm = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        worker = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.worker"],
            cwd=self.folder,
            env={**os.environ, **calm, "PYTHONPATH": str(self.folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert worker.stdout is not None
        worker.stdout.readline()  # "ready"
        return worker

    def close(self) -> None:
        """End the worker and take the copy away."""
        assert self._worker.stdin is not None
        self._worker.stdin.close()
        self._worker.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def baseline(self, tests: tuple[str, ...]) -> float:
        """Processor seconds of the tests on the code as it is; RuntimeError where they fail on that already."""
        files = frozenset(tests)
        if files not in self._baselines:
            answer = self._ask((*tests, "--durations=0"), cpu=1200, wall=2400, baseline=True)
            log = self._log().read_text(errors="replace")
            if answer["code"] != 0:
                raise RuntimeError(f"{' '.join(tests)} fail without any change:\n{log[-3000:]}")
            self._baselines[files] = float(answer["cpu"])
            self._seconds |= dict.fromkeys(tests, 0.0)
            for seconds, file in _DURATION.findall(log):
                self._seconds[file] += float(seconds)
        return self._baselines[files]

    def _quickest_first(self, change: Change, tests: tuple[str, ...]) -> tuple[str, ...]:
        """Files of the module's name, then those that take least time: most changes are noticed by some of them."""
        stem = Path(change.path).stem
        return tuple(sorted(tests, key=lambda file: (stem not in Path(file).stem, self._seconds[file])))

    def judge(self, change: Change, tests: tuple[str, ...]) -> Answer:
        """Make a change, run the tests, take it back."""
        usual = self.baseline(tests)
        kernels = "numba" in change.path or "counting/loops" in change.path
        file = self.folder / change.path
        source, stamp = file.read_bytes(), file.stat()
        try:
            file.write_bytes(change.applied(source))
            cpu = 30 + int(3 * usual) + (120 if kernels else 0)
            answer = self._ask(self._quickest_first(change, tests), cpu=cpu, wall=8 * cpu, kernels=kernels)
        finally:
            file.write_bytes(source)  # with its old time, so that what was compiled from it still counts
            os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
            shutil.rmtree(self.folder / ".kernels", ignore_errors=True)
        return Answer(_verdict(answer["code"]), float(answer["cpu"]), self._failure())

    def _ask(
        self, tests: tuple[str, ...], *, cpu: int, wall: float, baseline: bool = False, kernels: bool = False
    ) -> dict[str, Any]:
        request = {
            "arguments": [*_ARGUMENTS, *tests],
            "cpu": cpu,
            "wall": wall,
            "baseline": baseline,
            "kernels": str(self.folder / ".kernels") if kernels else "",
            "log": str(self._log()),
        }
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        self._worker.stdin.write(json.dumps(request) + "\n")
        self._worker.stdin.flush()
        answer: dict[str, Any] = json.loads(self._worker.stdout.readline())
        return answer

    def _log(self) -> Path:
        return self.folder / "words.txt"

    def _failure(self) -> str:
        lines = self._log().read_text(errors="replace").splitlines()
        return next((line for line in lines if line.startswith(("FAILED", "ERROR", "E  "))), "")[:160]


def _verdict(code: int | str) -> str:
    if code == 0:
        return "survived"
    if code == 1:
        return "test"
    if code == "time":
        return "time"
    if isinstance(code, int) and code < 0:
        return "crash"
    if code in (2, 3, 4, 70):
        return "import"
    raise RuntimeError(f"pytest ended with {code}: no test was run")
