cimport cython
from libc.math cimport log, log1p, rint

from duramen.measure.buffers cimport (
    Ints,
    NewDoubles,
    NewInts,
    NewOctets,
    Octets,
    check_tree,
    further,
    further_doubles,
    further_octets,
    ints,
    new_doubles,
    new_ints,
    new_octets,
    octets,
    room,
)
from duramen.measure.reading cimport mark_unseen

cpdef enum:
    SCOPE = 1
    ELEMENT = 2
    TEXT = 4
    IN_LINK = 8
    ROOT = 16
    HOLDS = 32

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
    COUNTS = 5

cpdef enum:
    SUM = 0
    RANKED = 1
    RUN = 2

cpdef enum:
    PLACE = 0
    MARK = 1

cdef enum:
    KNOWN_BASES = 1024

cdef double _SLACK, _TIE, _E, _NAN
cdef int _BODY, _OTHER
cdef Octets _KINDS


@cython.final
@cython.auto_pickle(False)
cdef class Densities:
    cdef Ints tag, parent, end, chars, words
    cdef Octets flags
    cdef NewInts counts, elements, run_first, run_chars, sections, work
    cdef NewDoubles density, sum, ranked, run_density
    cdef NewOctets place, mark, kept
    cdef NewDoubles bases
    cdef readonly object count_store, density_store, sum_store, byte_store, kept_store, work_store
    cdef object page, base_store
    cdef Py_ssize_t size, element_count
    cdef readonly Py_ssize_t body, run_count, section_count, best, lowest
    cdef readonly double threshold, link_share
    cdef readonly long long kept_chars, kept_media, kept_blocks

    @cython.locals(size=Py_ssize_t)
    cdef int view(self, page) except -1

    @cython.locals(chars=double, links=double)  # doubles, or C would divide them as whole numbers
    cpdef Py_ssize_t count(self, int hidden, int pure) except -1

    @cython.locals(
        tag=Ints, end=Ints, parent=Ints, chars=Ints, flags=Octets,
        place=NewOctets, unread=NewOctets, other=int, rows=Py_ssize_t, body=Py_ssize_t, found=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t,
        listed=Py_ssize_t, counts=NewInts, kinds=Octets, run_first=NewInts, run_chars=NewInts, elements=NewInts, kind=int, out_until=int, link_until=int,
        opened=int, last_opened=int, last_parent=int,
    )
    cdef int find_scope(self, int hidden) noexcept nogil

    @cython.locals(
        counts=NewInts, place=NewOctets, parent=Ints, elements=NewInts, k=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, own=Py_ssize_t, bare=int, link=int,
    )
    cdef int add_counts(self, int pure) noexcept nogil

    @cython.locals(
        density=NewDoubles, sums=NewDoubles, ranked=NewDoubles, counts=NewInts, elements=NewInts, row=Py_ssize_t,
        own=Py_ssize_t, k=Py_ssize_t, tags=double, chars=double,
    )
    cpdef int weigh(self, int composite, int one) except -1

    @cython.locals(links=double, ratio=double, plain=double, beyond_e=double, base=double, known=bint)
    cdef double composite_density(
        self, double chars, double tags, double link_chars, double link_tags, int one
    ) noexcept nogil

    @cython.locals(
        density=NewDoubles, sums=NewDoubles, ranked=NewDoubles, elements=NewInts, parent=Ints, counts=NewInts,
        row=Py_ssize_t, k=Py_ssize_t,
    )
    cpdef int add_up(self, int with_runs) except -1

    cpdef int search(self, double lambda_) except -1

    @cython.locals(
        best_below=NewInts, ranked=NewDoubles, density=NewDoubles, elements=NewInts, parent=Ints, body=Py_ssize_t,
        k=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, mine=Py_ssize_t, theirs=Py_ssize_t, lowest=Py_ssize_t,
    )
    cdef int find_best(self) noexcept nogil

    @cython.locals(
        best_below=NewInts, density=NewDoubles, place=NewOctets, parent=Ints, body=Py_ssize_t,
        row=Py_ssize_t, root=Py_ssize_t,
    )
    cdef int find_roots(self, double floor) noexcept nogil

    @cython.locals(
        place=NewOctets, mark=NewOctets, parent=Ints, end=Ints, body=Py_ssize_t, found=Py_ssize_t,
        row=Py_ssize_t, covered_until=Py_ssize_t,
    )
    cdef int mark_sections(self) noexcept nogil

    @cython.locals(density=double)
    cpdef double body_density(self) except? -2

    @cython.locals(k=Py_ssize_t)
    cpdef list found_sections(self)

    cpdef Py_ssize_t keep(self, int with_ancestors) except -1

    @cython.locals(
        tag=Ints, place=NewOctets, mark=NewOctets, kept=NewOctets, holder=NewInts, kinds=Octets,
        parent=Ints, chars=Ints, other=int, started=int, last_started=int, last_holder=int, characters="long long",
        media="long long", blocks="long long", row=Py_ssize_t, kind=int,
    )
    cdef int keep_rows(self, int with_ancestors) noexcept nogil
