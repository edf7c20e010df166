"""How networks from ordinal data are told: sentences, tables, figures, and what a paper needs of them."""
