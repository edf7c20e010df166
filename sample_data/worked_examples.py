"""The worked examples' answers, computed beforehand: nobody's first page waits for one, and no visitor's job makes it.

`python -m sample_data.worked_examples` computes them anew; a test holds them to what a run gives today.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import engine
from engine.comparison.difference import Compare
from engine.methods.registry import METHODS
from engine.project.file import ENDING
from sample_data.catalog import CATALOG, Sample, dataset, truth

START, EXAMPLE = "start", "sepsis"
"""The start page among the pages, and its sample."""
COMPARED, GROUPS = "boredom", "language"
"""The one of the page that compares, and the column whose groups are compared."""
FOLDER = Path(__file__).parent / "tables"


def example_of(slug: str) -> Sample | None:
    """The sample whose question a method, a comparison or the start page answers; None for a method without one."""
    if slug == START:
        return CATALOG[EXAMPLE]
    if slug == Compare.slug:
        return CATALOG[COMPARED]
    return next((sample for sample in CATALOG.values() if sample.method == METHODS[slug].__name__), None)


def example_file(slug: str) -> Path:
    """Where its answer is stored."""
    return FOLDER / f"worked_example_{slug}{ENDING}"


@cache
def stored_answer(slug: str) -> Any:
    """The answer to a method's worked example, as it was computed; None for a method without one."""
    return engine.load(example_file(slug)) if example_file(slug).is_file() else None


def first_answer() -> Any:
    """The answer that the start page shows."""
    return stored_answer(START)


def computed_answer(slug: str) -> Any:
    """The same, computed here and now: as the page asks it, with what the sample says."""
    sample = example_of(slug)
    if sample is None:
        raise ValueError(f"no sample is made for {slug}")
    if slug == Compare.slug:
        parts = list(engine.by_group(dataset(sample.key), GROUPS).values())
        return engine.compare(*(engine.Ordinal().run(part) for part in parts), data=parts)
    data = dataset(sample.key)
    method = next(method for method in METHODS.values() if method.__name__ == sample.method)
    names = {field.name for field in fields(method)}  # type: ignore[arg-type]
    settings = {name: value for name, value in sample.settings.items() if name in names}
    asked = replace(method.propose(data), **settings)  # type: ignore[type-var]
    if isinstance(asked, engine.Ordinal):  # its page learns half samples beside, which decide what has a direction
        return asked.run(data).with_parts(asked.half_samples(data))
    if slug != "instance_specific":
        return asked.run(data)
    patient = truth(sample.key)["patients"][0]["instance"]
    target = sample.settings.get("target")
    return asked.run(data, {name: level for name, level in patient.items() if name != target}, target=target)


if __name__ == "__main__":
    for name in (START, *METHODS, Compare.slug):
        if example_of(name) is not None:
            engine.save(computed_answer(name), example_file(name))
