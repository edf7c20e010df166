"""How real files are read: of all columns of all exports of `tests/exports` right, asked, or silently wrong.

python -m benchmarks.reading              every program
python -m benchmarks.reading Qualtrics    those whose name has this in it, each switch on a line
"""

from __future__ import annotations

import sys
from collections import defaultdict

from tests.exports.reading import Verdict, every_export, judge


def main(wanted: str = "") -> int:
    """Print the score; how many columns are silently wrong."""
    programs: dict[str, list[Verdict]] = defaultdict(list)
    for export in every_export():
        if wanted.lower() in str(export).lower():
            verdict = judge(export)
            programs[export.program].append(verdict)
            if wanted or verdict.wrong:
                print(f"{export}: {verdict.presses} presses, {verdict.cards} cards, wrong: {verdict.wrong or 'none'}")
    print(f"{'':18}{'switches':>9}{'right':>7}{'asked':>7}{'wrong':>7}{'refused':>9}{'cards':>7}{'presses':>9}")
    every = [verdict for some in programs.values() for verdict in some]
    for program, some in [*sorted(programs.items()), ("all", every)]:
        right, asked, wrong = (sum(len(getattr(item, what)) for item in some) for what in ("right", "asked", "wrong"))
        refused = sum(bool(item.refused) for item in some)
        cards, presses = (max((getattr(item, what) for item in some), default=0) for what in ("cards", "presses"))
        print(f"{program:18}{len(some):9}{right:7}{asked:7}{wrong:7}{refused:9}{cards:7}{presses:9}")
    print("cards and presses are the most of a switch")
    return sum(len(item.wrong) for item in every)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]) > 0)
