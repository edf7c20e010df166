"""Every cell: a name, what draws a table of it, and what is counted.

Tables that are asked for are 100 a cell; `times` makes 400 of those in which nothing differs, and 200 of COMPARE's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

import engine
from benchmarks.calibration import group_differences, related_rows
from benchmarks.calibration.group_differences import Cell, Counted
from benchmarks.calibration.numbers import measuring as counted
from benchmarks.calibration.numbers.generators import (
    GROUP,
    NOMINAL,
    NUMBERS,
    SHAPES,
    USUAL,
    Contexts,
    Drawn,
    Model,
    Move,
    Random,
    between_two,
    dealt,
    groups,
    humped,
    inside,
    level_up,
    mixed,
    model,
    raised,
    shifted,
    spread,
    transferred,
    written,
)
from benchmarks.calibration.numbers.measuring import Answer, answer, found
from engine.data.dataset import Dataset

PART_1, PART_3 = "COMPARE 1, ", "COMPARE 3, "
_PARTS_3 = ("null,", "25 points,")


def cells() -> list[Cell]:
    """All cells: of numbers, then COMPARE's on the generators they have had before."""
    found_1 = [replace(cell, name=PART_1 + cell.name, times=2 * cell.times) for cell in group_differences.cells()]
    found_3 = [
        replace(cell, name=PART_3 + cell.name, times=2 * cell.times)
        for cell in related_rows.cells()
        if cell.name.startswith(_PARTS_3)
    ]
    return [*numbers(), *found_1, *found_3]


def numbers() -> list[Cell]:
    """The cells of numbers alone."""
    return [*_nulls(), *_powers(), *_followers(), *_pairs(), *_equivalent(), *_intervals()]


def _many(generator: Random) -> int:
    return int(generator.integers(6, 9))


# -- nothing differs --------------------------------------------------------------------------------------------------


def _nulls() -> Iterator[Cell]:
    kinds: dict[str, Callable[[Random], Drawn]] = {
        "normal, 500 a group": partial(_null_of, ("normal",), 500, 500),
        "skewed, 300 a group": partial(_null_of, ("lognormal", "gamma"), 300, 300),
        "heaped, 400 a group": partial(_heaped, 400),
        "20:1, 1,000 v 50": partial(_null_of, USUAL, 1000, 50),
        "r .9, 500 a group": partial(_close, 500),
        "subtypes, 500 a group": partial(_subtypes, 500),
        "gaps, 400 a group": partial(_gaps, 400),
        "subjects, 25 + 25 of 4 to 16 rows": _subjects,
    }
    for name, draw in kinds.items():
        yield Cell(f"null, {name}", partial(_null, draw, counted.NULL_CALLED), times=4)
    for rows in (25, 12):
        draw = partial(_null_of, USUAL, rows, rows)
        yield Cell(f"null, {rows} + {rows}", partial(_null, draw, counted.SMALL_CALLED), times=4)


def _null(draw: Callable[[Random], Drawn], called: str, generator: Random) -> Counted:
    given = answer(mixed(draw(generator), generator))
    counts: Counted = {called: (given.called(given.others()), 1, 0.0)}
    differs = counted.NULL_DIFFERS if called == counted.NULL_CALLED else "told: any 'differs'"
    return {differs: (given.differs(given.others()), 1, 0.0), **counts}


def _null_of(shapes: Sequence[str], first: int, second: int, generator: Random) -> Drawn:
    truth = model(_many(generator), generator, shapes=shapes)
    return Drawn(truth.frame(dealt(first, second, generator), generator))


def _heaped(rows: int, generator: Random) -> Drawn:
    """Half of the values of every number are rounded to half a standard deviation, in both groups alike."""
    drawn = _null_of(USUAL, rows, rows, generator)
    frame = drawn.frame.copy()
    for name in frame.columns.intersection(list(NUMBERS)):
        step = NUMBERS[name][2] * max(5, round(0.5 * NUMBERS[name][1] / NUMBERS[name][2] / 5) * 5)
        coarse = np.round(np.round(frame[name] / step) * step, 6)
        frame[name] = np.where(generator.random(len(frame)) < 0.5, coarse, frame[name])
    return replace(drawn, frame=frame)


def _close(rows: int, generator: Random) -> Drawn:
    """Every column follows those before it by r .9."""
    truth = model(
        _many(generator), generator, explained=(0.81, 0.81), kinds=("number", "number", "number", "ordered", "nominal")
    )
    return Drawn(truth.frame(dealt(rows, rows, generator), generator))


def _subtypes(rows: int, generator: Random) -> Drawn:
    """Three hidden kinds of patients, in whom every number and every share is another one."""
    second = dealt(rows, rows, generator)
    kind = generator.choice(3, len(second), p=generator.dirichlet([6.0, 6.0, 6.0]))
    truth = model(_many(generator), generator, explained=(0.02, 0.1))
    parts = [model_frame(truth, second, generator, generator.normal(0, 1.2, 8)) for _ in range(3)]
    frame = pd.concat([part[kind == k] for k, part in enumerate(parts)])
    return Drawn(frame)


def model_frame(truth: Model, second: np.ndarray, generator: Random, offsets: np.ndarray) -> pd.DataFrame:
    """A table in which the scores of all rows are moved, and levels of nominal columns weigh otherwise."""
    moves: dict[int, Move] = {}
    for i, column in enumerate(truth.columns):
        if column.kind == "nominal":
            level, share = int(generator.integers(len(NOMINAL[column.name]))), float(generator.uniform(0.1, 0.5))
            moves[i] = partial(_preferred, level, share)
        else:
            moves[i] = partial(_offset, float(offsets[i]))
    return truth.frame(second, generator, moves)


def _preferred(
    level: int, share: float, shares: np.ndarray, levels: np.ndarray, second: np.ndarray, generator: Random
) -> np.ndarray:
    return np.where(generator.random(len(levels)) < share, level, levels)


def _offset(size: float, said: np.ndarray, noise: np.ndarray, second: np.ndarray, generator: Random) -> np.ndarray:
    return said + noise + size


def _gaps(rows: int, generator: Random) -> Drawn:
    """Two numbers and another column lack 8 to 25 % of their values, one of them by the value of a third."""
    truth = model(_many(generator), generator)
    frame = truth.frame(dealt(rows, rows, generator), generator).astype(object)
    numbers = [column.name for column in truth.columns if column.kind == "number"]
    others = [column.name for column in truth.columns if column.name not in numbers[:2]]
    for name in [*numbers[:2], others[0]]:
        share = np.full(len(frame), generator.uniform(0.08, 0.25))
        if name == numbers[0]:
            share = np.where(frame[numbers[1]].astype(float) > NUMBERS[numbers[1]][0], 0.25, 0.08)
        frame[name] = frame[name].where(generator.random(len(frame)) >= share, None)
    for name in numbers:
        frame[name] = frame[name].astype(float)
    return Drawn(frame, choices={"missing": "level"})


def _subjects(generator: Random) -> Drawn:
    """Rows of a subject are alike (.1 to .3 of the noise), and all of one group."""
    subject = np.repeat(np.arange(50), generator.integers(4, 17, 50))
    truth = model(_many(generator), generator)
    truth = replace(truth, icc=tuple(generator.uniform(0.1, 0.3, len(truth.columns))))
    second = dealt(25, 25, generator)[subject]
    frame = truth.frame(second, generator, subject=subject)
    frame["patient"] = [f"P{one:03d}" for one in subject]
    return Drawn(frame, choices={"roles": {"patient": "subject"}})


# -- one variable differs ---------------------------------------------------------------------------------------------


def _powers() -> Iterator[Cell]:
    def of(name: str, move: Move, rows: int, differs: str, called: str = "", **more: object) -> Cell:
        return Cell(name, partial(_power, move, rows, differs, called, more))

    number, nominal = {"target": "number"}, {"target": "nominal"}
    # a shift is of the whole's standard deviation: with parents it is larger beside what they leave, as in life
    child = {"place": "child", "own": (0.2, 0.4)}
    yield of("shift .3 SD, 500 a group", partial(shifted, 0.3), 500, counted.SHIFT_3, **number, **child)
    yield of("shift .5 SD, 200 a group", partial(shifted, 0.5), 200, counted.SHIFT_5, **number, **child)
    yield of("SD x 1.5, 200 a group", partial(spread, 1.5), 200, counted.SPREAD, **number)
    yield of("6 % with +3 SD, 500 a group", partial(raised, 0.06, 3.0), 500, "told: 'differs'", counted.TAIL, **number)
    yield of("inside a third, 1,000 a group", inside, 1000, counted.THIRD, **number)
    yield of("one level of four +10 points, 500", partial(level_up, 0.1), 500, counted.LEVEL, levels=4, **nominal)
    yield of("ordered, shift .3, 500 a group", partial(shifted, 0.3), 500, counted.SCALE, target="ordered", **child)
    yield of(
        "15 points everywhere, 500 a group",
        partial(between_two, 0.15),
        500,
        counted.POINTS,
        own=(0.02, 0.06),
        **nominal,
    )
    points = partial(_contexts, (0.3, 0, 0, 0, 0, 0), 500)
    yield Cell("30 points in one context of six, 500 a group", partial(_of_context, points))
    yield Cell("two humps, 500 a group", _humps)


def _moved(move: Move, rows: int, more: Mapping[str, object], generator: Random) -> Drawn:
    """A table in which one column of a mixed network is moved."""
    truth = model(_many(generator), generator, explained=(0.05, 0.3), **more)  # type: ignore[arg-type]
    frame = truth.frame(groups(rows, rows), generator, {truth.target: move})
    return mixed(Drawn(frame, (truth.moved,)), generator)


def _power(move: Move, rows: int, differs: str, called: str, more: Mapping[str, object], generator: Random) -> Counted:
    return found(_moved(move, rows, more, generator), differs, called)


def _humps(generator: Random) -> Counted:
    """The number as it is, and cut beforehand into thirds that have no order."""
    drawn = _moved(humped, 500, {"target": "number", "shapes": ("normal",), "own": (0.02, 0.1)}, generator)
    name = drawn.moved[0]
    thirds = pd.qcut(drawn.frame[name], 3, labels=["low", "middle", "high"], duplicates="drop").astype(str)
    cut = replace(drawn, frame=drawn.frame.assign(**{name: thirds}), choices={"kinds": {name: "nominal"}})
    return {**found(drawn, counted.HUMPS), counted.HUMPS_LEVELS: (answer(cut).differs(drawn.moved), 1, 0.0)}


def _contexts(points: Sequence[float], rows: int, generator: Random) -> Drawn:
    truth = Contexts.drawn(points, generator)
    return Drawn(truth.frame(groups(rows, rows), generator), (Contexts.name,), choices=Contexts.choices)


def _of_context(draw: Callable[[Random], Drawn], generator: Random) -> Counted:
    return found(mixed(draw(generator), generator), counted.CONTEXT)


# -- what moves, and what follows -------------------------------------------------------------------------------------


def _followers() -> Iterator[Cell]:
    yield Cell("what moves .5 SD, r .9, 1,000 a group", partial(_fork, 1000))
    kinds: dict[str, tuple[Callable[..., list[np.ndarray]], int]] = {
        "curved, 500 a group": (_curved, 500),
        "unequal spread, 500 a group": (_unequal, 500),
        "a step at 1.5 SD, 500 a group": (_step, 500),
        "a count with 60 % zeros, 500 a group": (_count, 500),
        "a floor, 500 a group": (_floor, 500),
        "log odds 3, 500 a group": (_binary, 500),
        "three parents, one at .35, 200 a group": (_three, 200),
        "x moves 2 SD, r .3, 150 a group": (_far, 150),
    }
    for name, (draw, rows) in kinds.items():
        yield Cell(f"followers: {name}", partial(_following, draw, rows))


def _noise(generator: Random, rows: int) -> np.ndarray:
    return SHAPES[str(generator.choice(USUAL))](generator, rows)


def _with_company(own: Sequence[np.ndarray], second: np.ndarray, generator: Random) -> Drawn:
    """A mover, the first, and its followers as numbers or levels, beside columns that have nothing to do with them."""
    names = [str(one) for one in generator.permutation(list(NUMBERS))]
    company = model(int(generator.integers(3, 6)), generator, kinds=("ordered", "nominal", "number"))
    frame = company.frame(second, generator)
    free = [name for name in names if name not in frame]
    used: list[str] = []
    kinds: dict[str, str] = {}
    for values in own:
        if values.dtype == object:
            name = "complication"
            kinds[name] = "nominal"
            frame[name] = values
        else:
            name = free.pop()
            frame[name] = written(name, values)
        used.append(name)
    return mixed(Drawn(frame, (used[0],), tuple(used[1:]), choices={"kinds": kinds}), generator)


def _fork(rows: int, generator: Random) -> Counted:
    second = groups(rows, rows)
    c = 0.5 * second + _noise(generator, 2 * rows)
    ends = [0.9 * c * generator.choice([-1, 1]) + math.sqrt(0.19) * _noise(generator, 2 * rows) for _ in range(2)]
    drawn = _with_company([c, *ends], second, generator)
    given = answer(drawn)
    return {
        counted.MOVER: (given.differs(drawn.moved), 1, 0.0),
        counted.FOLLOWERS_DIFFER: (given.differs(drawn.followers), 1, 0.0),
        counted.FOLLOWERS_CALLED: (given.called(drawn.followers), 1, 0.0),
        counted.OTHERS_CALLED: (given.called(given.others(*drawn.moved, *drawn.followers)), 1, 0.0),
    }


def _following(draw: Callable[[np.ndarray, Random], list[np.ndarray]], rows: int, generator: Random) -> Counted:
    second = groups(rows, rows)
    drawn = _with_company(draw(second, generator), second, generator)
    given = answer(drawn)
    return {
        counted.FOLLOWER: (given.called(drawn.followers[:1] if draw is _three else drawn.followers), 1, 0.0),
        "told: what moves 'differs'": (given.differs(drawn.moved), 1, 0.0),
        "told: what moves is called": (given.called(drawn.moved), 1, 0.0),
    }


def _curved(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    x = 0.5 * second + _noise(generator, len(second))
    ends = [np.tanh(1.5 * x) - 0.5, 0.5 * (x**2 - 1)]
    return [x, *(0.7 * end + 0.6 * _noise(generator, len(x)) for end in ends)]


def _unequal(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    x = 0.5 * second + _noise(generator, len(second))
    return [x, *(0.6 * x + 0.5 * np.exp(0.4 * sign * x) * _noise(generator, len(x)) for sign in (-1, 1))]


def _step(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    """A follower that is two standard deviations higher where the mover is above 1.5."""
    x = 0.5 * second + _noise(generator, len(second))
    return [x, 2.0 * (x > 1.5) + 0.8 * _noise(generator, len(x))]


def _count(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    """The mover is a count: none in 60 %, in the second group mainly more where there are any."""
    some = generator.random(len(second)) < np.where(second, 0.45, 0.4)
    count = some * (1 + generator.negative_binomial(2, np.where(second, 0.28, 0.45)))
    x = count / 3.0
    return [x, *(0.6 * x + 0.7 * _noise(generator, len(x)) for _ in range(2))]


def _floor(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    """A third of the mover's values stand at the least that can be measured."""
    x = np.maximum(0.5 * second + _noise(generator, len(second)), -0.4)
    return [x, *(0.8 * x + 0.5 * _noise(generator, len(x)) for _ in range(2))]


def _binary(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    x = 0.5 * second + _noise(generator, len(second))
    ill = generator.random(len(x)) < 1 / (1 + np.exp(0.3 - 3 * x))
    return [x, np.where(ill, "yes", "no").astype(object)]


def _three(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    """The mover is the weakest of three parents; the other two stand behind the follower."""
    x = 1.5 * second + _noise(generator, len(second))
    a, b = (_noise(generator, len(second)) for _ in range(2))
    return [x, 0.35 * x + 0.6 * a + 0.6 * b + 0.4 * _noise(generator, len(x)), a, b]


def _far(second: np.ndarray, generator: Random) -> list[np.ndarray]:
    x = 2.0 * second + _noise(generator, len(second))
    return [x, 0.3 * x + math.sqrt(0.91) * _noise(generator, len(x))]


# -- copies, slopes, steps, pairs -------------------------------------------------------------------------------------


def _pairs() -> Iterator[Cell]:
    yield Cell("an exact copy, 500 a group", _copy)
    yield Cell("a total of five items, 500 a group", _total)
    yield Cell("slope .4 against -.4, 500 a group", _slope)
    yield Cell("the same values, steps .01 and .5, 400 a group", _steps)
    yield Cell("before and after, 100 pairs", _before_after)
    yield Cell("fork of r .9, cut, associations, 1,000 rows", partial(_associated, "line"))
    yield Cell("fork along curves, cut, associations, 1,000 rows", partial(_associated, "curve"))
    yield Cell("direct link beside a fork, cut, associations, 1,000 rows", partial(_associated, "direct"))


def _copy(generator: Random) -> Counted:
    """The copy has a header and a unit of its own: half of every value."""
    drawn = _moved(partial(shifted, 0.5), 500, {"target": "number"}, generator)
    drawn.frame["other device (units)"] = drawn.frame[drawn.moved[0]] / 2
    given = answer(mixed(replace(drawn, choices={"kinds": {"other device (units)": "continuous"}}), generator))
    both = all(given.differs([name]) for name in (drawn.moved[0], "other device (units)"))
    return {counted.COPY: (int(both), 1, 0.0)}


def _total(generator: Random) -> Counted:
    """Five items of 0 to 4, the first of them moved, and their sum."""
    second = groups(500, 500)
    common = generator.normal(size=1000)
    names = [f"item {k}" for k in range(1, 6)]
    items = {
        name: np.clip(
            np.round(2 + 0.7 * common + 0.8 * _noise(generator, 1000) + 0.6 * second * (name == "item 1")), 0, 4
        )
        for name in names
    }
    frame = pd.DataFrame(items).astype(int)
    frame["total (points)"] = frame.sum(axis=1)
    frame["sex"] = np.array(NOMINAL["sex"], dtype=object)[generator.integers(0, 2, 1000)]
    frame[GROUP] = np.where(second, "B", "A")
    given = answer(mixed(Drawn(frame, choices={"kinds": {"total (points)": "continuous"}}), generator))
    both = given.differs(["total (points)"]) and given.differs(names)
    return {
        counted.TOTAL: (int(bool(both)), 1, 0.0),
        "told: the moved item 'differs'": (given.differs(names[:1]), 1, 0.0),
    }


def _slope(generator: Random) -> Counted:
    second = groups(500, 500)
    x = _noise(generator, 1000)
    y = np.where(second, -0.4, 0.4) * x + math.sqrt(0.84) * _noise(generator, 1000)
    drawn = _with_company([y, x], second, generator)
    given = answer(drawn)
    return {
        counted.SLOPE: (given.differs(drawn.followers), 1, 0.0),
        "told: the changed end 'differs'": (given.differs(drawn.moved), 1, 0.0),
        "told: an end called": (given.called([*drawn.moved, *drawn.followers]), 1, 0.0),
    }


def _steps(generator: Random) -> Counted:
    """One group notes hundredths of a degree, the other half degrees."""
    drawn = _moved(partial(shifted, 0.0), 400, {"target": "number"}, generator)
    name, frame = drawn.moved[0], drawn.frame.rename(columns={drawn.moved[0]: "Temperature (°C)"})
    frame = frame if name == "Temperature (°C)" else frame.loc[:, ~frame.columns.duplicated()]
    centre, scale, _ = NUMBERS[name]
    score = (
        drawn.frame[name].to_numpy(dtype=float) + generator.uniform(-0.5, 0.5, len(frame)) * NUMBERS[name][2] - centre
    ) / scale
    fine, coarse = (written("Temperature (°C)", score, step) for step in (0.01, 0.5))
    frame["Temperature (°C)"] = np.where(frame[GROUP] == "B", coarse, fine)
    given = answer(replace(drawn, frame=frame))
    return {
        counted.ROUNDED: (given.called(["Temperature (°C)"]), 1, 0.0),
        counted.ROUNDED_NOTE: (int(any("rounded" in text for text in given.said)), 1, 0.0),
    }


def _before_after(generator: Random) -> Counted:
    """Every patient before and after: two columns stay, one has moved by half an SD of the change."""
    subject, second = np.repeat(np.arange(100), 2), np.tile([False, True], 100)
    truth = model(
        int(generator.integers(6, 8)), generator, "number", "leaf", kinds=("nominal", "ordered", "number", "number")
    )
    fixed = tuple(i for i, column in enumerate(truth.columns) if not column.parents and i != truth.target)[:2]
    icc = generator.uniform(0.4, 0.7, len(truth.columns))
    own = float(icc[truth.target])
    icc[list(fixed)] = 1.0
    truth = replace(truth, icc=tuple(icc))
    # parents that vary within a patient vary between the two visits too
    explained = truth.columns[truth.target].explained
    size = 0.5 * math.sqrt(2 * (1 - own) * (1 - explained) + explained)
    frame = truth.frame(second, generator, {truth.target: partial(shifted, size)}, subject)
    frame["patient"] = [f"P{one:03d}" for one in subject]
    drawn = mixed(Drawn(frame, (truth.moved,), choices={"roles": {"patient": "subject"}}), generator)
    return found(drawn, counted.PAIRS, counted.PAIRS_CALLED)


def _associated(way: str, generator: Random) -> Counted:
    """X - Y of X <- C -> Y by every criterion; it is firm unless it is said to come of the cut."""
    c = generator.normal(size=1000)
    noise = [math.sqrt(0.19) * generator.normal(size=1000) for _ in range(2)]
    x, y = (0.9 * c + one for one in noise)
    if way == "curve":
        x, y = np.tanh(1.5 * c) + noise[0], c**2 / 2 + c + noise[1]
    elif way == "direct":
        y = y + 0.4 * noise[0]
    drawn = _with_company([c, x, y], dealt(500, 500, generator), generator)
    kinds = {name: "continuous" for name in drawn.frame if name in NUMBERS}
    data = Dataset.from_frame(drawn.frame.drop(columns=GROUP), kinds=kinds)
    firm = 0
    for criterion in ("mml", "smt", "chi2", "bic"):
        result = engine.LogLinear(criterion=criterion).run(data)
        edges = result.edges()
        own = edges[[{row.source, row.target} == set(drawn.followers) for row in edges.itertuples()]]
        texts = [
            str(own.to_dict("records")),
            *(t for t in _said_of(result) if all(one in t for one in drawn.followers)),
        ]
        firm |= int(len(own) > 0 and not any("from the cut" in text for text in texts))
    return {counted.FIRM if way != "direct" else "told: a direct link is firm": (firm, 1, 0.0)}


def _said_of(result: object) -> list[str]:
    return [*result.sentences(), *result.notes(), *result.row_notes()]  # type: ignore[attr-defined]


# -- equivalent -------------------------------------------------------------------------------------------------------


def _equivalent() -> Iterator[Cell]:
    yield Cell("equivalent, its words, 1,000 a group", _words)
    yield Cell("equivalent, 15 points at a cut point, 500 a group", partial(_cut, 500))
    yield Cell("equivalent, 15 points at a cut point, 1,000 a group", partial(_cut, 1000))
    six = partial(_contexts, (0.24, -0.05, -0.05, -0.05, -0.05, -0.05), 1000)
    yield Cell("equivalent, one context of six, 1,000 a group", partial(_alike, six, counted.EQUIVALENT_SIX))
    four = partial(_contexts, (0.17, -0.17, -0.17, 0.17), 1000)
    yield Cell("equivalent, four contexts in turn, 1,000 a group", partial(_alike, four, counted.EQUIVALENT_FOUR))
    yield Cell("equivalent, nothing differs, 3,000 a group", _nothing)


def _words(generator: Random) -> Counted:
    given = answer(mixed(_null_of(USUAL, 1000, 1000, generator), generator))
    some = "alike" in set(given.table["verdict"])
    return {counted.BARE: (counted.bare_equivalent(given), 1, 0.0), "told: any 'equivalent'": (int(some), 1, 0.0)}


def _alike(draw: Callable[[Random], Drawn], quantity: str, generator: Random) -> Counted:
    drawn = mixed(draw(generator), generator)
    given = answer(drawn)
    return {
        quantity: (int(given.verdict(drawn.moved[0]) == "alike"), 1, 0.0),
        "told: what differs is called": (given.called(drawn.moved), 1, 0.0),
    }


def _cut(rows: int, generator: Random) -> Counted:
    """Either 15 points are carried across one cut point, or all is shifted until they are at the middle."""
    move = partial(transferred, 0.15) if generator.random() < 0.5 else partial(shifted, 0.378)
    more = {"target": "number", "shapes": ("normal",)}
    return _alike(partial(_moved, move, rows, more), counted.EQUIVALENT_CUT, generator)


def _nothing(generator: Random) -> Counted:
    given = answer(mixed(_null_of(USUAL, 3000, 3000, generator), generator))
    verdicts = given.table["verdict"]
    return {counted.EQUIVALENT: (int((verdicts == "alike").sum()), len(verdicts), 0.0)}


# -- intervals --------------------------------------------------------------------------------------------------------


def _intervals() -> Iterator[Cell]:
    yield Cell("intervals in units, one number moved, 300 a group", _units_moved, times=10)
    yield Cell("intervals in units, nothing differs, 300 a group", _units_null, times=4)
    yield Cell("intervals of the picked context, nothing differs, 400 a group", _picked_null, times=6)
    yield Cell("intervals of the picked context, 25 points in one of four, 500 a group", _picked_moved, times=10)


def _units(given: Answer, truths: dict[str, float]) -> Counted:
    if not {"difference_low", "difference_high"} <= set(given.table.columns):
        return {counted.NOT_YET.format("difference in units"): (1, 1, 0.0)}
    rows = [
        counted.covered(given, name, truth, ("difference_low", "difference_high")) for name, truth in truths.items()
    ]
    return {counted.UNITS: (sum(row[0] for row in rows), sum(row[1] for row in rows), 0.0)}


def _units_moved(generator: Random) -> Counted:
    """A leaf moves by up to .8 SD, so that its difference is the same whatever its parents are held to be."""
    size = float(generator.uniform(-0.8, 0.8))
    drawn = _moved(partial(shifted, size), 300, {"target": "number", "place": "leaf"}, generator)
    name = drawn.moved[0]
    return _units(answer(drawn), {name: size * NUMBERS[name][1]})


def _units_null(generator: Random) -> Counted:
    drawn = mixed(_null_of(USUAL, 300, 300, generator), generator)
    return _units(answer(drawn), {name: 0.0 for name in drawn.frame.columns if name in NUMBERS})


def _picked(given: Answer, names: Sequence[str], truths: Callable[[str, str], float]) -> Counted:
    places = {name: str(given.table.at[name, "where"]) for name in names}
    rows = [
        counted.covered(given, name, truths(name, place), ("where_low", "where_high"))
        for name, place in places.items()
        if place not in ("", "everywhere")
    ]
    return {counted.PICKED: (sum(row[0] for row in rows), sum(row[1] for row in rows), 0.0)}


def _picked_null(generator: Random) -> Counted:
    drawn = mixed(_null_of(USUAL, 400, 400, generator), generator)
    given = answer(drawn)
    return _picked(given, given.others(), lambda name, place: 0.0)


def _picked_moved(generator: Random) -> Counted:
    """Of the yes or no only: what else a context names has nothing to do with it, so its difference is known."""
    truth = Contexts.drawn((0.25, 0.0, 0.0, 0.0), generator)
    name = Contexts.name
    given = answer(Drawn(truth.frame(groups(500, 500), generator), (name,), choices=Contexts.choices))
    turned = 1 if given.table.at[name, "level"] == "yes" else -1
    return _picked(given, [name], lambda _, place: turned * truth.difference(place))
