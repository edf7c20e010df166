"""One folder a paper: its tables and figures again, with the printed numbers beside ours.

From a terminal: `diptych study group_difference --out FOLDER`, or another slug of `every_study()`. The folder is named
after the method that the study judges, and its `study.py` has it as `STUDY`; there is no other list of them.
"""

from engine.evaluation.studies.blocks import Running
from engine.evaluation.studies.catalog import every_study, study_called
from engine.evaluation.studies.stored import stored, write

__all__ = ["Running", "every_study", "stored", "study_called", "write"]
