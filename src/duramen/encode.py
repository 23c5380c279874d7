"""Text → bytes in an encoding that may lack some of its characters, and how many it lacked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, get_args

from duramen.errors import OptionError

Unmappable = Literal["replace", "entity", "drop"]
"""What becomes of a character that the encoding lacks: `?`, a reference such as `&#x1F600;`, or nothing."""

# What stands for the same where it is missing itself: no loss, so not counted. GBK has neither of the two.
_SAME = {"\xa0": " ", "\u2022": "\u00b7"}


@dataclass(frozen=True, slots=True)
class Encoded:
    """Encoded text."""

    data: bytes
    replaced: int  # characters that the encoding lacks


def encode(text: str, encoding: str = "gbk", unmappable: Unmappable = "replace") -> Encoded:
    """The text in any encoding that Python knows; never fails on a character.

    A no-break space that the encoding lacks becomes a blank and a bullet a middle dot. What else it lacks is treated
    as `unmappable` says, and counted. An unknown encoding raises `OptionError`.
    """
    if unmappable not in get_args(Unmappable):
        raise OptionError(f"unmappable is one of {', '.join(get_args(Unmappable))}, not {unmappable!r}")
    try:
        return Encoded(text.encode(encoding), 0)
    except LookupError:
        raise OptionError(f"unknown encoding {encoding!r}: try gbk, gb18030 or utf-8") from None
    except UnicodeError:
        pass
    count = Counter(text)
    missing = [character for character in count if not _has(encoding, character)]
    table: dict[int, str] = {}
    replaced = 0
    for character in missing:
        same = _SAME.get(character)
        if same is not None and _has(encoding, same):
            table[ord(character)] = same
            continue
        replaced += count[character]
        table[ord(character)] = {"replace": "?", "entity": f"&#x{ord(character):X};", "drop": ""}[unmappable]
    return Encoded(text.translate(table).encode(encoding), replaced)


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeError:
        return False
    return True
