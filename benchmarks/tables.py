"""The seeded tables that everything is timed on: random networks of known size, and rows drawn from them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import engine

MOST_PARENTS = 3


@dataclass(frozen=True)
class Size:
    """How large a table is: rows, variables, arcs of the true network, and the range of numbers of levels."""

    rows: int
    variables: int
    arcs: int
    levels: tuple[int, int]


SIZES = {
    "a": Size(20_000, 37, 46, (2, 4)),
    "b": Size(1_000, 50, 100, (2, 3)),
    "c": Size(1_761, 143, 160, (3, 3)),
    "d": Size(100_000, 12, 20, (2, 4)),
    "e": Size(1_000_000, 100, 150, (2, 4)),
    "f": Size(100_000, 100, 150, (2, 4)),  # the first rows of e
}
SEED = 1


@dataclass(frozen=True)
class Network:
    """A network to draw rows from.

    Attributes
    ----------
    arity : (p,) number of levels
    parents : per variable the positions of its parents, all below its own
    tables : per variable the (q, r) probabilities of its levels by parent configuration
    """

    arity: np.ndarray
    parents: list[list[int]]
    tables: list[np.ndarray]


def make_table(size: str) -> tuple[np.ndarray, np.ndarray]:
    """The (p, n) codes of one of the sizes above and the (p,) numbers of levels."""
    if size == "f":
        codes, arity = make_table("e")
        return np.ascontiguousarray(codes[:, : SIZES["f"].rows]), arity
    rng = np.random.default_rng(SEED)
    network = random_network(SIZES[size], rng)
    return draw(network, SIZES[size].rows, rng), network.arity


def random_network(size: Size, rng: np.random.Generator) -> Network:
    """A random DAG of at most three parents a variable, with distributions of `random_tables`."""
    low, high = size.levels
    arity = rng.integers(low, high + 1, size=size.variables)
    pairs = [(x, child) for child in range(size.variables) for x in range(child)]
    parents: list[list[int]] = [[] for _ in range(size.variables)]
    left = size.arcs
    for place in rng.permutation(len(pairs)):
        x, child = pairs[place]
        if left and len(parents[child]) < MOST_PARENTS:
            parents[child].append(x)
            left -= 1
    return Network(arity, parents, [random_table(arity, parents, child, rng) for child in range(size.variables)])


def random_table(arity: np.ndarray, parents: list[list[int]], child: int, rng: np.random.Generator) -> np.ndarray:
    """(q, r) probabilities: Dirichlet(0.5) mixed with 4 % uniform."""
    q = int(np.prod(arity[parents[child]], dtype=int))
    return np.asarray(rng.dirichlet(np.full(arity[child], 0.5), size=q) * 0.96 + 0.04 / arity[child])


def draw(network: Network, rows: int, rng: np.random.Generator) -> np.ndarray:
    """(p, n) uint8 codes drawn from a network, parents first."""
    codes = np.zeros((len(network.arity), rows), dtype=np.uint8)
    for child, group in enumerate(network.parents):
        code = np.zeros(rows, dtype=np.intp)
        for x in group:
            code = code * network.arity[x] + codes[x]
        uniform = rng.random(rows)
        # the level is how many of the cumulative probabilities (the last one is 1) a uniform number passes
        for edge in network.tables[child].cumsum(axis=1)[:, :-1].T:
            codes[child] += uniform > edge[code]
    return codes


def names(variables: int) -> list[str]:
    """Names whose alphabetical order is the column order, so that ties fall as in libraries that go by column."""
    return [f"v{i:03d}" for i in range(variables)]


def dataset(codes: np.ndarray, arity: np.ndarray) -> engine.Dataset:
    """A new data set: nothing counted yet."""
    return engine.Dataset.from_codes(codes, [int(levels) for levels in arity], names(len(arity)))


def two_groups(variables: int, rows: int) -> engine.Dataset:
    """`rows` rows for each of two groups whose networks differ in the distributions of every fifth variable.

    The last column, `arm`, is the group.
    """
    rng = np.random.default_rng(SEED)
    first = random_network(Size(rows, variables, round(1.5 * variables), (2, 3)), rng)
    changed = [
        random_table(first.arity, first.parents, child, rng) if child % 5 == 0 else table
        for child, table in enumerate(first.tables)
    ]
    codes = np.hstack([draw(first, rows, rng), draw(replace(first, tables=changed), rows, rng)])
    arm = np.repeat(np.arange(2, dtype=np.uint8), rows)
    return engine.Dataset.from_codes(
        np.vstack([codes, arm[None, :]]),
        [*(int(levels) for levels in first.arity), ["a", "b"]],
        [*names(variables), "arm"],
    )


SNV_ROWS, VARIANTS = 1_761, 142


def make_snv_table(seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """A table like a genetic study's: (143, 1761) codes, the outcome last, and the (143,) numbers of levels.

    A variant counts the copies (0, 1, 2) of its rarer allele on two haplotypes. Blocks hold 2 to 12 variants. Within a
    block each haplotype keeps on from the last variant with probability 0.6 to 0.95, else it draws by the allele's
    frequency, 0.1 to 0.5. The outcome follows five variants by a logistic curve.
    """
    rng = np.random.default_rng(seed)
    haplotypes = np.zeros((VARIANTS, 2, SNV_ROWS), dtype=bool)
    first = 0
    while first < VARIANTS:
        last = min(first + int(rng.integers(2, 13)), VARIANTS)
        for i in range(first, last):
            haplotypes[i] = rng.random((2, SNV_ROWS)) < rng.uniform(0.1, 0.5)
            if i > first:
                kept = rng.random((2, SNV_ROWS)) < rng.uniform(0.6, 0.95)
                haplotypes[i] = np.where(kept, haplotypes[i - 1], haplotypes[i])
        first = last
    variants = haplotypes.sum(axis=1, dtype=np.uint8)
    causes = rng.choice(VARIANTS, 5, replace=False)
    risk = -1.5 + rng.uniform(0.4, 0.9, 5) @ variants[causes]
    outcome = rng.random(SNV_ROWS) < 1 / (1 + np.exp(-risk))
    return np.vstack([variants, outcome[None].astype(np.uint8)]), np.array([3] * VARIANTS + [2])
