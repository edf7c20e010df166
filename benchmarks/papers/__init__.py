"""One folder a paper: its tables and figures again, with the printed numbers beside ours.

From the repository: `python -m benchmarks.papers group_difference --out FOLDER`, or another slug of `every_study()`.
The folder is named after the method that the study judges, and its `study.py` has it as `STUDY`; there is no other list
of them. What a run of the paper's size came to stands in `kept`, one file a paper.
"""
