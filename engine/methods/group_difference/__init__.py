"""Differences between two groups, by posterior odds (Sverchkov & Cooper 2015)."""
