"""Two classes of subjects whose series follow networks that differ in known links: does the method tell which?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import networkx as nx
import numpy as np

from engine.counting.by_group import Slices, pair_counts
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.evaluation.trials.outcome import COMPARING, SEED, Items, Outcome, Picture, Score, Trial, Words, p_score
from engine.execution import Progress, part
from engine.measures.tails import log_chi2_tail
from engine.methods.discriminative.evidence import EARLIER, LATER
from engine.methods.discriminative.families import SIGNIFICANCE, beyond_chance
from engine.methods.discriminative.method import Discriminative
from engine.methods.discriminative.result import DiscriminativeResult
from engine.methods.evidence import CANNOT_TELL, YES
from engine.methods.setting import check_settings, setting
from engine.simulation.series import MASKED, STRONG, DynamicNetwork, random_pair, sample_subjects, with_noise

TARGET, WHO, STEP = "class", "subject", "step"
CLASSES = ("one", "two")
MEANING = (
    "The gain is how much better a variable tells the classes apart with its best link than without: a log-likelihood "
    "(ACL) in nats, less a price for parameters."
)
MOST_CELLS = 2_000_000
"""Variables times steps of all subjects that are drawn and learned from in seconds."""
Link = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Drawn:
    """The classes and rows that were drawn.

    Attributes
    ----------
    networks : of the first class and of the second
    changed : names of the variables that differ
    data : a row a step of a subject, with the classes and the roles subject and time
    """

    networks: tuple[DynamicNetwork, DynamicNetwork]
    changed: tuple[str, ...]
    data: Dataset

    @property
    def links(self) -> tuple[Link, ...]:
        """Every link whose strength differs: from what comes before to what comes after."""
        first = self.networks[0]
        return tuple((first.names[first.parents[first.names.index(name)][1]], name) for name in self.changed)


@dataclass(frozen=True)
class ClassTrial(Trial):
    """Random networks over time of two classes (Burge & Lane 2005, section 4.2.3); items are the variables.

    A variable is changed where one of the two links to it is weaker in the second class. What the other, stronger link
    tells stays, so that it masks the changed one from whoever looks at one class at a time.
    """

    variables: int = setting(
        10,
        label="Variables",
        help="Measured at every step; each depends on two of the step before.",
        minimum=2,
        maximum=40,
        place="first",
    )
    changed: int = setting(
        3,
        label="Changed variables",
        help="Of how many one link is weaker in the second class. 0: the classes are the same, and whatever is found "
        "is a false alarm.",
        minimum=0,
        maximum=10,
        place="first",
    )
    weaker: float = setting(
        0.1,
        label="Strength in the second class",
        help=f"Of the changed links, as normalised mutual information; in the first class it is {MASKED:g}.",
        minimum=0.0,
        maximum=MASKED,
        place="first",
    )
    noise: int = setting(
        40,
        label="Differences between subjects",
        help="How often 0.1 is added to a probability of each variable's table, anew for every subject. 0: all "
        "subjects of a class are alike.",
        minimum=0,
        maximum=500,
        place="first",
    )
    subjects: int = setting(
        12, label="Subjects in each class", help="One series each.", minimum=3, maximum=200, place="first"
    )
    steps: int = setting(
        100, label="Steps of a subject", help="The paper has 500.", minimum=10, maximum=2000, place="first"
    )
    seed: int = setting(0, **SEED)

    slug: ClassVar[str] = "discriminative"
    title: ClassVar[str] = "Class networks"
    story: ClassVar[str] = (
        "Subjects of two classes are measured step by step; a few links from one step to the next are weaker in the "
        "second class. The method must tell to which variables they lead."
    )
    items: ClassVar[Items] = Items("variable", "variables", "changed", "unchanged")
    seconds: ClassVar[Mapping[str, str]] = {"chi-squared": "Chi-squared, each link alone, every step for itself"}
    first_second: ClassVar[str | None] = "chi-squared"
    nothing: ClassVar[str] = "the networks have no variables."
    opened: ClassVar[tuple[str, ...]] = ("parameters", "shared")
    given: ClassVar[Mapping[str, Any]] = {"target": TARGET, "shuffles": 99}
    claim_words: ClassVar[Words] = {
        ("tells classes apart", YES): "separates the classes",
        ("tells classes apart", CANNOT_TELL): "cannot tell",
    }
    unclaimed: ClassVar[str] = "no link"
    case_claims: ClassVar[tuple[str, ...]] = ("separates the classes",)
    claims_note: ClassVar[str] = (
        '"inconclusive" does not say that a variable is the same in both classes: permuted classes show as much. A '
        "variable before or after a changed one may tell a little too."
    )
    called_where: ClassVar[str] = "Above what permuted classes show"

    def __post_init__(self) -> None:
        check_settings(self)
        if self.changed > self.variables:
            raise SettingsError(
                f"changed is {self.changed}; of {self.variables} variables at most {self.variables} can be changed.",
                setting="changed",
            )
        per_step = 2 * self.variables * self.subjects
        if per_step * self.steps > MOST_CELLS:
            raise SettingsError(
                f"{2 * self.subjects} subjects with {self.steps:,} steps of {self.variables} variables would take "
                f"minutes; take at most {MOST_CELLS // per_step:,} steps.",
                setting="steps",
            )

    def draw(self) -> Drawn:
        """The networks of both classes, and a row for every step of every subject."""
        for_networks, for_rows = self.generators(2)
        item, two, changed = random_pair(self.variables, self.changed, for_networks, after=(STRONG, self.weaker))
        own = [with_noise(item if s < self.subjects else two, self.noise, for_rows) for s in range(2 * self.subjects)]
        codes = sample_subjects(own, self.steps, for_rows)
        who, step = (at.ravel() for at in np.indices(codes.shape[1:]))
        table = np.vstack([who, step, who >= self.subjects, codes.reshape(self.variables, -1)])
        people = [f"S{s + 1:03d}" for s in range(2 * self.subjects)]
        data = Dataset.from_codes(
            table.astype(np.int64),
            [people, range(1, self.steps + 1), CLASSES, *item.arities],
            [WHO, STEP, TARGET, *item.names],
            kinds=dict.fromkeys(item.names, "ordinal"),
            roles={WHO: "subject", STEP: "time"},
        )
        return Drawn((item, two), changed, data)

    def look(self, method: Discriminative, drawn: Drawn, second: str | None, progress: Progress) -> Outcome:
        """Every variable is scored by what its best link gains; the target is set here."""
        names = drawn.networks[0].names
        settings = replace(method, target=TARGET)
        result = settings.run(drawn.data, part(progress, 0.2, 0.95))
        progress(0.97, COMPARING)
        best = result.families().drop_duplicates("child").set_index("child").loc[list(names)]
        gain = best["gain"].to_numpy(dtype=float)
        scores = [Score("gain", "nats", gain, _threshold(result.chance), MEANING)]
        if second is not None:
            scores.append(_chi_squared(drawn, self.subjects))
        return Outcome(
            trial=self,
            method=settings,
            labels=names,
            truth=np.isin(names, drawn.changed),
            called=beyond_chance(best).to_numpy(dtype=bool),
            scores=tuple(scores),
            pictures=_pictures(drawn, result),
            remark=_remark(drawn),
            claimed=self.claimed(result, _names_of_families(result, names)),
        )


def _threshold(chance: np.ndarray) -> float | None:
    """What a link must gain more than, so that at most one in twenty shuffles has such a one; None with few."""
    allowed = math.floor(SIGNIFICANCE * (1 + len(chance)) + 1e-9) - 1
    return float(np.sort(chance)[::-1][allowed]) if 0 <= allowed < len(chance) else None


def _names_of_families(result: DiscriminativeResult, names: tuple[str, ...]) -> list[list[str]]:
    """For every variable what the claims call its families, the largest gain first."""
    families: dict[str, list[str]] = {name: [] for name in names}
    for row in result.families().itertuples():
        families[row.child].append(f"{', '.join(row.parents)} -> {row.child} in {row.network}")
    return [families[name] for name in names]


def _chi_squared(drawn: Drawn, subjects: int) -> Score:
    """Of every variable the link whose table differs most between the classes, by Pearson's test after each level."""
    networks, data = drawn.networks, drawn.data
    names, arity = networks[0].names, np.array(networks[0].arities)
    codes = np.stack([data.column(name) for name in names]).reshape(len(names), 2 * subjects, -1)
    before, after = (np.ascontiguousarray(item.reshape(len(names), -1)) for item in (codes[..., :-1], codes[..., 1:]))
    group = np.repeat([0, 1], before.shape[1] // 2)
    slices = Slices(before, after, arity)
    counts = pair_counts(slices, group, 2).astype(float)
    starts = slices.starts[:-1]
    rows = np.add.reduceat(counts, starts, axis=2).repeat(arity, axis=2)  # of a class: after a level of the parent
    expected = counts.sum(axis=0) * rows / np.maximum(rows.sum(axis=0), 1)
    terms = ((counts - expected) ** 2 / np.where(expected > 0, expected, 1)).sum(axis=0)
    statistic = np.add.reduceat(np.add.reduceat(terms, starts, axis=0), starts, axis=1)
    log_p = log_chi2_tail(statistic, np.outer(arity, arity - 1))
    return p_score("chi-squared", log_p.min(axis=0), len(names) ** 2)


def _pictures(drawn: Drawn, result: DiscriminativeResult) -> tuple[Picture, ...]:
    """The links that differ beside those said to tell classes apart, then each class's network; over two steps."""
    claims = result.claims()
    significant = claims[(claims["kind"] == "tells classes apart") & (claims["verdict"] == YES)]
    text = {str(item) for item in significant["about"]}
    names = drawn.networks[0].names
    steps = [*map(EARLIER.format, names)], [*map(LATER.format, names)]
    differing = [
        (parent, row.child)
        for row in result.families().itertuples()
        for parent in row.parents
        if f"{', '.join(row.parents)} -> {row.child} in {row.network}" in text
    ]
    truth, found = (_over_two_steps(names, which) for which in (drawn.links, differing))
    pictures = [Picture("Links that differ", truth, found, steps=steps)]
    for network, title in zip(drawn.networks, CLASSES, strict=True):
        links = [(names[x], name) for name, parents in zip(names, network.parents, strict=True) for x in parents]
        learned = _over_two_steps(names, ())
        learned.add_edges_from(result.networks[title].edges)
        pictures.append(Picture(f"Class {title}", _over_two_steps(names, links), learned, steps=steps))
    return tuple(pictures)


def _over_two_steps(names: tuple[str, ...], links: list[Link] | tuple[Link, ...]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from([*map(EARLIER.format, names), *map(LATER.format, names)])
    graph.add_edges_from((EARLIER.format(a), LATER.format(b)) for a, b in links)
    return graph


def _remark(drawn: Drawn) -> str:
    """What was done."""
    if not drawn.links:
        return "Both classes were drawn from the same network."
    named = ", ".join(f"{a} → {b}" for a, b in drawn.links)
    return f"What was changed: weaker links in class {CLASSES[1]}: {named}."


TRIAL = ClassTrial
