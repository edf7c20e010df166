"""Has anything become slower? Times as ratios to a fixed yardstick, against those that were stored.

    python -m benchmarks.gate            # compare; exit 1 where something lost 15 % or more
    python -m benchmarks.gate --store    # keep what was measured as the new standard of this kind of processor
    python -m benchmarks.gate --only a   # those whose name holds a text

The yardstick is another program's work, pyAgrum's hill climbing on table a (learning alone), timed again beside every
item, so a busy or a slower machine moves both. Ratios are kept by kind of processor, since kernels differ with it. CPU
seconds of one thread; the least of several rounds. What seems slower is measured again before it is called so.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import engine
from benchmarks.tables import dataset, make_table, names
from engine.execution import using

STORED = Path(__file__).parent / "gate.json"
MOST_LOST = 0.15
"""Share of its speed that an item may lose."""
ROUNDS, SECONDS, TRIES = 7, 0.4, 3
"""Rounds and seconds of an item at least, and how often what seems slower is measured."""


class Item(NamedTuple):
    """One thing that is timed: `prepare` makes what `work` takes, outside the timing."""

    prepare: Callable[[], Any]
    work: Callable[[Any], Any]


@lru_cache(maxsize=2)
def _codes(size: str) -> tuple[np.ndarray, np.ndarray]:
    return make_table(size)


def _fresh(size: str) -> Callable[[], engine.Dataset]:
    """A data set with nothing counted, each time it is asked for."""
    return lambda: dataset(*_codes(size))


def _learn(size: str, score: Any, search: str) -> Item:
    return Item(_fresh(size), lambda data: engine.learn(data, score, search=search))


def _associations(rows: int) -> Item:
    from engine.simulation.associations import many_variables

    @lru_cache(maxsize=1)
    def drawn() -> tuple[Any, np.ndarray]:
        rng = np.random.default_rng(1)
        model = many_variables("ternary", rng)
        return model, model.sample_codes(rows, rng)

    def prepare() -> engine.Dataset:
        model, codes = drawn()
        return engine.Dataset.from_codes(codes, [int(arity) for arity in model.arities], model.names)

    return Item(prepare, lambda data: engine.LogLinear().run(data))


def _groups(variables: int, rows: int, method: engine.GroupDifference) -> Item:
    from benchmarks.tables import two_groups

    return Item(lru_cache(maxsize=1)(lambda: two_groups(variables, rows)), method.run)


def _ratings() -> Item:
    @lru_cache(maxsize=1)
    def prepare() -> engine.Dataset:
        rng = np.random.default_rng(3)
        hidden = rng.standard_normal((12, 500))
        hidden[1:] += 0.6 * hidden[:-1]
        codes = np.stack([np.digitize(one, [-0.8, 0.2, 1.0]) for one in hidden])
        kinds = dict.fromkeys(names(12), "ordinal")
        return engine.Dataset.from_codes(codes, [4] * 12, names(12), kinds=kinds)

    return Item(prepare, lambda data: engine.Ordinal(seed=1).run(data))


def items() -> dict[str, Item]:
    """Everything that is timed, by name."""
    found = {}
    for size in "abcd":
        found[f"hill climbing, BDeu, table {size}"] = _learn(size, engine.BDeu(1.0), "hill_climbing")
        found[f"thick thinning, K2, table {size}"] = _learn(size, engine.K2(), "thick_thinning")
    found["GES, BDeu, table b"] = _learn("b", engine.BDeu(1.0), "ges")
    found["associations, 150 x 10^5"] = _associations(100_000)
    single = engine.GroupDifference(group="arm", average="none", score=engine.K2())
    found["two groups, 50 x 1,000 each"] = _groups(50, 1_000, single)
    found["two groups averaged, 18 x 178 each"] = _groups(18, 178, engine.GroupDifference(group="arm"))
    found["ratings, 12 x 500"] = _ratings()
    return found


def _yardstick() -> Item:
    import pyagrum as gum

    data = dataset(*_codes("a"))
    frame = data.to_frame()
    template = gum.BayesNet()
    for name in frame.columns:
        template.add(gum.LabelizedVariable(name, name, list(data.levels[name])))

    def prepare() -> Any:
        learner = gum.BNLearner(frame, template)
        learner.setNumberOfThreads(1)
        learner.useScoreBDeu()
        learner.useGreedyHillClimbing()
        return learner

    return Item(prepare, lambda learner: learner.learnDAG())


def _least(item: Item, rounds: int = ROUNDS, seconds: float = SECONDS) -> float:
    """The least CPU seconds of one round."""
    found: list[float] = []
    while len(found) < rounds or (sum(found) < seconds and len(found) < 50 * rounds):
        ready = item.prepare()
        start = time.process_time()
        item.work(ready)
        found.append(time.process_time() - start)
    return min(found)


def measured(item: Item, yardstick: Item) -> float:
    """CPU seconds of an item in those of the yardstick, which is timed before and after it."""
    item.work(item.prepare())  # kernels compiled and loaded
    before = _least(yardstick, 2, 0.0)
    own = _least(item)
    return own / min(before, _least(yardstick, 2, 0.0))


def processor() -> str:
    """The kind of processor, as far as counting goes: which vector instructions it has."""
    import llvmlite.binding

    features = llvmlite.binding.get_host_cpu_features()
    known = ("avx512vpopcntdq", "avx512f", "avx2", "neon")
    return next((name for name in known if features.get(name)), "plain")


def main() -> int:
    """Measure, compare, say; 1 where something has become slower."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--store", action="store_true", help="keep the ratios as the new standard")
    parser.add_argument("--only", default="", help="items whose name holds this text")
    given = parser.parse_args()
    everything: dict[str, dict[str, float]] = json.loads(STORED.read_text()) if STORED.exists() else {}
    standard = everything.setdefault(processor(), {})
    yardstick, slower = _yardstick(), []
    print(f"processor: {processor()}; ratios to pyAgrum's hill climbing on table a\n")
    with using(1):
        for name, item in items().items():
            if given.only not in name:
                continue
            ratio = measured(item, yardstick)
            most = standard.get(name, np.inf) * (1 + MOST_LOST)
            for _ in range(TRIES - 1):
                if ratio > most and not given.store:
                    ratio = min(ratio, measured(item, yardstick))
            words = "new" if name not in standard else f"{ratio / standard[name] - 1:+.0%}"
            print(f"{name:<34} {ratio:8.4f}   stored {standard.get(name, np.nan):8.4f}   {words}", flush=True)
            if ratio > most:
                slower.append(name)
            if given.store:
                standard[name] = round(ratio, 5)
    if given.store:
        STORED.write_text(json.dumps(everything, indent=1, sort_keys=True) + "\n")
    if slower:
        print(f"\nSlower by {MOST_LOST:.0%} or more: {'; '.join(slower)}.")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
