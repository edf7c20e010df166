"""Answers on disk."""
