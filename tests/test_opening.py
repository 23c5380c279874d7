"""What the first bytes of most pages say at once is what the full rules say."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from duramen.decode.first_bytes import HEAD_BYTES, MARKS, is_binary, unmarked_utf16
from duramen.decode.labels import PRESCAN_BYTES, stated_encodings
from duramen.decode.opening import begins_plainly, stated_in

SEE_LABELS, SAYS_UTF8, SAYS_NOTHING = range(3)
PLAIN = b"<!doctype html><html><head><meta charset=utf-8><title>x</title>"
PIECES = [
    *(b"<meta charset=utf-8>", b'<META Charset="UTF-8"/>', b"<meta charset='utf-8' />", b'<meta  charset="utf-8"'),
    *(b"<meta charset=utf-8/>", b'<meta charset="utf-8">', b"<meta charset=gbk>", b"<meta charset = utf-8>"),
    *(b'<meta http-equiv="Content-Type" content="text/html; charset=utf-8">', b"<meta name=x content=y>"),
    *(b"<meta/charset=utf-8>", b"<meta / charset=utf-8>", b"<metacharset=utf-8>", b'<meta charset="utf-8>'),
    *(b"<meta charset=utf-8 charset=gbk>", b"<meta data-charset=utf-8>", b"<meta charset=utf-16>", b"<meta charset="),
    *(b"<!-- <meta charset=gbk> -->", b"<!-->", b"<!---->", b"<!-- ", b"--", b">", b"<", b"<?xml encoding='gbk'?>"),
    *(b"\n", b" ", b"\x0b\x0c", b"<html>", b"x" * 300, b"\xe4\xb8\xad", b"<meta charset='utf-8\"'>"),
]


def check_labels(data: bytes) -> None:
    """`stated_in` is sure of what `stated_encodings` finds, or leaves it to that."""
    said = stated_in(data, PRESCAN_BYTES)
    found = next(stated_encodings(data, None, PRESCAN_BYTES), None)
    if said == SAYS_UTF8:
        assert found == ("utf-8", "meta"), data
    elif said == SAYS_NOTHING:
        assert found is None, data
    else:
        assert said == SEE_LABELS


def test_labels_two_by_two() -> None:
    for pieces in product(PIECES, PIECES):
        check_labels(b"".join(pieces))


def test_labels_of_made_up_heads() -> None:
    random = Random(5)
    for _ in range(3000):
        data = b"".join(random.choices(PIECES, k=random.randrange(8)))
        check_labels(data[random.randrange(3) : random.randrange(len(data) + 1)])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (PLAIN, SAYS_UTF8),
        (b"<title>x</title><p>y", SAYS_NOTHING),
        (b"<!-- charset=gbk --><meta charset='UTF-8'>", SAYS_UTF8),
        (b'<meta name=a content=b>\n<meta charset="utf-8" />', SAYS_UTF8),
        (b"x" * PRESCAN_BYTES + b"<meta charset=utf-8>", SAYS_NOTHING),
        (b"<meta charset=gbk>", SEE_LABELS),
        (b"", SAYS_NOTHING),
    ],
)
def test_most_pages_are_told_at_once(data: bytes, said: int) -> None:
    assert stated_in(data, PRESCAN_BYTES) == said


@pytest.mark.parametrize("place", [0, 1, 4, 100, HEAD_BYTES - 1, HEAD_BYTES])
@pytest.mark.parametrize("byte", [*range(33), 0x7F, 0x80, 0xEF, 0xFE, 0xFF, ord("f")])
def test_a_plain_beginning_is_no_mark_and_no_binary(place: int, byte: int) -> None:
    data = bytearray(PLAIN.ljust(HEAD_BYTES + 9))
    data[place] = byte
    head = bytes(data[:HEAD_BYTES])
    usual = not head.startswith(tuple(mark for mark, _ in MARKS)) and unmarked_utf16(head, None) is None
    if begins_plainly(bytes(data), HEAD_BYTES):
        assert usual
        assert not is_binary(head)


def test_what_begins_plainly() -> None:
    assert begins_plainly(PLAIN, HEAD_BYTES)
    assert begins_plainly(b"\n <p>\x1b\x0b", HEAD_BYTES)
    assert begins_plainly(b"<" + b"a" * HEAD_BYTES + b"\0", HEAD_BYTES)
    for unusual in (b"", b"x<p>", b"<p>\0", b"<p>\x01", b"<!xxftyp", b"\xef\xbb\xbf<p>", b"%PDF-1"):
        assert not begins_plainly(unusual, HEAD_BYTES)
