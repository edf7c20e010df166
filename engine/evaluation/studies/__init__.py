"""One folder a paper: its tables and figures again, with the printed numbers beside ours.

From a terminal: `diptych study group_difference --out FOLDER`, or another slug of `STUDIES`.
"""

from engine.evaluation.studies.blocks import Running
from engine.evaluation.studies.catalog import STUDIES
from engine.evaluation.studies.group_difference.study import GroupDifferenceStudy
from engine.evaluation.studies.instance_specific.study import InstanceSpecificStudy
from engine.evaluation.studies.log_linear.study import LogLinearStudy
from engine.evaluation.studies.stored import stored, write

group_difference = GroupDifferenceStudy.run
instance_specific = InstanceSpecificStudy.run
log_linear = LogLinearStudy.run

__all__ = ["STUDIES", "Running", "group_difference", "instance_specific", "log_linear", "stored", "write"]
