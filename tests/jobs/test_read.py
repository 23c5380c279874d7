"""Reading archives: the same records whole or in pieces, and no damage that hides what is around it."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
import zstandard

from duramen.errors import InputError
from duramen.jobs.inputs import find_inputs
from duramen.jobs.read.edges import Edges
from duramen.jobs.record import Record
from duramen.jobs.shards import Cut, agrees, corrected, following, read_shard, records, shards
from duramen.page import Reason
from tests.jobs.archives import lines, members, page, record, request, response, warc


def read(path: Path | str, cut: Cut = Cut()) -> list[Record]:  # noqa: B008  (frozen)
    """All records, one after the other."""
    return list(records(find_inputs([str(path)]), cut))


def read_in_parallel(path: Path, size: int) -> list[Record]:
    """As workers do: each range by itself, then put right where its edge was guessed wrongly."""
    cut, expected, found = Cut(part_bytes=size), None, list[Record]()
    for shard in shards(find_inputs([str(path)]), cut):
        edges = Edges()
        mine = list(read_shard(shard, cut, edges))
        if not agrees(shard, edges, expected):
            exact = corrected(shard, expected)
            edges = Edges(known=exact is not None)
            mine = [] if exact is None else list(read_shard(exact, cut, edges))
        expected = following(shard, edges, expected)
        found += mine
    return found


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
@pytest.mark.parametrize("size", [37, 1000, 20_000])
def test_ranges_of_a_warc_give_what_the_whole_gives(tmp_path: Path, name: str, size: int) -> None:
    path = warc(tmp_path / name, 12)
    whole = read(path)
    assert [one.url for one in whole] == [f"https://site.example/{number}" for number in range(12)]
    assert [one.body for one in whole] == [page(number).encode() for number in range(12)]
    assert (whole[0].charset, whole[0].http_status) == ("utf-8", 200)
    assert read_in_parallel(path, size) == whole
    assert read(path, Cut(part_bytes=size)) == whole


def test_only_pages_are_read(tmp_path: Path) -> None:
    image = response(1, b"\x89PNG", "image/png")
    lookup = record("response", 2, b"site.example. 60 IN A 192.0.2.1").replace(b"application/http", b"text/dns")
    (tmp_path / "a.warc").write_bytes(request(0) + image + lookup + response(3) + response(4, b"<p>x", "text/HTML"))
    assert [one.url for one in read(tmp_path / "a.warc")] == ["https://site.example/3", "https://site.example/4"]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_an_archive_inside_an_archive_is_not_taken_for_records(tmp_path: Path, name: str) -> None:
    """Its records look like real ones to whoever starts reading in the middle of it."""
    pack = gzip.compress if name.endswith(".gz") else bytes
    inner = b"\r\n\r\n".join(pack(response(100 + number)) for number in range(8))
    outer = response(1, inner)
    stored = gzip.compress(outer, 0) if name.endswith(".gz") else outer  # not compressed: it shows as it is
    (tmp_path / name).write_bytes(pack(response(0)) + stored + pack(response(2)))
    whole = read(tmp_path / name)
    assert [one.url for one in whole] == [f"https://site.example/{number}" for number in range(3)]
    for size in (len(stored) // 7, len(stored) // 3, 500):
        assert read_in_parallel(tmp_path / name, size) == whole


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_member_costs_itself_alone(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    parts = members(10)
    victim = chance.randrange(len(parts))
    broken = bytearray(parts[victim])
    for _ in range(chance.randint(1, 6)):
        broken[chance.randrange(len(broken))] ^= chance.randint(1, 255)
    if seed % 4 == 3:  # part of it is missing altogether
        del broken[chance.randrange(len(broken)) :]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join([*parts[:victim], bytes(broken), *parts[victim + 1 :]]))
    found = read(path)
    whole = [one for one in found if one.problem is None]
    expected = [f"https://site.example/{number}" for number in range(10) if victim != 2 * number + 1]
    assert [one.url for one in whole if one.url in expected] == expected
    assert len(whole) <= len(expected) + 1  # a change in a part of the header that nobody reads harms nothing
    damaged = [one for one in found if one.problem is not None]
    assert len(damaged) <= 1
    assert all(one.problem is Reason.DAMAGED and one.offset is not None for one in damaged)
    assert damaged or len(whole) == 10
    for size in (700, 3000):
        assert read_in_parallel(path, size) == found


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
@pytest.mark.parametrize("seed", range(6))
def test_a_truncated_archive_says_so(tmp_path: Path, name: str, seed: int) -> None:
    path = warc(tmp_path / name, 6)
    data = path.read_bytes()
    whole = read(path)
    cut = random.Random(seed).randrange(1, len(data))
    path.write_bytes(data[:cut])
    found = read(path)
    kept = [one for one in found if one.problem is None]
    assert kept == whole[: len(kept)]
    on_edge = any(one.offset == cut for one in whole) or len(kept) == len(whole)
    damaged = [one for one in found if one.problem is Reason.DAMAGED]
    assert len(damaged) == 1 or on_edge
    assert read_in_parallel(path, 900) == found


def test_a_plain_archive_with_rubbish_in_it_goes_on_behind_it(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(response(0) + b"rubbish\n" * 9 + response(1) + request(1) + response(2))
    found = read(tmp_path / "a.warc")
    assert [one.problem for one in found] == [None, Reason.DAMAGED, None, None]
    for size in (100, 1000):
        assert read_in_parallel(tmp_path / "a.warc", size) == found


def test_an_archive_compressed_as_one_stream_is_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(b"".join(response(number) for number in range(5)), mtime=0))
    assert len(list(shards(find_inputs([str(path)]), Cut(part_bytes=100)))) == 1
    assert [one.body for one in read(path, Cut(part_bytes=100))] == [page(number).encode() for number in range(5)]


def test_bodies_are_decoded_as_their_headers_say(tmp_path: Path) -> None:
    body = gzip.compress(page(1).encode())
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
    (tmp_path / "a.warc").write_bytes(record("response", 1, http % len(body) + body))
    assert read(tmp_path / "a.warc")[0].body == page(1).encode()


def test_a_body_is_read_no_further_than_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(response(1, b"a" * (5 << 20))) + members(1)[1])
    found = read(tmp_path / "a.warc.gz", Cut(max_bytes=1000))
    assert [len(one.body) for one in found] == [1001, 1001]


@pytest.mark.parametrize("size", [13, 500, 1 << 20])
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
def test_lines(tmp_path: Path, name: str, size: int) -> None:
    data = lines(7) + b"\n[1]\nnot json\n" + b'{"nothing": 1}\n' + lines(1).rstrip()
    packed = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}.get(name.rpartition(".")[2], bytes)
    (tmp_path / name).write_bytes(packed(data))
    found = read(tmp_path / name, Cut(part_bytes=size))
    assert [one.body for one in found if one.problem is None] == [page(number).encode() for number in [*range(7), 0]]
    assert [one.detail for one in found if one.problem is not None] == [
        "a line that is not a JSON object",
        "a line that is not JSON",
        "no text in any of html, content, body, page, raw_html, text",
    ]
    assert found[1].offset == data.index(b"\n") + 1
    assert found[1].url == "https://site.example/1"


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst"])
def test_truncated_lines_are_read_up_to_the_cut(tmp_path: Path, name: str) -> None:
    packed = gzip.compress if name.endswith("gz") else zstandard.ZstdCompressor().compress
    data = packed(lines(40))
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    found = read(tmp_path / name, Cut(part_bytes=3000))
    kept = [one.body for one in found if one.problem is None]
    assert kept == [page(number).encode() for number in range(len(kept))]
    assert [one.problem for one in found[len(kept) :]] == [Reason.DAMAGED]


def test_rows(tmp_path: Path) -> None:
    pages: list[str | None] = [page(number) for number in range(300)]
    pages[5] = None
    table = pa.table({"id": range(300), "markup": pages, "address": [f"https://a.example/{n}" for n in range(300)]})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=100)
    found = read(tmp_path / "a.parquet", Cut(html="markup", url="address"))
    assert [one.offset for one in found] == list(range(300))
    assert (found[7].body, found[7].url) == (page(7).encode(), "https://a.example/7")
    assert found[5].problem is Reason.DAMAGED
    with pytest.raises(InputError, match="no column html or"):
        read(tmp_path / "a.parquet")


def test_bytes_in_a_table_are_decoded_as_pages_are(tmp_path: Path) -> None:
    pq.write_table(pa.table({"html": [b"<p>caf\xe9</p>"]}), tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet")[0].charset is None


def test_damaged_tables_are_a_record(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 not really PAR1")
    assert [one.problem for one in read(tmp_path / "a.parquet")] == [Reason.DAMAGED]


def test_folders_and_patterns_are_sorted(tmp_path: Path) -> None:
    for name in ("b.html", "a/z.htm", "a/b.xhtml", "c.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(1))
    warc(tmp_path / "d.warc", 1)
    names = [Path(one.name).name for one in find_inputs([str(tmp_path)])]
    assert names == ["b.html", "d.warc", "b.xhtml", "z.htm"]
    assert [Path(one.name).name for one in find_inputs([f"{tmp_path}/**/*.htm*"])] == ["z.htm", "b.html"]


def test_lists_of_addresses(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("# ours\nhttps://a.example/\n\nhttp://b.example/x\n")
    assert [one.name for one in find_inputs([str(tmp_path / "list.txt")])] == [
        "https://a.example/",
        "http://b.example/x",
    ]
    (tmp_path / "list.txt").write_text("a.example\n")
    with pytest.raises(InputError, match="line 1"):
        list(find_inputs([str(tmp_path / "list.txt")]))


@pytest.mark.parametrize(("argument", "message"), [("none.warc", "no such file"), ("none/*.html", "nothing matches")])
def test_inputs_that_are_not_there(tmp_path: Path, argument: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(find_inputs([str(tmp_path / argument)]))
