"""What ranks edges, and where the ranks are kept: weights of counts, tables of all pairs, the edges that may come."""
