"""Networks from ordinal data: a sweep beside NumPy's, the start, the searches, and whole answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import engine
from engine.counting.backend import kernels
from engine.methods.ordinal.answers import read
from engine.models.latent_normal import Boxes
from engine.models.polychoric import polychoric
from engine.scores.ordinal import ExpectedGaussian
from engine.simulation.ordinal import LatentModel, full_sample, random_latent_model

ROWS = 500
SIZES = (12, 20, 30)
Drawn = tuple[LatentModel, engine.Dataset]


def drawn(variables: int, rows: int = ROWS, levels: int = 3) -> Drawn:
    """A table as the paper draws them; the same in every run."""
    generator = np.random.default_rng(variables)
    return full_sample(random_latent_model(variables, generator, levels=levels), rows, generator)


def conditionals(under: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the others and what is left, for every coordinate."""
    precision = np.linalg.inv(under)
    weights = -precision / np.diag(precision)[:, None]
    np.fill_diagonal(weights, 0.0)
    return weights, 1.0 / np.sqrt(np.diag(precision))


def by_numpy(latent: np.ndarray, low: np.ndarray, high: np.ndarray, under: np.ndarray) -> Callable[[], None]:
    """A sweep of all rows at once in NumPy and SciPy: the probe that the kernel is held to."""
    weights, spread = conditionals(under)
    generator = np.random.default_rng(0)

    def sweep() -> None:
        for i in range(len(latent)):
            mean = weights[i] @ latent
            below, upto = ndtr((low[i] - mean) / spread[i]), ndtr((high[i] - mean) / spread[i])
            share = below + generator.random(latent.shape[1]) * (upto - below)
            latent[i] = mean + spread[i] * ndtri(np.clip(share, 1e-300, 1 - 1e-16))
        np.corrcoef(latent)

    return sweep


def by_kernel(latent: np.ndarray, low: np.ndarray, high: np.ndarray, under: np.ndarray) -> Callable[[], None]:
    """The same by the engine's kernel, sums of products too."""
    weights, spread = conditionals(under)
    total = np.zeros((len(latent) + 1, len(latent)))
    return lambda: kernels().sweep_rows(latent, low, high, weights, spread, np.uint64(1), 0, 1, total)


@pytest.mark.parametrize("way", [by_kernel, by_numpy], ids=["kernel", "numpy"])
@pytest.mark.parametrize("variables", SIZES)
def test_a_sweep_of_the_e_step(benchmark: Any, variables: int, way: Callable[..., Callable[[], None]]) -> None:
    """500 rows under the true correlations; 0.40, 0.68 and 1.03 ms were NumPy's where the bar was set."""
    model, data = drawn(variables)
    low, high = Boxes.of(data.codes, data.arity.tolist()).bounds()
    sweep = way(np.clip(np.zeros(low.shape), low, high), low, high, model.correlation)
    sweep()
    benchmark.pedantic(sweep, rounds=50, iterations=5, warmup_rounds=1)


def test_the_pairwise_start_of_30_variables(benchmark: Any) -> None:
    """All 435 polychoric correlations."""
    boxes = read(drawn(30)[1]).boxes()
    benchmark.pedantic(polychoric, args=(boxes,), rounds=5, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("variables", SIZES)
def test_an_answer(benchmark: Any, variables: int) -> None:
    """`engine.Ordinal()` on 500 rows: 1, 2 and 4 seconds are allowed; the authors' program takes 34, 66 and 96."""
    _, data = drawn(variables)
    benchmark.pedantic(engine.Ordinal().run, args=(data,), rounds=2, iterations=1, warmup_rounds=1)


def test_an_answer_of_24_symptoms(benchmark: Any) -> None:
    """408 rows, as many as the paper's application has; the authors' program takes 77 seconds on that."""
    _, data = drawn(24, 408, 4)
    benchmark.pedantic(engine.Ordinal().run, args=(data,), rounds=2, iterations=1, warmup_rounds=1)


def test_an_answer_of_100_variables(benchmark: Any) -> None:
    """5,000 rows; a minute is allowed."""
    _, data = drawn(100, 5000)
    benchmark.pedantic(engine.Ordinal().run, args=(data,), rounds=1, iterations=1)


def test_pc_of_30_variables(benchmark: Any) -> None:
    """Fisher's z on the levels of 500 rows; 0.05 seconds are allowed."""
    _, data = drawn(30)
    search = engine.PC(0.05, "fisher_z")
    work = lambda: engine.learn(data, search=search)  # noqa: E731
    benchmark.pedantic(work, rounds=10, iterations=1, warmup_rounds=1)


def test_order_mcmc_of_20_variables(benchmark: Any) -> None:
    """One chain of 25,000 steps on the true correlations, and the rounds that follow; 0.5 seconds are allowed."""
    model, data = drawn(20)
    score = ExpectedGaussian(model.correlation, model.names, ROWS, 3.0)
    search = engine.OrderMCMC(steps=25_000, chains=1)
    work = lambda: engine.learn(data, score, search=search)  # noqa: E731
    benchmark.pedantic(work, rounds=3, iterations=1, warmup_rounds=1)
