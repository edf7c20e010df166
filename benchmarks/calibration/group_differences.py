"""Group comparisons on held-out generators: false calls, power, and whether P(differs) is as often true as it says.

    python -m benchmarks.calibration.group_differences                     100 tables a cell, every cell
    python -m benchmarks.calibration.group_differences --cell chain --tables 25
    python -m benchmarks.calibration.group_differences --keep FOLDER --markdown docs/calibration-groups.md

Bars were set before any table was drawn. A cell misses its bar only if the 95 % Clopper-Pearson interval of its share
excludes it; the cells of a quantity pooled must meet it. With --keep every finished cell is a file of that folder, and
is read rather than drawn the next time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

import engine
from benchmarks.calibration import tables
from benchmarks.calibration.shares import (
    ANOTHER,
    ANY_CALLED,
    ANY_DIFFERS,
    BINS,
    DIFFERS_BIN,
    FOLLOWER,
    HEAD,
    LINK_BIN,
    MISSED,
    MOVED,
    Page,
    Share,
    pooled,
    row,
)
from engine import execution
from engine.data.dataset import Dataset
from engine.methods.group_difference.result import GroupDifferenceResult

GROUP = "group"
BLOCK = 25
"""Tables that are worked on at once."""
CALLED = ("differs", "probably differs")
_DIRECTED = {"logistic": tables.logistic, "probit": tables.probit}

Rows = tables.Causes | tables.Classes | tables.Factors
Counted = dict[str, tuple[int, int, float]]
"""Quantity -> how often it was so, of how many, and the sum of the probabilities that were said of these."""


@dataclass(frozen=True)
class Cell:
    """Tables of one kind.

    Attributes
    ----------
    name : what they are
    measure : a generator -> what one table gives; it can be pickled
    held : whether `BARS` hold here; power at other sizes is only told
    times : tables, as a multiple of those that are asked for
    """

    name: str
    measure: Callable[[np.random.Generator], Counted]
    held: bool = True
    times: int = 1


def cells() -> list[Cell]:
    """Every cell of the bars for variables that differ."""
    found = [Cell(f"chain, head moved 30 points, {rows:,} rows a group", partial(_chain, rows)) for rows in (500, 1000)]
    for rows in (1000, 500):
        words = f"{rows:,} a group"
        for name, draw in _DIRECTED.items():
            everywhere = partial(tables.moved_everywhere, partial(draw, 8, (2, 3)), 0.15)
            context = partial(tables.moved_in_one_context, partial(draw, 8, (2, 3)), 0.25, 0.2)
            found += [
                Cell(f"{name}, 15 points everywhere, {words}", partial(_moved, everywhere, rows), rows == 1000),
                Cell(f"{name}, 25 points in one context, {words}", partial(_moved, context, rows), rows == 1000),
            ]
        hidden = partial(tables.moved_everywhere, partial(tables.classes, 8, (2, 3)), 0.15)
        found.append(Cell(f"classes, 15 points everywhere, {words}", partial(_moved, hidden, rows), rows == 1000))
    found += list(_null_cells())
    found += [
        Cell(f"drawn from the prior, p_none {p_none:g}", partial(_reliability, p_none), times=5)
        for p_none in (0.5, 0.02)
    ]
    return found


def _null_cells() -> Iterator[Cell]:
    """Labels dealt at random: sizes crossed with numbers of variables, then levels, groups and margins of their own."""
    draws = (("factors", tables.factors), ("classes", tables.classes), ("logistic", tables.logistic))
    for i, rows in enumerate((100, 300, 1000, 5000)):
        for j, variables in enumerate((5, 10, 18)):
            name, draw = draws[(i + j) % 3]
            yield _null_cell(name, draw, variables, (2, 5) if variables < 18 else (2, 4), (rows, rows))
    yield _null_cell("factors", tables.factors, 10, (2, 2), (300, 300))
    yield _null_cell("factors", tables.factors, 10, (5, 5), (300, 300))
    yield _null_cell("floors", tables.floors, 5, (3, 5), (100, 100))
    yield _null_cell("floors", tables.floors, 18, (3, 4), (177, 178))
    yield _null_cell("probit", tables.probit, 5, (2, 3), (100, 900))
    yield _null_cell("floors", tables.floors, 10, (2, 4), (100, 900))
    yield _null_cell("classes", tables.classes, 10, (2, 4), (100, 4900))


def _null_cell(
    name: str, draw: Callable[..., Rows], variables: int, levels: tuple[int, int], rows: tuple[int, int]
) -> Cell:
    sizes = f"{rows[0]:,} a group" if rows[0] == rows[1] else f"{rows[0]:,} v {rows[1]:,}"
    many = f"{levels[0]}" if levels[0] == levels[1] else f"{levels[0]}-{levels[1]}"
    return Cell(
        f"null, {name}, {variables} variables of {many} levels, {sizes}", partial(_null, draw, variables, levels, rows)
    )


# -- one table --------------------------------------------------------------------------------------------------------


def _chain(rows: int, generator: np.random.Generator) -> Counted:
    one, other = tables.chain(generator)
    verdicts, _ = _verdicts(one.sample(rows, generator), other.sample(rows, generator), generator)
    return {
        HEAD: (int(verdicts[0] == "differs"), 1, 0.0),
        FOLLOWER: (int(any(word in CALLED for word in verdicts[1:])), 1, 0.0),
    }


def _moved(draw: Callable[..., tuple], rows: int, generator: np.random.Generator) -> Counted:
    one, other, child = draw(generator)
    verdicts, _ = _verdicts(one.sample(rows, generator), other.sample(rows, generator), generator)
    others = verdicts[:child] + verdicts[child + 1 :]
    return {
        MOVED: (int(verdicts[child] == "differs"), 1, 0.0),
        ANOTHER: (int(any(word in CALLED for word in others)), 1, 0.0),
    }


def _null(
    draw: Callable[..., Rows],
    variables: int,
    levels: tuple[int, int],
    rows: tuple[int, int],
    generator: np.random.Generator,
) -> Counted:
    codes = draw(variables, levels, generator).sample(sum(rows), generator)
    codes = codes[:, generator.permutation(codes.shape[1])]
    verdicts, _ = _verdicts(codes[:, : rows[0]], codes[:, rows[0] :], generator)
    return {
        ANY_DIFFERS: (int("differs" in verdicts), 1, 0.0),
        ANY_CALLED: (int(any(word in CALLED for word in verdicts)), 1, 0.0),
    }


def _reliability(p_none: float, generator: np.random.Generator) -> Counted:
    """Probabilities of differences and links in a table of eight variables drawn from the prior, by bins.

    Tables in which a level has no row are drawn again: the method leaves such levels out, which is another model. A
    choice by the data alone leaves a posterior what it is.
    """
    rows = int(generator.choice([50, 100, 200, 500, 1000]))
    while True:
        one, other, differs, places = tables.from_the_prior(8, (2, 3), p_none, generator)
        halves = [truth.sample(rows, generator) for truth in (one, other)]
        if all(len(np.unique(row)) == many for row, many in zip(np.hstack(halves), one.arities, strict=True)):
            break
    _, result = _verdicts(halves[0], halves[1], generator, p_none, places)
    counted: dict[str, list[float]] = {}

    def count(words: str, p: float, true: bool) -> None:
        k = min(int(p * BINS), BINS - 1)
        place = counted.setdefault(words.format(k / BINS, (k + 1) / BINS), [0, 0, 0.0])
        place[0] += int(true)
        place[1] += 1
        place[2] += p

    probability = result.variables()["probability"]
    for child, true in enumerate(differs):
        if _name(child) in probability:  # what others determine is set aside
            count(DIFFERS_BIN, float(probability[_name(child)]), bool(true))
    linked = {frozenset((_name(x), _name(child))) for child, family in enumerate(one.parents) for x in family}
    for link in result.links().itertuples():
        for p in (link.probability_first, link.probability_second):
            count(LINK_BIN, float(p), frozenset((link.source, link.target)) in linked)
    return {words: (int(hits), int(of), expected) for words, (hits, of, expected) in counted.items()}


def _verdicts(
    first: np.ndarray,
    second: np.ndarray,
    generator: np.random.Generator,
    p_none: float = 0.5,
    places: list[int] | None = None,
) -> tuple[list[str], GroupDifferenceResult]:
    """The word of every variable, in the order of the codes, and the result; columns stand in a random order."""
    codes = np.hstack([first, second])
    order = generator.permutation(len(codes)) if places is None else np.array(places)
    labels = np.repeat([0, 1], [first.shape[1], second.shape[1]])
    arities = [int(row.max()) + 1 for row in codes[order]]
    data = Dataset.from_codes(np.vstack([codes[order], labels]), [*arities, 2], [*map(_name, order), GROUP])
    result = engine.GroupDifference(group=GROUP, p_none=p_none).run(data)
    verdicts = result.variables()["verdict"]
    return [str(verdicts.get(_name(x), "set aside")) for x in range(len(codes))], result


def _name(x: int) -> str:
    return f"v{x:02d}"


# -- all tables -------------------------------------------------------------------------------------------------------


def run(cell: Cell, number: int, seed: int, jobs: int) -> list[Share]:
    """All tables of a cell.

    Parameters
    ----------
    cell : which;  number : tables asked for;  seed : table t of a seed is the same whatever the number
    jobs : processes
    """
    many = number * cell.times
    blocks = [range(first, min(first + BLOCK, many)) for first in range(0, many, BLOCK)]
    total: dict[str, list[float]] = {}
    seconds = 0.0
    for counted, spent in execution.map(partial(_block, cell, seed), blocks, jobs=jobs):
        seconds += spent
        for quantity, values in counted.items():
            place = total.setdefault(quantity, [0, 0, 0.0])
            for k, value in enumerate(values):
                place[k] += value
    return [
        Share(cell.name, quantity, int(hits), int(of), expected, cell.held, seconds)
        for quantity, (hits, of, expected) in sorted(total.items(), key=lambda item: item[0] if "P(" in item[0] else "")
    ]


def _block(cell: Cell, seed: int, numbers: range) -> tuple[Mapping[str, list[float]], float]:
    total: dict[str, list[float]] = {}
    start = time.process_time()
    for number in numbers:
        generator = np.random.default_rng([seed, crc32(cell.name.encode()), number])
        for quantity, values in cell.measure(generator).items():
            place = total.setdefault(quantity, [0, 0, 0.0])
            for k, value in enumerate(values):
                place[k] += value
    return total, time.process_time() - start


def _held_file(folder: Path, cell: Cell, number: int, seed: int) -> Path:
    return folder / f"{crc32(cell.name.encode()):08x}-{number}-{seed}.json"


def main(arguments: list[str], cells: list[Cell], program: str, title: str) -> int:
    """Draw, print and write; 1 where a bar is missed.

    Parameters
    ----------
    arguments : of the command line;  cells : all there are;  program, title : what the page says makes it, and is about
    """
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument("--tables", type=int, default=100, help="tables of a cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--cell", default="", help="only cells whose name contains this")
    parser.add_argument("--keep", type=Path, help="folder for finished cells")
    parser.add_argument("--markdown", type=Path, help="file for the page")
    chosen = parser.parse_args(arguments)
    which = f" --cell '{chosen.cell}'" if chosen.cell else ""
    page = Page(title, f"{program} --tables {chosen.tables} --seed {chosen.seed}{which}")
    print("\n".join(page.lines()), flush=True)
    for cell in cells:
        if chosen.cell not in cell.name:
            continue
        file = None if chosen.keep is None else _held_file(chosen.keep, cell, chosen.tables, chosen.seed)
        if file is not None and file.is_file():
            found = [Share(**values) for values in json.loads(file.read_text(encoding="utf-8"))]
        else:
            found = run(cell, chosen.tables, chosen.seed, chosen.jobs)
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps([vars(one) for one in found]), encoding="utf-8")
        page.shares += found
        print("\n".join(map(row, found)), flush=True)
        if chosen.markdown is not None:
            chosen.markdown.write_text(page.markdown(), encoding="utf-8")
    print("\n".join(row(one, pooled=True) for one in pooled(page.shares)))
    verdicts = [one.verdict() for one in page.shares] + [one.verdict(pooled=True) for one in pooled(page.shares)]
    return int(MISSED in verdicts)


if __name__ == "__main__":
    command = "python -m benchmarks.calibration.group_differences"
    sys.exit(main(sys.argv[1:], cells(), command, "Group comparisons on held-out generators"))
