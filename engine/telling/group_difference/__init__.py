"""The telling of a comparison of groups: sentences, figures, tables."""
