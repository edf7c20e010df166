"""The methods, each in a folder of its own, and what is common to them; `registry.py` lists them."""
