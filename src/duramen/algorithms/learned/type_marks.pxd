cimport cython

cdef enum:
    DIGIT = 1
    LETTER = 2
    LINE = 3
    QUESTION = 4
    DOLLAR = 5
    BEYOND = 6

cdef enum:
    APART = 0
    WORD = 1
    MONEY = 2
    ASKS = 3

cdef const unsigned char[::1] _SORTS, _BEGINS


@cython.locals(
    text="const unsigned char*", size=Py_ssize_t, at=Py_ssize_t, end=Py_ssize_t, price_from=Py_ssize_t,
    date_from=Py_ssize_t, tried=Py_ssize_t, prices=Py_ssize_t, dates=Py_ssize_t, questions=Py_ssize_t, sort=int,
    in_word=bint, length=Py_ssize_t,
)
cpdef tuple count_marks(bytes source)

# All of these read up to text[size - 1]: callers see to it that there are so many.
cdef int _length(int lead) noexcept nogil

@cython.locals(lead=int, second=int, third=int)
cdef int _beyond(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

@cython.locals(sort=int)
cdef bint _ends(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

@cython.locals(count=int)
cdef int _digits(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

cdef int _three(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

cdef bint _is_month(int word) noexcept nogil

cdef bint _is_month_sign(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

cdef Py_ssize_t _past_blank(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

cdef Py_ssize_t _past_number(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

@cython.locals(start=Py_ssize_t)
cdef Py_ssize_t _past_amount(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

@cython.locals(word=int)
cdef Py_ssize_t _past_currency(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

@cython.locals(word=int)
cdef Py_ssize_t _past_unit(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

@cython.locals(first=int, second=int, third=int, end=Py_ssize_t)
cdef Py_ssize_t _past_numbers(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil

@cython.locals(word=int, count=int, end=Py_ssize_t)
cdef Py_ssize_t _past_month(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil
