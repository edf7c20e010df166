"""A thousand drawn changes of projects, of recipes and of networks: an object or a sentence, never anything else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import engine
import sample_data
from engine.errors import DiptychError
from engine.exchange import bif, graph_json, graphml_dot
from engine.exchange.network_reader import read_graph, read_network
from tests.engine.project.made_up import CHOICES, data, opened, parts, table, zipped
from tests.hostile.structural import changed, damaged

TRIED, AT_ONCE, MOST_SECONDS = 1_000, 50, 60.0
"""Changes of each sort, and of one test; seconds that one of them may take."""
GROUPS = range(TRIED // AT_ONCE)


def drawn(sort: str, group: int) -> Iterator[np.random.Generator]:
    for number in range(AT_ONCE):
        yield np.random.default_rng([group, number, sum(sort.encode())])


def foreseen(call: Callable[[], Any]) -> Any:
    """What comes of it; None where a sentence says why nothing does."""
    begun = time.monotonic()
    result = None
    try:
        result = call()
    except DiptychError as error:
        assert str(error).endswith((".", "?")) and len(str(error)) < 1_000
    assert time.monotonic() - begun < MOST_SECONDS
    return result


@pytest.mark.parametrize("group", GROUPS)
def test_projects(group: int) -> None:
    """A part with another structure, or bytes changed: of the part, or of the file."""
    names = sorted(parts())
    written = [name for name in names if name.endswith(".json")]
    for rng in drawn("project", group):
        way = int(rng.integers(0, 4))
        if way < 2:
            name = written[int(rng.integers(0, len(written)))]
            content = zipped({**parts(), name: json.dumps(changed(opened(name), rng)).encode()})
        elif way == 2:
            name = names[int(rng.integers(0, len(names)))]
            content = zipped({**parts(), name: damaged(parts()[name], rng)})
        else:
            content = damaged(zipped(parts()), rng)
        result = foreseen(lambda content=content: engine.load(content))
        if isinstance(result, engine.Project):
            for entry in result.analyses:
                foreseen(entry.result.headline)


@pytest.mark.parametrize("group", GROUPS)
def test_recipes(group: int) -> None:
    """What is read codes a table, or says why not."""
    recipes = [
        data().recipe,
        engine.Recipe(**CHOICES, where=[("weight", "over", 55)], derive={"heavy": ("cut", "weight", [60])}),
        engine.Recipe(roles={"hospital": "group"}, merge={"mixed": {"one": "1"}}, missing_tokens={"weight": ["50"]}),
    ]
    for rng in drawn("recipe", group):
        text = recipes[int(rng.integers(0, len(recipes)))].to_json()
        if rng.integers(0, 4):
            text = json.dumps({**changed(json.loads(text), rng), "format": json.loads(text)["format"]})
            content = text.encode()
        else:
            content = damaged(text.encode(), rng)
        recipe = foreseen(lambda content=content: engine.Recipe.load(content))
        if recipe is not None:
            foreseen(lambda recipe=recipe: recipe.apply(table()))
            foreseen(lambda recipe=recipe: recipe.steps())
            foreseen(lambda recipe=recipe: engine.Recipe.load(recipe.to_json().encode()))


@pytest.mark.parametrize("group", GROUPS)
def test_networks(group: int) -> None:
    """Of every format that is written, by structure where it is JSON, else by bytes."""
    rows = sample_data.dataset("two_hospitals").select(["hospital", "age", "severity", "stay"])
    graph = engine.learn(rows)
    written = {
        "network.json": graph_json.to_json(graph).encode(),
        "network.bif": bif.to_bif(graph, rows).encode(),
        "network.graphml": graphml_dot.to_graphml(graph).encode(),
        "network.csv": b"source,target,weight\nage,severity,1.5\nhospital,age,\n" * 3,
    }
    for rng in drawn("network", group):
        name = sorted(written)[int(rng.integers(0, len(written)))]
        content = written[name]
        if name.endswith(".json") and rng.integers(0, 4):
            content = json.dumps(changed(json.loads(content), rng)).encode()
        else:
            content = damaged(content, rng)
        foreseen(lambda content=content, name=name: read_graph(content, name))
        foreseen(lambda content=content, name=name: read_network(content, name))
