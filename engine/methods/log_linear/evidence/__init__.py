"""What may be said of pairs of variables, and what it rests on."""
