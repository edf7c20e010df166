"""A document read as strictly as the standard: every tag closed, every id once, every link with its target."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest


def parsed(text: str) -> Any:
    """The document's tree; a fault of any kind fails the test."""
    html5lib = pytest.importorskip("html5lib", reason="html5lib is not installed")
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def elements(tree: Any) -> list[Any]:
    """Every element, comments left out."""
    return [one for one in tree.iter() if isinstance(one.tag, str)]


def faults(text: str) -> list[str]:
    """What a reader would stumble over, in words."""
    tree = parsed(text)
    every = elements(tree)
    ids = Counter(one.get("id") for one in every if one.get("id"))
    said = [f"id {name} stands {n} times" for name, n in ids.items() if n > 1]
    for one in every:
        tag = one.tag.rpartition("}")[2]
        said += [f"{tag} runs something: {name}" for name in one.attrib if str(name).lower().startswith("on")]
        for name in ("href", "src", "srcset", "action", "data", "poster", "background", "formaction", "xlink:href"):
            value = one.get(name)
            if value is not None and (not value.startswith("#") or value[1:] not in ids):
                said.append(f"{tag} asks for {value}")
        for name in ("aria-labelledby", "aria-describedby"):
            said += [f"{name} names {ident}" for ident in one.get(name, "").split() if ident not in ids]
        if tag in ("script", "iframe", "object", "embed", "link", "base", "img", "form", "button"):
            said.append(f"there is a {tag}")
        if tag == "svg" and not (one.get("aria-hidden") or one.get("aria-labelledby") or one.get("aria-label")):
            said.append("a picture without an alternative")
        for value in one.attrib.values():
            if "url(" in value and "url(#" not in value:
                said.append(f"{tag} loads {value}")
    return said


def words(text: str) -> str:
    """All text of the body."""
    return " ".join("".join(parsed(text).find("body").itertext()).split())
