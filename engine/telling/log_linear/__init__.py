"""Associations told: sentences, figures, tables, and what is said before anything runs."""
