"""Networks and analyses out and in: GraphML, DOT, JSON, BIF, tables for spreadsheets, the script of an analysis.

Any variable name survives; none can break out of its file.

The public names stand in `__init__.pyi`; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
