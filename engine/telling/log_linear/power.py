"""Before anything runs, in sentences: what to put right in a table, how weak a link could show, and chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from engine import words
from engine.counting.design_effect import design_effect_of
from engine.data.dataset import Dataset
from engine.lazy import pd
from engine.methods.log_linear.message import detectable_odds_ratio
from engine.methods.log_linear.pair_screening import Rule
from engine.methods.log_linear.power import Margins, nearest, share_of_yes, shifts_needed
from engine.methods.log_linear.settings import WITH_JOINT
from engine.telling import subjects
from engine.telling.spoken import level_words
from engine.text import Count, Level, Name, Number, People, Text, first, joined, told

MANY = 0.1
"""From this share of tables with a false link on, the answer is said to be unsafe."""
FAR = 10
"""From so many times the pairs of what was measured on, that is said too."""
MANY_LEVELS = 12
NAMED = 6
_NAMES = {"chi2": "chi-squared", "mml": "message length (MML)"}


def rule_sentences(rules: Sequence[Rule]) -> list[Text]:
    """Columns that follow from others, and what to do; nothing where there are none.

    Examples
    --------
    >>> rule_sentences([Rule("a", "b", False, 3)])[0].partition(". ")[0]
    'a determines b but for 3 rows'
    """
    if not rules:
        return []
    named = first(map(_rule, rules), 5, "; ")
    return [told("{}. A link between such columns is bookkeeping, not a finding: leave one of them out.", named)]


def _rule(rule: Rule) -> Text:
    but = told(" but for {}", People(rule.exceptions, "row")) if rule.exceptions else ""
    source, target = Name(rule.source), Name(rule.target)
    if rule.both:
        return told("{} is a copy of {}, or the same in other names{}", target, source, but)
    return told("{} determines {}{}", source, target, but)


def false_links_sentence(criterion: str, joint: bool, rows: int, variables: int, levels: float) -> Text:
    """The measured rate of false links nearest to this size; "" where there is none.

    Parameters
    ----------
    criterion, joint, rows, variables, levels : as `engine.methods.log_linear.power.nearest` takes them
    """
    line = nearest(criterion, joint, rows, variables, levels)
    if line is None:
        return told("")
    few = told("fewer than {}", Number(words.in_percent(0.01))) if line.any_link else told("none")
    text = told(
        "Of {} of {} and {} of {} levels, the measured size nearest to this table, {} had a false link by {}",
        Count(line.tables, "simulated table"),
        Count(line.rows, "row"),
        Count(line.variables, "unrelated variable"),
        Count(line.levels),
        Number(words.in_percent(line.any_link)) if line.any_link >= 0.01 else few,
        Level(_NAMES.get(criterion, criterion.upper())),
    )
    pairs = variables * (variables - 1) / (line.variables * (line.variables - 1))
    beyond = told("")
    if pairs >= FAR:
        beyond = told(
            " This table has some {} as many pairs of variables; how often chance shows a link among so many was not "
            "measured.",
            Count(round(pairs), "time"),
        )
    if line.any_link <= MANY:
        return told("{}.{}", text, beyond)
    each = told(", {} on average", Number(f"{line.mean_links:.1f}")) if line.mean_links >= 1 else ""
    size = People(rows, "row"), Count(variables, "variable")
    return told("With {} and {} a link may well be chance. {}{}.{}", *size, text, each, beyond)


def together(data: Dataset) -> Text:
    """The worth of rows that belong together; "" where every row is its own.

    Parameters
    ----------
    data : the table
    """
    counted = data.subject_count
    if counted is None or counted.too_few:
        return told("")
    effective_rows = data.n_rows / design_effect_of(data)
    return subjects.together(data.subject_column, data.n_rows, counted.subjects, effective_rows, counted.alone)


def trust(data: Dataset, criterion: str, alpha: float, *, joint: bool) -> Text:
    """The strength from which a link shows in this table, and how often one shows where there is none.

    Parameters
    ----------
    data : the table
    criterion, alpha, joint : as `LogLinear` takes them

    Returns
    -------
    sentences, "" where there is nothing to ask
    """
    if data.n_variables < 2 or not data.n_rows:
        return told("")
    levels = float(np.exp(np.log(np.maximum(data.arity, 1)).mean()))
    effect = design_effect_of(data)
    margins = []
    for name in data.names:
        levels_of = data.levels[name]
        margins.append((name, levels_of, np.bincount(data.column(name), minlength=len(levels_of)) / effect))
    rows = max(round(data.n_rows / effect), 1)
    text = (
        power_sentence(margins, data.n_rows, criterion, alpha),
        false_links_sentence(criterion, joint and criterion in WITH_JOINT, rows, data.n_variables, levels),
    )
    return joined(filter(None, text))


def power_sentence(margins: Sequence[Margins], rows: int, criterion: str = "mml", alpha: float = 0.05) -> Text:
    """The strength from which a link shows in 8 of 10 tables like this one, "" where the criterion has no such limit.

    Parameters
    ----------
    margins : of every variable
    rows : of the table
    criterion, alpha : as `LogLinear` takes them
    """
    needed = shifts_needed(margins, criterion, alpha) if rows else []
    if not needed:
        return told("")
    shift, *pair = needed[(len(needed) - 1) // 2]
    table = told("With {} and {}", People(rows, "row"), Count(len(margins), "variable"))
    if not math.isfinite(needed[0][0]):
        return told("{} not even a perfect link would show reliably.", table)
    both = [Name(margin[0]) for margin in pair]
    if not math.isfinite(shift):
        return told("{} not even a perfect link would show reliably between {} and {}, typical here.", table, *both)
    name, its = (level_words(name, levels[int(np.argmax(counts))]) for name, levels, counts in pair)
    text = told(
        "{} power is {} for a link between {} and {}, typical here, if {} is {} more common with {} than without",
        table,
        Number(words.in_percent(0.8)),
        *both,
        its,
        _points(shift),
        name,
    )
    most, *hardest = needed[-1]
    if math.isfinite(most) and most < 1.2 * shift:
        return told("{}; weaker links show less often.", text)
    rare = told("it takes {}", _points(most)) if math.isfinite(most) else told("not even a perfect link would do")
    ends = [Name(margin[0]) for margin in hardest]
    template = "{}; between {} and {} {}. Weaker links show less often, and other pairs may need less."
    return told(template, text, *ends, rare)


def _points(shift: float) -> Number:
    return Number(f"{shift * 100:.0f} percentage points")


def pays_from(rows: int, variables: int) -> Text:
    """Where a first link between two even yes/no variables begins to shorten the message, "" where none does.

    In the observed table, that is: of true links so strong about half show.
    """
    odds = detectable_odds_ratio(rows, variables)
    if not math.isfinite(odds):
        return told("")
    share = share_of_yes(odds)
    return told(
        "Of {} and {}, an observed odds ratio of about {} between two even yes/no variables begins to pay by message "
        "length: for example {} yes in one half of the rows and {} in the other. Of true links so strong about half "
        "would show.",
        People(rows, "row"),
        Count(variables, "variable"),
        Number(f"{odds:.2g}"),
        Number(words.in_percent(share)),
        Number(words.in_percent(1 - share)),
    )


def odd_levels(table: pd.DataFrame) -> list[Text]:
    """Constant variables, levels never seen, many levels: a sentence each, of a table as `level_table` gives it."""
    declared, observed, names = table["levels declared"], table["levels observed"], table["variable"]
    asked = (
        ("One value only, so never linked: {}.", observed < 2),
        ("Levels that never occur count as levels all the same and make links dearer: {}.", observed < declared),
        ("Many levels make links dear; consider merging some: {}.", declared > MANY_LEVELS),
    )
    return [told(template, _some(names[odd])) for template, odd in asked if odd.any()]


def _some(names: Iterable[str]) -> Text:
    return first(map(Name, names), NAMED)
