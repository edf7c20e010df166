"""The method of docs/adding-a-method.md, made of the code that stands on that page, as the modules that it names."""

from __future__ import annotations

import re
import sys
from types import ModuleType

from engine.methods.method import Method
from tests.floor.tree import ROOT
from tests.thorough.test_readme import BLOCK

PAGE = ROOT / "docs" / "adding-a-method.md"
FILE = re.compile(r"# (engine/(?:methods|telling))/(\w+)/(\w+)\.py\n")


def _module(name: str) -> ModuleType:
    """The module of this name, made and put where an import finds it."""
    room, _, last = name.rpartition(".")
    module = sys.modules.setdefault(name, ModuleType(name))
    setattr(sys.modules[room], last, module)
    return module


for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
    storey, slug, file = FILE.match(block).groups()  # type: ignore[union-attr]
    _module(folder := f"{storey.replace('/', '.')}.{slug}")
    exec(compile(block, str(PAGE), "exec", dont_inherit=True), _module(f"{folder}.{file}").__dict__)  # noqa: S102

from engine.methods.chow_liu.method import ChowLiu, ChowLiuResult  # type: ignore[import-not-found] # noqa: E402

ChowLiu: type[Method]  # type: ignore[no-redef]
for _kind in (ChowLiu, ChowLiuResult):
    _kind.__module__ = __name__  # so that another process finds it too
