"""Which of two equal sets of kernels serves."""

from __future__ import annotations

import contextlib
import importlib
import os
from pathlib import Path
from types import ModuleType

_kernels: ModuleType | None = None


def kernels() -> ModuleType:
    """The compiled kernels, or their NumPy twins where numba is not to be had; loaded on first use.

    The one place of the engine that loads a module of ours by its name: numba is heavy and may be absent, so which of
    two equal backends serves is known only when the first count is asked for.
    """
    global _kernels
    if _kernels is None:
        forget_stale(Path(__file__).parent)
        try:
            _kernels = importlib.import_module("engine.counting.numba_kernels")
        except ImportError:
            _kernels = importlib.import_module("engine.counting.numpy_kernels")
    return _kernels


def forget_stale(sources: Path) -> None:
    """Remove what numba compiled and kept before any of these files was changed.

    Numba looks at the file of a kernel only, not at those that it takes functions from, and would go on running what
    was compiled of an older one.

    Parameters
    ----------
    sources : the folder of the kernels
    """
    files = list(sources.rglob("*.py"))
    newest = max(one.stat().st_mtime for one in files)
    elsewhere = os.environ.get("NUMBA_CACHE_DIR")
    for folder in {one.parent for one in files}:
        kept = Path(elsewhere).glob(f"{folder.name}_*") if elsewhere else [folder / "__pycache__"]
        for index in (index for one in kept for index in one.glob("*.nbi")):
            with contextlib.suppress(OSError):  # another process was faster, or the folder is not ours to change
                if index.stat().st_mtime < newest:
                    index.unlink()
