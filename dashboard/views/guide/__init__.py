"""The guide: its pages, and the way to them from everywhere."""
