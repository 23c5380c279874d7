/* The entries of NumPy's arrays, read from their head instead of asking for a buffer and giving it back. */

#ifndef DURAMEN_ARRAYS_H
#define DURAMEN_ARRAYS_H

#include <numpy/arrayobject.h>

/* The first of `size` entries of `width` bytes, one row after the other; NULL where this is no such array of a number
   type, or is not to be written to and `writable`. */
static inline void *array_entries(PyArrayObject *array, Py_ssize_t size, Py_ssize_t width, int writable) {
    static const unsigned char widths[] = {
        1, 1, 1, 2, 2, sizeof(int), sizeof(int), sizeof(long), sizeof(long), 8, 8, sizeof(float), sizeof(double)};
    int flags = NPY_ARRAY_C_CONTIGUOUS | (writable ? NPY_ARRAY_WRITEABLE : 0), type = PyArray_TYPE(array);
    Py_ssize_t entries = 1;
    if (type < 0 || type > NPY_DOUBLE || widths[type] != width || (PyArray_FLAGS(array) & flags) != flags)
        return NULL;
    for (int axis = 0; axis < PyArray_NDIM(array); axis++)
        entries *= PyArray_DIMS(array)[axis];
    return entries == size ? PyArray_DATA(array) : NULL;
}

#endif
