"""Undoing HTTP's content encodings without ever holding more than a limit."""

from __future__ import annotations

import zlib

_GZIP, _ZLIB, _RAW = 31, 15, -15  # window bits, as zlib spells the three containers
_GZIP_MAGIC = b"\x1f\x8b"


class TooMuchError(Exception):
    """More bytes than the limit."""


class Inflater:
    """Collects a body that arrives in pieces, decompressed, and stops at `limit` bytes.

    `encoding` is the Content-Encoding: gzip, deflate, or nothing. A bomb is stopped after the byte that is too much:
    zlib is never asked for more than what is left. Damaged data raise `zlib.error`.
    """

    def __init__(self, encoding: str, limit: int) -> None:
        self.encoding = encoding
        self.limit = limit
        self._body = bytearray()
        self._stream: zlib._Decompress | None = None
        self._ended = False
        self._start = b""  # the first bytes of a deflate body, until they tell which kind it is

    def feed(self, piece: bytes) -> None:
        """Take the next piece as it came over the wire."""
        if self.encoding == "":
            self._keep(piece)
            return
        piece = self._start + piece
        if self._stream is None:
            if len(piece) < 2:
                self._start = piece
                return
            self._start = b""
            self._stream = zlib.decompressobj(self._window(piece))
        while piece and not self._ended:
            self._keep(self._stream.decompress(piece, self.limit - len(self._body) + 1))
            piece = self._stream.unconsumed_tail
            if self._stream.eof:
                # A gzip body may be several streams in a row; anything else after the end is ignored, as browsers do.
                piece = self._stream.unused_data
                self._ended = not (self.encoding == "gzip" and piece.startswith(_GZIP_MAGIC))
                if not self._ended:
                    self._stream = zlib.decompressobj(_GZIP)

    def finish(self) -> bytes:
        """The whole body; a compressed one that broke off raises `zlib.error`."""
        if self._start or (self._stream is not None and not self._stream.eof):
            raise zlib.error("the compressed data break off")
        return bytes(self._body)

    def _keep(self, piece: bytes) -> None:
        self._body += piece
        if len(self._body) > self.limit:
            raise TooMuchError

    def _window(self, start: bytes) -> int:
        """gzip, or for "deflate" zlib as the standard says or the raw stream that some servers send."""
        if self.encoding == "gzip":
            return _GZIP
        return _ZLIB if start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0 else _RAW
