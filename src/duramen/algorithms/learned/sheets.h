/* Style sheets: the next brace or slash, sixteen bytes at a time on x86-64 (which always has SSE2). */

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

#endif
