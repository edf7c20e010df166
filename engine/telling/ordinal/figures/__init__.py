"""The figures of ordinal networks: the network itself, heat maps and curves of its tables, centralities."""
