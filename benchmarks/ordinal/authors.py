"""OSEM's two modes on the same tables: python -m benchmarks.ordinal.authors [--like-the-note]

The authors' program is R; mode "published" is its rounds (`engine.methods.ordinal.published`).

Without an option the tables are those of the study's cells (8 networks each of 12, 20 and 30 variables, 500 rows, 3
levels). With it they are drawn until their truth is like the single cases that the R program was run on: as many links,
one more or less, and a smallest eigenvalue of the true correlation within 0.005.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator

import numpy as np

from benchmarks.papers.ordinal.draw import drawn
from benchmarks.papers.ordinal.plan import DRAWN, NEIGHBOURS, PENALTY, USUAL_LEVELS, USUAL_ROWS
from engine.data.dataset import Dataset
from engine.execution import silent
from engine.graphs.pdag import to_networkx
from engine.measures.structure import patterns
from engine.methods.ordinal.learn import class_of
from engine.methods.ordinal.method import Ordinal
from engine.simulation.ordinal import LatentModel, full_sample, random_latent_model

TABLES = 8
NOTE = {12: (24, 0.053, 5.5), 20: (46, 0.062, 13.5), 30: (46, 0.077, 9.5)}
"""Variables -> links, smallest eigenvalue and SHD of the one table that the R program was run on."""

Case = tuple[LatentModel, Dataset]


def like_the_note(variables: int) -> Iterator[Case]:
    """Tables whose truth is like the one that the R program was run on."""
    links, eigenvalue, _ = NOTE[variables]
    for seed in itertools.count():
        generator = np.random.default_rng([variables, seed])
        model = random_latent_model(variables, generator, NEIGHBOURS, USUAL_LEVELS)
        apart = np.linalg.eigvalsh(model.correlation)[0] - eigenvalue
        if abs(model.graph.number_of_edges() - links) <= 1 and abs(apart) <= 0.005:
            yield full_sample(model, USUAL_ROWS, generator)


def main() -> None:
    """A line a table, and a line of means and standard errors a size."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--like-the-note", action="store_true")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(NOTE))
    chosen = parser.parse_args()
    for variables in chosen.sizes:
        study = (drawn((DRAWN, variables, USUAL_ROWS, USUAL_LEVELS), run, 0) for run in range(TABLES))
        cases = itertools.islice(like_the_note(variables), TABLES) if chosen.like_the_note else study
        distances = []
        for number, (model, table) in enumerate(cases):
            found = [
                to_networkx(class_of(Ordinal(penalty=PENALTY, mode=mode), table, silent), table.names)
                for mode in ("relaxed", "published")
            ]
            distances.append([patterns(one, model.graph).distance for one in found])
            print(variables, number, *distances[-1], flush=True)
        means, errors = np.mean(distances, axis=0), np.std(distances, axis=0, ddof=1) / math.sqrt(TABLES)
        told = (f"{name} {m:.1f} +- {e:.1f}" for name, m, e in zip(("OSEM", "published"), means, errors, strict=True))
        print(f"{variables} variables, SHD:", ", ".join(told), flush=True)


if __name__ == "__main__":
    main()
