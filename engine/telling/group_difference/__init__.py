"""How a comparison of groups is told: sentences, figures, tables."""
