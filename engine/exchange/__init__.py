"""Networks and analyses out and in: GraphML, DOT, JSON, BIF, tables for spreadsheets, the script of an analysis.

Any variable name survives; none can break out of its file.
"""

from engine.exchange.bif import from_bif, network_to_bif, to_bif
from engine.exchange.graph_json import from_json, to_json
from engine.exchange.graphml_dot import to_dot, to_graphml
from engine.exchange.network_reader import read_graph, read_network
from engine.exchange.safe_csv import to_csv
from engine.exchange.script import analysis_script, changed_settings, comparison_script, recipe_script
from engine.models.network import Cpt

__all__ = [
    "Cpt",
    "analysis_script",
    "changed_settings",
    "comparison_script",
    "from_bif",
    "from_json",
    "network_to_bif",
    "read_graph",
    "read_network",
    "recipe_script",
    "to_bif",
    "to_csv",
    "to_dot",
    "to_graphml",
    "to_json",
]
