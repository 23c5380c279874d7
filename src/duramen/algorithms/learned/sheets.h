/* Style sheets, read sixteen bytes at a time on x86-64 (which always has SSE2). */

#ifndef DURAMEN_SHEETS_H
#define DURAMEN_SHEETS_H

#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <emmintrin.h>
#endif

/* The place of the first { } or / in sheet[at .. stop - 1]; `stop` where there is none. */
static inline ptrdiff_t sheet_brace(const unsigned char *sheet, ptrdiff_t at, ptrdiff_t stop) {
#if defined(__x86_64__) && defined(__GNUC__)
    const __m128i opens = _mm_set1_epi8('{'), closes = _mm_set1_epi8('}'), slash = _mm_set1_epi8('/');
    for (; at + 16 <= stop; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(sheet + at));
        __m128i found = _mm_or_si128(
            _mm_cmpeq_epi8(bytes, slash), _mm_or_si128(_mm_cmpeq_epi8(bytes, opens), _mm_cmpeq_epi8(bytes, closes))
        );
        int bits = _mm_movemask_epi8(found);
        if (bits)
            return at + __builtin_ctz((unsigned)bits);
    }
#endif
    while (at < stop && sheet[at] != '{' && sheet[at] != '}' && sheet[at] != '/')
        at++;
    return at;
}

/* Whether these letters, small or capital, stand there. Only letters are looked for, so one bit tells the case. */
static inline int sheet_says(const unsigned char *sheet, ptrdiff_t at, ptrdiff_t stop, const char *word, ptrdiff_t size) {
    ptrdiff_t k;
    if (stop - at < size)
        return 0;
    for (k = 0; k < size && (sheet[at + k] | 32) == (unsigned char)word[k]; k++)
        ;
    return k == size;
}

/* The place of the next `display` or `visibility` in sheet[at .. stop - 1]; `stop` where there is none. */
static inline ptrdiff_t sheet_word(const unsigned char *sheet, ptrdiff_t at, ptrdiff_t stop) {
#if defined(__x86_64__) && defined(__GNUC__)
    /* Both have i and s in them after the first letter. */
    const __m128i small = _mm_set1_epi8(32), d = _mm_set1_epi8('d'), v = _mm_set1_epi8('v');
    const __m128i i = _mm_set1_epi8('i'), s = _mm_set1_epi8('s');
    for (; at + 18 <= stop; at += 16) {
        __m128i first = _mm_or_si128(_mm_loadu_si128((const __m128i *)(sheet + at)), small);
        __m128i second = _mm_or_si128(_mm_loadu_si128((const __m128i *)(sheet + at + 1)), small);
        __m128i third = _mm_or_si128(_mm_loadu_si128((const __m128i *)(sheet + at + 2)), small);
        __m128i begins = _mm_or_si128(_mm_cmpeq_epi8(first, d), _mm_cmpeq_epi8(first, v));
        __m128i both = _mm_and_si128(_mm_cmpeq_epi8(second, i), _mm_cmpeq_epi8(third, s));
        int bits = _mm_movemask_epi8(_mm_and_si128(begins, both));
        for (; bits; bits &= bits - 1) {
            ptrdiff_t place = at + __builtin_ctz((unsigned)bits);
            if (sheet_says(sheet, place, stop, "display", 7) || sheet_says(sheet, place, stop, "visibility", 10))
                return place;
        }
    }
#endif
    for (; at < stop; at++)
        if (sheet_says(sheet, at, stop, "display", 7) || sheet_says(sheet, at, stop, "visibility", 10))
            return at;
    return stop;
}

#endif
