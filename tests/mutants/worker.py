"""A process that has the heavy libraries in memory and forks one child for each run of the tests.

It stands in a copy of the project, reads one request a line and answers with one line. Our own modules are imported by
the child only, so each run sees the file as it is then.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

HEAVY = (
    "numpy", "pandas", "scipy.special", "scipy.stats", "scipy.cluster.hierarchy", "networkx", "sklearn.linear_model",
    "sklearn.ensemble", "joblib", "numba", "pyarrow.parquet", "hypothesis", "hypothesis.extra.numpy", "pytest",
    "plotly.graph_objects", "pyvis.network", "streamlit.testing.v1",
)  # fmt: skip
_MOST_MEMORY = 12 << 30


def main() -> None:
    """Import what is heavy, then answer requests until there are none."""
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for name in [one for one in sys.modules if one.split(".")[0] in ("tests", "engine", "dashboard", "sample_data")]:
        del sys.modules[name]
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run the tests in a child of its own process group, which is ended whole when the time is up."""
    before = time.monotonic()
    child = os.fork()
    if child == 0:
        _run(request)
    status, used = None, None
    while time.monotonic() - before < request["wall"]:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.02)
    else:
        status = None
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    if status is None:
        _, _, used = os.wait4(child, 0)
    code = "time" if status is None else os.waitstatus_to_exitcode(status)
    cpu = used.ru_utime + used.ru_stime if used is not None else 0.0
    return {"code": "time" if code == -signal.SIGXCPU else code, "seconds": time.monotonic() - before, "cpu": cpu}


def _run(request: dict[str, Any]) -> None:
    """In the child: pytest on some files, with its words in a file; never returns."""
    code = 70
    try:
        os.setsid()
        words = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for stream, target in ((0, nothing), (1, words), (2, words)):
            os.dup2(target, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (request["cpu"], request["cpu"] + 5))
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.dont_write_bytecode = not request["baseline"]
        _settle(request)
        import pytest

        code = int(pytest.main(request["arguments"]))
    except BaseException as fault:
        print(repr(fault), flush=True)
    finally:
        sys.stdout.flush()
        os._exit(code)


def _settle(request: dict[str, Any]) -> None:
    """Property tests with the same examples every time; kernels compiled anew where they may differ."""
    if request["kernels"]:
        import numba

        Path(request["kernels"]).mkdir(exist_ok=True)
        os.environ["NUMBA_CACHE_DIR"] = request["kernels"]
        vars(numba.config)["CACHE_DIR"] = request["kernels"]


if __name__ == "__main__":
    main()
