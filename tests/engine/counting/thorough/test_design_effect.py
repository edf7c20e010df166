"""The design effect of pairs, against sums over rows written out."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.counting.design_effect import design_effect


def written_out(codes: np.ndarray, arity: list[int], clusters: np.ndarray) -> float:
    many, found = len(set(clusters.tolist())), []
    for i, j in itertools.combinations(range(len(codes)), 2):
        if len(set(codes[i])) < 2 or len(set(codes[j])) < 2:
            continue
        x, y = (np.eye(arity[k])[codes[k]] for k in (i, j))
        e = np.einsum("na,nb->nab", x - x.mean(axis=0), y - y.mean(axis=0))
        e -= e.mean(axis=0)
        if (e**2).sum() < 1e-9:
            continue
        sums = np.array([e[clusters == c].sum(axis=0) for c in range(many)])
        found.append((sums**2).sum() / (e**2).sum())
    return max(1.0, float(np.mean(found)) * many / (many - 1)) if found and many > 1 else 1.0


@given(st.integers(0, 999), st.integers(1, 4), st.integers(1, 6))
def test_it_is_the_ratio_of_sums_over_clusters_and_rows(seed: int, variables: int, many: int) -> None:
    generator = np.random.default_rng(seed)
    arity = generator.integers(1, 4, variables).tolist()
    clusters = np.sort(np.concatenate([np.arange(many), generator.integers(0, many, 20)]))
    codes = np.array([generator.integers(0, r, len(clusters)) for r in arity], dtype=np.uint8)
    order = generator.permutation(len(clusters))
    expected = written_out(codes, arity, clusters)
    assert design_effect(codes[:, order], np.array(arity), clusters[order]) == pytest.approx(expected, rel=1e-9)


def test_copies_count_once_and_rows_by_themselves_in_full() -> None:
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 3, (4, 400)).astype(np.uint8)
    arity = np.full(4, 3)
    alone = design_effect(codes, arity, np.arange(400))
    assert alone == pytest.approx(1.0, abs=0.01)
    tripled = np.repeat(codes, 3, axis=1)
    assert design_effect(tripled, arity, np.repeat(np.arange(400), 3)) == pytest.approx(3 * alone, rel=1e-9)
    assert design_effect(codes, arity, np.zeros(400, dtype=np.int64)) == 1.0
