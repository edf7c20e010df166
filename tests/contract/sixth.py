"""A plugin of pytest: the method of docs/adding-a-method.md stands in the registry, as if it were one of ours."""

from engine.methods import METHODS
from tests.contract.made_up import ChowLiu

METHODS[ChowLiu.slug] = ChowLiu
