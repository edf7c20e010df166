"""Patients under test: most tests ask many questions about the same few tables."""

from tests.searched import searched_anew, searched_once

__all__ = ["searched_anew", "searched_once"]
