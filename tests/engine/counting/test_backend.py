"""What was compiled of older files is not run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.counting.backend import forget_stale, kernels


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Two folders of sources from the second 1,000 on, the inner one changed at 2,000."""
    inner = tmp_path / "counting" / "loops"
    inner.mkdir(parents=True)
    for file, changed in ((inner.parent / "kernels.py", 1_000), (inner / "code.py", 2_000)):
        file.write_text("")
        os.utime(file, (changed, changed))
    return inner.parent


def kept(folder: Path, name: str, written: int) -> Path:
    """An index as numba leaves it."""
    folder.mkdir(exist_ok=True, parents=True)
    index = folder / name
    index.write_bytes(b"")
    os.utime(index, (written, written))
    return index


@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_is_older_than_any_source_is_removed(
    house: Path, tmp_path: Path, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a file that did not change itself; what was compiled later stays."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    folders = [house / "__pycache__", house / "loops" / "__pycache__"]
    if elsewhere:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
        folders = [tmp_path / "cache" / "counting_12ab", tmp_path / "cache" / "loops_34cd"]
    stale = [kept(folder, "kernels.f-1.py311.nbi", 1_500) for folder in folders]
    fresh = [kept(folder, "kernels.f-2.py311.nbi", 2_500) for folder in folders]
    others = kept(tmp_path / "cache" / "somebody_else", "f.nbi", 1)
    forget_stale(house)
    assert not any(one.exists() for one in stale)
    assert all(one.exists() for one in [*fresh, others])


def test_the_kernels_are_loaded_once() -> None:
    """The same module each time."""
    assert kernels() is kernels()
