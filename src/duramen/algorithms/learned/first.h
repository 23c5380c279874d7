/* The first layer of a network over blocks, in whole numbers of 16 bits: products and sums are exact, so that results are
   the same on every machine in whatever order they are added up.

   Features have a row of a table each, with one column a block. They are cut off at both ends, scaled and rounded. Weights
   stand in groups of eight units; a group has a row for each pair of inputs, with the two weights of a unit side by side. No
   sum leaves 32 bits, which whoever makes the weights sees to. A feature that is the same in all blocks is added up once. */

#ifndef DURAMEN_FIRST_H
#define DURAMEN_FIRST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define FIRST_VECTORS 1
#define FIRST_PREFETCH(place) _mm_prefetch((const char *)(place), _MM_HINT_T0) /* too many rows for the processor to tell */
#include <immintrin.h>
#else
#define FIRST_VECTORS 0
#define FIRST_PREFETCH(place)
#endif

enum { FIRST_UNITS = 8, FIRST_BLOCKS = 8 };

typedef struct {
    const float *table;
    const ptrdiff_t *rows; /* of the table, one for each input */
    const float *low, *high, *scale;
    const int16_t *weights;
    const float *factors, *biases; /* what one of a unit's sums counts, and what is added to it */
    ptrdiff_t columns, units, pairs;
    int bent;
} FirstLayer;

/* The pairs of inputs that are not the same in all blocks or, in eight of them, not zero. */
typedef struct {
    int *pair, *halves, *values; /* which, which of the two, and both values of eight blocks */
    ptrdiff_t count;
} FirstPairs;

static inline int first_whole(float value, float low, float high, float scale) {
    float shifted;
    int32_t bits;
    value = value > low ? value : low;
    value = value < high ? value : high;
    shifted = value * scale + 12582912.0f; /* 1.5 * 2^23: whole numbers are all that is left of the fraction */
    memcpy(&bits, &shifted, sizeof bits);
    return bits - 0x4B400000;
}

/* Adds up what is the same in all blocks to `sums`, one for each unit, and lists the other pairs. */
static void first_fold(const FirstLayer *layer, int32_t *sums, FirstPairs *others) {
    ptrdiff_t pair, unit;
    memset(sums, 0, (size_t)layer->units * sizeof *sums);
    others->count = 0;
    for (pair = 0; pair < layer->pairs; pair++) {
        int half, halves = 0;
        for (half = 0; half < 2; half++) {
            ptrdiff_t input = 2 * pair + half;
            const float *row = layer->table + layer->rows[input] * layer->columns;
            int value;
            /* Each entry beside the next: they are all the same where these are. */
            if (memcmp(row, row + 1, (size_t)(layer->columns - 1) * sizeof *row)) {
                halves |= 1 << half;
                continue;
            }
            value = first_whole(row[0], layer->low[input], layer->high[input], layer->scale[input]);
            for (unit = 0; value && unit < layer->units; unit++) {
                ptrdiff_t group = unit / FIRST_UNITS * layer->pairs + pair;
                sums[unit] += layer->weights[(group * FIRST_UNITS + unit % FIRST_UNITS) * 2 + half] * value;
            }
        }
        if (halves) {
            others->pair[others->count] = (int)pair;
            others->halves[others->count++] = halves;
        }
    }
}

/* Eight entries of a row of the table, with zeros behind its end. */
static inline const float *first_columns(const FirstLayer *layer, ptrdiff_t input, ptrdiff_t at, float *end) {
    const float *row = layer->table + layer->rows[input] * layer->columns + at;
    if (layer->columns - at >= FIRST_BLOCKS) {
        FIRST_PREFETCH(row + 2 * FIRST_BLOCKS);
        return row;
    }
    memset(end, 0, FIRST_BLOCKS * sizeof *end);
    memcpy(end, row, (size_t)(layer->columns - at) * sizeof *end);
    return end;
}

/* The values of eight blocks from `at` on, two in each number: of the `others` those that are not all zero. */
static void first_gather(const FirstLayer *layer, ptrdiff_t at, const FirstPairs *others, FirstPairs *found) {
    ptrdiff_t k;
    found->count = 0;
    for (k = 0; k < others->count; k++) {
        int32_t both[FIRST_BLOCKS] = {0}, some = 0;
        int half, block;
        for (half = 0; half < 2; half++) {
            ptrdiff_t input = 2 * others->pair[k] + half;
            float end[FIRST_BLOCKS];
            const float *row = first_columns(layer, input, at, end);
            for (block = 0; others->halves[k] >> half & 1 && block < FIRST_BLOCKS; block++) {
                int value = first_whole(row[block], layer->low[input], layer->high[input], layer->scale[input]);
                both[block] |= (int32_t)((uint32_t)(value & 0xFFFF) << 16 * half);
                some |= value;
            }
        }
        memcpy(found->values + found->count * FIRST_BLOCKS, both, sizeof both);
        found->pair[found->count] = others->pair[k];
        found->count += some != 0;
    }
}

static void first_sums(const FirstLayer *layer, const FirstPairs *found, const int32_t *same, float *out) {
    ptrdiff_t k, unit;
    int block, lane;
    for (unit = 0; unit < layer->units; unit += FIRST_UNITS) {
        const int16_t *group = layer->weights + unit * layer->pairs * 2;
        for (block = 0; block < FIRST_BLOCKS; block++) {
            int32_t sums[FIRST_UNITS];
            memcpy(sums, same + unit, sizeof sums);
            for (k = 0; k < found->count; k++) {
                const int16_t *weights = group + found->pair[k] * FIRST_UNITS * 2;
                int32_t both = found->values[k * FIRST_BLOCKS + block];
                int16_t one = (int16_t)(both & 0xFFFF), other = (int16_t)(both >> 16);
                for (lane = 0; lane < FIRST_UNITS; lane++)
                    sums[lane] += weights[2 * lane] * one + weights[2 * lane + 1] * other;
            }
            for (lane = 0; lane < FIRST_UNITS; lane++) {
                float value = (float)sums[lane] * layer->factors[unit + lane] + layer->biases[unit + lane];
                out[block * layer->units + unit + lane] = !layer->bent || value > 0 ? value : 0;
            }
        }
    }
}

#if FIRST_VECTORS

__attribute__((target("avx2"))) static inline __m256i first_eight(
    const FirstLayer *layer, ptrdiff_t input, ptrdiff_t at
) {
    float end[FIRST_BLOCKS];
    __m256 values = _mm256_loadu_ps(first_columns(layer, input, at, end));
    values = _mm256_max_ps(values, _mm256_set1_ps(layer->low[input]));
    values = _mm256_min_ps(values, _mm256_set1_ps(layer->high[input]));
    return _mm256_cvtps_epi32(_mm256_mul_ps(values, _mm256_set1_ps(layer->scale[input])));
}

__attribute__((target("avx2"))) static void first_gather_wide(
    const FirstLayer *layer, ptrdiff_t at, const FirstPairs *others, FirstPairs *found
) {
    ptrdiff_t k, count = 0;
    for (k = 0; k < others->count; k++) {
        int pair = others->pair[k], halves = others->halves[k];
        __m256i both = _mm256_setzero_si256();
        if (halves & 1)
            both = _mm256_and_si256(first_eight(layer, 2 * pair, at), _mm256_set1_epi32(0xFFFF));
        if (halves & 2)
            both = _mm256_or_si256(both, _mm256_slli_epi32(first_eight(layer, 2 * pair + 1, at), 16));
        _mm256_storeu_si256((__m256i *)(found->values + count * FIRST_BLOCKS), both);
        found->pair[count] = pair;
        count += !_mm256_testz_si256(both, both);
    }
    found->count = count;
}

__attribute__((target("avx2"))) static inline void first_store(
    const FirstLayer *layer, ptrdiff_t unit, __m256i sums, float *out
) {
    __m256 values = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_loadu_ps(layer->factors + unit));
    values = _mm256_add_ps(values, _mm256_loadu_ps(layer->biases + unit));
    _mm256_storeu_ps(out + unit, layer->bent ? _mm256_max_ps(values, _mm256_setzero_ps()) : values);
}

/* Four blocks and one or two groups of units from `unit` on, whose sums stay in registers. */
__attribute__((target("avx2"), always_inline)) static inline void first_part(
    const FirstLayer *layer, const FirstPairs *found, const int32_t *same, ptrdiff_t unit, int from, float *out,
    const int groups
) {
    const int16_t *group = layer->weights + unit * layer->pairs * 2;
    const int *values = found->values + from;
    ptrdiff_t k, count = found->count, step = layer->pairs * FIRST_UNITS * 2;
    __m256i sums[4][2];
    int block, at;
    for (block = 0; block < 4; block++)
        for (at = 0; at < groups; at++)
            sums[block][at] = _mm256_loadu_si256((const __m256i *)(same + unit + at * FIRST_UNITS));
    for (k = 0; k < count; k++) {
        const int16_t *row = group + found->pair[k] * FIRST_UNITS * 2;
        __m256i weights[2];
        for (at = 0; at < groups; at++)
            weights[at] = _mm256_loadu_si256((const __m256i *)(row + at * step));
        for (block = 0; block < 4; block++) {
            __m256i both = _mm256_set1_epi32(values[k * FIRST_BLOCKS + block]);
            for (at = 0; at < groups; at++)
                sums[block][at] = _mm256_add_epi32(sums[block][at], _mm256_madd_epi16(weights[at], both));
        }
    }
    for (block = 0; block < 4; block++)
        for (at = 0; at < groups; at++)
            first_store(layer, unit + at * FIRST_UNITS, sums[block][at], out + (from + block) * layer->units);
}

__attribute__((target("avx2"))) static void first_sums_wide(
    const FirstLayer *layer, const FirstPairs *found, const int32_t *same, float *out
) {
    ptrdiff_t unit = 0;
    for (; unit + 2 * FIRST_UNITS <= layer->units; unit += 2 * FIRST_UNITS) {
        first_part(layer, found, same, unit, 0, out, 2);
        first_part(layer, found, same, unit, 4, out, 2);
    }
    for (; unit < layer->units; unit += FIRST_UNITS) {
        first_part(layer, found, same, unit, 0, out, 1);
        first_part(layer, found, same, unit, 4, out, 1);
    }
}

#endif

/* Fills in one row a block, for as many as are a multiple of eight. `space` has room for 6 numbers an input and one a unit;
   the number of inputs is even, that of units a multiple of FIRST_UNITS. */
static void first_fill(const FirstLayer *layer, int32_t *space, float *out) {
    FirstPairs others = {space, space + layer->pairs, NULL, 0};
    FirstPairs found = {space + 2 * layer->pairs, NULL, space + 3 * layer->pairs, 0};
    int32_t *same = space + (3 + FIRST_BLOCKS) * layer->pairs;
    ptrdiff_t at;
    if (layer->columns == 0)
        return;
    first_fold(layer, same, &others);
    for (at = 0; at < layer->columns; at += FIRST_BLOCKS) {
#if FIRST_VECTORS
        if (__builtin_cpu_supports("avx2")) {
            first_gather_wide(layer, at, &others, &found);
            first_sums_wide(layer, &found, same, out + at * layer->units);
            continue;
        }
#endif
        first_gather(layer, at, &others, &found);
        first_sums(layer, &found, same, out + at * layer->units);
    }
}

#endif
