"""Changes that change nothing that could be noticed, each with its reason: they are not made."""

from __future__ import annotations

import re

from tests.mutants.changes import Change

BOUNDARIES: tuple[tuple[str, str], ...] = (
    (r"tolerance|GAIN|1e-\d", "whether a figure of exactly the rounding tolerance counts: no table can show it"),
    (r"time\.time\(\)", "whether an age of exactly the limit counts: no clock shows it"),
    (r"random\(", "whether a drawn number of exactly the probability counts: it is never drawn"),
)
"""Patterns of a change's words, only for the boundary of a comparison (`<` for `<=`)."""

TINY = re.compile(r"^1e-\d+ -> 2e-\d+")
"""A rounding tolerance twice as large."""

SPEED = "how much is kept or done at once: the same figures, sooner or later"
EXAMPLE = "numbers of a made-up example: others would do as well"
PROGRESS = "how far the waiting bar has come"
TASTE = "how far a picture is pressed before its letters are as large as can be: a matter of taste"
PLACES: dict[str, str] = {
    "engine/counting/__init__.py::(module)": "which of three ways counts: all three give the same counts",
    "engine/counting/numba_kernels.py::(module)": SPEED,
    "engine/counting/numba_pairs.py::(module)": SPEED,
    "engine/scores/dirichlet.py::(module)": SPEED,
    "engine/scores/instance.py::(module): 500_000": SPEED,
    "engine/methods/instance_specific/population.py::(module)": SPEED,
    "engine/methods/instance_specific/parent_choices.py::(module): 1 << 22": SPEED,
    "engine/methods/instance_specific/parent_choices.py::(module): 1 -> 2": SPEED,
    "engine/methods/instance_specific/parent_choices.py::(module): 22": SPEED,
    "engine/methods/group_difference/learn.py::learn_three: 0.": PROGRESS,
    "engine/evaluation/trials/instance_specific.py::InstanceTrial.run: 0.5": PROGRESS,
    "engine/evaluation/trials/instance_specific.py::InstanceTrial.run: 1.0": PROGRESS,
    "dashboard/session/caches.py::(module): 32": SPEED,
    "dashboard/session/comparing.py::(module): 8": SPEED,
    "dashboard/session/large_tables.py::(module)": SPEED,
    "dashboard/session/large_tables.py::_wait: 6": "how wide a button is beside its bar",
    "dashboard/session/masking.py::(module): 64": SPEED,
    "dashboard/session/private_parts.py::(module): 2.0": "how often tabs are looked after",
    "dashboard/jobs/preload.py::tiny_table": EXAMPLE,
    "engine/evaluation/examples.py::example_labels": EXAMPLE,
    "engine/evaluation/examples.py::(module)": EXAMPLE,
    "engine/simulation/associations.py::health_survey": EXAMPLE,
    "engine/project/report/networks.py::lay_out: ": TASTE,
    "engine/methods/discriminative/evaluate.py::_Run.__init__: np.zeros -> np.ones #3": "every row is written once",
    "engine/project/report/networks.py::(module): ": TASTE,
}
"""How the name of a change begins -> why no test can notice it."""

KNOWN: dict[str, str] = {
    "engine/graphs/dag.py::topological_order: len(order) < len(families) -> len(order) <= len(families)": (
        "looks for a circle where there is none"
    ),
    "engine/graphs/pdag.py::_colliders: 1 -> 2": "only skips what the loop would find to be nothing",
    "engine/scores/dirichlet.py::BoundDirichlet._lookups: self._gammas[key] = (asked, cells, rows) -> pass": SPEED,
    "engine/search/equivalence.py::Knowledge.__init__: 1 -> 2 #2": "takes the long way to the same graph",
    "engine/search/knowledge.py::Knowledge.constraints: 0 -> 1 #3": "of a table without variables",
    "engine/evaluation/baselines.py::_Problem._probabilities: linear - linear.max(axis=1, keepdims=True) -> "
    "linear + linear.max(axis=1, keepdims=True)": "a shift that is taken out again; it is there for huge numbers",
    "engine/evaluation/baselines.py::_Problem._probabilities: linear.max -> linear.min": (
        "a shift that is taken out again; it is there for huge numbers"
    ),
    "engine/measures/bootstrap.py::_weighted: totals[0] > 0 -> totals[0] >= 0": "nothing over nothing is no number",
    "engine/methods/instance_specific/parent_choices.py::OrderKept._best: 1.0 -> 2.0": "a rounding tolerance",
    "engine/methods/instance_specific/parent_choices.py::OrderKept._best: sorted -> list": "the pool is in order",
    "engine/methods/instance_specific/parent_choices.py::NodeChoice: 1 -> 2": "a default that no caller leaves",
    "engine/methods/ordinal/clusters.py::_Divided.p_values: result < 1 -> result <= 1": "a p of 1 divided is one of 1",
    "engine/methods/discriminative/structure.py::_greedy: max -> min": "a rounding tolerance",
    "engine/methods/ordinal/effects.py::_added: -c -> (c)": "only its square is used",
    "engine/project/archive.py::_opened: result.seek(0) -> pass": "the zip is looked for from its end",
    "engine/project/archive.py::_opened: 0 -> 1 #3": "of an empty zip, which is refused a line later",
    "engine/project/project.py::_with_keys: 2 -> 3": "numbers that are never reached",
    "engine/project/report/tables.py::_most_rows: 2 -> 3": "no table of single people has three columns",
    "engine/project/report/tables.py::_short: abs(value) >= 1000 -> abs(value) > 1000": "no digits either way",
    "dashboard/session/comparing.py::parts_behind: data is None or not result.group or result.group not in data "
    "... is_of(result.fingerprint) -> data is None or not result.group and result.group not in dat ... "
    "is_of(result.fingerprint)": ("the fingerprint decides alone"),
    "engine/methods/discriminative/coding.py::_cut: 0.0 -> 1.0": "stands where there is no number, whose level is set",
    "engine/methods/discriminative/evaluate.py::_Run.go: b % 20 -> b // 20": "how often progress is reported",
    "dashboard/session/arrival.py::arrive: True -> False": "that the key is there counts, not what it holds",
}
"""The name of a change -> why no test can notice it."""


def why_equivalent(change: Change) -> str | None:
    """The reason why a change is left out, None where it has to be noticed."""
    if change.name in KNOWN:
        return KNOWN[change.name]
    for start, reason in PLACES.items():
        if change.name.startswith(start):
            return reason
    if _moves_a_boundary(change.told):
        for pattern, reason in BOUNDARIES:
            if re.search(pattern, change.told):
                return reason
    return "a rounding tolerance twice as large" if TINY.match(change.told) else None


def _moves_a_boundary(told: str) -> bool:
    """Whether a change is `<` for `<=`, `>` for `>=` or the other way round, and nothing else."""
    old, _, new = told.partition(" -> ")
    return old != new and old.replace("<=", "<").replace(">=", ">") == new.replace("<=", "<").replace(">=", ">")
