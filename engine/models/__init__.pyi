"""The public names, and where they live."""

from .adjusted_effect import AdjustedEffect, adjusted_effect
from .evidence import explain_change, posteriors
from .intervention import intervene
from .network import Cpt, Network, fitted, posterior_mean, random_network

__all__ = [
    "AdjustedEffect",
    "Cpt",
    "Network",
    "adjusted_effect",
    "explain_change",
    "fitted",
    "intervene",
    "posterior_mean",
    "posteriors",
    "random_network",
]
