"""What stands around each row of a page, and the blocks that its text makes, in one pass over the rows.

This file compiles to C, with the types in `outline.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duramen.algorithms.learned.vocabulary import hash_names
from duramen.blocks import BOUNDARIES
from duramen.page import Page
from duramen.tags import TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.algorithms.learned.vocabulary import mixed, new_hashes, new_sums
    from duramen.measure.buffers import check_tree, further, ints, new_ints, octets

    _MASK = (1 << 64) - 1
    HREF, HIDDEN = 1, 2  # as in Page.flags
    # Bits of what stands around a row; below these the kinds of AROUND.
    IN_COMMENTS, IN_REVIEWS, IN_RELATED, IN_HIDDEN, IN_LINK = 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20
    IN_PARTS, IN_TABLE = 63, 1 << 8  # of AROUND: the first six, which are parts of a page, and tables
    BODY_DEPTH = 1  # names of <html> and <body> say nothing of a part of the page
    KNOWN = 4096

# Elements that say what the text in them is for; number k is bit k of what stands around a row.
AROUND: dict[str, tuple[str, ...]] = {
    "in_nav": ("nav", "menu"),
    "in_header": ("header", "hgroup"),
    "in_footer": ("footer",),
    "in_aside": ("aside",),
    "in_main": ("main",),
    "in_article": ("article",),
    "in_form": ("form",),
    "in_control": ("button", "select", "label", "textarea", "legend"),
    "in_table": ("table",),
    "in_list": ("ul", "ol", "dl"),
    "in_figure": ("figure",),
    "in_details": ("details", "dialog"),
}
_AROUND = np.array(
    [sum(1 << bit for bit, tags in enumerate(AROUND.values()) if name in tags) for name in (*TAG_NAMES, "?")],
    dtype=np.uint32,
)
# Names of what readers say, on pages that are not made of it; of what buyers say; of what is said elsewhere.
_SAID = (
    (
        1 << 16,
        """
        comment comments commentlist commentarea commenttext disqus disqus_thread dsq reply replies respond responses
        reaction reactions discussion discussions talkback trackback trackbacks pingback kommentar kommentare
        commentaires comentarios commenti pinglun livefyre echo
        """,
    ),
    (1 << 17, "review reviews rating ratings testimonial testimonials feedback bewertungen avis"),
    (1 << 18, "related recommended recommendations similar more popular trending latest upsell crosssell also"),
)
_KNOWN_NAMES = np.array([(value, bit) for bit, names in _SAID for value in hash_names(names)], dtype=np.uint32)
# A quick look at a few bits of a hash tells most names from these.
_IS_KNOWN = np.isin(np.arange(4096), [value % 4096 for _, names in _SAID for value in hash_names(names)]).view(np.uint8)
_TITLE = TAG_IDS["title"]
# Bits of what breaks a run of text: a line break, and everything that is not inline, which is a box too.
_BREAKS = bytes(3 * (name in BOUNDARIES and name != "br") or 1 * (name == "br") for name in (*TAG_NAMES, "?"))


def sum_values(begins: Any, hashes: Any, totals: Any, found: Any) -> int:
    """For each distinct value of attributes the sum of its names' hashes, and what they say of what is in it."""
    count, size = len(begins) - 1, len(hashes)
    name_at, name_hash = ints(begins, count + 1), new_hashes(hashes, size)
    sums, bits = new_sums(totals, count), new_hashes(found, count)
    with cython.nogil:
        for number in range(count):
            if name_at[number] < 0 or name_at[number + 1] > size:
                raise IndexError("a name outside of the page")
            total = around = 0
            for k in range(name_at[number], name_at[number + 1]):
                value = name_hash[k]
                total += value >> 8
                if _IS_KNOWN[value % KNOWN]:
                    for j in range(len(_KNOWN_NAMES)):
                        if _KNOWN_NAMES[j, 0] == value:
                            around |= _KNOWN_NAMES[j, 1]
            sums[number] = total
            bits[number] = around
    return 0


def outline(
    page: Page,
    sight: Any,
    value_sums: Any,
    value_bits: Any,
    most: int,
    kinds: Any,
    boxes: Any,
    surroundings: Any,
    block_rows: Any,
    block_at: Any,
) -> tuple[int, int, int, int]:
    """Fill in for each row a hash of its tag and names, its box and what stands around it, and find the blocks.

    A box is the nearest element on the way up that is not inline. `value_sums` and `value_bits` are what `sum_values`
    found. At most `most` blocks are made. Returns how many text rows and blocks there are, the bytes of these texts,
    and the row of the title (-1 for none).
    """
    length, names, values, other = len(page), sight.named.shape[1], len(value_sums), len(_BREAKS) - 1
    tag, parent, end = ints(page.tag, length), ints(page.parent, length), ints(page.end, length)
    check_tree(tag, parent, end, length)
    depth, chars, flags = ints(page.depth, length), ints(page.chars, length), octets(page.flags, length)
    never, named_row = octets(sight.never, length), ints(sight.named, 2 * names)
    text_at = ints(page.text_at, length + 1)
    named_value = further(named_row, names)
    sums, bits = new_sums(value_sums, values), new_hashes(value_bits, values)
    kind, around, box = new_sums(kinds, length), new_hashes(surroundings, length), new_ints(boxes, length)
    rows, at = new_ints(block_rows, length), new_ints(block_at, length + 1)
    texts = blocks = name = started = last_started = full = 0
    last_box, title, size = -2, -1, 0
    with cython.nogil:
        for row in range(length):
            up = parent[row]
            number = tag[row] if tag[row] < other else other
            around[row] = around[up] if up >= 0 else 0
            box[row] = box[up] if up >= 0 else -1
            if number == 0:
                kind[row] = 0
                if chars[row] > 0 and not never[row] and not full:
                    if not blocks or started != last_started or box[row] != last_box:
                        if blocks == most:
                            full = 1
                            continue
                        at[blocks] = texts
                        blocks += 1
                        last_started, last_box = started, box[row]
                    rows[texts] = row
                    texts += 1
                    size += text_at[row + 1] - text_at[row]
                continue
            if number == _TITLE and title < 0:
                title = row
            inside = _AROUND[number]
            if flags[row] & HIDDEN:
                inside |= IN_HIDDEN
            if flags[row] & HREF:
                inside |= IN_LINK
            total = 0
            while name < names and named_row[name] == row:
                value = named_value[name]
                if value < 0 or value >= values:
                    raise IndexError("a name outside of the page")
                total += sums[value]
                if depth[row] > BODY_DEPTH:
                    inside |= bits[value]
                name += 1
            kind[row] = mixed(total * 256 + tag[row])
            around[row] |= inside
            if _BREAKS[number]:
                started += 1
                if _BREAKS[number] & 2:
                    box[row] = row
        at[blocks] = texts
    return texts, blocks, size, title
