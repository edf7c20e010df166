"""The public names, and where they live."""

from .associations import AssociationModel, association_model, nine_variables
from .networks import (
    ContextNetwork,
    expected_neighbours_dag,
    random_arities,
    random_context_network,
    random_dag,
    scale_free_dag,
)
from .perturb import Pair, perturbed_pair

__all__ = [
    "AssociationModel",
    "ContextNetwork",
    "Pair",
    "association_model",
    "expected_neighbours_dag",
    "nine_variables",
    "perturbed_pair",
    "random_arities",
    "random_context_network",
    "random_dag",
    "scale_free_dag",
]
