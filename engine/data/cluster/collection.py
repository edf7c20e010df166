"""From a Dask collection to rows that its workers keep: coded by a fixed recipe, packed, cut into blocks.

A digest stands for `ROWS` rows (`engine.data.digest`), so blocks are cut where those end: a block is a part of the
collection less what stands before the first such place in it, with what stands before the first one in the next part.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.cluster.pieces import Piece, coded, cut_off, installed_version, joined
from engine.data.cluster.store import ClusterStore, Rounds, WorkerWatch, check_scheduler, outcomes, settled
from engine.data.digest import ROWS
from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.report import ImportReport
from engine.data.stored.coding import Coder, check_no_subject, no_row_left
from engine.errors import InputError, SettingsError
from engine.execution import PATIENCE, Progress, part, silent

if TYPE_CHECKING:
    from distributed import Client, Future


def spread(
    frame: Any, recipe: FrameChoices, client: Client | None = None, progress: Progress = silent
) -> tuple[ClusterStore, ImportReport]:
    """Have the workers of a cluster code their rows and keep them."""
    coder = Coder(recipe)
    check_no_subject(recipe, "make the recipe without this role, or take the rows to a folder on disk.")
    connection = connected(client)
    parts = parts_of(frame, coder)
    from dask import delayed

    watch = WorkerWatch(connection)
    code = delayed(partial(coded, recipe=recipe), pure=False)
    rows = connection.compute([code(chunk) for chunk in parts])
    settled(connection, rows, part(progress, 0.0, 0.9), "coding parts of the collection", watch)
    tellings = outcomes(connection, connection.map(attrgetter("planes.n_rows", "tally"), rows, pure=False))
    sizes = [size for size, _ in tellings]
    report = coder.report([tally for _, tally in tellings])
    if not sum(sizes):
        raise no_row_left(report, "collection")
    blocks, heights = _blocks(connection, rows, sizes)
    settled(connection, blocks, part(progress, 0.9, 1.0), "blocks of rows", watch)
    marks = outcomes(connection, connection.map(attrgetter("mark"), blocks, pure=False))
    rounds = Rounds(connection, blocks, heights, marks, watch.lost)
    return ClusterStore.of(rounds, coder.stored, len(coder.arity)), report


def connected(client: Client | None) -> Client:
    """The client that is meant, after a look whether anybody is there."""
    try:
        from distributed import Client, default_client
    except ImportError:
        raise SettingsError('A Dask cluster needs one package more: pip install "diptych[cluster]".') from None
    if client is None:
        try:
            client = default_client()
        except ValueError:
            raise SettingsError(
                "There is no Dask client; make one first: client = distributed.Client(address of the scheduler).",
                setting="client",
            ) from None
    if not isinstance(client, Client) or client.asynchronous:
        raise SettingsError(
            f"client is {client!r}; give a client that waits for its answers: distributed.Client(address of the "
            "scheduler).",
            setting="client",
        )
    check_scheduler(client)
    end = time.monotonic() + PATIENCE
    while not client.nthreads():
        if time.monotonic() > end:
            raise SettingsError("The cluster has no workers; start some.", setting="client")
        time.sleep(0.1)
    _check_versions(client)
    return client


def _check_versions(client: Client) -> None:
    """Refuse workers that count with another Diptych than this one: their answers could be of another kind."""
    here = installed_version()
    try:
        found = set(client.run(installed_version).values())
    except Exception as error:  # they have none, or one that cannot say
        raise SettingsError(
            "The workers of the cluster need Diptych installed, in the version that is used here.", setting="client"
        ) from error
    if others := sorted(found - {here}):
        raise SettingsError(
            f"The workers of the cluster have Diptych {others[0]}, and {here} is used here; install one on all.",
            setting="client",
        )


def parts_of(frame: Any, coder: Coder) -> Sequence[Any]:
    """The parts of a collection, after a look at its columns where they are known."""
    from dask.delayed import Delayed
    from distributed import Future

    if hasattr(frame, "to_delayed") and hasattr(frame, "columns") and hasattr(frame, "npartitions"):
        coder.check([str(name) for name in frame.columns])
        parts = list(frame.to_delayed())
    elif isinstance(frame, list | tuple) and all(isinstance(item, Delayed | Future) for item in frame):
        parts = list(frame)
    else:
        remedy = "Dataset.from_frame takes a pandas table" if hasattr(frame, "iloc") else "see dask.dataframe"
        raise InputError(
            f"frame is a {type(frame).__name__}; it has to be a dask.dataframe, or a list of delayed pandas tables or "
            f"futures of such ({remedy})."
        )
    if not parts:
        raise InputError("The collection has no parts, so there is nothing to count.")
    return parts


def _blocks(client: Client, rows: Sequence[Future], sizes: Sequence[int]) -> tuple[list[Future], list[int]]:
    """Blocks that end where digests do, and how many rows each has."""
    ends = np.cumsum([0, *sizes]).tolist()
    borders = sorted({min(-(-end // ROWS) * ROWS, ends[-1]) for end in ends})
    blocks = []
    for begin, end in pairwise(borders):
        first, *others = [k for k, size in enumerate(sizes) if size and ends[k] < end and ends[k + 1] > begin]
        pieces = [Piece(max(begin - ends[k], 0), min(end, ends[k + 1]) - ends[k], sizes[k]) for k in (first, *others)]
        more = [client.submit(cut_off, rows[k], piece, pure=False) for k, piece in zip(others, pieces[1:], strict=True)]
        blocks.append(client.submit(joined, rows[first], pieces[0], more, pure=False))
    return blocks, np.diff(borders).tolist()
