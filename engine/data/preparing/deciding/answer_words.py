"""Columns that answer with the same few words, of which nobody but the user knows whether they are steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.data.preparing.deciding.decision import Change, Finding, Option
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.proposals import names_codes, suspicious
from engine.data.preparing.strengths import are_ranked, likely_order
from engine.data.reading.naming import shown_value
from engine.data.reading.scales import anchor, are_words, known_order
from engine.text import Count, joined

ANSWER_WORDS = "answer-words"
_FEWEST_COLUMNS = 3
_FEWEST, _MOST = 3, 11
"""Different words of columns that a card may be about."""
_STEPS = "Steps keep their order; names have none."
_BY_ALPHABET = "They stand in the order of the alphabet: put them in order before they become steps."


def answer_words(view: TableView) -> Iterator[Finding]:
    """One card for all columns that share a vocabulary of no known scale."""
    for columns in _vocabularies(view):
        answers = {name: _answers(view, name) for name in columns}
        words = list(dict.fromkeys(word for own in answers.values() for word in own))
        chosen = max((view.choices.levels.get(name, ()) for name in columns), key=len)
        by_hand = set(chosen) == set(words)
        order = list(chosen) if by_hand else likely_order(words)
        by_alphabet = not by_hand and not are_ranked(words)
        steps: Change = {
            "kinds": dict.fromkeys(columns, "ordinal"),
            "levels": {name: [word for word in order if word in own] for name, own in answers.items()},
        }
        yield Finding(
            ANSWER_WORDS,
            columns,
            {
                "columns": Count(len(columns), "column"),
                "words": Count(len(words)),
                "order": _BY_ALPHABET if by_alphabet else _STEPS,
            },
            {"steps": steps, "names": {}},
            view.n * len(columns) / 2,
            effects={
                "steps": joined((shown_value(word, 30) for word in order), " < "),
                "names": "the words have no order",
            },
            chosen=all(name in view.choices.kinds or name in view.choices.levels for name in columns),
        )


def _vocabularies(view: TableView) -> list[list[str]]:
    """The columns of each vocabulary; one that lacks a word belongs to the first that has all of its words."""
    settled = [columns for columns in view.settled_columns(ANSWER_WORDS) if columns]
    decided = {name for columns in settled for name in columns}
    answers = {name: set(_answers(view, name)) for name in view.now if name not in decided and _is_open(view, name)}
    groups: list[tuple[set[str], list[str]]] = []
    for name, words in sorted(answers.items(), key=lambda item: -len(item[1])):
        different = len(set(map(anchor, words)))  # "Yes" and "yes" are one
        own = next((columns for group, columns in groups if words <= group), None)
        if own is not None and different > 1:
            own.append(name)
        elif _FEWEST <= different <= _MOST:
            groups.append((words, [name]))
    place = list(view.now).index
    return settled + [sorted(columns, key=place) for _, columns in groups if len(columns) >= _FEWEST_COLUMNS]


def _answers(view: TableView, name: str) -> Sequence[str]:
    """The words of a column that a row has."""
    variable = view.now[name]
    missing = () if name in view.answered("missing-code") else suspicious(variable)  # whether these are words is asked
    rows = zip(variable.words or (), variable.counts(), strict=False)
    return [word for word, n in rows if n and word not in missing]


def _is_open(view: TableView, name: str) -> bool:
    """True where a column holds words without an order that nobody has decided."""
    variable, proposal = view.now[name], view.proposals[name]
    return (
        variable.sort == "words"
        and proposal.kind == "nominal"
        and view.kinds[name] == "nominal"
        and name not in view.labelled
        and name not in view.choices.roles
        and not names_codes(name)
        and are_words(_answers(view, name))
        and not known_order(_answers(view, name))[1]
    )


def in_order(option: Option, order: Sequence[str]) -> Option:
    """The option with its words in another order, from least to most."""
    levels = {name: [word for word in order if word in own] for name, own in option.change["levels"].items()}
    return replace(option, change={**option.change, "levels": levels})
