"""Element names as small integers, and sets of elements as look-up masks.

Tag 0 is a text node. Names outside the table get ids from `len(TAG_NAMES)` on, and each page keeps
its own list of those (`Page.other_tags`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

TEXT = 0

# Order is part of the page format: append only.
TAG_NAMES: tuple[str, ...] = tuple(
    """
    #text html head body title base link meta style script noscript template
    article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main search
    p hr pre blockquote ol ul menu li dl dt dd figure figcaption div
    a em strong small s cite q dfn abbr ruby rt rp rb rtc data time code var samp kbd sub sup i b u mark
    bdi bdo span br wbr ins del
    picture source img iframe embed object param video audio track map area svg math
    table caption colgroup col tbody thead tfoot tr td th
    form label input button select datalist optgroup option textarea output progress meter fieldset legend
    details summary dialog slot canvas
    acronym applet basefont bgsound big blink center dir font frame frameset noframes noembed isindex keygen
    left listing marquee nobr plaintext right strike tt xmp image nextid spacer selectedcontent portal
    """.split()
)
TAG_IDS: dict[str, int] = {name: number for number, name in enumerate(TAG_NAMES)}

VOID: frozenset[str] = frozenset(
    "area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen".split()
)
INLINE: frozenset[str] = frozenset(
    """
    a abbr acronym b bdi bdo big blink br button cite code data del dfn em font i img input ins kbd label mark
    nobr output picture q rb rp rt rtc ruby s samp select small source span strike strong sub sup svg math textarea
    time tt u var wbr option optgroup slot
    """.split()
)
HEADINGS: tuple[str, ...] = ("h1", "h2", "h3", "h4", "h5", "h6")
RAW_TEXT: frozenset[str] = frozenset({"script", "style"})
# Elements whose text a reader never sees as text of the page.
UNSEEN: frozenset[str] = frozenset(
    """
    head script style noscript template iframe object embed applet canvas svg audio video
    noframes noembed datalist title
    """.split()
)


def tag_mask(names: Iterable[str]) -> NDArray[np.bool_]:
    """`mask[tag id]` is true for the named elements; the last entry (any other element) is false."""
    mask = np.zeros(len(TAG_NAMES) + 1, dtype=np.bool_)
    mask[[TAG_IDS[name] for name in names]] = True
    mask.flags.writeable = False
    return mask
