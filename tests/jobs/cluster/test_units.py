"""What a cluster's tasks are made of, without a cluster: places, units, checkpoints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from pyarrow import fs  # type: ignore[import-untyped]

from duramen.errors import InputError, OptionError
from duramen.jobs.cluster.checkpoints import Checkpoints
from duramen.jobs.cluster.perform import Done, joined, perform
from duramen.jobs.cluster.places import Place, beside, find, is_address, shown, stage
from duramen.jobs.cluster.units import units
from duramen.jobs.inputs import Input, Kind, find_inputs
from duramen.jobs.local import Job, run_job
from duramen.jobs.parts import Form
from duramen.jobs.settings import Settings
from duramen.jobs.shards import PAGES, Cut
from duramen.pool import Budget
from tests.jobs.cluster.archives import record, write_archives
from tests.jobs.cluster.store import Store, running

SETTINGS = Settings(algorithm="everything", budget=Budget(seconds=300))  # for busy machines
FORMS = (Form.LINES_ZSTD, Form.PARQUET)


@pytest.fixture
def memory() -> str:
    """The address of an empty folder on a filesystem that is no disk."""
    return f"memory://{uuid4().hex}"


def test_what_is_an_address() -> None:
    assert is_address("s3://bucket/key")
    assert is_address("file:///tmp/x")
    assert not any(map(is_address, ("https://site.example/", "/a/b", "a.warc.gz", "C:/x")))


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with running() as store:
        yield store


def test_addresses_are_shown_without_settings_and_keys() -> None:
    assert shown("s3://key:secret@bucket/a/b.gz?region=here") == "s3://bucket/a/b.gz"
    assert shown("/a/b?c@d") == "/a/b?c@d"
    assert beside("s3://bucket/a/?region=here", "/b") == "s3://bucket/a/b?region=here"
    assert beside("what?.jsonl", ".parts") == "what?.jsonl.parts"


@pytest.mark.parametrize("kind", ["path", "file", "memory", "subtree", "s3"])
def test_a_file_stands_when_its_block_ends_well_and_not_before(
    kind: str, tmp_path: Path, memory: str, store: Store
) -> None:
    addresses = {"path": str(tmp_path), "file": tmp_path.as_uri(), "memory": memory, "s3": store.address("bucket/x")}
    name = addresses.get(kind, "")
    place = (
        Place(fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), "") if kind == "subtree" else Place.of(name)
    )
    folder = place / "folder"
    folder.make()
    file = folder / "a.bin"
    assert file.size() is None
    with file.written() as out:
        out.write(b"one")
    assert (file.size(), file.read()) == (3, b"one")
    with file.written() as out:
        out.write(b"other")
    assert folder.names() == {"a.bin": 5}
    with pytest.raises(RuntimeError), (folder / "b.bin").written() as out:
        out.write(b"x")
        raise RuntimeError
    assert folder.names() == {"a.bin": 5}
    folder.remove()
    assert folder.names() == {}


def test_folders_of_addresses_are_listed_in_order(tmp_path: Path) -> None:
    write_archives(tmp_path / "b", 2, 1)
    write_archives(tmp_path / "a", 1, 1)
    (tmp_path / "notes.pdf").write_bytes(b"")
    uri = tmp_path.as_uri()
    assert [one.name for one in find([uri])] == [f"{uri}/a/00.warc.gz", f"{uri}/b/00.warc.gz", f"{uri}/b/01.warc.gz"]
    assert [one.name for one in find([f"{uri}/b/01.warc.gz"])] == [f"{uri}/b/01.warc.gz"]
    with pytest.raises(InputError, match="no such file"):
        list(find([f"{uri}/c"]))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no pages"):
        list(find([f"{uri}/empty"]))


def test_an_unknown_filesystem_is_named() -> None:
    with pytest.raises(InputError, match="no filesystem for nowhere://x"):
        Place.of("nowhere://x/y")


def test_staging_copies_what_is_elsewhere(memory: str, tmp_path: Path) -> None:
    with (Place.of(memory) / "x.warc").written() as file:
        file.write(b"abc")
    copy = stage(f"{memory}/x.warc", tmp_path)
    assert Path(copy).read_bytes() == b"abc"
    assert copy.endswith("x.warc")
    assert stage("plain/path", tmp_path) == "plain/path"


def test_units_are_files_or_ranges_or_groups_of_pages(tmp_path: Path) -> None:
    (small, large) = write_archives(tmp_path, 2, 1)
    large.write_bytes(b"".join(record(number) for number in range(20)))
    size = large.stat().st_size
    pages = [Input(f"{number}.html", Kind.PAGE) for number in range(PAGES * 8 + 1)]
    made = units([Input(str(small), Kind.WARC), Input(str(large), Kind.WARC), *pages], Cut(part_bytes=500), 2_000)
    assert [unit.number for unit in made] == list(range(len(made)))
    ranges = [unit for unit in made if unit.inputs[0].name == str(large)]
    assert [unit.first for unit in ranges] == list(range(0, 4 * -(-size // 2_000), 4))
    assert [unit.count for unit in ranges] == [4] * (len(ranges) - 1) + [None]
    assert [len(unit.inputs) for unit in made if unit.inputs[0].kind is Kind.PAGE] == [PAGES * 8, 1]
    assert len({unit.identity() for unit in made}) == len(made)


@pytest.mark.parametrize("form", FORMS)
def test_parts_of_units_make_the_local_engines_bytes(form: Form, tmp_path: Path) -> None:
    """Whole files, ranges of a file and copies from elsewhere: the same bytes, and `source` as it was named."""
    archives = write_archives(tmp_path / "in", 2, 12)
    damaged = bytearray(archives[1].read_bytes())
    damaged[len(damaged) // 2] ^= 255  # ranges must agree about what is left
    archives[1].write_bytes(bytes(damaged))
    cut = Cut(part_bytes=700)
    output = tmp_path / f"local.{form.value}"
    summary = run_job(Job(tuple(map(str, archives)), output, form, SETTINGS, cut), workers=1)
    made = units(find_inputs([str(path) for path in archives]), cut, 2_800)
    assert len(made) > 2
    pieces: list[bytes] = []
    rows = 0
    expected: int | None = None
    for unit in made:
        expected = None if unit.first == 0 else expected
        parts, done = perform(unit, cut, SETTINGS, form)
        if unit.first and not done.agrees(expected):
            parts, done = perform(replace(unit, expected=expected, exact=True), cut, SETTINGS, form)
        expected = done.following(expected)
        pieces += parts
        rows += done.rows
    assert rows == summary.rows
    assert joined(pieces, SETTINGS, form) == output.read_bytes()


def test_an_archive_in_a_store(store: Store, tmp_path: Path) -> None:
    """Listed, read and written by Arrow's own S3 client; what is shown has no keys."""
    (archive,) = write_archives(tmp_path, 1, 3)
    store.objects["pages/in/00.warc.gz"] = archive.read_bytes()
    (unit,) = units(find([store.address("pages/in")]), Cut())
    pieces, done = perform(unit, Cut(), SETTINGS, Form.LINES)
    points = Checkpoints(store.address("pages/out"), Form.LINES)
    points.begin({"version": "1"})
    points.commit(0, b"".join(pieces), done)
    assert points.all_done([unit.identity()]) == {0: done}
    rows = [json.loads(line) for line in store.objects["pages/out/part-000000.jsonl"].splitlines()]
    assert {row["source"] for row in rows} == {"s3://pages/in/00.warc.gz"}
    assert len(rows) == 3
    store.failures.append("pages/in/00.warc.gz")
    with pytest.raises(OSError, match=r"00\.warc\.gz"):
        perform(unit, Cut(), SETTINGS, Form.LINES)
    assert perform(unit, Cut(), SETTINGS, Form.LINES)[0] == pieces


def test_results_of_a_copy_name_the_original(memory: str, tmp_path: Path) -> None:
    (archive,) = write_archives(tmp_path, 1, 2)
    with (Place.of(memory) / "00.warc.gz").written() as file:
        file.write(archive.read_bytes())
    (unit,) = units(find([f"{memory}/00.warc.gz"]), Cut())
    (data,), done = perform(unit, Cut(), SETTINGS, Form.LINES)
    rows = [json.loads(line) for line in data.splitlines()]
    assert [row["source"] for row in rows] == [f"{memory}/00.warc.gz"] * 2
    assert (done.rows, done.failed, done.shards) == (2, 0, 1)


@pytest.mark.parametrize("kind", ["path", "memory"])
def test_a_unit_is_done_when_its_part_and_its_marker_stand(kind: str, tmp_path: Path, memory: str) -> None:
    points = Checkpoints(str(tmp_path) if kind == "path" else memory, Form.LINES)
    points.begin({"version": "1"})
    done = points.commit(3, b"a\n", Done("unit", rows=1))
    assert points.done(3, "unit") == done
    assert points.all_done(["", "", "", "unit"]) == {3: done}
    assert points.done(3, "other") is None  # made from something else
    with points.part(3).written() as file:
        file.write(b"half")
    assert points.done(3, "unit") is None  # the part is not what the marker says
    assert points.all_done(["", "", "", "unit"]) == {}
    points.commit(3, b"a\n", done)
    with points.marker(3).written() as file:
        file.write(b'{"unit": ')
    assert points.done(3, "unit") is None
    points.forget(3)
    assert points.done(3, "unit") is None
    assert points.done(4, "unit") is None


def test_a_folder_belongs_to_one_job(tmp_path: Path) -> None:
    points = Checkpoints(str(tmp_path / "parts"), Form.LINES)
    points.begin({"version": "1"})
    points.begin({"version": "1"})
    with pytest.raises(OptionError, match="another version"):
        points.begin({"version": "2"})
