cimport cython

cdef enum:
    TABLE = 1
    CELL = 2
    ROW = 4
    PARAGRAPH = 8
    LABEL = 16
    LIST = 32
    SKELETON = 64

cdef int LONG_CELL_CHARS


@cython.locals(
    row=Py_ssize_t, up=Py_ssize_t, k=Py_ssize_t, known=int, found=list, number=int, kind=int, paragraphs=int,
    held=int, bones=int, wide=int, wordy=int, labels=int,
)
cdef list _judge(
    const int[::1] tag,
    const int[::1] parent,
    const int[::1] chars,
    const unsigned char[::1] kinds,
    Py_ssize_t first,
    Py_ssize_t stop,
    int[:, ::1] figures,
)
