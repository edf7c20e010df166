"""Small networks to practise on: two of textbooks, with their published tables, and two of our sample tables.

Sources: rain and sprinkler of Russell and Norvig (1995), Artificial Intelligence, chapter 15; chest clinic of Lauritzen
and Spiegelhalter (1988), J. R. Statist. Soc. B 50, 157 to 224.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from engine.graphs.dag import to_networkx
from engine.models.network import Network, fitted
from sample_data.catalog import dataset, truth

YES = ("no", "yes")


@dataclass(frozen=True)
class WorkshopNetwork:
    """A network to practise on.

    Attributes
    ----------
    title, about : for the list and for the line above the sentence
    make : builds it
    evidence, x, y : what is known at first, and the two variables that are looked at
    """

    title: str
    about: str
    make: Callable[[], Network]
    x: str
    y: str
    evidence: Mapping[str, str] = field(default_factory=dict)


def _binary(tables: Mapping[str, tuple[tuple[str, ...], tuple[float, ...]]]) -> Network:
    """Yes and no for all: name -> its parents, and P(yes) for each of their configurations, "no" first."""
    names = tuple(tables)
    return Network(
        names,
        (YES,) * len(names),
        tuple(tuple(names.index(parent) for parent in parents) for parents, _ in tables.values()),
        tuple(np.array([[1 - p, p] for p in yes]) for _, yes in tables.values()),
    )


def _sprinkler() -> Network:
    return _binary(
        {
            "Cloudy": ((), (0.5,)),
            "Sprinkler": (("Cloudy",), (0.5, 0.1)),
            "Rain": (("Cloudy",), (0.2, 0.8)),
            "Wet grass": (("Sprinkler", "Rain"), (0.0, 0.9, 0.9, 0.99)),
        }
    )


def _chest_clinic() -> Network:
    return _binary(
        {
            "Visit to Asia": ((), (0.01,)),
            "Smoker": ((), (0.5,)),
            "Tuberculosis": (("Visit to Asia",), (0.01, 0.05)),
            "Lung cancer": (("Smoker",), (0.01, 0.1)),
            "Bronchitis": (("Smoker",), (0.3, 0.6)),
            "Either of two": (("Tuberculosis", "Lung cancer"), (0.0, 1.0, 1.0, 1.0)),
            "X-ray": (("Either of two",), (0.05, 0.98)),
            "Dyspnoea": (("Bronchitis", "Either of two"), (0.1, 0.7, 0.8, 0.9)),
        }
    )


COUGH = {
    "smoking": "Smokes",
    "asthma": "Asthma",
    "cough": "Cough",
    "wheeze": "Wheeze",
    "heart_failure": "Heart failure",
    "phlegm": "Phlegm",
    "breathless": "Breathless",
}
"""Columns of the table that are drawn, and what they are called."""


def _from_table(key: str, names: Mapping[str, str] | None = None) -> Network:
    """The arrows that made a sample table, with tables from its rows."""
    data = dataset(key)
    shown = dict(names or {name: name.replace("_", " ").capitalize() for name in _drawn(key)})
    part = data.select(list(shown))
    parents = tuple(
        tuple(i for i, source in enumerate(shown) if [source, target] in truth(key)["arcs"]) for target in shown
    )
    network = fitted(part, to_networkx(parents, tuple(shown)))
    return Network(tuple(shown.values()), network.levels, network.parents, network.tables)


def _drawn(key: str) -> list[str]:
    """The columns that an arrow touches, in the order of the table."""
    arcs = truth(key)["arcs"]
    return [name for name in dataset(key).names if any(name in arc for arc in arcs)]


WORKSHOP_NETWORKS: dict[str, WorkshopNetwork] = {
    "cough": WorkshopNetwork(
        "Cough and smoking",
        "Cough and smoking (probabilities estimated from 2,000 invented adults)",
        partial(_from_table, "cough_and_smoke", COUGH),
        "Asthma",
        "Smokes",
        {"Wheeze": "yes"},
    ),
    "sprinkler": WorkshopNetwork(
        "Rain and sprinkler", "Rain and sprinkler (textbook)", _sprinkler, "Sprinkler", "Rain", {"Cloudy": "yes"}
    ),
    "chest": WorkshopNetwork(
        "Chest clinic", "Chest clinic (Lauritzen and Spiegelhalter 1988)", _chest_clinic, "Tuberculosis", "Lung cancer"
    ),
    "hospital": WorkshopNetwork(
        "Two hospitals",
        "Two hospitals (probabilities estimated from 1,200 patients)",
        partial(_from_table, "two_hospitals"),
        "Age",
        "Stay",
    ),
}
"""Key -> network, in the order of the page's list; the first is shown first."""
