"""What a run of a study leaves in a folder: its results in one small file, its page, and all that was scored.

`SLUG.zip` is what `benchmarks.papers.results` reads; in `benchmarks/papers/kept` stand those of the papers' size.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from benchmarks.papers.blocks import versions
from benchmarks.papers.results import PaperResults
from benchmarks.papers.study import Study

if TYPE_CHECKING:
    import pandas as pd

FACTS = (
    *("title", "paper", "asked", "reading", "claim", "slips", "unjudged", "done"),
    *("command", "plan", "versions", "seconds", "made", "keys", "by", "along"),
)
STEP = 2
"""Of 16-bit floats, between scores that differ in a file: a thousandth of their size."""


def write(study: Study, folder: Path, command: str) -> None:
    """Write the results (`.zip`), the page (`.md`) and the tidy table of everything scored (`.csv`) of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    results = results_of(study, command)
    save(results, folder)
    (folder / f"{study.slug}.md").write_text(results.page, encoding="utf-8")
    noted = {"seed": study.plan.seed, "seconds of all": results.seconds, **versions()}
    study.rows.assign(**noted).to_csv(folder / f"{study.slug}.csv", index=False)


def results_of(study: Study, command: str) -> PaperResults:
    """What is kept of a run; `command` makes it again."""
    verdicts = study.verdicts()
    sources = [study.source_of(str(line.what), str(line.band)) for line in verdicts.itertuples()]
    plan = asdict(study.plan)
    return PaperResults(
        slug=study.slug,
        title=study.title,
        paper=study.paper,
        asked=study.asked,
        reading=study.reading,
        claim=study.claim,
        slips=study.slips,
        unjudged=study.unjudged,
        done=study.done(plan),
        command=command,
        plan=plan,
        versions=versions(),
        seconds=sum(study.seconds.values()),
        made=datetime.now(UTC).date().isoformat(),
        keys=study.keys,
        by=study.by,
        along=study.along,
        compared=study.compared(),
        runs=study.runs(),
        verdicts=verdicts.assign(**{"ours": verdicts["ours"].map(str), "held to": sources}),
        page=study.markdown(),
        scores=_scores(study),
    )


def save(results: PaperResults, folder: Path) -> None:
    """Write the small file of a run; equal results give equal bytes."""
    facts = {name: getattr(results, name) for name in FACTS}
    members = {"facts.json": json.dumps(facts, indent=1).encode(), "page.md": results.page.encode()}
    for name in ("compared", "runs", "verdicts"):
        members[f"{name}.parquet"] = _parquet(getattr(results, name).reset_index(drop=True))
    if results.scores is not None:
        halves = [str(name) for name, kind in results.scores.dtypes.items() if kind == np.float16]
        members["scores.parquet"] = _parquet(results.scores, halves)
    with ZipFile(folder / f"{results.slug}.zip", "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(ZipInfo(name), content, compress_type=ZIP_DEFLATED)


def _scores(study: Study) -> pd.DataFrame | None:
    """The scores that curves are drawn of, to three digits; None where the study has none."""
    if not study.curves:
        return None
    drawn = [name for name in study.curves if name in study.rows]
    scores = study.rows[[*study.keys, "repeat", "pair", "variable", "truth", *drawn]].reset_index(drop=True)
    blocks = scores.groupby([*study.keys, "repeat"], dropna=False).indices.values()
    return scores.assign(**{name: shortened(scores[name].to_numpy(), blocks) for name in drawn})


def shortened(scores: np.ndarray, blocks: Iterable[np.ndarray]) -> np.ndarray:
    """Scores as 16-bit floats to about three digits, those of a block that differ still different and in order."""
    short = np.empty(len(scores), dtype=np.float16)
    for block in blocks:
        distinct, positions = np.unique(scores[block], return_inverse=True)
        bits = distinct.astype(np.float16).view(np.int16).astype(np.int64)
        ascending = np.where(bits < 0, -(bits & 0x7FFF), bits)  # sign and size, as an integer that grows with the float
        steps = np.round(ascending / STEP).astype(np.int64)
        ranks = np.arange(len(steps))
        apart = (np.maximum.accumulate(steps - ranks) + ranks) * STEP
        short[block] = np.where(apart < 0, -apart | 0x8000, apart).astype(np.uint16).view(np.float16)[positions]
    return short


def _parquet(table: pd.DataFrame, halves: list[str] | None = None) -> bytes:
    """A table as compressed bytes; `halves` are its columns of 16-bit floats."""
    file = BytesIO()
    others = [name for name in table if name not in (halves or [])]
    table.to_parquet(
        file,
        compression="brotli",  # a tenth smaller than zstd at its highest level
        compression_level=11,
        index=False,
        use_dictionary=others,
        use_byte_stream_split=halves or False,
    )
    return file.getvalue()
