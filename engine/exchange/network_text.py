"""NET, the files of Hugin, and the text of DAGitty: networks in texts of their own grammars.

NET: The Hugin API Reference Manual, chapter "The NET language"; its y runs upwards. DAGitty: its grammar of graphs
(Textor et al. 2016), which is near to DOT; it has arrows, roles and places, but no levels and no probabilities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NoReturn

import numpy as np

from engine.errors import DataError
from engine.exchange.network_file import (
    MOST_VARIABLES,
    FileVariable,
    NetworkFile,
    Point,
    build,
    checked_point,
    plain_variables,
)
from engine.models.drawing import draw_tables
from engine.models.network import Network

_NET = re.compile(
    r"""(?P<skip>\s+|%[^\n]*)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>[{}()=;|])|(?P<word>[^\s{}()=;|"%]+)""",
    re.VERBOSE | re.DOTALL,
)
_DAGITTY = re.compile(
    r"""(?P<skip>[\s;,]+)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark><->|@->|<-@|@-@|@--|--@|->|<-|--|[{}\[\]=])
    |(?P<word>-?[\w.]+)""",
    re.VERBOSE | re.DOTALL,
)
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_.]*", re.ASCII)
_CHANCE = ("node", "discrete")
DRAWN = "The file has arrows only: levels are no and yes, and probabilities were drawn."
HIDDEN = "Each two-headed arrow became a variable without a name, which points at both ends."
_ENDS = ("exposure", "outcome")
MOST_PARENTS, MOST_ARROWS = 15, 200_000
"""Parents of a variable of a DAGitty text, whose tables are drawn, and arrows of one."""


class _Tokens:
    """The words and marks of a text one by one, with one to look ahead."""

    def __init__(self, text: str, grammar: re.Pattern[str], noun: str) -> None:
        self.text, self.noun, self.place = text, noun, 0
        self._stream = self._read(grammar)
        self.kind, self.value = next(self._stream)

    def _read(self, grammar: re.Pattern[str]) -> Iterator[tuple[str, str]]:
        place = 0
        while place < len(self.text):
            match = grammar.match(self.text, place)
            if match is None:
                self.place = place
                self.fail("there is a quote that does not end, or a sign that has no meaning")
            place, self.place = match.end(), match.start()
            if match.lastgroup == "quoted":
                yield "quoted", re.sub(r"\\(.)", r"\1", match[0][1:-1], flags=re.DOTALL)
            elif match.lastgroup != "skip":
                yield str(match.lastgroup), match[0]
        while True:
            yield "end", ""

    def take(self) -> str:
        value = self.value
        self.kind, self.value = next(self._stream)
        return value

    def at(self, *marks: str) -> bool:
        return self.kind == "mark" and self.value in marks

    def word(self) -> str:
        if self.kind not in ("word", "quoted"):
            self.fail("a name or a value should stand here")
        return self.take()

    def expect(self, mark: str) -> None:
        if not self.at(mark):
            self.fail(f"'{mark}' should stand here")
        self.take()

    def fail(self, why: str) -> NoReturn:
        line = self.text.count("\n", 0, self.place) + 1
        raise DataError(f"This {self.noun} file cannot be read at line {line}: {why}.", row=line)


# -- Hugin ---------------------------------------------------------------------------------------------------------


def from_net(text: str) -> NetworkFile:
    """The network of a NET file; discrete nodes with whole tables."""
    tokens = _Tokens(text, _NET, "NET")
    variables: dict[str, FileVariable] = {}
    defined: set[str] = set()
    while tokens.kind != "end":
        head = [tokens.word()]
        if head[0] == "class":
            tokens.fail("a class of networks begins here; save the network without classes")
        if head[0] == "potential":
            _potential(tokens, variables, defined)
            continue
        while not tokens.at("{"):
            head.append(tokens.word())
        about = _attributes(tokens)
        if head[0] == "net":
            continue
        if head[0] not in _CHANCE or head[-2:-1] != ["node"]:
            tokens.fail(f"a block '{' '.join(head)[:40]}' stands before this place; only discrete nodes are read")
        if head[-1] in variables:
            tokens.fail(f"the node {head[-1][:60]!r} was described before")
        place = [_number(value) for value in about.get("position", [])]
        point = checked_point(place[0], -place[1]) if len(place) == 2 else None  # upwards there, downwards here
        label = " ".join(about.get("label", []))
        words = {key: " ".join(value) for key, value in about.items()}
        variables[head[-1]] = FileVariable(tuple(about.get("states", [])), label=label, properties=words, point=point)
    return build(variables)


def _potential(tokens: _Tokens, variables: Mapping[str, FileVariable], defined: set[str]) -> None:
    """One table; more than one child has none in this program."""
    tokens.expect("(")
    sides: list[list[str]] = [[]]
    while not tokens.at(")"):
        if tokens.at("|"):
            tokens.take()
            sides.append([])
        else:
            sides[-1].append(tokens.word())
    tokens.take()
    about = _attributes(tokens)
    if len(sides) > 2 or len(sides[0]) != 1 or sides[0][0] not in variables or sides[0][0] in defined:
        tokens.fail("the table before this place is for no node, for several, or for one that has a table already")
    child = sides[0][0]
    defined.add(child)
    if "data" not in about:
        tokens.fail(f"the table of {child[:60]!r} has no data; a formula is not read")
    one = variables[child]
    one.parents = tuple(sides[1]) if len(sides) == 2 else ()
    one.numbers = [_number(word) for word in about["data"]]


def _attributes(tokens: _Tokens) -> dict[str, list[str]]:
    """The attributes between two braces: name -> words of the value, parentheses left out."""
    tokens.expect("{")
    result: dict[str, list[str]] = {}
    while not tokens.at("}"):
        name = tokens.word()
        tokens.expect("=")
        value: list[str] = []
        while not tokens.at(";"):
            if tokens.at("(", ")"):
                tokens.take()
            else:
                value.append(tokens.word())
        tokens.take()
        result[name] = value
    tokens.take()
    return result


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise DataError(f"{word[:60]!r} stands where a number belongs.") from None


def to_net(network: Network, positions: Mapping[str, Point] | None = None) -> str:
    """A NET file: words of letters and digits, true names as labels, places in pixels."""
    plain = plain_variables(network, positions)
    parts = ["net\n{\n  node_size = (120 50);\n}\n"]
    for one in plain:
        lines = [f"  label = {_quoted(one.name)};", f"  states = ({' '.join(map(_quoted, one.levels))});"]
        if one.point is not None:
            lines.append(f"  position = ({one.point[0]:.0f} {-one.point[1]:.0f});")
        lines += [f"  {key} = {_quoted(text)};" for key, text in one.properties.items()]
        parts.append("\n".join([f"node {one.word}", "{", *lines, "}\n"]))
    for one in plain:
        head = f"{one.word} | {' '.join(one.parents)}" if one.parents else one.word
        table = _nested(one.table.reshape(*one.shape, -1))
        parts.append(f"potential ({head})\n{{\n  data = {table};\n}}\n")
    return "\n".join(parts)


def _quoted(text: str) -> str:
    """A text between quotes, on one line."""
    return '"' + re.sub(r'(["\\])', r"\\\1", re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]+", " ", text)) + '"'


def _nested(table: np.ndarray) -> str:
    if table.ndim == 1:
        return f"({' '.join(repr(float(p)) for p in table)})"
    return f"({' '.join(map(_nested, table))})"


# -- DAGitty -------------------------------------------------------------------------------------------------------


def from_dagitty(text: str) -> NetworkFile:
    """The network of a DAGitty text, with probabilities that are drawn, since the text has none."""
    tokens = _Tokens(text, _DAGITTY, "DAGitty")
    if (kind := tokens.word().lower()) != "dag":
        tokens.fail(f"it is a '{kind[:20]}', and only a 'dag' is read")
    if not tokens.at("{"):
        tokens.word()
    points: dict[str, Point | None] = {}
    roles: dict[str, str] = {}
    arrows: list[tuple[str, str, str]] = []
    _statements(tokens, points, roles, arrows)
    if tokens.kind != "end":
        tokens.fail("something stands behind the end of the graph")
    pairs = list(dict.fromkeys((b, a) if mark == "<-" else (a, b) for a, mark, b in arrows if mark != "<->"))
    two_headed = dict.fromkeys(tuple(sorted((a, b))) for a, mark, b in arrows if mark == "<->")
    if len(points) + len(two_headed) > MOST_VARIABLES:
        raise DataError(f"The network has more than {MOST_VARIABLES:,} variables.")
    for a, b in two_headed:
        hidden = next(name for k in range(1, len(points) + 2) if (name := f"U{k}") not in points)
        points[hidden] = None
        pairs += [(hidden, a), (hidden, b)]
    families: dict[str, list[str]] = {name: [] for name in points}
    for a, b in pairs:
        families[b].append(a)
    variables = {}
    for name, family in families.items():
        if len(family) > MOST_PARENTS:
            raise DataError(f"{name[:60]!r} has {len(family)} parents; up to {MOST_PARENTS} are read.")
        even = [0.5] * 2 ** (len(family) + 1)
        variables[name] = FileVariable(("no", "yes"), tuple(family), even, point=points[name])
    read = build(variables)
    ends = tuple(next((name for name in points if roles.get(name) == role), "") for role in _ENDS)
    notes = (DRAWN, HIDDEN) if two_headed else (DRAWN,)
    return NetworkFile(draw_tables(read.network, 1), read.positions, ends=(ends[0], ends[1]), notes=notes)


def _statements(
    tokens: _Tokens,
    points: dict[str, Point | None],
    roles: dict[str, str],
    arrows: list[tuple[str, str, str]],
    depth: int = 0,
) -> list[str]:
    """All between two braces; the names that it mentions."""
    if depth > 20:
        tokens.fail("braces nest too deep")
    tokens.expect("{")
    mentioned: list[str] = []
    while not tokens.at("}"):
        fresh = tokens.value not in points
        groups, marks = [_group(tokens, points, roles, arrows, depth)], []
        while tokens.at("->", "<-", "<->"):
            marks.append(tokens.take())
            groups.append(_group(tokens, points, roles, arrows, depth))
        if tokens.kind == "mark" and tokens.value not in ("{", "}", "[", "="):
            tokens.fail(f"an edge '{tokens.value}' has no place in a dag")
        if tokens.at("="):  # an option of the whole graph, such as bb="0,0,1,1"
            tokens.take()
            tokens.word()
            if fresh:
                points.pop("".join(groups[0]), None)
            continue
        about = _options(tokens)
        if not marks:
            for name in groups[0]:
                points[name] = _place(about.get("pos", "")) or points[name]
                roles[name] = next((role for role in _ENDS if role in about), roles.get(name, ""))
        for (left, right), mark in zip(pairwise(groups), marks, strict=True):
            if len(arrows) + len(left) * len(right) > MOST_ARROWS:
                tokens.fail("it has too many arrows")
            arrows += [(a, mark, b) for a in left for b in right]
        mentioned += [name for group in groups for name in group]
    tokens.take()
    return list(dict.fromkeys(mentioned))


def _group(
    tokens: _Tokens,
    points: dict[str, Point | None],
    roles: dict[str, str],
    arrows: list[tuple[str, str, str]],
    depth: int,
) -> list[str]:
    """A name, or names between braces."""
    if tokens.at("{"):
        return _statements(tokens, points, roles, arrows, depth + 1)
    name = tokens.word()
    points.setdefault(name, None)
    return [name]


def _options(tokens: _Tokens) -> dict[str, str]:
    """What stands between brackets: key -> value, "" for a key alone."""
    result: dict[str, str] = {}
    if tokens.at("["):
        tokens.take()
        while not tokens.at("]"):
            key = tokens.word()
            result[key] = ""
            if tokens.at("="):
                tokens.take()
                result[key] = tokens.word()
        tokens.take()
    return result


def _place(text: str) -> Point | None:
    parts = text.split(",")
    try:
        return checked_point(*map(float, parts)) if len(parts) == 2 else None
    except ValueError:
        return None


def to_dagitty(network: Network, positions: Mapping[str, Point] | None = None, ends: tuple[str, str] = ("", "")) -> str:
    """A DAGitty text: arrows, places in units of a hundred pixels, exposure and outcome."""
    words = [name if _BARE.fullmatch(name) else _quoted(name) for name in network.names]
    lines = []
    for name, word in zip(network.names, words, strict=True):
        about = [role for end, role in zip(ends, _ENDS, strict=True) if end == name]
        if name in (positions or {}):
            x, y = positions[name]  # type: ignore[index]
            about.append(f'pos="{x / 100:.3f},{y / 100:.3f}"')
        lines.append(f"{word} [{','.join(about)}]" if about else word)
    lines += [f"{words[parent]} -> {words[child]}" for child, family in enumerate(network.parents) for parent in family]
    return "dag {\n" + "\n".join(lines) + "\n}\n"
