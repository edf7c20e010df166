"""One file a paper: its tables and figures again, with the printed numbers beside ours.

From a terminal: `python -m engine.evaluation.studies instance-specific --help`.
"""

from engine.evaluation.studies.instance_specific import instance_specific

__all__ = ["instance_specific"]
