"""Cards for rows that may not be independent: rows of one ward, copies, rows measured one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.data.dataset import data_set
from engine.data.preparing.deciding.decision import Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.prepare import prepared
from engine.data.rows.likeness import different_rows
from engine.data.rows.relations import CLUSTERS, COPIES, ORDER, SERIES, Relation
from engine.errors import DataError
from engine.text import Name, People, told


def row_relations(view: TableView) -> Iterator[Finding]:
    """A card for each relation that was found, and for those that were settled."""
    settled = {key for key in view.choices.settled if key.partition(":")[0] in (CLUSTERS, COPIES, ORDER)}
    result = [*_settled(view, settled), *_open(view)]
    for item in result:
        yield from _CARDS[item.kind](view, item)


def _open(view: TableView) -> tuple[Relation, ...]:
    """Relations of the rows as the choices stand; none where these make no data set."""
    try:
        recipe = replace(view.choices, columns=())
        return data_set(recipe, prepared(view.table, recipe, view.shape)).relations
    except DataError:  # preparing the table says why
        return ()


def _settled(view: TableView, keys: set[str]) -> Iterator[Relation]:
    """Relations that were settled, with figures of today and without a test."""
    for key in sorted(keys):
        kind, _, column = key.partition(":")
        if kind == CLUSTERS and column in view.now and view.now[column].n_distinct:
            yield Relation(kind, column)
        elif kind == COPIES and not column:
            yield Relation(kind)
        elif kind == ORDER and not column:
            yield Relation(kind, rows=view.n)


def _doubled(view: TableView) -> Relation:
    """The different rows and their numbers, as the columns that are used have them."""
    whole = view.complete(view.now[name] for name in view.used)
    rows = int(whole.sum())
    values = [view.now[name].codes[whole].astype(np.int64) + 1 for name in view.used]
    each = different_rows(values, rows, np.random.default_rng(0))[1]
    fewest, most = int(each.min(initial=rows)), int(each.max(initial=0))
    return Relation(COPIES, "", len(each), fewest, most, int(each[each > 1].sum()))


def _clusters(view: TableView, relation: Relation) -> Iterator[Finding]:
    name, counts = relation.column, view.now[relation.column].counts()
    each = counts[counts > 0]
    size = People(int(each.max()), "row")
    yield Finding(
        relation.kind,
        [name],
        {
            "values": People(len(each)),
            "name": Name(name),
            "size": size if each.min() == each.max() else told("{} to {}", People(int(each.min())), size),
        },
        {"together": {"roles": {name: "subject"}}, "apart": {}},
        2 * view.n,
        effects={"together": "every method keeps them together", "apart": "each row counts by itself"},
    )


def _copies(view: TableView, relation: Relation) -> Iterator[Finding]:
    relation = _doubled(view)
    few, many = People(relation.fewest), People(relation.most)
    yield Finding(
        relation.kind,
        [],
        {
            "different": People(relation.values, "different row"),
            "times": told("{} to {}", few, many) if relation.fewest < relation.most else many,
            "equal": People(relation.rows, "row", of=view.n),
        },
        {"once": {"rows": {"copies": "once"}}, "apart": {}},
        1.5 * view.n,
        effects={
            "once": "rows that are equal by chance count once too",
            "apart": "each row counts, as cases with equal answers do",
        },
    )


def _order(view: TableView, relation: Relation) -> Iterator[Finding]:
    effects = {"sorted": "each row counts by itself", SERIES: "stretches of rows count together, in every method"}
    yield Finding(relation.kind, [], {}, {"sorted": {}, SERIES: {}}, view.n, effects=effects, open=True)


_CARDS = {CLUSTERS: _clusters, COPIES: _copies, ORDER: _order}
