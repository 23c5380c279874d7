"""The names of the features, in the order of the rows of a table."""

from __future__ import annotations

from duramen.algorithms.learned.outline import AROUND

TEXT = (
    *("words", "links", "word_chars", "puncts", "puncts_log", "pieces", "digits", "capitals", "signs", "questions"),
    *("ends", "capital", "copies", "copy", "in_title"),
)
PLACE = (
    *("is_p", "is_item", "is_cell", "is_pre", "is_div", "heading", "inline", "depth", *AROUND, "hidden", "place"),
    *("words_before", "text_before", "text_after", "since_text", "until_text", "from_h1", "since_heading"),
    *("section_level", "image_before"),
    *(f"{name}_{where}" for name in ("words", "links", "running") for where in ("previous", "next", "window")),
)
NAMED = tuple(
    f"{what}_{name}" for name in ("comments", "reviews", "related") for what in ("in", "page", "before", "words_before")
)
CONTAINERS = (
    *("in_densest", "in_best", "readable", "readable_log"),
    *(
        f"box{level}_{what}"
        for level in range(4)
        for what in ("share", "links", "text", "blocks", "density", "alike")
        if level or what != "blocks"
    ),
)
GROUPS = ("group_size", "group_share", "group_words", "group_links", "group_spread", "group_running")
PAGE = (
    *("page_words", "page_blocks", "page_links", "page_text", "page_cjk", "page_long", "page_headings", "page_items"),
    *("page_group", "page_inputs", "page_names", "page_tables", "page_parts"),
)
SCORES = ("path", "near", "both", "said")
LEXICAL = (
    *(f"{name}{what}" for name in SCORES for what in ("", "_group", "_page", "_previous", "_next", "_window")),
    *("both_mean", "both_best", "headed", "headed_near", "as_heading"),
    *(f"{name}_box{level}" for level in range(1, 4) for name in ("both", "said")),
)
BASE = (*TEXT, *PLACE, *NAMED, *CONTAINERS, *GROUPS, *PAGE)
