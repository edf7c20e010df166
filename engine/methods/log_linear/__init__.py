"""Which associations are direct: log-linear analysis by decomposable models (Petitjean, Allison & Webb 2014)."""
