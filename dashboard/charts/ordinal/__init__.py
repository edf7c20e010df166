"""Pictures of networks from ordinal data."""
