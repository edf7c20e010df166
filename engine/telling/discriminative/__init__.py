"""Class networks told: sentences, words of families and links, figures and tables."""
