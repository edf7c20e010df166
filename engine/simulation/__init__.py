"""Tables with a known truth: random networks, pairs that differ, contexts, associations."""

from engine.simulation.associations import AssociationModel, association_model, nine_variables
from engine.simulation.networks import (
    ContextNetwork,
    expected_neighbours_dag,
    random_arities,
    random_context_network,
    random_dag,
    scale_free_dag,
)
from engine.simulation.perturb import Pair, perturbed_pair

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
