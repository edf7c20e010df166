"""Every registered method keeps every promise, and so does that of docs/adding-a-method.md."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.methods.method import Method
from engine.methods.registry import METHODS
from tests.contract.checks import CHECKS
from tests.contract.made_up import ChowLiu

KINDS = {**METHODS, ChowLiu.slug: ChowLiu}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_promise(kind: type[Method], check: Callable[[type[Method]], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """See the docstring of the check."""
    monkeypatch.setitem(METHODS, kind.slug, kind)
    check(kind)
