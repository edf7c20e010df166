"""Networks with tables: fitted to data, sampled from, asked how probable something is."""

from engine.models.network import Network, fitted, random_network
from engine.models.tables import Cpt, posterior_mean

__all__ = ["Cpt", "Network", "fitted", "posterior_mean", "random_network"]
