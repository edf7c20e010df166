"""Would a method have found the truth, had there been one? Simulation, measures, and the papers' own studies."""
