"""Which variables hang together: log-linear analysis by decomposable models (Petitjean, Allison & Webb 2014)."""
