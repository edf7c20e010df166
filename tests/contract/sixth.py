"""A plugin of pytest: the method of docs/adding-a-method.md stands where its reader would put it."""

import engine
from engine.methods.registry import METHODS
from tests.contract.made_up import ChowLiu

METHODS[ChowLiu.slug] = ChowLiu
engine.ChowLiu = ChowLiu  # type: ignore[attr-defined]
