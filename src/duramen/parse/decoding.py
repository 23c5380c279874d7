"""Text and attribute values → UTF-8 with character references resolved (HTML standard, 13.2.5.72 and on)."""

from __future__ import annotations

from duramen.parse.lexicon import table
from duramen.parse.references import C1_CONTROLS, LONGEST_LEGACY, SLOTS, references
from duramen.parse.tree import Tree

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import copy, copy_until, frequent_reference, same
    from duramen.parse.names import *

    REPLACEMENT = 0xFFFD


def byte_kinds() -> bytes:
    """What each byte can be inside a tag: B_… bits."""
    kinds = bytearray(256)
    for byte in b"\t\n\f\r ":
        kinds[byte] |= B_SPACE | B_TAG_END | B_NAME_END | B_VALUE_END
    kinds[GREATER] |= B_TAG_END | B_NAME_END | B_VALUE_END
    kinds[SLASH] |= B_TAG_END | B_NAME_END
    kinds[EQUALS] |= B_NAME_END
    for byte in range(256):
        if chr(byte).isascii() and chr(byte).isalnum():
            kinds[byte] |= B_ALNUM
            if chr(byte).isalpha():
                kinds[byte] |= B_LETTER
            if chr(byte).isupper():
                kinds[byte] |= B_UPPER
    return bytes(kinds)


class Decoding(Tree):
    """Decodes pieces of `page`, straight into the page's buffers behind what is in use there."""

    def __init__(self) -> None:
        super().__init__()
        named = references()
        self.reference_slots = table(named.slots)
        self.reference_hashes = table(named.hashes)
        self.reference_name_at = table(named.name_at)
        self.reference_names = named.names
        self.reference_value_at = table(named.value_at)
        self.reference_values = named.values
        self.reference_mask = SLOTS - 1
        self.longest_legacy = LONGEST_LEGACY
        self.c1_controls = table([C1_CONTROLS.get(code, code) for code in range(0x80, 0xA0)])
        self.byte_kinds = byte_kinds()
        self.page: bytes | bytearray = b""
        self.size = 0

    def decode_text(self, at: int, stop: int, out: int, end: int) -> int:
        """Write page[at:stop] to text[out:], up to the byte `end` where there is one (AMP: all of it).

        References are resolved and ends of lines are line feeds. Returns where it ended; `written` is its end in text.
        """
        while at < stop:
            done = copy_until(self.text, out, self.page, at, stop, end, AMP, CR)
            at += done
            out += done
            if at == stop:
                break
            byte = self.page[at]
            if byte == AMP:
                at = self.read_reference(at, stop, 0)
                k = self.reference_entry
                if k >= 0:
                    first, last = self.reference_value_at[k], self.reference_value_at[k + 1]
                    out = copy(self.text, out, self.reference_values, first, last)
                else:
                    out = self.put_text(out, self.reference_code)
            elif byte == CR:
                at += 1
                if at == stop or self.page[at] != LF:
                    self.text[out] = LF
                    out += 1
            else:
                break
        self.written = out
        return at

    def decode_value(self, at: int, stop: int, out: int, end: int) -> int:
        """The same for an attribute value, to attrs[out:]."""
        while at < stop:
            done = copy_until(self.attrs, out, self.page, at, stop, end, AMP, CR)
            at += done
            out += done
            if at == stop:
                break
            byte = self.page[at]
            if byte == AMP:
                at = self.read_reference(at, stop, 1)
                k = self.reference_entry
                if k >= 0:
                    first, last = self.reference_value_at[k], self.reference_value_at[k + 1]
                    out = copy(self.attrs, out, self.reference_values, first, last)
                elif self.reference_code < 0x80:
                    self.attrs[out] = self.reference_code
                    out += 1
                else:
                    length = self.put_text(self.text_size, self.reference_code) - self.text_size
                    out = copy(self.attrs, out, self.text, self.text_size, self.text_size + length)
            elif byte == CR:
                at += 1
                if at == stop or self.page[at] != LF:
                    self.attrs[out] = LF
                    out += 1
            else:
                break
        self.written = out
        return at

    def put_text(self, out: int, code: int) -> int:
        """Write one character to text[out:]."""
        if code < 0x80:
            self.text[out] = code
            return out + 1
        if code < 0x800:
            self.text[out] = 0xC0 | code >> 6
            self.text[out + 1] = 0x80 | code & 0x3F
            return out + 2
        if code < 0x10000:
            self.text[out] = 0xE0 | code >> 12
            self.text[out + 1] = 0x80 | code >> 6 & 0x3F
            self.text[out + 2] = 0x80 | code & 0x3F
            return out + 3
        self.text[out] = 0xF0 | code >> 18
        self.text[out + 1] = 0x80 | code >> 12 & 0x3F
        self.text[out + 2] = 0x80 | code >> 6 & 0x3F
        self.text[out + 3] = 0x80 | code & 0x3F
        return out + 4

    def read_reference(self, at: int, stop: int, in_attribute: int) -> int:
        """The reference at page[at], an ampersand; returns where it ends.

        It is the named one `reference_entry`, or where that is negative the character `reference_code`.
        """
        self.reference_entry = -1
        self.reference_code = AMP
        start = at + 1
        if start >= stop:
            return start
        byte = self.page[start]
        if byte == HASH_SIGN:
            return self.read_number(start, stop)
        frequent = frequent_reference(self.page, at, stop)
        if frequent:
            self.reference_code = frequent >> 8
            return at + (frequent & 0xFF)
        end = start
        while end < stop and self.byte_kinds[self.page[end]] & B_ALNUM:
            end += 1
        if end == start:
            return start
        if end < stop and self.page[end] == SEMICOLON and self.find_reference(start, end + 1):
            return end + 1
        legacy = min(end, start + self.longest_legacy)
        if in_attribute and (legacy < end or (end < stop and self.page[end] == EQUALS)):
            return start  # here = or a letter after a reference without a semicolon makes it none
        while legacy > start + 1:
            if self.find_reference(start, legacy):
                return legacy
            if in_attribute:
                return start
            legacy -= 1
        return start

    def find_reference(self, start: int, stop: int) -> int:
        """Look the name page[start:stop] up."""
        key = 0
        for at in range(start, stop):
            key = (key * 31 + self.page[at]) & 0x7FFFFFFF
        slot = key & self.reference_mask
        while True:
            entry = self.reference_slots[slot] - 1
            if entry < 0:
                return 0
            if self.reference_hashes[entry] == key:
                name_at = self.reference_name_at[entry]
                length = self.reference_name_at[entry + 1] - name_at
                if length == stop - start and same(self.page, start, self.reference_names, name_at, length):
                    self.reference_entry = entry
                    return 1
            slot = (slot + 1) & self.reference_mask

    def read_number(self, at: int, stop: int) -> int:
        """The numeric reference whose number sign is page[at]; returns where it ends."""
        start = at  # if it is none, only the ampersand is read
        at += 1
        base = 10
        if at < stop and self.page[at] | 32 == 0x78:
            base = 16
            at += 1
        code, digits = 0, at
        while at < stop:
            byte = self.page[at]
            if 0x30 <= byte <= 0x39:
                digit = byte - 0x30
            elif base == 16 and 0x61 <= byte | 32 <= 0x66:
                digit = (byte | 32) - 0x57
            else:
                break
            if code < 0x110000:
                code = code * base + digit
            at += 1
        if at == digits:
            return start
        if at < stop and self.page[at] == SEMICOLON:
            at += 1
        if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            code = REPLACEMENT
        elif 0x80 <= code < 0xA0:
            code = self.c1_controls[code - 0x80]
        self.reference_code = code
        return at

    def reads_here(self, at: int, word: int) -> int:
        """Whether page[at:] begins with one of WORDS; CDATA's letter case matters."""
        start, length = self.word_at[word], self.word_at[word + 1] - self.word_at[word]
        if at + length > self.size:
            return 0
        for k in range(length):
            byte = self.page[at + k]
            if word != W_CDATA and self.byte_kinds[byte] & B_UPPER:
                byte += 32
            if byte != self.words_bytes[start + k]:
                return 0
        return 1
