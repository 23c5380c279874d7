"""Messages between a pool and its workers: a list of byte strings a message, over a socket, without copies of ours."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Sequence

_COUNT = struct.Struct("<Q")
# The system takes at least this many buffers at once.
_BUFFERS = 512


def send(channel: socket.socket, pieces: Sequence[bytes | memoryview]) -> None:
    """Send the pieces as one message."""
    head = struct.pack(f"<{len(pieces) + 1}Q", len(pieces), *map(len, pieces))
    waiting = [memoryview(head), *(memoryview(piece) for piece in pieces if len(piece))]
    at = 0
    while at < len(waiting):
        sent = channel.sendmsg(waiting[at : at + _BUFFERS])
        while at < len(waiting) and sent >= len(waiting[at]):
            sent -= len(waiting[at])
            at += 1
        if sent:
            waiting[at] = waiting[at][sent:]


def receive(channel: socket.socket) -> list[memoryview]:
    """The pieces of the next message; EOFError where the other side is gone."""
    (count,) = _COUNT.unpack(_exactly(channel, _COUNT.size))
    sizes = struct.unpack(f"<{count}Q", _exactly(channel, _COUNT.size * count))
    body = _exactly(channel, sum(sizes))
    pieces, at = [], 0
    for size in sizes:
        pieces.append(body[at : at + size])
        at += size
    return pieces


def _exactly(channel: socket.socket, size: int) -> memoryview:
    body = memoryview(bytearray(size))
    at = 0
    while at < size:
        got = channel.recv_into(body[at:])
        if not got:
            raise EOFError
        at += got
    return body


def pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a channel."""
    here, there = socket.socketpair()
    for end in (here, there):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    return here, there


def shared_file(size: int) -> int:
    """A descriptor of `size` bytes that two processes can map."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("duramen")
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor
