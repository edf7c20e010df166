"""When a search is compiled, and what its machine code is kept under."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine.counting import backend, climbing
from tests.engine.make import random_data
from tests.floor.tree import ROOT

PROGRAM = """
import sys
sys.modules["numba"] = None  # an import of it now fails
import engine
from engine.counting import climbing
from tests.engine.make import random_data
climbing.prepare()
data = random_data(200, 8, 12, seed=1)
assert climbing.compiled(1000) is None
for search in ("hill_climbing", "thick_thinning"):
    print(sorted(engine.learn(data, engine.BDeu(1.0), search).edges))
"""


@pytest.fixture
def unused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not searched, on a machine that has compiled nothing."""
    pytest.importorskip("numba", reason="there is no compiler")
    monkeypatch.setattr(climbing, "_module", None)
    monkeypatch.setattr(climbing, "_spent", 0.0)
    monkeypatch.setattr(climbing, "_on_disk", lambda kernel: False)


def test_the_first_small_searches_do_not_wait_for_the_compiler(unused: None) -> None:
    """Until seconds have gone into the readable way; after that all are compiled."""
    assert climbing.compiled(20) is None
    climbing.spend(0.9 * climbing._PATIENCE)
    assert climbing.compiled(20) is None
    climbing.spend(0.2 * climbing._PATIENCE)
    assert climbing.compiled(20) is not None
    assert climbing.compiled(2) is not None


def test_a_wide_search_and_one_that_is_on_disk_are_compiled_at_once(
    unused: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many variables repay the compiler; loading costs nothing."""
    assert climbing.compiled(299) is None
    assert climbing.compiled(300) is not None
    monkeypatch.setattr(climbing, "_module", None)
    monkeypatch.setattr(climbing, "_on_disk", lambda kernel: True)
    assert climbing.compiled(2) is not None


def test_prepared_is_compiled(unused: None) -> None:
    """As a warm-up asks."""
    climbing.prepare()
    assert climbing.compiled(2) is not None


def test_what_is_stale_is_removed_before_a_search_is_loaded(unused: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the search would be compiled around machine code of older loops, and kept as if it were new."""
    done: list[str] = []
    load = importlib.import_module
    monkeypatch.setattr(backend, "_kernels", None)
    monkeypatch.setattr(backend, "forget_stale", lambda sources: done.append("stale"))
    monkeypatch.setattr(climbing.importlib, "import_module", lambda name: (done.append(name), load(name))[1])
    assert climbing.compiled(1000) is not None
    assert done[0] == "stale" and "engine.counting.climbing.run" in done


def test_readable_searches_say_how_long_they_took(unused: None) -> None:
    """Their seconds bring the compiler nearer."""
    engine.learn(random_data(500, 12, 20, seed=1), search="hill_climbing")
    assert 0.0 < climbing._spent < 60.0


def test_what_is_compiled_is_found_on_disk(tmp_path: Path) -> None:
    """A second process sees that the first one compiled; after a change of any counting file it would not."""
    pytest.importorskip("numba", reason="there is no compiler")
    folder = tmp_path / "engine" / "counting"
    folder.mkdir(parents=True)
    (folder / "one.py").write_text("1")
    from engine.counting.climbing import run

    source = Path(run.__file__)
    (folder / "climbing").mkdir()
    place = folder / "climbing" / source.name
    shutil.copy(source, place)
    before = sources(place)
    assert sources(place) == before
    os.utime(folder / "one.py", (1, 1))
    assert sources(place) != before
    assert climbing._on_disk(object()) is False  # type: ignore[arg-type]


def sources(place: Path) -> int:
    """The number that a copy of the module finds for the files around it."""
    from engine.counting.climbing import run

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "__file__", str(place))
        return int(run._sources())


def test_without_numba_searches_find_the_same() -> None:
    """In an interpreter where numba cannot be imported, the readable way finds the same graphs."""
    shown = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, cwd=ROOT)
    climbing.prepare()
    data = random_data(200, 8, 12, seed=1)
    found = [engine.learn(data, engine.BDeu(1.0), search) for search in ("hill_climbing", "thick_thinning")]
    assert shown.stdout.splitlines() == [str(sorted(graph.edges)) for graph in found]
