"""OSEM beside the authors' rounds on the same tables: python -m benchmarks.ordinal.authors [--like-the-note]

The authors' program is R. What it does between a table and a network is written again here as plainly as it is told,
from its description, and shares with the engine only what both must have in common: thresholds, pairwise start, score
and order search. A round draws latent values from scratch (Gibbs in the coordinates that the Cholesky factor whitens,
10 sweeps left out, then every second one kept, five in all), takes their correlations, finds a network, and regresses
the draws along it with the best subset of parents by N K ln(RSS) + lambda ln(N K) a parent; from ten parents on the
subsets are those of backward elimination. The last network is the answer.

Without an option the tables are those of the study's cells (8 networks each of 12, 20 and 30 variables, 500 rows, 3
levels). With it they are drawn until their truth is like the single cases that the R program was run on: as many links,
one more or less, and a smallest eigenvalue of the true correlation within 0.005.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.papers.ordinal.draw import drawn
from benchmarks.papers.ordinal.plan import DRAWN, NEIGHBOURS, PENALTY, USUAL_LEVELS, USUAL_ROWS
from engine.data.dataset import Dataset
from engine.execution import silent
from engine.graphs.dag import Parents
from engine.graphs.pdag import Pdag, complete, to_networkx
from engine.measures.structure import patterns
from engine.methods.ordinal.answers import Answers, read
from engine.methods.ordinal.learn import class_of
from engine.methods.ordinal.method import Ordinal
from engine.methods.ordinal.structural_em import STEPS_OF_A_WALK
from engine.models.latent_normal import as_correlation, lifted
from engine.models.polychoric import polychoric
from engine.scores.ordinal import ExpectedGaussian
from engine.search.knowledge import Knowledge
from engine.search.orders.mcmc import OrderMCMC
from engine.search.problem import Problem
from engine.simulation.ordinal import LatentModel, full_sample, random_latent_model

TABLES = 8
DRAWS, LEFT_OUT, EVERY, REFINED = 5, 10, 2, 5
NOTE = {12: (24, 0.053, 5.5), 20: (46, 0.062, 13.5), 30: (46, 0.077, 9.5)}
"""Variables -> links, smallest eigenvalue and SHD of the one table that the R program was run on."""
MANY = 10

Case = tuple[LatentModel, Dataset]


def whitened_gibbs(low: np.ndarray, high: np.ndarray, under: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """(p, rows * DRAWS) latent values within their boxes, every chain begun afresh from independent draws."""
    root = np.linalg.cholesky(under)
    values = between(low, high, generator)
    white = np.linalg.solve(root, values)
    kept = []
    for sweep in range(LEFT_OUT + EVERY * DRAWS):
        for j in range(len(root)):
            below, above = np.full(values.shape[1], -np.inf), np.full(values.shape[1], np.inf)
            for i in range(j, len(root)):
                if abs(root[i, j]) > 1e-12:
                    rest = values[i] - root[i, j] * white[j]
                    ends = np.sort(np.stack([(low[i] - rest) / root[i, j], (high[i] - rest) / root[i, j]]), axis=0)
                    below, above = np.maximum(below, ends[0]), np.minimum(above, ends[1])
            new = between(below, np.maximum(above, below), generator)
            values[j:] += root[j:, j : j + 1] * (new - white[j])
            white[j] = new
        if sweep >= LEFT_OUT and (sweep - LEFT_OUT) % EVERY == EVERY - 1:
            kept.append(values.copy())
    return np.concatenate(kept, axis=1)


def between(low: np.ndarray, high: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Standard normal values between bounds, by the inverse of the lower tail."""
    turned = low > 0
    lower, upper = np.where(turned, -high, low), np.where(turned, -low, high)
    start, end = ndtr(lower), ndtr(upper)
    found = np.clip(ndtri(np.maximum(start + generator.random(low.shape) * (end - start), 1e-300)), lower, upper)
    return np.where(turned, -found, found)


def best_subsets(draws: np.ndarray, parents: Parents) -> np.ndarray:
    """(p, p) correlations that regressions along a network imply, each on the best subset of its parents."""
    p, many = draws.shape
    moments = draws @ draws.T / many
    weights, left = np.zeros((p, p)), np.diag(moments).copy()
    for child, family in enumerate(parents):
        found = []
        for subset in subsets(moments, child, family):
            chosen = list(subset)
            slopes = np.linalg.solve(moments[np.ix_(chosen, chosen)], moments[chosen, child])
            rest = moments[child, child] - slopes @ moments[chosen, child]
            found.append((many * math.log(rest) + PENALTY * math.log(many) * len(chosen), chosen, slopes, rest))
        if found:
            _, chosen, slopes, left[child] = min(found, key=lambda one: one[0])
            weights[child, chosen] = slopes
    spread = np.linalg.inv(np.eye(p) - weights)
    return as_correlation(spread @ np.diag(left) @ spread.T)


def subsets(moments: np.ndarray, child: int, family: Sequence[int]) -> Iterator[Sequence[int]]:
    """Parents that are tried together: none only where there is one, as the program has it."""
    if len(family) == 1:
        yield ()
    if len(family) < MANY:
        for size in range(1, len(family) + 1):
            yield from itertools.combinations(family, size)
        return
    rest = list(family)
    while rest:
        yield list(rest)

        def without(parent: int) -> float:
            others = [one for one in rest if one != parent]
            slopes = np.linalg.solve(moments[np.ix_(others, others)], moments[others, child])
            return float(moments[child, child] - slopes @ moments[others, child])

        rest.remove(min(rest, key=without))


def authors(answers: Answers, seed: int) -> Pdag:
    """The class of the last round's network."""
    data, boxes, generator = answers.data, answers.boxes(), np.random.default_rng(seed)
    low, high = boxes.bounds()
    under, _ = lifted(polychoric(boxes, imagined=1.0))
    for _ in range(REFINED):
        under = np.corrcoef(whitened_gibbs(low, high, under, generator))
    last = None
    for _ in range(5 if data.n_variables >= 30 else 10):
        draws = whitened_gibbs(low, high, under, generator)
        score = ExpectedGaussian(np.corrcoef(draws), data.names, data.n_rows, PENALTY)
        search = OrderMCMC(steps=STEPS_OF_A_WALK, chains=1, seed=seed)
        parents = search.find(Problem(data, score, Knowledge().constraints(data.names))).parents
        assert parents is not None
        under, found = best_subsets(draws, parents), complete(parents)
        if last is not None and (last.parents, last.neighbours) == (found.parents, found.neighbours):
            break
        last = found
    return found


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
            answers = read(table)
            found = [
                to_networkx(class_of(Ordinal(penalty=PENALTY, mode=mode), table, silent), table.names)
                for mode in ("relaxed", "published")
            ]
            found.append(to_networkx(authors(answers, number), answers.data.names))
            distances.append([patterns(one, model.graph).distance for one in found])
            print(variables, number, *distances[-1], flush=True)
        means, errors = np.mean(distances, axis=0), np.std(distances, axis=0, ddof=1) / math.sqrt(TABLES)
        told = (
            f"{name} {m:.1f} +- {e:.1f}"
            for name, m, e in zip(("OSEM", "published", "authors"), means, errors, strict=True)
        )
        print(f"{variables} variables, SHD:", ", ".join(told), flush=True)


if __name__ == "__main__":
    main()
