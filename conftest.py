"""What holds for every test: two tiers, how many processes and who runs what, generated examples, kernels compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Every process of a run reads the same few hundred files: where Python is told to leave no compiled ones, each would
# compile them again, eleven seconds of a core for each that collects all tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# They share the cores as well: threads of BLAS that wait for one another would burn what the others need.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

MOST = 4
"""Processes at the most: each loads the engine, a fork server with the engine, and one of them a browser."""

ROOT = Path(__file__).parent
ENGINE = ROOT / "engine"
BROWSER = "tests/browser/"
SHARED = (BROWSER, "tests/engine/project/report/")
"""Folders whose tests share what takes long to make: each runs in one process."""

THOROUGH = "thorough"
"""Folders of this name hold the second tier."""

WARM = "import sys; from dashboard.jobs.process import warm; warm(methods=sys.argv[1:])"
SIDE_BY_SIDE = (("group_difference", "instance_specific"), ("ordinal", "discriminative", "log_linear"))
"""Methods whose kernels two processes compile: hardly any of the second's is one of the first's."""
COMPILING: list[subprocess.Popen[bytes]] = []

for profile, derandomize in (("same", True), ("fresh", False)):
    settings.register_profile(
        profile,
        deadline=None,  # a first example compiles, and a busy machine is slow: neither is a fault
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=derandomize,
        print_blob=True,
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which tier, and which generated examples."""
    group = parser.getgroup("diptych")
    group.addoption("--all", action="store_true", help="both tiers: also what folders named 'thorough' hold")
    group.addoption("--second", action="store_true", help="the second tier alone: what folders named 'thorough' hold")
    group.addoption("--fresh-examples", action="store_true", help="examples of Hypothesis that nobody has tried yet")


def pytest_configure(config: pytest.Config) -> None:
    """The same generated examples everywhere, unless others are asked for."""
    settings.load_profile("fresh" if config.getoption("fresh_examples") else "same")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The first tier leaves out folders named 'thorough', the second all files elsewhere; a path that is named runs."""
    if config.getoption("all") or any(THOROUGH in Path(path).parts for path in config.args):
        return None
    thorough = THOROUGH in collection_path.relative_to(config.rootpath).parts
    if config.getoption("second"):
        return True if collection_path.is_file() and not thorough else None
    return True if thorough else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """`-n auto`: one process a core that we may use, a few at the most; none for benchmarks and for a single file."""
    asked = [one.partition("::")[0] for one in config.args]
    if any("benchmarks" in Path(one).parts for one in asked) or (len(asked) == 1 and asked[0].endswith(".py")):
        return 0
    config.option.benchmark_disable = True  # pytest-benchmark would warn that it cannot measure side by side
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(MOST, cores + 1))  # one of them waits for a browser most of the time


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A shared folder is one process's, browser tests are begun with; the others go by file, which shares its fixtures.

    `--dist loadgroup` would say so by marks, but does nothing with pytest 9.2 (pytest-xdist 1386). Whoever wants single
    tests of one file on several processes asks for `--dist worksteal`.
    """
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class BrowserFirst(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            shared = next(filter(nodeid.startswith, SHARED), None)
            return shared or nodeid.partition("::")[0]

        def _assign_work_unit(self, node: Any) -> None:
            if BROWSER in self.workqueue:
                self.workqueue.move_to_end(BROWSER, last=False)
            super()._assign_work_unit(node)

    return BrowserFirst(config, log)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before processes side by side would each compile them, while those collect their tests."""
    if session.config.getoption("numprocesses", None) and kernels_are_stale():
        COMPILING.extend(subprocess.Popen([sys.executable, "-c", WARM, *methods], cwd=ROOT) for methods in SIDE_BY_SIDE)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished() -> None:
    """No test begins before the kernels are there."""
    while COMPILING:
        COMPILING.pop().wait()


def kernels_are_stale() -> bool:
    """Whether a file with kernels has changed since any of them was compiled."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return True
    counting = max(one.stat().st_mtime for one in (ENGINE / "counting").rglob("*.py"))  # compiled into each other
    sources = [one for one in ENGINE.rglob("*.py") if "cache=True" in one.read_text(encoding="utf-8")]
    changed = {one: counting if ENGINE / "counting" in one.parents else one.stat().st_mtime for one in sources}
    return any(newest_index(one) < then for one, then in changed.items())


def newest_index(source: Path) -> float:
    """When numba last wrote down what it has compiled of a file; 0 for never."""
    return max((one.stat().st_mtime for one in source.parent.glob(f"__pycache__/{source.stem}.*.nbi")), default=0.0)
