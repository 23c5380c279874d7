/* A dense network over blocks: out = values * weights + biases, with what is below zero cut off where asked.

   Values and results have one row a block and one column a unit. Weights stand in groups of eight units, each with one row
   an input, so that units stand side by side in a vector. Every sum is added up in the order of its inputs, whatever the
   width of the vectors, and nothing is fused: results are the same on every machine. The number of units is a multiple of
   DENSE_UNITS, that of rows of values a multiple of DENSE_BLOCKS. */

#ifndef DURAMEN_DENSE_H
#define DURAMEN_DENSE_H

#include <stddef.h>
#include <string.h>

enum { DENSE_UNITS = 8, DENSE_BLOCKS = 8, DENSE_LANES = 16 };

/* One layer: input k of block b is values[b * block_step + k * input_step], and its weights are in row `used[k]` of each
   group, or in row k where `used` is not set. A group has `rows` rows. */
typedef struct {
    const float *weights, *biases, *values;
    const int *used;
    ptrdiff_t rows, units, inputs, block_step, input_step;
    int bent;
} DenseLayer;

#if defined(__GNUC__)

#define DENSE_INLINE static inline __attribute__((always_inline))
#define DENSE_UNROLLED _Pragma("GCC unroll 8")
typedef float DenseVector __attribute__((vector_size(32)));
typedef int DenseMask __attribute__((vector_size(32)));

/* The sums of some blocks and one or two groups of units, which stay in registers. */
DENSE_INLINE void dense_part(
    const DenseLayer *layer, ptrdiff_t block, ptrdiff_t unit, float *out, const int groups, const int blocks
) {
    DenseVector sums[DENSE_BLOCKS][2], weights[2], zero = {0};
    const float *rows = layer->weights + unit * layer->rows, *values = layer->values + block * layer->block_step;
    const int *used = layer->used;
    ptrdiff_t k, inputs = layer->inputs, block_step = layer->block_step, input_step = layer->input_step;
    ptrdiff_t group_step = layer->rows * DENSE_UNITS;
    int group, b;
    DENSE_UNROLLED
    for (group = 0; group < groups; group++) {
        memcpy(&weights[group], layer->biases + unit + group * DENSE_UNITS, sizeof zero);
        DENSE_UNROLLED
        for (b = 0; b < blocks; b++)
            sums[b][group] = weights[group];
    }
    for (k = 0; k < inputs; k++) {
        const float *row = rows + (used ? used[k] : k) * DENSE_UNITS;
        DENSE_UNROLLED
        for (group = 0; group < groups; group++)
            memcpy(&weights[group], row + group * group_step, sizeof zero);
        DENSE_UNROLLED
        for (b = 0; b < blocks; b++) {
            DENSE_UNROLLED
            for (group = 0; group < groups; group++)
                sums[b][group] += weights[group] * values[b * block_step];
        }
        values += input_step;
    }
    DENSE_UNROLLED
    for (b = 0; b < blocks; b++) {
        DENSE_UNROLLED
        for (group = 0; group < groups; group++) {
            if (layer->bent)
                sums[b][group] = (DenseVector)((DenseMask)sums[b][group] & ~(sums[b][group] < zero));
            memcpy(out + (block + b) * layer->units + unit + group * DENSE_UNITS, &sums[b][group], sizeof zero);
        }
    }
}

/* Eight values, cut off at both ends; returns whether one of them is not zero. */
DENSE_INLINE int dense_clip(const float *values, float low, float high, float *out) {
    DenseVector each, least = (DenseVector){0} + low, most = (DenseVector){0} + high;
    DenseMask beyond;
    long long parts[4];
    memcpy(&each, values, sizeof each);
    beyond = each < least;
    each = (DenseVector)(((DenseMask)least & beyond) | ((DenseMask)each & ~beyond));
    beyond = each > most;
    each = (DenseVector)(((DenseMask)most & beyond) | ((DenseMask)each & ~beyond));
    memcpy(out, &each, sizeof each);
    beyond = each != 0;
    memcpy(parts, &beyond, sizeof parts);
    return (parts[0] | parts[1] | parts[2] | parts[3]) != 0;
}

#else

#define DENSE_INLINE static inline

DENSE_INLINE void dense_part(
    const DenseLayer *layer, ptrdiff_t block, ptrdiff_t unit, float *out, const int groups, const int blocks
) {
    ptrdiff_t k;
    int group, b, lane;
    for (b = 0; b < blocks; b++) {
        for (group = 0; group < groups; group++) {
            float *found = out + (block + b) * layer->units + unit + group * DENSE_UNITS;
            memcpy(found, layer->biases + unit + group * DENSE_UNITS, DENSE_UNITS * sizeof(float));
            for (k = 0; k < layer->inputs; k++) {
                float value = layer->values[(block + b) * layer->block_step + k * layer->input_step];
                const float *row = layer->weights + (unit + group * DENSE_UNITS) * layer->rows;
                row += (layer->used ? layer->used[k] : k) * DENSE_UNITS;
                for (lane = 0; lane < DENSE_UNITS; lane++)
                    found[lane] += row[lane] * value;
            }
            for (lane = 0; layer->bent && lane < DENSE_UNITS; lane++)
                found[lane] = found[lane] < 0 ? 0 : found[lane];
        }
    }
}

DENSE_INLINE int dense_clip(const float *values, float low, float high, float *out) {
    int k, some = 0;
    for (k = 0; k < DENSE_BLOCKS; k++) {
        float value = values[k] < low ? low : values[k];
        out[k] = value > high ? high : value;
        some |= out[k] != 0;
    }
    return some;
}

#endif

DENSE_INLINE void dense_blocks(const DenseLayer *layer, ptrdiff_t blocks, float *out) {
    ptrdiff_t block, unit = 0;
    for (; unit + 2 * DENSE_UNITS <= layer->units; unit += 2 * DENSE_UNITS)
        for (block = 0; block < blocks; block += DENSE_BLOCKS / 2)
            dense_part(layer, block, unit, out, 2, DENSE_BLOCKS / 2);
    for (; unit < layer->units; unit += DENSE_UNITS)
        for (block = 0; block < blocks; block += DENSE_BLOCKS)
            dense_part(layer, block, unit, out, 1, DENSE_BLOCKS);
}

/* Some rows of a table with one column a block, each cut off at both ends: eight columns of those that are not all zero
   there. Returns how many these are; `used` gets their numbers. */
DENSE_INLINE ptrdiff_t dense_gather(
    const float *table, ptrdiff_t columns, ptrdiff_t at, const ptrdiff_t *rows, const float *low, const float *high,
    ptrdiff_t inputs, float *values, int *used
) {
    ptrdiff_t input, found = 0, last = columns - at;
    for (input = 0; input < inputs; input++) {
        const float *row = table + rows[input] * columns + at;
        float end[DENSE_BLOCKS] = {0};
        if (last < DENSE_BLOCKS) {
            memcpy(end, row, (size_t)last * sizeof *row);
            row = end;
        }
        used[found] = (int)input;
        found += dense_clip(row, low[input], high[input], values + found * DENSE_BLOCKS);
    }
    return found;
}

/* The first layer, from a table with one row a feature. There is room for eight columns of it in `values`. */
DENSE_INLINE void dense_from(
    const float *table, ptrdiff_t columns, const ptrdiff_t *rows, const float *low, const float *high, DenseLayer *layer,
    float *values, int *used, float *out
) {
    ptrdiff_t at;
    layer->values = values;
    layer->used = used;
    for (at = 0; at < columns; at += DENSE_BLOCKS) {
        layer->inputs = dense_gather(table, columns, at, rows, low, high, layer->rows, values, used);
        dense_blocks(layer, DENSE_BLOCKS, out + at * layer->units);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void dense_wide(const DenseLayer *layer, ptrdiff_t blocks, float *out) {
    dense_blocks(layer, blocks, out);
}

__attribute__((target("avx2"))) static void dense_wide_from(
    const float *table, ptrdiff_t columns, const ptrdiff_t *rows, const float *low, const float *high, DenseLayer *layer,
    float *values, int *used, float *out
) {
    dense_from(table, columns, rows, low, high, layer, values, used, out);
}
#endif

/* A layer whose weights have `rows` rows a group, of which it uses the first `inputs` from where `weights` points. */
static void dense_layer(
    const float *weights, ptrdiff_t rows, const float *biases, const float *values, ptrdiff_t units, ptrdiff_t inputs,
    ptrdiff_t width, ptrdiff_t blocks, float *out, int bent
) {
    DenseLayer layer = {weights, biases, values, NULL, rows, units, inputs, width, 1, bent};
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        dense_wide(&layer, blocks, out);
        return;
    }
#endif
    dense_blocks(&layer, blocks, out);
}

/* The first layer of a network; see `dense_from`. */
static void dense_first(
    const float *table, ptrdiff_t columns, const ptrdiff_t *rows, const float *low, const float *high,
    const float *weights, const float *biases, ptrdiff_t units, ptrdiff_t inputs, float *values, int *used, float *out,
    int bent
) {
    DenseLayer layer = {weights, biases, NULL, NULL, inputs, units, 0, 1, DENSE_BLOCKS, bent};
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        dense_wide_from(table, columns, rows, low, high, &layer, values, used, out);
        return;
    }
#endif
    dense_from(table, columns, rows, low, high, &layer, values, used, out);
}

/* Sums over blocks of the same number, whose `share` is what each counts. Sums are zero at first. Where there is one for
   the whole page, sixteen for every unit (`lanes`, zero too) are added up side by side, and then put together. */
static void dense_pool(
    const float *values, ptrdiff_t units, const float *share, const int *numbers, ptrdiff_t blocks, float *lanes, float *out
) {
    ptrdiff_t k, unit;
    for (k = 0; k < blocks; k++) {
        const float *row = values + k * units;
        float *sums = lanes ? lanes + k % DENSE_LANES * units : out + numbers[k] * units;
        float each = share[k];
        for (unit = 0; unit < units; unit++)
            sums[unit] += each * row[unit];
    }
    for (k = 0; lanes && k < DENSE_LANES; k++)
        for (unit = 0; unit < units; unit++)
            out[unit] += lanes[k * units + unit];
}

/* To each block is added what was found for its part of the page. */
static void dense_add(
    const float *parts, const int *numbers, ptrdiff_t blocks, ptrdiff_t units, int bent, float *out
) {
    ptrdiff_t k, unit;
    for (k = 0; k < blocks; k++) {
        const float *part = parts + numbers[k] * units;
        float *row = out + k * units;
        for (unit = 0; unit < units; unit++)
            row[unit] += part[unit];
        for (unit = 0; bent && unit < units; unit++)
            row[unit] = row[unit] < 0 ? 0 : row[unit];
    }
}

#endif
