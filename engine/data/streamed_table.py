"""The ways in of rows that memory need not hold: from files, batches, a database or a cluster, coded some at a time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from engine.data.cluster.collection import spread
from engine.data.coded_table import CodedTable
from engine.data.fine_codes import FineCodes
from engine.data.preparing.choices import FrameChoices, roles_with
from engine.data.preparing.report import ImportReport
from engine.data.store import Store
from engine.data.stored.batches import Batches, query_batches
from engine.data.stored.coding import Coder, frozen
from engine.data.stored.csv_file import CsvFile
from engine.data.stored.folder import path_of
from engine.data.stored.manifest import open_store, read_manifest
from engine.data.stored.parquet import ParquetFiles
from engine.data.stored.sources import RowSource
from engine.data.stored.streaming import fix, missing_tokens, stream
from engine.data.subjects import CountedSubjects
from engine.errors import InputError
from engine.execution import Progress, as_progress, part, silent
from engine.words import short

if TYPE_CHECKING:
    from distributed import Client


@dataclass(frozen=True, eq=False, repr=False)
class StreamedTable(CodedTable):
    """A coded table with its ways in from where rows come some at a time; `engine.Dataset` is this with pandas' own."""

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
        recipe: FrameChoices | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        keep: bool = False,
        progress: Progress = silent,
    ) -> Self:
        """Code Parquet files some rows at a time, however many they are, and leave the rows on disk, to be counted.

        The rows are written to a folder as bit planes, some bits a value. Every score, search and method that only
        counts works on them as on a table in memory, block by block, with the same bits. Rows that are not known whole
        are left out (`report`). What looks at rows one by one refuses; take a sample with `rows`, whose `origin` is
        their place among the rows that are kept, not in the files. Without a folder the planes stay in memory, up to
        half a gigabyte.

        The folder is for its owner only (mode 0700) and goes with the data set, at the end of the process at the
        latest, or with `close`; a process that is killed leaves it behind. The files are read in this process, not in
        one of their own as `engine.read_table` does: give only files that you trust.

        Parameters
        ----------
        path : of a Parquet file, or of a folder of them, which are read in the order of their names; folders in it
            called "column=value" are read too, as a column
        recipe : choices; where its levels are not fixed yet, a pass over all rows before the one that codes them fixes
            them (see `Recipe.from_parquet`)
        folder : where the rows are written; empty, or not there yet
        keep : leave the folder there, for `open_stored`
        progress : told how many rows are read, and how long it will take

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : files or folder that cannot be used, files of different columns or that change meanwhile, a choice
            that does not fit, a column that is not there, no room, no row left

        Examples
        --------
        >>> import engine, sample_data
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as place:
        ...     file = Path(place, "everybody.parquet")
        ...     sample_data.load("two_hospitals").to_parquet(file)
        ...     engine.Dataset.from_parquet(file).shape
        (1200, 11)
        """
        choices = _fixed_or_not(recipe)
        needed = choices.needed_columns() if choices.columns else None
        source = ParquetFiles(path, missing_tokens(choices), needed)
        return cls._streamed(source, choices, folder, keep, as_progress(progress))

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        recipe: FrameChoices | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        keep: bool = False,
        progress: Progress = silent,
    ) -> Self:
        """Code a text table of any size some lines at a time, as `from_parquet` codes Parquet files.

        Separator, encoding, decimal mark and header are found in the first lines, as `engine.read_table` finds them;
        `reading` of the recipe may say them. Lines have to be regular: equally many cells in each, and no line break
        inside a cell.

        Parameters
        ----------
        path : of a CSV file or its kin, which may be packed (.gz)
        recipe, folder, keep, progress : as `from_parquet` takes them

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : as `from_parquet`; lines that are not regular

        Examples
        --------
        >>> import engine, sample_data
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as place:
        ...     file = Path(place, "everybody.csv")
        ...     sample_data.load("two_hospitals").to_csv(file, index=False)
        ...     engine.Dataset.from_csv(file).shape
        (1200, 11)
        """
        choices = _fixed_or_not(recipe)
        return cls._streamed(CsvFile(path, choices), choices, folder, keep, as_progress(progress))

    @classmethod
    def from_batches(
        cls,
        batches: Any,
        recipe: FrameChoices | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        keep: bool = False,
        progress: Progress = silent,
    ) -> Self:
        """Code rows that come in batches, as `from_parquet` codes Parquet files.

        Parameters
        ----------
        batches : arrow batches or tables, or pandas tables, of the same columns; an iterator of them where the levels
            of the recipe are fixed, else a list, or a function that gives an iterator each time it is called
        recipe, folder, keep, progress : as `from_parquet` takes them

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : as `from_parquet`; batches of different columns, or of other rows the second time

        Examples
        --------
        >>> import engine, sample_data
        >>> table = sample_data.load("two_hospitals")
        >>> engine.Dataset.from_batches([table[:200], table[200:]]).shape
        (1200, 11)
        """
        choices = _fixed_or_not(recipe)
        source = Batches(batches, "batches", missing_tokens(choices))
        return cls._streamed(source, choices, folder, keep, as_progress(progress))

    @classmethod
    def from_sql(
        cls,
        connection: Any,
        query: str,
        recipe: FrameChoices | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        keep: bool = False,
        progress: Progress = silent,
    ) -> Self:
        """Code the rows that a query of a database gives, as `from_parquet` codes Parquet files.

        The query is run once where the levels of the recipe are fixed, else twice. A query whose words could change
        something is refused; a function that writes is not seen, so give a connection that may only read.

        Parameters
        ----------
        connection : an open one of DuckDB or ADBC (rows come as arrow batches), or of another DB-API module (sqlite3)
        query : one SELECT
        recipe, folder, keep, progress : as `from_parquet` takes them

        Returns
        -------
        Dataset

        Raises
        ------
        DataError : as `from_parquet`; a query that writes, or that the database refuses

        Examples
        --------
        >>> import engine, sample_data, sqlite3
        >>> connection = sqlite3.connect(":memory:")
        >>> sample_data.load("two_hospitals").astype(str).to_sql("patients", connection, index=False)
        1200
        >>> engine.Dataset.from_sql(connection, "SELECT * FROM patients WHERE hospital = 'North'").n_variables > 5
        True
        """
        choices = _fixed_or_not(recipe)
        source = Batches(query_batches(connection, query), "query", missing_tokens(choices))
        return cls._streamed(source, choices, folder, keep, as_progress(progress))

    @classmethod
    def _streamed(cls, source: RowSource, choices: FrameChoices, folder: Any, keep: bool, progress: Progress) -> Self:
        """The data set of a source's rows; levels that are not fixed are found in a pass of their own."""
        counted = None
        if not choices.columns:
            counted = fix(source, choices, part(progress, 0.0, 0.5))
            choices, progress = counted.choices, part(progress, 0.5, 1.0)
        return cls._coded_by(choices, *stream(source, choices, folder, keep=keep, progress=progress, counted=counted))

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
        result = read_manifest(place)
        try:
            recipe = FrameChoices.from_dict(result.recipe)
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            raise InputError(f"The recipe in '{short(place.name, 60)}' is damaged; read the table again.") from error
        if tuple(Coder(recipe).stored.tolist()) != result.layout.arity:
            raise InputError(
                f"'{short(place.name, 60)}' is damaged: its rows are not of its recipe; read the table again."
            )
        return cls._coded_by(recipe, open_store(place, result, len(recipe.columns)), result.report)

    def close(self) -> None:
        """Give back what rows that are not in memory take: a folder that is not kept, or what workers hold."""
        self.store.close()

    @classmethod
    def _coded_by(
        cls, recipe: FrameChoices, store: Store, report: ImportReport, subjects: CountedSubjects | None = None
    ) -> Self:
        """The data set of rows that are somewhere and were coded by a fixed recipe."""
        columns = {column.name: column for column in recipe.columns}
        return cls(
            tuple(columns),
            {name: column.levels for name, column in columns.items()},
            {name: column.kind for name, column in columns.items()},
            store,
            cuts={name: column.cuts for name, column in columns.items() if column.cuts},
            report=report,
            roles=roles_with(recipe.roles, columns),
            made_by=recipe,
            subjects=subjects,
            units=recipe.units_known,
            fine=None if store.beside is None else FineCodes.of(store.beside, recipe.columns),
        )


def _fixed_or_not(recipe: Any) -> FrameChoices:
    """The choices of a recipe, which may be left out or have no levels yet; none that take all rows at once."""
    if recipe is None or (isinstance(recipe, FrameChoices) and not recipe.columns):
        return recipe or FrameChoices()
    frozen(recipe)
    result: FrameChoices = recipe
    return result
