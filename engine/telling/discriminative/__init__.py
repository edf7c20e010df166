"""How class networks are told: sentences, words of families and links, figures and tables."""
