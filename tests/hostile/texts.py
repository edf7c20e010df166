"""Encodings, separators, rows, size and names of text tables."""

from __future__ import annotations

import codecs

from tests.hostile.fixture import Fixture, text

ROWS = "".join(f"{'m' if i % 2 else 'f'},{40 + i},{'low' if i % 3 else 'high'}\n" for i in range(12))
PLAIN = "sex,age,risk\n" + ROWS
UMLAUTS = "Größe;Ärztin\n" + "".join(
    f"{'groß' if i % 2 else 'klein'};{'Müller' if i % 3 else 'Weiß'}\n" for i in range(9)
)
EURO = UMLAUTS.replace("klein", "5 € – “klein”")

FIXTURES = (
    # encodings
    Fixture("utf8_bom", lambda: codecs.BOM_UTF8 + PLAIN.encode(), columns=("sex", "age", "risk"), says=("utf-8-sig",)),
    Fixture("utf16_little", lambda: codecs.BOM_UTF16_LE + PLAIN.encode("utf-16-le"), rows=12, says=("utf-16",)),
    Fixture("utf16_big", lambda: codecs.BOM_UTF16_BE + PLAIN.encode("utf-16-be"), rows=12, says=("utf-16",)),
    Fixture("utf16_unmarked", text(PLAIN, "utf-16-le"), rows=12, says=("utf-16-le", "choose another")),
    Fixture("latin1", text(UMLAUTS, "latin-1"), columns=("Größe", "Ärztin"), says=("latin-1", "choose another")),
    Fixture("cp1252", text(EURO, "cp1252"), columns=("Größe", "Ärztin"), says=("cp1252",)),
    Fixture(
        "cyrillic",
        text("пол;возраст\n" + "женский;сорок\nмужской;тридцать\n" * 8, "cp1251"),
        columns=("пол", "возраст"),
    ),
    Fixture(
        "invalid_byte",
        lambda: "Größe,Maß\n".encode() + "groß,süß\n".encode() * 5 + b"gro\xff,s\n",
        refused=("Line 7", "UTF-8", "encoding"),
    ),
    Fixture("wrong_encoding_asked", text(UMLAUTS, "latin-1"), choices={"encoding": "utf-8"}, refused=("Line 1",)),
    Fixture("unknown_encoding_asked", text(PLAIN), choices={"encoding": "klingon"}, refused=("klingon", "cp1252")),
    Fixture("unpacking_encoding_asked", text(PLAIN), choices={"encoding": "zlib"}, refused=("no text encoding",)),
    # separators
    Fixture("semicolons", text(PLAIN.replace(",", ";")), columns=("sex", "age", "risk"), says=("semicolon",)),
    Fixture("tabs", text(PLAIN.replace(",", "\t")), columns=("sex", "age", "risk"), says=("tab",)),
    Fixture("bars", text(PLAIN.replace(",", "|")), columns=("sex", "age", "risk"), says=("vertical bar",)),
    Fixture("spaces", text("a b  c\n" + "1 2.5  3\n4 5.5  6\n" * 4), columns=("a", "b", "c"), says=("space",)),
    Fixture("sep_line", text("sep=;\na;b\n1,5;x\n2,5;y\n"), columns=("a", "b"), says=("decimal comma",)),
    Fixture("decimal_comma", text("a;b\n1,5;2,5\n3,25;4,5\n"), columns=("a", "b"), says=("decimal comma",)),
    Fixture("decimal_comma_one_column", text("weight\n1,5\n2,5\n3,75\n"), columns=("weight",), says=("decimal comma",)),
    Fixture("unquoted_comma", text("name,age\nAda,3\nSmith, John,4\nEve,5\n"), refused=("line 3", "quotes")),
    # rows
    Fixture("every_row_too_long", text("a,b\n1,2,3\n4,5,6\n7,8,9\n"), refused=("line 2", "header")),
    Fixture("one_row_too_long", text("a,b\n1,2\n1,2,3\n1,2\n"), refused=("line 3", "header")),
    Fixture("late_row_too_long", text("a,b\n" + "1,2\n" * 700 + "1,2,3\n"), refused=("line 702",)),
    Fixture("short_rows", text("a,b,c\n1,2,3\n4,5\n6\n7,8,9\n"), rows=4, says=("2 line(s) had too few", "3, 4")),
    Fixture("trailing_separators", text("a,b,\n1,2,\n3,4,\n"), columns=("a", "b"), says=("superfluous",)),
    Fixture("blank_lines", text("a,b\n1,2\n\n\n3,4\n"), rows=2, says=("2 line(s) had no value",)),
    Fixture("blank_lines_one_column", text("a\nx\n\ny\nx\n"), rows=4, says=("had no value",)),
    Fixture("unbalanced_quote", text('a,b\n1,2\n"3,4\n5,6\n'), refused=("Line 3", "quote")),
    Fixture("text_after_quote", text('a,b\n1,2\n"3"x,4\n5,6\n'), refused=("Line 3", "quote")),
    Fixture("nul", lambda: b"a,b\n1,2\n3\x00,4\n", refused=("Line 3", "NUL")),
    Fixture("cr_only", text(PLAIN.replace("\n", "\r")), rows=12, columns=("sex", "age", "risk")),
    Fixture("newline_in_cell", text('a,b\n"x\ny",1\nz,2\nz,q\n'), rows=3),
    Fixture("preamble", text("Study of coughs\n# made 2021\n\nsex,age,risk\n" + ROWS), rows=12, says=("skipped",)),
    Fixture(
        "preamble_padded", text("Report;;\nsex;age;risk\n" + ROWS.replace(",", ";")), columns=("sex", "age", "risk")
    ),
    Fixture("one_row", text("a,b\nx,2\n"), rows=1, unusable=("constant",)),
    Fixture("no_rows", text("a,b\n"), refused=("no rows", "line 1")),
    Fixture("empty", lambda: b"", refused=("empty",)),
    Fixture("only_blank", text("\n\n  \n"), refused=("empty",)),
    Fixture("only_commas", text(",,\n,,\n"), refused=("no table",)),
    Fixture("one_column", text("answer\nyes\nno\nyes\nno\n"), columns=("answer",), rows=4),
    Fixture("all_duplicates", text("a,b\n" + "x,1\n" * 20), rows=20, unusable=("constant", "Choose")),
    # size
    Fixture(
        "many_columns",
        text(",".join(f"c{i}" for i in range(20_000)) + "\n" + ",".join("1" * 20_000) + "\n"),
        refused=("20,000 columns", "12,000"),
    ),
    Fixture("huge_cell", text('a,b\n"' + "x" * 200_000 + '",1\n'), refused=("Line 2", "quote")),
    # file names
    Fixture("name_climbs", text(PLAIN), file="../../x.csv", rows=12),
    Fixture("name_absolute", text(PLAIN), file="/etc/passwd", rows=12),
    Fixture("name_long", text(PLAIN), file="n" * 300 + ".csv", rows=12),
    Fixture("name_nul", text(PLAIN), file="a\0b.csv", rows=12),
    Fixture("name_device", text(PLAIN), file="CON.csv", rows=12),
    Fixture("name_markup", text(PLAIN), file="<img src=x onerror=alert(1)>.csv", rows=12),
)
