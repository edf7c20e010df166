"""What a trial gives: items whose truth is known, scores for them, and true networks beside those found."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import networkx as nx
import numpy as np
import pandas as pd

from engine.errors import SettingsError, check_choice
from engine.exchange.script import changed_settings
from engine.execution import Progress, silent
from engine.graphs.comparison import panels
from engine.measures.bootstrap import area_interval
from engine.measures.curves import auc, effective_number
from engine.measures.intervals import share_interval
from engine.methods.evidence import CANNOT_TELL, NO, YES
from engine.simulation.associations import LEVEL_WORDS, LEVELS
from engine.telling.charts.curves import Items, with_interval
from engine.telling.terms import SHOWN
from engine.words import chance_in_percent, count


@dataclass(frozen=True, eq=False)
class Score:
    """One number an item.

    Attributes
    ----------
    name : what it is called;  unit : what the numbers are
    values : (n,) the larger the more likely a case; infinite ones are welcome
    usual : the threshold above which one would call an item with it, if there is a usual one
    meaning : what it is, a sentence or two; empty where the name says it
    """

    name: str
    unit: str
    values: np.ndarray
    usual: float | None = None
    meaning: str = ""


NOT_ASKED = "not asked"
"""What is said of an item that no verdict was asked for."""


def p_score(name: str, log_p: np.ndarray, tests: int) -> Score:
    """p values as a score, one an item; what is called is below 5 %, shared out among all tests (Bonferroni)."""
    return Score(name, "-log10 p", -log_p / math.log(10), math.log10(tests / 0.05))


@dataclass(frozen=True, eq=False)
class Picture:
    """A true network and the one found in its place, over the same variables.

    Attributes
    ----------
    title : whose network it is
    truth, found : as far as data can tell directions (CPDAGs), unless the order was told; or undirected
    marked : variables that the truth changes
    claims : variable -> the verdict on it
    values : variable -> its log10 odds for a difference, shown as such
    off : arcs that are switched off here -> what is said of them; None where none could be
    steps : variables of a step of time and those of the next, where arcs lead from the one to the other
    """

    title: str
    truth: nx.Graph
    found: nx.Graph
    marked: tuple[str, ...] = ()
    claims: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    off: Mapping[tuple[str, str], str] | None = None
    steps: tuple[Sequence[str], Sequence[str]] | None = None

    def probability(self, variable: str) -> float:
        """P(differs) of a variable, from its odds.

        Parameters
        ----------
        variable : one of `values`

        Returns
        -------
        from 0 to 1
        """
        return 0.5 * (1 + math.tanh(0.5 * math.log(10) * self.values[variable]))


@dataclass(frozen=True, eq=False)
class Outcome:
    """One try.

    Attributes
    ----------
    trial, method : the truth's settings (with the seed), and the method's as it ran
    labels : n names of the items
    truth : (n,) true for cases
    called : (n,) what is a case in the method's own networks, or by the usual threshold of its score
    scores : of the method, and of the second one if there is one
    pictures : networks to look at
    remark : what the numbers do not say of this truth
    claimed : (n,) what the result's claims say of the items, in words; None where the trial does not read them
    clusters : (n,) what belongs together, so that intervals keep it together; None for each item by itself
    """

    trial: Trial
    method: Any
    labels: tuple[str, ...]
    truth: np.ndarray
    called: np.ndarray
    scores: tuple[Score, ...]
    pictures: tuple[Picture, ...] = ()
    remark: str = ""
    claimed: np.ndarray | None = None
    clusters: np.ndarray | None = None

    @property
    def case_claims(self) -> np.ndarray:
        """(n,) what is said to be a case, as the method's page says it; what it calls where its claims say nothing."""
        return self.called if self.claimed is None else np.isin(self.claimed, self.trial.case_claims)

    @property
    def tested(self) -> np.ndarray:
        """(n,) true for what a verdict was asked for."""
        return np.ones_like(self.truth) if self.claimed is None else self.claimed != NOT_ASKED

    @property
    def has_curve(self) -> bool:
        """True where there are both cases and others."""
        return bool(self.truth.any() and not self.truth.all())

    @property
    def begins(self) -> int | None:
        """How many items the verdicts call, where none as many as there are cases; None without verdicts."""
        return None if self.claimed is None else int(self.case_claims.sum() or self.truth.sum())

    def headline(self) -> str:
        """The answer in a sentence: what was found and what was called by mistake."""
        items, truth, said = self.trial.items, self.truth[self.tested], self.case_claims[self.tested]
        if not len(self.truth):
            return f"There is no {items.one} to judge: {self.trial.nothing}"
        cases, tested = int(truth.sum()), "" if self.tested.all() else "tested "
        if not cases:
            wrong, no = int(said.sum()) or "none", f"No {tested if self.truth.any() else ''}{items.one} is {items.case}"
            among = f"{wrong} of {len(truth)} {tested}".strip()
            if self.claimed is None:
                return f"{no}, and the method calls {among}."
            return f"{no}, and {self.trial.case_words} is said of {among}."
        if truth.all():
            return f"All {cases} {tested}{items.many} are {items.case}, so there is nothing to tell them from."
        others = len(truth) - cases
        found, wrong = int((said & truth).sum()), int((said & ~truth).sum())
        many = items.one if cases == 1 else items.many
        also, telling = self._also_said(), f'"{self.trial.telling}"'
        if not found + wrong:
            none = f"None of {cases} {tested}{items.case} {many} is called {items.case}{self._said_of_missed()}"
            more = f" ({also} {telling})" if also else ""
            return f"{none}, nor any of {others} {items.other}{more}."
        missed = f", {cases - found} missed{self._said_of_missed()}" if found < cases else ""
        told = f"{found} of {cases} {tested}{items.case} {many} found ({chance_in_percent(found / cases)}){missed}; "
        if also:  # a headline has no room for the share as well
            return f"{told}{wrong} of {others} {items.other} called {items.case}, {also} {telling}."
        share = chance_in_percent(wrong / others)
        return f"{told}{wrong} of {others} {items.other} wrongly called {items.case} ({share})."

    def _also_said(self) -> int:
        """How many of the others have the claim that tells of something, though not that they are cases."""
        return 0 if self.claimed is None else int((self.claimed[~self.truth] == self.trial.telling).sum())

    def _said_of_missed(self) -> str:
        """' (9 inconclusive, 1 called equivalent overall)', of the cases that no verdict finds."""
        if self.claimed is None:
            return ""
        words = {"alike": f"called {SHOWN['alike']}", self.trial.telling: f'"{self.trial.telling}"'}
        missed = Counter(self.claimed[self.tested & self.truth & ~self.case_claims].tolist()).most_common()
        said = [(words.get(word, SHOWN.get(word, word)), n) for word, n in missed]
        if len(said) == 1:
            return f" ({('', 'both ', 'all ')[min(said[0][1], 3) - 1]}{said[0][0]})"
        if len(said) > 2:  # a headline has no room for all; the table has
            said[1:] = [("other verdicts", sum(n for _, n in said[1:]))]
        return f" ({', '.join(f'{n} {word}' for word, n in said)})"

    def ranking_sentence(self) -> str:
        """How well the score ranks cases above others, with what its area is; where verdicts find far fewer, why."""
        if not self.has_curve:
            return ""
        area = auc(self.scores[0].values, self.truth).value
        limits = self.interval(0) if self.truth.sum() > 1 else (math.nan, math.nan)
        items, cases, first = self.trial.items, int(self.truth.sum()), self.among_first(0)
        case, other, one = (
            f"{'an' if word[0] in 'aeiou' else 'a'} {word}" for word in (items.case, items.other, items.one)
        )
        ranked = f"AUC of the score {with_interval(area, *limits)}"
        if self.strict:
            scored = "" if self.tested.all() else ", tested or not"
            return (
                f"To call {one} {items.case}, use the verdict: it asks for strong proof, which more rows may "
                f"give. To choose where to look, use the score: of its {cases} highest {items.many}{scored}, {first:g} "
                f"are {items.case}. {ranked}."
            )
        ranked += f": the chance that {case} {items.one} scores above {other} one."
        missed = cases - int((self.case_claims & self.truth).sum())
        if self.claimed is not None and missed and first == cases > 1:
            ranked += f" Its {cases} highest are the {cases} {items.case}; verdicts ask for more."
        return ranked

    @property
    def strict(self) -> bool:
        """True where verdicts find half of the cases at most, and the highest scores are nearly all cases."""
        cases, found = int(self.truth.sum()), int((self.case_claims & self.truth).sum())
        enough = self.claimed is not None and cases >= FEW_CASES
        return enough and found <= cases / 2 and self.among_first(0) >= WELL * cases

    def interval(self, number: int) -> tuple[float, float]:
        """95 % interval of a score's area, of whole clusters drawn again where items belong together."""
        return area_interval(self.scores[number].values, self.truth, self.clusters)

    def claim_counts(self) -> pd.DataFrame:
        """Count the claims made of the cases and of the others, with 95 % intervals."""
        return self.trial.claim_counts(self.claimed, self.truth, self.clusters)

    def called_sentence(self) -> str:
        """What the method's networks or the usual threshold call, where what is said before does not tell it."""
        if not self.truth.any() or self.strict or (self.called == self.case_claims).all():
            return ""
        cases, right = int(self.truth.sum()), int((self.called & self.truth).sum())
        wrong, others = int(self.called.sum()) - right, len(self.truth) - cases
        return f"{self.trial.called_where}: {right} of {cases} found; {wrong} of {others} wrongly called."

    def direction_sentence(self) -> str:
        """How many of the true links found have the direction of the truth; empty where items or links have none."""
        if not isinstance(self.trial, PairTrial) or not self.pictures or not self.pictures[0].truth.is_directed():
            return ""
        arcs = Counter(arc.status for arc in panels(self.pictures[0].truth, self.pictures[0].found)[0])
        links = arcs["same"] + arcs["reversed"]
        have, right = "has" if arcs["same"] == 1 else "have", arcs["same"]
        return f"Of {count(links, 'true link')} found, {right} also {have} the true direction." if links else ""

    def beside_counts(self) -> str:
        """What the verdicts find, to be held beside what the score calls; empty without verdicts."""
        if self.claimed is None:
            return ""
        found, wrong = int((self.case_claims & self.truth).sum()), int((self.case_claims & ~self.truth).sum())
        cases = f"{int((self.truth & self.tested).sum())}{'' if self.tested.all() else ' tested'}"
        return (
            f"These counts go by the score alone. Verdicts ask for more: they found {found} of {cases}, and called "
            f"{wrong} wrongly."
        )

    def among_first(self, number: int) -> float:
        """Number of cases among as many of the highest scores as there are cases; ties as they fall on average."""
        values, cases = self.scores[number].values, int(self.truth.sum())
        if not cases:
            return 0.0
        cut = np.sort(values)[-cases]
        above, level = values > cut, values == cut
        share = (cases - int(above.sum())) / int(level.sum())
        return round(float((self.truth & above).sum() + share * (self.truth & level).sum()), 1)

    def table(self) -> pd.DataFrame:
        """One row an item, highest score first: truth, called, said, then every score and its rank (ties share one)."""
        table = pd.DataFrame({self.trial.items.one: self.labels, "truth": self.truth, "called": self.called})
        if self.claimed is not None:
            table["said"] = self.claimed
        for score in self.scores:
            table[score.name] = score.values
            table[f"rank, {score.name}"] = pd.Series(-score.values).rank(method="min").astype(int)
        return table.sort_values(f"rank, {self.scores[0].name}", kind="stable").reset_index(drop=True)


class Trial(ABC):
    """A truth to draw from, and how a method is held to it; base of frozen settings, made with `setting` as a method's.

    The page that offers trials knows nothing else of them.
    """

    slug: ClassVar[str]
    """Of the method that looks for the truth."""
    title: ClassVar[str]
    """What the user chooses."""
    story: ClassVar[str]
    """What is made up and looked for, in two sentences."""
    items: ClassVar[Items]
    seconds: ClassVar[Mapping[str, str]] = {}
    """Second scores: key -> what it is."""
    first_second: ClassVar[str | None] = None
    """The one that is compared with to begin with; None for nothing."""
    nothing: ClassVar[str] = "the truth has none."
    """Why there may be no item."""
    opened: ClassVar[tuple[str, ...]] = ()
    """Settings of the method that matter here, beside those that stand open in its form anyway."""
    given: ClassVar[Mapping[str, Any]] = {}
    """Settings of the method that the trial sets, such as the name of a column that it draws."""

    claim_words: ClassVar[Words] = {}
    """Kind and verdict of the result's claims about the items -> how it is said; what makes an item a case first."""
    unclaimed: ClassVar[str] = NOT_ASKED
    """What is said of an item that no such claim is about."""
    case_claims: ClassVar[tuple[str, ...]] = ()
    """The words that make an item a case."""
    claims_note: ClassVar[str] = ""
    """What to keep in mind when what is said is held to the truth; settings of the method stand in it as fields."""
    drawn_together: ClassVar[str] = ""
    """What belongs together among the items of one try and is drawn again as a whole ("patients"), if anything."""
    telling: ClassVar[str] = ""
    """A claim that says something is there, though not that an item is a case; a headline counts it of the others."""
    called_where: ClassVar[str] = "Left to itself"
    """Where, beside what is said, the method calls items."""

    seed: int
    """Of all that is random."""

    @property
    def case_words(self) -> str:
        """The words that make an item a case, quoted."""
        return " or ".join(f'"{word}"' for word in self.case_claims)

    def claim_counts(self, claimed: np.ndarray | None, truth: np.ndarray, clusters: np.ndarray | None) -> pd.DataFrame:
        """How many of the cases and of the others that were asked about are said to be what; empty without claims."""
        if claimed is None:
            return pd.DataFrame()
        words = [word for word in dict.fromkeys((*self.claim_words.values(), self.unclaimed)) if word != NOT_ASKED]
        asked, headings = claimed != NOT_ASKED, (self.items.case, self.items.other)
        together = None if clusters is None else clusters[asked]
        return count_claims(claimed[asked], truth[asked], words, headings, together)

    def note(self, method: Any) -> str:
        """`claims_note` with the settings of the method that ran."""
        return self.claims_note.format(method=method)

    def too_slow(self, second: str | None) -> str | None:
        """What to do about a second score that would take minutes; None for one that does not."""
        return None

    def generators(self, many: int) -> list[np.random.Generator]:
        """Independent generators, the same for the same seed."""
        return [np.random.default_rng(sequence) for sequence in np.random.SeedSequence(self.seed).spawn(many)]

    def run(self, method: Any, second: str | None = None, progress: Progress = silent) -> Outcome:
        """Draw, let the method look, and score; `second` is a key of `seconds`.

        Examples
        --------
        >>> from engine.evaluation.trials.ordinal import OrdinalTrial
        >>> from engine.methods.ordinal.method import Ordinal
        >>> trial = OrdinalTrial(variables=6, neighbours=2, seed=1)
        >>> print(trial.run(Ordinal(approach="gpc")).headline().replace("\\u00a0", " "))
        7 of 8 linked pairs found (88 %), 1 missed (inconclusive); 1 of 7 unlinked wrongly called linked (14 %).
        """
        check_choice("second", second, (*self.seconds, None))
        if words := self.too_slow(second):
            raise SettingsError(words)
        progress(0.0, "simulating the data")
        return self.look(method, self.draw(), second, progress)

    @abstractmethod
    def draw(self) -> Any:
        """The truth and the data that are drawn from it, as `look` takes them."""

    @abstractmethod
    def look(self, method: Any, drawn: Any, second: str | None, progress: Progress) -> Outcome:
        """Let the method look for the truth in the data, and score every item."""

    def claimed(self, result: Any, items: Iterable[Sequence[str]]) -> np.ndarray:
        """(n,) what the result's claims say of every item, by the names that a claim may have it under."""
        return claimed_words(result.claims(), self.claim_words, self.unclaimed, list(items))


class PairTrial(Trial):
    """A trial whose items are all pairs of variables, linked or not."""

    items: ClassVar[Items] = Items("pair", "pairs", "linked", "unlinked")
    nothing: ClassVar[str] = "there is a single variable."
    claim_words: ClassVar[Words] = {
        ("linked", YES): "linked",
        ("linked", CANNOT_TELL): "cannot tell",
        ("linked", NO): "no link to speak of",
    }
    case_claims: ClassVar[tuple[str, ...]] = ("linked",)

    def pairs_outcome(
        self,
        method: Any,
        result: Any,
        names: Sequence[str],
        links: Iterable[Iterable[str]],
        scores: Sequence[Score],
        picture: Picture,
        remark: str,
    ) -> Outcome:
        """What the method calls, and what is linked in truth."""
        pairs = list(itertools.combinations(names, 2))
        linked, graph = {frozenset(link) for link in links}, picture.found
        return Outcome(
            trial=self,
            method=method,
            labels=tuple(f"{a} - {b}" for a, b in pairs),
            truth=np.array([frozenset(pair) in linked for pair in pairs], dtype=bool),
            called=np.array([graph.has_edge(a, b) or graph.has_edge(b, a) for a, b in pairs], dtype=bool),
            scores=tuple(scores),
            pictures=(picture,),
            remark=f"{remark} {OF_ONE_TABLE}",
            claimed=self.claimed(result, (link_names(a, b) for a, b in pairs)),
        )


FEW_CASES, WELL = 5, 0.8
"""Cases below which no order is judged; share of cases among as many of the highest scores from which it is good."""
OF_ONE_TABLE = "Intervals take pairs as independent, though they share variables: repeat to see how tries vary."
"""What is said of the intervals of pairs."""
COMPARING = "comparing with the truth"
"""What is done once a method has its result."""
SEED: Mapping[str, Any] = {
    "label": "Seed",
    "help": "Another number, another truth and other rows.",
    "minimum": 0,
    "place": "first",
}
LEVEL_CHOICES: dict[str, Any] = {
    "label": "Levels",
    "help": "Values a variable can take: two, three, or each of two to four.",
    "choices": tuple(LEVELS),
    "words": LEVEL_WORDS,
}
"""What settings that several trials have are made with."""


def link_names(a: str, b: str) -> tuple[str, ...]:
    """What a claim may call a link, whichever way round."""
    return f"{a} -> {b}", f"{a} -- {b}", f"{b} -- {a}", f"{b} -> {a}"


def script(trial: Trial, method: Any, second: str | None) -> str:
    """Python source that makes the same try again; settings that differ from their defaults are spelled out."""

    def source(settings: Any) -> str:
        changed = [f"{name}={value!r}" for name, value in changed_settings(settings).items()]
        return f"{type(settings).__name__}({', '.join(changed)})"

    kind = type(trial)
    return "\n".join(
        [
            f"from engine import K2, BDeu, {type(method).__name__}  # noqa: F401",
            f"from {kind.__module__} import {kind.__name__}",
            "from engine.evaluation.trials.repeat import repeat",
            "",
            f"trial = {source(trial)}",
            f"method = {source(method)}",
            f"outcome = trial.run(method, second={second!r})",
            "print(outcome.headline())",
            "print(outcome.claim_counts().to_string())",
            "print(outcome.table().to_string())",
            "",
            f"again = repeat(trial, method, second={second!r}, times=20)",
            "print(again.headline())",
            "print(again.claim_counts().to_string())",
            "print(again.table().to_string())",
            "",
        ]
    )


Words = Mapping[tuple[str, str], str]
"""Kind of a claim and its verdict -> how it is said."""


def claimed_words(claims: pd.DataFrame, words: Words, silent: str, items: Sequence[Sequence[str]]) -> np.ndarray:
    """The words of the claims about every item.

    Examples
    --------
    >>> import pandas as pd
    >>> claims = pd.DataFrame({"about": ["a -- b"], "kind": ["linked"], "verdict": ["yes"]})
    >>> items = [("b -- a", "a -- b"), ("a -- c", "c -- a")]
    >>> claimed_words(claims, {("linked", "yes"): "linked"}, "nothing seen", items).tolist()
    ['linked', 'nothing seen']
    """
    claimed = {
        row.about: words[row.kind, row.verdict] for row in claims.itertuples() if (row.kind, row.verdict) in words
    }
    return np.array(
        [next((claimed[name] for name in names if name in claimed), silent) for names in items], dtype=object
    )


def count_claims(
    claimed: np.ndarray,
    truth: np.ndarray,
    words: Sequence[str],
    headings: tuple[str, str],
    clusters: Sequence[Hashable] | np.ndarray | None = None,
) -> pd.DataFrame:
    """How many of the cases and of the others were said to be what; intervals of a column are Jeffreys' of one n.

    `clusters` are what belongs together, which makes that n less than the number of items.
    """
    columns: dict[str, object] = {"said": list(words)}
    for heading, kind in zip(headings, (truth, ~truth), strict=True):
        said = np.array([claimed[kind] == word for word in words], dtype=float)
        n = said.shape[1] if clusters is None else effective_number(said, np.asarray(clusters)[kind])
        shares = said.mean(axis=1) if said.shape[1] else np.full(len(words), math.nan)
        low, high = share_interval(shares * n, n, 0.95)
        columns |= {heading: said.sum(axis=1).astype(int), f"share of {heading}": shares}
        columns |= {f"low, {heading}": low, f"high, {heading}": high}
    return pd.DataFrame(columns)


def in_words(table: pd.DataFrame, headings: tuple[str, str]) -> pd.DataFrame:
    """`count_claims` for readers: a line for what is said of any, "2: 67 % (13 to 96)", for cases and the others."""
    some = (table[list(headings)] > 0).any(axis=1)
    some.iloc[0] = True
    chosen = table[some]
    columns = {"verdict": chosen["said"].map(lambda word: SHOWN.get(word, word))}
    for heading in headings:
        total = int(table[heading].sum())
        columns[f"of {total:,} {heading}"] = pd.Series(
            [
                f"{many:,}: {chance_in_percent(many / total)} ({100 * low:.0f} to {100 * high:.0f})" if total else "–"
                for many, low, high in zip(
                    chosen[heading], chosen[f"low, {heading}"], chosen[f"high, {heading}"], strict=True
                )
            ],
            index=chosen.index,
        )
    return pd.DataFrame(columns).reset_index(drop=True)
