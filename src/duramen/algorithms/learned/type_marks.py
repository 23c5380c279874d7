"""How often a text names a price or a date, or asks: what a regular expression finds, in one pass.

A price is a sign or code of a currency before or after a number, a date three numbers, a month with a day, or "ago".

This file compiles to C, with the types in `type_marks.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    DIGIT, LETTER, LINE, QUESTION, DOLLAR, BEYOND = 1, 2, 3, 4, 5, 6
    # What a character beyond ASCII is: no part of words, part of one, the sign of a currency, a question mark.
    APART, WORD, MONEY, ASKS = 0, 1, 2, 3


def _sorts() -> bytes:
    sorts = bytearray(256)
    sorts[48:58] = bytes([DIGIT]) * 10
    sorts[65:91] = sorts[97:123] = bytes([LETTER]) * 26
    sorts[128:] = bytes([BEYOND]) * 128
    sorts[95], sorts[63], sorts[36] = LINE, QUESTION, DOLLAR
    return bytes(sorts)


def _begins() -> bytes:
    """Which pairs of letters may begin a date or a price, by the last five bits of each."""
    begins = bytearray(1024)
    for first, second in (pair.encode() for pair in "ja ju fe ma ap au se oc no de ag us eu gb rs".split()):
        begins[(first & 31) << 5 | second & 31] = 1
    return bytes(begins)


_SORTS, _BEGINS = _sorts(), _begins()


def count_marks(source: bytes) -> tuple[int, int, int]:
    """The number of prices, of dates and of question marks in UTF-8 text."""
    text, size, at, in_word = source, len(source), 0, False
    price_from = date_from = tried = prices = dates = questions = 0
    while at < size:
        sort, length = _SORTS[text[at]], 1
        if sort == 0:
            in_word = False
        elif sort == LETTER:
            if not in_word and at + 1 < size and _BEGINS[(text[at] & 31) << 5 | text[at + 1] & 31]:
                if at >= date_from:
                    end = _past_month(text, at, size)
                    if end:
                        dates, date_from = dates + 1, end
                if at >= price_from:
                    end = _past_currency(text, at, size)
                    if end:
                        prices, price_from = prices + 1, end
            in_word = True
            while at + length < size and _SORTS[text[at + length]] == LETTER:
                length += 1
        elif sort == DIGIT:
            if not in_word:
                in_word = True
                if at >= date_from:
                    end = _past_numbers(text, at, size)
                    if end:
                        dates, date_from = dates + 1, end
                if at >= price_from and at >= tried:
                    tried = _past_number(text, at, size)
                    end = _past_unit(text, _past_blank(text, tried, size), size)
                    if not end:
                        end = _past_unit(text, tried, size)
                    if end:
                        prices, price_from = prices + 1, end
            if at >= date_from and _is_month_sign(text, at + 1, size) and _digits(text, at + 4, size):  # 5月1
                dates, date_from = dates + 1, at + 5
        elif sort == BEYOND:
            sort, length = _beyond(text, at, size), _length(text[at])
            in_word = sort == WORD
            if sort == ASKS:
                questions += 1
            elif sort == MONEY and at >= price_from:
                end = _past_amount(text, at + length, size)
                if end:
                    prices, price_from = prices + 1, end
        elif sort == LINE:
            in_word = True
        else:
            in_word = False
            if sort == QUESTION:
                questions += 1
            elif sort == DOLLAR and at >= price_from:
                end = _past_amount(text, at + 1, size)
                if end:
                    prices, price_from = prices + 1, end
        at += length
    return prices, dates, questions


def _length(lead: int) -> int:
    """The bytes of a character, by the first of them."""
    return 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _beyond(text: bytes, at: int, size: int) -> int:
    """What a character beyond ASCII is."""
    lead = text[at]
    second = text[at + 1] if at + 1 < size else 0
    third = text[at + 2] if at + 2 < size else 0
    if lead == 0xC2:
        if second in (0xA3, 0xA5):  # £ ¥
            return MONEY
        return WORD if second in (0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE) else APART
    if lead == 0xC3:
        return APART if second in (0x97, 0xB7) else WORD
    if lead == 0xE2:
        if second == 0x82:
            if third in (0xAC, 0xB9):  # € ₹
                return MONEY
            return APART if third >= 0xA0 else WORD
        return APART if second in (0x80, 0x81, 0x83) or 0x86 <= second <= 0x90 or 0x94 <= second <= 0xAF else WORD
    if lead == 0xE3:
        if second == 0x80:
            return WORD if third in (0x85, 0x86, 0x87) or (third > 0xA0 and third != 0xB0) else APART
        return APART if second == 0x83 and third == 0xBB else WORD
    if lead == 0xEF:
        if second == 0xBC:
            if third == 0x9F:  # ？
                return ASKS
            return APART if third < 0x90 or 0x9A <= third <= 0xA0 or third >= 0xBB else WORD
        if second == 0xBD:
            return APART if third == 0x80 or 0x9B <= third <= 0xA5 else WORD
        return APART if second in (0xB8, 0xB9, 0xBF) else WORD
    if lead == 0xCC or lead == 0xEE:
        return APART
    return APART if lead == 0xF0 and second == 0x9F else WORD


def _ends(text: bytes, at: int, size: int) -> bool:
    """Whether no word goes on there."""
    if at >= size:
        return True
    sort = _SORTS[text[at]]
    if sort == BEYOND:
        return _beyond(text, at, size) != WORD
    return sort != DIGIT and sort != LETTER and sort != LINE


def _digits(text: bytes, at: int, size: int) -> int:
    """How many digits stand there; five for more than that."""
    count = 0
    while count < 5 and at + count < size and _SORTS[text[at + count]] == DIGIT:
        count += 1
    return count


def _three(text: bytes, at: int, size: int) -> int:
    """Three letters, small ones, as one number; 0 where they are others."""
    if at + 2 >= size:
        return 0
    return (text[at] | 32) << 16 | (text[at + 1] | 32) << 8 | (text[at + 2] | 32)


def _is_month(word: int) -> bool:
    """Whether three letters begin the name of a month."""
    return word in (
        *(0x6A616E, 0x666562, 0x6D6172, 0x617072, 0x6D6179, 0x6A756E),
        *(0x6A756C, 0x617567, 0x736570, 0x6F6374, 0x6E6F76, 0x646563),
    )


def _is_month_sign(text: bytes, at: int, size: int) -> bool:
    """Whether 月 stands there."""
    return at + 2 < size and text[at] == 0xE6 and text[at + 1] == 0x9C and text[at + 2] == 0x88


def _past_blank(text: bytes, at: int, size: int) -> int:
    """The place after one space or the like, where there is one."""
    if at < size:
        if text[at] == 32 or 9 <= text[at] <= 13:
            return at + 1
        if text[at] == 0xC2 and at + 1 < size and text[at + 1] == 0xA0:
            return at + 2
        if (
            text[at] == 0xE2
            and at + 2 < size
            and text[at + 1] == 0x80
            and (text[at + 2] <= 0x8A or text[at + 2] == 0xAF)
        ):
            return at + 3
    return at


def _past_number(text: bytes, at: int, size: int) -> int:
    """The place after digits, commas and dots."""
    while at < size and (_SORTS[text[at]] == DIGIT or text[at] == 44 or text[at] == 46):
        at += 1
    return at


def _past_amount(text: bytes, at: int, size: int) -> int:
    """The place after a number, and a space before it; 0 where there is none."""
    start = _past_blank(text, at, size)
    return _past_number(text, start, size) if start < size and _SORTS[text[start]] == DIGIT else 0


def _past_currency(text: bytes, at: int, size: int) -> int:
    """The place after a price that begins with letters; 0 where there is none."""
    word = _three(text, at, size)
    if word in (0x757364, 0x657572, 0x676270):  # USD EUR GBP
        return _past_amount(text, at + 3, size)
    if word >> 8 == 0x7273:  # Rs.
        return _past_amount(text, at + 3 if text[at + 2] == 46 else at + 2, size)
    return 0


def _past_unit(text: bytes, at: int, size: int) -> int:
    """The place after what may stand behind a price; 0 where there is something else."""
    word = _three(text, at, size)
    if word in (0x757364, 0x657572):  # USD EUR
        return at + 3
    if at + 1 < size:
        if text[at] | 32 == 122 and text[at + 1] == 0xC5:  # zł
            return at + 3 if at + 2 < size and text[at + 2] in (0x81, 0x82) else 0
        if text[at] | 32 == 107 and text[at + 1] | 32 == 114:  # kr
            return at + 2 if _ends(text, at + 2, size) else 0
        if text[at] == 0xC2 and text[at + 1] == 0xA3:  # £
            return at + 2
    if at + 2 < size:
        if text[at] == 0xE2 and text[at + 1] == 0x82 and text[at + 2] in (0xAC, 0xBD):  # € ₽
            return at + 3
        if text[at] == 0xE5 and text[at + 1] == 0x86 and text[at + 2] == 0x86:  # 円
            return at + 3
        if text[at] == 0xE5 and text[at + 1] == 0x85 and text[at + 2] == 0x83:  # 元
            return at + 3
        if text[at] == 0xD1 and text[at + 1] == 0x80 and text[at + 2] == 0xD1:  # ру
            return at + 4
    return 0


def _past_numbers(text: bytes, at: int, size: int) -> int:
    """The place after a date that begins with a number; 0 where there is none."""
    first = _digits(text, at, size)
    end = at + first
    if first > 4 or first == 3 or end >= size:
        return 0
    if first < 3 and text[end] == 32:
        return end + 4 if _is_month(_three(text, end + 1, size)) else 0
    if text[end] not in (45, 46, 47):
        return 0
    if first == 4 and not ((text[at] == 49 and text[at + 1] == 57) or (text[at] == 50 and text[at + 1] == 48)):
        return 0
    second = _digits(text, end + 1, size)
    end += 1 + second
    if second == 0 or second > 2 or end >= size or text[end] not in (45, 46, 47):
        return 0
    third, at = _digits(text, end + 1, size), end + 1
    end = at + third
    if first == 4:
        return end if 1 <= third <= 2 and _ends(text, end, size) else 0
    if third == 4 and not ((text[at] == 49 and text[at + 1] == 57) or (text[at] == 50 and text[at + 1] == 48)):
        return 0
    return end if third in (2, 4) and _ends(text, end, size) else 0


def _past_month(text: bytes, at: int, size: int) -> int:
    """The place after a month and a day, or "ago"; 0 where there is something else."""
    word = _three(text, at, size)
    if word == 0x61676F:  # ago
        return at + 3 if _ends(text, at + 3, size) else 0
    if not _is_month(word):
        return 0
    end = at + 3
    while end < size and _SORTS[text[end]] == LETTER:
        end += 1
    if end < size and text[end] == 46:
        end += 1
    if end >= size or text[end] != 32:
        return 0
    count = _digits(text, end + 1, size)
    end += 1 + count
    return end if 1 <= count <= 2 and _ends(text, end, size) else 0
