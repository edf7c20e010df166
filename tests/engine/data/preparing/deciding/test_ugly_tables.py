"""Tables as they are found become the right data set in at most six presses, made in Python as a page would."""

from __future__ import annotations

from functools import cache

import pytest

import engine
from engine.data.preparing.deciding.decision import Decision
from engine.data.preparing.proposals import propose
from engine.data.preparing.roles import propose_group, propose_roles, propose_weight
from tests.ugly_tables import UGLY, Ugly

MOST_PRESSES = 6


@cache
def ugly(name: str) -> Ugly:
    """The table, made once."""
    return UGLY[name]()


def card(cards: tuple[Decision, ...], kind: str, column: str) -> Decision:
    """The card of a kind that is about a column."""
    found = [one for one in cards if one.kind == kind and column in one.columns]
    assert len(found) == 1, f"{kind} of {column}: {[one.key for one in cards]}"
    return found[0]


@pytest.mark.parametrize("name", UGLY)
def test_a_few_presses_make_the_right_data_set(name: str) -> None:
    """Variables, kinds, levels, rows and codes are those of the table as it should be."""
    case = ugly(name)
    assert len(case.presses) <= MOST_PRESSES
    recipe = engine.Recipe(roles=case.roles)
    for (kind, column), option in case.presses.items():
        pressed = card(engine.decisions(case.table, recipe), kind, column)
        recipe = engine.Recipe(**engine.settle(recipe, pressed, pressed.option(option)))
        again = next(one for one in engine.decisions(case.table, recipe) if one.key == pressed.key)
        assert again.option(option).now
        assert again.sentence == pressed.sentence
    found, right = recipe.apply(case.table), case.right()
    assert found.names == right.names
    assert dict(found.kinds) == dict(right.kinds)
    assert dict(found.levels) == dict(right.levels)
    assert found.origin.tolist() == right.origin.tolist()
    assert (found.codes == right.codes).all()
    assert {one.name: one.missing for one in found.report.columns if one.name in found.names} == {
        one.name: one.missing for one in right.report.columns if one.name in right.names
    }
    left = [one.key for one in engine.decisions(case.table, recipe) if one.key not in recipe.settled]
    assert len(recipe.settled) == len(case.presses)
    assert len(left) + len(case.presses) <= MOST_PRESSES, left


@pytest.mark.parametrize("name", UGLY)
def test_groups_weights_and_subjects_are_found_by_name(name: str) -> None:
    """What is proposed for the roles of these tables."""
    case = ugly(name)
    found = propose_group({one.column: one.levels for one in propose(case.table) if one.kind != "ignore"})
    if case.group is not None:
        assert found is not None
        assert found[0] == case.group
    weight = next((column for column, role in case.roles.items() if role == "identifier"), None)
    assert propose_weight(case.table) == weight
    assert propose_roles(case.table) == {column: role for column, role in case.roles.items() if column != weight}
