"""Rows as they really are: which belong together, which are copies, which were left out, how often each counts."""
