"""How right the time left is that a page shows; see `__main__`."""
