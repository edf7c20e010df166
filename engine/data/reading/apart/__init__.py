"""Every foreign file is read in a process of its own, which may die of it; what it answers is data, never code."""
