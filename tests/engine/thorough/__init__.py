"""Slow tests of what stands in no room of the engine."""
