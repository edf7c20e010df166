"""Networks out and in: GraphML, DOT, JSON and BIF. Any variable name survives; none can break out of its
file."""

from engine.exchange.bif import from_bif, to_bif
from engine.exchange.graph_json import from_json, to_json
from engine.exchange.pictures import to_dot, to_graphml
from engine.models.tables import Cpt

__all__ = ["Cpt", "from_bif", "from_json", "to_bif", "to_dot", "to_graphml", "to_json"]
