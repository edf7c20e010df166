"""Files that are drawn: tables with a sin, and projects, recipes and networks that are damaged. What each may end in is
the thing itself or a sentence of Diptych's; another exception, a dead process or more than five seconds of CPU is none.
"""

from __future__ import annotations

import json
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import Any

import numpy as np

import engine
import sample_data
from engine.data.reading.foreign import UNFORESEEN
from engine.errors import DiptychError
from engine.exchange import graph_json, graphml_dot, write_network
from engine.exchange.network_reader import read_graph, read_network, read_network_file
from engine.models.network import fitted
from tests.engine.project.made_up import CHOICES, data, opened, parts, table, zipped
from tests.hostile.generated import MAKERS
from tests.hostile.structural import changed, damaged

SEEDS = range(5600, 5610)
"""Of drawn tables, each for every kind; those of an earlier run are not drawn again."""
OF_A_SORT = 125
"""Damaged files of each sort."""
MOST_SECONDS = 5.0
"""Of CPU, children included."""
READERS: tuple[Callable[[bytes, str], Any], ...] = (
    read_graph,
    read_network,
    lambda content, _: read_network_file(content),
)
FORMATS = ("bif", "xdsl", "net", "xml", "dagitty")


def _drawn_table(kind: str, seed: int) -> None:
    name, content = MAKERS[kind](np.random.default_rng([seed, sum(kind.encode())]))
    frame = engine.read_table(content, name=name)
    engine.Dataset.from_frame(frame)


def _project(rng: np.random.Generator) -> None:
    names = sorted(parts())
    way = int(rng.integers(0, 4))
    name = names[int(rng.integers(0, len(names)))]
    if way < 2 and name.endswith(".json"):
        content = zipped({**parts(), name: json.dumps(changed(opened(name), rng)).encode()})
    elif way < 3:
        content = zipped({**parts(), name: damaged(parts()[name], rng)})
    else:
        content = damaged(zipped(parts()), rng)
    result = engine.load(content)
    if isinstance(result, engine.Project):
        for entry in result.analyses:
            entry.result.headline()


def _recipe(rng: np.random.Generator) -> None:
    recipes = [data().recipe, engine.Recipe(**CHOICES, where=[("weight", "over", 55)])]
    text = recipes[int(rng.integers(0, len(recipes)))].to_json()
    if rng.integers(0, 4):
        text = json.dumps({**changed(json.loads(text), rng), "format": json.loads(text)["format"]})
        content = text.encode()
    else:
        content = damaged(text.encode(), rng)
    recipe = engine.Recipe.load(content)
    recipe.steps()
    recipe.apply(table())


@cache
def _networks() -> dict[str, bytes]:
    rows = sample_data.dataset("two_hospitals").select(["hospital", "age", "severity", "stay"])
    graph = engine.learn(rows)
    network = fitted(rows, graph)
    written = {form: write_network(network, form).encode() for form in FORMATS}
    written["json"], written["graphml"] = graph_json.to_json(graph).encode(), graphml_dot.to_graphml(graph).encode()
    for form, content in written.items():
        assert len(read_graph(content, f"whole.{form}"))
    return written


def _network(form: str, rng: np.random.Generator) -> None:
    content = _networks()[form]
    if form == "json" and rng.integers(0, 4):
        content = json.dumps(changed(json.loads(content), rng)).encode()
    else:
        content = damaged(content, rng)
    ended = []
    for read in READERS:
        try:
            read(content, f"network.{form}")
        except DiptychError as error:
            ended.append(error)
    if len(ended) == len(READERS):
        raise ended[0]


def _spent() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _judged(call: Callable[..., None], *given: Any) -> tuple[str, float, str]:
    """How a file ended, the CPU that it took, and what was raised where that is foreign."""
    begun = _spent()
    try:
        call(*given)
        ended, about = "read", ""
    except DiptychError as error:
        ended, about = ("foreign", str(error)) if UNFORESEEN in str(error) else ("refused", "")
    except BaseException as error:
        ended, about = "foreign", f"{given}: {type(error).__name__}: {error}"
    return ended, _spent() - begun, about


def _tried(what: str, calls: list[tuple[Any, ...]]) -> Iterator[tuple[str, int, int]]:
    ends: Counter[str] = Counter()
    longest, slow = 0.0, 0
    pool = ProcessPoolExecutor(1)
    for call in calls:
        try:
            ended, seconds, about = pool.submit(_judged, *call).result()
        except BrokenProcessPool:
            ended, seconds, about = "dead", 0.0, f"{call}: dead"
            pool = ProcessPoolExecutor(1)
        ends[ended] += 1
        longest, slow = max(longest, seconds), slow + (seconds > MOST_SECONDS)
        if about or seconds > MOST_SECONDS:
            print(f"{'':10} {call[1:]} {seconds:.1f} s {about[:300]}", flush=True)
    pool.shutdown()
    print(f"{'':10} {what}: {dict(ends)}, {longest:.1f} s of CPU at most", flush=True)
    yield f"{what}: a foreign exception or a dead process", len(calls), ends["foreign"] + ends["dead"]
    yield f"{what}: more than {MOST_SECONDS:g} s of CPU", len(calls), slow


def tables() -> Iterator[tuple[str, int, int]]:
    """Two hundred drawn tables."""
    yield from _tried("drawn tables", [(_drawn_table, kind, seed) for seed in SEEDS for kind in MAKERS])


def files() -> Iterator[tuple[str, int, int]]:
    """More than a thousand damaged projects, recipes and networks, of every format that is read."""

    def draws(sort: str) -> list[np.random.Generator]:
        return [np.random.default_rng([SEEDS.start, number, sum(sort.encode())]) for number in range(OF_A_SORT)]

    yield from _tried("damaged projects", [(_project, rng) for rng in draws("project")])
    yield from _tried("damaged recipes", [(_recipe, rng) for rng in draws("recipe")])
    for form in (*FORMATS, "json", "graphml"):
        yield from _tried(f"damaged {form}", [(_network, form, rng) for rng in draws(form)])
