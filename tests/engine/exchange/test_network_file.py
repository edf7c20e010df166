"""Networks of other programs: ours there and back, files by their published grammars, and hostile ones."""

from __future__ import annotations

import time

import numpy as np
import pytest

import engine
from engine.exchange import read_graph, read_network, read_network_file, write_network
from engine.exchange.network_reader import FORMATS
from engine.models import Network, random_network
from engine.simulation.networks import random_dag
from sample_data.workshop_networks import WORKSHOP_NETWORKS
from tests.engine.exchange.test_exchange import HOSTILE

WITH_TABLES = [kind for kind in FORMATS if kind != "dagitty"]


def of_37() -> Network:
    """A network of 37 variables with two to four levels."""
    rng = np.random.default_rng(37)
    return random_network(random_dag(37, 46, rng), rng.integers(2, 5, 37), rng)


def hostile() -> Network:
    """Names and levels that would end a line, a quote, an element or a comment."""
    names = (*HOSTILE, "]]>", "&amp;", "100 %")
    levels = tuple((f"{name} 0", name) for name in names)
    rng = np.random.default_rng(1)
    parents = tuple(() if i == 0 else (i - 1,) for i in range(len(names)))
    tables = tuple(rng.dirichlet([1, 1], 1 if i == 0 else 2) for i in range(len(names)))
    return Network(names, levels, parents, tables)


def by_name(network: Network) -> dict[str, tuple[tuple[str, ...], dict[tuple[str, ...], list[float]]]]:
    """Levels and rows of every variable, whatever the order of variables."""
    found = {}
    for child, family in enumerate(network.parents):
        order = sorted(range(len(family)), key=lambda k: network.names[family[k]])
        shape = [len(network.levels[parent]) for parent in family]
        table = network.tables[child].reshape(*shape, -1).transpose(*order, len(family))
        found[network.names[child]] = (
            network.levels[child],
            tuple(sorted(network.names[parent] for parent in family)),
            np.round(table, 12).tolist(),
        )
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("kind", WITH_TABLES)
@pytest.mark.parametrize("make", [WORKSHOP_NETWORKS["chest"].make, of_37, hostile])
def test_what_we_write_comes_back(kind: str, make) -> None:  # type: ignore[no-untyped-def]
    """The chest clinic, 37 variables, and hostile names: every probability, name and place."""
    network = make()
    rng = np.random.default_rng(0)
    places = {name: (float(x), float(y)) for name, (x, y) in zip(network.names, rng.integers(-900, 900, (99, 2)))}  # noqa: B905
    text = write_network(network, kind, places)
    back = read_network_file(text.encode("utf-8", "surrogatepass"))
    assert by_name(back.network) == by_name(network)
    assert back.positions == ({} if kind == "bif" else places)
    assert back.format == FORMATS[kind]
    arcs = {(network.names[a], child) for child, f in zip(network.names, network.parents, strict=True) for a in f}
    for read in (read_graph(text.encode()), read_network(text.encode()).graph):
        assert set(read.edges) == arcs


def test_dagitty_has_arrows_roles_and_places() -> None:
    """No levels and no probabilities, which are drawn; the arrows of 37 variables come back."""
    network = of_37()
    places = {name: (100.0 * i, -50.0 * i) for i, name in enumerate(network.names)}
    back = read_network_file(write_network(network, "dagitty", places, ("X01", "X09")).encode())
    assert back.network.parents == network.parents
    assert back.ends == ("X01", "X09")
    assert back.positions == {name: (x / 100, y / 100) for name, (x, y) in places.items()}
    assert "probabilities were drawn" in back.notes[0]


DAGITTY = b"""dag {
bb="-2.5,-1,2,3"
"Blood pressure" [pos="-1.2,0.5"] ; Age [adjusted,pos="0,-1"]
Drug [exposure,pos="-2,1"]
death [outcome,pos="2,1"]
Age -> {Drug death "Blood pressure"}
Drug -> death <- "Blood pressure"
U [latent] ; {Drug death} <- U
}"""
XDSL = b"""<?xml version="1.0" encoding="ISO-8859-1"?>
<smile version="1.0" id="Network1" numsamples="1000" discsamples="10000"><nodes>
<cpt id="rain"><state id="no" /><state id="yes" /><probabilities>0.8 0.2</probabilities></cpt>
<cpt id="hose"><state id="no" /><state id="yes" /><probabilities>0.5 0.5</probabilities></cpt>
<deterministic id="wet"><state id="dry" /><state id="wet" /><parents>rain hose</parents>
<resultingstates>dry wet wet wet</resultingstates></deterministic></nodes>
<extensions><genie version="1.0" app="GeNIe 2.1" name="Network1"><node id="rain"><name>Stra\xdfe na\xdf</name>
<position>10 20 110 60</position></node><submodel id="s"><name>S</name><node id="hose"><name>Hose</name>
<position>210 20 310 60</position></node></submodel><node id="wet"><name>Grass</name>
<position>110 120 210 160</position></node></genie></extensions></smile>"""
NET = """%% a comment with "a quote
net { node_size = (80 40); }
discrete node A { label = "Größe \\"A\\""; position = (25 250); states = ("klein" "groß"); HR_Color = "1"; }
node B { label = ""; position = (25 150); states = ("no" "yes" "maybe"); }
potential (A) { data = ( 0.25 0.75 ); % the end of a line }
}
potential (B | A) { data = ((0.5 0.25 0.25) % A=klein
 (0 0 1)); }""".encode("cp1252")
XMLBIF = b"""<?xml version="1.0"?><!-- of another program -->
<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED>
 <!ATTLIST VARIABLE TYPE (nature|decision|utility) "nature"> ]>
<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>light-on</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME>
<PROPERTY>position = (73, 165)</PROPERTY></VARIABLE>
<VARIABLE><NAME>dog out</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME>
<PROPERTY>position = (190, 45)</PROPERTY></VARIABLE>
<DEFINITION><FOR>light-on</FOR><GIVEN>dog out</GIVEN><TABLE> <!-- rows --> 0.6 0.4
 0.05 0.95</TABLE></DEFINITION><DEFINITION><FOR>dog out</FOR><TABLE>0.15 0.85</TABLE></DEFINITION></NETWORK></BIF>"""


def test_files_of_other_programs_are_read() -> None:
    """Roles and groups of DAGitty; labels, a submodel and what is certain of GeNIe; Hugin's marks."""
    graph = read_network_file(DAGITTY)
    names = graph.network.names
    assert names == ("Blood pressure", "Age", "Drug", "death", "U")
    arrows = {(names[a], names[b]) for b, family in enumerate(graph.network.parents) for a in family}
    assert arrows == {
        ("Age", "Drug"), ("Age", "death"), ("Age", "Blood pressure"), ("Drug", "death"), ("Blood pressure", "death"),
        ("U", "Drug"), ("U", "death"),
    }  # fmt: skip
    assert graph.ends == ("Drug", "death")
    smile = read_network_file(XDSL)
    assert smile.network.names == ("Straße naß", "Hose", "Grass")
    assert smile.positions == {"Straße naß": (60, 40), "Hose": (260, 40), "Grass": (160, 140)}
    assert smile.network.query("Grass", {"Hose": "no"}).tolist() == [0.8, 0.2]
    hugin = read_network_file(NET)
    assert hugin.encoding == "latin-1"
    assert hugin.network.names == ('Größe "A"', "B")
    assert hugin.network.query("B", {'Größe "A"': "groß"}).tolist() == [0, 0, 1]
    assert hugin.positions["B"][1] > hugin.positions['Größe "A"'][1]
    xml = read_network_file(XMLBIF)
    assert xml.network.query("light-on", {"dog out": "false"}).tolist() == [0.05, 0.95]
    assert xml.positions == {"light-on": (73, 165), "dog out": (190, 45)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "latin-1"])
@pytest.mark.parametrize("kind", ["bif", "net", "dagitty", "xdsl", "xml"])
def test_encodings_are_found_or_asked_for(kind: str, encoding: str) -> None:
    """A text in UTF-8, UTF-16 or an 8-bit encoding; XML names its own; Shift-JIS has to be asked for."""
    network = Network(("Größe",), (("no", "yes"),), ((),), (np.array([[0.25, 0.75]]),))
    text = write_network(network, kind).replace('encoding="UTF-8"', f'encoding="{encoding}"')
    if kind in ("bif", "net"):
        text = (
            text.replace("Grosse", "Groesse").replace("node Gr", "% für\nnode Gr").replace("network", "// für\nnetwork")
        )
    assert read_network_file(text.encode(encoding)).network.names == ("Größe",)
    asked = text.replace("ö", "日").replace("ß", "本").replace("ü", "日").replace(f'"{encoding}"', '"UTF-8"')
    if kind in ("net", "dagitty"):
        assert read_network_file(asked.encode("shift_jis"), "shift_jis").encoding == "shift_jis"


LAUGHS = b"""<!DOCTYPE smile [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><smile><nodes><cpt id="&c;"/></nodes></smile>"""
OUTSIDE = b"""<!DOCTYPE BIF [<!ENTITY e SYSTEM "file:///etc/passwd">]><BIF><NETWORK><NAME>&e;</NAME></NETWORK></BIF>"""
SHORT = "<BIF><NETWORK><VARIABLE><NAME>a</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>{}</NETWORK></BIF>"
FOR_A = "<DEFINITION><FOR>a</FOR>{}<TABLE>{}</TABLE></DEFINITION>"
BAD: dict[str, tuple[bytes, str]] = {
    "laughs": (LAUGHS, "document type or an entity"),
    "outside": (OUTSIDE, "document type or an entity"),
    "parameter entity": (b'<!DOCTYPE BIF [<!ENTITY % p "x">%p;]><BIF/>', "document type or an entity"),
    "other file": (b'<!DOCTYPE BIF SYSTEM "http://example.org/x.dtd"><BIF/>', "document type or an entity"),
    "deep": (b"<smile>" + b"<x>" * 100_000, "nest too deep"),
    "cut": (XDSL[:-9], "at line"),
    "decision": (XDSL.replace(b"deterministic", b"decision"), "'decision'"),
    "no such parent": (XDSL.replace(b"rain hose", b"rain snow"), "'snow'"),
    "too few": (XDSL.replace(b"0.8 0.2", b"0.8"), "1 numbers where 2"),
    "no number": (XDSL.replace(b"0.8 0.2", b"0.8 x"), "where a number belongs"),
    "not a number": (XDSL.replace(b"0.8 0.2", b"nan nan"), "lacks"),
    "infinite": (XDSL.replace(b"0.8 0.2", b"inf -inf"), "negative|lacks"),
    "no sum": (XDSL.replace(b"0.8 0.2", b"0.8 0.8"), "add up"),
    "circle": (XDSL.replace(b'"no" /><state id="yes" /><probabilities>0.8 0.2', b'"no" /><state id="yes" /><parents>wet'
               b"</parents><probabilities>0.8 0.2 0.8 0.2"), "circle"),
    "huge table": (b"<smile><nodes>" + b"".join(
        b"<cpt id='n%d'><state id='a'/><state id='b'/>%s</cpt>" % (i, b"<parents>%s</parents>" % b" ".join(
            b"n%d" % k for k in range(40)) if i == 40 else b"<probabilities>1 0</probabilities>") for i in range(41)
    ) + b"</nodes></smile>", "probabilities"),
    "other xml": (b"<html><body/></html>", "no network"),
    "no variables": (b"<smile><nodes/></smile>", "no variables"),
    "twice": (SHORT.format(FOR_A.format("", "1 0") * 2).encode(), "already"),
    "own parent": (SHORT.format(FOR_A.format("<GIVEN>a</GIVEN>", "1 0 1 0")).encode(), "twice"),
    "no table": (SHORT.format("").encode(), "0 numbers where 2"),
    "open quote": (b'net { } node a { states = ("x', "quote"),
    "open block": (b"net { } node a { states = (x y);", "line"),
    "continuous": (b"net { } continuous node a { label = 1; }", "continuous"),
    "class": (b"class X { node a { states = (x y); } }", "line"),
    "formula": (b"net {} node a { states = (x y); } potential (a) { model_data = (1); }", "formula"),
    "node without a name": (b"net {} node { states = (x y); }", "'node' stands"),
    "table of nothing": (b"net {} node a { states = (x y); } potential () { data = (1 0); }", "no node"),
    "two children": (b"net {} node a { states = (x y); } potential (a a) { data = (1 0); }", "several"),
    "mag": (b"mag { a -> b }", "only a 'dag'"),
    "undirected": (b"dag { a -- b }", "no place in a dag"),
    "dagitty circle": (b"dag { a -> b -> a }", "circle"),
    "dagitty cut": (b"dag { a -> ", "line 1"),
    "braces": (b"dag {" + b"{" * 10_000, "nest too deep"),
    "product": (b"dag { {" + b" ".join(b"a%d" % i for i in range(900)) + b"} -> {"
                + b" ".join(b"b%d" % i for i in range(900)) + b"} }", "too many arrows"),
    "two-headed": (b"dag { a <-> b }", "no place in a dag"),
    "many": (b"dag {" + b" ".join(b"a%d -> b%d" % (i, i) for i in range(5_000)) + b"}", "10,000 variables"),
    "many parents": (b"dag { {" + b" ".join(b"a%d" % i for i in range(30)) + b"} -> b }", "30 parents"),
    "nothing": (b"", "no network"),
    "table": (b"a,b\n1,2\n", "no network"),
    "zeros": (b"\x00" * 100, "."),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_hostile_files_are_refused_in_a_sentence(name: str) -> None:
    """Nothing outside is opened, nothing grows, and one sentence says why."""
    content, words = BAD[name]
    begun = time.process_time()
    with pytest.raises(engine.DataError, match=words) as told:
        read_network_file(content)
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)
    assert time.process_time() - begun < 5


def test_a_format_that_there_is_not_is_refused() -> None:
    """And an encoding that there is not."""
    with pytest.raises(engine.SettingsError):
        write_network(of_37(), "doc")
    with pytest.raises(engine.DataError, match="no text encoding"):
        read_network_file(DAGITTY, "utf-99")
