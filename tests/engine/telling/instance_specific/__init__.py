"""How the answers of one patient and of many are told."""
