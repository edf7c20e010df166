"""One file a paper: its tables and figures again, with the printed numbers beside ours.

From a terminal: `diptych study groups --out FOLDER`, or `instances`, or `associations`.
"""

from engine.evaluation.studies.blocks import Running
from engine.evaluation.studies.group_difference.study import group_difference
from engine.evaluation.studies.instance_specific.study import instance_specific
from engine.evaluation.studies.log_linear.study import log_linear
from engine.evaluation.studies.stored import stored, write

__all__ = ["Running", "group_difference", "instance_specific", "log_linear", "stored", "write"]
