"""The kernel's constants: insertion modes, roles and kinds of elements, and the ids of elements it names.

`names.pxd` declares the same numbers to C; `names_pxd()` writes it and a test keeps the two equal.
"""

from __future__ import annotations

from typing import Final

from duramen.page import HIDDEN, HREF
from duramen.tags import TAG_IDS, TAG_NAMES

KNOWN_TAGS: Final = len(TAG_NAMES)  # ids below are the page format's own, ids above are other names

# Insertion modes (HTML standard, 13.2.4.1). "text" and "in table text" need none: raw text is read in one piece.
INITIAL: Final = 0
BEFORE_HTML: Final = 1
BEFORE_HEAD: Final = 2
IN_HEAD: Final = 3
IN_HEAD_NOSCRIPT: Final = 4
AFTER_HEAD: Final = 5
IN_BODY: Final = 6
IN_TABLE: Final = 7
IN_CAPTION: Final = 8
IN_COLUMN_GROUP: Final = 9
IN_TABLE_BODY: Final = 10
IN_ROW: Final = 11
IN_CELL: Final = 12
IN_TEMPLATE: Final = 13
AFTER_BODY: Final = 14
IN_FRAMESET: Final = 15
AFTER_FRAMESET: Final = 16
AFTER_AFTER_BODY: Final = 17
AFTER_AFTER_FRAMESET: Final = 18

# What the tokenizer reads after a start tag.
DATA: Final = 0
RCDATA: Final = 1  # references, no tags
RAWTEXT: Final = 2
SCRIPT_DATA: Final = 3
PLAINTEXT: Final = 4

# Roles: elements that the tree construction rules name together.
R_OTHER: Final = 0
R_HTML: Final = 1
R_HEAD: Final = 2
R_BODY: Final = 3
R_FRAMESET: Final = 4
R_FRAME: Final = 5
R_META: Final = 6  # base basefont bgsound link meta
R_TITLE: Final = 7
R_STYLE: Final = 8  # style noframes
R_SCRIPT: Final = 9
R_NOSCRIPT: Final = 10
R_TEMPLATE: Final = 11
R_BLOCK: Final = 12
R_P: Final = 13
R_HEADING: Final = 14
R_PRE: Final = 15  # pre listing
R_FORM: Final = 16
R_LI: Final = 17
R_DEFINITION: Final = 18  # dd dt
R_PLAINTEXT: Final = 19
R_BUTTON: Final = 20
R_A: Final = 21
R_FORMATTING: Final = 22
R_NOBR: Final = 23
R_OBJECT: Final = 24  # applet marquee object
R_TABLE: Final = 25
R_CAPTION: Final = 26
R_COL: Final = 27
R_COLGROUP: Final = 28
R_TABLE_BODY: Final = 29  # tbody thead tfoot
R_TR: Final = 30
R_CELL: Final = 31  # td th
R_VOID: Final = 32  # area embed img keygen wbr
R_BR: Final = 33
R_INPUT: Final = 34
R_PARAM: Final = 35  # param source track
R_HR: Final = 36
R_IMAGE: Final = 37
R_TEXTAREA: Final = 38
R_XMP: Final = 39
R_IFRAME: Final = 40
R_NOEMBED: Final = 41
R_SELECT: Final = 42
R_OPTGROUP: Final = 43
R_OPTION: Final = 44
R_RUBY_BASE: Final = 45  # rb rtc
R_RUBY_TEXT: Final = 46  # rp rt
R_MATH: Final = 47
R_SVG: Final = 48
R_SELECTEDCONTENT: Final = 49

# Kinds: bits of what an open element does to those above it on the stack.
K_SPECIAL: Final = 1
K_SCOPE: Final = 2  # ends every "in scope"
K_BUTTON: Final = 4  # ends "in button scope"
K_LIST: Final = 8  # ends "in list item scope"
K_TABLE_SCOPE: Final = 16  # ends "in table scope"
K_IMPLIED: Final = 32  # closed by "generate implied end tags"
K_THOROUGH: Final = 64  # and by "generate all implied end tags thoroughly"
K_FORMATTING: Final = 128
K_STOPS_LI: Final = 256  # special, and not address, div or p: ends the search of <li>, <dd> and <dt>
K_FOSTERS: Final = 512  # table tbody thead tfoot tr: what does not belong in there is foster parented
K_FOREIGN: Final = 1024  # in the SVG or MathML namespace
K_MATH: Final = 2048
K_TEXT_POINT: Final = 4096  # MathML text integration point
K_HTML_POINT: Final = 8192  # HTML integration point
K_ANNOTATION: Final = 16384  # MathML annotation-xml
K_BREAKOUT: Final = 32768  # an HTML element that ends foreign content
K_PLAIN: Final = 65536  # an HTML element that its end tag in the body closes, whatever else is open, if it is current
K_ENDS_SCOPE: Final = K_SCOPE | K_BUTTON | K_LIST | K_TABLE_SCOPE

# Elements that single rules name.
T_TEXT: Final = 0
T_HTML: Final = TAG_IDS["html"]
T_HEAD: Final = TAG_IDS["head"]
T_BODY: Final = TAG_IDS["body"]
T_BASE: Final = TAG_IDS["base"]
T_STYLE: Final = TAG_IDS["style"]
T_NOFRAMES: Final = TAG_IDS["noframes"]
T_TITLE: Final = TAG_IDS["title"]
T_SCRIPT: Final = TAG_IDS["script"]
T_NOSCRIPT: Final = TAG_IDS["noscript"]
T_TEMPLATE: Final = TAG_IDS["template"]
T_P: Final = TAG_IDS["p"]
T_LI: Final = TAG_IDS["li"]
T_DD: Final = TAG_IDS["dd"]
T_DT: Final = TAG_IDS["dt"]
T_H1: Final = TAG_IDS["h1"]  # h1 … h6 follow each other
T_H6: Final = TAG_IDS["h6"]
T_A: Final = TAG_IDS["a"]
T_AREA: Final = TAG_IDS["area"]
T_NOBR: Final = TAG_IDS["nobr"]
T_FONT: Final = TAG_IDS["font"]
T_BR: Final = TAG_IDS["br"]
T_IMG: Final = TAG_IDS["img"]
T_BUTTON: Final = TAG_IDS["button"]
T_FORM: Final = TAG_IDS["form"]
T_SELECT: Final = TAG_IDS["select"]
T_OPTION: Final = TAG_IDS["option"]
T_OPTGROUP: Final = TAG_IDS["optgroup"]
T_RUBY: Final = TAG_IDS["ruby"]
T_RTC: Final = TAG_IDS["rtc"]
T_TABLE: Final = TAG_IDS["table"]
T_CAPTION: Final = TAG_IDS["caption"]
T_COLGROUP: Final = TAG_IDS["colgroup"]
T_TBODY: Final = TAG_IDS["tbody"]
T_THEAD: Final = TAG_IDS["thead"]
T_TFOOT: Final = TAG_IDS["tfoot"]
T_TR: Final = TAG_IDS["tr"]
T_TD: Final = TAG_IDS["td"]
T_TH: Final = TAG_IDS["th"]
T_FRAMESET: Final = TAG_IDS["frameset"]
T_SUP: Final = TAG_IDS["sup"]
T_SVG: Final = TAG_IDS["svg"]
T_MATH: Final = TAG_IDS["math"]

# Attributes that rules look for, and values that they compare with: indexes of tree.WORDS.
W_HREF: Final = 0
W_HIDDEN: Final = 1
W_STYLE: Final = 2
W_TYPE: Final = 3
W_ENCODING: Final = 4
W_COLOR: Final = 5
W_FACE: Final = 6
W_SIZE: Final = 7
W_TEXT_HTML: Final = 8
W_XHTML: Final = 9
W_DISPLAY: Final = 10
W_VISIBILITY: Final = 11
W_NONE: Final = 12
W_COLLAPSE: Final = 13
W_DOCTYPE: Final = 14
W_CDATA: Final = 15
W_SCRIPT: Final = 16

MARK_HREF: Final = HREF
MARK_HIDDEN: Final = HIDDEN
MARK_STYLE: Final = 4  # hidden by its style
# Bits of a row while a page is read; those of a finished page are MARK_PAGE.
MARK_PAGE: Final = HREF | HIDDEN
MARK_RAW: Final = 8  # text left in the source: `chars` and `words` are where it starts and stops there
MARK_FOSTERED: Final = 16  # stands inside a table until the page is read, and then in front of it
MARK_JOINS: Final = 32  # text that belongs to the text before it, once fostered rows in between are gone
MARK_FOLLOWS: Final = 64  # a table right after text, without so much as a comment in between

TEMPLATE_LIMIT: Final = 64  # nested templates
LATE_LIMIT: Final = 64  # late <html> and <body> tags, and attributes of one
HELD_LIMIT: Final = 64  # pieces of white space after the head
HELD_SIZE: Final = 4096  # bytes of it

# Bits of tokens.BYTE_KINDS.
B_SPACE: Final = 1  # white space inside tags
B_TAG_END: Final = 2  # ends a tag name
B_NAME_END: Final = 4  # ends an attribute name
B_VALUE_END: Final = 8  # ends an unquoted value
B_UPPER: Final = 16
B_LETTER: Final = 32
B_ALNUM: Final = 64

# Bytes.
TAB: Final = 0x09
LF: Final = 0x0A
FF: Final = 0x0C
CR: Final = 0x0D
SPACE_BYTE: Final = 0x20
BANG: Final = 0x21
QUOTE: Final = 0x22
HASH_SIGN: Final = 0x23
AMP: Final = 0x26
APOSTROPHE: Final = 0x27
DASH: Final = 0x2D
SLASH: Final = 0x2F
SEMICOLON: Final = 0x3B
LESS: Final = 0x3C
EQUALS: Final = 0x3D
GREATER: Final = 0x3E
QUESTION: Final = 0x3F
BRACKET: Final = 0x5D

# Why a page is not modelled; 0 is a page that is.
FLAG_NONE: Final = 0
FLAG_TEMPLATE: Final = 1  # a formatting element of a template is still active after it
FLAG_FOSTER: Final = 2  # characters before and after </> or <, not all of them white space, in a table
FLAG_NOT_UTF8: Final = 3
FLAG_CROWDED: Final = 4  # more formatting elements, attributes or colliding names than a page may have here
FLAG_SELECTEDCONTENT: Final = 5
FLAG_FRAMESET: Final = 6  # a frameset with attributes replaces the body
FLAG_NUL: Final = 7
FLAG_REFERENCE: Final = 8  # the reference parser departs from the standard here

FLAG_NAMES: Final = (
    "modelled",
    "template",
    "foster parenting",
    "not UTF-8",
    "crowded",
    "selectedcontent",
    "frameset",
    "NUL",
    "reference",
)


def names_pxd() -> str:
    """The text of `names.pxd`."""
    constants = {name: value for name, value in globals().items() if name.isupper() and isinstance(value, int)}
    lines = [f"    {name} = {value}" for name, value in constants.items()]
    return "# Made from names.py by names_pxd(): edit that file.\n\ncdef enum:\n" + "\n".join(lines) + "\n"
