"""What the study of ordinal networks is asked to do, the approaches it holds against each other, and their grids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import SettingsError

DRAWN, GAPS = "drawn", "drawn, 5 % missing"
"""What "data" is for tables that are drawn here; the others are called by their names."""
MORE_ROWS = "drawn, 500 more rows predicted"
"""Tables of Figure S10: the log loss of new rows stands beside what was found of the network."""
OSEM, PUBLISHED, BGE, BDE, GPC, OPC, NPC = "OSEM", "OSEM, published", "BGe", "BDe", "GPC", "OPC", "NPC"
BGE_ZERO, NPC_PCALG = "BGe, prior mean 0", "NPC, as pcalg"
"""As the paper's programs have them; ours differ (see the README of the method)."""
BGE_FORMULA, BGE_PROGRAM = "BGe, the paper's formula", "BGe, the authors' program"
"""What the network of `BGE_ZERO` predicts by: conditional or marginal variances (`benchmarks.papers.ordinal.bge`)."""
PCS = (GPC, OPC, NPC)
RPC, CPC, MMPC = "RPC", "CPC", "MMPC"
MIXED = (RPC, CPC, MMPC)
"""Of Figure S6: methods for mixed data."""
TUNED: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    OSEM: ("penalty", {"approach": "osem"}),
    PUBLISHED: ("penalty", {"approach": "osem", "mode": "published"}),
    BGE: ("am", {"approach": "bge"}),
    BGE_ZERO: ("am", {"approach": "bge", "prior_mean": "zero"}),
    BDE: ("ess", {"approach": "bde"}),
    GPC: ("alpha", {"approach": "gpc"}),
    OPC: ("alpha", {"approach": "opc"}),
    NPC: ("alpha", {"approach": "npc"}),
    NPC_PCALG: ("alpha", {"approach": "npc_pcalg"}),
    RPC: ("alpha", {"approach": "rpc"}),
    CPC: ("alpha", {"approach": "cpc"}),
    MMPC: ("alpha", {"approach": "mmpc"}),
}
"""Approach -> the setting of `engine.Ordinal` that decides how many links it finds, and its other settings."""
PENALTY = 3.0
"""Of the claims that are about one penalty: the default."""

_ALPHAS = (0.001, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3)
PAPER: Mapping[str, tuple[float, ...]] = {
    OSEM: (1, 1.5, 2, 2.5, 3, 4, 6, 10, 20, 30),
    PUBLISHED: (1, 1.5, 2, 2.5, 3, 4, 6, 10, 20, 30),
    **dict.fromkeys((BGE, BGE_ZERO), (0.0001, 0.001, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5)),
    BDE: (0.0001, 0.001, 0.01, 0.1, 1, 10, 20, 40, 60, 80),
    **dict.fromkeys((*PCS, NPC_PCALG, *MIXED), _ALPHAS),
}
"""The grids of the paper."""
_SIX = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3)
THINNED: Mapping[str, tuple[float, ...]] = {
    OSEM: (2, 3, 6),
    PUBLISHED: (3,),
    **dict.fromkeys((BGE, BGE_ZERO), (0.001, 0.01, 0.05, 0.1, 0.5, 1.5)),
    BDE: (0.01, 0.1, 1, 10, 20, 60),
    **dict.fromkeys((*PCS, NPC_PCALG), _SIX),
    **dict.fromkeys(MIXED, (0.001, 0.01, 0.05)),
}
"""Six of the ten points for the rivals and three for OSEM, so that a run ends the same day."""
_WEIGHTS = (1, 3, 10)
PREDICTING: Mapping[str, tuple[float, ...]] = {
    OSEM: (1, 2),
    **dict.fromkeys((BGE, BGE_FORMULA, BGE_PROGRAM), _WEIGHTS),
    BDE: (5, 20, 40),
}
"""Settings whose log loss is compared, of the paper's grids; a smaller chi beside, since there BDe's begins at 20."""
NETWORK_OF: Mapping[str, str] = dict.fromkeys((BGE_FORMULA, BGE_PROGRAM), BGE_ZERO)
"""Approaches that are no search of their own, but predict by the network of another."""
TABLES = ("rogers", "votes", "cmc", "tumor", "spect")
"""Of the folder of data: the five of the paper's Table 1."""

NEIGHBOURS = 4.0
USUAL_ROWS, USUAL_LEVELS = 500, 3
AT_LEVELS = 20
"""Variables where the number of levels changes."""
SPARSITY = (2, 3, 5)
"""Expected neighbours of Figure S4, beside four."""
AT_GAPS, MISSING = 12, 0.05
"""Variables of the tables that lose answers, and the share they lose."""
HELD = 0.2
"""Share of the rows that are held out."""


@dataclass(frozen=True)
class Plan:
    """What is drawn; equal plans give equal networks, whatever the number of workers.

    Attributes
    ----------
    repeats : of the cells of 500 rows and 3 levels, and of tables with gaps;  others : of the other cells
    sizes : numbers of variables;  rows : of every size
    levels : expected numbers of levels, for 20 variables and 500 rows
    whole : the paper's whole grids, not six points of the rivals' and three of OSEM's
    splits : into 80 % and 20 %, of the tables in `data`
    shares : of the rows of these tables that are drawn first, `others` times (Figure S9)
    data : names of these
    seed : everything is drawn from it
    """

    repeats: int = 8
    others: int = 2
    sizes: tuple[int, ...] = (12, 20, 30)
    rows: tuple[int, ...] = (300, 500, 800)
    levels: tuple[int, ...] = (2, 3, 4, 5)
    whole: bool = False
    splits: int = 4
    shares: tuple[float, ...] = (0.5,)
    data: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("repeats", "others", "splits"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; it must be at least 1.", setting=name)
        for name, least, most in (("sizes", 6, 60), ("rows", 50, 100_000), ("levels", 2, 8)):
            for one in getattr(self, name):
                if not least <= one <= most:
                    raise SettingsError(f"{name} has {one}; it can be {least} to {most:,}.", setting=name)
        if not (self.sizes and self.rows) and not self.data:
            raise SettingsError("There is nothing to run: give sizes and rows, or a folder with tables.")

    @property
    def grids(self) -> Mapping[str, tuple[float, ...]]:
        """Approach -> the values of its setting."""
        return PAPER if self.whole else THINNED

    @property
    def cells(self) -> list[tuple[str, int, int, int]]:
        """Data, variables, rows and levels of every cell that is drawn."""
        usual = self.levels[:1] if USUAL_LEVELS not in self.levels else (USUAL_LEVELS,)
        found = [(DRAWN, n, rows, level) for level in usual for n in self.sizes for rows in self.rows]
        more = [(DRAWN, AT_LEVELS, USUAL_ROWS, level) for level in self.levels] if AT_LEVELS in self.sizes else []
        gaps = [(GAPS, AT_GAPS, USUAL_ROWS, level) for level in usual]
        there = {(n, rows) for _, n, rows, _ in found}
        kinds = [*map(neighbours_words, SPARSITY), MORE_ROWS] if (AT_LEVELS, USUAL_ROWS) in there else []
        others = [(kind, AT_LEVELS, USUAL_ROWS, level) for kind in kinds for level in usual]
        return [*dict.fromkeys([*found, *more]), *(gaps if (AT_GAPS, USUAL_ROWS) in there else []), *others]

    def repeats_of(self, cell: tuple[str, int, int, int]) -> int:
        """How many networks a cell has."""
        data, _, rows, levels = cell
        usual = (rows, levels) == (USUAL_ROWS, USUAL_LEVELS) and data in (DRAWN, GAPS)
        return self.repeats if usual else self.others

    def grids_of(self, cell: tuple[str, int, int, int]) -> Mapping[str, tuple[float, ...]]:
        """Approach -> the values of its setting in a cell: where answers are missing OSEM's alone."""
        data, n, rows, levels = cell
        if data == GAPS:
            return {OSEM: (PENALTY,)}
        scores = (OSEM, BGE, BDE)
        mixed = (data, n, rows, levels) == (DRAWN, AT_LEVELS, USUAL_ROWS, USUAL_LEVELS)
        return {
            name: grid
            for name, grid in self.grids.items()
            if (name in scores if data == MORE_ROWS else mixed or name not in MIXED)
        }


def neighbours_words(many: int) -> str:
    """What "data" is for tables whose networks have so many expected neighbours."""
    return f"{DRAWN}, {many} neighbours"
