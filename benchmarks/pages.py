"""Random HTML: pages made of the pieces that parsers stumble over, and mutations of pages."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from duramen.tags import TAG_NAMES

COMMON = "p div span a b i em font ul li table tr td th h1 h2 br img form select option button script style".split()
TABLE = "table caption colgroup col tbody thead tfoot tr td th".split()
FOREIGN = """
    svg math g title desc foreignObject mi mo mtext annotation-xml mglyph malignmark linearGradient path style script a
""".split()
HEAD = "html head body title meta link base style script noscript template frameset frame noframes".split()
INLINE = "a b big code em font i nobr s small strike strong tt u span applet object marquee button ruby rt rp".split()
LISTS = "ul ol li dl dd dt p div address h1 h3 pre listing blockquote option optgroup select hr form input".split()
ODD = "x-y foo image keygen plaintext xmp iframe noembed textarea isindex a1 ABC dialog search selectedcontent".split()
PALETTES: tuple[Sequence[str], ...] = (COMMON, TABLE, FOREIGN, HEAD, INLINE, LISTS, ODD, TAG_NAMES[1:])
ATTRIBUTES = """
    id=x class="a b" href=/y href='?a=1&amp;b=2' HREF=z hidden style="display:none" style="DISPLAY : None;x:y"
    style='visibility:hidden' style="visibility : collapse" style="color:red" type=hidden type=HIDDEN type=text
    title="a&lt;b&notit;c&copy" title=&amp;x =y a=1 A=2 color=red face=x size=1 encoding=text/html viewBox=1
    definitionurl=u xlink:href=v a/b "q" x=' ' 中=文 data-long-name-of-many-letters="1" x=&#x4e2d; y="a&ampb" z='&amp='
""".split("\n")
TEXTS = (
    " ", "\n", "\t \n", "x", "word", "two words", "a.b,c", "中文", "。", "é", "\u200b", "\u00a0", "a\rb", "\r\n", "\r",
    "&amp;", "&lt", "&nbsp;", "&#65;", "&#x4E2D;", "&#0;", "&#128;", "&#xD800;", "&#1114112;", "&#10;", "&#13;",
    "&#32;", "&notit;", "&", "&#", "&#x", "&bogus;", "&nGt;", "&copy", "<", "< ", "<3", ">", "]]>", "--", "-->", "<>",
    "</>", "𝄞", "가나", "ＡＢ", "、", "１", "\x0b", "\x1c", "\x85", "\ufeff", "it's 3.14, ok", "x" * 40,
    " y" * 80 + "é", "漢字 ab漢",
)  # fmt: skip
COMMENTS = (
    "<!---->", "<!-- x -->", "<!-->", "<!--->", "<!-- a -- b --!>", "<!-x->", "<?php x ?>", "<?xml?>", "<!>", "</ x>",
    "<!--<!-->", "<!--<!--x-->", "<![CDATA[x]]>", "<![CDATA[a]]]>b]]>", "<!doctype html>", "<!DOCTYPE html SYSTEM 'x'>",
    "<!--", "<!doctype", "</", "<!", "<a href='", "<b c=d", "<?", "<![CDATA[x", "</p", "<!---", "<!--x--", "<!--x--!",
)  # fmt: skip
RAW = (
    "<script>a<b</script>", "<script><!--<script>x</script>--></script>", "<script><!--x</script>",
    "<style>a{}</style>",
    "<script><!--<script x</script y>z</script>", "<title>a&amp;<b></title>", "<textarea>\n<p>x</textarea>",
    "<xmp><p></XMP>", "<iframe><p></iframe >", "<noscript><p>x</noscript>", "<noembed>x</noembed>",
    "<script></scriptx>",
    "<pre>\n\nx</pre>", "<listing>\nx", "<script>", "</script>", "<title>x</titl></title a=b>",
    "<template><tr></template>",
    "<style><!--</style>-->", "<script><!-->x</script>", "<script><!--->x</script>",
    "<script><!-- --><script></script>", "<div>" * 9, "<a><div><div>", "</a>", "</b>", "<b><p>", "</head> ",
)  # fmt: skip
DOCTYPES = (
    "", "<!doctype html>", "<!DOCTYPE html>\n", "<!doctype>", "<!doctype svg>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">', "<!doctype html system 'about:legacy-compat'>",
    "<!doctype html public>", "<!doctype html public 'x' y>", "<!doctype html x>",
)  # fmt: skip


def attribute(random: Random) -> str:
    """One attribute, or what looks like one."""
    line = random.choice(ATTRIBUTES).strip()
    pieces = line.split(" ") if '"' not in line and "'" not in line else [line]
    return random.choice(pieces)


def tag(random: Random, palette: Sequence[str]) -> str:
    """A start or end tag."""
    name = random.choice(palette)
    if random.random() < 0.05:
        name = name.upper()
    if random.random() < 0.4:
        return f"</{name}>"
    attributes = "".join(" " + attribute(random) for _ in range(random.choice((0, 0, 0, 1, 1, 2, 5))))
    return f"<{name}{attributes}{random.choice(('', '', '', '', '/', ' ', ' /'))}>"


def made_page(random: Random, pieces: int = 30) -> bytes:
    """A page of random tags, text, comments and raw text."""
    palettes = random.sample(PALETTES, random.choice((1, 1, 2, 3)))
    parts = [random.choice(DOCTYPES)]
    for _ in range(random.randrange(1, pieces)):
        kind = random.random()
        if kind < 0.62:
            parts.append(tag(random, random.choice(palettes)))
        elif kind < 0.9:
            parts.append(random.choice(TEXTS))
        elif kind < 0.95:
            parts.append(random.choice(COMMENTS[:20] if random.random() < 0.9 else COMMENTS))
        else:
            parts.append(random.choice(RAW))
    return "".join(parts).encode()


def mutated(random: Random, page: bytes) -> bytes:
    """A page with pieces deleted, doubled, moved or made up; still UTF-8."""
    for _ in range(random.randrange(1, 6)):
        start = random.randrange(len(page) + 1)
        stop = min(len(page), start + random.choice((1, 2, 5, 20, 200)))
        kind = random.randrange(4)
        if kind == 0:
            page = page[:start] + page[stop:]
        elif kind == 1:
            page = page[:stop] + page[start:]
        elif kind == 2:
            piece = random.choice((tag(random, random.choice(PALETTES)), random.choice(TEXTS), random.choice(COMMENTS)))
            page = page[:start] + piece.encode() + page[start:]
        else:
            at = random.randrange(len(page) + 1)
            page = page[:start] + page[stop:at] + page[start:stop] + page[at:]
    return page.decode("utf-8", "ignore").encode()
