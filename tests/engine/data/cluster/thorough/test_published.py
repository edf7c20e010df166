"""Rows that workers keep under a name: any process asks them, a lost worker is noticed, nothing is left behind."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import signal
import socket
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from dashboard.jobs.path_work import code_on_cluster, look_at
from dashboard.jobs.runner import JobRunner
from engine.data.cluster import collection, published
from engine.data.stored.parquet import ParquetFiles
from engine.errors import DataError, SettingsError
from tests.engine.data.cluster.thorough.test_collection import Versions
from tests.engine.data.stored.make import frame, parquet

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of two workers, each a process of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))
        how = {"dashboard_address": ":0", "silence_logs": logging.CRITICAL, "memory_limit": 0, "host": "127.0.0.1"}
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **how) as cluster:
            yield cluster.scheduler_address
            for client in published._clients.values():
                client.close()
            published._clients.clear()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parquet(tmp_path_factory.mktemp("published"), frame(300_000), files=2, row_group=50_000)


def names(address: str) -> tuple[str, ...]:
    return tuple(published.connect(address).list_datasets())


def kill_worker(address: str) -> None:
    os.kill(next(iter(published.connect(address).run(os.getpid).values())), signal.SIGKILL)


def test_another_process_asks_the_same_rows(address: str, files: Path, tmp_path: Path) -> None:
    """With the bits of rows on disk, also after a worker is lost; closed, they are gone."""
    words: list[str] = []
    data = code_on_cluster(look_at(str(files), None), None, address, "one", lambda _, text: words.append(text))
    assert {text.partition(":")[0] for text in words} == {"Pass 1 of 2, this computer", "Pass 2 of 2, the cluster"}
    other = pickle.loads(pickle.dumps(data))  # noqa: S301  # our own
    other.store.adopt()
    disk = engine.Dataset.from_parquet(files, folder=tmp_path / "stored")
    assert other.fingerprint == disk.fingerprint and other.report == data.report
    assert [column.reason for column in data.report.columns] == [column.reason for column in disk.report.columns]
    method = engine.GroupDifference("sex")
    expected = method.run(disk).to_json()
    assert method.run(other).to_json() == expected and other.store.count_lost() == 0
    kill_worker(address)
    assert method.run(other).to_json() == expected and other.store.count_lost() == 1
    assert names(address) == ("one",)
    other.close()
    assert names(address) == ()
    with pytest.raises(DataError):
        method.run(data)


def test_rows_go_with_the_table_of_the_process_that_adopts_them(address: str, files: Path) -> None:
    data = code_on_cluster(look_at(str(files), None), None, address, "two", lambda *_: None)
    data.store.adopt()  # type: ignore[attr-defined]
    assert names(address) == ("two",)
    del data
    gc.collect()
    deadline = time.monotonic() + 10
    while names(address) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert names(address) == ()


def test_a_worker_lost_while_rows_are_coded_is_said(address: str, files: Path) -> None:
    """In the words of the progress, and of the table afterwards."""
    words: list[str] = []

    def lose(_: float, text: str) -> None:
        words.append(text)
        if "cluster" in text and len([one for one in words if "cluster" in one]) == 1:
            kill_worker(address)

    data = code_on_cluster(look_at(str(files), None), None, address, "three", lose)
    assert any("A worker was lost; its part was counted again." in one for one in words)
    assert data.store.count_lost() == 1
    published.unpublish(os.getpid(), address, "three")


def _tasks(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def test_cancel_ends_the_pass(address: str, tmp_path: Path) -> None:
    """The scheduler forgets the work, and nothing was published."""
    large = parquet(tmp_path, frame(2_000_000), row_group=140_000)
    runner = JobRunner(1)
    job = runner.submit("far", code_on_cluster, (look_at(str(large), None), None, address, "four"))
    deadline = time.monotonic() + 120
    while "cluster" not in job.words and time.monotonic() < deadline:
        assert job.active, job.error
        time.sleep(0.02)
    job.cancel()
    assert job.wait(10) and job.state == "cancelled"
    client = published.connect(address)
    while (left := client.run_on_scheduler(_tasks)) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == 0 and names(address) == ()
    runner.close()


@pytest.mark.parametrize("kind", ["closed", "silent", "other"])
def test_what_is_no_scheduler_is_one_sentence(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that nobody listens at, one that is silent, and one where another service answers."""
    monkeypatch.setattr(published, "PATIENCE", 1.0)
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        if kind != "closed":
            port.listen()
        begun = time.monotonic()
        if kind == "other":
            answer = b"HTTP/1.0 400 Bad Request\r\n\r\n"
            threading.Thread(target=lambda: port.accept()[0].sendall(answer), daemon=True).start()
        with pytest.raises(SettingsError, match=r"^The cluster does not answer, or what answers at its address is no"):
            published.connect(f"tcp://127.0.0.1:{port.getsockname()[1]}")
        assert time.monotonic() - begun < 10


def test_workers_of_another_version_are_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any pass."""
    monkeypatch.setattr(collection, "installed_version", Versions(collection.installed_version()))
    monkeypatch.setattr(published, "_clients", {})
    with pytest.raises(SettingsError, match=r"^The workers of the cluster have Diptych \S+, and 0.0.9 is used here"):
        published.connect(address)


def test_a_file_that_workers_do_not_see(address: str, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said by its name, without its path."""
    recipe = engine.Recipe.from_parquet(files)
    there = ParquetFiles(files)
    parts = there.parts()
    monkeypatch.setattr(there, "parts", lambda: parts)
    there.files = [Path(f"/nowhere/{file.name}") for file in there.files]
    with pytest.raises(DataError, match=r"A worker of the cluster does not find 'part-0.parquet'") as caught:
        published.publish_parquet(there, recipe, address, "five", lambda *_: None)
    assert "nowhere" not in str(caught.value)
