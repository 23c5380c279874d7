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

/* Eight values times what each of them counts, added to eight sums. */
DENSE_INLINE void dense_add_share(const float *values, float each, float *sums) {
    DenseVector some, total;
    memcpy(&some, values, sizeof some);
    memcpy(&total, sums, sizeof total);
    total += some * each;
    memcpy(sums, &total, sizeof total);
}

/* Eight values added to eight others, with what is below zero cut off where asked. */
DENSE_INLINE void dense_add_eight(const float *values, int bent, float *sums) {
    DenseVector some, total, zero = {0};
    memcpy(&some, values, sizeof some);
    memcpy(&total, sums, sizeof total);
    total += some;
    if (bent)
        total = (DenseVector)((DenseMask)total & ~(total < zero));
    memcpy(sums, &total, sizeof total);
}

#else

#define DENSE_INLINE static inline

DENSE_INLINE void dense_add_share(const float *values, float each, float *sums) {
    int lane;
    for (lane = 0; lane < DENSE_UNITS; lane++)
        sums[lane] += each * values[lane];
}

DENSE_INLINE void dense_add_eight(const float *values, int bent, float *sums) {
    int lane;
    for (lane = 0; lane < DENSE_UNITS; lane++) {
        sums[lane] += values[lane];
        sums[lane] = bent && sums[lane] < 0 ? 0 : sums[lane];
    }
}

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

/* Sums over blocks of the same number, whose `share` is what each counts. Sums are zero at first. Where there is one for
   the whole page, sixteen for every unit (`lanes`, zero too) are added up side by side, and then put together. */
DENSE_INLINE void dense_sums(
    const float *values, ptrdiff_t units, const float *share, const int *numbers, ptrdiff_t blocks, float *lanes, float *out
) {
    ptrdiff_t k, unit;
    for (k = 0; k < blocks; k++) {
        const float *row = values + k * units;
        float *sums = lanes ? lanes + k % DENSE_LANES * units : out + numbers[k] * units;
        for (unit = 0; unit + DENSE_UNITS <= units; unit += DENSE_UNITS)
            dense_add_share(row + unit, share[k], sums + unit);
        for (; unit < units; unit++)
            sums[unit] += share[k] * row[unit];
    }
    for (k = 0; lanes && k < DENSE_LANES; k++)
        for (unit = 0; unit < units; unit++)
            out[unit] += lanes[k * units + unit];
}

/* To each block is added what was found for its part of the page. */
DENSE_INLINE void dense_parts(
    const float *parts, const int *numbers, ptrdiff_t blocks, ptrdiff_t units, int bent, float *out
) {
    ptrdiff_t k, unit;
    for (k = 0; k < blocks; k++)
        for (unit = 0; unit < units; unit += DENSE_UNITS)
            dense_add_eight(parts + numbers[k] * units + unit, bent, out + k * units + unit);
}

#if defined(__x86_64__) && defined(__GNUC__)
#define DENSE_WIDE __attribute__((target("avx2"))) static void
#define DENSE_IS_WIDE __builtin_cpu_supports("avx2")
#else
#define DENSE_WIDE static void
#define DENSE_IS_WIDE 0
#endif

DENSE_WIDE dense_blocks_wide(const DenseLayer *layer, ptrdiff_t blocks, float *out) {
    dense_blocks(layer, blocks, out);
}

DENSE_WIDE dense_sums_wide(
    const float *values, ptrdiff_t units, const float *share, const int *numbers, ptrdiff_t blocks, float *lanes, float *out
) {
    dense_sums(values, units, share, numbers, blocks, lanes, out);
}

DENSE_WIDE dense_parts_wide(
    const float *parts, const int *numbers, ptrdiff_t blocks, ptrdiff_t units, int bent, float *out
) {
    dense_parts(parts, numbers, blocks, units, bent, out);
}

/* A layer whose weights have `rows` rows a group, of which it uses the first `inputs` from where `weights` points. */
static void dense_layer(
    const float *weights, ptrdiff_t rows, const float *biases, const float *values, ptrdiff_t units, ptrdiff_t inputs,
    ptrdiff_t blocks, float *out, int bent
) {
    DenseLayer layer = {weights, biases, values, rows, units, inputs, bent};
    if (DENSE_IS_WIDE)
        dense_blocks_wide(&layer, blocks, out);
    else
        dense_blocks(&layer, blocks, out);
}

static void dense_pool(
    const float *values, ptrdiff_t units, const float *share, const int *numbers, ptrdiff_t blocks, float *lanes, float *out
) {
    if (DENSE_IS_WIDE)
        dense_sums_wide(values, units, share, numbers, blocks, lanes, out);
    else
        dense_sums(values, units, share, numbers, blocks, lanes, out);
}

static void dense_add(
    const float *parts, const int *numbers, ptrdiff_t blocks, ptrdiff_t units, int bent, float *out
) {
    if (DENSE_IS_WIDE)
        dense_parts_wide(parts, numbers, blocks, units, bent, out);
    else
        dense_parts(parts, numbers, blocks, units, bent, out);
}

#endif
