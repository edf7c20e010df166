"""One file a paper: its tables and figures again, with the printed numbers beside ours.

From a terminal: `python -m engine.evaluation.studies instance-specific --help`, or `log-linear`, or `groups`.
"""

from engine.evaluation.studies.group_difference import group_difference
from engine.evaluation.studies.instance_specific import instance_specific
from engine.evaluation.studies.log_linear import log_linear

__all__ = ["group_difference", "instance_specific", "log_linear"]
