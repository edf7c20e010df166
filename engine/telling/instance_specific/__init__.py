"""How one patient's network, and those of many, are told: sentences, tables and figures."""
