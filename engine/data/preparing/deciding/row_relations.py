"""Cards for rows that may not be independent: rows of one ward, copies, rows measured one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.data.preparing.deciding.decision import Change, Decision, Option
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.levels import coded
from engine.data.preparing.numbers import numbers_of
from engine.data.preparing.variables import Variable
from engine.data.rows.context import context_of, grouping_columns
from engine.data.rows.likeness import different_rows
from engine.data.rows.relations import CLUSTERS, COPIES, ORDER, SERIES, Relation, Rows, find_relations
from engine.data.rows.used import used_rows
from engine.errors import DataError
from engine.words import count


def row_relations(look: Look) -> Iterator[Decision]:
    """A card for each relation that was found, and for those that were settled."""
    settled = {key for key in look.choices.settled if key.partition(":")[0] in (CLUSTERS, COPIES, ORDER)}
    found = [*_settled(look, settled), *_open(look)]
    for one in found:
        yield from _CARDS[one.kind](look, one)


def _open(look: Look) -> tuple[Relation, ...]:
    """Relations of the rows as the choices stand, as `Dataset.relations` finds them; none where they cannot be used."""
    names = look.used
    if not names or "subject" in look.choices.roles.values():
        return ()
    try:
        variables = {name: _as_kind(look.now[name], look.kinds[name]) for name in names}
        whole = np.ones(look.n, dtype=bool)
        for name, one in variables.items():
            if look.choices.missing_for(name) != "level":
                whole &= one.codes >= 0
        used = used_rows(whole, look.now.values(), [one.codes for one in variables.values()], look.choices)
        columns = {name: coded(one, look.kinds[name], used.rows, look.choices) for name, one in variables.items()}
    except DataError:  # preparing the table says why
        return ()
    group = look.choices.with_role("group")
    context = context_of(
        grouping_columns(look.now.values(), columns.__contains__, look.choices.roles, used.flags),
        (),
        np.zeros(0, dtype=np.int64),
        None,
        rows=used.rows,
        counted=bool(used.weight),
    )

    def make() -> Rows:
        return Rows(
            names,
            np.array([one.codes[used.rows] for one in columns.values()]),
            np.array([len(one.levels) for one in columns.values()]),
            [
                numbers_of(variables[name]).rows(used.rows).places if one.kind == "continuous" else None
                for name, one in columns.items()
            ],
            columns[group].codes[used.rows] if group in columns else None,
        )

    return find_relations(make, len(used.rows), context, look.choices.settled)


def _as_kind(variable: Variable, kind: str) -> Variable:
    """The column as preparing takes it: as numbers where it is to be cut."""
    if kind != "continuous" or variable.numbers is not None:
        return variable
    return variable.as_numbers() or variable.as_days() or variable


def _settled(look: Look, keys: set[str]) -> Iterator[Relation]:
    """What was settled, with figures of today and without a test."""
    for key in sorted(keys):
        kind, _, column = key.partition(":")
        if kind == CLUSTERS and column in look.now and look.now[column].n_distinct:
            yield Relation(kind, column)
        elif kind == COPIES and not column:
            yield Relation(kind)
        elif kind == ORDER and not column:
            yield Relation(kind, rows=look.n)


def _doubled(look: Look) -> Relation:
    """How many different rows there are, as the columns that are used have them."""
    whole = np.ones(look.n, dtype=bool)
    for name in look.used:
        if look.choices.missing_for(name) != "level":
            whole &= look.now[name].codes >= 0
    rows = int(whole.sum())
    values = [look.now[name].codes[whole].astype(np.int64) + 1 for name in look.used]
    each = different_rows(values, rows, np.random.default_rng(0))[1]
    fewest, most = int(each.min(initial=rows)), int(each.max(initial=0))
    return Relation(COPIES, "", len(each), fewest, most, int(each[each > 1].sum()))


def _clusters(look: Look, one: Relation) -> Iterator[Decision]:
    name = one.column
    each = look.now[name].counts()
    each = each[each > 0]
    belong: Change = {"roles": {name: "subject"}}
    size = count(int(each.max()), "row")
    size = size if each.min() == each.max() else f"{each.min():,} to {size}"
    yield from look.ask(
        one.key,
        [name],
        f"{len(each):,} values of '{name[:40]}' have {size} each and rows with one value are alike: do they belong "
        "together?",
        "Rows that belong together tell less than as many rows that do not; counted one by one, chance looks like a "
        "difference.",
        (
            Option("together", "They belong together", "every method keeps them together", belong),
            Option("apart", "They do not", "each row counts by itself", {}),
        ),
        2 * look.n,
    )


def _copies(look: Look, one: Relation) -> Iterator[Decision]:
    one = _doubled(look)
    once: Change = {"rows": {"copies": "once"}}
    stand = f"{one.fewest:,} to {one.most:,}" if one.fewest < one.most else f"{one.most:,}"
    yield from look.ask(
        one.key,
        [],
        f"{count(one.values, 'different row')} stand {stand} times each: are they copies?",
        f"{one.rows:,} of {count(look.n, 'row')} equal another one, more than the variables give by chance.",
        (
            Option("once", "Copies: count once", "rows that are equal by chance count once too", once),
            Option("apart", "Each is a case", "each row counts, as cases with equal answers do", {}),
        ),
        1.5 * look.n,
    )


def _order(look: Look, one: Relation) -> Iterator[Decision]:
    cards = look.ask(
        one.key,
        [],
        "Rows that stand side by side are alike: is the table sorted, or was it measured one after the other?",
        "Sorting does no harm; rows of one recording tell less than as many rows that have nothing to do.",
        (
            Option("sorted", "Sorted", "each row counts by itself", {}),
            Option(SERIES, "One after the other", "stretches of rows count together, in every method", {}),
        ),
        look.n,
    )
    for card in cards:  # what is the case nobody knows before it was answered
        answered = look.choices.settled.get(card.key)
        yield replace(card, options=tuple(replace(way, now=way.key == answered) for way in card.options))


_CARDS = {CLUSTERS: _clusters, COPIES: _copies, ORDER: _order}
