cimport cython
from libc.math cimport log, log1p, rint

from duramen.measure.reading cimport mark_unseen

cpdef enum:
    SCOPE = 1
    ELEMENT = 2
    TEXT = 4
    IN_LINK = 8
    DENSE = 16
    ROOT = 32
    COVERED = 64
    HOLDS = 128

cdef enum:
    REMOVED = 1
    LINK = 2
    MEDIA = 4
    BOUNDARY = 8

cpdef enum:
    CONTENT = 1
    ANCESTOR = 2

cpdef enum:
    CHARS = 0
    TAGS = 1
    LINK_CHARS = 2
    LINK_TAGS = 3
    BARE = 4

cpdef enum:
    DENSITY = 0
    SUM = 1
    RANKED = 2

cpdef enum:
    PLACE = 0
    MARK = 1
    KEPT = 2

cdef double _SLACK, _TIE, _E, _NAN
cdef int _BODY
cdef const unsigned char[::1] _KINDS


@cython.final
@cython.auto_pickle(False)
cdef class Densities:
    cdef const int[::1] tag, parent, end, chars, words
    cdef const unsigned char[::1] flags
    cdef int[:, ::1] counts, runs
    cdef int[::1] work
    cdef double[::1] density, sum, ranked, run_density
    cdef unsigned char[::1] place, mark, kept
    cdef long long[::1] sections
    cdef readonly object count_store, run_store, density_store, run_density_store, byte_store, section_store
    cdef object work_store
    cdef readonly Py_ssize_t body, run_count, section_count, best, lowest
    cdef readonly double threshold, link_share
    cdef readonly long long kept_chars, kept_media, kept_blocks

    @cython.locals(size=Py_ssize_t, floats="double[:, ::1]", flags="unsigned char[:, ::1]")
    cdef int view(self, page) except -1

    @cython.locals(chars=double, links=double)  # doubles, or C would divide them as whole numbers
    cpdef Py_ssize_t count(self, int hidden, int pure) except -1

    @cython.locals(
        tag="const int[::1]", end="const int[::1]", place="unsigned char[::1]", unread="unsigned char[::1]", other=int,
        rows=Py_ssize_t, body=Py_ssize_t, found=Py_ssize_t, row=Py_ssize_t, kind=int, out_until=int, link_until=int,
        opened=int, last_opened=int, last_parent=int,
    )
    cdef int find_scope(self, int hidden) except -1 nogil

    @cython.locals(
        counts="int[:, ::1]", place="unsigned char[::1]", body=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, bare=int,
        link=int,
    )
    cdef int add_counts(self, int pure) except -1 nogil

    @cython.locals(row=Py_ssize_t, k=Py_ssize_t, tags=double, chars=double)
    cpdef int weigh(self, int composite, int one) except -1

    @cython.locals(links=double, ratio=double, plain=double, beyond_e=double)
    cdef double composite_density(
        self, double chars, double tags, double link_chars, double link_tags, int one
    ) noexcept nogil

    @cython.locals(
        density="double[::1]", sums="double[::1]", ranked="double[::1]", place="unsigned char[::1]", body=Py_ssize_t,
        row=Py_ssize_t, k=Py_ssize_t,
    )
    cpdef int add_up(self, int with_runs) except -1

    cpdef int search(self, double lambda_) except -1

    @cython.locals(
        best_below="int[::1]", ranked="double[::1]", density="double[::1]", place="unsigned char[::1]",
        body=Py_ssize_t, stop=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, mine=Py_ssize_t, theirs=Py_ssize_t,
        lowest=Py_ssize_t,
    )
    cdef int find_best(self) except -1 nogil

    @cython.locals(
        best_below="int[::1]", density="double[::1]", place="unsigned char[::1]", body=Py_ssize_t, row=Py_ssize_t
    )
    cdef int find_roots(self, double floor) except -1 nogil

    @cython.locals(
        place="unsigned char[::1]", mark="unsigned char[::1]", body=Py_ssize_t, found=Py_ssize_t, row=Py_ssize_t
    )
    cdef int mark_sections(self) except -1 nogil

    cpdef Py_ssize_t keep(self, int with_ancestors) except -1

    @cython.locals(
        tag="const int[::1]", place="unsigned char[::1]", mark="unsigned char[::1]", kept="unsigned char[::1]",
        holder="int[::1]", other=int, started=int, last_started=int, last_holder=int, characters="long long",
        media="long long", blocks="long long", row=Py_ssize_t, kind=int, is_content=bint,
    )
    cdef int keep_rows(self, int with_ancestors) except -1 nogil
