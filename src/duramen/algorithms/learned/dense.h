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

/* One layer: input k of block b is values[b * inputs + k], and its weights are in row k of each group, which has `rows`
   rows. */
typedef struct {
    const float *weights, *biases, *values;
    ptrdiff_t rows, units, inputs;
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
    ptrdiff_t k, inputs = layer->inputs, group_step = layer->rows * DENSE_UNITS;
    const float *rows = layer->weights + unit * layer->rows, *values = layer->values + block * inputs;
    int group, b;
    DENSE_UNROLLED
    for (group = 0; group < groups; group++) {
        memcpy(&weights[group], layer->biases + unit + group * DENSE_UNITS, sizeof zero);
        DENSE_UNROLLED
        for (b = 0; b < blocks; b++)
            sums[b][group] = weights[group];
    }
    for (k = 0; k < inputs; k++) {
        const float *row = rows + k * DENSE_UNITS;
        DENSE_UNROLLED
        for (group = 0; group < groups; group++)
            memcpy(&weights[group], row + group * group_step, sizeof zero);
        DENSE_UNROLLED
        for (b = 0; b < blocks; b++) {
            DENSE_UNROLLED
            for (group = 0; group < groups; group++)
                sums[b][group] += weights[group] * values[b * inputs];
        }
        values++;
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
                float value = layer->values[(block + b) * layer->inputs + k];
                const float *row = layer->weights + (unit + group * DENSE_UNITS) * layer->rows;
                row += k * DENSE_UNITS;
                for (lane = 0; lane < DENSE_UNITS; lane++)
                    found[lane] += row[lane] * value;
            }
            for (lane = 0; layer->bent && lane < DENSE_UNITS; lane++)
                found[lane] = found[lane] < 0 ? 0 : found[lane];
        }
    }
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

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void dense_wide(const DenseLayer *layer, ptrdiff_t blocks, float *out) {
    dense_blocks(layer, blocks, out);
}
#endif

/* A layer whose weights have `rows` rows a group, of which it uses the first `inputs` from where `weights` points. */
static void dense_layer(
    const float *weights, ptrdiff_t rows, const float *biases, const float *values, ptrdiff_t units, ptrdiff_t inputs,
    ptrdiff_t blocks, float *out, int bent
) {
    DenseLayer layer = {weights, biases, values, rows, units, inputs, bent};
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        dense_wide(&layer, blocks, out);
        return;
    }
#endif
    dense_blocks(&layer, blocks, out);
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
