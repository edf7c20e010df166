"""Write the stored examples: `python -m tests.engine.project.stored.make`, again where the format changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import engine
import sample_data
from engine.methods.result import Result
from engine.project.file import describe_contents, to_bytes
from tests.golden.sha256 import fingerprint_sha256

HERE = Path(__file__).parent


def choices_only() -> engine.Project:
    """Two samples, five methods, no table."""
    hospitals, symptoms = (sample_data.dataset(name) for name in ("two_hospitals", "symptoms"))
    answers: list[Result] = [
        engine.LogLinear().run(hospitals),
        engine.GroupDifference(group="hospital").run(hospitals),
        engine.InstanceSpecific().run(hospitals, 3, target="severity"),
        engine.InstanceSpecific().run_cohort(hospitals, range(0, 1200, 2)),
        engine.Discriminative("hospital", shuffles=9).run(hospitals),
        engine.Ordinal(draws=20).run(symptoms),
    ]
    kept = [engine.SavedResult(one, title=f"Analysis {place}", key=f"k{place}") for place, one in enumerate(answers)]
    return engine.Project(hospitals.recipe, kept, notes="two samples", source="two_hospitals.csv")


def averaged() -> Result:
    """A comparison averaged over orders, with the families that another prior is worked out from."""
    data = sample_data.dataset("two_hospitals")
    return engine.GroupDifference(group="hospital").run(
        data.select(["hospital", "severity", "admission", "early_antibiotics", "age"])
    )


def with_table() -> engine.Project:
    """The first rows of a sample with numbers, cut into intervals, and one analysis."""
    table = sample_data.load("screening").head(200)
    numbers = [name for name in table.columns if table[name].dtype.kind == "f"][:1]
    choices = {"kinds": dict.fromkeys(numbers, "continuous"), "bins": dict.fromkeys(numbers, 2)}
    data = engine.Recipe(**choices).apply(table)
    layout = {name: (float(place), 1.0) for place, name in enumerate(data.names)}
    kept = [engine.SavedResult(engine.LogLinear(criterion="bic").run(data), starred=True, seconds=1.5)]
    screen = {"page": "log_linear"}
    return engine.Project(data.recipe, kept, [layout], "a table", table, "screening.csv", screen, choices)


def contents(found: Result | engine.Project) -> dict[str, Any]:
    """What must be told of a file by every later version: facts, since words may change."""
    if isinstance(found, Result):
        edges = found.edges()[["network", "source", "target", "mark"]].to_numpy().tolist()
        return {"method": found.slug, "edges": edges, "verdicts": found.claims()["verdict"].tolist()}
    data = found.data()
    return {
        "notes": found.notes,
        "source": found.source,
        "fingerprint": None if data is None else fingerprint_sha256(data),  # as the first versions told it
        "analyses": {one.key: contents(one.result) for one in found.analyses},
        "says of its rows": describe_contents(found)[1].split(",")[0],
    }


def main() -> None:
    """Write the examples, and what they hold."""
    for name, found in (("choices", choices_only()), ("table", with_table()), ("averaged", averaged())):
        path = HERE / f"{name}.diptych"
        path.write_bytes(to_bytes(found))
        path.with_suffix(".json").write_text(json.dumps(contents(found), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
