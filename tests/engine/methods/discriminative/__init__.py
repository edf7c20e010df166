"""Class-discriminative networks."""
