"""A network from a file, whatever it is: of another program, GraphML, our JSON, or an edge list.

An edge list has a line for each edge: from, to, and if there are such columns whether it is directed and a score. A
line with one name only is a variable without an edge. An edge listed both ways is undirected, as in a CPDAG.

A large file is read twice: first in a process that may die, then here if that one lived. A graph cannot come over from
another process as a table can, and to write it out and read it in again would be to trust the same parser once more.
What a rehearsal costs (a fork and networkx) is spent only on files from 64 kB on: in a smaller one nothing can be large
or deep enough to bring a parser down, since each of the three bounds its depth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.data.reading.decoding import find_encoding
from engine.data.reading.foreign import ReaderChannel, read_foreign
from engine.data.reading.limits import Limits
from engine.data.reading.read import Source, read_table, source_bytes
from engine.errors import DataError, SettingsError
from engine.exchange.bif import from_bif, network_to_bif
from engine.exchange.bif_reader import read_blocks
from engine.exchange.graph_json import from_json
from engine.exchange.graphml_reader import from_graphml
from engine.exchange.network_file import FileVariable, NetworkFile, Point, build, point_of
from engine.exchange.network_text import from_dagitty, from_net, to_dagitty, to_net
from engine.exchange.network_xml import from_xdsl, from_xmlbif, to_xdsl, to_xmlbif
from engine.exchange.xml_reader import local_name, parse_xml
from engine.graphs.dag import to_networkx
from engine.lazy import nx, pd
from engine.models.network import Network
from engine.words import short

MOST_EDGES, MOST_VARIABLES = 200_000, 1_000
"""Most lines of an edge list and most variables of a network that are compared."""
FROM = ("source", "from", "parent", "cause", "a", "node1", "tail", "x")
TO = ("target", "to", "child", "effect", "b", "node2", "head", "y")
DIRECTED = ("directed", "direction", "type", "arrow", "kind")
SCORE = ("score", "weight", "strength", "probability", "confidence", "posterior", "log_odds", "bits", "value")
_YES = {"1", "1.0", "true", "yes", "y", "directed", "->", "-->", "arc"}
_NO = {"0", "0.0", "false", "no", "n", "undirected", "--", "---", "-", "edge", "link"}
SMALL = 64_000
"""Bytes up to which a file is read at once."""
_JOB = "engine.exchange.network_reader:rehearsal_job"
_XML = re.compile(rb"<(!doctype\s+)?(smile|bif)\b")
_TEXT = re.compile(rb"(%[^\n]*\s+)*(net|(discrete\s+)?node|p?dag|mag|pag)\b[^\n,;]*[{\n]")
"""What the files hold that `read_network_file` reads beside BIF: anywhere at their head, and at its beginning."""


def read_graph(source: Source, name: str | None = None) -> nx.Graph:
    r"""The network of a BIF, GraphML or JSON file or of an edge list, found out by content.

    Parameters
    ----------
    source : a path, the content as bytes, or a file opened for bytes
    name : of the file, for the sentences; that of the path where None

    Returns
    -------
    networkx.DiGraph with texts as names, an undirected edge both ways; networkx.Graph where no edge has a direction.
    Probabilities, scores and attributes are passed over

    Raises
    ------
    DataError : it is none of these, too large, damaged, or its arcs go round where they must not

    Examples
    --------
    >>> list(engine.exchange.read_graph(b"from,to\nage,cough\nsmoking,cough\n").edges)
    [('age', 'cough'), ('smoking', 'cough')]
    """
    content, own = source_bytes(source, Limits())
    name = own if name is None else name
    start = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not content.strip():
        raise DataError("The file is empty; choose one that holds a network.")
    if start.startswith(b"<") and b"<gexf" not in start and not _XML.search(start):
        rehearse(content, "graphml")
        return from_graphml(content)
    try:
        result = read_network(content, name)
        if not isinstance(result, NetworkRead):
            result = network_from_table(result, guess_columns(result))
    except (UnicodeDecodeError, LookupError, RecursionError):
        raise DataError("This file cannot be read as a network. Give an edge list, BIF, GraphML or JSON.") from None
    graph = result.graph
    undirected = bool(graph.edges) and all(graph.has_edge(b, a) for a, b in graph.edges)
    return graph.to_undirected() if undirected and start.startswith(b"{") else graph


@dataclass(frozen=True)
class Columns:
    """Which column of an edge list says what; None where none does."""

    source: str
    target: str
    directed: str | None = None
    score: str | None = None


@dataclass(frozen=True, eq=False)
class NetworkRead:
    """A network as a file has it.

    Attributes
    ----------
    graph : a DiGraph; an undirected edge is a pair of opposite arcs
    scores : unordered pair of names -> the largest score of its lines
    notes : what was made of lines that are no plain edges, in words
    least : the score from which on a link counts as found; None for all
    """

    graph: nx.DiGraph
    scores: dict[frozenset[Hashable], float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    least: float | None = None

    @property
    def size(self) -> tuple[int, int, int]:
        """Variables, arcs, and edges without a direction."""
        both = sum(self.graph.has_edge(b, a) for a, b in self.graph.edges)
        return len(self.graph), self.graph.number_of_edges() - both, both // 2


def read_network(content: bytes, name: str = "") -> NetworkRead | pd.DataFrame:
    r"""A network of a JSON or BIF file, or the table of an edge list, by content.

    Parameters
    ----------
    content : the file
    name : of the file, for the sentences

    Returns
    -------
    `NetworkRead`; of an edge list the table, whose columns `guess_columns` and `network_from_table` take

    Raises
    ------
    DataError : it is none of these, or cannot be read

    Examples
    --------
    >>> from engine.exchange.network_reader import guess_columns, network_from_table
    >>> table = engine.exchange.read_network(b"from,to\nage,cough\nsmoking,cough\n")
    >>> list(network_from_table(table, guess_columns(table)).graph.edges)
    [('age', 'cough'), ('smoking', 'cough')]
    """
    Limits().check_file(len(content))
    start = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"<") and (b"graphml" in start or b"<gexf" in start):
        raise DataError("GraphML and GEXF are not read here. Give an edge list (CSV, Excel), JSON or BIF.")
    if re.match(rb"(strict\s+)?(di)?graph\b[^\n,;]*\{", start):
        raise DataError("DOT files are not read here. Give an edge list (CSV, Excel), JSON or BIF.")
    if _XML.search(start) if start.startswith(b"<") else _TEXT.match(start):
        network = read_network_file(content).network
        return NetworkRead(directed(to_networkx(network.parents, network.names)))
    if start.startswith(b"{"):
        rehearse(content, "json")
        return NetworkRead(directed(from_json(network_text(content))))
    if re.match(rb"(network|variable)\b[^\n,;]*[{\n]", start):
        rehearse(content, "bif")
        return NetworkRead(directed(from_bif(network_text(content))[0]))
    return read_table(content, name=name)


def directed(graph: nx.Graph) -> nx.DiGraph:
    """The same graph as a DiGraph without attributes, undirected edges both ways."""
    result = nx.DiGraph()
    result.add_nodes_from(graph.nodes)
    for a, b in graph.edges:
        result.add_edges_from([(a, b)] if graph.is_directed() else [(a, b), (b, a)])
    _check_size(result)
    return result


def guess_columns(table: pd.DataFrame) -> Columns:
    """The columns by their usual names; the first two where no name is usual."""
    names = [str(name) for name in table.columns]
    if len(names) < 2:
        raise DataError("An edge list needs two columns, from and to; this table has one.")
    plain = {name.strip().lower().replace(" ", "_"): name for name in reversed(names)}

    def usual(words: Sequence[str], taken: Sequence[str | None]) -> str | None:
        return next((plain[word] for word in words if word in plain and plain[word] not in taken), None)

    source, target = usual(FROM, ()), usual(TO, ())
    if source is None or target is None:
        source, target = names[0], names[1]
    way = usual(DIRECTED, (source, target))
    if way is not None and not {_word(item) for item in table[way].dropna().unique()} & (_YES | _NO):
        way = None  # a "type" may be anything
    numeric = [name for name in names if pd.api.types.is_numeric_dtype(table[name])]
    taken = (source, target, way, *(name for name in names if name not in numeric))
    return Columns(source, target, way, usual(SCORE, taken))


def network_from_table(table: pd.DataFrame, columns: Columns) -> NetworkRead:
    """The network of an edge list."""
    if columns.source == columns.target:
        raise DataError("From and to are the same column; choose two.")
    if not 0 < len(table) <= MOST_EDGES:
        raise DataError(f"An edge list has 1 to {MOST_EDGES:,} lines; this one has {len(table):,}.")
    ends = [_names(table[column]) for column in (columns.source, columns.target)]
    ways = [True] * len(table) if columns.directed is None else _ways(table[columns.directed])
    scores = [None] * len(table) if columns.score is None else _scores(table[columns.score])
    graph = nx.DiGraph()
    best: dict[frozenset[Hashable], float] = {}
    alone = repeated = 0
    for row, (a, b, arrow, score) in enumerate(zip(*ends, ways, scores, strict=True), start=1):
        graph.add_nodes_from(item for item in (a, b) if item is not None)
        if a is None or b is None:
            alone += 1
            continue
        if a == b:
            raise DataError(f"Row {row} runs from {_short(a)} to itself; remove it.", row=row)
        repeated += graph.has_edge(a, b)
        graph.add_edges_from([(a, b)] if arrow else [(a, b), (b, a)])
        if score is not None:
            pair = frozenset((a, b))
            best[pair] = max(best.get(pair, score), score)
    _check_size(graph)
    return NetworkRead(graph, best, _notes(alone, repeated))


def _notes(alone: int, repeated: int) -> tuple[str, ...]:
    notes = []
    if alone:
        notes.append(f"{alone} line{'s' * (alone != 1)} with fewer than two names: no edge, but the name counts.")
    if repeated:
        notes.append(f"{repeated} edge{'s' * (repeated != 1)} listed more than once; each counts once.")
    return tuple(notes)


def _names(column: Any) -> list[str | None]:
    """The names in a column as texts; whole numbers without a point, None where it is empty."""
    whole = pd.api.types.is_float_dtype(column) and (column.dropna() % 1 == 0).all()
    return [
        None if absent else str(int(item) if whole else item)
        for item, absent in zip(column, column.isna(), strict=True)
    ]


def _scores(column: Any) -> list[float | None]:
    """The numbers of a column, None where it is empty."""
    return [None if absent else float(item) for item, absent in zip(column, column.isna(), strict=True)]


def _ways(column: Any) -> list[bool]:
    """Flags of the lines that are arcs; an empty cell counts as yes."""
    result = []
    for row, (value, absent) in enumerate(zip(column, column.isna(), strict=True), start=1):
        word = "yes" if absent else _word(value)
        if word not in _YES | _NO:
            raise DataError(
                f"Row {row} says {_short(value)} to 'directed'; write yes or no (or 1 and 0, true and false).", row=row
            )
        result.append(word in _YES)
    return result


def _word(value: object) -> str:
    return str(value).strip().lower()


def _check_size(graph: nx.DiGraph) -> None:
    if len(graph) > MOST_VARIABLES:
        raise DataError(f"The network has {len(graph):,} variables; up to {MOST_VARIABLES:,} are compared.")
    if not len(graph):
        raise DataError("The network has no variables; give at least one edge.")


def _short(value: object) -> str:
    return json.dumps(str(value)[:60], ensure_ascii=False)


def read_bif(content: bytes, encoding: str | None = None) -> Network:
    """The network of a BIF file with its probabilities.

    Parameters
    ----------
    content : of the file
    encoding : of its text; None to find it out

    Returns
    -------
    the network, its variables in the order of the file

    Raises
    ------
    DataError : not BIF, too large, a table that is incomplete or does not add up, a circle of arcs

    Examples
    --------
    >>> coin = b"variable coin { type discrete [2] { heads, tails }; } probability ( coin ) { table 0.5, 0.5; }"
    >>> read_bif(coin).levels
    (('heads', 'tails'),)
    """
    Limits().check_file(len(content))
    try:
        rehearse(content, "bif")
        graph, cpts, levels = from_bif(network_text(content, encoding))
    except (UnicodeDecodeError, LookupError, RecursionError):
        raise DataError("This file cannot be read as BIF. Export the network as BIF and open that.") from None
    return build(
        {name: FileVariable(levels[name], cpts[name].parents, cpts[name].table.ravel()) for name in graph}
    ).network


FORMATS = {
    "bif": "BIF",
    "xdsl": "XDSL (GeNIe)",
    "net": "NET (Hugin)",
    "xml": "XMLBIF",
    "dagitty": "DAGitty",
}
"""Ending of a file -> what the format is called; those that `write_network` writes."""


def read_network_file(content: bytes, encoding: str | None = None) -> NetworkFile:
    """A network with its probabilities and places, from a file of this or another program, found out by content.

    Parameters
    ----------
    content : a BIF, XDSL (GeNIe), NET (Hugin), XMLBIF or DAGitty file
    encoding : of its text; None to find it out

    Returns
    -------
    the network and what the file says beside it; a DAGitty text has no probabilities, and gets drawn ones

    Raises
    ------
    DataError : it is none of these, too large, damaged, or holds what a network of this program cannot

    Examples
    --------
    >>> engine.exchange.read_network_file(b"dag { age -> drug ; age -> death ; drug -> death }").network
    Network(3 variables, 3 arcs)
    """
    Limits().check_file(len(content))
    rehearse(content, "network", encoding)
    return _read_network_file(content, encoding)


def _read_network_file(content: bytes, encoding: str | None) -> NetworkFile:
    start = content[:4096].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    if start.startswith(b"<"):
        root = parse_xml(content, "network", declares=True, encoding=encoding)
        kind = {"smile": "xdsl", "bif": "xml"}.get(local_name(root))
        if kind is None:
            raise DataError(f"This XML file holds '{short(root.tag, 30)}' and no network of GeNIe (XDSL) or XMLBIF.")
        return replace((from_xdsl if kind == "xdsl" else from_xmlbif)(root), format=FORMATS[kind])
    name = find_encoding(content, encoding).name
    text = content.decode(name)
    head = re.sub(r"(?m)^\s*(%|//).*$", "", text[:4096]).lstrip("\ufeff \t\r\n").lower()
    if re.match(r"(dag|pdag|mag|pag)\b[^\n,;]*\{", head):
        return replace(from_dagitty(text), format=FORMATS["dagitty"], encoding=name)
    if re.match(r"(net|class|(\w+\s+)?node)\b[^;{]*\{", head):
        return replace(from_net(text), format=FORMATS["net"], encoding=name)
    if not re.match(r"(network|variable|probability|/\*)", head):
        raise DataError("This file holds no network that is read here. Give XDSL, NET, XMLBIF, BIF or DAGitty.")
    network, properties = read_bif(content, encoding), read_blocks(text).properties
    given = (point_of(f"position {' '.join(about.get('position', ()))}") for about in properties.values())
    points = {called: point for called, point in zip(network.names, given, strict=True) if point is not None}
    return NetworkFile(network, points if len(points) == len(network.names) else {}, FORMATS["bif"], name)


def write_network(
    network: Network, format: str, positions: Mapping[str, Point] | None = None, ends: tuple[str, str] = ("", "")
) -> str:
    """A network as a file of another program.

    Parameters
    ----------
    network : names, levels, parents and tables
    format : "bif", "xdsl" (GeNIe), "net" (Hugin), "xml" (XMLBIF) or "dagitty", which has no probabilities
    positions : name -> where it is drawn, in pixels, y downwards; BIF has no places
    ends : exposure and outcome, of which only DAGitty knows

    Returns
    -------
    the text of the file, to be written in UTF-8

    Raises
    ------
    SettingsError : there is no such format

    Examples
    --------
    >>> coin = engine.models.Network(("coin",), (("heads", "tails"),), ((),), (np.array([[0.5, 0.5]]),))
    >>> engine.exchange.write_network(coin, "net").splitlines()[5]
    'node coin'
    """
    if format == "bif":
        return network_to_bif(network)
    if format == "dagitty":
        return to_dagitty(network, positions, ends)
    writers = {"xdsl": to_xdsl, "net": to_net, "xml": to_xmlbif}
    if format not in writers:
        raise SettingsError(
            f"There is no format '{short(format, 20)}'; choose one of {', '.join(FORMATS)}.", setting="format"
        )
    return writers[format](network, positions)


def rehearse(content: bytes, kind: str, encoding: str | None = None) -> None:
    """Read a large file of this kind ("json", "bif", "graphml", "network") where nothing is lost if that fails."""
    if len(content) > SMALL:
        read_foreign(_JOB, content, {"kind": kind, "encoding": encoding}, Limits())


def rehearsal_job(
    data: bytes, options: dict[str, Any], limits: Limits, channel: ReaderChannel
) -> tuple[None, dict[str, Any]]:
    """Read a file in the process that may die; the graph is thrown away."""
    channel.kind("network file")
    if options["kind"] == "graphml":
        from_graphml(data)
    elif options["kind"] == "network":
        _read_network_file(data, options["encoding"])
    else:
        (from_json if options["kind"] == "json" else from_bif)(network_text(data))
    return None, {}


def network_text(content: bytes, encoding: str | None = None) -> str:
    """The file as text, in the encoding that it is in."""
    return content.decode(find_encoding(content, encoding).name)
