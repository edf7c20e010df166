"""The parts of an answer, in the order in which pages, reports and notebooks show them."""

from __future__ import annotations

from dataclasses import dataclass

METHOD_TITLE = "How this is computed, and with which settings"
"""Heading of the section "method" of most answers."""


@dataclass(frozen=True)
class Section:
    """A part of an answer as pages, reports and notebooks show it, in order.

    Attributes
    ----------
    name : what views know it by
    title : its heading
    sentences : what it says
    tables : titles of its tables, as `Result.table` takes them
    figures : names of its figures; "networks" are those of `Result.graphs`
    networks : how many of these, the first, a document pictures; None for all
    """

    name: str
    title: str
    sentences: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    networks: int | None = None
