"""The public names, and where they live."""

from .bif import Cpt, from_bif, network_to_bif, to_bif
from .graph_json import from_json, to_json
from .graphml_dot import to_dot, to_graphml
from .network_file import NetworkFile
from .network_reader import read_graph, read_network, read_network_file, write_network
from .safe_csv import to_csv
from .script import analysis_script, changed_settings, comparison_script, recipe_script

__all__ = [
    "Cpt",
    "NetworkFile",
    "analysis_script",
    "changed_settings",
    "comparison_script",
    "from_bif",
    "from_json",
    "network_to_bif",
    "read_graph",
    "read_network",
    "read_network_file",
    "recipe_script",
    "to_bif",
    "to_csv",
    "to_dot",
    "to_graphml",
    "to_json",
    "write_network",
]
