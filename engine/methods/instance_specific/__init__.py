"""One patient's network beside the population's (Jabbari, Visweswaran & Cooper 2018)."""
