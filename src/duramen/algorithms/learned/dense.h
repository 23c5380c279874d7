/* One layer of a dense network: out = weights * values + biases, with what is below zero cut off where asked.

   Values and results have one row a unit and one column a block, so that blocks stand side by side in a vector and every
   sum is added up in the same order, whatever the width of the vectors: results are the same on every machine. The
   number of columns is a multiple of DENSE_COLUMNS. */

#ifndef DURAMEN_DENSE_H
#define DURAMEN_DENSE_H

#include <stddef.h>
#include <string.h>

enum { DENSE_COLUMNS = 16, DENSE_UNITS = 4 };

#if defined(__GNUC__)

#define DENSE_INLINE static inline __attribute__((always_inline))
typedef float DenseVector __attribute__((vector_size(32)));

/* DENSE_UNITS units and DENSE_COLUMNS blocks, whose sums stay in registers. */
DENSE_INLINE void dense_tile(
    const float *const *weights, const float *biases, const float *values, ptrdiff_t inputs, ptrdiff_t columns,
    float *const *out, int bent
) {
    DenseVector sums[DENSE_UNITS][2], low, high;
    ptrdiff_t i;
    int unit, k;
    for (unit = 0; unit < DENSE_UNITS; unit++) {
        sums[unit][0] = sums[unit][1] = (DenseVector){0} + biases[unit];
    }
    for (i = 0; i < inputs; i++) {
        memcpy(&low, values + i * columns, sizeof low);
        memcpy(&high, values + i * columns + 8, sizeof high);
        for (unit = 0; unit < DENSE_UNITS; unit++) {
            sums[unit][0] += weights[unit][i] * low;
            sums[unit][1] += weights[unit][i] * high;
        }
    }
    for (unit = 0; unit < DENSE_UNITS; unit++) {
        memcpy(out[unit], sums[unit], sizeof sums[unit]);
        for (k = 0; bent && k < DENSE_COLUMNS; k++) {
            if (out[unit][k] < 0)
                out[unit][k] = 0;
        }
    }
}

#else

#define DENSE_INLINE static inline

DENSE_INLINE void dense_tile(
    const float *const *weights, const float *biases, const float *values, ptrdiff_t inputs, ptrdiff_t columns,
    float *const *out, int bent
) {
    ptrdiff_t i;
    int unit, k;
    for (unit = 0; unit < DENSE_UNITS; unit++) {
        float sums[DENSE_COLUMNS];
        for (k = 0; k < DENSE_COLUMNS; k++)
            sums[k] = biases[unit];
        for (i = 0; i < inputs; i++)
            for (k = 0; k < DENSE_COLUMNS; k++)
                sums[k] += weights[unit][i] * values[i * columns + k];
        for (k = 0; k < DENSE_COLUMNS; k++)
            out[unit][k] = bent && sums[k] < 0 ? 0 : sums[k];
    }
}

#endif

/* `stride` is the distance from the weights of one unit to those of the next. */
DENSE_INLINE void dense_all(
    const float *weights, ptrdiff_t stride, const float *biases, const float *values, ptrdiff_t units, ptrdiff_t inputs,
    ptrdiff_t columns, float *out, int bent
) {
    ptrdiff_t at, unit;
    int k;
    for (at = 0; at < columns; at += DENSE_COLUMNS) {
        for (unit = 0; unit < units; unit += DENSE_UNITS) {
            const float *rows[DENSE_UNITS];
            float *found[DENSE_UNITS], bias[DENSE_UNITS];
            for (k = 0; k < DENSE_UNITS; k++) {
                /* Where there are no more, the last is done again. */
                ptrdiff_t which = unit + k < units ? unit + k : units - 1;
                rows[k] = weights + which * stride;
                bias[k] = biases[which];
                found[k] = out + which * columns + at;
            }
            dense_tile(rows, bias, values + at, inputs, columns, found, bent);
        }
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void dense_wide(
    const float *weights, ptrdiff_t stride, const float *biases, const float *values, ptrdiff_t units, ptrdiff_t inputs,
    ptrdiff_t columns, float *out, int bent
) {
    dense_all(weights, stride, biases, values, units, inputs, columns, out, bent);
}
#endif

static void dense_layer(
    const float *weights, ptrdiff_t stride, const float *biases, const float *values, ptrdiff_t units, ptrdiff_t inputs,
    ptrdiff_t columns, float *out, int bent
) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        dense_wide(weights, stride, biases, values, units, inputs, columns, out, bent);
        return;
    }
#endif
    dense_all(weights, stride, biases, values, units, inputs, columns, out, bent);
}

/* Sums over blocks of the same number, one row a unit: `share` is what each block counts. `columns` are those of the
   values, `parts` those of the sums, which are zero. One part, the whole page, is added up side by side. */
static void dense_pool(
    const float *values, ptrdiff_t units, ptrdiff_t columns, const float *share, const int *numbers, ptrdiff_t blocks,
    ptrdiff_t parts, int whole, float *out
) {
    ptrdiff_t unit, k;
    for (unit = 0; unit < units; unit++) {
        const float *row = values + unit * columns;
        float *sums = out + unit * parts;
        if (whole) {
            float lanes[DENSE_COLUMNS] = {0};
            int lane;
            for (k = 0; k + DENSE_COLUMNS <= blocks; k += DENSE_COLUMNS)
                for (lane = 0; lane < DENSE_COLUMNS; lane++)
                    lanes[lane] += share[k + lane] * row[k + lane];
            for (lane = 0; k < blocks; k++, lane++)
                lanes[lane] += share[k] * row[k];
            for (lane = 0; lane < DENSE_COLUMNS; lane++)
                sums[0] += lanes[lane];
        } else {
            for (k = 0; k < blocks; k++)
                sums[numbers[k]] += share[k] * row[k];
        }
    }
}

/* Some values, cut off at both ends. */
static void dense_clip(const float *values, ptrdiff_t count, float low, float high, float *out) {
    ptrdiff_t k;
    for (k = 0; k < count; k++) {
        float value = values[k];
        value = value < low ? low : value;
        out[k] = value > high ? high : value;
    }
}

#endif
