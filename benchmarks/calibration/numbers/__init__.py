"""Numbers compared as numbers: tables of numbers, ordered and nominal columns, and what is said of them."""
