"""What the lessons draw, by subject: groups of patients, paths in networks, evidence from rows, choices of a model."""
