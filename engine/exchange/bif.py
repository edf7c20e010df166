"""BIF, the Bayesian network interchange format: a network with its probabilities.

The format has no quoting that all its readers share. So a name or level that is not a plain word is written as one
("under 50" as under_50), and the true text stands in a property of the variable, percent-encoded; other programs pass
over it, and `from_bif` restores it.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import quote, unquote

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError, check_number
from engine.exchange.bif_reader import assemble, read_blocks
from engine.graphs.dag import ONE_DAG, Parents, circle_error, find_cycle, to_networkx
from engine.lazy import nx
from engine.models.network import Cpt, Network, fitted
from engine.words import short

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}", re.ASCII)
LEVEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,59}", re.ASCII)
_LONGEST = 50
"""Characters of a word that is made here."""
_SAID = [
    (re.compile(sign), sentence)
    for sign, sentence in (
        (r"(<=|≤)\s*(?=[-−]?\d)", "up to"),
        (r"(>=|≥)\s*(?=[-−]?\d)", "from"),
        (r"<\s*(?=[-−]?\d)", "below"),
        (r">\s*(?=[-−]?\d)", "above"),
        (r"(?<![\w.)\]])\s*[-−](?=\d)", "minus"),
        (r"(?<=\d)\s*\+", "plus"),
        (r"(?<=\d)\s*%", "percent"),
    )
]
"""Signs at a number that a word says too, so that levels such as "<40" and "40+" stay apart for a reader."""
_LETTERS = str.maketrans(
    {"ß": "ss", "Æ": "Ae", "æ": "ae", "Œ": "Oe", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l"}
)
"""Letters that Unicode does not take apart into a plain one and its mark."""
_RESERVED = {"network", "variable", "probability", "property", "type", "discrete", "table", "default"}
_NAME, _LEVELS = "diptych_name", "diptych_levels"


def to_bif(graph: nx.DiGraph, data: Dataset, alpha: float = 1.0) -> str:
    """The network with tables learned from the data, in the Bayesian network interchange format.

    Parameters
    ----------
    graph : a DAG over variables of the data
    data : where the counts and the levels come from
    alpha : pseudo-count of every cell (Dirichlet prior), above 0; a table holds (N_jk + alpha) / (N_j + r alpha)

    Returns
    -------
    the text of the file

    Raises
    ------
    DataError : a node that the data do not have, a circle or an undirected edge, a table too large to write
    SettingsError : alpha is not a number above zero

    Examples
    --------
    >>> import networkx as nx
    >>> data = sample_data.dataset("cough_and_smoke")
    >>> engine.exchange.to_bif(nx.DiGraph([("smoking", "cough")]), data).splitlines()[2]
    'variable smoking {'
    """
    check_number("alpha", alpha, above=0)
    names = sorted((str(node) for node in graph.nodes), key=data.index)
    return network_to_bif(fitted(data.select(names), _parents(graph, names), float(alpha)))


def network_to_bif(network: Network) -> str:
    """A network with its own tables, such as one of two steps in time, in the same format.

    Parameters
    ----------
    network : names, levels, parents and tables

    Returns
    -------
    the text of the file

    Examples
    --------
    >>> coin = engine.models.Network(("coin",), (("heads", "tails"),), ((),), (np.array([[0.5, 0.5]]),))
    >>> engine.exchange.from_bif(engine.exchange.network_to_bif(coin))[1]["coin"].table.tolist()
    [0.5, 0.5]
    """
    words = plain_words(network.names, WORD, "v")
    level_words = [plain_words(level, LEVEL, "s") for level in network.levels]
    parts = ["network diptych {\n}\n"]
    parts += map(_variable, network.names, words, network.levels, level_words)
    for word, family, table in zip(words, network.parents, network.tables, strict=True):
        parts.append(_probability(table, word, [words[j] for j in family], [level_words[j] for j in family]))
    return "".join(parts)


def _parents(graph: nx.DiGraph, names: list[str]) -> Parents:
    place = {name: i for i, name in enumerate(names)}
    if not graph.is_directed() or any(a != b and graph.has_edge(b, a) for a, b in graph.edges):
        raise DataError(f"BIF needs a direction for every edge; direct the undirected ones first: {ONE_DAG}.")
    families: list[tuple[int, ...]] = [()] * len(names)
    for node in graph:
        families[place[str(node)]] = tuple(sorted(place[str(parent)] for parent in graph.predecessors(node)))
    return tuple(families)


def plain_words(texts: Sequence[str], plain: re.Pattern[str], letter: str) -> list[str]:
    """A plain word for each text: itself where it is one, else what can be read of it; none twice, whatever the case.

    Some readers take "Age" and "age" for one name.
    """
    taken = set(_RESERVED)
    result = [""] * len(texts)
    for as_it_is in (True, False):  # a plain word stays as it is, though a readable form of another is the same
        for i, text in enumerate(texts):
            whole = plain.fullmatch(text) is not None and text.lower() not in taken
            if not result[i] and whole is as_it_is:
                result[i] = text if as_it_is else _fresh(_readable(text, plain, letter, i), taken)
                taken.add(result[i].lower())
    return result


def _readable(text: str, plain: re.Pattern[str], letter: str, number: int) -> str:
    """What a plain word can say of a text: "under 50" is under_50, ">= 3" is from_3; of some texts only a number."""
    for sign, sentence in _SAID:
        text = sign.sub(f" {sentence} ", text)
    ascii_only = unicodedata.normalize("NFKD", text.translate(_LETTERS)).encode("ascii", "ignore").decode()
    word = re.sub("[^A-Za-z0-9]+", "_", ascii_only).strip("_")[:_LONGEST].rstrip("_")
    if not word:
        return f"{letter}{number}"
    return word if plain.fullmatch(word) else f"{letter}_{word}"


def _fresh(word: str, taken: set[str]) -> str:
    """The word, or with the first number that makes it new."""
    numbered = (f"{word}_{number}" for number in itertools.count(2))
    return next(item for item in itertools.chain([word], numbered) if item.lower() not in taken)


def _variable(name: str, word: str, levels: Sequence[str], level_words: Sequence[str]) -> str:
    lines = [f"variable {word} {{", f"  type discrete [ {len(levels)} ] {{ {', '.join(level_words)} }};"]
    lines += [f"  property {key} {text} ;" for key, text in true_words(name, word, levels, level_words).items()]
    return "\n".join([*lines, "}\n"])


def true_words(name: str, word: str, levels: Sequence[str], level_words: Sequence[str]) -> dict[str, str]:
    """The properties of a variable that hold its true name and levels, where plain words stand for them."""
    properties = {} if word == name else {_NAME: _encoded(name)}
    return properties | ({} if list(levels) == list(level_words) else {_LEVELS: ".".join(map(_encoded, levels))})


def _encoded(text: str) -> str:
    """Percent-encoded, dots too, with a leading letter so that an empty text is a word as well."""
    return "t" + quote(text, safe="", errors="surrogatepass").replace(".", "%2E").replace("-", "%2D").replace(
        "~", "%7E"
    )


def _decoded(word: str) -> str:
    try:
        return unquote(word[1:], errors="surrogatepass")
    except UnicodeDecodeError:
        raise DataError(f"The property word {short(word, 60)!r} is not percent-encoded UTF-8; take it out.") from None


def _probability(table: np.ndarray, child: str, parents: list[str], levels: list[list[str]]) -> str:
    if not parents:
        return f"probability ( {child} ) {{\n  table {_numbers(table[0])};\n}}\n"
    lines = [f"probability ( {child} | {', '.join(parents)} ) {{"]
    for key, row in zip(itertools.product(*levels), table, strict=True):
        lines.append(f"  ({', '.join(key)}) {_numbers(row)};")
    return "\n".join([*lines, "}\n"])


def _numbers(row: np.ndarray) -> str:
    return ", ".join(repr(value) for value in row.tolist())


def from_bif(text: str) -> tuple[nx.DiGraph, dict[str, Cpt], dict[str, tuple[str, ...]]]:
    """A network, its tables and its levels out of a BIF file, ours or another program's.

    Parameters
    ----------
    text : the content of the file

    Returns
    -------
    the DAG in the order of the file; name -> `Cpt`; name -> levels

    Raises
    ------
    DataError : not BIF, a table that is incomplete or does not add up, a circle of arcs; with the line where
        known

    Examples
    --------
    >>> coin = "variable coin { type discrete [2] { heads, tails }; } probability ( coin ) { table 0.5, 0.5; }"
    >>> graph, tables, levels = engine.exchange.from_bif(coin)
    >>> tables["coin"].table.tolist(), levels["coin"]
    ([0.5, 0.5], ('heads', 'tails'))
    """
    blocks = read_blocks(text)
    words = list(blocks.levels)
    names = {word: true_name(word, blocks.properties[word]) for word in words}
    if len(set(names.values())) != len(words):
        raise DataError("Two variables of this file have the same name; give each its own.")
    position = {word: i for i, word in enumerate(words)}
    parents: list[tuple[int, ...]] = [()] * len(words)
    cpts: dict[str, Cpt] = {}
    for word in words:
        if word not in blocks.tables:
            raise DataError(f"The variable {short(word, 60)!r} has no probability block; add one.")
        above, entries = blocks.tables[word]
        cpt = assemble(word, above, blocks.levels, entries)
        parents[position[word]] = tuple(sorted(position[p] for p in above))
        cpts[names[word]] = Cpt(names[word], tuple(names[p] for p in above), cpt.table)
    cycle = find_cycle(parents)
    if cycle is not None:
        raise circle_error(cycle, list(names.values()))
    return (
        to_networkx(parents, list(names.values())),
        cpts,
        {names[w]: true_levels(blocks.levels[w], blocks.properties[w]) for w in words},
    )


def true_name(word: str, properties: dict[str, list[str]]) -> str:
    given = properties.get(_NAME)
    return _decoded(given[0]) if given else word


def true_levels(words: tuple[str, ...], properties: dict[str, list[str]]) -> tuple[str, ...]:
    if _LEVELS not in properties:
        return words
    levels = tuple(_decoded(word) for given in properties[_LEVELS] for word in given.split("."))
    if len(levels) != len(words) or len(set(levels)) != len(levels):
        raise DataError(f"The property {_LEVELS} does not fit the levels of its variable; take it out.")
    return levels
