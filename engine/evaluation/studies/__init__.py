"""One file a paper: its tables and figures again, with the printed numbers beside ours.

From a terminal: `python -m engine.evaluation.studies instance-specific --help`, or `log-linear`.
"""

from engine.evaluation.studies.instance_specific import instance_specific
from engine.evaluation.studies.log_linear import log_linear

__all__ = ["instance_specific", "log_linear"]
