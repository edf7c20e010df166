"""An answer or a whole session in one file, asked again of another table; the report."""
