"""Runs of a study on disk: the folder that `diptych study` writes, and the runs that come with the package.

Files of a run, each beginning with the slug of its study: the page (`.md`), the tidy table of everything scored
(`.csv`), cells beside the printed ones (`-compared.csv`), what the cells are means of (`-runs.csv`), what they are held
to (`-verdicts.csv`), settings, versions and times (`.json`), and for a study of curves the scores in single precision
(`-scores.parquet`). The runs of the package are such files without the tidy tables.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import DataError
from engine.evaluation.studies.blocks import versions
from engine.evaluation.studies.catalog import study_called
from engine.evaluation.studies.study import Study

if TYPE_CHECKING:
    import pandas as pd

SHIPPED = Path(__file__).parents[1] / "results"


@dataclass(frozen=True, eq=False)
class Stored:
    """A run that was written.

    Attributes
    ----------
    slug, paper : of the study
    command : what makes it again
    plan : its settings, the seed among them
    versions : of what computed it
    seconds : CPU time in all
    made : the day, as 2026-01-31
    compared, runs, verdicts : as `Study` has them
    keys : columns that name a cell, shared by `compared` and `runs`
    page : the Markdown page
    scores : (group_difference only) keys, repeat, pair, variable, truth, and the scores that curves are drawn of
    """

    slug: str
    paper: str
    command: str
    plan: dict[str, Any]
    versions: dict[str, str]
    seconds: float
    made: str
    compared: pd.DataFrame
    runs: pd.DataFrame
    verdicts: pd.DataFrame
    keys: list[str]
    page: str
    scores: pd.DataFrame | None = None

    @property
    def done(self) -> str:
        """What was run, in sentences with the numbers of the plan."""
        return study_called(self.slug).done(self.plan)


def write(study: Study, folder: Path, command: str) -> None:
    """Write all files of a run.

    Parameters
    ----------
    study : a study that was run
    folder : made where it is not there; files of the same names are replaced
    command : what makes it again
    """
    folder.mkdir(parents=True, exist_ok=True)
    facts = {
        "paper": study.paper,
        "command": command,
        "plan": asdict(study.plan),
        "keys": study.keys,
        "versions": versions(),
        "seconds": sum(study.seconds.values()),
        "made": datetime.now(UTC).date().isoformat(),
    }
    _file(folder, study.slug, ".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    _file(folder, study.slug, ".md").write_text(study.markdown(), encoding="utf-8")
    for ending, table in (
        ("-compared.csv", study.compared()),
        ("-runs.csv", study.runs()),
        ("-verdicts.csv", study.verdicts()),
    ):
        table.to_csv(_file(folder, study.slug, ending), index=False)
    noted = {"seed": study.plan.seed, "seconds of all": facts["seconds"], **versions()}
    study.rows.assign(**noted).to_csv(_file(folder, study.slug, ".csv"), index=False)
    if study.curves:
        drawn = [name for name in study.curves if name in study.rows]
        scores = study.rows[[*study.keys, "repeat", "pair", "variable", "truth", *drawn]]
        scores = scores.astype(dict.fromkeys(drawn, "float32"))
        scores.to_parquet(_file(folder, study.slug, "-scores.parquet"), compression="zstd", index=False)


def stored(name: str, folder: Path | None = None) -> Stored:
    """A run that was written into a folder; None for the one that comes with the package.

    Parameters
    ----------
    name : slug of the study; what it was called before is fine, for the run too

    Returns
    -------
    the run: its page, its tables and what made it

    Raises
    ------
    SettingsError : there is no such study
    DataError : the folder holds no run of it, or a damaged one

    Examples
    --------
    >>> run = stored("log_linear")
    >>> run.paper, run.keys
    ('Petitjean, Allison & Webb 2014, Figures 3 and 4', ['data', 'levels', 'rows', 'method'])
    >>> sorted(set(run.verdicts["verdict"]))
    ['outside', 'within']
    """
    import pandas as pd

    study = study_called(name)
    slug, place = study.slug, SHIPPED if folder is None else folder
    there = [one for one in study.names() if _file(place, one, ".json").is_file()]
    file = partial(_file, place, next(iter(there), slug))
    try:
        facts = json.loads(file(".json").read_text(encoding="utf-8"))
        page = file(".md").read_text(encoding="utf-8")
        compared, runs = (pd.read_csv(file(f"-{what}.csv")) for what in ("compared", "runs"))
        verdicts = pd.read_csv(file("-verdicts.csv"), dtype={"ours": str})  # "+0.010" is not 0.01
        table = pd.read_parquet(file("-scores.parquet")) if file("-scores.parquet").is_file() else None
        return Stored(slug, **facts, compared=compared, runs=runs, verdicts=verdicts, page=page, scores=table)
    except FileNotFoundError as error:
        raise DataError(
            f"There is no run of {slug!r} in {str(place)!r}; make one with: diptych study {slug} --out FOLDER"
        ) from error
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"The run of {slug!r} in {str(place)!r} can't be read; make it again.") from error


def _file(folder: Path, name: str, ending: str) -> Path:
    return folder / f"{name}{ending}"
