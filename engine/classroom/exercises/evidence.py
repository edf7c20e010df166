"""Exercises on what rows show: the number of patients, many tests at once, and the prior."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from engine.classroom.drawings import (
    Arc,
    Bar,
    bars_drawing,
    count_bars,
    curve_drawing,
    interval_drawing,
    network_drawing,
)
from engine.classroom.exercise import Amount, Draws, Exercise, SingleChoice, between, pick
from engine.data.dataset import Dataset
from engine.lazy import special
from engine.measures.multiple import holm
from engine.measures.risk_difference import risk_difference
from engine.models.network import numbered_names
from engine.scores.dirichlet import BDeu, row_scores
from engine.search.independence import ChiSquared
from engine.words import in_percent, listed, probability, shown_difference, times, with_sign

_TREATMENTS = (("drug", "placebo"), ("surgery", "physiotherapy"), ("new dressing", "old dressing"))
SMALLEST = (20, 30, 40)
"""Patients of each group in the first of four tables; each has four times as many as the one before."""
POWER = 0.8
"""Share of studies that a sufficient size lets find the difference."""
MARGIN = 0.1
"""A difference that would matter."""
TABLES, TABLES_SIZE = 200, 100
"""Tables without a difference, and patients of each of their groups."""

Interval = tuple[float, float, float]


def _outcomes(hits: np.ndarray, n: int) -> np.ndarray:
    """(2 groups, 2) patients without the outcome, and with it."""
    return np.stack([n - hits, hits], axis=-1)


def _interval(hits: np.ndarray, n: int) -> Interval:
    """Difference of two shares, first group minus second, with its 95 % interval."""
    counts = _outcomes(hits, n)[None, ::-1]
    effect, low, high = (float(part[1]) for part in risk_difference(counts))
    return effect, low, high


def _hits(generator: np.random.Generator, shares: tuple[float, float], n: int, runs: int = 1) -> np.ndarray:
    """(runs, 2) patients of each group with the outcome."""
    return np.asarray((generator.random((runs, 2, n)) < np.array(shares)[:, None]).sum(axis=2))


def draw_doubt(generator: np.random.Generator) -> Exercise:
    """Two groups that differ, in four tables of growing size, and many tables of groups that do not.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    first, second = pick(generator, _TREATMENTS)
    n = pick(generator, SMALLEST)
    sizes = (n, 4 * n, 16 * n, 64 * n)

    def tables() -> tuple[tuple[float, float], list[np.ndarray]]:
        low = between(generator, 0.3, 0.45)
        shares = (low + between(generator, 0.12, 0.2), low)
        return shares, [_hits(generator, shares, size)[0] for size in sizes]

    shares, hits = draws.until(tables, lambda drawn: _grows_clear(sizes, *drawn))
    gap, powers = shares[0] - shares[1], [_power(shares, size) for size in sizes]
    intervals = [_interval(each, size) for each, size in zip(hits, sizes, strict=True)]
    excluding = next(k for k, power in enumerate(powers) if power >= POWER)
    equal = between(generator, 0.3, 0.5)
    nothing = draws.until(
        lambda: [_interval(each, TABLES_SIZE) for each in _hits(generator, (equal, equal), TABLES_SIZE, TABLES)],
        lambda rows: abs(_holding_zero(rows) - 0.95 * TABLES) <= 5,
    )
    same = draws.until(
        lambda: _interval(_hits(generator, (equal, equal), sizes[-1])[0], sizes[-1]),
        lambda row: row[1] > -MARGIN + 0.02 and row[2] < MARGIN - 0.02 and row[1] < -0.01 and row[2] > 0.01,
    )
    again = draws.until(
        lambda: _interval(_hits(generator, shares, n)[0], n),
        lambda row: row[1] < -0.02 and row[2] > MARGIN + 0.02,
    )
    widths = [high - low for _, low, high in intervals]
    values = {
        "first": first, "second": second, "gap": f"{100 * gap:.0f}",
        "n": str(sizes[0]), "hits_a": str(hits[0][0]), "hits_b": str(hits[0][1]),
        "seen": with_sign(shown_difference(*(hits[0] / n))), "low": with_sign(100 * intervals[0][1]),
        "high": with_sign(100 * intervals[0][2]), "half": f"{50 * widths[0]:.0f}", "n_more": str(sizes[1]),
        "half_more": f"{50 * widths[1]:.0f}",
        "halves": listed(f"{50 * width:.0f} at n = {size:,}" for width, size in zip(widths, sizes, strict=True)),
        "powers": listed(f"{probability(power)} at n = {size:,}" for power, size in zip(powers, sizes, strict=True)),
        "excluding": f"{sizes[excluding]:,}", "n_third": f"{sizes[2]:,}",
        "tables": str(TABLES), "size": str(TABLES_SIZE), "share": in_percent(equal),
        "holding": str(_holding_zero(nothing)), "missing": str(TABLES - _holding_zero(nothing)),
        "margin": f"{100 * MARGIN:.0f}", "n_most": f"{sizes[-1]:,}",
        "again_low": with_sign(100 * again[1]), "again_high": with_sign(100 * again[2]),
        "same_low": with_sign(100 * same[1]), "same_high": with_sign(100 * same[2]),
    }  # fmt: skip
    rows = {f"n = {size:,}": row for size, row in zip(sizes, intervals, strict=True)}
    title = "difference, percentage points"
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "first": SingleChoice("yes" if intervals[0][1] < 0 < intervals[0][2] else "no"),
            "narrower": SingleChoice("half" if abs(widths[0] / widths[1] - 2) < 0.3 else "quarter"),
            "excluding": SingleChoice(f"size{excluding + 1}"),
            "coverage": Amount(_holding_zero(nothing), 10, "intervals"),
            "verdict": SingleChoice(_verdict(again)),
            "equivalent": SingleChoice(_verdict(same)),
        },
        {
            "bars": bars_drawing(
                {"Recovered": count_bars((first, second), _outcomes(hits[0], sizes[0]))},
                f"{hits[0][0]} and {hits[0][1]} of {sizes[0]} recovered.",
            ),
            "one": interval_drawing(dict(list(rows.items())[:1]), title, "The interval holds 0."),
            "two": interval_drawing(dict(list(rows.items())[:2]), title, "The second interval reaches half as far."),
            "four": interval_drawing(rows, title, f"From n = {sizes[excluding]:,} on the interval excludes 0."),
            "many": interval_drawing(
                {f"table {k}": row for k, row in enumerate(nothing[:20], 1)},
                title,
                "20 of the tables without a difference.",
            ),
            "again": interval_drawing({f"n = {n:,}": again}, title, "The interval holds 0 and more than the margin."),
            "same": interval_drawing({f"n = {sizes[-1]:,}": same}, title, "A narrow interval around 0."),
        },
    )  # fmt: skip


def _power(shares: tuple[float, float], n: int) -> float:
    """Share of studies with n patients a group whose 95 % interval lies above 0, by the normal approximation."""
    error = np.sqrt(sum(share * (1 - share) for share in shares) / n)
    return float(special.ndtr((shares[0] - shares[1]) / error - special.ndtri(0.975)))


def _grows_clear(sizes: tuple[int, ...], shares: tuple[float, float], hits: list[np.ndarray]) -> bool:
    """True where 0 lies clearly inside the first interval, and clearly outside where the power is at least 80 %."""
    intervals = [_interval(each, size) for each, size in zip(hits, sizes, strict=True)]
    powers = [_power(shares, size) for size in sizes]
    lows = [low for _, low, _ in intervals]
    clear = all(
        abs(power - POWER) > 0.03 and (low > 0.01 if power > POWER else low < -0.01)
        for power, low in zip(powers, lows, strict=True)
    )
    return clear and lows[0] < -0.02 and intervals[0][2] > MARGIN + 0.02


def _holding_zero(rows: list[Interval]) -> int:
    return sum(low <= 0 <= high for _, low, high in rows)


def _verdict(interval: Interval) -> str:
    """Judge an interval: different, equivalent or inconclusive."""
    _, low, high = interval
    if low > 0 or high < 0:
        return "different"
    return "equivalent" if low > -MARGIN and high < MARGIN else "inconclusive"


ROWS = 200
TRUE_LINKS = 6
ALPHA = 0.05


def draw_false_links(generator: np.random.Generator) -> Exercise:
    """A table of variables without any link, one of ten times the rows, and one with a few true links.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    variables = int(generator.integers(16, 22))
    names = numbered_names(variables)
    pairs = list(combinations(names, 2))
    expected = ALPHA * len(pairs)

    def links(rows: int, true: int = 0) -> dict[str, list[Arc]]:
        return _links(_table(generator, names, rows, true), pairs)

    few = draws.until(
        lambda: links(ROWS),
        lambda by: (
            abs(len(by["p"]) - expected) <= 2.5 and not by["holm"] and 1 <= len(by["score"]) <= 0.5 * len(by["p"])
        ),
    )
    many = draws.until(
        lambda: links(10 * ROWS),
        lambda by: abs(len(by["p"]) - expected) <= 2.5 and len(by["score"]) < len(few["score"]),
    )
    real = {(names[2 * k], names[2 * k + 1]) for k in range(TRUE_LINKS)}
    mixed = draws.until(
        lambda: links(ROWS, TRUE_LINKS),
        lambda by: len(real & {*by["holm"]}) < len(real & {*by["score"]}) <= len(real & {*by["p"]})
        and len({*by["p"]} - real) >= 3 and len({*by["holm"]} - real) == 0,
    )  # fmt: skip
    found = {criterion: len(real & {*those}) for criterion, those in mixed.items()}
    false = {criterion: len({*those} - real) for criterion, those in mixed.items()}
    values = {
        "variables": str(variables), "rows": str(ROWS), "more_rows": f"{10 * ROWS:,}", "pairs": str(len(pairs)),
        "first": names[0], "others": str(variables - 1),
        "expected": f"{expected:.1f}", "by_p": str(len(few["p"])), "by_score": str(len(few["score"])),
        "many_p": str(len(many["p"])), "many_score": str(len(many["score"])),
        "bar": f"{ALPHA / len(pairs):.5f}".lstrip("0"), "true": str(TRUE_LINKS),
        **{f"found_{key}": str(number) for key, number in found.items()},
        **{f"false_{key}": str(number) for key, number in false.items()},
    }  # fmt: skip
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "pairs": Amount(len(pairs), 0, "pairs"),
            "by_p": Amount(len(few["p"]), 4, "pairs"),
            "holm": SingleChoice("none" if not few["holm"] else "some"),
            "score": SingleChoice("fewer" if len(few["score"]) < len(few["p"]) else "more"),
            "more_rows": SingleChoice("same" if abs(len(many["p"]) - expected) <= 3 else "fewer"),
            "missed": SingleChoice(min(found, key=lambda criterion: found[criterion])),
        },
        {
            "none": network_drawing((), "No two variables are linked.", names=names),
            "real": network_drawing(sorted(real), "The true links.", turned=real, names=names),
            "p": network_drawing(few["p"], "Pairs with p < .05.", turned=few["p"]),
            "score": network_drawing(few["score"], "Pairs that the score links.", turned=few["score"]),
            "many": network_drawing(many["p"], "Pairs with p < .05 in the longer table.", turned=many["p"]),
            "criteria": bars_drawing(
                {
                    "True links found": [
                        Bar(label, found[key] / TRUE_LINKS, f"{found[key]} of {TRUE_LINKS}; {false[key]} false")
                        for key, label in (("p", "p < .05"), ("score", "BDeu score"), ("holm", "Holm"))
                    ]
                },
                "True links found by each criterion.",
            ),
        },
    )


def _table(generator: np.random.Generator, names: tuple[str, ...], rows: int, true: int) -> Dataset:
    """Yes and no at random; of the first pairs, so many, the second variable often follows the first."""
    codes = (generator.random((len(names), rows)) < 0.5).astype(np.uint8)
    for k in range(true):
        follows = generator.random(rows) < 0.24
        codes[2 * k + 1] = np.where(follows, codes[2 * k], codes[2 * k + 1])
    return Dataset.from_codes(codes, [("no", "yes")] * len(names), names)


def _links(data: Dataset, pairs: list[Arc]) -> dict[str, list[Arc]]:
    """The pairs that each criterion links: p below .05, p after Holm's correction, a gain of the BDeu score."""
    test = ChiSquared(data)
    first, second = ([data.index(pair[side]) for pair in pairs] for side in (0, 1))
    sides = np.stack([1 - data.codes, data.codes], axis=1).astype(np.float64)  # (variables, levels, rows)
    tables = np.einsum("air,bjr->abij", sides, sides, optimize=True)[first, second]
    p = np.array([test.p_value(table[None]) for table in tables])
    # BDeu with an equivalent sample size of 1: a quarter in each cell with the link, a half without
    gains = row_scores(tables, 0.25).sum(axis=1) - row_scores(tables.sum(axis=1), 0.5)
    linked = {"p": p < ALPHA, "holm": holm(p) < ALPHA, "score": gains > 0}
    return {
        criterion: [pair for pair, yes in zip(pairs, which, strict=True) if yes] for criterion, which in linked.items()
    }


PRIORS = (0.1, 0.3, 0.5, 0.7, 0.9)
SCEPTIC, BELIEVER = PRIORS[0], PRIORS[-1]
FACTOR = 2
"""How many times as many rows the larger table has, with the same shares."""


def draw_prior(generator: np.random.Generator) -> Exercise:
    """A table with some evidence for a difference, the same with more rows, and one without a difference.

    Parameters
    ----------
    generator : all randomness comes from it

    Returns
    -------
    the exercise
    """
    draws = Draws()
    first, second = pick(generator, _TREATMENTS)
    n = 10 * int(generator.integers(4, 8))

    def hits() -> np.ndarray:
        low = between(generator, 0.25, 0.4)
        return _hits(generator, (low + between(generator, 0.2, 0.3), low), n)[0]

    seen = draws.until(hits, lambda k: k[0] > k[1] and 3 < _bayes_factor(k, n) < 9)
    equal = draws.until(
        lambda: _hits(generator, (0.4, 0.4), n)[0], lambda k: abs(k[0] - k[1]) <= 1 and _bayes_factor(k, n) < 0.45
    )
    factor, more, none = _bayes_factor(seen, n), _bayes_factor(FACTOR * seen, FACTOR * n), _bayes_factor(equal, n)
    after = {prior: posterior(factor, prior) for prior in PRIORS}
    after_more = {prior: posterior(more, prior) for prior in PRIORS}
    tipping = 1 / (1 + factor)
    values = {
        "first": first, "second": second, "n": str(n), "hits_a": str(seen[0]), "hits_b": str(seen[1]),
        "factor": f"{factor:.1f}", "even": in_percent(after[0.5]), "sceptic": in_percent(after[SCEPTIC]),
        "believer": in_percent(after[BELIEVER]),
        "odds_sceptic": f"{factor * SCEPTIC / (1 - SCEPTIC):.2f}", "times": times(FACTOR), "n_more": str(FACTOR * n),
        "hits_more_a": str(FACTOR * seen[0]), "hits_more_b": str(FACTOR * seen[1]), "factor_more": f"{more:,.0f}",
        "sceptic_more": probability(after_more[SCEPTIC]), "believer_more": probability(after_more[BELIEVER]),
        "tipping": in_percent(tipping), "equal_a": str(equal[0]), "equal_b": str(equal[1]),
        "factor_none": f"{none:.2f}", "none": in_percent(posterior(none, 0.5)), "ratio": f"{more / factor:,.0f}",
    }  # fmt: skip
    priors = [in_percent(prior) for prior in PRIORS]
    small = {f"n = {n} a group": list(after.values())}
    return Exercise(
        tuple(draws.numbers),
        values,
        {
            "even": Amount(100 * after[0.5], 4, "%"),
            "sceptic": Amount(100 * after[SCEPTIC], 5, "%"),
            "rows": SingleChoice("more" if more > 2 * FACTOR * factor else "times"),
            "agree": SingleChoice("closer" if np.ptp([*after_more.values()]) < np.ptp([*after.values()]) else "same"),
            "tipping": Amount(100 * tipping, 4, "%"),
            "none": SingleChoice("below" if posterior(none, 0.5) < 0.5 else "above"),
        },
        {
            "bars": bars_drawing(
                {"Recovered": count_bars((first, second), _outcomes(seen, n))},
                f"{seen[0]} and {seen[1]} of {n} recovered.",
            ),
            "curve": curve_drawing(priors, small, "prior P(differs)", "P(differs) after the rows, by prior."),
            "curves": curve_drawing(
                priors, small | {f"n = {FACTOR * n} a group": list(after_more.values())}, "prior P(differs)",
                "P(differs) after the rows, by prior, for both tables.",
            ),
            "equal": bars_drawing(
                {"Recovered": count_bars((first, second), _outcomes(equal, n))},
                f"{equal[0]} and {equal[1]} of {n} recovered.",
            ),
        },
    )  # fmt: skip


def _bayes_factor(hits: np.ndarray, n: int) -> float:
    """Bayes factor of a difference between two groups of n (BDeu, equivalent sample size 1)."""
    groups = np.repeat([0, 1], n)
    outcome = np.concatenate([np.arange(n) < k for k in hits.tolist()]).astype(np.int64)
    data = Dataset.from_codes(np.array([groups, outcome]), [("first", "second"), ("no", "yes")], ("group", "outcome"))
    score = BDeu()
    return float(np.exp(score.family(data, "outcome", ["group"]) - score.family(data, "outcome", [])))


def posterior(factor: float, prior: float) -> float:
    """The probability of a statement after the rows.

    Parameters
    ----------
    factor : Bayes factor for the statement
    prior : its probability before

    Examples
    --------
    >>> posterior(4.0, 0.5)
    0.8
    """
    odds = factor * prior / (1 - prior)
    return odds / (1 + odds)
