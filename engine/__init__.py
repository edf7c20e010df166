"""Diptych's engine: compare two networks learned from one table. What is not named here is private.

The names stand in `__init__.pyi`, where tools read them; each is loaded when it is first used, so `import engine` is
light.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
