"""Networks with tables: fitted to data, sampled from, asked how probable something is."""

from engine.models.network import Cpt, Network, fitted, posterior_mean, random_network

__all__ = ["Cpt", "Network", "fitted", "posterior_mean", "random_network"]
