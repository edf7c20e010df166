"""A seeded table like a genetic study's: three-valued variants in linkage blocks, and a binary outcome."""

from __future__ import annotations

import numpy as np

ROWS, VARIANTS = 1_761, 142


def make_snv_table(seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """(143, 1761) codes, the outcome last, and the (143,) numbers of levels.

    A variant counts the copies (0, 1, 2) of its rarer allele on two haplotypes. Blocks hold 2 to 12 variants. Within a
    block each haplotype keeps on from the last variant with probability 0.6 to 0.95, else it draws by the allele's
    frequency, 0.1 to 0.5. The outcome follows five variants by a logistic curve.
    """
    rng = np.random.default_rng(seed)
    haplotypes = np.zeros((VARIANTS, 2, ROWS), dtype=bool)
    first = 0
    while first < VARIANTS:
        last = min(first + int(rng.integers(2, 13)), VARIANTS)
        for i in range(first, last):
            haplotypes[i] = rng.random((2, ROWS)) < rng.uniform(0.1, 0.5)
            if i > first:
                kept = rng.random((2, ROWS)) < rng.uniform(0.6, 0.95)
                haplotypes[i] = np.where(kept, haplotypes[i - 1], haplotypes[i])
        first = last
    variants = haplotypes.sum(axis=1, dtype=np.uint8)
    causes = rng.choice(VARIANTS, 5, replace=False)
    risk = -1.5 + rng.uniform(0.4, 0.9, 5) @ variants[causes]
    outcome = rng.random(ROWS) < 1 / (1 + np.exp(-risk))
    return np.vstack([variants, outcome[None].astype(np.uint8)]), np.array([3] * VARIANTS + [2])
