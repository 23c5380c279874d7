# cython: boundscheck=False
"""A few words looked for in many short values, all at once (Wu and Manber 1994).

A window as long as the shortest word moves over the value. The pair of bytes at its end tells how far it may move on:
in most values no more than every third byte is looked at.

This file compiles to C, with the types in `needles.pxd`, and runs as Python where it is not compiled. Indices into
its own tables are in bounds by the way these are made, and not checked.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    PAIRS = 1024  # of the last five bits of two bytes: those of a capital are the same


class Needles:
    """Words in lower case (two bytes or more), each with the bits that it stands for."""

    def __init__(self, words: Mapping[bytes, int]) -> None:
        self.window = min(map(len, words))
        if self.window < 2:
            raise ValueError("a word needs two bytes or more")
        self.letters = b"".join(words)
        self.every = 0
        steps = bytearray([self.window - 1]) * PAIRS
        first = array("i", [-1]) * PAIRS
        following, begins, bits = array("i"), array("i", [0]), array("i")
        for number, (word, bit) in enumerate(words.items()):
            pair = 0
            for at in range(self.window - 1):
                pair = (word[at] & 31) << 5 | word[at + 1] & 31
                steps[pair] = min(steps[pair], self.window - 2 - at)
            following.append(first[pair])
            first[pair] = number
            begins.append(begins[number] + len(word))
            bits.append(bit)
            self.every |= bit
        self.steps = bytes(steps)
        self.first, self.following = memoryview(first), memoryview(following)
        self.begins, self.bits = memoryview(begins), memoryview(bits)

    def found_in(self, data: bytes) -> int:
        """The bits of the words in some bytes."""
        return self.found(data, 0, len(data))

    def found(self, data: bytes, start: int, stop: int) -> int:
        """The bits of the words in `data[start:stop]`, in small letters or capitals."""
        bits, at = 0, start + self.window - 1
        while at < stop:
            pair = (data[at - 1] & 31) << 5 | data[at] & 31
            step = self.steps[pair]
            if step:
                at += step
                continue
            bits |= self.bits_at(data, at - self.window + 1, stop)
            if bits == self.every:
                break
            at += 1
        return bits

    def place(self, data: bytes, start: int, stop: int) -> int:
        """Where the first word in `data[start:stop]` begins; `stop` where there is none."""
        at = start + self.window - 1
        while at < stop:
            pair = (data[at - 1] & 31) << 5 | data[at] & 31
            step = self.steps[pair]
            if step:
                at += step
            elif self.bits_at(data, at - self.window + 1, stop):
                return at - self.window + 1
            else:
                at += 1
        return stop

    def bits_at(self, data: bytes, begin: int, stop: int) -> int:
        """The bits of the words that begin at one place, at least a window before `stop`."""
        bits, at = 0, begin + self.window - 1
        word = self.first[(data[at - 1] & 31) << 5 | data[at] & 31]
        while word >= 0:
            size, same = self.begins[word + 1] - self.begins[word], 0
            if size <= stop - begin:
                while same < size:
                    code = data[begin + same]
                    if 65 <= code <= 90:
                        code += 32
                    if code != self.letters[self.begins[word] + same]:
                        break
                    same += 1
                if same == size:
                    bits |= self.bits[word]
            word = self.following[word]
        return bits
