"""The settings of a group comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engine.data.preparing.roles import MOST_CLASSES
from engine.errors import SettingsError
from engine.methods.group_pair import REST
from engine.methods.setting import Settings, completed, knowledge_setting, setting
from engine.scores.dirichlet import K2, BDeu
from engine.search.knowledge import Knowledge
from engine.search.learn import as_search
from engine.search.problem import Search

EACH = "each other level"
"""Choice of the form where every other level is compared with the first."""


@dataclass(frozen=True)
class GroupDifferenceSettings(Settings):
    """Settings of a group comparison; see `engine.GroupDifference`."""

    group: str = setting(
        label="Group column",
        help="The variable that says which group a row belongs to.",
        role="variable",
        place="first",
    )
    groups: tuple[str, ...] | None = setting(
        None,
        label="Groups to compare",
        help="Two of its levels; one level alone is compared with all other rows. Of three and more each is compared "
        "with the first, the control. The form begins with the level that reads as a control.",
        words={"rest": REST, "each": EACH},
        role="levels",
        place="first",
    )
    score: K2 | BDeu = setting(
        BDeu(),
        label="Score",
        help="How well a network explains the rows. BDeu spreads an equivalent sample size evenly; K2 (uniform prior) "
        "is the paper's.",
        choices=(K2, BDeu),
        role="score",
        place="first",
    )
    average: Literal["orders", "none"] = setting(
        "orders",
        label="Averaged over",
        help="All orders of the variables and all parents they allow, or only the paper's single order, which calls "
        "neighbours of a variable that differs more often.",
        words={"orders": "all orders", "none": "nothing: the paper's single order"},
    )
    p_none: float = setting(
        0.5,
        label="Prior probability that nothing differs",
        help="How likely you think it is, before seeing the data, that no variable differs between the groups. Can be "
        "moved afterwards.",
        above=0.0,
        below=1.0,
        live=True,
        stops=(0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99),
        used_when={"average": ("orders",)},
    )
    p_same: float = setting(
        0.5,
        label="The paper's prior probability of no difference",
        help="Moves the paper's own numbers only. How likely you think 'no difference' is before seeing the data.",
        above=0.0,
        below=1.0,
        live=True,
        stops=(0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.999999),
    )
    p_level: Literal["variable", "overall", "context"] = setting(
        "variable",
        label="The paper's prior applies to",
        help="The two groups as a whole, each variable, or each context (one combination of parent values).",
        words={"variable": "each variable", "overall": "all variables at once", "context": "each context"},
        live=True,
    )
    alignment: Literal["published", "common"] = setting(
        "published",
        label="Networks compared over",
        help="Of the paper's own numbers: 'published' is equation 10 over the parents that all three networks share; "
        "'common' gives all three the parents of the pooled network.",
        words={"published": "published", "common": "common parents"},
        live=True,
    )
    margin: float = setting(
        0.1,
        label="A difference that would matter",
        help="As a difference of probabilities: 0.1 is ten percentage points. A variable is equivalent overall only "
        "where a larger difference of all rows is ruled out (95 %), of two levels also one of half the rarer's share.",
        above=0.0,
        below=1.0,
        live=True,
        stops=(0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5),
    )
    chance: float = setting(
        0.05,
        label="Level of the overall tests",
        help="Of the permutation tests of each variable over all rows, corrected (Holm). No verdict on "
        "P(differs) rests on them.",
        above=0.0,
        below=1.0,
    )
    search: Literal["thick_thinning", "hill_climbing", "exact", "order_mcmc"] | Search = setting(
        "thick_thinning",
        label="Search",
        help="Thick thinning is the paper's: add the best arc until none helps, then remove. Exact is for up to 20 "
        "variables.",
        choices=("thick_thinning", "hill_climbing", "exact", "order_mcmc"),
        role="search",
    )
    order: tuple[str, ...] | None = setting(
        None,
        label="Order of variables",
        help="Causes first, if you know it. Otherwise the order of the pooled network is used.",
        role="order",
    )
    max_parents: int | None = setting(
        None,
        label="Most parents of a variable",
        help="None for 3 where orders are averaged, and for no limit in the paper's networks.",
        minimum=0,
    )
    knowledge: Knowledge = knowledge_setting("Forbidden and required arcs, tiers, an order.")
    seed: int = setting(0, label="Seed", help="Of all that is drawn; equal seeds give equal numbers.", minimum=0)

    def __post_init__(self) -> None:
        for name in ("groups", "order"):  # lists are welcome; a frozen value holds tuples
            given = getattr(self, name)
            if given is not None:
                if isinstance(given, str) or not isinstance(given, Iterable):
                    raise SettingsError(f"{name} is {given!r}; it must be a list of names, or None.")
                object.__setattr__(self, name, tuple(map(str, given)))
        several = () if self.groups is None else self.groups
        if self.groups == () or len(several) > MOST_CLASSES or len(set(several)) < len(several):
            raise SettingsError(
                "groups must name two different levels of the group column, one to compare with the rest, or a control "
                f"and up to {MOST_CLASSES - 1} others."
            )
        if not isinstance(self.score, K2 | BDeu):
            raise SettingsError(f"score is {self.score!r}; it can be K2() or BDeu(ess=...).")
        as_search(self.search)
        super().__post_init__()

    def known(self) -> Knowledge:
        """Knowledge of the arcs between the variables compared: `knowledge`, with `order` and `max_parents`."""
        order = None if self.order is None else tuple(name for name in self.order if name != self.group)
        return completed(self.knowledge.without([self.group]), order=order, max_parents=self.max_parents)
