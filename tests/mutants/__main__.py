"""`python -m tests.mutants`: make small changes, run the tests of each, say how many were noticed.

Exit code 1 where fewer than the floor were; the changes that nothing noticed are listed with file and line.
"""

from __future__ import annotations

import argparse
import queue
import re
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

from tests.mutants.changes import Change
from tests.mutants.chosen import all_changes, choose, folder_of, tests_of
from tests.mutants.runner import Answer, House

ROOT = Path(__file__).parents[2]
_SAID = re.compile(r"\d+/\d+ \d+ s  (?P<verdict>\w+) +[\d.]+ cpu  line \d+ (?P<name>.+?)  ")
"""One line of a run; see `_say`."""
Judged = list[tuple[Change, Answer]]


def _arguments(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "--only", action="append", default=[], metavar="FOLDER", help="files that begin so; again for more"
    )
    parser.add_argument("--count", type=int, default=300, help="about how many changes (300)")
    parser.add_argument("--seed", type=int, default=0, help="another seed takes other changes (0)")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the project at work side by side (1)")
    parser.add_argument("--floor", type=float, default=0.85, help="share that has to be noticed (0.85)")
    parser.add_argument("--line", default="", metavar="TEXT", help="only changes whose name holds this text")
    parser.add_argument(
        "--again",
        action="append",
        default=[],
        metavar="FILE",
        help="what an earlier run printed: only what survived then, or was not made, is judged again",
    )
    parser.add_argument("--list", action="store_true", help="say which changes would be made, and make none")
    return parser.parse_args(given)


def main(given: list[str]) -> int:
    """Choose, judge and tell."""
    asked = _arguments(given)
    by_folder = all_changes(ROOT, asked.only)
    chosen = choose(by_folder, asked.count, asked.seed)
    if asked.line:
        chosen = [one for group in by_folder.values() for one in group if asked.line in one.name]
    if asked.list:
        print(*(f"{one.line:4} {one.name}" for one in chosen), sep="\n")
        return 0
    known = _earlier(asked.again)
    judged = [(one, known[one.name]) for one in chosen if one.name in known]
    judged += _judge([one for one in chosen if one.name not in known], asked.jobs)
    print(_table(judged))
    share = sum(answer.killed for _, answer in judged) / max(len(judged), 1)
    return int(share < asked.floor)


def _earlier(files: list[str]) -> dict[str, Answer]:
    """The changes that were noticed in earlier runs: tests are only added, so they would be noticed again."""
    found = {}
    for file in files:
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            told = _SAID.match(line)
            if told is not None and told["verdict"] != "survived":
                found[told["name"]] = Answer(told["verdict"], 0.0, "noticed in an earlier run")
    return found


def _judge(chosen: list[Change], jobs: int) -> Judged:
    """Every change against its tests, those with the same tests one after the other."""
    waiting: queue.SimpleQueue[tuple[tuple[str, ...], list[Change]]] = queue.SimpleQueue()
    for tests, group in _by_tests(chosen).items():
        waiting.put((tests, group))
    judged: Judged = []
    faults: list[BaseException] = []
    begun = time.monotonic()

    def work() -> None:
        house = House(ROOT)
        try:
            while not faults:
                tests, group = waiting.get_nowait()
                for one in group:
                    answer = house.judge(one, tests)
                    judged.append((one, answer))
                    _say(one, answer, len(judged), len(chosen), time.monotonic() - begun)
        except queue.Empty:
            return
        except BaseException as fault:
            faults.append(fault)
        finally:
            house.close()

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return judged


def _by_tests(chosen: list[Change]) -> dict[tuple[str, ...], list[Change]]:
    groups: dict[tuple[str, ...], list[Change]] = defaultdict(list)
    for one in chosen:
        tests = tests_of(ROOT, one.path)
        if not tests:
            raise RuntimeError(f"no tests stand where {one.path} is mirrored; name them in chosen.py")
        groups[tuple(sorted(tests))].append(one)
    return groups


def _say(change: Change, answer: Answer, done: int, of: int, seconds: float) -> None:
    print(
        f"{done}/{of} {seconds:.0f} s  {answer.verdict:8} {answer.cpu:5.1f} cpu  line {change.line} {change.name}"
        f"  {answer.words}",
        flush=True,
    )


def _table(judged: Judged) -> str:
    """The figures by folder and in total, then the survivors."""
    rows: dict[str, list[Answer]] = defaultdict(list)
    for change, answer in judged:
        rows[folder_of(change.path)].append(answer)
    lines = ["", "| folder | made | killed | survived | share |", "|---|---|---|---|---|"]
    for folder, answers in [*sorted(rows.items()), ("**total**", [answer for _, answer in judged])]:
        killed = sum(one.killed for one in answers)
        share = killed / max(len(answers), 1)
        lines.append(f"| {folder} | {len(answers)} | {killed} | {len(answers) - killed} | {share:.0%} |")
    survivors = sorted((one.path, one.line, one.name) for one, answer in judged if not answer.killed)
    return "\n".join([*lines, "", *(f"{path}:{line}  {name.split('::', 1)[1]}" for path, line, name in survivors)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
