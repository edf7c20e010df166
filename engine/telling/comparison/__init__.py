"""A comparison told: sentences, the chart of links, tables, and what a paper needs."""
