"""Made-up truths to try the evaluation on: a table of patients with known labels, and a network with one found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import cache

import numpy as np
import pandas as pd

from engine.data.dataset import Dataset
from engine.exchange.network_reader import NetworkRead, directed
from engine.graphs.dag import to_networkx
from engine.models.network import random_network
from engine.scores.dirichlet import BDeu
from engine.search.learn import learn
from engine.simulation.networks import random_dag

PATIENTS, VISITS, CLINICS = 60, 3, ("North", "South", "East")
VARIABLES, ARCS, ROWS, RESAMPLES = 12, 16, 400, 20
NAMES = (
    "age group", "smoking", "exercise", "weight", "blood pressure", "cholesterol",
    "diabetes", "heart disease", "cough", "fatigue", "medication", "hospital stay",
)  # fmt: skip


def example_labels() -> pd.DataFrame:
    """Visits of patients: whether the patient was ill, a new and an old score, patient and clinic; some are missing.

    The scores of a patient's visits hang together. The new score tells more than the old one, but not in every clinic.

    Examples
    --------
    >>> list(example_labels().columns)
    ['patient', 'clinic', 'diagnosis', 'new score', 'old score']
    """
    generator = np.random.default_rng(4)
    ill = generator.random(PATIENTS) < 0.35
    clinic = generator.integers(len(CLINICS), size=PATIENTS)
    own = generator.normal(size=PATIENTS)
    effect = np.array([1.6, 1.3, 0.4])[clinic]
    rows = np.repeat(np.arange(PATIENTS), VISITS)
    new = 50 + 10 * (own + effect * ill)[rows] + generator.normal(scale=5, size=len(rows))
    old = 20 - 4 * (own + 0.9 * ill)[rows] + generator.normal(scale=6, size=len(rows))
    table = pd.DataFrame(
        {
            "patient": [f"P{row + 1:02d}" for row in rows],
            "clinic": pd.Categorical([CLINICS[item] for item in clinic[rows]], categories=CLINICS),
            "diagnosis": pd.Categorical(np.where(ill, "ill", "healthy")[rows]),
            "new score": new.round(1),
            "old score": old.round(1),
        }
    )
    table.loc[generator.choice(len(rows), size=6, replace=False), "new score"] = np.nan
    table.loc[generator.choice(len(rows), size=3, replace=False), "diagnosis"] = None
    return table


@cache
def example_networks() -> tuple[NetworkRead, NetworkRead]:
    """A true network, and the links found in some of 20 resamples of data drawn from it, scored by how often.

    The direction of a link is the one that was found more often.
    """
    generator = np.random.default_rng(6)
    network = random_network(random_dag(VARIABLES, ARCS, generator), [3] * VARIABLES, generator, concentration=0.7)
    truth = directed(to_networkx(network.parents, NAMES))
    codes = network.sample_codes(ROWS, generator)
    arcs: Counter[tuple[Hashable, Hashable]] = Counter()
    for _ in range(RESAMPLES):
        drawn = codes[:, generator.integers(ROWS, size=ROWS)]
        data = Dataset.from_codes(np.ascontiguousarray(drawn), network.levels, NAMES)
        arcs.update(list(learn(data, BDeu(), search="hill_climbing").edges))
    result = directed(truth)
    result.remove_edges_from(list(result.edges))
    scores: dict[frozenset[Hashable], float] = {}
    for (a, b), count in sorted(arcs.items()):
        if (count, a) > (arcs[b, a], b):
            result.add_edge(a, b)
        scores[frozenset((a, b))] = (count + arcs[b, a]) / RESAMPLES
    return NetworkRead(truth), NetworkRead(result, scores, least=0.5)
