"""Class-discriminative networks, of series and of rows (Burge & Lane 2005)."""
