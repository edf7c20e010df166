"""Rows on a cluster: the same answers to the last bit, also when a worker dies, and one sentence a fault."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.cluster import collection, store
from engine.data.cluster.store import ClusterStore
from engine.data.digest import ROWS
from engine.data.store import Block
from tests.engine.make import random_data

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

SIZES = [20_000, 80_000, 0, 31_000, 5_000, 10_000]
"""Rows of the parts: small ones, an empty one, one that is longer than a digest stands for."""


def quiet(**how: Any) -> Any:
    """A cluster on this machine that writes nothing and shows nothing."""
    return distributed.LocalCluster(
        threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL, memory_limit=0, **how
    )


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """Rows of a network with 9 variables; some lack a value."""
    frame = random_data(sum(SIZES), 9, 12, seed=4).to_frame()
    frame.loc[frame.index[::1013], "v03"] = None
    return frame


@pytest.fixture(scope="module")
def recipe(table: pd.DataFrame) -> engine.Recipe:
    """Fixed by the whole table."""
    return engine.Dataset.from_frame(table, kinds=dict.fromkeys(table.columns, "nominal")).recipe


@pytest.fixture(scope="module")
def whole(table: pd.DataFrame, recipe: engine.Recipe) -> engine.Dataset:
    """The same rows in memory."""
    return recipe.apply(table)


@pytest.fixture(scope="module")
def files(table: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts as Parquet files."""
    folder = tmp_path_factory.mktemp("parts")
    ends = np.cumsum([0, *SIZES])
    for k, size in enumerate(SIZES):
        table[ends[k] : ends[k] + size].to_parquet(folder / f"part.{k}.parquet")
    return folder


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two workers, each a process of its own; none is left at the end."""
    import dask

    dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})  # else one that was killed is sent away later
    with pytest.MonkeyPatch.context() as patch:
        # A new process first runs the file of __main__; a page tested earlier in this process left its script there.
        patch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))
        started = quiet(n_workers=2, host="127.0.0.1", local_directory=str(tmp_path_factory.mktemp("workers")))
        with started as cluster, distributed.Client(cluster, set_as_default=False) as one:
            one.wait_for_workers(2, timeout=60)
            yield one
            last = list(one.run(os.getpid).values())
    assert not [pid for pid in last if Path(f"/proc/{pid}").exists() and not zombie(pid)]


def zombie(pid: int) -> bool:
    """Whether a process has ended and only its parent has not looked yet."""
    return ") Z " in Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")


def parts(files: Path) -> list[Any]:
    """The parts as delayed tables: read on the workers."""
    from dask import delayed

    read = delayed(pd.read_parquet, pure=False)
    return [read(files / f"part.{k}.parquet") for k in range(len(SIZES))]


@pytest.fixture(scope="module")
def far(client: Any, files: Path, recipe: engine.Recipe) -> Iterator[engine.Dataset]:
    """The rows on the workers."""
    data = engine.Dataset.from_dask(parts(files), recipe, client)
    yield data
    data.close()


SEARCHES: dict[str, Callable[[engine.Dataset], Any]] = {
    "thick thinning, K2": lambda data: engine.learn(data, engine.K2(), "thick_thinning"),
    "hill climbing, BDeu": lambda data: engine.learn(data, engine.BDeu(1.0), "hill_climbing"),
    "GES": lambda data: engine.learn(data, engine.BDeu(1.0), "ges"),
    "PC, chi-squared": lambda data: engine.learn(data, search="pc", test="chi_squared"),
}


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_finds_the_same(search: str, far: engine.Dataset, whole: engine.Dataset) -> None:
    """Counts add, so the rows may be anywhere."""
    here, there = SEARCHES[search](whole), SEARCHES[search](far)
    assert sorted(there.edges) == sorted(here.edges) and here.number_of_edges()


def test_scores_have_the_same_bits(far: engine.Dataset, whole: engine.Dataset) -> None:
    """Of a network whose families are dense and sparse."""
    graph = engine.learn(whole, engine.BDeu(1.0), "hill_climbing")
    for child in whole.names[5:]:
        for parent in whole.names[: whole.names.index(child)]:
            graph.add_edge(parent, child)
    graph.remove_edges_from([edge for edge in list(graph.edges) if edge[0] >= edge[1]])
    for score in (engine.K2(), engine.BDeu(1.0)):
        assert engine.log_score(far, graph, score).tolist() == engine.log_score(whole, graph, score).tolist()


def test_the_log_linear_analysis_is_the_same(far: engine.Dataset, whole: engine.Dataset) -> None:
    """Its document, numbers and all."""
    here, there = engine.LogLinear().run(whole), engine.LogLinear().run(far)
    assert there.document() == here.document()


def test_the_comparison_of_two_groups_is_the_same(far: engine.Dataset, whole: engine.Dataset) -> None:
    """Each block is asked for its part of either group."""
    method = engine.GroupDifference("v00", groups=(whole.levels["v00"][0],))
    here, there = (
        replace(result, made=replace(result.made, rows=()), left_out="")
        for result in (method.run(whole), method.run(far))
    )
    assert there.to_json() == here.to_json()


def test_the_rows_are_those_of_the_table(far: engine.Dataset, whole: engine.Dataset) -> None:
    """Shape, digest, rows, a selection of variables; and where they are."""
    assert far.shape == whole.shape and not far.in_memory and isinstance(far.store, ClusterStore)
    assert far.fingerprint == whole.fingerprint
    which = np.array([140_000, 3, 70_000, 3, len(whole) - 1])
    assert np.array_equal(far.rows(which).codes, whole.rows(which).codes)
    pd.testing.assert_frame_equal(far.head(), whole.head())
    some = ["v05", "v01", "v07"]
    assert far.select(some).fingerprint == whole.select(some).fingerprint
    assert np.array_equal(far.select(some).rows(which).codes, whole.select(some).rows(which).codes)


def test_the_report_tells_of_rows_that_were_left_out(far: engine.Dataset, whole: engine.Dataset) -> None:
    """Added over the parts."""
    assert far.report is not None and whole.report is not None
    assert far.report.rows_read == sum(SIZES) and far.report.rows_kept == len(whole)
    assert far.report.dropped_for == whole.report.dropped_for == {"v03": -(-sum(SIZES) // 1013)}
    assert far.report.column("v01").counts == whole.report.column("v01").counts


def test_blocks_end_where_digests_do(far: engine.Dataset) -> None:
    """All but the last."""
    sizes = far.store.rounds.sizes
    assert len(sizes) >= 3 and not (sizes[:-1] % ROWS).any() and sizes.sum() == len(far)


def test_one_question_is_one_round(far: engine.Dataset, whole: engine.Dataset) -> None:
    """However many families are asked about."""
    from engine.counting.requests import level_counts

    before = far.store.rounds.asked
    counted = level_counts(far)
    assert far.store.rounds.asked == before + 1
    assert [one.tolist() for one in counted] == [one.tolist() for one in level_counts(whole)]


def test_many_workers_add_among_themselves(
    far: engine.Dataset, whole: engine.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two answers at a time give the same bits."""
    monkeypatch.setattr(store, "TOGETHER", 2)
    graph = SEARCHES["hill climbing, BDeu"](far)
    assert list(graph.edges) == list(SEARCHES["hill climbing, BDeu"](whole).edges)


def test_a_worker_killed_in_mid_search_changes_nothing(
    client: Any, files: Path, recipe: engine.Recipe, whole: engine.Dataset
) -> None:
    """Its rows are worked out again from the collection: the search ends, with the same bits."""
    data = engine.Dataset.from_dask(parts(files), recipe, client)
    held = {worker for key in data.store.rounds.blocks for worker in client.who_has([key])[key.key]}
    assert len(held) == 2
    victims = [pid for worker, pid in client.run(os.getpid).items() if worker in held][:1]
    killed: list[float] = []

    def kill(fraction: float, words: str) -> None:
        if not killed and data.store.rounds.asked >= 3:
            killed.append(fraction)
            os.kill(victims[0], signal.SIGKILL)

    found = engine.learn(data, engine.BDeu(1.0), "ges", progress=kill)
    assert killed
    assert sorted(found.edges) == sorted(SEARCHES["GES"](whole).edges)
    assert data.fingerprint == whole.fingerprint
    data.close()


def slow(block: Block, seconds: float) -> np.ndarray:
    """A question that takes its time."""
    time.sleep(seconds)
    return np.array([block.n_rows])


def test_a_worker_killed_while_it_counts_changes_nothing(client: Any, files: Path, recipe: engine.Recipe) -> None:
    """The question is asked again of those who have the rows then."""
    data = engine.Dataset.from_dask(parts(files), recipe, client)
    victim = client.who_has(data.store.rounds.blocks[:1])[data.store.rounds.blocks[0].key][0]
    pid = client.run(os.getpid, workers=[victim])[victim]
    threading.Timer(0.4, os.kill, [pid, signal.SIGKILL]).start()
    assert data.store.totals(slow, [0.5, 0.0])[0].tolist() == [len(data)]


def test_rows_that_nobody_can_make_again_are_one_sentence(
    client: Any, table: pd.DataFrame, recipe: engine.Recipe
) -> None:
    """Tables that were only in the memory of a worker that has gone."""
    held = client.scatter([table[:500]])
    data = engine.Dataset.from_dask(held, recipe, client)
    victim = client.who_has(held)[held[0].key][0]
    client.restart_workers([victim])
    with pytest.raises(engine.SettingsError, match="has lost what it held of these rows and cannot make it again"):
        engine.learn(data)


def once(table: pd.DataFrame, seen: Path) -> pd.DataFrame:
    """The table, and when it is asked for again its rows the other way round."""
    again = seen.exists()
    seen.touch()
    return table[::-1] if again else table


def test_other_rows_the_second_time_are_noticed(
    client: Any, table: pd.DataFrame, recipe: engine.Recipe, tmp_path: Path
) -> None:
    """As many of them, but others: nothing is counted of two tables at once."""
    from dask import delayed

    data = engine.Dataset.from_dask([delayed(once)(table[:500], tmp_path / "seen")], recipe, client)
    victim = client.who_has(data.store.rounds.blocks)[data.store.rounds.blocks[0].key][0]
    client.restart_workers([victim])
    with pytest.raises(engine.DataError, match="did not give the same rows"):
        engine.learn(data)
    for ask in (lambda: data.rows([0]), lambda: data.fingerprint):
        with pytest.raises(engine.DataError, match="did not give the same rows"):
            ask()


def test_a_dask_dataframe_is_taken(client: Any, table: pd.DataFrame, recipe: engine.Recipe) -> None:
    """As dask.dataframe makes it, texts and all."""
    frames = pytest.importorskip("dask.dataframe", reason="dask.dataframe is not installed")
    few = table[:2000].astype(object)
    data = engine.Dataset.from_dask(frames.from_pandas(few, npartitions=3), recipe, client)
    assert data.fingerprint == recipe.apply(few).fingerprint


def test_futures_are_taken_and_progress_is_told(client: Any, table: pd.DataFrame, recipe: engine.Recipe) -> None:
    """Tables that the workers have already."""
    held = client.scatter([table[:1500], table[1500:4000]])
    told: list[float] = []
    data = engine.Dataset.from_dask(held, recipe, client, progress=lambda fraction, words: told.append(fraction))
    assert data.fingerprint == recipe.apply(table[:4000]).fingerprint
    assert told == sorted(told) and told[-1] == 1.0


# -- what goes wrong, each in one sentence ----------------------------------------------------------------------


def test_a_data_set_on_a_cluster_is_not_saved(far: engine.Dataset) -> None:
    """Its rows would stay behind."""
    with pytest.raises(engine.DataError, match=r"on a cluster, so it cannot be saved"):
        pickle.dumps(far)


def test_what_is_no_dask_collection_is_refused(client: Any, table: pd.DataFrame, recipe: engine.Recipe) -> None:
    """With the way that would do."""
    with pytest.raises(engine.DataError, match=r"frame is a DataFrame; .*Dataset\.from_frame takes a pandas table"):
        engine.Dataset.from_dask(table, recipe, client)
    with pytest.raises(engine.DataError, match="has no parts, so there is nothing to count"):
        engine.Dataset.from_dask([], recipe, client)
    with pytest.raises(engine.DataError, match="A part of the collection is a int"):
        engine.Dataset.from_dask([client.submit(abs, 3)], recipe, client)


def test_a_recipe_that_is_not_fixed_is_refused(client: Any, files: Path) -> None:
    """It would find other levels in every part."""
    with pytest.raises(engine.DataError, match="recipe"):
        engine.Dataset.from_dask(parts(files), engine.Recipe(), client)


def test_a_column_that_is_not_there_is_named(client: Any, table: pd.DataFrame, recipe: engine.Recipe) -> None:
    """The worker's sentence comes back as it is."""
    held = client.scatter([table[:100].drop(columns="v04")])
    with pytest.raises(engine.DataError, match="'v04'"):
        engine.Dataset.from_dask(held, recipe, client)


def test_no_row_known_whole_is_nothing_to_count(client: Any, table: pd.DataFrame, recipe: engine.Recipe) -> None:
    """As with a table in memory."""
    lacking = table[:100].assign(v04=None)
    with pytest.raises(engine.DataError, match="No row of the collection is known whole"):
        engine.Dataset.from_dask(client.scatter([lacking, lacking]), recipe, client)
    with pytest.raises(engine.DataError, match="The collection has no rows, so there is nothing to count"):
        engine.Dataset.from_dask(client.scatter([lacking[:0]]), recipe, client)


def test_a_part_that_fails_is_told(client: Any, tmp_path: Path, recipe: engine.Recipe) -> None:
    """A file that is not there, say."""
    from dask import delayed

    lost = [delayed(pd.read_parquet)(tmp_path / "nothing.parquet")]
    with pytest.raises(engine.DataError, match=r"could not be worked out \(FileNotFoundError"):
        engine.Dataset.from_dask(lost, recipe, client)


def test_a_closed_data_set_says_so(client: Any, table: pd.DataFrame, recipe: engine.Recipe) -> None:
    """The workers have forgotten its rows."""
    data = engine.Dataset.from_dask(client.scatter([table[:100]]), recipe, client)
    data.close()
    with pytest.raises(engine.DataError, match="was closed"):
        engine.learn(data)


def test_no_client_is_one_sentence(files: Path, recipe: engine.Recipe) -> None:
    """None was made, or it is something else."""
    with pytest.raises(engine.SettingsError, match="There is no Dask client"):
        engine.Dataset.from_dask(parts(files), recipe)
    with pytest.raises(engine.SettingsError, match="client is 'tcp://here:8786'"):
        engine.Dataset.from_dask(parts(files), recipe, "tcp://here:8786")  # type: ignore[arg-type]


def test_workers_of_another_version_are_refused(
    client: Any, files: Path, recipe: engine.Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any row is sent or coded."""
    here = collection.installed_version()
    monkeypatch.setattr(collection, "installed_version", Versions(here))
    with pytest.raises(engine.SettingsError, match=rf"have Diptych {here}, and 0.0.9 is used here"):
        engine.Dataset.from_dask(parts(files), recipe, client)


class Versions:
    """What says 0.0.9 here, and what is installed where it is sent."""

    def __init__(self, elsewhere: str) -> None:
        self.elsewhere = elsewhere

    def __call__(self) -> str:
        return "0.0.9"

    def __reduce__(self) -> Any:
        return partial, (str, self.elsewhere)


def test_a_cluster_that_goes_is_one_sentence(
    table: pd.DataFrame, recipe: engine.Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First it has no workers, then none any more, then there is no scheduler."""
    from dask import delayed

    monkeypatch.setattr(collection, "PATIENCE", 0.2)
    monkeypatch.setattr(store, "LOST", 0.5)
    monkeypatch.setattr(store, "LOOK", 0.2)
    few = table[:100]
    cluster = quiet(n_workers=0, processes=False)
    client = distributed.Client(cluster, set_as_default=False)
    with pytest.raises(engine.SettingsError, match="has no workers"):
        engine.Dataset.from_dask([delayed(few.head)(100)], recipe, client)
    cluster.scale(1)
    client.wait_for_workers(1, timeout=20)
    data = engine.Dataset.from_dask([delayed(few.head)(100)], recipe, client)
    cluster.scale(0)
    with pytest.raises(engine.SettingsError, match="All workers of the cluster have gone"):
        engine.learn(data)
    cluster.close()
    with pytest.raises(engine.SettingsError, match=r"connect again|All workers"):
        engine.learn(data)
    client.close()
    with pytest.raises(engine.SettingsError, match="connect again"):
        engine.learn(data)
