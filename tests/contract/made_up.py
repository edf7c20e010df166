"""The method of docs/adding-a-method.md, made of the code that stands on that page."""

from __future__ import annotations

from engine.methods.method import Method
from tests.floor.tree import ROOT
from tests.thorough.test_readme import BLOCK

PAGE = ROOT / "docs" / "adding-a-method.md"

exec(compile("".join(BLOCK.findall(PAGE.read_text(encoding="utf-8"))), str(PAGE), "exec"))  # noqa: S102

ChowLiu: type[Method] = globals()["ChowLiu"]
