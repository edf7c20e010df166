"""How Sphinx builds the guide: `python -m sphinx -W docs FOLDER`. The program reads the same pages."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

from docutils import nodes
from markupsafe import Markup

import engine
from dashboard import guide

project = "Diptych"
version = release = engine.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.doctest", "numpydoc"]
root_doc = guide.CONTENTS
exclude_patterns = ["_build", "api"]
REFERENCE = "reference"
"""The page of the package's public names, which this file writes."""

html_theme = "furo"
html_title = "Diptych"
html_show_sphinx = html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_show_search_summary = False  # a browser may not read other files for it, where pages are files
html_theme_options = {"footer_icons": []}
templates_path = ["templates"]

myst_heading_anchors = 4
myst_heading_slug_func = "dashboard.guide.slug"

default_role = "code"  # docstrings write `names` as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc lists the parameters
numpydoc_show_class_members = False
doctest_test_doctest_blocks = (
    ""  # of the pages alone; tests/test_examples.py runs those of docstrings, in their modules
)


def prepare_page(app: Any, name: str, source: list[str]) -> None:
    """Put in the list of pages, the terms and the public names; links that leave the guide become words."""
    if name == REFERENCE:
        source[0] += reference()
        return
    page = Path(app.srcdir, f"{name}.md")
    source[0] = guide.change_links(guide.page_text(guide.page_name(page)), lambda target: kept_link(page, target))
    if name == root_doc:
        source[0] += "\n".join(map(toctree_of, guide.contents()))


def kept_link(page: Path, target: str) -> str:
    """A link within the guide as it stands; "" for one that leaves it."""
    return target if target.startswith("#") or guide.file_of_link(page, target) else ""


def toctree_of(section: str) -> str:
    """A section of the list of pages as Sphinx wants it; the reference comes last in that for programmers."""
    files = {
        guide.page_files()[name].relative_to(guide.FOLDER): title for name, title in guide.contents()[section].items()
    }
    names = [f"{title} <{file.with_suffix('').as_posix()}>" for file, title in files.items()]
    names += [REFERENCE] if "programmers" in section else []
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {section}", "", *names, "```", ""])


def faces() -> list[ModuleType]:
    """The package, and the modules that are public in it."""
    modules = (getattr(engine, name) for name in engine.__all__)
    return [engine, *(one for one in modules if isinstance(one, ModuleType))]


def reference() -> str:
    """All public names with their docstrings, as reStructuredText; each below the first module that has it."""
    lines, seen = [], set()
    for face in faces():
        lines += ["", face.__name__, "-" * len(face.__name__), ""]
        for name in sorted(names_of(face), key=str.lower):
            thing = getattr(face, name)
            if callable(thing) and thing not in seen:
                seen.add(thing)
                kind = "autoclass" if isinstance(thing, type) else "autofunction"
                lines += [f".. {kind}:: {face.__name__}.{name}", *["   :members:"] * (kind == "autoclass"), ""]
    lines += ["", "Results", "-------", "", "What a method or a comparison gives; they are made by these only.", ""]
    for run in (*(one.run for one in engine.METHODS.values()), engine.InstanceSpecific.run_cohort, engine.compare):
        given = get_type_hints(run)["return"]
        for result in get_args(given) or (given,):
            own = f"{result.__module__}.{result.__name__}"
            lines += [f".. autoclass:: {own}", "   :members:", "   :inherited-members:", ""]
    return "\n".join(lines)


def names_of(face: ModuleType) -> list[str]:
    """The public names of a module; of one that lists none, its own functions."""
    own = (name for name, one in inspect.getmembers(face, inspect.isfunction) if one.__module__ == face.__name__)
    return list(getattr(face, "__all__", None) or (name for name in own if not name.startswith("_")))


def separate_names(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Parameters stand as "name : meaning" in our docstrings; numpydoc takes what stands there for a type."""
    lines[:] = [part for line in lines for part in re.sub(r"^([\w*, ]+) : (.*)$", r"\1\n    \2", line).split("\n")]


def mark_examples(app: Any, tree: nodes.document) -> None:
    """Blocks of a page that begin with a prompt are examples, which the doctest builder runs."""
    for block in tree.findall(nodes.literal_block):
        if block.astext().startswith(">>>"):
            block["testnodetype"], block["groups"] = "doctest", ["default"]


def add_to_template(app: Any, name: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """What `templates/page.html` calls: the theme's footer keeps the name of the theme, without a link to elsewhere."""
    link = re.compile(r'<a [^>]*href="http[^>]*>(.*?)</a>')
    context["without_links_out"] = lambda html: Markup(link.sub(r"\1", html))  # noqa: S704 - of the theme


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("source-read", prepare_page)
    app.connect("autodoc-process-docstring", separate_names, priority=100)  # before numpydoc
    app.connect("doctree-read", mark_examples)
    app.connect("html-page-context", add_to_template)
