"""From an ugly file to a ROC curve, with every default as it is proposed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.roles import propose_roles
from tests.engine.methods.discriminative.make import row_frame, series_frame


def ugly_long() -> bytes:
    """Rows in no order, an extra id column, steps that are missing, numbers with gaps, 14 subjects of two classes."""
    frame = series_frame(subjects=21, steps=60, numbers=True)
    frame = frame[frame["who"].map(lambda name: int(name[1:]) % 2 == 0 or int(name[1:]) < 9)]
    rng = np.random.default_rng(0)
    frame = frame.drop(index=rng.choice(frame.index, 25, replace=False))
    for name in ("v0", "v2"):
        frame.loc[rng.choice(frame.index, 30, replace=False), name] = np.nan
    frame = frame.rename(columns={"who": "Patient ID", "time": "Visit (day)", "class": "Diagnosis"})
    frame = frame.sample(frac=1, random_state=1)
    frame.insert(0, "record_id", np.arange(len(frame)) + 10_000)
    return frame.to_csv(index=False, na_rep="n/a").encode()


def ugly_wide() -> bytes:
    """One row a person, an id, gaps, a third of them ill; semicolons."""
    frame = row_frame(240)
    rng = np.random.default_rng(0)
    frame["v4"] = rng.normal(50, 10, len(frame)).round(1)
    frame = frame.rename(columns={"class": "Diagnosis"})
    for name in ("v1", "v4"):
        frame.loc[rng.choice(frame.index, 12, replace=False), name] = None
    frame.insert(0, "patient_id", [f"P{i:04d}" for i in rng.permutation(len(frame))])
    return frame.to_csv(index=False, sep=";").encode()


@pytest.mark.parametrize("name", ["long", "wide"])
def test_an_ugly_file_leads_to_a_curve_by_defaults_alone(name: str) -> None:
    """Roles, kinds and the class column as proposed; no id is a variable; the ill are told from the well."""
    content = {"long": ugly_long, "wide": ugly_wide}[name]()
    table = engine.read_table(content, name=f"{name}.csv")
    roles = propose_roles(table)
    expected = {"Patient ID": "subject", "Visit (day)": "time", "Diagnosis": "outcome"}
    assert roles == (expected if name == "long" else {})
    data = engine.Dataset.from_frame(table, roles=roles)
    assert not {"record_id", "patient_id", "Patient ID", "Visit (day)"} & set(data.names)
    method = engine.Discriminative.propose(data)
    assert method.target == "Diagnosis"
    result = engine.Discriminative(method.target, shuffles=19).run(data)
    held = result.held_out
    assert result.series == (name == "long")
    assert held.n == (15 if name == "long" else len(data))
    assert held.unequal
    curve = held.roc("ill")
    assert curve.cases == held.sizes[held.classes.index("ill")]
    assert held.auc("ill").value > 0.75
    if name == "long":
        assert any("inside the series" in note for note in result.notes())
    assert pd.notna(held.p)
