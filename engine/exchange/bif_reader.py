"""The grammar of BIF files: blocks of variables and probabilities, as this and other programs write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from engine.errors import DataError
from engine.models.network import Cpt, check_size
from engine.words import short

MAX_CHARACTERS = 100_000_000
"""Largest file that is read."""

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<property>property\b[^;]*;)
    |(?P<quoted>"[^"]*")
    |(?P<mark>[{}()\[\]|,;])
    |(?P<word>[^\s{}()\[\]|,;"]+)""",
    re.VERBOSE | re.DOTALL,
)
Entry = tuple[tuple[str, ...] | str, list[float]]


@dataclass
class Blocks:
    """The content of a file, by the words it uses.

    Attributes
    ----------
    levels : variable -> its levels
    properties : variable -> property -> its words
    tables : child -> its parents and its entries: a parent configuration, "table" or "default", and numbers
    """

    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    properties: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    tables: dict[str, tuple[tuple[str, ...], list[Entry]]] = field(default_factory=dict)


class Tokens:
    """The tokens of a text one by one, with one to look ahead.

    Attributes
    ----------
    text, noun : what is read, and what the format is called in sentences
    grammar : the groups "skip", "quoted" and others; what stands between quotes may have signs behind backslashes
    kind, value : of the token that comes next; the kind is "end" behind the last one
    """

    def __init__(self, text: str, grammar: re.Pattern[str], noun: str) -> None:
        self.text, self.grammar, self.noun, self.place = text, grammar, noun, 0
        self._stream = self._read()
        self.kind, self.value = next(self._stream)

    def _read(self) -> Iterator[tuple[str, str]]:
        place = 0
        while place < len(self.text):
            match = self.grammar.match(self.text, place)
            if match is None:
                self.place = place
                self.fail("there is a quote that does not end, or a sign without a meaning")
            place = match.end()
            if match.lastgroup != "skip":
                self.place = match.start()
                yield str(match.lastgroup), match[0]
        self.place = len(self.text)
        while True:
            yield "end", ""

    def take(self) -> str:
        value = self.value[1:-1] if self.kind == "quoted" else self.value
        if self.kind == "quoted" and self.grammar is not _TOKEN:
            value = re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)
        self.kind, self.value = next(self._stream)
        return value

    def word(self, noun: str = "a name or a value") -> str:
        if self.kind not in ("word", "quoted"):
            self.fail(f"{noun} should stand here")
        return self.take()

    def expect(self, *wanted: str) -> None:
        for item in wanted:
            if not self.at(item):
                self.fail(f"'{item}' should stand here")
            self.take()

    def at(self, *values: str) -> bool:
        return self.kind != "quoted" and self.value in values

    def listed(self, end: str, noun: str) -> list[str]:
        """Words up to a mark, with or without commas between them; the mark is taken too."""
        result = []
        while not self.at(end):
            result.append(self.word(noun))
            if self.at(","):
                self.take()
        self.take()
        return result

    def fail(self, why: str) -> NoReturn:
        line = self.text.count("\n", 0, self.place) + 1
        raise DataError(f"This {self.noun} file cannot be read at line {line}: {why}.", row=line)


def read_blocks(text: str) -> Blocks:
    """All blocks of a file; `DataError` with the line where it is no BIF."""
    if len(text) > MAX_CHARACTERS:
        raise DataError(f"The file has {len(text):,} characters; up to {MAX_CHARACTERS:,} are read.")
    tokens, blocks = Tokens(text, _TOKEN, "BIF"), Blocks()
    while tokens.kind != "end":
        if tokens.at("network"):
            _pass_over(tokens)
        elif tokens.at("variable"):
            _variable(tokens, blocks)
        elif tokens.at("probability"):
            _probability(tokens, blocks)
        else:
            tokens.fail("a block called network, variable or probability should begin here")
    if not blocks.levels:
        tokens.fail("it has no variables")
    return blocks


def _pass_over(tokens: Tokens) -> None:
    while not tokens.at("{") and tokens.kind != "end":
        tokens.take()
    while not tokens.at("}") and tokens.kind != "end":
        tokens.take()
    tokens.expect("}")


def _variable(tokens: Tokens, blocks: Blocks) -> None:
    tokens.take()
    name = tokens.word("the name of a variable")
    if name in blocks.levels:
        tokens.fail("this variable was described before")
    properties: dict[str, list[str]] = {}
    levels: list[str] = []
    tokens.expect("{")
    while not tokens.at("}"):
        if tokens.kind == "property":
            words = tokens.take()[len("property") : -1].split()
            if words:
                properties[words[0]] = words[1:]
            continue
        tokens.expect("type", "discrete", "[")
        count = tokens.word("the number of levels")
        tokens.expect("]", "{")
        levels = tokens.listed("}", "a level")
        tokens.expect(";")
        if str(len(levels)) != count or len(set(levels)) != len(levels):
            tokens.fail("the levels before this place repeat, or are not as many as the file says")
    if not levels:
        tokens.fail("this variable has no levels")
    tokens.take()
    blocks.levels[name] = tuple(levels)
    blocks.properties[name] = properties


def _probability(tokens: Tokens, blocks: Blocks) -> None:
    tokens.take()
    tokens.expect("(")
    child, parents = tokens.word("the name of a variable"), []
    if tokens.at("|") or tokens.at(","):
        tokens.take()
        parents = tokens.listed(")", "the name of a parent")
    else:
        tokens.expect(")")
    if child in blocks.tables:
        tokens.fail("this variable had its probabilities before")
    if child in parents or len(set(parents)) != len(parents):
        tokens.fail("a variable stands twice in the head of this block")
    for name in (child, *parents):
        if name not in blocks.levels:
            tokens.fail(f"{short(name, 60)!r} is not one of the variables described above")
    tokens.expect("{")
    entries: list[Entry] = []
    while not tokens.at("}"):
        entries.append(_entry(tokens)) if tokens.kind != "property" else tokens.take()
    tokens.take()
    blocks.tables[child] = tuple(parents), entries


def _entry(tokens: Tokens) -> Entry:
    key: tuple[str, ...] | str
    if tokens.at("("):
        tokens.take()
        key = tuple(tokens.listed(")", "a level"))
    elif tokens.at("table") or tokens.at("default"):
        key = tokens.take()
    else:
        tokens.fail("'table', 'default' or a parent configuration in parentheses should stand here")
    numbers = []
    for word in tokens.listed(";", "a number"):
        try:
            numbers.append(float(word))
        except ValueError:
            tokens.fail(f"{short(word, 60)!r} before this place is not a number")
    return key, numbers


def assemble(
    child: str,
    parents: Sequence[str],
    levels: Mapping[str, Sequence[str]],
    entries: Sequence[tuple[tuple[str, ...] | str, list[float]]],
) -> Cpt:
    """A table out of what a file lists.

    `entries` are pairs of a parent configuration (or "table" for all at once, "default" for the rest) and
    numbers; a whole table runs through the child's levels slowest and the last parent's fastest, as the
    format has it.
    """
    size = len(levels[child])
    shape = tuple(len(levels[name]) for name in parents)
    check_size(child, (*shape, size))
    table = np.full((*shape, size), np.nan)
    for key, numbers in sorted(entries, key=lambda entry: entry[0] != "default"):
        wanted = table.size if key == "table" else size
        if len(numbers) != wanted:
            raise DataError(f"The table of {short(child, 60)!r} lists {len(numbers)} numbers where {wanted} belong.")
        if key == "table":
            table = np.moveaxis(np.array(numbers).reshape(size, *shape), 0, -1)
        elif key == "default":
            table[...] = numbers
        else:
            table[_configuration(child, parents, levels, key)] = numbers
    return checked_table(child, parents, table)


def checked_table(child: str, parents: Sequence[str], table: np.ndarray) -> Cpt:
    """A table as a file has it, the child's axis last; `DataError` where it is none of probabilities."""
    if np.isnan(table).any():
        raise DataError(f"The table of {short(child, 60)!r} lacks some configurations of its parents; list them all.")
    if (table < 0).any() or (np.abs(table.sum(axis=-1) - 1) > 0.01).any():
        raise DataError(
            f"In the table of {short(child, 60)!r} some probabilities are negative or do not add up to one."
        )
    return Cpt(child, tuple(parents), np.ascontiguousarray(table))


def _configuration(
    child: str, parents: Sequence[str], levels: Mapping[str, Sequence[str]], key: Sequence[str]
) -> tuple[int, ...]:
    if len(key) != len(parents):
        raise DataError(
            f"A line of the table of {short(child, 60)!r} names {len(key)} levels for {len(parents)} parents."
        )
    for parent, level in zip(parents, key, strict=True):
        if level not in levels[parent]:
            raise DataError(
                f"The table of {short(child, 60)!r} names the level {short(level, 60)!r}, which "
                f"{short(parent, 60)!r} does not have."
            )
    return tuple(levels[parent].index(level) for parent, level in zip(parents, key, strict=True))
