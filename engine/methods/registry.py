"""The registry of methods: `METHODS` is the one list of them.

Navigation, start, samples, evaluation, studies, worker warm-up, exports and contract tests go through it; a
further method is a folder and one line here (and one page in `dashboard.pages`).
"""

from engine.methods.discriminative.method import Discriminative
from engine.methods.group_difference.method import GroupDifference
from engine.methods.instance_specific.method import InstanceSpecific
from engine.methods.log_linear.method import LogLinear
from engine.methods.method import Method
from engine.methods.ordinal.method import Ordinal

METHODS: dict[str, type[Method]] = {
    item.slug: item for item in (GroupDifference, InstanceSpecific, LogLinear, Discriminative, Ordinal)
}
"""Slug -> method, in the order in which they are shown."""
