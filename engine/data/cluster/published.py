"""Rows that workers keep under a name, so that every process that connects to their scheduler can ask them."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from engine.data.cluster.collection import connected, spread
from engine.data.cluster.store import ClusterStore, Rounds, WorkerWatch
from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.report import ImportReport
from engine.data.stored.parquet import ParquetFiles
from engine.errors import InputError, SettingsError
from engine.execution import Progress

if TYPE_CHECKING:
    from distributed import Client, Future

PATIENCE = 5.0
"""Seconds in which a scheduler has to answer."""
_clients: dict[tuple[int, str], Client] = {}
_lock = threading.Lock()


def connect(address: str) -> Client:
    """This process's client of a scheduler.

    Parameters
    ----------
    address : of the scheduler, such as "tcp://10.0.0.5:8786"

    Raises
    ------
    SettingsError : nobody answers there, or no scheduler; Dask is not installed; there are no workers, or others' ones
    """
    key = os.getpid(), address  # a process that was forked has its parent's clients, which do not work there
    with _lock:
        client = _clients.get(key)
        if client is not None and client.status == "running":
            return client
        client = _answering(address)
        try:
            connected(client)
        except BaseException:
            client.close()
            raise
        _clients[key] = client
        return client


def _answering(address: str) -> Client:
    """A client, where a scheduler answers in time.

    It is asked before a client is made: Dask's own waits for ever for some that are none, and one that was made in
    vain, when it is collected while another is started, waits for a lock that its own thread holds.
    """
    try:
        from distributed import Client, rpc
    except ImportError:
        raise SettingsError('A Dask cluster needs one package more: pip install "diptych[cluster]".') from None

    async def ask() -> None:
        async with rpc(address, timeout=PATIENCE) as scheduler:
            await asyncio.wait_for(scheduler.identity(), PATIENCE)

    try:
        asyncio.run(ask())
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception:  # whatever answers there: Dask has errors of many types
        raise SettingsError(
            "The cluster does not answer, or what answers at its address is no Dask scheduler."
        ) from None


class PublishedRounds(Rounds):
    """Blocks of rows that were published under a name.

    Parameters
    ----------
    address : of the scheduler
    name : of the blocks there
    rounds : that were published
    digests, variables : see `Rounds`
    """

    published: ClassVar[bool] = True

    def __init__(self, address: str, name: str, rounds: Rounds, digests: bytes, variables: int) -> None:
        self.address, self.name = address, name
        self.marks, self.sizes = rounds.marks, rounds.sizes
        self.asked, self.lost = 0, rounds.lost
        self._watch: WorkerWatch | None = None
        self.known_digests, self.variables = digests, variables

    @property
    def client(self) -> Client:  # type: ignore[override]
        """This process's own."""
        return connect(self.address)

    @cached_property
    def blocks(self) -> list[Future]:  # type: ignore[override]
        """The blocks, as this process's client knows them."""
        try:
            return list(self.client.get_dataset(self.name))
        except KeyError:
            raise InputError("The cluster does not hold the rows of this table any more; open it again.") from None

    def adopt(self) -> None:
        """The workers forget the rows when this object goes."""
        self._release = weakref.finalize(self, _unpublish_aside, os.getpid(), self.address, self.name)
        self._watch = WorkerWatch(self.client)

    def close(self) -> None:
        """Let the workers forget the rows."""
        unpublish(os.getpid(), self.address, self.name)
        self.__dict__["blocks"] = []

    def count_lost(self) -> int:
        """Number of workers lost since the rows came there, as far as this process has seen."""
        if self._watch is not None and self._watch.client.status == "running":
            self._watch.look()
            return self.lost + self._watch.lost
        return self.lost

    def __getstate__(self) -> dict[str, Any]:
        own = {name: value for name, value in self.__dict__.items() if name not in ("blocks", "_release")}
        return own | {"_watch": None}


def unpublish(process: int, address: str, name: str) -> None:
    """Let a scheduler forget what was published, where it still answers the process that asks."""
    client = _clients.get((os.getpid(), address))
    if process != os.getpid() or client is None or client.status != "running":
        return
    with suppress(Exception):  # the scheduler is gone, and with it what it held
        client.unpublish_dataset(name)


def _unpublish_aside(process: int, address: str, name: str) -> None:
    """`unpublish` in a thread of its own: an object goes in any thread, that of the client among them."""
    threading.Thread(target=unpublish, args=(process, address, name), name="diptych-cluster", daemon=True).start()


def publish_parquet(
    source: ParquetFiles, recipe: FrameChoices, address: str, name: str, progress: Progress
) -> tuple[ClusterStore, ImportReport]:
    """Have the workers of a scheduler read Parquet files, code their rows and keep them under a name.

    Parameters
    ----------
    source : the files, which the workers see at the same path
    recipe : with levels and cut points fixed
    address : of the scheduler
    name : for the rows there, which nobody else has
    progress : told how many parts are done
    """
    client = connect(address)
    from dask import delayed

    read = delayed(ParquetFiles.part, pure=False)
    columns = recipe.needed_columns()
    parts = [read(source, place, groups, columns) for place, groups in source.parts()]
    store, report = spread(parts, recipe, client, progress)
    every = len(store.arity)
    rounds = PublishedRounds(address, name, store.rounds, store.digests(), every)
    client.publish_dataset(store.rounds.blocks, name=name)
    stored = store.arity if store.beside is None else store.beside.arity
    return ClusterStore.of(rounds, stored, every), report
