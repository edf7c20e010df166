"""Tables: files to a table, a table to codes, and what a data set keeps of its rows.

The public names stand in `__init__.pyi`; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
