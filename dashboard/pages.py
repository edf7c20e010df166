"""The one list of the methods' pages: icon, words of links and buttons, page file.

Navigation, start, samples, data and evaluation go through it. A further method is an entry here and a line in
`engine.methods.registry`; without the entry here it gets a page made of its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.caches import cached
from dashboard.session.masking import smallest_cell
from engine.comparison.difference import Compare
from engine.methods.registry import METHODS

if TYPE_CHECKING:
    from engine import Dataset
    from engine.methods.method import Method

GENERIC = "app_pages/method.py"
"""The page of a method that has none of its own; it shows the sections of the answer."""


@dataclass(frozen=True)
class MethodPage:
    """One method on screen. What it does with an answer stands in its page file, which is loaded when it is visited.

    Attributes
    ----------
    slug : of the method, in `engine.methods.registry.METHODS`
    icon : beside its name in the navigation
    action : the button that runs it
    link : where the data page leads to it
    question, detail, paper : the card on the start page
    begins : setting -> the value its form begins with here, in place of what the method proposes
    warm : further uses of an answer that the page makes by itself, to have loaded what they need beforehand
    picture : beside its question on the start page, of `dashboard.charts.start_pictures`
    file : the page file, as Streamlit takes it
    name : in the navigation, of a page that is no method's
    people : what it shows is about single people
    groups : the same can be asked of each group of a column, and their links be compared
    """

    slug: str
    icon: str
    action: str
    link: str
    question: str
    detail: str
    paper: str
    begins: Mapping[str, Any] = field(default_factory=dict)
    warm: Callable[[Any, Dataset], object] | None = None
    picture: str = ""
    file: str = GENERIC
    name: str = ""
    people: bool = False
    groups: bool = False

    @property
    def title(self) -> str:
        """In the navigation."""
        return self.name or self.method.title

    @property
    def method(self) -> type[Method]:
        """The method."""
        return METHODS[self.slug]

    def fits(self, data: Dataset) -> bool:
        """True where the method has anything to say of this table."""
        return not (self.people and smallest_cell()) and not cached(data, self.method.unfit)


METHOD_PAGES: dict[str, MethodPage] = {
    item.slug: item
    for item in (
        MethodPage(
            slug="group_difference",
            icon=":material/compare:",
            action="Compare the groups",
            link="Compare two groups",
            question="Which variables differ between two groups?",
            detail="How probable a difference is for each variable, where it lies, and how large it is.",
            paper="Sverchkov and Cooper 2015",
            picture="two networks",
            file="app_pages/group_difference.py",
        ),
        MethodPage(
            slug="instance_specific",
            icon=":material/person_search:",
            action="Learn the networks",
            link="Look at one patient",
            question="What is unusual about one patient?",
            detail="A network for one patient, next to the network for everybody.",
            paper="Jabbari, Visweswaran and Cooper 2018",
            picture="one person",
            file="app_pages/instance_specific.py",
            people=True,
        ),
        MethodPage(
            slug="log_linear",
            icon=":material/hub:",
            action="Find the links",
            link="Find direct associations",
            question="Which of many associations are direct?",
            detail="The few direct ones among hundreds of variables.",
            paper="Petitjean, Allison and Webb 2014",
            begins={"joint": True},
            warm=lambda result, data: result.what_if(data, *data.names[:2]),
            groups=True,
            picture="a chain",
            file="app_pages/log_linear.py",
        ),
        MethodPage(
            slug="discriminative",
            icon=":material/call_split:",
            action="Learn the class networks",
            link="Separate two classes",
            question="What tells classes apart: ill or not?",
            detail="A network for each class, and how well the two classify a new subject: of series, or of rows.",
            paper="Burge and Lane 2005",
            picture="two classes",
            file="app_pages/discriminative.py",
        ),
        MethodPage(
            slug="ordinal",
            icon=":material/linear_scale:",
            action="Learn the network",
            link="See how ratings are linked",
            question="How are ordered ratings linked?",
            detail="A network that uses the order of the steps, and how sure each of its links is.",
            paper="Luo, Moffa and Kuipers 2021",
            warm=lambda result, data: result.edge_table(),
            groups=True,
            picture="ordered steps",
            file="app_pages/ordinal.py",
        ),
    )
}
"""Slug -> page, of the methods that have one of their own."""

COMPARE = MethodPage(
    slug=Compare.slug,
    icon=":material/compare_arrows:",
    action="Compare",
    link="Compare two results",
    question=Compare.question,
    detail="Any two results beside each other: which links differ, with sign and interval.",
    paper="",
    file="app_pages/compare.py",
    name="Compare",
)
"""The page of comparisons: their answers are cards like those of methods, but they are asked of answers."""


def method_pages() -> list[MethodPage]:
    """Every method's page, in the order of the registry."""
    return [method_page(slug) for slug in METHODS]


def method_page(slug: str) -> MethodPage:
    """The page on which an answer of this slug is shown: a method's own, or one made of its own words."""
    if slug == COMPARE.slug:
        return COMPARE
    return METHOD_PAGES.get(slug) or generic_page(METHODS[slug])


def page_title(slug: str) -> str:
    """Title of the page of an answer of this slug."""
    return method_page(slug).title


def generic_page(method: type[Method]) -> MethodPage:
    """The page of a method that nobody wrote one for: all its words are the method's own."""
    return MethodPage(
        slug=method.slug,
        icon=":material/analytics:",
        action="Run it",
        link=method.title,
        question=method.question,
        detail=f"{method.title}.",
        paper=method.paper,
    )


def address(page: MethodPage) -> Any:
    """The page as Streamlit's navigation, links and switches take it."""
    return st.Page(page.file, title=page.title, icon=page.icon, url_path=page.slug)
