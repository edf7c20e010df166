"""A group comparison as tables of all variables, and as a document for other programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.lazy import pd
from engine.methods import frames
from engine.methods.group_difference.evidence import ALIGNMENTS, GroupDifferenceEvidence

if TYPE_CHECKING:
    from engine.methods.group_difference.numbers.described import NumberSummary
    from engine.methods.group_difference.result import GroupDifferenceResult


def per_context(result: GroupDifferenceEvidence, make: Callable[[str, str | None], pd.DataFrame]) -> pd.DataFrame:
    """The tables of all variables, over the likeliest parents and under both alignments, one below the other."""
    alignments = (None, *ALIGNMENTS) if result.average else ALIGNMENTS
    parts = {(name, item or "likeliest"): make(name, item) for name in result.names for item in alignments}
    return frames.stacked(parts, ["variable", "alignment"])


def _plain(summary: NumberSummary) -> dict[str, Any]:
    """A number's summary as JSON takes it."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple | np.ndarray):
            return [plain(item) for item in value]
        value = value.item() if hasattr(value, "item") else value
        return None if isinstance(value, float) and not math.isfinite(value) else value

    result: dict[str, Any] = plain(asdict(summary))
    return result


def document(result: GroupDifferenceResult) -> dict[str, Any]:
    """Settings, data, verdicts, links, odds, blocks and networks; natural logs."""

    def blocks(alignment: str) -> list[dict[str, Any]]:
        return [
            {
                "variable": name,
                "parents": [result.names[x] for x in item.parents],
                "possible": item.possible,
                "configurations": item.configurations.tolist(),
                "counts": item.counts.tolist(),
                "log_bayes_factor": item.bayes.tolist(),
            }
            for name, item in zip(result.names, getattr(result, alignment), strict=False)
        ]

    both, links, verdicts = result.both(), result.links(), result.variables().loc[list(result.names), :"p_parents"]
    return {
        "settings": result.method.shown(),
        "data": result.described_data(
            groups=list(result.labels),
            rows=list(result.n),
            clusters=None if result.clusters is None else asdict(result.clusters),
            dropped_levels={name: list(levels) for name, levels in result.dropped.items()},
        ),
        "numbers": {name: _plain(item) for name, item in result.numbers.items()},
        "recording": list(result.recording),
        "set_aside": dict(result.set_aside),
        "outcome": result.outcome or None,
        "p_any": None if math.isnan(result.p_any) else result.p_any,
        "verdicts": verdicts.astype(object).where(verdicts.notna(), None).to_dict("index"),
        "links": links.astype(object).where(links.notna(), None).to_dict("records"),
        "overall_log_odds": result.overall_log_odds,
        "log_odds": {alignment: both[alignment].to_dict() for alignment in ("published", "common")},
        "tipping_prior": result.tipping_prior().to_dict(),
        "overall_log_bayes_factor": result.overall_bayes_factor,
        "blocks": {
            entry: blocks(entry) for entry in ("likeliest", "published", "common", "marginal") if getattr(result, entry)
        },
        **({"gaps": [gap.document() for gap in result.gaps.values()]} if result.gaps else {}),
        "networks": {
            title: {name: [result.names[x] for x in parents[i]] for i, name in enumerate(result.names)}
            for title, parents in zip(result.graph_titles(), result.structures, strict=True)
        },
    }
