"""Sentences measured on held-out generators: none is used by the engine's studies or its tests."""
