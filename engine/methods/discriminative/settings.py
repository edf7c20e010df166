"""The settings of class-discriminative networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.errors import SettingsError, check_choice
from engine.methods.setting import Settings, knowledge_setting, setting
from engine.search.knowledge import Knowledge

SCORES = {
    "acl": "Class contrast",
    "ccl": "Whole networks (CCL)",
    "ccl_single": "One network at a time (CCL)",
    "bde": "Each class by itself (BDeu)",
}
PARAMETERS = {"ml": "Maximum likelihood", "mid": "Mid: differences, the smallest at eps", "max": "Max: excesses only"}
BOUNDARIES = {
    "least_squares": "Least squares (the paper)",
    "midpoint": "Midpoint of the classes",
    "ratio": "Likelihood ratio",
}
WAYS = {
    "quantiles": "Quantiles over all",
    "series": "Quantiles of each series by itself",
    "differences": "Quantiles of the changes",
    "given": "As the data page cut them",
}
CHOOSABLE = ("max_parents", "top_families", "parameters", "eps")
"""Settings that an inner loop can choose."""


@dataclass(frozen=True)
class DiscriminativeSettings(Settings):
    """The settings of class-discriminative networks; see `engine.Discriminative`."""

    target: str = setting(
        label="Class column",
        help="The variable that says which class a subject (or a row) is of.",
        role="variable",
        place="first",
    )
    score: Literal["acl", "ccl", "ccl_single", "bde"] = setting(
        "acl",
        label="Networks are chosen by",
        help="Class contrast ('acl', approximate conditional likelihood, the paper's score): explain their own "
        "class well and the other badly, family by family. 'ccl': the same of whole networks. 'bde': explain their own "
        "class, whatever the other looks like.",
        words=SCORES,
        place="first",
    )
    parameters: Literal["ml", "mid", "max"] = setting(
        "ml",
        label="Probabilities",
        help="Of the tables: the class's own shares ('ml'), or what sets it apart ('mid', 'max': equations 8 and 7).",
        words=PARAMETERS,
        used_when={"score": ("acl",)},
    )
    max_parents: int = setting(
        1,
        label="Most parents of a variable",
        help="How many variables may point at one, its parents. A further parent always seems to help on the data it "
        "was chosen from, so it must be limited.",
        minimum=0,
        maximum=4,
        place="first",
    )
    top_families: int | None = setting(
        None,
        label="Families used",
        help="A family is a variable with those that point at it. The best so many of each network decide on a "
        "subject's class; none for all. With many variables a few are better.",
        minimum=1,
        place="first",
    )
    balance: bool = setting(
        True,
        label="Classes weigh alike",
        help="The other class's counts are rescaled to this class's. Without it (as published) unequal classes spoil "
        "'mid' and 'max'.",
    )
    eps: float = setting(
        1.0,
        label="Least count (eps)",
        help="No cell of a table counts less than this.",
        above=0.0,
        maximum=1000.0,
        scale="log",
    )
    ess: float = setting(
        1.0,
        label="Equivalent sample size",
        help="Of the BDeu score: how many imaginary observations the prior is worth.",
        above=0.0,
        scale="log",
        used_when={"score": ("bde",)},
    )
    shared: bool = setting(
        False,
        label="One structure for both classes",
        help="An extension: both networks get the same links, so every link says by itself how far it speaks for "
        "either class.",
        used_when={"score": ("acl",)},
    )
    boundary: Literal["least_squares", "midpoint", "ratio"] = setting(
        "least_squares",
        label="Boundary between the classes",
        help="How the two log-likelihoods become a verdict. Networks that share their structure, and those by CCL or "
        "BDeu, are compared by their likelihood ratio.",
        words=BOUNDARIES,
        used_when={"score": ("acl",), "shared": (False,)},
    )
    discretise: Literal["quantiles", "series", "differences", "given"] = setting(
        "quantiles",
        label="Numbers are cut by",
        help="Cut points come from the subjects that are learned from, inside every fold. 'series' takes each "
        "subject's own, which leaves levels and scanner gain aside; 'differences' looks at changes from step to step.",
        words=WAYS,
    )
    levels: int = setting(
        4, label="Levels of cut numbers", help="3 if series are shorter than about 100 steps.", minimum=2, maximum=12
    )
    folds: int | Literal["subject", "leave_one_out"] = setting(
        "subject",
        label="Folds",
        help="Subjects are held out in so many folds, all of a subject's data together; 'subject' is ten, or as many "
        "as the smallest class has subjects; 'leave_one_out' holds out one at a time.",
        place="hidden",
    )
    shuffles: int = setting(
        200,
        label="Permutations of the class labels",
        help="Class labels are shuffled among the rows and all is computed again, so often: what chance alone shows.",
        minimum=0,
        maximum=100_000,
    )
    knowledge: Knowledge = knowledge_setting(
        "Required and forbidden arcs; of series from one step to the next.", "forbidden=..., required=..."
    )
    seed: int = setting(0, label="Seed", help="Of folds and permutations; equal seeds give equal numbers.", minimum=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_folds(self.folds)
        if self.shared and self.score != "acl":
            raise SettingsError(f"shared is for the score 'acl', not for {self.score!r}; switch it off.")

    @property
    def by_ratio(self) -> bool:
        """True where the verdict is by the likelihood ratio alone."""
        return self.score != "acl" or self.shared or self.boundary == "ratio"


def check_folds(folds: object) -> None:
    """Refuse what is no number of folds."""
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        check_choice("folds", folds, ("subject", "leave_one_out"), "or a whole number from 2 up")
