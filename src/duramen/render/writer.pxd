# C types of `writer.py`.

cimport cython

@cython.final
cdef class _List:
    cdef public bint ordered, implied, spread
    cdef public str mark
    cdef public int items, width

@cython.final
cdef class _Level:
    cdef public str first, rest
    cdef public bint used
    cdef public _List owner, last_list
    cdef public list lists

@cython.final
cdef class Writer:
    cdef public list lines, _levels
    cdef public int _shared, _rule_at
    cpdef write(self, list lines)
    cpdef bint _open(self, _Level level) except -1
    cpdef str _prefix(self, int count)
    cpdef bint _tight(self) except -1
    cpdef close(self)
    cpdef close_list(self)
    cpdef bint open_quote(self) except -1
    cpdef bint open_rest(self) except -1
    cpdef open_list(self, bint ordered, bint implied=*)
    cpdef bint open_item(self, number) except -1
