"""decode: labels, byte-order marks, detection, decoders and what is no text at all."""

from __future__ import annotations

import gzip
import importlib
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.decode import PIECE_BYTES, Decoded, decode
from duramen.decode.decoders import characters
from duramen.errors import InputError, InputTooLarge

CHINESE = "昨天下午，市图书馆举办了一场关于城市历史的讲座，来了三百多位市民。讲座结束以后，大家还参观了旧地图的展览。"
TAIWAN = "昨天下午，市立圖書館舉辦了一場關於城市歷史的講座，來了三百多位市民。講座結束以後，大家還參觀了舊地圖的展覽。"
JAPANESE = (
    "昨日の午後、市立図書館で町の歴史についての講演会が開かれ、三百人以上の市民が集まりました。古い地図も見ました。"
)
KOREAN = "어제 오후 시립 도서관에서 도시의 역사에 관한 강연이 열렸고 삼백 명이 넘는 시민이 모였습니다."
RUSSIAN = "Вчера днём в городской библиотеке прошла лекция об истории города, на которую пришли более трёхсот жителей."
GREEK = "Χθες το απόγευμα στη δημοτική βιβλιοθήκη έγινε μια διάλεξη για την ιστορία της πόλης με πολλούς επισκέπτες."
HEBREW = "אתמול אחר הצהריים התקיימה בספרייה העירונית הרצאה על תולדות העיר ובאו אליה יותר משלוש מאות תושבים."
ARABIC = "أقيمت بعد ظهر أمس في مكتبة المدينة محاضرة عن تاريخ المدينة حضرها أكثر من ثلاثمئة من السكان ثم زاروا المعرض."
THAI = "เมื่อวานตอนบ่ายห้องสมุดประชาชนจัดบรรยายเรื่องประวัติศาสตร์ของเมือง มีผู้เข้าฟังมากกว่าสามร้อยคน"
POLISH = "Wczoraj po południu w bibliotece miejskiej odbył się wykład o dziejach miasta, na który przyszło wielu gości."
TURKISH = (
    "Dün öğleden sonra şehir kütüphanesinde kentin tarihi üzerine bir konuşma yapıldı ve üç yüzü aşkın kişi geldi."
)
FRENCH = (
    "Hier après-midi, la bibliothèque a accueilli une conférence sur l’histoire de la cité, très appréciée des élèves."
)


def page(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>{text[:12]}</title></head><body><h1>{text[:20]}</h1><p>{text}</p></body></html>"


def read(source: str | bytes, charset: str | None = None) -> str:
    return decode(source, charset=charset).utf8.decode()


# --- UTF-8 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "plain", "<p>naïve café</p>", page(CHINESE), "emoji 🌲 in ten bytes"])
def test_valid_utf8_is_handed_on_without_a_copy(text: str) -> None:
    source = text.encode()
    assert decode(source).utf8 is source


@pytest.mark.parametrize(
    ("head", "charset", "how"),
    [
        ("", None, "utf-8"),
        ("", "utf-8", "transport"),
        ("<meta charset=utf-8>", None, "meta"),
        ("<meta charset=gb2312>", None, "utf-8"),  # the bytes contradict the label
        ("<meta charset=utf-8>", "gbk", "meta"),
        ("", "windows-1252", "utf-8"),
    ],
)
def test_how_utf8_was_known(head: str, charset: str | None, how: str) -> None:
    decoded = decode(page(CHINESE, head).encode(), charset=charset)
    assert (decoded.encoding, decoded.how, decoded.errors) == ("utf-8", how, 0)


def test_ascii_keeps_the_name_of_its_label() -> None:
    source = b"<meta charset=iso-8859-1><p>plain"
    assert decode(source) == Decoded(source, "windows-1252", "meta")


def test_damaged_utf8_stays_utf8() -> None:
    source = page(CHINESE).encode().replace("讲座".encode(), "讲座".encode()[:-1])
    decoded = decode(source)
    assert (decoded.encoding, decoded.errors) == ("utf-8", source.count("讲座".encode()[:-1]))


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "shift_jis", "euc-kr", "euc-jp"])
def test_no_bytes_are_no_characters(encoding: str) -> None:
    assert characters(b"", encoding) == ""


def test_replacement_characters_of_the_page_are_no_errors() -> None:
    assert decode(page(CHINESE + "\ufffd").encode() + b"\xff").errors == 1


@pytest.mark.parametrize("before", [0, 1, 7, 8, PIECE_BYTES - 2, PIECE_BYTES - 1, PIECE_BYTES, 2 * PIECE_BYTES - 1])
@pytest.mark.parametrize("between", [1, 7, 8, PIECE_BYTES - 2, PIECE_BYTES, PIECE_BYTES + 1])
def test_a_character_torn_apart_by_ascii_is_not_utf8(before: int, between: int) -> None:
    # Text is checked in pieces: a character across two of them is whole, one with ASCII in it is not.
    torn = b"a" * before + b"\xe8\xae" + b"b" * between + b"\xb2" + b"c" * 20
    assert decode(torn).utf8 != torn
    whole = b"a" * before + "讲".encode() + b"b" * between + "é".encode()
    assert decode(whole).utf8 is whole
    assert decode(whole[:-1]).utf8 != whole[:-1]


@given(st.lists(st.one_of(st.binary(max_size=4), st.sampled_from([b"a" * 8, b"<p>", "é".encode(), "讲".encode()]))))
def test_the_result_is_always_valid_utf8(pieces: list[bytes]) -> None:
    decoded = decode(b"".join(pieces))
    assert decoded.utf8.decode() is not None
    assert not (decoded.binary and decoded.utf8)


# --- byte-order marks and UTF-16 ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "encoding"),
    [
        (b"\xef\xbb\xbf" + page(CHINESE).encode(), "utf-8"),
        (b"\xff\xfe" + page(CHINESE).encode("utf-16-le"), "utf-16le"),
        (b"\xfe\xff" + page(CHINESE).encode("utf-16-be"), "utf-16be"),
    ],
)
def test_a_byte_order_mark_beats_every_label(source: bytes, encoding: str) -> None:
    decoded = decode(source, charset="gbk")
    assert (decoded.encoding, decoded.how, decoded.errors) == (encoding, "bom", 0)
    assert decoded.utf8.decode() == page(CHINESE)


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize(("charset", "how"), [(None, "detected"), ("utf-16", "transport"), ("gbk", "detected")])
def test_utf16_without_a_mark_shows_by_its_nuls(encoding: str, charset: str | None, how: str) -> None:
    decoded = decode(page(CHINESE).encode(encoding), charset=charset)
    assert (decoded.encoding, decoded.how) == (encoding, how)
    assert decoded.utf8.decode() == page(CHINESE)


@pytest.mark.parametrize("label", ["unicode", "utf-16", "UTF-16LE"])
def test_utf16_labels_without_nuls_mean_utf8(label: str) -> None:
    assert decode(page(CHINESE).encode(), charset=label).encoding == "utf-8"
    assert read(page(CHINESE, f"<meta charset={label}>").encode()) == page(CHINESE, f"<meta charset={label}>")


def test_half_a_utf16_unit_is_one_error() -> None:
    decoded = decode(b"\xff\xfe" + "<p>ab".encode("utf-16-le") + b"\x41")
    assert (decoded.utf8, decoded.errors) == ("<p>ab\ufffd".encode(), 1)


# --- labels -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "codec", "encoding", "text"),
    [
        ("gb2312", "gb18030", "gb18030", CHINESE),
        ("GBK", "gb18030", "gb18030", CHINESE),
        ("x-gbk", "gb18030", "gb18030", CHINESE),
        ("cp936", "gb18030", "gb18030", CHINESE),
        ("gb18030", "gb18030", "gb18030", CHINESE + "𠀀"),
        ("big5", "cp950", "big5", TAIWAN),
        ("x-sjis", "cp932", "shift_jis", JAPANESE),
        ("euc-jp", "euc_jp", "euc-jp", JAPANESE),
        ("iso-2022-jp", "iso2022_jp", "iso-2022-jp", JAPANESE),
        ("ks_c_5601-1987", "cp949", "euc-kr", KOREAN),
        ("iso-8859-1", "cp1252", "windows-1252", FRENCH),
        ("latin1", "cp1252", "windows-1252", FRENCH),
        ("windows-1251", "cp1251", "windows-1251", RUSSIAN),
        ("koi8-r", "koi8_r", "koi8-r", RUSSIAN),
        ("iso-8859-2", "iso8859_2", "iso-8859-2", POLISH),
        (" 'Windows-1254' ", "cp1254", "windows-1254", TURKISH),
        ("tis-620", "cp874", "windows-874", THAI),
        ("text/html; charset=windows-1253", "cp1253", "windows-1253", GREEK),
    ],
)
def test_what_the_transport_says(label: str, codec: str, encoding: str, text: str) -> None:
    decoded = decode(page(text).encode(codec), charset=label)
    assert (decoded.encoding, decoded.how, decoded.errors) == (encoding, "transport", 0)
    assert decoded.utf8.decode() == page(text)


@pytest.mark.parametrize(
    ("head", "how"),
    [
        ('<meta charset="gb2312">', "meta"),
        ("<META CHARSET = 'GBK' />", "meta"),
        ("<meta charset=gbk>", "meta"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', "meta"),
        ("<meta content='text/html;charset=GB2312' http-equiv=content-type>", "meta"),
        ("<!-- <meta charset=utf-8> --><meta charset=gbk>", "meta"),
        ('<meta name="description" content="a charset=utf-8 page"><meta charset=gbk>', "meta"),
        ("<meta charset=no-such-thing><meta charset=gbk>", "meta"),
        (f"<script>{'x' * 3000}</script><meta charset=gbk>", "meta"),  # browsers meet it later and start again
    ],
)
def test_what_the_page_says(head: str, how: str) -> None:
    decoded = decode(page(CHINESE, head).encode("gb18030"))
    assert (decoded.encoding, decoded.how) == ("gb18030", how)
    assert decoded.utf8.decode() == page(CHINESE, head)


def test_an_xml_declaration_is_a_label_and_meta_is_stronger() -> None:
    declaration = "<?xml version='1.0' encoding='windows-1251'?>"
    assert decode((declaration + page(RUSSIAN)).encode("cp1251")).how == "xml"
    both = declaration + page(RUSSIAN, "<meta charset=koi8-r>")
    assert decode(both.encode("koi8_r")).encoding == "koi8-r"


def test_the_transport_is_stronger_than_the_page() -> None:
    source = page(RUSSIAN, "<meta charset=koi8-r>")
    assert read(source.encode("cp1251"), charset="windows-1251") == source


@pytest.mark.parametrize(
    "label", ["no-such-thing", "", " ", "iso-2022-kr", "\ud800", "ＵＴＦ-8", "charset=", "0" * 10_000]
)
def test_an_unknown_label_is_ignored(label: str) -> None:
    decoded = decode(page(CHINESE).encode("gb18030"), charset=label)
    assert (decoded.encoding, decoded.how) == ("gb18030", "detected")


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("utf-8", "gb18030", CHINESE),
        ("utf-8", "cp1252", FRENCH),
        ("iso-8859-1", "gb18030", CHINESE),
        ("iso-8859-1", "cp1251", RUSSIAN),
        ("gb2312", "cp1251", RUSSIAN),
        ("gb2312", "cp950", TAIWAN),
        ("shift_jis", "euc_jp", JAPANESE),
        ("euc-kr", "cp932", JAPANESE),
        ("utf-8", "iso2022_jp", JAPANESE),
    ],
)
def test_a_label_that_the_bytes_contradict_loses(label: str, codec: str, text: str) -> None:
    decoded = decode(page(text).encode(codec), charset=label)
    assert decoded.how == "detected"
    assert decoded.utf8.decode() == page(text)


@pytest.mark.parametrize(("codec", "text"), [("gb18030", CHINESE), ("cp949", KOREAN), ("cp1252", FRENCH)])
def test_a_damaged_page_keeps_its_label(codec: str, text: str) -> None:
    source = page(text * 20).encode(codec)
    first = next(at for at, byte in enumerate(source) if byte > 0x7F)
    decoded = decode(source[:first] + source[first + 1 :], charset=codec)
    assert decoded.how == "transport"


def test_many_unfinished_tags_are_no_trouble() -> None:
    assert decode(b"<meta " * 200_000 + "中文。".encode("gb18030")).encoding == "gb18030"


# --- detection ----------------------------------------------------------------------------------------------------

UNLABELLED = [
    ("gb18030", "gb18030", CHINESE),
    ("cp950", "big5", TAIWAN),
    ("cp932", "shift_jis", JAPANESE),
    ("euc_jp", "euc-jp", JAPANESE),
    ("iso2022_jp", "iso-2022-jp", JAPANESE),
    ("cp949", "euc-kr", KOREAN),
    ("cp1251", "windows-1251", RUSSIAN),
    ("koi8_r", "koi8-r", RUSSIAN),
    ("cp1253", "windows-1253", GREEK),
    ("cp1255", "windows-1255", HEBREW),
    ("cp1256", "windows-1256", ARABIC),
    ("cp874", "windows-874", THAI),
    ("cp1250", "windows-1250", POLISH),
    ("cp1254", "windows-1254", TURKISH),
    ("cp1252", "windows-1252", FRENCH),
]


@pytest.mark.parametrize(("codec", "encoding", "text"), UNLABELLED, ids=[entry[1] for entry in UNLABELLED])
def test_unlabelled_pages(codec: str, encoding: str, text: str) -> None:
    decoded = decode(page(text).encode(codec))
    assert (decoded.how, decoded.errors) == ("detected", 0)
    assert decoded.utf8.decode() == page(text), decoded.encoding


@pytest.mark.parametrize(
    ("codec", "encoding", "text"), [UNLABELLED[0], UNLABELLED[1], UNLABELLED[3], UNLABELLED[5]], ids=lambda _: ""
)
def test_one_lost_byte_does_not_mislead_detection(codec: str, encoding: str, text: str) -> None:
    # The detector alone takes such pages for Latin letters: it drops an encoding at its first impossible character.
    paragraphs = "".join(f"<p>{text}</p>\n" for _ in range(20)).encode(codec)
    middle = next(at for at in range(len(paragraphs) // 2, len(paragraphs)) if paragraphs[at] > 0x7F)
    assert decode(paragraphs[:middle] + paragraphs[middle + 1 :]).encoding == encoding


@pytest.mark.parametrize(("source", "text"), [(b"<p>a \xa3 5 note", "<p>a £ 5 note"), (b"\xa9 2004", "© 2004")])
def test_a_lone_symbol_is_western(source: bytes, text: str) -> None:
    assert read(source) == text


def test_only_text_around_non_ascii_is_judged() -> None:
    source = b"<script>" + b"x" * 300_000 + b"</script>" + page(RUSSIAN).encode("koi8_r")
    assert read(source).endswith(page(RUSSIAN))


# --- decoders -----------------------------------------------------------------------------------------------------


# Enough text without faults that nothing but the label decides.
SOUND = {
    "gbk": CHINESE.encode("gb18030") * 30,
    "gb2312": CHINESE.encode("gb18030") * 30,
    "gb18030": CHINESE.encode("gb18030") * 30,
    "big5": TAIWAN.encode("cp950") * 30,
    "euc-jp": JAPANESE.encode("euc_jp") * 30,
    "shift_jis": JAPANESE.encode("cp932") * 30,
    "iso-2022-jp": JAPANESE.encode("iso2022_jp") * 30,
    "euc-kr": KOREAN.encode("cp949") * 30,
    "koi8-u": RUSSIAN.encode("koi8_r") * 30,
    "windows-1252": FRENCH.encode("cp1252") * 30,
    "windows-1255": HEBREW.encode("cp1255") * 30,
}


@pytest.mark.parametrize(
    ("source", "charset", "text"),
    [
        (b"\x80 5", "gbk", "€ 5"),  # a single byte in the encoder of Windows
        (b"\xa1\xa1\xa1\xa1\xb2\xe2\xca\xd4", "gb2312", "　　测试"),
        (b"\xa6\xd9\xa8\xbc\xfe\x59", "gb18030", "︐ḿ龴"),  # for private use before 2005 and 2022
        (b"\x95\x32\x82\x36", "gb18030", "𠀀"),
        (b"\xa3\xe1 \xa1\x45 \xf9\xd6", "big5", "€ ‧ 碁"),
        (b"\x8e\x40\xa4\xa4\xc6\xe7", "big5", "𣻗中ぁ"),  # Hong Kong's supplement
        (
            b"\xad\xa1\xad\xea\xc6\xfc\xcb\xdc",
            "euc-jp",
            "①㈱日本".replace("日本", b"\xc6\xfc\xcb\xdc".decode("euc_jp")),
        ),
        (b"\x87\x40\x87\x8a\x93\xfa", "shift_jis", "①㈱日"),
        (b"\xb1\xb2", "shift_jis", "ｱｲ"),
        (b"\x1b$B-!F|\x1b(I12\x1b(B.", "iso-2022-jp", "①日ｱｲ."),
        (b"\x81\x8d \x93quoted\x94", "windows-1252", "\x81\x8d “quoted”"),
        (b"\xae\xbe", "koi8-u", "ўЎ"),
        (b"\xca", "windows-1255", "\u05ba"),
    ],
)
def test_decoders_are_those_of_browsers(source: bytes, charset: str, text: str) -> None:
    assert read(source + b" <p>" + SOUND[charset], charset=charset).partition(" <p>")[0] == text


@pytest.mark.parametrize(
    ("source", "charset", "text"),
    [
        (b"\xc9\xa1", "euc-kr", "\ufffd"),  # an unassigned pair is one error, and what follows stays in step
        (b"\xfe<b>", "euc-kr", "\ufffd<b>"),  # a tag is never swallowed by half a character
        (b"\xa0<b>", "big5", "\ufffd<b>"),
        (b"\xff", "gb18030", "\ufffd"),
    ],
)
def test_impossible_bytes_become_replacement_characters(source: bytes, charset: str, text: str) -> None:
    decoded = decode(source + b" <p>" + SOUND[charset], charset=charset)
    assert decoded.utf8.decode().partition(" <p>")[0] == text
    assert decoded.errors == 1


# --- not a page ---------------------------------------------------------------------------------------------------

NOISE = random.Random(1).randbytes(5000)


@pytest.mark.parametrize(
    "source",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\xff\xd8\xff\xe0\x00\x10JFIF",
        b"GIF89a\x01\x00\x01\x00",
        b"RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00",
        b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00",
        b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>",
        b"PK\x03\x04\x14\x00",
        b"\x7fELF\x02\x01\x01\x00",
        gzip.compress(b"<p>hello" * 100, mtime=0),
        zlib.compress(NOISE),
        NOISE,
        b"\x00" * 100,
        bytes(range(32)) * 10,
    ],
    ids=lambda source: repr(source[:8]),
)
def test_binary(source: bytes) -> None:
    decoded = decode(source)
    assert decoded.binary
    assert (decoded.utf8, decoded.encoding) == (b"", "binary")


def test_binary_that_came_as_text() -> None:
    assert decode(NOISE.decode("latin-1")).binary


@pytest.mark.parametrize(
    "source", [b"BM is a shop", b"RIFF raff", b"ID3 tags", b"<p>a\x00b\x01c" + b"word " * 50, b"MZ"]
)
def test_not_binary(source: bytes) -> None:
    decoded = decode(source)
    assert not decoded.binary
    assert decoded.utf8 == source


# --- text, types and sizes ----------------------------------------------------------------------------------------


def test_text_is_encoded() -> None:
    assert decode(page(CHINESE), charset="gbk") == Decoded(page(CHINESE).encode(), "utf-8", "text")


def test_text_loses_its_byte_order_mark() -> None:
    assert decode("\ufeff<p>a").utf8 == b"<p>a"


def test_lone_surrogates_become_replacement_characters_and_pairs_one_character() -> None:
    decoded = decode("a\ud800b \ud83c\udf32 \ufffd")
    assert (decoded.utf8.decode(), decoded.errors) == ("a\ufffdb 🌲 \ufffd", 1)


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    decoded = decode(text)
    assert decoded.binary or decoded.utf8 == text.removeprefix("\ufeff").encode()


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_other_buffers_are_bytes(kind: type) -> None:
    source = page(CHINESE).encode("gb18030")
    assert decode(kind(source)) == decode(source)


@pytest.mark.parametrize("source", [None, 7, ["<p>"], object()])
def test_what_is_neither_text_nor_bytes_is_refused(source: object) -> None:
    with pytest.raises(InputError, match=f"extract takes str or bytes, not {type(source).__name__}: "):
        decode(source)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [b"12345678901", "12345678901", "ééééééé", memoryview(b"12345678901")])
def test_the_limit_is_named(source: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    # By name it would be the function, which hides the module in the package.
    monkeypatch.setattr(importlib.import_module("duramen.decode"), "MAX_BYTES", 10)
    with pytest.raises(InputTooLarge, match="the limit is 10"):
        decode(source)
