"""What may be said of one patient: verdicts of links, how sure the population's links are, what chance alone shows."""
