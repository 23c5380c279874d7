"""The attributes of a tag (HTML standard, 13.2.5.32 and on): names, values, and which of them were there before."""

from __future__ import annotations

from duramen.parse.decoding import Decoding, byte_kinds
from duramen.parse.lexicon import longer, new_ints

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import find, read_name, read_plain, same, skip
    from duramen.parse.lexicon import PROBE_LIMIT
    from duramen.parse.names import *

    FEW_ATTRIBUTES = 12
    LENGTH_MASK = (1 << 30) - 1
    COUNT_MASK = 63
    NOTICED_MASK = 4095

_FIRST_SEEN = 256


def letters(ends: int) -> bytes:
    """Every byte in lower case, or 0 where it ends a name."""
    kinds = byte_kinds()
    return bytes(0 if kinds[byte] & ends else ord(chr(byte).lower()) if byte < 0x80 else byte for byte in range(256))


class Attributes(Decoding):
    """Reads attributes.

    Where indexes are not checked, every index of `page` was compared with `size`, and tables by byte have 256 entries.
    """

    def __init__(self) -> None:
        super().__init__()
        self.attribute_letters = letters(B_NAME_END)
        self.seen_capacity = _FIRST_SEEN
        self.seen_store = new_ints(2, _FIRST_SEEN)
        self.seen_attribute, self.seen_in = self.seen_store
        self.tags = 0

    def forget_seen(self) -> int:
        """Empty the table of attributes before the numbers of tags in it run out."""
        if self.tags > 1 << 29:
            self.tags = 0
            for slot in range(self.seen_capacity):
                self.seen_in[slot] = 0
        return 0

    @cython.boundscheck(False)
    def read_attributes(self, at: int) -> int:
        """The attributes of a tag and its end; returns where that is. `complete` tells a tag from a page cut short."""
        self.pending = 0
        self.pending_marks = 0
        self.self_closing = 0
        self.complete = 0
        while at < self.size:
            byte = self.page[at]
            if byte == GREATER:
                self.complete = 1
                return at + 1
            if self.byte_kinds[byte] & B_SPACE:
                at += 1
            elif byte == SLASH:
                at += 1
                if at < self.size and self.page[at] == GREATER:
                    self.self_closing = 1
            else:
                plain = self.read_plain_attributes(at)
                at = plain if plain else self.read_attribute(at)
        return at

    @cython.boundscheck(False)
    def read_plain_attributes(self, at: int) -> int:
        """As many as are written name="value" and need no second look; returns where they end, 0 if it is none."""
        first, pending = self.attr_count, self.pending
        most = min(FEW_ATTRIBUTES, self.attr_capacity - first)
        # Not by shorter names: a local name for an array costs the C form two locked instructions.
        read = read_plain(
            self.page,
            at,
            self.size,
            self.attrs,
            self.attr_name_at,
            self.attr_value_at,
            self.attr_hash,
            first,
            pending,
            most,
            self.wanted_keys,
        )
        if read == 0:
            return 0
        self.pending = pending + (read & COUNT_MASK)
        noticed = read >> 6 & NOTICED_MASK
        while noticed:
            if noticed & 1:
                self.notice(first)
            noticed >>= 1
            first += 1
        return read >> 18

    def read_attribute(self, at: int) -> int:
        """One attribute; returns where it ends."""
        name = self.attr_name_at[self.attr_count + self.pending]
        read = read_name(self.page, at, self.size, self.attribute_letters, self.attrs, name, 1)
        key, value = read >> 30, name + (read & LENGTH_MASK)
        at = self.read_value(at + (read & LENGTH_MASK), value)
        if self.pending and self.is_repeated(value, key):
            return at
        k = self.attr_count + self.pending
        if k == self.attr_capacity:
            self.grow_attributes()
        self.attr_value_at[k] = value
        self.attr_hash[k] = key
        self.attr_name_at[k + 1] = self.written
        self.pending += 1
        self.notice(k)
        return at

    def read_value(self, at: int, out: int) -> int:
        """What may follow the name of an attribute, in whatever form, to attrs[out:]; returns where it ends."""
        self.written = out
        at = skip(self.page, at, self.size, self.byte_kinds, B_SPACE)
        if at == self.size or self.page[at] != EQUALS:
            return at
        at = skip(self.page, at + 1, self.size, self.byte_kinds, B_SPACE)
        if at == self.size:
            return at
        byte = self.page[at]
        if byte != QUOTE and byte != APOSTROPHE:
            return self.decode_value(at, self.find_value_end(at), out, AMP)
        at = self.decode_value(at + 1, self.size, out, byte)
        return at + 1 if at < self.size else at

    def find_value_end(self, at: int) -> int:
        """Where an unquoted value ends."""
        while at < self.size and not self.byte_kinds[self.page[at]] & B_VALUE_END:
            at += 1
        return at

    def is_repeated(self, value: int, key: int) -> int:
        """Whether the tag has an attribute of the name just read already: the first one counts."""
        start = self.attr_name_at[self.attr_count + self.pending]
        if self.pending < FEW_ATTRIBUTES:
            for k in range(self.attr_count, self.attr_count + self.pending):
                if self.attr_hash[k] == key and self.is_name_of(k, start, value):
                    return 1
            return 0
        if self.pending == FEW_ATTRIBUTES:
            self.tags += 1
        if self.pending == FEW_ATTRIBUTES or 2 * self.pending > self.seen_capacity:
            self.note_all()
        slot, probes = self.seen_slot(key), 0
        while self.seen_in[slot] == self.tags:
            k = self.attr_count + self.seen_attribute[slot]
            if self.attr_hash[k] == key and self.is_name_of(k, start, value):
                return 1
            slot = (slot + 1) & (self.seen_capacity - 1)
            probes += 1
            if probes > PROBE_LIMIT:
                self.flag = FLAG_CROWDED
                return 1
        self.seen_in[slot] = self.tags
        self.seen_attribute[slot] = self.pending
        return 0

    def seen_slot(self, key: int) -> int:
        """Where the search for a hash begins: numbered names must not end up side by side."""
        return (key * 40503 >> 7) & (self.seen_capacity - 1)

    def is_name_of(self, k: int, start: int, stop: int) -> int:
        """Whether attribute k has the name attrs[start:stop]."""
        at = self.attr_name_at[k]
        length = stop - start
        return self.attr_value_at[k] - at == length and same(self.attrs, at, self.attrs, start, length)

    def note_all(self) -> int:
        """Put every pending attribute in the table of those seen."""
        if 2 * self.pending > self.seen_capacity:
            self.grow_seen()
        self.tags += 1
        for j in range(self.pending):
            slot = self.seen_slot(self.attr_hash[self.attr_count + j])
            while self.seen_in[slot] == self.tags:
                slot = (slot + 1) & (self.seen_capacity - 1)
            self.seen_in[slot] = self.tags
            self.seen_attribute[slot] = j
        return 0

    def grow_seen(self) -> int:
        """A table four times as large."""
        with cython.gil:
            self.seen_capacity *= 4
            self.seen_store = longer(self.seen_store, self.seen_capacity)
            self.seen_attribute, self.seen_in = self.seen_store
            for slot in range(self.seen_capacity):
                self.seen_in[slot] = 0
        return 0

    def notice(self, k: int) -> int:
        """Note what an attribute says of its element: a link, or hidden."""
        key = self.attr_hash[k]
        if key == self.href_hash:
            if self.attribute_is(k, W_HREF):
                self.pending_marks |= MARK_HREF
        elif key == self.style_hash:
            if self.attribute_is(k, W_STYLE) and self.hides(self.attr_value_at[k], self.attr_name_at[k + 1]):
                self.pending_marks |= MARK_STYLE
        elif key == self.hidden_hash and self.attribute_is(k, W_HIDDEN):
            self.pending_marks |= MARK_HIDDEN
        return 0

    def hides(self, start: int, stop: int) -> int:
        """Whether the style attrs[start:stop] says display: none, or visibility: hidden or collapse."""
        colon = find(self.attrs, 0x3A, start, stop)
        while colon < stop:
            before, after = colon, colon + 1
            while before > start and self.is_style_space(self.attrs[before - 1]):
                before -= 1
            while after < stop and self.is_style_space(self.attrs[after]):
                after += 1
            if before - 7 >= start and self.reads_word(before - 7, before, W_DISPLAY):
                if self.reads_word(after, stop, W_NONE):
                    return 1
            elif before - 10 >= start and self.reads_word(before - 10, before, W_VISIBILITY):
                if self.reads_word(after, stop, W_HIDDEN) or self.reads_word(after, stop, W_COLLAPSE):
                    return 1
            colon = find(self.attrs, 0x3A, colon + 1, stop)
        return 0

    def is_style_space(self, byte: int) -> int:
        """White space for the search of hidden styles."""
        return byte == SPACE_BYTE or TAB <= byte <= CR
