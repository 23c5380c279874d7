"""Bytes → UTF-8, by the rules of browsers, and how the encoding was known.

In this order: a byte-order mark, UTF-16 shown by its NUL bytes, what the transport said, what the page says of itself,
what the bytes look like. Bytes that are valid UTF-8 are UTF-8 whatever a label says, and any other label that the bytes
contradict loses too. docs/decisions/0002-encodings.md has the reasons and the measurements.
"""

from __future__ import annotations

from duramen.decode.decoded import Decoded, How
from duramen.decode.decoders import UNICODE, UTF16, characters, holds_jis
from duramen.decode.detection import choose_encoding
from duramen.decode.first_bytes import HEAD_BYTES, MARKS, is_binary, unmarked_utf16
from duramen.decode.labels import PRESCAN_BYTES, encoding_of, stated_encodings, utf8_known_from
from duramen.decode.opening import begins_plainly, plain_utf8, stated_in
from duramen.decode.utf8 import NOT_ASCII, NOT_UTF8, PIECE_BYTES, held_by
from duramen.errors import InputError, InputTooLarge

__all__ = ["MAX_BYTES", "PIECE_BYTES", "Decoded", "How", "decode"]

MAX_BYTES = 1 << 30
"""Largest input, in bytes."""
_SAID: tuple[How | None, ...] = (None, "meta", "utf-8")  # what `stated_in` found: see the labels, UTF-8, nothing


def decode(source: str | bytes | bytearray | memoryview, *, charset: str | None = None) -> Decoded:
    """The page as UTF-8. `charset` is what the transport said (a bare label or a whole Content-Type).

    Never fails on content: bytes that fit no encoding become U+FFFD and are counted, an unknown label is ignored.
    """
    if charset is None and type(source) is bytes and len(source) <= MAX_BYTES:
        usual = plain_utf8(source, HEAD_BYTES, PRESCAN_BYTES)
        if usual is not None:
            return usual
    if isinstance(source, str):
        return _from_text(source)
    data = _as_bytes(source)
    stated = encoding_of(charset) if charset else None
    if not begins_plainly(data, HEAD_BYTES):
        decoded = _by_first_bytes(data, stated)
        if decoded is not None:
            return decoded
    if stated in UTF16:
        stated = "utf-8"  # without a NUL it cannot be UTF-16
    held = held_by(data)
    if held == NOT_UTF8:
        encoding, how = choose_encoding(data, stated)
        return _read(data, encoding, how)
    said = _SAID[stated_in(data, PRESCAN_BYTES)] if stated is None else None
    if held & NOT_ASCII:
        return Decoded(data, "utf-8", said or utf8_known_from(data, stated, PRESCAN_BYTES), holds=held)
    encoding, how = ("utf-8", said) if said else next(stated_encodings(data, stated, PRESCAN_BYTES), ("utf-8", "utf-8"))
    if holds_jis(data):
        return _read(data, "iso-2022-jp", how if encoding == "iso-2022-jp" else "detected")
    return Decoded(data, encoding, how, holds=held)


def _by_first_bytes(data: bytes, stated: str | None) -> Decoded | None:
    """The page where a byte-order mark, NUL bytes or a signature say what it is."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name, "bom")
    head = data[:HEAD_BYTES]
    wide = unmarked_utf16(head, stated)
    if wide is not None:
        return _read(data, wide, "transport" if stated in UTF16 else "detected")
    return Decoded(b"", "binary", "detected", binary=True) if is_binary(head) else None


def _from_text(source: str) -> Decoded:
    _check_size(len(source))
    errors = 0
    text = source.removeprefix("\ufeff")
    try:
        utf8 = text.encode()
    except UnicodeEncodeError:  # lone surrogates; pairs of them are one character
        paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        errors = paired.count("\ufffd") - text.count("\ufffd")
        utf8 = paired.encode()
    _check_size(len(utf8))
    if is_binary(utf8[:HEAD_BYTES]):
        return Decoded(b"", "binary", "text", binary=True)
    return Decoded(utf8, "utf-8", "text", errors)


def _as_bytes(source: object) -> bytes:
    if type(source) is bytes and len(source) <= MAX_BYTES:
        return source
    if not isinstance(source, (bytes, bytearray, memoryview)):
        raise InputError(
            f"extract takes str or bytes, not {type(source).__name__}: "
            "pass the page itself, such as Path(name).read_bytes() or a response's content"
        )
    _check_size(source.nbytes if isinstance(source, memoryview) else len(source))
    return source if isinstance(source, bytes) else bytes(source)


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise InputTooLarge(f"the page has {size:,} bytes, the limit is {MAX_BYTES:,}: split it, or cut it off")


def _read(data: bytes, encoding: str, how: How) -> Decoded:
    text = characters(data, encoding)
    errors = text.count("\ufffd")
    if errors and encoding in UNICODE:
        # Those that were in the page already are no errors.
        errors = max(0, errors - data.count("\ufffd".encode(encoding)))
    return Decoded(data if encoding == "utf-8" and not errors else text.encode(), encoding, how, errors)
