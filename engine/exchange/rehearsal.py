"""A large file of a network is read twice: first in a process that may die, then here if that one lived.

A graph cannot come over from another process as a table can, and to write it out and read it in again would be to
trust the same parser once more. What a rehearsal costs (a fork and networkx) is spent only on files from 64 kB on: in
a smaller one nothing can be large or deep enough to bring a parser down, since each of the three bounds its depth.
"""

from __future__ import annotations

from typing import Any

from engine.data.reading.decoding import find_encoding
from engine.data.reading.foreign import ReaderChannel, read_foreign
from engine.data.reading.limits import Limits
from engine.exchange.bif import from_bif
from engine.exchange.graph_json import from_json
from engine.exchange.graphml_reader import from_graphml

SMALL = 64_000
"""Bytes up to which a file is read at once."""
_JOB = "engine.exchange.rehearsal:rehearsal_job"


def rehearse(content: bytes, kind: str) -> None:
    """Read a large file of this kind ("json", "bif" or "graphml") where nothing is lost if that fails."""
    if len(content) > SMALL:
        read_foreign(_JOB, content, {"kind": kind}, Limits())


def rehearsal_job(
    data: bytes, options: dict[str, Any], limits: Limits, channel: ReaderChannel
) -> tuple[None, dict[str, Any]]:
    """What the process that reads does; the graph is thrown away."""
    channel.kind("network file")
    if options["kind"] == "graphml":
        from_graphml(data)
    else:
        (from_json if options["kind"] == "json" else from_bif)(network_text(data))
    return None, {}


def network_text(content: bytes) -> str:
    """The file as text, in the encoding that it is in."""
    return content.decode(find_encoding(content).name)
