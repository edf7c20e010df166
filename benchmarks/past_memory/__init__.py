"""Tables past memory, and the memory that large tables take."""
