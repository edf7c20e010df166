"""Verdicts on points that nothing was learned from, and what they are held against."""
