"""A computer without `/dev/shm` and with a full temporary folder: tables are read and analyses run all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.floor.tree import ROOT

SERVER = """
import multiprocessing, sys, tempfile
import pandas as pd
import engine
from dashboard.jobs.runner import JobRunner
for broken in (multiprocessing.Lock, tempfile.mkdtemp, tempfile.TemporaryFile):
    try:
        broken()
    except OSError:
        continue
    sys.exit(f"{broken} works here")
table = engine.read_table(b"g,a,b\\n" + b"x,1,2\\ny,2,1\\nx,1,1\\ny,2,2\\n" * 50, name="table.csv")
runner = JobRunner(1)
job = runner.submit("one", engine.GroupDifference("g").run, (engine.Dataset.from_frame(table),))
assert job.wait(120), job.state
runner.close()
print(job.state, job.error, len(table))
"""


def test_no_shared_memory_and_no_room_for_temporary_files(tmp_path: Path) -> None:
    """In the server and in its processes: a table is read, a job ends well."""
    cramped = str(Path(__file__).parent / "cramped")
    known = os.environ | {
        "PYTHONPATH": os.pathsep.join([cramped, str(ROOT)]),
        "TMPDIR": str(tmp_path),
        "DIPTYCH_TEST_CRAMPED": "yes",
    }
    done = subprocess.run([sys.executable, "-c", SERVER], cwd=ROOT, env=known, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["done", "None", "200"]
    assert list(tmp_path.iterdir()) == []
