"""NET, the files of Hugin, and the text of DAGitty: networks in texts of their own grammars.

NET: The Hugin API Reference Manual, chapter "The NET language"; its y runs upwards. DAGitty: its grammar of graphs
(Textor et al. 2016), which is near to DOT; it has arrows, roles and places, but no levels and no probabilities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from engine.errors import DataError
from engine.exchange.bif_reader import Tokens
from engine.exchange.network_file import (
    FileVariable,
    NetworkFile,
    Point,
    build,
    checked_point,
    numbers_of,
    plain_variables,
)
from engine.models.drawing import draw_tables
from engine.models.network import Network
from engine.words import short

_QUOTED = r'(?P<quoted>"(?:[^"\\]|\\.)*")'
_NET = re.compile(rf'(?P<skip>[\s()]+|%[^\n]*)|{_QUOTED}|(?P<mark>[{{}}=;|])|(?P<word>[^\s{{}}()=;|"%]+)', re.DOTALL)
"""Parentheses say what is known without them: how many levels each parent has."""
_DAGITTY = re.compile(
    rf"(?P<skip>[\s;,]+)|{_QUOTED}|(?P<mark><?->|<-@?|@?--@?|@->|@-@|[{{}}\[\]=])|(?P<word>-?[\w.]+)", re.DOTALL
)
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_.]*", re.ASCII)
_ENDS = ("exposure", "outcome")
DRAWN = "The file has arrows only: levels are no and yes, and probabilities were drawn."
MOST_PARENTS, MOST_PAIRS, MOST_DEPTH = 15, 200_000, 20
"""Parents of a variable whose table is drawn; arrows of one statement; and braces inside each other."""


def from_net(text: str) -> NetworkFile:
    """The network of a NET file; discrete nodes with whole tables."""
    tokens = Tokens(text, _NET, "NET")
    variables: dict[str, FileVariable] = {}
    while tokens.kind != "end":
        head = [tokens.word()]
        while not tokens.at("{"):
            head.append(tokens.take() if tokens.at("|") else tokens.word())
        about = _attributes(tokens)
        if head[0] == "potential":
            _add_table(tokens, head[1:], about, variables)
        elif head[0] in ("node", "discrete") and head[-2:-1] == ["node"] and head[-1] not in variables:
            place = numbers_of(about.get("position", []), head[-1])
            variables[head[-1]] = FileVariable(
                tuple(about.get("states", [])),
                label=" ".join(about.get("label", [])),
                properties={key: " ".join(value) for key, value in about.items()},
                point=checked_point(place[0], -place[1]) if len(place) == 2 else None,  # upwards there
            )
        elif head[0] != "net":
            tokens.fail(
                f"'{short(' '.join(head), 40)}' stands before this place; only discrete nodes are read, each once"
            )
    return build(variables)


def _add_table(
    tokens: Tokens, head: list[str], about: Mapping[str, list[str]], variables: Mapping[str, FileVariable]
) -> None:
    """Give a variable the table of a potential."""
    one = variables.get(head[0]) if head and head[1:2] in ([], ["|"]) else None
    if one is None or len(one.numbers):
        tokens.fail("the table before this place is for no node, for several, or for one that has a table already")
    if "data" not in about:
        tokens.fail(f"the table of {short(head[0], 60)!r} has no data; a formula is not read")
    one.parents, one.numbers = tuple(head[2:]), numbers_of(about["data"], head[0])


def _attributes(tokens: Tokens) -> dict[str, list[str]]:
    """Read what stands between two braces: name -> words of the value."""
    tokens.expect("{")
    result: dict[str, list[str]] = {}
    while not tokens.at("}"):
        name = tokens.word()
        tokens.expect("=")
        result[name] = tokens.listed(";", "a value")
    tokens.take()
    return result


def to_net(network: Network, positions: Mapping[str, Point] | None = None) -> str:
    """A NET file: words of letters and digits, true names as labels, places in pixels."""
    nodes, tables = ["net\n{\n  node_size = (120 50);\n}\n"], []
    for word, one in plain_variables(network, positions).items():
        lines = [f"label = {_quoted(one.label)}", f"states = ({' '.join(map(_quoted, one.levels))})"]
        if one.point is not None:
            lines.append(f"position = ({one.point[0]:.0f} {-one.point[1]:.0f})")
        lines += [f"{key} = {_quoted(text)}" for key, text in one.properties.items()]
        nodes.append("\n".join([f"node {word}\n{{", *(f"  {line};" for line in lines), "}\n"]))
        head = f"{word} | {' '.join(one.parents)}" if one.parents else word
        data = str(np.asarray(one.numbers).tolist()).replace(",", "")
        tables.append(f"potential ({head})\n{{\n  data = {data.replace('[', '(').replace(']', ')')};\n}}\n")
    return "\n".join(nodes + tables)


def _quoted(text: str) -> str:
    """A text between quotes, on one line."""
    return '"' + re.sub(r'(["\\])', r"\\\1", re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]+", " ", text)) + '"'


class _Dag:
    """A DAGitty text as it is read: where each name stands, its parents, and the two ends."""

    def __init__(self, text: str) -> None:
        self.tokens = Tokens(text, _DAGITTY, "DAGitty")
        self.points: dict[str, Point | None] = {}
        self.families: dict[str, dict[str, None]] = {}
        self.ends = dict.fromkeys(_ENDS, "")

    def group(self, depth: int = 0) -> list[str]:
        """A name, or all names of the statements between two braces."""
        tokens = self.tokens
        if not tokens.at("{"):
            name = tokens.word()
            self.points.setdefault(name, None)
            return [name]
        if depth > MOST_DEPTH:
            tokens.fail("braces nest too deep")
        tokens.take()
        names: list[str] = []
        while not tokens.at("}"):
            names += self.statement(depth + 1)
        tokens.take()
        return list(dict.fromkeys(names))

    def statement(self, depth: int) -> list[str]:
        """Arrows between groups, a name with what is said of it, or an option of the whole graph."""
        tokens, fresh = self.tokens, self.tokens.value not in self.points
        groups, marks = [self.group(depth)], []
        while tokens.kind == "mark" and not tokens.at("{", "}", "[", "]", "="):
            if not tokens.at("->", "<-"):
                tokens.fail(f"an edge '{tokens.value}' has no place in a dag; draw a hidden cause as a variable")
            marks.append(tokens.take())
            groups.append(self.group(depth))
        if tokens.at("="):
            tokens.take()
            tokens.word()
            if fresh:
                self.points.pop("".join(groups[0]), None)
            return []
        about = self.options()
        for name in groups[0] if not marks else []:
            place = numbers_of(about["pos"].split(","), name) if "pos" in about else []
            self.points[name] = checked_point(place[0], place[1]) if len(place) == 2 else self.points[name]
            self.ends.update(dict.fromkeys(set(_ENDS) & set(about), name))
        for (left, right), mark in zip(pairwise(groups), marks, strict=True):
            if len(left) * len(right) > MOST_PAIRS:
                tokens.fail("it has too many arrows")
            for a, b in ((a, b) if mark == "->" else (b, a) for a in left for b in right):
                self.families.setdefault(b, {})[a] = None
        return [name for group in groups for name in group]

    def options(self) -> dict[str, str]:
        """Read what stands between brackets: key -> value, "" for a key alone."""
        tokens, result = self.tokens, dict[str, str]()
        if tokens.at("["):
            tokens.take()
            while not tokens.at("]"):
                key = tokens.word()
                if is_set := tokens.at("="):
                    tokens.take()
                result[key] = tokens.word() if is_set else ""
            tokens.take()
        return result


def from_dagitty(text: str) -> NetworkFile:
    """The network of a DAGitty text, with probabilities that are drawn, since the text has none."""
    dag = _Dag(text)
    if (kind := dag.tokens.word().lower()) != "dag":
        dag.tokens.fail(f"it is a '{short(kind, 20)}', and only a 'dag' is read")
    if not dag.tokens.at("{"):
        dag.tokens.word()
    dag.group()
    if dag.tokens.kind != "end":
        dag.tokens.fail("something stands behind the end of the graph")
    variables = {}
    for name, point in dag.points.items():
        family = tuple(dag.families.get(name, ()))
        if len(family) > MOST_PARENTS:
            raise DataError(f"{short(name, 60)!r} has {len(family)} parents; up to {MOST_PARENTS} are read.")
        variables[name] = FileVariable(("no", "yes"), family, [0.5] * 2 ** (len(family) + 1), point=point)
    read = build(variables)
    ends = dag.ends["exposure"], dag.ends["outcome"]
    return NetworkFile(draw_tables(read.network, 1), read.positions, ends=ends, notes=(DRAWN,))


def to_dagitty(network: Network, positions: Mapping[str, Point] | None = None, ends: tuple[str, str] = ("", "")) -> str:
    """A DAGitty text: arrows, places in units of a hundred pixels, exposure and outcome."""
    words = [name if _BARE.fullmatch(name) else _quoted(name) for name in network.names]
    lines = []
    for name, word in zip(network.names, words, strict=True):
        about = [role for end, role in zip(ends, _ENDS, strict=True) if end == name]
        if positions and name in positions:
            about.append('pos="{:.3f},{:.3f}"'.format(*(v / 100 for v in positions[name])))
        lines.append(f"{word} [{','.join(about)}]" if about else word)
    for word, family in zip(words, network.parents, strict=True):
        lines += [f"{words[parent]} -> {word}" for parent in family]
    return "dag {\n" + "\n".join(lines) + "\n}\n"
