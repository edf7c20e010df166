"""The families of an answer as tables: ranked, and one of them with the tables of both classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.data.dataset import Dataset
from engine.data.store import remote_refusal
from engine.errors import DataError, SettingsError
from engine.lazy import pd
from engine.methods import frames
from engine.methods.discriminative.coding import Counted, coded, observed
from engine.methods.discriminative.effect import more_in, turning_contrast, turns
from engine.methods.discriminative.pipeline import verdicts
from engine.methods.discriminative.points import Points, cut_to, points_of
from engine.methods.discriminative.structure import Learned, LearnedNetwork
from engine.models.network import Network
from engine.telling.tables import Column, TableDescription, described
from engine.words import with_minus

if TYPE_CHECKING:
    from engine.methods.discriminative.result import DiscriminativeResult

TABLES: Mapping[str, TableDescription] = {
    "Families": TableDescription(
        "Every variable with its parents in each class’s network: what they gain, p (how often permuted classes gain "
        "as much somewhere), and the largest difference of a share between the classes. p is of all differences of a "
        "link together: it may be small where the interval of the largest one holds 0.",
        described(
            text="network; child: variable; parents; where",
            number="gain; worth; pacl: PACL",
            whole="added: parameters added",
            flag="used; levels: levels tell alone",
            p="chance: p, corrected",
            share="recurrence: of folds",
            points="effect: difference, pp (95 %); low; high",
        ),
        keys=("network", "child"),
        ends={"effect": ("low", "high")},
        chart="effect",
        place="where",
    ),
    "Links": TableDescription(
        "Every arc: which networks have it, and how far it shifts its target at most, in the class of its network and "
        "in the other; 95 % intervals, widened for the choice of the largest. Where a link turns its direction "
        "shifts have signs.",
        described(
            text="network; source: from; target: to; mark; status: in networks; more: shifts more in, or turns",
            number="strength: gain",
            points="shift_own: shift there, pp (95 %); low_own; high_own; "
            "shift_other: in the other class, pp (95 %); low_other; high_other",
        ),
        keys=("network", "source", "target"),
        ends={"shift_own": ("low_own", "high_own"), "shift_other": ("low_other", "high_other")},
        left_out=("mark",),
        given_by="links",
    ),
    "Held-out verdicts": TableDescription(
        "The class that every point was classified as by networks that had not seen it.",
        described(text="class; classified as", flag="right", whole="observations"),
        others=Column("", "number"),
        persons=True,
    ),
    "Confusion": TableDescription(
        "Rows: the class of each point. Columns: the class it was classified as.",
        described(text="class"),
        others=Column("", "count"),
        keys=("class",),
        sums=((),),
        matrix=True,
    ),
}


SIGNIFICANCE = 0.05
"""Share of shuffles that may find as much by chance, corrected for all families at once."""


def families(result: DiscriminativeResult) -> pd.DataFrame:
    """One row a family of a network, the largest gain first; see `DiscriminativeResult.families`."""
    rows, differing = [], set(differing_levels(result))
    shuffled = result.chance if not result.held_out.too_few else result.chance[:0]
    for title, c, net in result.networks_in_order:
        network, recurrence = result.learned[c].networks[net], result.held_out.recurrence[c, net]
        for child, parents in enumerate(network.parents):
            effect, low, high = (float(x) for x in network.effects[child, :3])
            rows.append(
                {
                    "network": title,
                    "child": result.variables_in_order[child],
                    "parents": tuple(result.variables_in_order[x] for x in parents),
                    "gain": float(network.gain[child]),
                    "worth": float(network.penalised_pacl[child]),
                    "pacl": float(network.pacl[child]),
                    "added": int(network.added[child]),
                    "used": bool(network.used[child]),
                    "chance": chance_of(shuffled, float(network.gain[child])) if parents else float("nan"),
                    "levels": any(result.variables_in_order[x] in differing for x in (child, *parents)),
                    "recurrence": float(recurrence[child, list(parents)].min()) if parents else float("nan"),
                    "effect": effect,
                    "low": low,
                    "high": high,
                    "where": where(result, network, child),
                    "shift": shift_words(result, c, net, child),
                }
            )
    return frames.data_frame(rows).sort_values("gain", ascending=False, kind="stable", ignore_index=True)


def beyond_chance(ranked: pd.DataFrame) -> pd.Series:
    """(families,) whether a link is said to be beyond chance: it gains more than shuffled classes show, and the levels
    of its variables do not tell the classes apart by themselves, since then even a link with noise seems to gain."""
    return (ranked["chance"] <= SIGNIFICANCE) & ~ranked["levels"].astype(bool)


def clear(low: float, high: float) -> bool:
    """Whether an interval of a difference leaves 0 out; one that is not known does not."""
    return low > 0 or high < 0


def leading_family(result: DiscriminativeResult) -> pd.Series | None:
    """The family that a headline names; None unless the classes are separated beyond chance.

    The link beyond chance that gains most. Without one the variable without parents whose levels are worth most, where
    they separate the classes beyond chance and have a difference whose interval leaves 0 out.
    """
    if not result.held_out.separates:
        return None
    ranked = result.families()
    links = ranked[(ranked["parents"].map(len) > 0) & beyond_chance(ranked)]
    if len(links):
        return links.iloc[0]
    separates = [
        not row.parents
        and clear(row.low, row.high)
        and chance_of(result.chance_levels, row.worth - row.gain) <= SIGNIFICANCE
        for row in ranked.itertuples()
    ]
    levels = ranked[np.array(separates, dtype=bool)]
    return levels.loc[(levels["worth"] - levels["gain"]).idxmax()] if len(levels) else None


def shares_of_best(ranked: pd.DataFrame) -> list[float]:
    """How much each link gains beside the most, from 0 to 1."""
    gain = ranked["gain"].clip(lower=0.0).to_numpy()
    return (gain / max(float(gain.max(initial=0.0)), 1e-9)).tolist()


def chance_of(shuffled: np.ndarray, value: float) -> float:
    """Share of shuffles whose best is as much, the observed one counted; NaN without shuffles."""
    if not len(shuffled):
        return float("nan")
    return float((1 + (shuffled >= value - 1e-9).sum()) / (1 + len(shuffled)))


def differing_levels(result: DiscriminativeResult) -> list[str]:
    """Variables whose own levels tell the classes apart beyond chance, whatever stands before them."""
    if result.held_out.too_few:
        return []
    differing = {
        result.variables_in_order[i]
        for item in result.learned
        for network in item.networks
        for i, value in enumerate(network.alone)
        if chance_of(result.chance_levels, float(value)) <= SIGNIFICANCE
    }
    return [name for name in result.names if name in differing]


def where(result: DiscriminativeResult, network: LearnedNetwork, child: int) -> str:
    """In words, of which level and after what the largest difference is; empty where none is common enough."""
    j, k = network.effects[child, 3:]
    if not np.isfinite(j):
        return ""
    level = f"{result.variables_in_order[child]} = {result.levels[child][int(k)]}"
    given = result.configuration(network.parents[child], int(j))
    conditions = ", ".join(f"{name} = {value}" for name, value in given.items())
    joint = " after " if result.series else " where "
    return f"{level}{joint + conditions if conditions else ''}"


def shift_words(result: DiscriminativeResult, c: int, net: int, child: int) -> str:
    """How far each parent shifts the child in either class, and in which the more; empty where it is not known."""
    network = result.learned[c].networks[net]
    titles = result.titles_of(c, net)[::-1]
    phrases = []
    for place, x in enumerate(network.parents[child]):
        shifts = network.shifts[child, place]
        if turns(shifts):
            turn = turn_words(result, titles[1], result.variables_in_order[child], result.variables_in_order[x])
            phrases.append(turn_text(turn, titles[::-1]))
        elif np.isfinite(shifts[:, 0]).all():
            both = " and ".join(
                f"{size_words(shift)} in {title}"
                for title, shift in zip(titles[::-1], shifts[::-1].tolist(), strict=True)
            )
            more = more_in(shifts)
            ahead = "no clear difference in size" if more < 0 else f"more in {titles[more]}"
            phrases.append(f"{result.variables_in_order[x]} by up to {both}: {ahead}")
    return "; ".join(phrases)


def turn_words(
    result: DiscriminativeResult, network: str, child: str, parent: str
) -> tuple[str, str, list[str]] | None:
    """Of a link that turns its direction contrast, level and signed shifts in both classes; None where it does not."""
    c, net = result.place_of(network)
    own, i = result.learned[c].networks[net], result.variables_in_order.index(child)
    parents = own.parents[i]
    place = parents.index(result.variables_in_order.index(parent))
    arity = np.array([len(result.levels[x]) for x in parents])
    contrast = turning_contrast(own.counts[i], arity, place) if turns(own.shifts[i, place]) else None
    if contrast is None:
        return None
    high, low = (result.configuration(parents, j) for j in contrast[:2])
    fixed = "".join(f", {name} = {value}" for name, value in high.items() if name != parent)
    sizes = [size_words(shift, signed=True) for shift in own.shifts[i, place, ::-1].tolist()]
    contrast_words = f"{parent} = {high[parent]} against {low[parent]}{fixed}"
    return contrast_words, f"{child} = {result.levels[i][contrast[2]]}", sizes


def turn_text(turn: tuple[str, str, list[str]] | None, titles: Sequence[str]) -> str:
    """What `turn_words` has, in one line; empty for None."""
    if turn is None:
        return ""
    both = (f"{size} in {title}" for size, title in zip(turn[2], titles, strict=True))
    return f"{turn[0]}: {turn[1]} {', '.join(both)}"


def size_words(shift: Sequence[float], *, signed: bool = False) -> str:
    """A shift in percentage points with its interval, where there is one; empty where it is not known."""
    size, low, high = shift
    if size != size:
        return ""
    interval = "" if low != low else f" ({100 * low:.0f} to {100 * high:.0f})"
    return with_minus(f"{100 * size:{'+' if signed else ''}.0f} percentage points{interval}")


def cpt(result: DiscriminativeResult, network: str, child: str) -> pd.DataFrame:
    """The tables of a family: shares and counts of both classes, and the probability used.

    Parameters
    ----------
    network : title of a network, such as a class
    child : a variable

    Returns
    -------
    pandas.DataFrame, a row a configuration of the parents and a level

    Raises
    ------
    SettingsError : there is no such network or variable
    """
    c, net = result.place_of(network)
    if child not in result.variables_in_order:
        raise SettingsError(f"There is no variable {child!r} in these networks.")
    i = result.variables_in_order.index(child)
    learned = result.learned[c].networks[net]
    counts, parents = learned.counts[i], learned.parents[i]
    theta = np.exp(learned.log_theta(i, result.parameters, result.method.eps))
    totals = counts.sum(axis=2, keepdims=True)
    shares = counts / np.where(totals > 0, totals, np.nan)
    own, other = result.titles_of(c, net)
    rows = []
    for j in range(counts.shape[1]):
        given = result.configuration(parents, j)
        for k, level in enumerate(result.levels[i]):
            rows.append(
                {
                    **{result.earlier(name): value for name, value in given.items()},
                    result.later(child): level,
                    f"share {own}": shares[1, j, k],
                    f"share {other}": shares[0, j, k],
                    "difference": shares[1, j, k] - shares[0, j, k],
                    f"count {own}": int(counts[1, j, k]),
                    f"count {other}": int(counts[0, j, k]),
                    "probability used": theta[j, k],
                }
            )
    return frames.data_frame(rows)


def fitted(result: DiscriminativeResult, network: str) -> Network:
    """A network with the probabilities that it uses; of series over both steps, the first with the class's shares.

    Parameters
    ----------
    network : title of a network, such as a class

    Returns
    -------
    `engine.models.Network`, for BIF (`engine.exchange.network_to_bif`), sampling and queries

    Raises
    ------
    SettingsError : there is no such network
    """
    c, net = result.place_of(network)
    learned, names = result.learned[c].networks[net], result.variables_in_order
    p = len(names)
    tables = []
    for i in range(p):
        theta = np.exp(learned.log_theta(i, result.parameters, result.method.eps))
        tables.append(theta / theta.sum(axis=1, keepdims=True))
    if not result.series:
        return Network(names, result.levels, learned.parents, tuple(tables))
    first = [learned.counts[i][1].sum(axis=0) + result.method.eps for i in range(p)]
    first_step = tuple((counts / counts.sum())[None] for counts in first)
    both = (*map(result.earlier, names), *map(result.later, names))
    return Network(both, result.levels * 2, ((),) * p + learned.parents, (*first_step, *tables))


START = "start"
"""What the boundary adds before anything was seen of a point."""


@dataclass(frozen=True, eq=False)
class Pushes:
    """What every family adds to the scores of some points.

    Attributes
    ----------
    points : whose
    likelihoods : (S, C, 2) mean log-likelihoods by the others' network and by the class's, over the families used
    pushes : (S, C, p) of every child's families in both networks together, less what they push half-way between
    start : (C,) the score half-way between the classes; scores are the pushes summed, and this
    """

    points: Points
    likelihoods: np.ndarray
    pushes: np.ndarray
    start: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """(S, C)."""
        return np.asarray(self.pushes.sum(axis=2) + self.start)


def check_variables(result: DiscriminativeResult, data: Dataset) -> list[str]:
    """The variables that a table needs for the networks; `DataError` where one is not there."""
    wanted = [name for name in result.variables_in_order if name in result.names_of_table]
    absent = [name for name in wanted if name not in data]
    if absent:
        raise DataError(f"The table has no variable '{absent[0][:60]}', which the networks use.", column=absent[0])
    return wanted


def pushes_of(result: DiscriminativeResult, data: Dataset) -> Pushes:
    """Score the points of a data set, family by family."""
    if not data.in_memory:
        raise remote_refusal(data.store, "What every family adds to a score")
    wanted = check_variables(result, data)
    keep = [name for name in data.names if name in wanted or name == result.method.target]
    points = points_of(data.select(keep), result.method.target, result.classes)
    if points.series != result.series:
        kind = "series of subjects" if result.series else "single rows"
        raise DataError(f"The networks were learned from {kind}; give the new table the same roles.")
    if points.names != result.variables_in_order:
        raise DataError("The new table's variables are not those of the networks; prepare it by the same recipe.")
    points = observed(points, result.coding.way)
    if result.block:  # what was learned from the first steps of every series is asked of as many
        points = cut_to(points, result.block)
    _check_levels(result, points)
    slices, point = coded(points, result.coding)
    counted = Counted(slices, point, points.n_points)
    both = [_of(result, item, counted) for item in result.learned]
    return Pushes(
        points,
        np.stack([entry[0] for entry in both], axis=1),
        np.stack([pushes - learned.usual for (_, pushes), learned in zip(both, result.learned, strict=True)], axis=1),
        np.array([element.boundary[0] + element.usual.sum() for element in result.learned]),
    )


def _check_levels(result: DiscriminativeResult, points: Points) -> None:
    """Refuse what would be coded otherwise than what was learned from."""
    for i, name in enumerate(points.names):
        numeric = result.cut[i]
        if numeric and points.numbers[i] is None:
            raise DataError(f"'{name[:60]}' has no numbers here; prepare the table by the same recipe.", column=name)
        if not numeric and points.levels[i] != result.levels[i]:
            raise DataError(
                f"'{name[:60]}' has other levels here than those learned from; prepare the table by the same recipe.",
                column=name,
            )
        gaps = numeric and not result.coding.absent[i]
        if gaps and not np.isfinite(points.column(i)[np.union1d(points.before, points.after)]).all():
            raise DataError(f"'{name[:60]}' lacks numbers here, which nothing was learned from.", column=name)


def _of(result: DiscriminativeResult, learned: Learned, counted: Counted) -> tuple[np.ndarray, np.ndarray]:
    """Log-likelihoods by both networks and the push of every child."""
    method, p = result.method, len(result.variables_in_order)
    parameters = method.parameters if method.score == "acl" else "ml"
    single = np.zeros((2, counted.n_points, p))
    for net, network in enumerate(learned.networks):
        for child in np.flatnonzero(network.used).tolist():
            theta = network.log_theta(child, parameters, method.eps)
            single[net, :, child] = counted.log_likelihood(child, network.parents[child], theta)
    single /= np.maximum(counted.lengths, 1)[:, None]
    pushes = learned.boundary[2] * single[0] + learned.boundary[1] * single[1]
    return single.sum(axis=2).T, pushes


def predicted(result: DiscriminativeResult, data: Dataset) -> pd.DataFrame:
    """See `DiscriminativeResult.predict`."""
    pushes = pushes_of(result, data)
    scores, text = pushes.scores, verdicts(pushes.scores)
    at = np.zeros(len(text), dtype=np.int64) if len(result.classes) == 2 else text
    rows = np.arange(len(text))
    columns: dict[str, object] = {
        pushes.points.noun: list(pushes.points.ids),
        "score": scores[rows, at],
        "class": [result.classes[code] for code in text],
    }
    for net, side in enumerate(result.sides):
        columns[f"log_likelihood {side}"] = pushes.likelihoods[rows, at, net]
    columns["observations"] = pushes.points.lengths
    columns[START] = pushes.start[at]
    for i, name in enumerate(result.variables_in_order):
        if any(network.used[i] for item in result.learned for network in item.networks):
            columns[f"push {name}"] = pushes.pushes[rows, at, i]
    return frames.data_frame(columns).iloc[np.argsort(pushes.points.positions, kind="stable")].reset_index(drop=True)
