/* Runs of bytes: sixteen at a time on x86-64 (which always has SSE2), 64 where it has AVX2, one by one elsewhere.

   Nothing here checks a range: bulk.pxd does, before it calls. Every function gets the number of bytes that it may read
   or write and touches no byte beyond. */

#ifndef DURAMEN_BULK_H
#define DURAMEN_BULK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define BULK_VECTORS 1
#include <immintrin.h>
#else
#define BULK_VECTORS 0
#endif

enum { BULK_INVALID = -1, BULK_NUL = 1, BULK_RETURN = 2, BULK_HIGH = 4 };

#define BULK_AHEAD 2048 /* bytes: of pages that are not in the cache, as far ahead is asked for; swept 512-2048 */

typedef struct {
    ptrdiff_t bytes, solids, starts, stops;
} BulkCounts;

static inline int bulk_is_space(uint8_t byte) {
    return (uint8_t)(byte - 9) <= 4 || (uint8_t)(byte - 28) <= 4;
}

/* The length of the UTF-8 character of more than one byte that a text of `length` bytes begins with; 0 if it is none:
   no overlong forms, no surrogates, nothing beyond U+10FFFF. */
static inline int bulk_character(const uint8_t *byte, ptrdiff_t length) {
    uint8_t lead = byte[0], lowest = 0x80, highest = 0xBF;
    int more = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 0;
    if (more == 0 || more >= length)
        return 0;
    if (lead == 0xE0)
        lowest = 0xA0;
    else if (lead == 0xED)
        highest = 0x9F;
    else if (lead == 0xF0)
        lowest = 0x90;
    else if (lead == 0xF4)
        highest = 0x8F;
    if (byte[1] < lowest || byte[1] > highest)
        return 0;
    if (more > 1 && (byte[2] & 0xC0) != 0x80)
        return 0;
    if (more > 2 && (byte[3] & 0xC0) != 0x80)
        return 0;
    return more + 1;
}

#if BULK_VECTORS

/* Asked once; two threads that ask at the same time write the same answer. */
static inline int bulk_has_avx2(void) {
    static int known = -1;
    if (known < 0) {
        __builtin_cpu_init();
        known = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    }
    return known;
}

static inline __m128i bulk_load(const uint8_t *byte) {
    return _mm_loadu_si128((const __m128i *)byte);
}

static inline unsigned bulk_equal(__m128i bytes, int byte) {
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)byte)));
}

/* Which of sixteen bytes are one of three. */
static inline unsigned bulk_any(__m128i bytes, __m128i one, __m128i two, __m128i three) {
    __m128i either = _mm_or_si128(_mm_cmpeq_epi8(bytes, one), _mm_cmpeq_epi8(bytes, two));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(either, _mm_cmpeq_epi8(bytes, three)));
}

/* Which of sixteen bytes lie in first .. first + more. */
static inline __m128i bulk_in(__m128i bytes, int first, int more) {
    __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8((char)first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)more)), above);
}

/* Leading blocks of 64 bytes that are ASCII without NUL; sets BULK_RETURN in *seen where one has a carriage return. */
__attribute__((target("avx2,popcnt"))) static inline ptrdiff_t bulk_plain_blocks(
    const uint8_t *byte, ptrdiff_t length, int *seen) {
    const __m256i zero = _mm256_setzero_si256(), cr = _mm256_set1_epi8(0x0D);
    __m256i returns = zero;
    ptrdiff_t at = 0;
    for (; at + 64 <= length; at += 64) {
        _mm_prefetch((const char *)byte + at + BULK_AHEAD, _MM_HINT_T0);
        __m256i one = _mm256_loadu_si256((const __m256i *)(byte + at));
        __m256i two = _mm256_loadu_si256((const __m256i *)(byte + at + 32));
        /* The lesser of two signed bytes is positive where both are ASCII and not NUL. */
        __m256i plain = _mm256_cmpgt_epi8(_mm256_min_epi8(one, two), zero);
        if (_mm256_movemask_epi8(plain) != -1)
            break;
        returns = _mm256_or_si256(
            returns, _mm256_or_si256(_mm256_cmpeq_epi8(one, cr), _mm256_cmpeq_epi8(two, cr)));
    }
    if (_mm256_movemask_epi8(returns))
        *seen |= BULK_RETURN;
    return at;
}

/* Adds the counts of leading blocks of 64 ASCII bytes; *space says whether the byte before is white space. */
__attribute__((target("avx2,popcnt"))) static inline void bulk_count_blocks(
    const uint8_t *byte, ptrdiff_t length, BulkCounts *counts, uint64_t *space) {
    const __m256i nine = _mm256_set1_epi8(9), far = _mm256_set1_epi8(28), four = _mm256_set1_epi8(4);
    const __m256i two = _mm256_set1_epi8(2), stop = _mm256_set1_epi8(0x2E);
    ptrdiff_t solids = 0, starts = 0, stops = 0, at = 0;
    uint64_t before = *space;
    for (; at + 64 <= length; at += 64) {
        uint64_t spaces = 0, points = 0;
        __m256i high = _mm256_setzero_si256();
        for (int half = 0; half < 2; half++) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)(byte + at + 32 * half));
            __m256i one = _mm256_sub_epi8(bytes, nine), other = _mm256_sub_epi8(bytes, far);
            __m256i blank = _mm256_or_si256(
                _mm256_cmpeq_epi8(_mm256_min_epu8(one, four), one),
                _mm256_cmpeq_epi8(_mm256_min_epu8(other, four), other));
            __m256i point = _mm256_cmpeq_epi8(_mm256_or_si256(bytes, two), stop); /* , and . differ in one bit */
            spaces |= (uint64_t)(uint32_t)_mm256_movemask_epi8(blank) << (32 * half);
            points |= (uint64_t)(uint32_t)_mm256_movemask_epi8(point) << (32 * half);
            high = _mm256_or_si256(high, bytes);
        }
        if (_mm256_movemask_epi8(high))
            break;
        solids += __builtin_popcountll(~spaces);
        starts += __builtin_popcountll(~spaces & (spaces << 1 | before));
        stops += __builtin_popcountll(points);
        before = spaces >> 63;
    }
    counts->bytes += at;
    counts->solids += solids;
    counts->starts += starts;
    counts->stops += stops;
    *space = before;
}

/* How many of sixteen bits are set, in each of the four parts of a word. */
static inline uint64_t bulk_ones(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555ULL;
    bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (bits + (bits >> 8)) & 0x001F001F001F001FULL;
}

#endif

/* Copies bytes until one of three, or until `length`; returns how many. As many may be written as read. */
static inline ptrdiff_t bulk_copy_short(
    uint8_t *to, const uint8_t *from, ptrdiff_t length, int one, int two, int three) {
    ptrdiff_t at = 0;
#if BULK_VECTORS
    __m128i first = _mm_set1_epi8((char)one), second = _mm_set1_epi8((char)two), third = _mm_set1_epi8((char)three);
    for (; at + 32 <= length; at += 32) {
        __m128i bytes = bulk_load(from + at), more = bulk_load(from + at + 16);
        unsigned found = bulk_any(bytes, first, second, third) | bulk_any(more, first, second, third) << 16;
        _mm_storeu_si128((__m128i *)(to + at), bytes);
        _mm_storeu_si128((__m128i *)(to + at + 16), more);
        if (found)
            return at + __builtin_ctz(found);
    }
#endif
    for (; at < length && from[at] != one && from[at] != two && from[at] != three; at++)
        to[at] = from[at];
    return at;
}

#if BULK_VECTORS

__attribute__((target("avx2,bmi"))) static inline uint64_t bulk_any_of_32(
    __m256i bytes, __m256i one, __m256i two, __m256i three) {
    __m256i either = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, one), _mm256_cmpeq_epi8(bytes, two));
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(either, _mm256_cmpeq_epi8(bytes, three)));
}

/* The same, 64 bytes at a time. */
__attribute__((target("avx2,bmi"))) static inline ptrdiff_t bulk_copy_wide(
    uint8_t *to, const uint8_t *from, ptrdiff_t length, int one, int two, int three) {
    const __m256i first = _mm256_set1_epi8((char)one), second = _mm256_set1_epi8((char)two);
    const __m256i third = _mm256_set1_epi8((char)three);
    ptrdiff_t at = 0;
    for (; at + 64 <= length; at += 64) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(from + at));
        __m256i more = _mm256_loadu_si256((const __m256i *)(from + at + 32));
        uint64_t found = bulk_any_of_32(bytes, first, second, third);
        found |= bulk_any_of_32(more, first, second, third) << 32;
        _mm256_storeu_si256((__m256i *)(to + at), bytes);
        _mm256_storeu_si256((__m256i *)(to + at + 32), more);
        if (found)
            return at + __builtin_ctzll(found);
    }
    return at + bulk_copy_short(to + at, from + at, length - at, one, two, three);
}

#endif

/* The same; `room` bytes may be written, as many as read or more. */
static inline ptrdiff_t bulk_copy_until(
    uint8_t *to, ptrdiff_t room, const uint8_t *from, ptrdiff_t length, int one, int two, int three) {
    if (length > room)
        length = room;
#if BULK_VECTORS
    if (bulk_has_avx2())
        return bulk_copy_wide(to, from, length, one, two, three);
#endif
    return bulk_copy_short(to, from, length, one, two, three);
}

/* What a page holds: BULK_INVALID if it is not UTF-8, else BULK_NUL, BULK_RETURN and BULK_HIGH (not ASCII). */
static inline int bulk_check(const uint8_t *byte, ptrdiff_t length) {
    ptrdiff_t at = 0;
    int seen = 0, more;
    while (at < length) {
#if BULK_VECTORS
        if (bulk_has_avx2())
            at += bulk_plain_blocks(byte + at, length - at, &seen);
        while (at + 16 <= length) {
            __m128i bytes = bulk_load(byte + at);
            unsigned high = (unsigned)_mm_movemask_epi8(bytes);
            if (bulk_equal(bytes, 0))
                seen |= BULK_NUL;
            if (bulk_equal(bytes, 0x0D))
                seen |= BULK_RETURN;
            if (high) {
                at += __builtin_ctz(high);
                break;
            }
            at += 16;
        }
#endif
        for (; at < length && byte[at] < 0x80; at++) {
            if (byte[at] == 0)
                seen |= BULK_NUL;
            else if (byte[at] == 0x0D)
                seen |= BULK_RETURN;
        }
        for (; at < length && byte[at] >= 0x80; at += more) {
            seen |= BULK_HIGH;
            more = bulk_character(byte + at, length - at);
            if (more == 0)
                return BULK_INVALID;
        }
    }
    return seen;
}

/* Counts of the ASCII bytes that a text of `length` bytes begins with, at most 65,535: `readable` bytes, as many or
   more, may be read. Starts are bytes that are no white space and follow some. */
static inline BulkCounts bulk_count(const uint8_t *byte, ptrdiff_t length, ptrdiff_t readable, int after_space) {
    BulkCounts counts = {0, 0, 0, 0};
    uint64_t space = after_space != 0;
#if BULK_VECTORS
    uint64_t sums = 0;
    ptrdiff_t at;
    if (length >= 64 && bulk_has_avx2())
        bulk_count_blocks(byte, length, &counts, &space);
    for (at = counts.bytes; at < length && at + 16 <= readable;) {
        __m128i bytes = bulk_load(byte + at);
        ptrdiff_t taken = length - at < 16 ? length - at : 16;
        uint64_t spaces = (unsigned)_mm_movemask_epi8(_mm_or_si128(bulk_in(bytes, 9, 4), bulk_in(bytes, 28, 4)));
        uint64_t points = bulk_equal(_mm_or_si128(bytes, _mm_set1_epi8(2)), 0x2E);
        unsigned high = (unsigned)_mm_movemask_epi8(bytes);
        uint64_t kept, solids;
        if (high && __builtin_ctz(high) < taken) {
            taken = __builtin_ctz(high);
            length = at + taken;
        }
        kept = (1ULL << taken) - 1;
        solids = ~spaces & kept;
        sums += bulk_ones(solids | (solids & (spaces << 1 | space)) << 16 | (points & kept) << 32);
        if (taken)
            space = spaces >> (taken - 1) & 1;
        at += taken;
    }
    counts.bytes = at;
    counts.solids += sums & 0xFFFF;
    counts.starts += sums >> 16 & 0xFFFF;
    counts.stops += sums >> 32 & 0xFFFF;
#else
    (void)readable;
#endif
    for (; counts.bytes < length && byte[counts.bytes] < 0x80; counts.bytes++) {
        uint8_t one = byte[counts.bytes];
        uint64_t blank = (uint64_t)bulk_is_space(one);
        counts.solids += !blank;
        counts.starts += blank ? 0 : (ptrdiff_t)space;
        counts.stops += one == 0x2E || one == 0x2C;
        space = blank;
    }
    return counts;
}

/* The hash of a name of at most sixteen bytes, as two words, or of the next sixteen bytes of a longer one. */
static inline uint64_t bulk_mix(uint64_t hash, uint64_t low, uint64_t high) {
    hash = (hash ^ low) * 0x9E3779B97F4A7C15ULL;
    hash = ((hash ^ hash >> 32) ^ high) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 29;
}

static inline uint32_t bulk_key(uint64_t hash) {
    return (uint32_t)(hash * 0xD6E8FEB86659FD93ULL >> 33);
}

#if BULK_VECTORS

/* The first `length` of sixteen bytes; the others 0. */
static inline __m128i bulk_first(__m128i bytes, int length) {
    static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    return _mm_and_si128(bytes, bulk_load(kept + 16 - length));
}

/* The key of a name of at most sixteen bytes, the others 0. */
static inline uint32_t bulk_short_key(__m128i name) {
    uint64_t low = (uint64_t)_mm_cvtsi128_si64(name);
    uint64_t high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(name, name));
    return bulk_key(bulk_mix(0, low, high));
}

/* The key of a name of 17 to 32 bytes, those beyond it 0. */
static inline uint32_t bulk_long_key(__m128i name, __m128i rest) {
    uint64_t low = (uint64_t)_mm_cvtsi128_si64(name);
    uint64_t high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(name, name));
    uint64_t hash = bulk_mix(0, low, high);
    low = (uint64_t)_mm_cvtsi128_si64(rest);
    high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(rest, rest));
    return bulk_key(bulk_mix(hash, low, high));
}

/* The length of the name that sixteen bytes begin with, ended by white space, / or > (for attributes = as well), or 16.
   Control bytes end it too: the caller looks at what did. *lower is the name in lower case. */
static inline int bulk_name(__m128i bytes, int of_attribute, __m128i *lower) {
    __m128i ends = _mm_or_si128(
        _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x20)), bytes),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('>'))));
    unsigned found;
    if (of_attribute)
        ends = _mm_or_si128(ends, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('=')));
    found = (unsigned)_mm_movemask_epi8(ends);
    *lower = _mm_add_epi8(bytes, _mm_and_si128(bulk_in(bytes, 'A', 25), _mm_set1_epi8(0x20)));
    return found ? __builtin_ctz(found) : 16;
}

#endif

/* The tag name of at most seven letters that a text begins with as a number: letters << 3 | length, the first letter
   lowest; 0 for longer ones. letters[byte] is the byte in lower case, or 0 where it ends a name. */
static inline int64_t bulk_pack_name(const uint8_t *byte, ptrdiff_t length, const uint8_t *letters) {
    uint64_t packed = 0;
    ptrdiff_t at = 0;
#if BULK_VECTORS
    if (length >= 16) {
        __m128i lower;
        int end = bulk_name(bulk_load(byte), 0, &lower);
        if (end < 8 && letters[byte[end]] == 0) {
            packed = (uint64_t)_mm_cvtsi128_si64(bulk_first(lower, end));
            return (int64_t)(packed << 3 | (unsigned)end);
        }
    }
#endif
    for (; at < length && letters[byte[at]]; at++) {
        if (at == 7)
            return 0;
        packed |= (uint64_t)letters[byte[at]] << (8 * at);
    }
    return (int64_t)(packed << 3 | (uint64_t)at);
}

/* Writes the name that a text begins with in lower case and returns its key << 30 | its length. The first byte belongs
   to it in any case. `room` bytes may be written, as many as `length` or more. */
static inline int64_t bulk_read_name(
    const uint8_t *byte, ptrdiff_t length, const uint8_t *letters, uint8_t *to, ptrdiff_t room, int of_attribute) {
    uint64_t hash = 0, low, high;
    ptrdiff_t at = 0, k;
#if BULK_VECTORS
    if (length >= 16 && room >= 16) {
        __m128i lower;
        int end = bulk_name(bulk_load(byte), of_attribute, &lower);
        if (0 < end && end < 16 && letters[byte[end]] == 0) {
            _mm_storeu_si128((__m128i *)to, lower);
            return (int64_t)bulk_short_key(bulk_first(lower, end)) << 30 | end;
        }
    }
#else
    (void)of_attribute;
#endif
    to[0] = letters[byte[0]] ? letters[byte[0]] : byte[0];
    for (at = 1; at < length && at < room && letters[byte[at]]; at++)
        to[at] = letters[byte[at]];
    for (k = 0; k < at; k += 16) {
        ptrdiff_t j, rest = at - k < 16 ? at - k : 16;
        low = high = 0;
        for (j = 0; j < rest; j++) {
            if (j < 8)
                low |= (uint64_t)to[k + j] << (8 * j);
            else
                high |= (uint64_t)to[k + j] << (8 * (j - 8));
        }
        hash = bulk_mix(hash, low, high);
    }
    return (int64_t)bulk_key(hash) << 30 | at;
}

/* The same for a reference by number to a printable ASCII character. */
static inline int bulk_number(const uint8_t *byte, ptrdiff_t length) {
    int base = (byte[2] | 32) == 'x' ? 16 : 10, code = 0, at = base == 16 ? 3 : 2;
    for (int stop = at + 4; at < length && at < stop && byte[at] != ';'; at++) {
        int letter = (byte[at] | 32) - 'a', digit = byte[at] - '0';
        if (base == 16 && 0 <= letter && letter < 6)
            digit = letter + 10;
        if (digit < 0 || digit >= base || (letter < 0 && digit > 9))
            return 0;
        code = code * base + digit;
    }
    return at < length && byte[at] == ';' && 0x20 <= code && code < 0x7F ? code << 8 | (at + 1) : 0;
}

/* The code point of a frequent reference that a text begins with << 8 | its length; 0 for any other text. */
static inline int bulk_reference(const uint8_t *byte, ptrdiff_t length) {
    if (length < 6)
        return 0;
    switch (byte[1]) {
    case '#':
        return bulk_number(byte, length);
    case 'a':
        return memcmp(byte + 2, "mp;", 3) == 0 ? '&' << 8 | 5 : memcmp(byte + 2, "pos;", 4) == 0 ? '\'' << 8 | 6 : 0;
    case 'q':
        return memcmp(byte + 2, "uot;", 4) == 0 ? '"' << 8 | 6 : 0;
    case 'n':
        return memcmp(byte + 2, "bsp;", 4) == 0 ? 0xA0 << 8 | 6 : 0;
    case 'l':
        return memcmp(byte + 2, "t;", 2) == 0 ? '<' << 8 | 4 : 0;
    case 'g':
        return memcmp(byte + 2, "t;", 2) == 0 ? '>' << 8 | 4 : 0;
    default:
        return 0;
    }
}

/* Writes a character below U+0800, as the frequent references are, and returns its bytes. */
static inline ptrdiff_t bulk_put(uint8_t *to, int code) {
    if (code < 0x80) {
        to[0] = (uint8_t)code;
        return 1;
    }
    to[0] = (uint8_t)(0xC0 | code >> 6);
    to[1] = (uint8_t)(0x80 | (code & 0x3F));
    return 2;
}

/* The next row from `row` on whose number is not below a limit; `rows` where there is none. */
static inline ptrdiff_t bulk_not_below(const int *number, ptrdiff_t row, ptrdiff_t rows, int limit) {
    for (; row + 16 <= rows; row += 16) {
        int found = 0;
        for (int k = 0; k < 16; k++)
            found |= number[row + k] >= limit;
        if (found)
            break;
    }
    while (row < rows && number[row] < limit)
        row++;
    return row;
}

/* The next row from `row` on that has a mark; `rows` where there is none. */
static inline ptrdiff_t bulk_marked(const uint8_t *flags, ptrdiff_t row, ptrdiff_t rows, int mark) {
    for (; row + 16 <= rows; row += 16) {
        int found = 0;
        for (int k = 0; k < 16; k++)
            found |= flags[row + k];
        if (found & mark)
            break;
    }
    while (row < rows && !(flags[row] & mark))
        row++;
    return row;
}

#if BULK_VECTORS

/* One of 64 bits for a key: two keys of different bits are different. */
static inline uint64_t bulk_key_bit(int key) {
    return 1ULL << (key & 63);
}

static inline int bulk_has_key(const int *keys, ptrdiff_t count, int key) {
    for (ptrdiff_t at = 0; at < count; at++)
        if (keys[at] == key)
            return 1;
    return 0;
}

typedef ptrdiff_t BulkCopy(uint8_t *, const uint8_t *, ptrdiff_t, int, int, int);

/* Copies a value without quotes: up to white space (or another control), > or &; returns its bytes. */
static inline ptrdiff_t bulk_copy_word(uint8_t *to, const uint8_t *from, ptrdiff_t length) {
    ptrdiff_t at = 0;
    for (; at + 16 <= length; at += 16) {
        __m128i bytes = bulk_load(from + at);
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x20)), bytes));
        found |= bulk_equal(bytes, '>') | bulk_equal(bytes, '&');
        _mm_storeu_si128((__m128i *)(to + at), bytes);
        if (found)
            return at + __builtin_ctz(found);
    }
    for (; at < length && from[at] > 0x20 && from[at] != '>' && from[at] != '&'; at++)
        to[at] = from[at];
    return at;
}

/* `bulk_attributes`, with a way to copy values in quotes. */
static inline __attribute__((always_inline)) ptrdiff_t bulk_attributes_by(
    BulkCopy *copy, const uint8_t *byte, ptrdiff_t length, uint8_t *to, int *starts, int *values, int *keys,
    ptrdiff_t *count, ptrdiff_t most, uint64_t wanted, unsigned *noticed) {
    ptrdiff_t at = 0, out = 0, done = 0, k = *count;
    int start = starts[k];
    uint64_t seen = 0, bit;
    for (ptrdiff_t j = 0; j < k; j++)
        seen |= bulk_key_bit(keys[j]);
    while (k < most && at + 16 < length) {
        __m128i lower, rest = _mm_setzero_si128();
        int name = bulk_name(bulk_load(byte + at), 1, &lower), key, quote;
        ptrdiff_t value = 0;
        if (name == 16 && at + 32 < length)
            name += bulk_name(bulk_load(byte + at + 16), 1, &rest);
        if (name == 0 || at + name + 1 >= length || byte[at + name] != '=')
            break;
        quote = byte[at + name + 1];
        if (quote <= 0x20 || quote == '>')
            break;
        _mm_storeu_si128((__m128i *)(to + out), lower);
        if (name <= 16) {
            key = (int)bulk_short_key(bulk_first(lower, name));
        } else {
            _mm_storeu_si128((__m128i *)(to + out + 16), rest);
            key = (int)bulk_long_key(lower, bulk_first(rest, name - 16));
        }
        bit = bulk_key_bit(key);
        if (seen & bit && bulk_has_key(keys, k, key))
            break;
        at += name + 1;
        out += name;
        if (quote == '"' || quote == '\'')
            at++;
        else
            quote = 0;
        for (;;) {
            ptrdiff_t piece = quote ? copy(to + out + value, byte + at, length - at, quote, '&', '\r')
                                    : bulk_copy_word(to + out + value, byte + at, length - at);
            int reference;
            at += piece;
            value += piece;
            if (at >= length || byte[at] != '&' || (reference = bulk_reference(byte + at, length - at)) == 0)
                break;
            value += bulk_put(to + out + value, reference >> 8);
            at += reference & 0xFF;
        }
        if (at >= length || (quote ? byte[at] != quote : byte[at] != ' ' && byte[at] != '>'))
            break;
        values[k] = start + (int)out;
        keys[k] = key;
        seen |= bit;
        if (wanted & bit)
            *noticed |= 1u << k;
        out += value;
        k++;
        starts[k] = start + (int)out;
        at += quote != 0;
        done = at;
        if (at + 1 >= length || byte[at] != ' ' || byte[at + 1] <= '>')
            break;
        at++; /* what follows is a name: letters are above >, and so is little else */
    }
    *count = k;
    return done;
}

__attribute__((target("avx2,bmi"))) static inline ptrdiff_t bulk_attributes_wide(
    const uint8_t *byte, ptrdiff_t length, uint8_t *to, int *starts, int *values, int *keys, ptrdiff_t *count,
    ptrdiff_t most, uint64_t wanted, unsigned *noticed) {
    return bulk_attributes_by(bulk_copy_wide, byte, length, to, starts, values, keys, count, most, wanted, noticed);
}

static inline ptrdiff_t bulk_attributes_short(
    const uint8_t *byte, ptrdiff_t length, uint8_t *to, int *starts, int *values, int *keys, ptrdiff_t *count,
    ptrdiff_t most, uint64_t wanted, unsigned *noticed) {
    return bulk_attributes_by(bulk_copy_short, byte, length, to, starts, values, keys, count, most, wanted, noticed);
}

#endif

/* The attributes name="value", or without quotes, that a text begins with, one space between them: writes their bytes
   to `to` and an entry for each, after the `count` that the tag has, to the arrays that have room for `most`. to[0] is
   byte starts[count] of the buffer. Stops before what is not plain: other forms, rare references, carriage returns, a
   name that may be there already. Returns how many bytes it read and sets *count; `length` bytes may be written. Bit k
   of *noticed is set for an entry whose key has one of the `wanted` bits. */
static inline ptrdiff_t bulk_attributes(
    const uint8_t *byte, ptrdiff_t length, uint8_t *to, int *starts, int *values, int *keys, ptrdiff_t *count,
    ptrdiff_t most, uint64_t wanted, unsigned *noticed) {
#if BULK_VECTORS
    return bulk_has_avx2() ? bulk_attributes_wide(byte, length, to, starts, values, keys, count, most, wanted, noticed)
                           : bulk_attributes_short(byte, length, to, starts, values, keys, count, most, wanted, noticed);
#else
    (void)byte, (void)length, (void)to, (void)starts, (void)values, (void)keys, (void)count, (void)most;
    (void)wanted, (void)noticed;
    return 0;
#endif
}

#if BULK_VECTORS

/* `bulk_short_text` where 64 bytes may be read. */
__attribute__((target("avx2,popcnt,bmi"))) static inline ptrdiff_t bulk_text_of_64(
    const uint8_t *byte, uint8_t *to, BulkCounts *counts, int *ends_in_space) {
    const __m256i nine = _mm256_set1_epi8(9), far = _mm256_set1_epi8(28), four = _mm256_set1_epi8(4);
    uint64_t less = 0, other = 0, spaces = 0, points = 0, kept, solids;
    for (int half = 0; half < 2; half++) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(byte + 32 * half));
        __m256i one = _mm256_sub_epi8(bytes, nine), two = _mm256_sub_epi8(bytes, far);
        __m256i blank = _mm256_or_si256(
            _mm256_cmpeq_epi8(_mm256_min_epu8(one, four), one), _mm256_cmpeq_epi8(_mm256_min_epu8(two, four), two));
        __m256i point = _mm256_cmpeq_epi8(_mm256_or_si256(bytes, _mm256_set1_epi8(2)), _mm256_set1_epi8(0x2E));
        __m256i end = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('<'));
        __m256i odd = _mm256_or_si256(
            _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('&')), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\r')));
        _mm256_storeu_si256((__m256i *)(to + 32 * half), bytes);
        less |= (uint64_t)(uint32_t)_mm256_movemask_epi8(end) << (32 * half);
        other |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_or_si256(odd, bytes)) << (32 * half);
        spaces |= (uint64_t)(uint32_t)_mm256_movemask_epi8(blank) << (32 * half);
        points |= (uint64_t)(uint32_t)_mm256_movemask_epi8(point) << (32 * half);
    }
    kept = (less & -less) - 1; /* all of them where there is no < */
    if (less == 0 || other & kept)
        return 0;
    solids = ~spaces & kept;
    counts->bytes = __builtin_ctzll(less);
    counts->solids = __builtin_popcountll(solids);
    counts->starts = __builtin_popcountll(solids & (spaces << 1 | 1));
    counts->stops = __builtin_popcountll(points & kept);
    *ends_in_space = (spaces & (kept ^ kept >> 1)) != 0;
    return counts->bytes;
}

/* The same where 17 bytes may be read, for a text of at most 16 bytes. */
static inline ptrdiff_t bulk_text_of_16(
    const uint8_t *byte, uint8_t *to, BulkCounts *counts, int *ends_in_space) {
    __m128i bytes = bulk_load(byte);
    unsigned less = bulk_equal(bytes, '<') | (unsigned)(byte[16] == '<') << 16;
    unsigned other = (unsigned)_mm_movemask_epi8(bytes) | bulk_equal(bytes, '&') | bulk_equal(bytes, '\r');
    int taken;
    uint64_t spaces, points, kept, solids, sums;
    if (less == 0 || other & ((less & -less) - 1))
        return 0;
    taken = __builtin_ctz(less);
    spaces = (unsigned)_mm_movemask_epi8(_mm_or_si128(bulk_in(bytes, 9, 4), bulk_in(bytes, 28, 4)));
    points = bulk_equal(_mm_or_si128(bytes, _mm_set1_epi8(2)), 0x2E);
    kept = (1ULL << taken) - 1;
    solids = ~spaces & kept;
    sums = bulk_ones(solids | (solids & (spaces << 1 | 1)) << 16 | (points & kept) << 32);
    _mm_storeu_si128((__m128i *)to, bytes);
    counts->bytes = taken;
    counts->solids = sums & 0xFFFF;
    counts->starts = sums >> 16 & 0xFFFF;
    counts->stops = sums >> 32 & 0xFFFF;
    *ends_in_space = taken && spaces >> (taken - 1) & 1;
    return taken;
}

#endif

/* Copies the text of at most 63 ASCII bytes (16 without AVX2) that < ends and counts it; returns its length, or 0 where
   it is no such text. `length` bytes may be read and written. */
static inline ptrdiff_t bulk_short_text(
    const uint8_t *byte, ptrdiff_t length, uint8_t *to, BulkCounts *counts, int *ends_in_space) {
#if BULK_VECTORS
    if (length >= 64 && bulk_has_avx2())
        return bulk_text_of_64(byte, to, counts, ends_in_space);
    if (length > 16)
        return bulk_text_of_16(byte, to, counts, ends_in_space);
#else
    (void)byte, (void)length, (void)to, (void)counts, (void)ends_in_space;
#endif
    return 0;
}

/* Whether a text begins with a packed name (see `bulk_pack_name`) and >. */
static inline int bulk_ends_name(const uint8_t *byte, ptrdiff_t length, int64_t packed) {
    uint64_t wanted = (uint64_t)packed >> 3 | (uint64_t)'>' << 8 * (packed & 7), read = 0;
    int size = (int)(packed & 7) + 1;
    if (packed == 0 || length < 8)
        return 0;
    for (int at = 0; at < 8; at++) /* one load, on whichever machine */
        read |= (uint64_t)byte[at] << 8 * at;
    return (read ^ wanted) << (64 - 8 * size) == 0;
}

#endif
