"""Bars on links that differ between groups, on generators of their own."""
