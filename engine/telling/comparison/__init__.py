"""How a comparison is told: sentences, the chart of links, tables, and what a paper needs."""
