"""The page of the class networks."""
