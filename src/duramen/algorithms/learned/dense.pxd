cimport cython

cdef extern from "duramen/algorithms/learned/dense.h":
    void dense_layer(
        const float* weights, Py_ssize_t stride, const float* biases, const float* values, Py_ssize_t units,
        Py_ssize_t inputs, Py_ssize_t columns, float* out, int bent
    ) noexcept nogil
    void dense_clip(const float* values, Py_ssize_t count, float low, float high, float* out) noexcept nogil
    void dense_pool(
        const float* values, Py_ssize_t units, Py_ssize_t columns, const float* share, const int* numbers,
        Py_ssize_t blocks, Py_ssize_t parts, int whole, float* out
    ) noexcept nogil


cdef enum:
    COLUMNS = 16


cdef inline int dense(
    const float[:, ::1] weights,
    Py_ssize_t at,
    const float[::1] biases,
    const float[:, ::1] values,
    float[:, ::1] out,
    bint bent,
) except -1 nogil:
    cdef Py_ssize_t units = weights.shape[0], inputs = values.shape[0], columns = values.shape[1]
    if at < 0 or at + inputs > weights.shape[1] or biases.shape[0] != units:
        raise ValueError("the weights do not fit the values")
    if out.shape[0] != units or out.shape[1] != columns:
        raise ValueError("the results do not fit")
    if columns % COLUMNS:
        raise ValueError("the number of columns is no multiple of a vector's")
    if units > 0 and inputs > 0 and columns > 0:
        dense_layer(
            &weights[0, at], weights.shape[1], &biases[0], &values[0, 0], units, inputs, columns, &out[0, 0], bent
        )
    return 0


# `pool` has checked the numbers.
cdef inline int add_up(
    const float[:, ::1] values, const float[::1] share, const int[::1] numbers, Py_ssize_t count, float[:, ::1] out
) except -1 nogil:
    if share.shape[0] != numbers.shape[0] or numbers.shape[0] > values.shape[1] or out.shape[0] != values.shape[0]:
        raise ValueError("the shares do not fit the values")
    if values.shape[0] > 0 and numbers.shape[0] > 0 and 0 < count <= out.shape[1]:
        dense_pool(
            &values[0, 0], values.shape[0], values.shape[1], &share[0], &numbers[0], numbers.shape[0], out.shape[1],
            count == 1, &out[0, 0],
        )
    return 0


@cython.locals(total="double[::1]", share="float[::1]", k=Py_ssize_t)
cpdef object pool(
    const float[:, ::1] values, const double[::1] weight, const int[::1] numbers, Py_ssize_t count, Py_ssize_t columns
)

cpdef int layer(
    const float[:, ::1] weights,
    const float[::1] biases,
    const float[:, ::1] values,
    float[:, ::1] out,
    Py_ssize_t at,
    bint bent,
) except -1

cdef inline int clip(
    const float[:, ::1] table, Py_ssize_t row, float low, float high, float[:, ::1] out, Py_ssize_t number
) except -1 nogil:
    if table.shape[1] > out.shape[1] or not 0 <= row < table.shape[0] or not 0 <= number < out.shape[0]:
        raise ValueError("the results do not fit")
    if table.shape[1] > 0:
        dense_clip(&table[row, 0], table.shape[1], low, high, &out[number, 0])
    return 0


@cython.locals(number=Py_ssize_t, k=Py_ssize_t)
cpdef int gather(
    const float[:, ::1] table, const Py_ssize_t[::1] rows, const float[::1] low, const float[::1] high,
    float[:, ::1] out,
) except -1

@cython.locals(row=Py_ssize_t, k=Py_ssize_t)
cpdef int add_means(
    float[:, ::1] total, const float[:, ::1] means, const int[::1] numbers, bint bent
) except -1
