"""The container: what is counted while it is unpacked, and what our own parts look like."""

from __future__ import annotations

import io

import pytest

import engine
from engine.project import archive
from engine.project.archive import Archive, as_json, check_plain, read_json, zipped


def test_equal_parts_make_equal_bytes_and_come_back() -> None:
    """No time of day, no order but the one given."""
    parts = {"about.json": b"{}", "arrays/0.npy": b"NUMPY"}
    assert zipped(parts) == zipped(dict(parts))
    with Archive(zipped(parts)) as found:
        assert {name: found.bytes(name) for name in parts} == parts
        assert "about.json" in found
        assert "other.json" not in found


def test_a_part_is_read_up_to_its_limit_and_no_further() -> None:
    """One byte too many is refused, whatever the directory says of it."""
    with Archive(zipped({"about.json": b"x" * 100})) as found:
        assert len(found.bytes("about.json", 100)) == 100
        with pytest.raises(engine.DataError, match="fill the memory"):
            found.bytes("about.json", 99)


def test_all_parts_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that are small one by one are counted together; so is the directory, before anything is read."""
    content = zipped({f"x/{i}.json": b"y" * 100 for i in range(5)})
    with Archive(content) as found:
        found._left = 250
        assert found.bytes("x/0.json") + found.bytes("x/1.json") == b"y" * 200
        with pytest.raises(engine.DataError, match="fill the memory"):
            found.bytes("x/2.json")
    monkeypatch.setattr(archive, "MOST_BYTES", 499)
    with pytest.raises(engine.DataError, match="fill the memory"):
        Archive(content)
    monkeypatch.setattr(archive, "MOST_FILE", 100)
    with pytest.raises(engine.DataError, match=r"up to 0 MB are opened\.$"):
        Archive(content)


def test_memory_is_counted_where_few_bytes_ask_for_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of all JSON parts, and what arrays and tables say that they will take, together."""
    monkeypatch.setattr(archive, "MOST_VALUES", 10)
    with Archive(zipped({f"x/{i}.json": b"[1,2,3,4]" for i in range(3)})) as found:
        assert found.json("x/0.json") == found.json("x/1.json") == [1, 2, 3, 4]
        with pytest.raises(engine.DataError, match="fill the memory"):
            found.json("x/2.json")
        found.spend(archive.MOST_BYTES // 2)
        with pytest.raises(engine.DataError, match="fill the memory"):
            found.spend(archive.MOST_BYTES // 2)


def test_a_part_that_nobody_reads_is_found() -> None:
    """A file holds nothing beside what it says."""
    with Archive(zipped({"about.json": b"{}", "x/0.json": b"{}"})) as found:
        found.json("about.json")
        with pytest.raises(engine.DataError, match="nothing in it speaks of"):
            found.check_all_read()
        found.json("x/0.json")
        found.check_all_read()


def test_sources_are_paths_bytes_and_open_files(tmp_path: object) -> None:
    """The same content by every way in; an open file is read from its start."""
    content = zipped({"about.json": b"[1]"})
    path = tmp_path / "a.diptych"  # type: ignore[operator]
    path.write_bytes(content)
    file = io.BytesIO(content)
    file.read()
    for source in (path, str(path), content, bytearray(content), file):
        with Archive(source) as found:
            assert found.json("about.json") == [1]
    with pytest.raises(engine.DataError, match="no file of Diptych"):
        Archive(7)  # type: ignore[arg-type]
    with pytest.raises(engine.DataError, match="no file of Diptych"):
        Archive(path.parent)


@pytest.mark.parametrize("value", [None, "\ud800 half a letter", {"a": [1, 2.5, True]}, 10**300, -0.0, "ü" * 1000])
def test_plain_values_come_back(value: object) -> None:
    """Through JSON to the same value."""
    assert read_json(as_json(value)) == value


def test_depth_and_length_are_counted_from_their_limits() -> None:
    """One more is too many."""
    nested: object = "end"
    for _ in range(archive.MOST_DEPTH):
        nested = [nested]
    check_plain(nested)
    with pytest.raises(engine.DataError, match="too deep"):
        check_plain([nested])
    check_plain({"a" * archive.MOST_TEXT: "b" * archive.MOST_TEXT})
    with pytest.raises(engine.DataError, match="million characters"):
        check_plain({"a": "b" * (archive.MOST_TEXT + 1)})


def test_json_that_packs_too_well_is_refused_and_arrays_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than five hundred times, looked at from a size on; what packs as usual is read."""
    zeros, usual = b"[" + b"0," * 100_000 + b"0]", as_json(list(range(10_000)))
    monkeypatch.setattr(archive, "FREE_BYTES", 1000)
    for name, part in (("x/0.json", usual), ("x/0.npy", zeros)):
        with Archive(zipped({name: part})) as found:
            assert found.bytes(name) == part
    with pytest.raises(engine.DataError, match="fill the memory"):
        Archive(zipped({"x/0.json": zeros}))
    monkeypatch.setattr(archive, "FREE_BYTES", 1_000_000)
    with Archive(zipped({"x/0.json": zeros})) as found:
        assert len(found.json("x/0.json")) == 100_001


def test_more_parts_than_any_file_of_ours_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By their number, and by what the directory says of their size."""
    content = zipped({f"x/{i}.json": b"[1]" for i in range(4)})
    monkeypatch.setattr(archive, "MOST_MEMBERS", 4)
    with Archive(content) as found:
        assert "x/3.json" in found
        assert "x/4.json" not in found
    monkeypatch.setattr(archive, "MOST_MEMBERS", 3)
    with pytest.raises(engine.DataError, match="fill the memory"):
        Archive(content)


def test_a_file_of_many_parts_is_read() -> None:
    """Its directory takes some 70 bytes a part."""
    with Archive(zipped({f"x/{i}.json": b"[1]" for i in range(1000)})) as found:
        assert found.json("x/999.json") == [1]
