"""The tables of one patient's answer, each from the answer's own parts."""

from __future__ import annotations

import pytest

import engine
from tests.engine.methods.instance_specific.make import figure_one


def test_every_table_is_what_its_title_says() -> None:
    """Links, families, terms with their sum, prediction, the patient's values, settings."""
    data = figure_one(300)
    known = {"X0": "0", "X1": "1", "X3": "0", "X4": "1", "X5": "1"}
    method = engine.InstanceSpecific(kappa=0.5)
    result = method.run(data, known, target="X2")
    assert result.table("Links").equals(result.arc_changes)
    assert result.table("Families")["variable"].tolist() == list(data.names)
    strength = result.table("Strength")
    assert strength["variable"].tolist() == [*data.names, "(sum)"]
    assert strength["log_ratio"].iloc[-1] == pytest.approx(strength["log_ratio"].iloc[:-1].sum(), abs=1e-9)
    patient = result.table("Patient").set_index("variable")["value"].to_dict()
    assert patient == {name: known.get(name, "unknown") for name in data.names}
    assert result.prediction is not None
    assert result.table("Prediction")["instance"].tolist() == result.prediction["instance"].tolist()
    assert result.table("Prediction").iloc[:, 0].tolist() == list(data.levels["X2"])
    assert len(method.run(data, known).table("Prediction")) == 0
    settings = result.table("Settings").to_string()
    assert "kappa" in settings
    assert result.fingerprint in settings
    assert set(result.tables()) == set(result.table_titles())
    with pytest.raises(engine.SettingsError):
        result.table("Nothing")
