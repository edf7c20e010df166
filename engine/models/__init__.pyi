"""The public names, and where they live."""

from .network import Cpt, Network, fitted, posterior_mean, random_network

__all__ = ["Cpt", "Network", "fitted", "posterior_mean", "random_network"]
