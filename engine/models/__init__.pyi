"""The public names, and where they live."""

from .evidence import explain_change, posteriors
from .network import Cpt, Network, fitted, posterior_mean, random_network

__all__ = [
    "Cpt",
    "Network",
    "explain_change",
    "fitted",
    "posterior_mean",
    "posteriors",
    "random_network",
]
