"""A truth, data drawn from it, and a method that looks for it: one try, or many with other seeds.

A trial is a frozen settings dataclass (`GroupTrial`, `InstanceTrial`, `AssociationTrial`); its `run(method, second)`
gives an `Outcome` with the truth of every item and one or two scores for it, and `repeat` does that for many seeds.

The file of a trial is named after the method that it is for and has it as `TRIAL`; there is no other list of them.
"""
