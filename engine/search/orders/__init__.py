"""Orders of the variables: sums over all of them, walks over some, and what parent sets they allow."""
