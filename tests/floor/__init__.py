"""The walls of the house, held by tests: who may import whom, who computes, how long a file may be."""
