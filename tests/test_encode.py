"""encode: GBK and what it lacks; and the way there from every encoding that Chinese pages come in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.decode import decode
from duramen.encode import Encoded, encode
from duramen.errors import OptionError


@pytest.mark.parametrize(
    ("text", "gbk"),
    [
        ("中文。", "d6d0cec4a1a3"),
        ("　　测试", "a1a1a1a1b2e2cad4"),
        ("abc\r\n", "6162630d0a"),
        ("朱镕基", "d6ece946bbf9"),  # a character of GBK that GB 2312 lacks
        ("“引号”——…", "a1b0d2fdbac5a1b1a1aaa1aaa1ad"),
        ("", ""),
    ],
)
def test_gbk(text: str, gbk: str) -> None:
    assert encode(text) == Encoded(bytes.fromhex(gbk), 0)


@pytest.mark.parametrize(
    ("policy", "data", "replaced"),
    [("replace", "笑??", 2), ("entity", "笑&#x1F600;&#x20AC;", 2), ("drop", "笑", 2)],
)
def test_what_becomes_of_characters_that_gbk_lacks(policy: Any, data: str, replaced: int) -> None:
    assert encode("笑😀€", unmappable=policy) == Encoded(data.encode("gbk"), replaced)


def test_no_break_spaces_and_bullets_are_no_loss() -> None:
    assert encode("甲\xa0乙•丙") == Encoded("甲 乙·丙".encode("gbk"), 0)


def test_they_are_left_alone_where_the_encoding_has_them() -> None:
    assert encode("甲\xa0乙•丙", "utf-8").data == "甲\xa0乙•丙".encode()


def test_they_are_lost_where_it_has_not_even_the_substitute() -> None:
    assert encode("a\xa0•", "ascii") == Encoded(b"a ?", 1)


def test_every_occurrence_counts() -> None:
    assert encode("😀" * 1_000 + "€" * 10).replaced == 1_010


def test_undecodable_bytes_become_replacement_characters_and_then_unmappable_ones() -> None:
    raw = "会议明日举行，记者今天获悉。".encode("gbk") * 20
    broken = decode(b"<p>" + raw + b"\xff\xff" + raw, charset="gbk").utf8.decode()
    assert encode(broken).replaced == broken.count("\ufffd") > 0


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "utf-16"])
def test_encodings_that_lack_nothing(encoding: str) -> None:
    text = "测试 😀 € • ✓"
    assert encode(text, encoding) == Encoded(text.encode(encoding), 0)


@pytest.mark.parametrize("encoding", ["gbk", "utf-8"])
def test_lone_surrogates_do_not_fail(encoding: str) -> None:
    assert encode("a\ud800b", encoding) == Encoded(b"a?b", 1)


def test_unknown_encodings_and_policies_are_refused() -> None:
    with pytest.raises(OptionError, match="unknown encoding 'gbx'"):
        encode("a", "gbx")
    with pytest.raises(OptionError, match="unknown encoding 'rot13'"):
        encode("a", "rot13")  # a codec, but not of text
    with pytest.raises(OptionError, match="replace, entity, drop"):
        encode("a", unmappable="ignore")  # type: ignore[arg-type]


@given(st.text(), st.sampled_from(["gbk", "gb2312", "big5", "ascii", "utf-8"]))
def test_any_text_can_be_encoded(text: str, encoding: str) -> None:
    encoded = encode(text, encoding)
    assert len(encoded.data.decode(encoding)) == len(text)
    assert 0 <= encoded.replaced <= len(text)


# --- the way there --------------------------------------------------------------------------------------------------


def test_gbk_bytes_are_not_utf8() -> None:
    raw = bytes.fromhex("d6d0cec4a1a3")
    with pytest.raises(UnicodeDecodeError) as caught:
        raw.decode()
    assert caught.value.object[caught.value.start] == 0xD6
    assert decode(raw * 8).encoding == "gb18030"
    assert decode(raw * 8).utf8 == bytes.fromhex("e4b8ade69687e38082") * 8


@pytest.mark.parametrize("encoding", ["gbk", "gb2312", "gb18030", "utf-8", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("labelled", [True, False])
def test_from_every_encoding_of_the_paper_to_gbk(encoding: str, labelled: bool) -> None:
    label = f"<meta charset={encoding}>" if labelled else ""
    text = f"<html><head>{label}<title>测试</title></head><body><p>会议明日举行，记者今天获悉。</p></body></html>"
    decoded = decode(text.encode(encoding)).utf8.decode()
    assert encode(decoded) == Encoded(text.encode("gbk"), 0)


@pytest.mark.parametrize("wrong", ["utf-8", "iso-8859-1"])
def test_the_real_encoding_wins_over_the_declared_one(wrong: str) -> None:
    text = f"<html><head><meta charset={wrong}></head><body><p>{'会议明日举行，记者今天获悉。' * 5}</p></body></html>"
    decoded = decode(text.encode("gbk"))
    assert "会议明日举行" in decoded.utf8.decode()
