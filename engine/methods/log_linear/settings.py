"""The settings of a log-linear analysis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from engine.errors import SettingsError
from engine.methods.setting import Settings, knowledge_setting, setting
from engine.search.knowledge import Knowledge

Pairs = tuple[tuple[str, str], ...]

CRITERIA = {
    "mml": "Message length (MML)",
    "smt": "Test, few false links (SMT)",
    "chi2": "Chi-squared, layered",
    "bic": "BIC",
    "ah": "Altmueller and Haralick",
    "kl": "Entropy only (KL)",
}
THIN_TABLES = {"drawn": "Tables drawn with the same margins", "published": "Chi-squared, as published"}
WITH_ALPHA = ("smt", "chi2")
WITH_JOINT = ("mml", "bic")


@dataclass(frozen=True)
class LogLinearSettings(Settings):
    """The settings of a log-linear analysis; see `engine.LogLinear`."""

    criterion: Literal["mml", "smt", "chi2", "bic", "ah", "kl"] = setting(
        "mml",
        label="Criterion for a link",
        help="'mml': it shortens the message that states model and data (the paper's). 'smt' and 'chi2': tests that "
        "keep the chance of any false link below alpha, of levels: not of numbers that were cut. 'bic': likelihood "
        "with a penalty. 'ah' and 'kl' are older methods that the paper compares with; they find false links.",
        words=CRITERIA,
        place="first",
    )
    joint: bool = setting(
        False,
        label="Also two links at once",
        help="Where no single link pays, tries to join a variable to two neighbours together. Finds patterns such as "
        "an exclusive-or, which no single link shows. Not in the paper; for 'mml' and 'bic'.",
        place="first",
        used_when={"criterion": WITH_JOINT},
    )
    max_clique: int | None = setting(
        None,
        label="Largest clique",
        help="Most variables that may all be linked with each other; none for no limit ('kl' then uses 5).",
        minimum=2,
    )
    alpha: float = setting(
        0.05,
        label="Significance (alpha)",
        help="For 'smt' and 'chi2': the chance of any false link that you accept, were no number cut.",
        above=0.0,
        below=1.0,
        place="first",
        scale="log",
        used_when={"criterion": WITH_ALPHA},
    )
    thin_tables: Literal["drawn", "published"] = setting(
        "drawn",
        label="Tests on thin tables",
        help="Where more than a fifth of the cells expect fewer than 5 rows. 'drawn': p from tables drawn with the "
        "same margins, which keeps alpha. 'published': the chi-squared distribution all the same, which does not.",
        words=THIN_TABLES,
        used_when={"criterion": WITH_ALPHA},
    )
    forced: Pairs = setting((), label="Links that must be there", help="Pairs of variables.", role="pairs")
    forbidden: Pairs = setting((), label="Links that must not be there", help="Pairs of variables.", role="pairs")
    start: Pairs = setting((), label="Start from these links", help="Instead of from no link at all.", role="pairs")
    knowledge: Knowledge = knowledge_setting(
        "Required arcs are edges that must be there, arcs forbidden both ways are edges that must not.",
        "forbidden=..., required=...",
    )
    seed: int = setting(
        0, label="Seed", help="Of the bootstrap and of tables drawn; equal seeds give equal numbers.", minimum=0
    )

    def __post_init__(self) -> None:
        for name in ("forced", "forbidden", "start"):
            object.__setattr__(self, name, _pairs(name, getattr(self, name)))
        super().__post_init__()
        if self.knowledge.tiers or self.knowledge.order or self.knowledge.max_parents is not None:
            raise SettingsError(
                "tiers, order and max_parents speak of arrows, which this model has none of; leave them out, or use "
                "max_clique.",
                setting="knowledge",
            )
        if self.joint and self.criterion not in WITH_JOINT:
            raise SettingsError(
                f"joint is for the criteria 'mml' and 'bic', not for {self.criterion!r}; switch it off."
            )
        both = {frozenset(pair) for pair in self.barred}
        for name, pairs in (("forced", self.must), ("start", self.start)):
            for a, b in pairs:
                if frozenset((a, b)) in both:
                    raise SettingsError(f"The edge between {a!r} and {b!r} is forbidden, but also in {name}.")

    @property
    def drawing_seed(self) -> int | None:
        """Of the draws for thin tables; None where the chi-squared distribution is to serve all the same."""
        return self.seed if self.thin_tables == "drawn" else None

    @property
    def must(self) -> Pairs:
        """The edges that must be there: `forced`, and those that the knowledge requires."""
        return (*self.forced, *self.knowledge.required)

    @property
    def barred(self) -> Pairs:
        """The edges that must not be there: `forbidden`, and those that the knowledge forbids both ways."""
        arcs = set(self.knowledge.forbidden)
        return (*self.forbidden, *((a, b) for a, b in self.knowledge.forbidden if a < b and (b, a) in arcs))


Kind = TypeVar("Kind", bound=LogLinearSettings)


def _pairs(name: str, given: Any) -> Pairs:
    """Pairs of names as tuples; `SettingsError` for anything else."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SettingsError(f"{name} is {given!r}; it must be a list of pairs of variables.")
    result: list[tuple[str, str]] = []
    for pair in given:
        if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := tuple(map(str, pair))) != 2:
            raise SettingsError(f"{name} has {pair!r}; every entry must be a pair of two variables.")
        if both[0] == both[1]:
            raise SettingsError(f"{name} joins {both[0]!r} to itself.")
        result.append((both[0], both[1]))
    return tuple(result)


def demand_edge(method: Kind, pair: tuple[str, str], *, there: bool) -> Kind:
    """The same search with this edge forced, or forbidden; what said the opposite is lifted."""
    forced, forbidden = _without(method.forced, pair), _without(method.forbidden, pair)
    if there:
        free = Knowledge(_without(method.knowledge.forbidden, pair), method.knowledge.required)
        return replace(method, forced=(*forced, pair), forbidden=forbidden, knowledge=free)
    free = Knowledge(method.knowledge.forbidden, _without(method.knowledge.required, pair))
    start = _without(method.start, pair)
    return replace(method, forced=forced, forbidden=(*forbidden, pair), start=start, knowledge=free)


def continue_from(method: Kind, edges: Pairs) -> Kind:
    """The same search, begun from the edges of a model made by hand, which decide over what is forced or forbidden."""
    there = set(map(frozenset, edges))
    forced = tuple(pair for pair in method.must if frozenset(pair) in there)
    forbidden = tuple(pair for pair in method.barred if frozenset(pair) not in there)
    return replace(method, start=edges, forced=forced, forbidden=forbidden, knowledge=Knowledge())


def _without(pairs: Pairs, pair: tuple[str, str]) -> Pairs:
    """The other pairs, whichever way round."""
    return tuple(other for other in pairs if set(other) != set(pair))
