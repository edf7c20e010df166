"""One answer of every kind that there is, each computed once for all tests."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

import engine
import sample_data
from engine.methods.registry import METHODS
from engine.methods.result import Result

SAMPLES = {
    "group_difference": "two_hospitals",
    "instance_specific": "cough_and_smoke",
    "log_linear": "health_survey",
    "discriminative": "screening",
    "ordinal": "symptoms",
}
KINDS = (
    *SAMPLES,
    "cohort",
    "patient with a target",
    "patient by values",
    "ordinal with strength",
    "one hot",
    "numbers",
    "patient with numbers",
    "comparison",
    "gap",
)


@cache
def table(kind: str) -> engine.Dataset:
    """The table that an answer was made of."""
    if kind in SAMPLES:
        return sample_data.dataset(SAMPLES[kind])
    if kind == "one hot":
        return one_hot()
    if kind.endswith("numbers"):
        return numbers()
    if kind in ("comparison", "gap"):
        return sample_data.dataset("two_hospitals")
    return sample_data.dataset("symptoms" if kind.startswith("ordinal") else "cough_and_smoke")


@cache
def answer(kind: str) -> Result:
    """The answer of a method to its sample table, or a further kind of it."""
    data = table(kind)
    if kind == "discriminative":  # its shuffles say nothing that matters here
        return engine.Discriminative(target="relapse", shuffles=0).run(data)
    if kind == "one hot":
        return engine.LogLinear().run(data)
    if kind == "numbers":  # with links that come from the cut
        return engine.LogLinear(criterion="chi2").run(data)
    if kind == "comparison":
        parts = list(engine.by_group(data, "hospital").values())
        return engine.compare(*(engine.LogLinear().run(part) for part in parts), data=parts)
    if kind == "gap":
        compared = engine.GroupDifference(group="hospital").run(data)
        compared.explain_gap("complication", draws=100)
        return compared
    if kind in SAMPLES:
        method = METHODS[kind].propose(data)
        return method.run(data, *method.first_asked(data))
    method = engine.InstanceSpecific()
    if kind == "patient with numbers":
        return method.run(data, 0)
    if kind == "cohort":
        return method.run_cohort(data, list(range(30)))
    if kind == "patient with a target":
        return method.run(data, 3, target="cough")
    if kind == "patient by values":
        return method.run(data, {"smoking": "no", "age": "under 50"})
    ordinal, scales = engine.Ordinal(bootstrap=3, draws=200), dict.fromkeys(data.names[:6], "a") | {data.names[6]: "b"}
    result = ordinal.run(data).with_parts(ordinal.half_samples(data, runs=3))
    result = result.with_parts(ordinal.partial_network(data, scales)).with_parts(ordinal.inclusion(data))
    return result.with_parts(ordinal.case_dropping(data, scales, runs=2))


@cache
def one_hot() -> engine.Dataset:
    """Three columns of which one row says yes to one, and two by themselves: links that the table's making ties."""
    made = np.random.default_rng(7)
    ward = made.integers(0, 3, 400)
    columns = {f"ward_{name}": np.where(ward == i, "yes", "no") for i, name in enumerate("abc")}
    columns |= {name: made.choice(["yes", "no"], 400) for name in ("fever", "cough")}
    return engine.Dataset.from_frame(pd.DataFrame(columns))


@cache
def numbers() -> engine.Dataset:
    """Three numbers, two of which follow the first, and two columns of words."""
    made = np.random.default_rng(8)
    first = made.normal(size=3000)
    columns = {"lactate": 2 + first.round(2), "pulse (1/min)": 80 + (9 * (2 * first + made.normal(size=3000))).round(1)}
    columns["weight (kg)"] = 75 + (9 * (2 * first + made.normal(size=3000))).round(1)
    words = {"ill": np.where(first + made.normal(size=3000) > 0, "yes", "no"), "sex": made.choice(["f", "m"], 3000)}
    return engine.Dataset.from_frame(pd.DataFrame(columns | words))


RARE, GROUP = "<b>rare</b> & level", "arm"


@cache
def small() -> engine.Dataset:
    """120 rows of two groups with a level that three rows have, under names that would be markup."""
    made = np.random.default_rng(4)
    arm = np.repeat(["new", "old"], 60)
    ill = np.where(made.random(120) < np.where(arm == "new", 0.2, 0.6), "yes", "no").astype(object)
    kind = np.where(made.random(120) < 0.5, "a", "b").astype(object)
    kind[[3, 70, 71]] = RARE
    columns = {GROUP: arm, "<script>alert('ill')</script>": ill, "kind": kind, "sex": made.choice(["f", "m"], 120)}
    return engine.Dataset.from_frame(pd.DataFrame(columns))
