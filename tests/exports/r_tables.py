"""What R writes: `write.table` with spaces between the fields, with and without row names and quotes."""

from __future__ import annotations

from collections.abc import Iterator

from tests.exports.reading import OUT, Export, Right


def exports() -> Iterator[Export]:
    """Spaces or semicolons, row names or none, quotes or none."""
    rows = [("fm"[i % 7 % 2], 20 + i * 7 % 41, ["yes", "no"][i * 5 % 3 % 2]) for i in range(60)]
    columns = {"sex": Right("nominal", ("f", "m"), 0), "age": Right("continuous", None, 0)}
    columns["out"] = Right("nominal", ("no", "yes"), 0)
    for names in (False, True):
        for mark in ('"', ""):
            for sep in (" ", ";", "\t"):
                head = sep.join(f"{mark}{name}{mark}" for name in columns)
                lines = [
                    sep.join([*([f"{mark}{i}{mark}"] * names), f"{mark}{a}{mark}", str(b), f"{mark}{c}{mark}"])
                    for i, (a, b, c) in enumerate(rows, 1)
                ]
                text = "\n".join([head, *lines, ""])
                first = {"row name": Right(OUT)} if names else {}
                switch = f"{'row names' if names else 'no row names'}, quotes {mark or 'none'}, {sep!r}"
                yield Export("R write.table", switch, "x.txt", text.encode(), 60, {**first, **columns})
