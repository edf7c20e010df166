"""The page of networks from ordinal data."""
