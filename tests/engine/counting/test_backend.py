"""When counts and searches are compiled."""

from __future__ import annotations

import pytest

from engine.counting import backend, numba_kernels, numpy_counter


@pytest.fixture(autouse=True)
def unused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not counted."""
    monkeypatch.setattr(backend, "_work", 0.0)


def test_small_work_does_not_wait_for_the_compiler() -> None:
    """Until it adds up to what the compiler takes; after that all is compiled."""
    assert backend.counter(0.6 * backend._REPAYS) is numpy_counter
    assert backend.counter(0.6 * backend._REPAYS) is numba_kernels
    assert backend.counter(1.0) is numba_kernels


def test_prepared_is_compiled() -> None:
    """As a warm-up asks."""
    backend.prepare_compiled()
    assert backend.counter(1.0) is numba_kernels


def test_the_kernels_are_loaded_once() -> None:
    """The same module each time."""
    assert backend.kernels() is backend.kernels()
