"""How fast counting is: against the memory, and one way of counting against the other."""
