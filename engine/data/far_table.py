"""Ways to a data set whose rows are not in memory: on disk, or on the workers of a cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

from engine.data.cluster.collection import spread
from engine.data.coded_table import CodedTable
from engine.data.preparing.choices import FrameChoices, roles_with
from engine.data.preparing.report import ImportReport
from engine.data.store import Store
from engine.data.stored.coding import frozen
from engine.data.stored.folder import path_of
from engine.data.stored.manifest import open_store, read_manifest
from engine.data.stored.parquet import stream
from engine.errors import DataError
from engine.execution import Progress, as_progress, silent

if TYPE_CHECKING:
    from distributed import Client


class FarTable(CodedTable):
    """A table that can be counted wherever its rows are; `engine.Dataset` is this with the ways in from pandas."""

    @classmethod
    def from_dask(
        cls, frame: Any, recipe: FrameChoices, client: Client | None = None, *, progress: Progress = silent
    ) -> Self:
        """Leave the rows of a Dask collection on the workers of its cluster, which count them for every search.

        The workers code their parts with the recipe and keep them as bit planes, some bits a value. A step of a search
        sends them one question and gets sums back, so the answers have the bits of one machine, also where a worker
        dies: its rows are made again from the collection. Rows that are not known whole are left out (`report`).
        What looks at rows one by one refuses; take a sample with `rows`, whose `origin` is their place among the rows
        that are kept, not in the collection. Blocks are of 65,536 rows or more and no worker shares one, so a
        collection wants a part a thread of the workers at least. The workers keep the rows until the data set goes, or
        `close`.

        **Data of patients** go where this client's workers are, and nowhere else; Dask itself encrypts only where the
        cluster is set up with TLS.

        Parameters
        ----------
        frame : a dask.dataframe, or a list of delayed pandas tables or futures of such; with the same rows each time
        recipe : with levels and cut points fixed: `recipe` of a data set that was made of a sample
        client : `distributed.Client` of the cluster; the one made last where None. Workers need Diptych installed
        progress : told how many parts are done

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : no Dask collection, a recipe that is not fixed, a column that is not there, no row left
        SettingsError : there is no client, no scheduler or no worker
        """
        return cls._coded_by(recipe, *spread(frame, recipe, client, as_progress(progress)))

    @classmethod
    def from_parquet(
        cls,
        path: str | os.PathLike[str],
        recipe: FrameChoices,
        *,
        folder: str | os.PathLike[str],
        keep: bool = False,
        progress: Progress = silent,
    ) -> Self:
        """Leave the rows of Parquet files on disk, however many they are, and count them there.

        The rows are coded some at a time and written to a folder as bit planes, some bits a value. Every score, search
        and method that only counts works on them as on a table in memory, block by block, with the same bits. Rows that
        are not known whole are left out (`report`). What looks at rows one by one refuses; take a sample with `rows`,
        whose `origin` is their place among the rows that are kept, not in the files.

        The folder is for its owner only (mode 0700) and goes with the data set, at the end of the process at the
        latest, or with `close`; a process that is killed leaves it behind. The files are read in this process, not in
        one of their own as `engine.read_table` does: give only files that you trust.

        Parameters
        ----------
        path : of a Parquet file, or of a folder of them, which are read in the order of their names
        recipe : with levels and cut points fixed: `recipe` of a data set that was made of a sample
        folder : where the rows are written; empty, or not there yet
        keep : leave the folder there, for `open_stored`
        progress : told how many rows are read, and how long it will take

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : files or folder that cannot be used, a recipe that is not fixed, a column that is not there, no room
            on the disk, no row left
        """
        return cls._coded_by(recipe, *stream(path, recipe, folder, keep=keep, progress=as_progress(progress)))

    @classmethod
    def open_stored(cls, folder: str | os.PathLike[str]) -> Self:
        """The data set that `from_parquet` left in a folder; every byte of it is looked at.

        Parameters
        ----------
        folder : that was kept

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : there is none, or it is damaged
        """
        place = path_of(folder, "folder is that of a table that from_parquet kept (keep=True); give its path.")
        found = read_manifest(place)
        try:
            recipe = FrameChoices.from_dict(found.recipe)
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            raise DataError(f"The recipe in '{place.name[:60]}' is damaged; read the table again.") from error
        frozen(recipe)
        if tuple(len(column.levels) for column in recipe.columns) != found.layout.arity:
            raise DataError(f"'{place.name[:60]}' is damaged: its rows are not of its recipe; read the table again.")
        return cls._coded_by(recipe, open_store(place, found), found.report)

    def close(self) -> None:
        """Give back what rows that are not in memory take: a folder that is not kept, or what workers hold."""
        self.store.close()

    @classmethod
    def _coded_by(cls, recipe: FrameChoices, store: Store, report: ImportReport) -> Self:
        """The data set of rows that are somewhere and were coded by a fixed recipe."""
        columns = {column.name: column for column in recipe.columns}
        return cls._over(
            store,
            columns,
            {name: column.levels for name, column in columns.items()},
            {name: column.kind for name, column in columns.items()},
            cuts={name: column.cuts for name, column in columns.items() if column.cuts},
            report=report,
            roles=roles_with(recipe.roles, columns),
            made_by=recipe,
        )
