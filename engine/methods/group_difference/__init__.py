"""Differences between two groups, by posterior odds (Sverchkov & Cooper 2015)."""

from engine.methods.group_difference.settings import GroupDifference

__all__ = ["GroupDifference"]
