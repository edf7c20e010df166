"""How evidence is told: sentences, tables, figures, and what of them is hidden. Numbers come from below."""
