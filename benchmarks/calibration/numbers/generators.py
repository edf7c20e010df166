"""Mixed tables of two groups: numbers with units, ordered and nominal columns that depend on columns before them.

A number is its score, of mean 0 and variance 1: what its parents say and noise of a shape of its own. What differs in
the second group is a `Move` of one column. Neither the tests nor the prototype of the method draw such tables.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pandas as pd

Random = np.random.Generator
Noise = Callable[[Random, int], np.ndarray]
GROUP, FIRST, SECOND = "arm", "A", "B"
REFERENCE = 4000
"""Rows by which the scale of what parents say is known."""

NUMBERS: dict[str, tuple[float, float, float]] = {
    "Creatinine (µmol/L)": (140, 25, 1),
    "Systolic pressure (mmHg)": (128, 17, 1),
    "Heart rate (1/min)": (82, 13, 1),
    "Potassium (mmol/L)": (4.4, 0.5, 0.01),
    "Weight (kg)": (78, 14, 0.1),
    "Haemoglobin [g/dL]": (13.1, 1.6, 0.1),
    "age_years": (58, 9, 1),
    "Albumin (g/L)": (38, 5, 0.1),
    "Sodium (mmol/L)": (139, 3.5, 0.1),
    "Temperature (°C)": (37.2, 0.7, 0.01),
    "Bilirubin [µmol/L]": (60, 12, 0.1),
}
"""Header -> centre, standard deviation and step of what is written."""
ORDERED = {
    "severity": ("mild", "moderate", "severe"),
    "pain": ("none", "a little", "some", "much"),
    "stage": ("I", "II", "III", "IV"),
    "smoking": ("never", "formerly", "daily"),
    "mobility": ("bed", "chair", "room", "ward", "outdoors"),
}
NOMINAL = {
    "sex": ("female", "male"),
    "ward type": ("medical", "surgical", "mixed"),
    "blood group": ("A", "AB", "B", "O"),
    "insurance": ("private", "public"),
    "came by": ("ambulance", "car", "foot", "train"),
}
SHAPES: dict[str, Noise] = {
    "normal": lambda g, n: g.normal(size=n),
    "logistic": lambda g, n: g.logistic(size=n) * math.sqrt(3) / math.pi,
    "t": lambda g, n: g.standard_t(7, n) / math.sqrt(7 / 5),
    "gamma": lambda g, n: (g.gamma(3, size=n) - 3) / math.sqrt(3),
    "triangular": lambda g, n: g.triangular(-1, 0.3, 1, n) / 0.42 - 0.238,
    "lognormal": lambda g, n: (np.exp(g.normal(size=n)) - math.exp(0.5)) / math.sqrt(math.e * (math.e - 1)),
}
"""Noise of mean 0 and variance 1."""
USUAL = ("normal", "logistic", "t", "gamma", "triangular")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A table as a person has it.

    Attributes
    ----------
    frame : its columns and the group
    moved, followers : names of what differs, and of what goes along with it
    truth : name -> its true difference in units, second group less first
    choices : of `Dataset.from_frame`, beside kinds and order of levels
    """

    frame: pd.DataFrame
    moved: tuple[str, ...] = ()
    followers: tuple[str, ...] = ()
    truth: Mapping[str, float] = field(default_factory=dict)
    choices: Mapping[str, object] = field(default_factory=dict)


# -- what differs -----------------------------------------------------------------------------------------------------

Move = Callable[[np.ndarray, np.ndarray, np.ndarray, Random], np.ndarray]
"""(what parents say, noise, whether a row is of the second group, generator) -> scores; of a nominal column
(shares of levels, levels already drawn, ..) -> levels."""


def shifted(size: float, said: np.ndarray, noise: np.ndarray, second: np.ndarray, generator: Random) -> np.ndarray:
    """`size` standard deviations higher in the second group."""
    return said + noise + size * second


def spread(factor: float, said: np.ndarray, noise: np.ndarray, second: np.ndarray, generator: Random) -> np.ndarray:
    """A standard deviation `factor` as large in the second group: of the noise, until that of the whole is."""
    rest = max(1 - float(noise.var()), 0.0)
    own = math.sqrt((factor**2 - rest) / (1 - rest))
    return np.asarray(said + noise * np.where(second, own, 1.0))


def raised(
    share: float, size: float, said: np.ndarray, noise: np.ndarray, second: np.ndarray, generator: Random
) -> np.ndarray:
    """A `share` of the second group's rows is `size` standard deviations higher."""
    return said + noise + size * (second & (generator.random(len(second)) < share))


def inside(said: np.ndarray, noise: np.ndarray, second: np.ndarray, generator: Random) -> np.ndarray:
    """In the second group the middle third crowds about its own middle; no row leaves its third."""
    score = said + noise
    rank = (np.argsort(np.argsort(score)) + 0.5) / len(score)
    own = second & (rank > 1 / 3) & (rank < 2 / 3)
    score[own] = np.quantile(said + noise, 0.5 + (6 * rank[own] - 3) ** 3 / 6)
    return np.asarray(score)


def transferred(share: float, said: np.ndarray, noise: np.ndarray, second: np.ndarray, generator: Random) -> np.ndarray:
    """In the second group the `share` of rows above some cut point lies below it, and nothing else is changed."""
    score = said + noise
    rank = (np.argsort(np.argsort(score)) + 0.5) / len(score)
    cut = generator.uniform(share, 1 - share)
    own = second & (rank > cut) & (rank < cut + share)
    score[own] = np.quantile(said + noise, rank[own] - share)
    return np.asarray(score)


def humped(said: np.ndarray, noise: np.ndarray, second: np.ndarray, generator: Random) -> np.ndarray:
    """Normal in the first group; in the second two humps, of the same mean and standard deviation."""
    n = len(second)
    two = 0.85 * generator.choice([-1.0, 1.0], n) + math.sqrt(1 - 0.85**2) * generator.normal(size=n)
    scale = math.sqrt(float(noise.var()))
    return np.asarray(said + scale * np.where(second, two, generator.normal(size=n)))


def level_up(
    points: float, shares: np.ndarray, levels: np.ndarray, second: np.ndarray, generator: Random
) -> np.ndarray:
    """The rarest level gets `points` more of the second group's rows, from all others alike."""
    level = int(shares.mean(axis=0).argmin())
    taken = points / (1 - float(shares[:, level].mean()))
    return np.where(second & (generator.random(len(levels)) < taken), level, levels)


def between_two(
    points: float, shares: np.ndarray, levels: np.ndarray, second: np.ndarray, generator: Random
) -> np.ndarray:
    """In every context `points` of the second group's rows have another level in place of one frequent everywhere."""
    level = int(np.quantile(shares, 0.02, axis=0).argmax())
    other = int((level + 1 + generator.integers(shares.shape[1] - 1)) % shares.shape[1])
    gives = np.minimum(points / shares[:, level], 1.0)
    return np.where(second & (levels == level) & (generator.random(len(levels)) < gives), other, levels)


# -- columns that depend on each other --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a `Model`.

    Attributes
    ----------
    name, kind : "number", "ordered" or "nominal"
    parents, slopes : positions of columns before it, and what their scores are worth
    explained : share of the score's variance that parents explain
    shape : of the noise, one of `SHAPES`
    cuts : of an ordered column on its score, or what the levels of a nominal one are worth beside its parents
    pulls : what the parents' sum adds to each level of a nominal column
    scale : mean and standard deviation of the parents' sum
    """

    name: str
    kind: str
    parents: tuple[int, ...]
    slopes: np.ndarray
    explained: float
    shape: str
    cuts: np.ndarray
    pulls: np.ndarray
    scale: tuple[float, float] = (0.0, 1.0)

    def said(self, scores: Sequence[np.ndarray], rows: int) -> np.ndarray:
        """What the parents say, of variance 1 where nothing differs."""
        if not self.parents:
            return np.zeros(rows)
        total = sum(slope * scores[x] for slope, x in zip(self.slopes, self.parents, strict=True))
        return np.asarray((total - self.scale[0]) / self.scale[1])


@dataclass(frozen=True, eq=False)
class Model:
    """Columns in an order in which parents come first.

    Attributes
    ----------
    columns : all of them
    icc : share of a column's noise that rows of one subject have in common
    target : position of the column that was asked for; -1 for none
    """

    columns: tuple[Column, ...]
    icc: tuple[float, ...] = ()
    target: int = -1

    @property
    def moved(self) -> str:
        """Name of the column that was asked for."""
        return self.columns[self.target].name

    def frame(
        self,
        second: np.ndarray,
        generator: Random,
        moves: Mapping[int, Move] | None = None,
        subject: np.ndarray | None = None,
    ) -> pd.DataFrame:
        """A table of rows of two groups, its columns in the order of the model."""
        scores: list[np.ndarray] = []
        table: dict[str, object] = {}
        for i, column in enumerate(self.columns):
            icc = self.icc[i] if subject is not None and self.icc else 0.0
            move = (moves or {}).get(i)
            score, cells = drawn_column(column, scores, second, generator, move, subject, icc)
            scores.append(score)
            table[column.name] = cells
        frame = pd.DataFrame(table)
        frame[GROUP] = np.where(second, SECOND, FIRST)
        return frame


def drawn_column(
    column: Column,
    scores: Sequence[np.ndarray],
    second: np.ndarray,
    generator: Random,
    move: Move | None = None,
    subject: np.ndarray | None = None,
    icc: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Scores, as children see them, and cells of one column."""
    rows = len(second)
    said = column.said(scores, rows)
    if column.kind == "nominal":
        worth = column.cuts + said[:, None] * column.pulls
        if subject is not None and 0 < icc < 1:
            worth = worth + math.sqrt(icc) * generator.normal(size=(subject.max() + 1, len(column.cuts)))[subject]
        shares = np.exp(worth - worth.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        levels = (generator.random(rows)[:, None] >= np.cumsum(shares, axis=1)[:, :-1]).sum(axis=1)
        if icc == 1 and subject is not None:
            levels = levels[np.unique(subject, return_index=True)[1]][subject]
        levels = levels if move is None else move(shares, levels, second, generator)
        return column.pulls[levels], np.array(NOMINAL[column.name], dtype=object)[levels]
    noise = SHAPES[column.shape](generator, rows)
    if subject is not None and icc:
        common = SHAPES[column.shape](generator, int(subject.max()) + 1)[subject]
        noise = math.sqrt(icc) * common + math.sqrt(1 - icc) * noise
    noise = math.sqrt(1 - column.explained) * noise
    said = math.sqrt(column.explained) * said
    score = said + noise if move is None else move(said, noise, second, generator)
    if column.kind == "ordered":
        levels = np.searchsorted(column.cuts, score)
        return levels - (len(column.cuts)) / 2, np.array(ORDERED[column.name], dtype=object)[levels]
    cells = written(column.name, score)
    centre, scale, _ = NUMBERS[column.name]
    return (cells - centre) / scale, cells


def written(name: str, score: np.ndarray, step: float | None = None) -> np.ndarray:
    """Scores in the units of a header, rounded to its step or another one."""
    centre, scale, own = NUMBERS[name]
    step = own if step is None else step
    return np.round(np.round((centre + scale * score) / step) * step, 6)


def model(
    many: int,
    generator: Random,
    target: str = "",
    place: str = "any",
    shapes: Sequence[str] = USUAL,
    explained: tuple[float, float] = (0.05, 0.45),
    kinds: Sequence[str] = (),
    levels: int = 0,
    own: tuple[float, float] | None = None,
) -> Model:
    """A random network of mixed columns, at least two numbers among them, an ordered and a nominal one.

    Parameters
    ----------
    many : columns
    target : kind of one column that a caller means to move
    place : of the target: "root", "leaf", "any", or "child" of at least one column
    shapes : of the noise
    explained : least and most of what parents explain
    kinds : of the other columns, where they are not to be drawn
    levels : of a nominal or ordered target, where it matters
    own : as `explained`, of the target

    Returns
    -------
    the model, which knows its target
    """
    others = list(kinds) or ["number", "number", "ordered", "nominal"]
    wanted = many - bool(target)
    others = others[:wanted]
    others += [str(one) for one in generator.choice(["number", "ordered", "nominal"], wanted - len(others))]
    generator.shuffle(others)
    at = {"root": 0, "leaf": many - 1, "any": int(generator.integers(many))}.get(place, -1)
    at = int(generator.integers(2, many)) if place == "child" else at
    if target:
        others.insert(at, target)
    names = {
        kind: [str(one) for one in generator.permutation(list(table))]
        for kind, table in (("number", NUMBERS), ("ordered", ORDERED), ("nominal", NOMINAL))
    }
    wanted_name = ""
    if levels and target in ("ordered", "nominal"):
        table = ORDERED if target == "ordered" else NOMINAL
        wanted_name = next(one for one in names[target] if len(table[one]) == levels)
        names[target].remove(wanted_name)
    columns: list[Column] = []
    scores: list[np.ndarray] = []
    nobody = np.zeros(REFERENCE, dtype=bool)
    for i, kind in enumerate(others):
        name = wanted_name if wanted_name and i == at else _next(names, kind)
        kind = "number" if name in NUMBERS else "ordered" if name in ORDERED else "nominal"
        is_target = bool(target) and i == at
        before = 0 if is_target and place == "root" else i
        least = int(is_target and place == "child")
        column = _column(name, kind, before, least, shapes, (is_target and own) or explained, generator)
        if is_target and levels:  # levels as unlike in size as most are
            column = replace(column, cuts=1.7 * column.cuts)
        total = sum(slope * scores[x] for slope, x in zip(column.slopes, column.parents, strict=True))
        if column.parents:
            column = replace(column, scale=(float(np.mean(total)), float(np.std(total)) or 1.0))
        score, _ = drawn_column(column, scores, nobody, generator)
        scores.append(score)
        columns.append(column)
    return Model(tuple(columns), target=at if target else -1)


def _next(names: dict[str, list[str]], kind: str) -> str:
    """A name of the kind; of numbers where no other is left."""
    return names[kind].pop() if names[kind] else names["number"].pop()


def _column(
    name: str,
    kind: str,
    before: int,
    least: int,
    shapes: Sequence[str],
    explained: tuple[float, float],
    generator: Random,
) -> Column:
    many = min(before, max(least, int(generator.choice(3, p=[0.3, 0.45, 0.25]))))
    parents = tuple(sorted(generator.choice(before, many, replace=False).tolist())) if many else ()
    slopes = generator.uniform(0.5, 1.0, many) * generator.choice([-1, 1], many)
    share = float(generator.uniform(*explained)) if parents else 0.0
    cuts, pulls = np.zeros(0), np.zeros(0)
    if kind == "ordered":
        edges = np.cumsum(generator.dirichlet(np.full(len(ORDERED[name]), 8.0)))[:-1]
        cuts = _normal_quantiles(edges)
    if kind == "nominal":
        k = len(NOMINAL[name])
        cuts = generator.normal(0, 0.35, k)
        pulls = generator.permutation(np.linspace(-1, 1, k)) * (0.2 + 1.5 * math.sqrt(share))
    return Column(name, kind, parents, slopes, share, str(generator.choice(list(shapes))), cuts, pulls)


def _normal_quantiles(shares: np.ndarray) -> np.ndarray:
    from scipy.stats import norm

    return np.asarray(norm.ppf(shares))


@dataclass(frozen=True, eq=False)
class Contexts:
    """A yes or no whose share depends on two columns with levels, and differs between the groups by context.

    Attributes
    ----------
    points : by context, how much more frequent *yes* is in the second group; six are those of three levels and two
    base : by context, its share in the first group
    company : columns that have nothing to do with it
    """

    points: tuple[float, ...]
    base: np.ndarray
    company: Model

    name: ClassVar[str] = "readmitted"
    choices: ClassVar[Mapping[str, object]] = {"kinds": {"readmitted": "nominal"}}

    @classmethod
    def drawn(cls, points: Sequence[float], generator: Random) -> Contexts:
        """A truth of its own; the second column's second level has more *yes* than the first."""
        base = generator.uniform(0.25, 0.42, len(points)) + np.where(np.arange(len(points)) % 2, 0.12, 0.0)
        return cls(tuple(points), base, model(4, generator, kinds=("number", "number", "nominal", "ordered")))

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The two columns on which it depends, and their levels."""
        name = "severity" if len(self.points) == 6 else "insurance"
        return {name: ORDERED.get(name) or NOMINAL[name], "sex": NOMINAL["sex"]}

    def difference(self, place: str) -> float:
        """How much more frequent *yes* is in the second group in a context as results name it, "sex = male, ..."."""
        said = dict(part.split(" = ", 1) for part in place.split(", ") if " = " in part)
        contexts = [dict(zip(self.columns, one, strict=True)) for one in itertools.product(*self.columns.values())]
        inside = [all(said.get(name, level) == level for name, level in one.items()) for one in contexts]
        return float(np.mean(np.asarray(self.points)[inside]))

    def frame(self, second: np.ndarray, generator: Random) -> pd.DataFrame:
        """A table of rows of two groups; all contexts are equally frequent in both."""
        context = generator.integers(0, len(self.points), len(second))
        share = self.base[context] + np.asarray(self.points)[context] * second
        frame = self.company.frame(second, generator)
        for (name, levels), own in zip(self.columns.items(), (context // 2, context % 2), strict=True):
            frame[name] = np.array(levels, dtype=object)[own]
        frame[self.name] = np.where(generator.random(len(second)) < share, "yes", "no")
        return frame


def groups(first: int, second: int) -> np.ndarray:
    """(rows,) whether a row is of the second group."""
    return np.repeat([False, True], [first, second])


def dealt(first: int, second: int, generator: Random) -> np.ndarray:
    """The same in random order: labels that have nothing to do with the rows."""
    return np.asarray(generator.permutation(groups(first, second)))


def mixed(drawn: Drawn, generator: Random) -> Drawn:
    """The same table with its columns in random order."""
    names = [str(one) for one in generator.permutation(list(drawn.frame.columns))]
    return replace(drawn, frame=drawn.frame[names])
