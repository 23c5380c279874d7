# C types of `inline.py`.

cimport cython

@cython.final
cdef class Run:
    cdef public int gap, code, link
    cdef public bint ready
    cdef public str text
    cdef public tuple marks
    cdef public list parts

@cython.final
cdef class Runs:
    cdef public list runs
    cdef public int _gap
    cpdef space(self, int gap)
    cpdef clear(self)
    @cython.locals(words=list)
    cpdef add(self, str text, tuple marks, int code)
    cpdef add_ready(self, str markdown, tuple marks)
    @cython.locals(gap=int, last=Run)
    cpdef _add(self, str text, tuple marks, int code, bint ready=*)
    @cython.locals(run=Run, runs=list, styled=bint)
    cpdef list take(self, addresses, bint cell=*)

cpdef str escape(str text, bint in_link=*)
@cython.locals(first=str)
cpdef str escape_start(str line)
cpdef str destination(str address)
@cython.locals(text=str)
cdef str _written(Run run, bint in_link, bint cell, bint touches)
@cython.locals(run=Run, lines=list, out=list, open_link=int, link=int, last=Py_ssize_t, at=Py_ssize_t)
cpdef list _lines_of_links(runs, addresses, bint cell)
