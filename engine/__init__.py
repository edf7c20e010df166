"""Diptych's engine: compare two networks learned from one table. What is not named here is private.

The names stand in `__init__.pyi`, where tools read them; each is loaded when it is first used, so `import engine` is
light.
"""

from typing import Any

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("diptych")
    return _load(name)
