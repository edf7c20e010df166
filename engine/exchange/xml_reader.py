"""XML as a stranger may have written it: no entities, no other files, no deep nesting; one reader of all formats."""

from __future__ import annotations

from typing import Any, NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

from engine.errors import DataError

MOST_DEPTH = 50
"""How deep elements may nest (yEd's go twelve deep)."""


def parse_xml(content: bytes, noun: str, *, declares: bool = False, encoding: str | None = None) -> ElementTree.Element:
    """The tree of a file; what no network needs is refused before anything of it is made.

    Parameters
    ----------
    content : the file
    noun : what it is called in sentences, such as "GraphML"
    declares : whether it may list its own elements, as XMLBIF does; entities and other files are refused all the same
    encoding : the one to read it in; None for the one that it names itself

    Returns
    -------
    the root; tags may begin with a namespace and "}"

    Raises
    ------
    DataError : no XML, a document type or entity, nested too deep

    Examples
    --------
    >>> parse_xml(b"<net><node/></net>", "example").tag
    'net'
    """

    depth, tree = 0, ElementTree.TreeBuilder()

    def refuse(*_: Any) -> NoReturn:
        fail("it declares a document type or an entity, which no network needs")

    def fail(why: str) -> NoReturn:
        raise DataError(f"This {noun} file cannot be read: {why}.")

    def doctype(name: str, system: str | None, public: str | None, inside: int) -> None:
        if not declares or system is not None or public is not None:
            refuse()

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_DEPTH:
            fail("its elements nest too deep")
        tree.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        tree.end(tag)

    try:
        parser = expat.ParserCreate(encoding, "}")
        parser.specified_attributes = True  # a default in a declaration would be repeated in every element
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = doctype
        parser.EntityDeclHandler = parser.ExternalEntityRefHandler = parser.UnparsedEntityDeclHandler = refuse
        parser.SkippedEntityHandler = refuse
        parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, tree.data
        parser.Parse(content, True)
        root: ElementTree.Element = tree.close()
    except expat.ExpatError as error:
        raise DataError(f"This {noun} file cannot be read at line {error.lineno}; save it again.") from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows is a LookupError
        if isinstance(error, DataError):
            raise
        raise DataError(f"This {noun} file cannot be read; save it again as UTF-8.") from None
    return root


def all_inside(element: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    """The element and all inside it that are called so, whatever the namespace and the case.

    Parameters
    ----------
    element : any
    tag : in small letters
    """
    return [item for item in element.iter() if local_name(item) == tag]


def local_name(element: ElementTree.Element) -> str:
    """The tag without its namespace, in small letters."""
    return element.tag.rpartition("}")[2].lower()


def words_of(element: ElementTree.Element | None) -> str:
    """All text inside an element, "" where there is none."""
    return "" if element is None else "".join(element.itertext()).strip()
