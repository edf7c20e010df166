"""The settings of instance-specific networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.methods.setting import Settings, completed, knowledge_setting, setting
from engine.search.knowledge import Knowledge


@dataclass(frozen=True)
class InstanceSpecificSettings(Settings):
    """Settings of one patient's network; see `engine.InstanceSpecific`."""

    mode: Literal["order_kept", "published"] = setting(
        "order_kept",
        label="Search",
        help="'order_kept' keeps the direction of the population's arcs and asks of every variable which of its "
        "parents matter for this patient: a proper probability model. 'published' is the paper's own search, which "
        "may also turn arcs; read its warning.",
        words={"order_kept": "Arrows not reversed", "published": "The paper's own search"},
        place="first",
    )
    search: Literal["best", "ges"] = setting(
        "best",
        label="Search for the population",
        help="'best' tries several searches and keeps the network with the highest score: GES, hill climbing from it "
        "and from nothing, and the exact search for up to 11 variables. 'ges' is the paper's search alone.",
        words={"best": "The best of several", "ges": "The paper's alone (GES)"},
    )
    kappa: float = setting(
        0.1,
        label="Prior for a change (kappa)",
        help="How likely, beforehand, one arc of this patient differs from the population's, as odds against it "
        "staying. 1 means a change costs nothing; small values ask for strong evidence.",
        above=0.0,
        maximum=1.0,
        live=True,
        stops=(0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0),
    )
    ess: float = setting(
        1.0,
        label="Equivalent sample size (PESS)",
        help="How many imagined rows the uniform prior of a variable's distribution is worth.",
        above=0.0,
        maximum=1e6,
        live=True,
        stops=(0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0),
    )
    structure_prior: float = setting(
        1.0,
        label="Expected number of parents",
        help="How many parents a variable has, beforehand, in the population network (equation 11). Smaller values "
        "give fewer arcs.",
        above=0.0,
        maximum=1e6,
    )
    prior: Literal["union", "paper"] = setting(
        "union",
        label="Prior of the patient's parameters",
        help="'union' gives back the population's score exactly where nothing changes; 'paper' is equation 8.",
        choices=("union", "paper"),
    )
    empty: Literal["population", "all_rows"] = setting(
        "population",
        label="When no parent is left",
        help="'population': the variable keeps the population's distribution (as in the authors' program). 'all_rows': "
        "all rows share one distribution (as the paper's text says).",
        choices=("population", "all_rows"),
    )
    additions: bool = setting(
        False,
        label="Also look for extra parents",
        help="Lets a variable gain parents for this patient that it does not have in the population, in keeping with "
        "the order. Predicts a little better, claims more.",
    )
    max_parents: int | None = setting(None, label="Most parents of a variable", help="None for no limit.", minimum=0)
    margin: float = setting(
        0.1,
        label="A shift that matters (points of probability)",
        help="A link 'no longer matters' for a patient only where it is improbable that it still shifts the other "
        "variable's shares by more than this; 0.1 is ten percentage points.",
        above=0.0,
        below=1.0,
    )
    knowledge: Knowledge = knowledge_setting(
        "Forbidden and required arcs, tiers, an order; for the population and for every patient."
    )
    seed: int = setting(
        0, label="Seed", help="Nothing here is random; every method takes a seed.", minimum=0, place="hidden"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.known()

    def known(self) -> Knowledge:
        """Knowledge of the arcs: `knowledge`, with `max_parents`."""
        return completed(self.knowledge, max_parents=self.max_parents)
