"""The settings of a log-linear analysis, and `run`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.methods.setting import check_settings, setting

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.log_linear.result import LogLinearResult

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LogLinear:
    """Which variables hang together, directly and not only by way of others (Petitjean, Allison & Webb 2014).

    Forward selection over decomposable log-linear models: starting from independence, the edge that pays most is added
    as long as one pays, and every graph on the way is chordal, so its estimates have a closed form.

    Examples
    --------
    >>> result = LogLinear().run(data)               # doctest: +SKIP
    >>> result.formula, result.steps                 # doctest: +SKIP
    """

    criterion: str = setting(
        "mml",
        label="When does an edge pay?",
        help="'mml': it shortens the message that states model and data (the paper's). 'smt' and 'chi2': tests that "
        "keep the chance of any false edge below alpha. 'bic': likelihood with a penalty. 'ah' and 'kl' are older "
        "methods that the paper compares with; they find false edges.",
        choices=("mml", "smt", "chi2", "bic", "ah", "kl"),
    )
    joint: bool = setting(
        False,
        label="Also two edges at once",
        help="Where no single edge pays, tries to join a variable to two neighbours together. Finds patterns such as "
        "an exclusive-or, which no single edge shows. Not in the paper; for 'mml' and 'bic'.",
        choices=(False, True),
    )
    max_clique: int | None = setting(
        None,
        label="Largest clique",
        help="Most variables that may hang together as one group; empty for no limit ('kl' then uses 5).",
        minimum=2,
    )
    alpha: float = setting(
        0.05,
        label="Significance (alpha)",
        help="For 'smt' and 'chi2': the chance of any false edge that you accept.",
        above=0.0,
        below=1.0,
    )
    forced: Pairs = setting((), label="Edges that must be there", help="Pairs of variables.", role="pairs")
    forbidden: Pairs = setting((), label="Edges that must not be there", help="Pairs of variables.", role="pairs")
    start: Pairs = setting((), label="Start from these edges", help="Instead of from no edge at all.", role="pairs")
    seed: int = setting(0, label="Seed", help="Of the bootstrap; equal seeds give equal numbers.", minimum=0)

    def __post_init__(self) -> None:
        for name in ("forced", "forbidden", "start"):
            object.__setattr__(self, name, _pairs(name, getattr(self, name)))
        check_settings(self)
        if self.joint and self.criterion not in ("mml", "bic"):
            raise SettingsError(
                f"joint is for the criteria 'mml' and 'bic', not for {self.criterion!r}; switch it off."
            )
        both = {frozenset(pair) for pair in self.forbidden}
        for name in ("forced", "start"):
            for a, b in getattr(self, name):
                if frozenset((a, b)) in both:
                    raise SettingsError(f"The edge between {a!r} and {b!r} is forbidden, but also in {name}.")

    def run(self, data: Dataset, progress: Progress = silent) -> LogLinearResult:
        """Select the model.

        Raises
        ------
        DataError : no rows or no variables
        SettingsError : edges between variables that do not exist, or forced edges that need a forbidden one
        """
        from engine.methods.log_linear.learn import analyse

        return analyse(self, data, progress)

    def stability(self, data: Dataset, runs: int = 100, jobs: int = 1, progress: Progress = silent) -> pd.DataFrame:
        """How often every edge comes back in `runs` bootstrap samples of the rows: a, b, share, low, high, in_model.

        `low` and `high` are the central 95 % interval of the share; equal bits whatever the number of `jobs`. Samples
        are searched from no edge, not from `start`, whose edges would come back every time; forced ones do.
        """
        from engine.methods.log_linear.stability import stability

        return stability(self, data, runs, jobs, progress)


def _pairs(name: str, given: Any) -> Pairs:
    """Pairs of names as tuples; `SettingsError` for anything else."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SettingsError(f"{name} is {given!r}; it must be a list of pairs of variables.")
    found: list[tuple[str, str]] = []
    for pair in given:
        if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := tuple(map(str, pair))) != 2:
            raise SettingsError(f"{name} has {pair!r}; every entry must be a pair of two variables.")
        if both[0] == both[1]:
            raise SettingsError(f"{name} joins {both[0]!r} to itself.")
        found.append((both[0], both[1]))
    return tuple(found)
