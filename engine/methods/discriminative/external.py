"""External validation: a second table classified by the networks that were learned from the whole first one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.dataset import Dataset, Recipe, as_dataset
from engine.data.preparing.derived import sources
from engine.data.preparing.variables import column_names
from engine.data.store import remote_refusal
from engine.errors import DataError
from engine.methods.discriminative.classification import Classification
from engine.methods.discriminative.coding import coded
from engine.methods.discriminative.evidence import DiscriminativeEvidence
from engine.methods.discriminative.families import Pushes, pushes_of
from engine.telling.discriminative import wording
from engine.text import Name, Number, People, Share, Text, first, told
from engine.words import distinct, short

if TYPE_CHECKING:
    import pandas as pd

AT_AN_END, USUAL = 0.95, 0.6
"""Share of a number's values in its lowest or highest interval from which other units are suspected, and the share of
those learned from that must lie below."""
FEWEST_VALUES = 20
SAME_TABLE = "This is the table that the networks were learned from, so these figures are too good; use new rows."


@dataclass(frozen=True, eq=False)
class ExternalValidation(Classification):
    """The classification of a second table.

    Attributes
    ----------
    learned_from : the held-out verdicts on the first table
    notes : what was left out of the second table or does not fit the first, a sentence each
    """

    learned_from: Classification
    notes: tuple[str, ...]

    def headline(self) -> str:
        """The accuracy on the second table, beside that of the held-out points of the first."""
        return wording.external_headline(self, self.learned_from)

    def sentences(self) -> list[str]:
        """Sensitivity, specificity and area, and what was left out or does not fit."""
        return [wording.class_sentence(self), *self.notes]


def validated(result: DiscriminativeEvidence, data: Dataset | pd.DataFrame) -> ExternalValidation:
    """See `DiscriminativeResult.test`."""
    words: list[str] = []
    if isinstance(data, Dataset) and not data.in_memory:
        raise remote_refusal(data.store, "result.test(data)")
    if type(data).__name__ == "DataFrame":
        data, words = as_first(result, data, classes=True)
    data = as_dataset(data, "result.test(data)")
    target = result.method.target
    if target not in data:
        raise _no_classes(target)
    pushes = pushes_of(result, data)
    points = pushes.points
    inside = points.labels >= 0
    sizes = np.bincount(points.labels[inside], minlength=len(result.classes))
    _check_sizes(sizes, result, points.noun)
    words += _left_out(int((~inside).sum()), points.noun)
    words += [*points.words, *_common(result, data, points.ids), *_other_units(result, pushes)]
    return ExternalValidation(
        method=result.method,
        classes=result.classes,
        ids=tuple(name for name, keep in zip(points.ids, inside, strict=True) if keep),
        labels=points.labels[inside],
        noun=points.noun,
        positions=points.positions[inside],
        observations=points.lengths[inside],
        units=points.units[inside],
        scores=pushes.scores[None, inside],
        learned_from=result.held_out,
        notes=tuple(words),
    )


def _check_sizes(sizes: np.ndarray, result: DiscriminativeEvidence, noun: str) -> None:
    """Refuse a table without one of the classes."""
    if not sizes.all():
        name, target = result.classes[int(sizes.argmin())], result.method.target
        raise DataError(
            f"The second table has no {noun} of class '{short(name, 40)}' in '{short(target, 50)}'; a test needs "
            f"them all.",
            column=target,
        )


def _left_out(lost: int, noun: str) -> list[str]:
    """The number of points with none of the classes, as sentences."""
    were = "is" if lost == 1 else "are"
    return [told("{} without one of the classes {} left out.", People(lost, noun), were)] if lost else []


def _no_classes(target: str) -> DataError:
    return DataError(
        f"The second table has no column '{short(target, 60)}', which says the classes; without it nothing can be "
        f"tested.",
        column=target,
    )


def as_first(result: DiscriminativeEvidence, table: pd.DataFrame, *, classes: bool) -> tuple[Dataset, list[str]]:
    """A table coded by the first one's recipe, of the columns that the networks ask of; and what did not fit.

    `classes` says whether the class of every row has to be known.
    """
    if not result.made.recipe:
        raise DataError(
            "The first table came as codes, so no recipe says how another is coded; give an engine.Dataset."
        )
    recipe = Recipe.from_dict(result.made.recipe)
    names, wanted = set(column_names(table)), set(result.asks_of())
    if not classes:
        wanted -= {result.method.target}
        recipe = replace(recipe, roles={name: role for name, role in recipe.roles.items() if name in wanted | names})
    needed = ("subject", "time") if result.series else ()
    roles = {name: role for name, role in recipe.roles.items() if name in names or role in needed}
    if "subject" not in roles.values():  # a time without a subject orders nothing
        roles = {name: role for name, role in roles.items() if role != "time"}
    made = _derived(recipe.derive, wanted)
    columns = tuple(column for column in recipe.columns if column.name in wanted)
    recipe = replace(recipe, columns=columns, roles=roles, derive=made)
    absent = [name for name in recipe.needed_columns() if name not in names]
    if result.method.target in absent:
        raise _no_classes(result.method.target)
    if absent:
        raise DataError(
            f"The second table has no column '{short(absent[0], 60)}', which the networks use; add it.",
            column=absent[0],
        )
    data = recipe.apply(table)
    report = data.report
    if report is None or (report.rows_kept == report.rows_read and not report.problems):
        return data, []
    return data, [report.rows_sentence(), *report.problems]


def _derived(derive: Any, wanted: set[str]) -> dict[str, Any]:
    """The new columns that are asked for, and those that they are made of."""
    kept: dict[str, Any] = {}
    for name in reversed(list(derive)):
        if name in wanted or any(name in sources(way) for way in kept.values()):
            kept[name] = derive[name]
    return dict(reversed(kept.items()))


def _common(result: DiscriminativeEvidence, data: Dataset, ids: tuple[str, ...]) -> Iterator[Text]:
    """The rows or subjects that both tables share."""
    if data.is_of(result.fingerprint):
        yield told(SAME_TABLE)
    elif result.series and (both := sorted(set(ids).intersection(result.held_out.ids))):
        named = first((told("'{}'", Name(name)) for name in distinct(both, 40)), most=3)
        template = "{} of both tables ({}): where they are the same, these figures are too good."
        yield told(template, People(len(both), "subject"), named)


def _other_units(result: DiscriminativeEvidence, pushes: Pushes) -> Iterator[Text]:
    """Numbers that nearly all lie beyond the outermost cut point, which those learned from did not."""
    slices, _ = coded(pushes.points, result.coding)
    network = result.learned[0].own
    for i, name in enumerate(pushes.points.names):
        if not result.cut[i] or result.coding.way != "quantiles":
            continue
        levels = int(result.coding.arity[i] - result.coding.absent[i])
        here = np.bincount(slices.after[i], minlength=levels)[:levels]
        before = network.counts[i].sum(axis=(0, 1))[:levels]
        if levels < 2 or here.sum() < FEWEST_VALUES:
            continue
        for end, side in ((0, "below"), (levels - 1, "above")):
            if here[end] / here.sum() >= AT_AN_END and before[end] / before.sum() < USUAL:
                cut = Number(f"{result.coding.cuts[i][0 if end == 0 else -1]:.4g}")
                shares = Share(here[end], here.sum()), Share(before[end], before.sum())
                where = Name(short(name, 60)), side, cut
                template = "{} of '{}' lie {} {}, in the first table {}: are the units the same?"
                yield told(template, shares[0], *where, shares[1])
