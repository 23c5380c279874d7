"""Blocks → a matrix: one row a block, one column a feature, all on whole arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.hashing import hash_names, mixed, words_of
from duramen.algorithms.learned.raw import Raw
from duramen.measure import nearest, subtree_sum, within
from duramen.page import HIDDEN, HREF, BoolArray, FloatArray, Page
from duramen.tags import TAG_IDS, tag_mask

Matrix = NDArray[np.float32]
Columns = dict[str, NDArray[Any]]

PARAGRAPH_WORDS = 12  # a block of running text has at least so many words …
PARAGRAPH_LINKS = 0.4  # … and at most this share of them in links
LEVELS = 4  # containers around a block that are measured
ALIKE_LEVELS = 4  # elements on the way up that make two blocks alike
WINDOW = 5  # blocks to either side
BODY_DEPTH = 1  # names of <html> and <body> say nothing of a part of the page

_HEADING = tag_mask(("h1", "h2", "h3", "h4", "h5", "h6"))
_INSIDE = {
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
_MASKS = {name: tag_mask(tags) for name, tags in _INSIDE.items()}
_IS = {
    "is_p": tag_mask(("p",)),
    "is_item": tag_mask(("li", "dd", "dt")),
    "is_cell": tag_mask(("td", "th")),
    "is_pre": tag_mask(("pre", "code")),
    "is_div": tag_mask(("div", "section", "article", "main", "body", "center")),
}
# Names of what readers say, on pages that are not made of it.
_COMMENTS = hash_names(
    """
    comment comments commentlist commentarea commenttext disqus disqus_thread dsq reply replies respond responses
    reaction reactions discussion discussions talkback trackback trackbacks pingback kommentar kommentare commentaires
    comentarios commenti pinglun livefyre echo
    """
)
_REVIEWS = hash_names("review reviews rating ratings testimonial testimonials feedback bewertungen avis")
_RELATED = hash_names("related recommended recommendations similar more popular trending latest upsell crosssell also")
_H1 = TAG_IDS["h1"]
_TITLE = TAG_IDS["title"]
_IMG = tag_mask(("img", "picture", "video", "iframe", "svg"))


class Scores(NamedTuple):
    """What the lexicons say of each block."""

    path: FloatArray  # names and tags of all elements around it
    near: FloatArray  # those of the nearest three
    words: FloatArray  # its words
    heading: FloatArray  # as a heading of what follows it


class Context(NamedTuple):
    """What several groups of features share."""

    raw: Raw
    words: FloatArray
    links: FloatArray  # words in links
    group: NDArray[np.intp]  # block → its group of alike blocks
    group_size: FloatArray
    section: NDArray[np.intp]  # block → the heading block before it, or itself where there is none
    sectioned: BoolArray


def context(raw: Raw) -> Context:
    """The counts and groupings of a page's blocks."""
    page, at, rows = raw.page, raw.blocks.at[:-1], raw.blocks.rows
    linked = within(page, (page.flags & HREF) != 0)
    words = np.add.reduceat(page.words[rows], at).astype(np.float64)
    links = np.add.reduceat(page.words[rows] * linked[rows], at).astype(np.float64)
    group = _alike(raw)
    numbers = np.arange(len(raw))
    headings = np.where(_HEADING[np.minimum(page.tag[raw.box], len(_HEADING) - 1)], numbers, -1)
    before = np.maximum.accumulate(np.concatenate(([-1], headings[:-1])))
    return Context(
        raw, words, links, group, np.bincount(group)[group].astype(np.float64), np.maximum(before, 0), before >= 0
    )


def _alike(raw: Raw) -> NDArray[np.intp]:
    """A number for each block; blocks in elements of the same tags and names have the same."""
    row = raw.holder
    total = np.zeros(len(raw), dtype=np.uint64)
    for level in range(ALIKE_LEVELS):
        total = total * np.uint64(0x9E3779B97F4A7C15) + raw.kind[row] * (row >= 0)
        row = np.where(row > 0, raw.page.parent[row], row) if level + 1 < ALIKE_LEVELS else row
    return np.unique(total, return_inverse=True)[1].reshape(-1)


def base_columns(shared: Context) -> Columns:
    """Every feature that needs no lexicon."""
    columns: Columns = {}
    _text(shared, columns)
    _place(shared, columns)
    _named(shared, columns)
    _containers(shared, columns)
    _groups(shared, columns)
    _page(shared, columns)
    return columns


def _text(shared: Context, columns: Columns) -> None:
    raw, words = shared.raw, shared.words
    page, at, rows = raw.page, raw.blocks.at[:-1], raw.blocks.rows
    safe = np.maximum(words, 1)
    chars = np.add.reduceat(page.chars[rows], at)
    puncts = np.add.reduceat(page.puncts[rows], at)
    columns["words"] = np.log1p(words)
    columns["links"] = shared.links / safe
    columns["word_chars"] = np.minimum(chars / safe, 30)
    columns["puncts"] = puncts / safe
    columns["puncts_log"] = np.log1p(puncts)
    columns["pieces"] = np.log1p(np.diff(raw.blocks.at))
    size = np.maximum(np.diff(raw.text_at), 1)
    starts = raw.text_at[:-1]
    for name, table in _CHARACTERS.items():
        columns[name] = np.add.reduceat(table[raw.text], starts) / size
    last = raw.text[np.maximum(raw.text_at[1:] - 2, 0)]
    columns["ends"] = _ENDS[last]
    columns["capital"] = _CAPITAL[raw.text[starts]]
    copies, order = _copies(raw)
    columns["copies"] = np.minimum(copies, 20)
    columns["copy"] = order
    title = np.flatnonzero(page.tag == _TITLE)
    columns["in_title"] = _share_in_title(raw, title[:1])


def _class_table(codes: tuple[int, ...]) -> NDArray[np.float32]:
    table = np.zeros(256, dtype=np.float32)
    table[list(codes)] = 1
    return table


_CHARACTERS = {
    "digits": _class_table(tuple(range(48, 58))),
    "capitals": _class_table(tuple(range(65, 91))),
    "signs": _class_table(tuple(b"|>/:#@$%*+=<[]{}")),
    "questions": _class_table(tuple(b"?!")),
}
_ENDS = _class_table(tuple(b".!?:;\x82\x81\x9f\x9d"))  # among these the last bytes of 。！？”
_CAPITAL = _class_table(tuple(range(65, 91)))


def _copies(raw: Raw) -> tuple[NDArray[np.intp], BoolArray]:
    """How many blocks have the same words, and whether one of them came before."""
    _, first, inverse, counts = np.unique(raw.said, return_index=True, return_inverse=True, return_counts=True)
    inverse = inverse.reshape(-1)
    return counts[inverse], first[inverse] != np.arange(len(raw))


def _share_in_title(raw: Raw, title: NDArray[np.intp]) -> FloatArray:
    if not len(title):
        return np.zeros(len(raw))
    page, row = raw.page, int(title[0])
    text = page.text[page.text_at[row] : page.text_at[page.end[row]]]
    known = np.isin(raw.word_hash, words_of(np.frombuffer(text, dtype=np.uint8)).hash)
    running = np.concatenate(([0], np.cumsum(known)))
    share: FloatArray = (running[raw.word_at[1:]] - running[raw.word_at[:-1]]) / np.maximum(np.diff(raw.word_at), 1)
    return share


def _place(shared: Context, columns: Columns) -> None:
    raw, words = shared.raw, shared.words
    page = raw.page
    tag = np.minimum(page.tag[raw.box], len(_HEADING) - 1)
    for name, mask in _IS.items():
        columns[name] = mask[tag]
    heading = _HEADING[tag]
    columns["heading"] = np.where(heading, 7 - (tag - _H1), 0)
    columns["inline"] = raw.holder != raw.box
    columns["depth"] = np.minimum(page.depth[raw.box], 60)
    for name, mask in _MASKS.items():
        columns[name] = within(page, page.has_tag(mask))[raw.first]
    columns["hidden"] = within(page, (page.flags & HIDDEN) != 0)[raw.first]
    count = len(raw)
    numbers = np.arange(count)
    columns["place"] = numbers / count
    total = max(float(words.sum()), 1.0)
    before = np.cumsum(words) - words
    columns["words_before"] = before / total
    running = _running_text(shared)
    mass = np.cumsum(words * running)
    whole = max(float(mass[-1]), 1.0)
    columns["text_before"] = (mass - words * running) / whole
    columns["text_after"] = (whole - mass) / whole
    last = np.maximum.accumulate(np.where(running, numbers, -99))
    following = np.minimum.accumulate(np.where(running, numbers, count + 99)[::-1])[::-1]
    columns["since_text"] = np.log1p(numbers - last)
    columns["until_text"] = np.log1p(following - numbers)
    h1 = np.flatnonzero(tag == _H1)
    at = int(h1[np.argmax(words[h1])]) if len(h1) else -1
    after = numbers - at if at >= 0 else np.zeros(count)
    columns["from_h1"] = np.sign(after) * np.log1p(np.abs(after))
    columns["since_heading"] = np.log1p(numbers - np.where(shared.sectioned, shared.section, -50))
    columns["section_level"] = np.where(shared.sectioned, columns["heading"][shared.section], 0)
    images = np.concatenate(([0], np.cumsum(page.has_tag(_IMG))))
    columns["image_before"] = images[raw.first] - images[np.concatenate(([0], raw.first[:-1]))]
    _neighbours("words", columns["words"], columns)
    _neighbours("links", columns["links"], columns)
    _neighbours("running", running * columns["words"], columns)


def _named(shared: Context, columns: Columns) -> None:
    """Blocks in what is called comments, reviews or related, and how much of the page's text stands outside these."""
    raw, words = shared.raw, shared.words
    page, running = raw.page, _running_text(shared)
    text = words * running
    whole = max(float(text.sum()), 1.0)
    ones = np.ones(len(raw))
    for name, known in (("comments", _COMMENTS), ("reviews", _REVIEWS), ("related", _RELATED)):
        roots = np.zeros(len(page), dtype=np.bool_)
        roots[raw.name_row[np.isin(raw.name_hash, known)]] = True
        roots &= page.depth > BODY_DEPTH
        inside = within(page, roots)[raw.first]
        columns[f"in_{name}"] = inside
        columns[f"page_{name}"] = ones * float((text * inside).sum()) / whole
        first = int(np.argmax(inside)) if inside.any() else len(raw)
        columns[f"before_{name}"] = ones * float(text[:first].sum()) / whole
        columns[f"words_before_{name}"] = ones * float(np.log1p(text[:first].sum()))


def _running_text(shared: Context) -> BoolArray:
    running: BoolArray = (shared.words >= PARAGRAPH_WORDS) & (shared.links <= PARAGRAPH_LINKS * shared.words)
    return running


def _neighbours(name: str, values: NDArray[Any], columns: Columns) -> None:
    """The values of the blocks before and after, and the mean of a window."""
    values = values.astype(np.float64)
    padded = np.concatenate((np.zeros(WINDOW + 1), values, np.zeros(WINDOW)))
    count = len(values)
    columns[f"{name}_previous"] = padded[WINDOW : WINDOW + count]
    columns[f"{name}_next"] = padded[WINDOW + 2 : WINDOW + 2 + count]
    running = np.cumsum(padded)
    columns[f"{name}_window"] = (running[2 * WINDOW + 1 :] - running[:count]) / (2 * WINDOW + 1)


def _containers(shared: Context, columns: Columns) -> None:
    """The elements around a block that hold more than it does, level by level."""
    raw, words = shared.raw, shared.words
    page = raw.page
    n = len(page)
    own_words = np.bincount(raw.first, words, n)
    own_links = np.bincount(raw.first, shared.links, n)
    own_text = np.bincount(raw.first, words * _running_text(shared), n)
    own_blocks = np.bincount(raw.first, minlength=n)
    inside = {
        "words": _float_sum(page, own_words),
        "links": _float_sum(page, own_links),
        "text": _float_sum(page, own_text),
        "blocks": _float_sum(page, own_blocks),
    }
    element = page.tag != 0
    tags = subtree_sum(page, element)
    total = max(float(words.sum()), 1.0)
    density = np.where(element, (inside["words"] - inside["links"]) / np.maximum(tags, 1), 0)
    density_sum = np.bincount(np.maximum(page.parent, 0), density * (page.parent >= 0), n)
    densest = int(np.argmax(density_sum))
    columns["in_densest"] = (raw.first >= densest) & (raw.first < page.end[densest])
    _readable(shared, inside["links"] / np.maximum(inside["words"], 1), columns)

    grows = np.zeros(n, dtype=np.bool_)
    grows[1:] = inside["blocks"][page.parent[1:]] > inside["blocks"][1:]
    grows[0] = True
    top = nearest(page, grows)
    alike = _alike_siblings(page, raw.kind)
    row = top[raw.box]
    for level in range(LEVELS):
        held = np.maximum(inside["words"][row], 1)
        columns[f"box{level}_share"] = held / total
        columns[f"box{level}_links"] = inside["links"][row] / held
        columns[f"box{level}_text"] = inside["text"][row] / held
        if level:
            columns[f"box{level}_blocks"] = np.log1p(inside["blocks"][row])
        columns[f"box{level}_density"] = np.log1p(np.maximum(density[row], 0))
        columns[f"box{level}_alike"] = np.log(alike[row])
        row = top[np.maximum(page.parent[row], 0)]


def _float_sum(page: Page, own: NDArray[Any]) -> FloatArray:
    running = np.zeros(len(page) + 1)
    np.cumsum(own, out=running[1:])
    total: FloatArray = running[page.end] - running[:-1]
    return total


def _alike_siblings(page: Page, kind: NDArray[np.uint64]) -> NDArray[np.intp]:
    """How many children of the same parent have the same tag and names (rarely more: the count is by hash)."""
    bits = 1 << 15
    key = mixed(kind * np.uint64(31) + page.parent.astype(np.uint64)) & np.uint32(bits - 1)
    counts = np.bincount(key, page.tag != 0, bits).astype(np.intp)
    alike: NDArray[np.intp] = np.maximum(counts[key], 1)
    return alike


def _readable(shared: Context, link_share: FloatArray, columns: Columns) -> None:
    """Points of running text for the elements around it, as Readability gives them."""
    raw = shared.raw
    page, n = raw.page, len(raw.page)
    points = np.where(shared.words >= 6, 1 + np.exp(columns["puncts_log"]) - 1 + np.minimum(shared.words / 20, 3), 0)
    points = points * (1 - columns["links"])
    parent = np.maximum(page.parent[raw.box], 0)
    above = np.maximum(page.parent[parent], 0)
    score = (np.bincount(parent, points, n) + np.bincount(above, points / 2, n)) * (1 - link_share)
    best = int(np.argmax(score))
    columns["in_best"] = (raw.first >= best) & (raw.first < page.end[best])
    columns["readable"] = score[parent] / max(float(score[best]), 1e-9)
    columns["readable_log"] = np.log1p(score[parent])


def _groups(shared: Context, columns: Columns) -> None:
    group, size = shared.group, shared.group_size
    words, count = shared.words, len(shared.raw)
    total = max(float(words.sum()), 1.0)
    held = np.bincount(group, words)
    columns["group_size"] = np.log(size)
    columns["group_share"] = (held / total)[group]
    columns["group_words"] = np.log1p(held[group] / size)
    columns["group_links"] = (np.bincount(group, shared.links) / np.maximum(held, 1))[group]
    numbers = np.arange(count)
    low, high = np.full(len(held), count), np.zeros(len(held), dtype=np.intp)
    np.minimum.at(low, group, numbers)
    np.maximum.at(high, group, numbers)
    columns["group_spread"] = ((high - low) / count)[group]
    columns["group_running"] = (np.bincount(group, _running_text(shared)) / np.bincount(group))[group]


def _page(shared: Context, columns: Columns) -> None:
    """What the whole page is like: the same for every block."""
    raw, words = shared.raw, shared.words
    ones = np.ones(len(raw))
    total = max(float(words.sum()), 1.0)
    running = _running_text(shared)
    columns["page_words"] = ones * np.log1p(total)
    columns["page_blocks"] = ones * np.log1p(len(raw))
    columns["page_links"] = ones * float(shared.links.sum()) / total
    columns["page_text"] = ones * float((words * running).sum()) / total
    columns["page_cjk"] = ones * float(raw.page.cjk[raw.blocks.rows].sum()) / total
    columns["page_long"] = ones * float(np.log1p(words.max()))
    columns["page_headings"] = ones * float(np.log1p((columns["heading"] > 0).sum()))
    columns["page_items"] = ones * float((words * columns["is_item"]).sum()) / total
    columns["page_group"] = ones * float(np.max(columns["group_share"]))
    columns["page_inputs"] = ones * float(np.log1p((raw.page.tag == TAG_IDS["input"]).sum()))


def lexicon_columns(shared: Context, scores: Scores) -> Columns:
    """The lexicons' scores, and what they say of neighbours and of alike blocks."""
    columns: Columns = {}
    raw, group = shared.raw, shared.group
    weight = np.maximum(shared.words, 1)
    total = float(weight.sum())
    held = np.bincount(group, weight)
    both = scores.path + scores.near
    for name, values in (("path", scores.path), ("near", scores.near), ("both", both), ("said", scores.words)):
        columns[name] = values
        columns[f"{name}_group"] = (np.bincount(group, values * weight) / held)[group]
        mean = float((values * weight).sum()) / total
        columns[f"{name}_page"] = values - mean
        _neighbours(name, values, columns)
    columns["both_mean"] = np.ones(len(raw)) * float((both * weight).sum()) / total
    columns["both_best"] = both - float(both.max())
    headed = np.where(shared.sectioned, scores.heading[shared.section], 0)
    columns["headed"] = headed
    columns["headed_near"] = np.where(shared.sectioned, both[shared.section], 0)
    columns["as_heading"] = scores.heading
    page = raw.page
    n = len(page)
    weights = _float_sum(page, np.bincount(raw.first, weight, n))
    sums = {}
    for name, values in (("both", both), ("said", scores.words)):
        sums[name] = _float_sum(page, np.bincount(raw.first, weight * values, n))
    row = raw.box
    for level in range(1, 4):
        row = np.maximum(page.parent[row], 0)
        for name, summed in sums.items():
            columns[f"{name}_box{level}"] = summed[row] / np.maximum(weights[row], 1)
    return columns


def matrix(columns: Columns, names: tuple[str, ...]) -> Matrix:
    """The named columns side by side."""
    found = np.empty((len(next(iter(columns.values()))), len(names)), dtype=np.float32)
    for at, name in enumerate(names):
        found[:, at] = columns[name]
    return found
