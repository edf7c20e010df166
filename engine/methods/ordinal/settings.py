"""The settings of networks from ordinal data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import SettingsError
from engine.methods.setting import Settings, knowledge_setting, setting
from engine.search.knowledge import Knowledge
from engine.search.learn import as_search

APPROACHES = {
    "osem": "Ordinal (OSEM)",
    "bge": "Levels taken as numbers (BGe)",
    "bic": "Levels taken as numbers (Gaussian BIC)",
    "bde": "Levels without an order (BDe)",
    "gpc": "PC, levels as numbers (GPC)",
    "opc": "PC, a test that knows the order (OPC)",
    "npc": "PC, levels without an order (NPC)",
    "npc_pcalg": "NPC as pcalg: few rows count as independent",
    "rpc": "PC, rank correlations (RPC)",
    "cpc": "PC, correlations of a Gaussian copula (CPC)",
    "mmpc": "PC, ordinal regressions (MMPC)",
}
MODES = {"relaxed": "Relaxed, the best round is kept", "published": "As published, the last round is kept"}
PRIOR_MEANS = {"rows": "The mean of the rows", "zero": "Zero"}
MISSING = {
    "refuse": "Refuse the table",
    "latent": "Leave them open: full information",
    "pairwise": "Leave them open, lines pair by pair",
}
BY_SCORE, BY_TEST = ("osem", "bge", "bic", "bde"), ("gpc", "opc", "npc", "npc_pcalg", "rpc", "cpc", "mmpc")
LATENT = ("osem",)


@dataclass(frozen=True)
class OrdinalSettings(Settings):
    """Settings of a network from ordinal data; see `engine.Ordinal`."""

    approach: Literal["osem", "bge", "bic", "bde", "gpc", "opc", "npc", "npc_pcalg", "rpc", "cpc", "mmpc"] = setting(
        "osem",
        label="How levels are read",
        help="'osem' is the paper's: every answer is a latent normal value that was cut into levels. The others "
        "are what it is compared with.",
        words=APPROACHES,
        place="first",
    )
    penalty: float = setting(
        3.0,
        label="Penalty of arrows (lambda)",
        help="How many times the BIC's penalty an arrow must earn; lines have none. 3 and above are for structure; "
        "prediction is best near 1.",
        minimum=0.0,
        maximum=1000.0,
        place="first",
        used_when={"approach": ("osem", "bic")},
    )
    alpha: float = setting(
        0.05,
        label="Significance (alpha)",
        help="A PC search takes a link away where a test's p is above this.",
        above=0.0,
        below=1.0,
        place="first",
        scale="log",
        used_when={"approach": BY_TEST},
    )
    ess: float = setting(
        1.5,
        label="Equivalent sample size (chi)",
        help="How many imaginary rows the prior of BDe is worth.",
        above=0.0,
        maximum=1e6,
        place="first",
        scale="log",
        used_when={"approach": ("bde",)},
    )
    am: float = setting(
        0.05,
        label="Weight of the prior (am)",
        help="BGe's; smaller values give fewer links.",
        above=0.0,
        maximum=1e6,
        place="first",
        scale="log",
        used_when={"approach": ("bge",)},
    )
    prior_mean: Literal["rows", "zero"] = setting(
        "rows",
        label="Prior mean of BGe",
        help="The mean of the rows, as in bnlearn, or 0, as in BiDAG, which the paper used.",
        words=PRIOR_MEANS,
        used_when={"approach": ("bge",)},
    )
    search: Any = setting(
        "order_mcmc",
        label="Search",
        help="'order_mcmc' walks over orders of the variables and is the paper's; 'exact' is for up to 20 variables. "
        "'ges' and 'hill_climbing' are faster and clearly weaker here.",
        choices=("order_mcmc", "exact", "ges", "hill_climbing"),
        role="search",
        used_when={"approach": BY_SCORE},
    )
    mode: Literal["relaxed", "published"] = setting(
        "relaxed",
        label="Rounds of the ordinal fit",
        help="'relaxed' steps further in every round, by what levels hide, and keeps the round that explains the "
        "answers best. 'published' does as the authors' program.",
        words=MODES,
        used_when={"approach": LATENT},
    )
    draws: int = setting(
        600,
        label="Draws (K)",
        help="Latent values drawn for every row and round; fewer where rows are many. 5 in the paper. More draws make "
        "two seeds agree.",
        minimum=1,
        maximum=100_000,
        used_when={"approach": LATENT, "mode": ("relaxed",)},
    )
    missing: Literal["refuse", "latent", "pairwise"] = setting(
        "refuse",
        label="Missing answers",
        help="'latent': a missing answer's latent value may lie anywhere, for arrows and lines; answers must be "
        "missing at random. 'pairwise': lines use each pair's own answers, which must be missing completely at random. "
        "The table must keep its gaps, as levels of their own.",
        words=MISSING,
        used_when={"approach": LATENT},
    )
    bootstrap: int = setting(
        0,
        label="Bootstrap samples",
        help="How often the rows are resampled to see how stable every link is; 0 for not now.",
        minimum=0,
        maximum=10_000,
    )
    margin: float = setting(
        0.2,
        label="A partial correlation that matters",
        help="No link is said to be missing, only to be improbable above this size; 0.2 is 4 % of what is left to "
        "explain.",
        above=0.0,
        below=1.0,
    )
    knowledge: Knowledge = knowledge_setting("Forbidden and required arcs, tiers, an order, most parents.")
    seed: int = setting(
        0, label="Seed", help="Of draws, searches and bootstrap samples; equal seeds give equal numbers.", minimum=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        as_search(self.search)
        if self.approach in BY_TEST and self.knowledge.max_parents is not None:
            raise SettingsError(
                "max_parents is for approaches with a score; a PC search cannot keep to it. Leave it out.",
                setting="knowledge",
            )
        if self.missing != "refuse" and self.approach not in LATENT:
            raise SettingsError(
                f"missing={self.missing!r} is for the approach 'osem', not for {self.approach!r}; leave it out.",
                setting="missing",
            )
