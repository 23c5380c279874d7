"""What the HTML standard says about each element, as look-up tables by name id (see `names.py`)."""

from __future__ import annotations

from collections.abc import Iterable

from duramen.parse import names
from duramen.tags import TAG_IDS, TAG_NAMES

_ROLES: dict[int, str] = {
    names.R_HTML: "html",
    names.R_HEAD: "head",
    names.R_BODY: "body",
    names.R_FRAMESET: "frameset",
    names.R_FRAME: "frame",
    names.R_META: "base basefont bgsound link meta",
    names.R_TITLE: "title",
    names.R_STYLE: "style noframes",
    names.R_SCRIPT: "script",
    names.R_NOSCRIPT: "noscript",
    names.R_TEMPLATE: "template",
    names.R_BLOCK: """address article aside blockquote center details dialog dir div dl fieldset figcaption figure
        footer header hgroup main menu nav ol search section summary ul""",
    names.R_P: "p",
    names.R_HEADING: "h1 h2 h3 h4 h5 h6",
    names.R_PRE: "pre listing",
    names.R_FORM: "form",
    names.R_LI: "li",
    names.R_DEFINITION: "dd dt",
    names.R_PLAINTEXT: "plaintext",
    names.R_BUTTON: "button",
    names.R_A: "a",
    names.R_FORMATTING: "b big code em font i s small strike strong tt u",
    names.R_NOBR: "nobr",
    names.R_OBJECT: "applet marquee object",
    names.R_TABLE: "table",
    names.R_CAPTION: "caption",
    names.R_COL: "col",
    names.R_COLGROUP: "colgroup",
    names.R_TABLE_BODY: "tbody thead tfoot",
    names.R_TR: "tr",
    names.R_CELL: "td th",
    names.R_VOID: "area embed img keygen wbr",
    names.R_BR: "br",
    names.R_INPUT: "input",
    names.R_PARAM: "param source track",
    names.R_HR: "hr",
    names.R_IMAGE: "image",
    names.R_TEXTAREA: "textarea",
    names.R_XMP: "xmp",
    names.R_IFRAME: "iframe",
    names.R_NOEMBED: "noembed",
    names.R_SELECT: "select",
    names.R_OPTGROUP: "optgroup",
    names.R_OPTION: "option",
    names.R_RUBY_BASE: "rb rtc",
    names.R_RUBY_TEXT: "rp rt",
    names.R_MATH: "math",
    names.R_SVG: "svg",
    names.R_SELECTEDCONTENT: "selectedcontent",
}
_SPECIAL = """
    address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd
    details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
    hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object
    ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot
    th thead title tr track ul wbr xmp
"""
_KINDS: dict[int, str] = {
    names.K_SPECIAL: _SPECIAL,
    names.K_STOPS_LI: " ".join(name for name in _SPECIAL.split() if name not in ("address", "div", "p")),
    names.K_SCOPE: "applet caption html marquee object select table td template th",
    names.K_BUTTON: "button",
    names.K_LIST: "ol ul",
    names.K_TABLE_SCOPE: "html table template",
    names.K_IMPLIED: "dd dt li optgroup option p rb rp rt rtc",
    names.K_THOROUGH: "caption colgroup dd dt li optgroup option p rb rp rt rtc tbody td tfoot th thead tr",
    names.K_FORMATTING: "a b big code em font i nobr s small strike strong tt u",
    names.K_FOSTERS: "table tbody tfoot thead tr",
    names.K_BREAKOUT: """b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
        listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var""",
}

# Foreign elements that are more than a name: MathML text integration points, annotation-xml, and the SVG
# elements that hold HTML.
MATH_TEXT_POINTS = ("mi", "mo", "mn", "ms", "mtext")
MATH_NOT_TEXT = ("mglyph", "malignmark")
SVG_HTML_POINTS = ("foreignObject", "desc", "title")

# SVG names that HTML lowercases and the tree spells in full.
SVG_TAGS = """
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
    feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
    feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
    fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
    radialGradient textPath
""".split()
SVG_ATTRIBUTES = """
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits
    glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust
    limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength
    patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio
    primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures specularConstant
    specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX
    targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
""".split()
MATH_ATTRIBUTES = ("definitionURL",)

# Every name that the kernel knows from the start. Ids below KNOWN_TAGS are the page format's.
STATIC_NAMES: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *TAG_NAMES,
            *MATH_TEXT_POINTS,
            *MATH_NOT_TEXT,
            "annotation-xml",
            *(name.lower() for name in SVG_TAGS),
            *SVG_TAGS,
            *SVG_HTML_POINTS,
            *(name.lower() for name in (*SVG_ATTRIBUTES, *MATH_ATTRIBUTES)),
            *SVG_ATTRIBUTES,
            *MATH_ATTRIBUTES,
        )
    )
)
STATIC_IDS: dict[str, int] = {name: number for number, name in enumerate(STATIC_NAMES)}


def roles() -> bytes:
    """The role of each known tag."""
    table = bytearray(len(STATIC_NAMES))
    for role, tags in _ROLES.items():
        for name in tags.split():
            table[TAG_IDS[name]] = role
    return bytes(table)


# Roles of elements that their end tag does more to than close them.
_NOT_PLAIN = (
    *(names.R_HTML, names.R_HEAD, names.R_BODY, names.R_FRAMESET, names.R_TEMPLATE, names.R_FORM, names.R_OBJECT),
    *(names.R_A, names.R_FORMATTING, names.R_NOBR, names.R_BR),
    *range(names.R_TABLE, names.R_CELL + 1),
)


def kinds() -> list[int]:
    """The kind bits of each known tag as an HTML element."""
    table = [0 if role in _NOT_PLAIN else names.K_PLAIN for role in roles()]
    for bit, tags in _KINDS.items():
        for name in tags.split():
            table[TAG_IDS[name]] |= bit
    return table


def svg_names() -> list[int]:
    """The name that an element of that name has in SVG."""
    return _respelled(SVG_TAGS)


def svg_attributes() -> list[int]:
    """The name that an attribute of that name has on an SVG element."""
    return _respelled(SVG_ATTRIBUTES)


def math_attributes() -> list[int]:
    """The name that an attribute of that name has on a MathML element."""
    return _respelled(MATH_ATTRIBUTES)


def _respelled(spellings: Iterable[str]) -> list[int]:
    table = list(range(len(STATIC_NAMES)))
    for name in spellings:
        table[STATIC_IDS[name.lower()]] = STATIC_IDS[name]
    return table


def svg_kinds() -> list[int]:
    """The kind bits of each known name as an SVG element."""
    table = [names.K_FOREIGN] * len(STATIC_NAMES)
    for name in SVG_HTML_POINTS:
        table[STATIC_IDS[name]] |= names.K_SPECIAL | names.K_STOPS_LI | names.K_SCOPE | names.K_HTML_POINT
    return table


def math_kinds() -> list[int]:
    """The kind bits of each known name as a MathML element."""
    table = [names.K_FOREIGN | names.K_MATH] * len(STATIC_NAMES)
    for name in MATH_TEXT_POINTS:
        table[STATIC_IDS[name]] |= names.K_SPECIAL | names.K_STOPS_LI | names.K_SCOPE | names.K_TEXT_POINT
    annotation = names.K_SPECIAL | names.K_STOPS_LI | names.K_SCOPE | names.K_ANNOTATION
    table[STATIC_IDS["annotation-xml"]] |= annotation
    return table
