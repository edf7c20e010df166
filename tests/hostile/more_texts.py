"""Text tables after the documented troubles of public data: families of sins, each with several parameters."""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Iterator

from tests.hostile.containers import workbook
from tests.hostile.fixture import Fixture, text

_ROWS = "".join(f"{'Müller' if i % 2 else 'Weiß'};{i},5;{40 + i}\n" for i in range(12))
WORDS = "Name;Wert;Alter\n" + _ROWS
PLAIN = "sex,age,risk\n" + "".join(
    f"{'m' if i % 2 else 'f'},{40 + i},{'low' if i % 3 else 'high'}\n" for i in range(12)
)
NAMES = ("sex", "age", "risk")


def _encodings() -> Iterator[Fixture]:
    for code in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"):
        for ending, called in (("\n", "lf"), ("\r\n", "crlf"), ("\r", "cr")):
            yield Fixture(
                f"{code}_{called}", text(WORDS.replace("\n", ending), code), rows=12, columns=("Name", "Wert", "Alter")
            )
    greek = "φύλο;ηλικία\n" + "".join(f"{'άνδρας' if i % 2 else 'γυναίκα'};{i}\n" for i in range(12))
    for code in ("utf-16-le", "utf-16-be"):
        yield Fixture(f"{code}_greek_unmarked", text(greek, code), rows=12, columns=("φύλο", "ηλικία"))
    yield Fixture("utf-16_cut_in_a_letter", lambda: WORDS.encode("utf-16")[:-1], refused=("utf-16",))


def _ends() -> Iterator[Fixture]:
    for number, end in enumerate((b"\x1a", b"\r\n\x1a", b"\x1a\x1a\x1a", b"\x1a\r\n", b"\n\n\x1a\n")):
        yield Fixture(f"end_of_dos_{number}", lambda end=end: PLAIN.encode() + end, rows=12, columns=NAMES)
    for size in (3, 1_000, 5_000_000):
        yield Fixture(f"only_zeros_{size}", lambda size=size: bytes(size), refused=("all zero", "Copy"))
    for place in (0, 20, 60):
        yield Fixture(
            f"a_zero_at_{place}",
            lambda place=place: PLAIN.encode()[:place] + b"\0" + PLAIN.encode()[place:],
            refused=("NUL",),
        )
    for number, mixed in enumerate(("\n\r\n", "\r\n\n", "\r\r\n\n", "\n\r")):
        marks = list(mixed.replace("\r\n", "x"))
        lines = PLAIN.strip().split("\n")
        joined = "".join(line + marks[i % len(marks)].replace("x", "\r\n") for i, line in enumerate(lines))
        yield Fixture(f"mixed_line_ends_{number}", text(joined), rows=12, columns=NAMES)
    yield Fixture("no_end_of_line_at_the_end", text(PLAIN.rstrip()), rows=12, columns=NAMES)
    yield Fixture("blank_lines_at_the_end", text(PLAIN + "\n" * 500), rows=12, columns=NAMES)
    yield Fixture("separators_at_the_end", text(PLAIN + ",,\n" * 500), rows=12, columns=NAMES)


def _middle() -> Iterator[Fixture]:
    body = PLAIN.partition("\n")[2]
    mark = codecs.BOM_UTF8.decode()
    yield Fixture("mark_in_the_middle", text(PLAIN + mark + body), rows=24, columns=NAMES)
    yield Fixture("two_marks_at_the_start", text(mark * 2 + PLAIN), rows=12, columns=NAMES)
    yield Fixture("mark_before_a_quote", text(mark + '"sex","age","risk"\n' + body), rows=12, columns=NAMES)
    said = ("names of the columns once more",)
    yield Fixture("two_files_in_one", text(PLAIN + PLAIN), rows=24, columns=NAMES, says=said)
    yield Fixture("a_page_header_again", text(PLAIN + "Page 2\n" + body), rows=25, columns=NAMES, says=("too few",))
    yield Fixture("totals", text(PLAIN + "Total,552,\n"), rows=13, columns=NAMES)
    yield Fixture("footnote", text(PLAIN + "* provisional\n"), rows=13, columns=NAMES, says=("too few",))
    yield Fixture("source_with_commas", text(PLAIN + "Source: a, b, c, d\n"), refused=("line 14",))
    yield Fixture("units_below", text("sex,age,risk\n,years,\n" + body), rows=13, says=("'years'",))
    yield Fixture("units_in_brackets", text("sex,age [y],risk (%)\n" + body), columns=("sex", "age [y]", "risk (%)"))
    yield Fixture("merged_headers", text("patient,,outcome\nsex,age,risk\n" + body), rows=13)
    yield Fixture("title_above", text("Table 1. All patients\n\n" + PLAIN), rows=12, columns=NAMES, says=("skipped",))
    yield Fixture("comments_above", text("# a\n# b, c\n" + PLAIN), rows=12, columns=NAMES, says=("skipped",))
    yield Fixture("row_names_of_r", text('"sex","age"\n' + '"1","m",40\n"2","f",41\n' * 3), refused=("row name",))
    yield Fixture("index_of_pandas", text(",sex,age\n" + "0,m,40\n1,f,41\n" * 3), columns=("column 1", "sex", "age"))


def _numbers() -> Iterator[Fixture]:
    for digits in (18, 19, 20, 309, 4_300, 4_301, 5_000, 50_000):
        yield Fixture(f"digits_{digits}", text(f"a,b\n{'1' * digits},x\n2,y\n3,x\n"), rows=3, columns=("a", "b"))
        yield Fixture(f"digits_after_the_point_{digits}", text(f"a,b\n0.{'1' * digits},x\n2,y\n3,x\n"), rows=3)
    for power in ("1e308", "1e309", "-1e400", "1e-400", "1e99999999999999999999"):
        yield Fixture(f"power_{power}", text(f"a,b\n{power},x\n2,y\n3,x\n"), rows=3, columns=("a", "b"))
    for zeros in (1, 30, 390):
        yield Fixture(f"zeros_before_{zeros}", text(f"a,b\n{'0' * zeros}7,x\n12,y\n"), rows=2, says=("leading zeros",))
    yield Fixture("digits_beyond_a_number", text(f"a,b\n{'0' * 5_000}7,x\n12,y\n"), rows=2, columns=("a", "b"))
    for day in ("9999-12-31", "0001-01-01", "31.12.9999", "12/31/9999", "1.1.24", "2024-02-30", "0000-00-00"):
        yield Fixture(f"day_{day}", text("d;x\n" + f"{day};a\n{day};b\n" * 4), rows=8, columns=("d", "x"))
    for cell in ("1,5", "1.234,5", "-0,5", "1 234,5", "12 %", "<0,5", "n. b.", "−3"):
        yield Fixture(f"german_{cell}", text("wert;x\n" + f"{cell};a\n2,25;b\n" * 4), rows=8, columns=("wert", "x"))


def _sizes() -> Iterator[Fixture]:
    for length, refused in ((131_072, ()), (131_073, ("Line 2", "131,072")), (1_000_000, ("Line 2", "shorten"))):
        for quote in ("", '"'):
            yield Fixture(
                f"cell_of_{length}{'_quoted' if quote else ''}",
                text(f"a,b\n{quote}{'x' * length}{quote},1\ny,2\n"),
                refused=refused,
                rows=None if refused else 2,
            )
    for width, refused in ((12_000, ()), (12_001, ("12,001 columns", "12,000"))):
        header = ",".join(f"c{i}" for i in range(width))
        yield Fixture(
            f"columns_{width}", text(header + "\n" + ",".join("12" for _ in range(width)) + "\n"), refused=refused
        )
    yield Fixture("only_separators", text("," * 15_000 + "\n"), refused=("15,001 columns",))
    yield Fixture("only_quotes", text('"' * 5_000), refused=("",))
    yield Fixture("a_quote_to_the_end", text('a,b\n"' + "x,1\n" * 20_000), refused=("quote",))


def _packed() -> Iterator[Fixture]:
    good = gzip.compress(PLAIN.encode())
    yield Fixture("gz", lambda: good, file="t.csv.gz", rows=12, columns=NAMES)
    yield Fixture("gz_utf16", lambda: gzip.compress(PLAIN.encode("utf-16")), file="t.csv.gz", rows=12, columns=NAMES)
    yield Fixture("gz_tsv", lambda: gzip.compress(PLAIN.replace(",", "\t").encode()), file="t.tsv.gz", columns=NAMES)
    parts = [gzip.compress(part.encode()) for part in (PLAIN[:40], PLAIN[40:])]
    yield Fixture("gz_of_two_parts", lambda: b"".join(parts), file="t.csv.gz", rows=12, columns=NAMES)
    yield Fixture("gz_filled_with_zeros", lambda: good + bytes(512), file="t.csv.gz", rows=12, columns=NAMES)
    yield Fixture("gz_named_csv", lambda: good, file="t.csv", rows=12)
    for cut in (5, 15, 40, len(good) - 5, len(good) - 1):
        yield Fixture(f"gz_cut_at_{cut}", lambda cut=cut: good[:cut], refused=("gzip", "damaged"))
    yield Fixture("gz_wrong_sum", lambda: good[:-8] + bytes(8), refused=("gzip", "damaged"))
    yield Fixture("gz_with_rubbish", lambda: good + b"rubbish", refused=("gzip", "damaged"))
    yield Fixture("gz_of_a_workbook", lambda: gzip.compress(workbook()), refused=("holds a workbook", "Unpack"))
    yield Fixture("gz_of_a_gz", lambda: gzip.compress(good), refused=("holds a compressed", "Unpack"))
    yield Fixture("gz_of_nothing", lambda: gzip.compress(b""), refused=("empty",))
    part = gzip.compress(b"0" * 10_000_000)
    yield Fixture("gz_bomb", lambda: part * 101, refused=("would unpack to 200 times its size",))


FIXTURES = (*_encodings(), *_ends(), *_middle(), *_numbers(), *_sizes(), *_packed())
