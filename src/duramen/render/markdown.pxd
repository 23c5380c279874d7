# C types of `markdown.py`.

cimport cython
from duramen.render.inline cimport Runs, escape_start
from duramen.render.writer cimport Writer

@cython.final
cdef class _Renderer:
    cdef object _page, _shown, _options, _addresses, _pictures, _numbers, _grid
    cdef list _roles, _links, _source
    cdef Writer _writer
    cdef Runs _runs
    cdef dict _counts, _targets, _opened
    cdef int _marked, _code, _leaf, _leaf_role
    cdef tuple _emphasis, _marks
    @cython.locals(event=int, row=int, role=int, tags=list, places=list, roles=list)
    cpdef str render(self)
    cdef _add_text(self, bytes source, int gap, bint is_element)
    cdef _separate(self, int gap)
    cdef _flush(self)
    cdef _open_block(self, int row, int role)
    cdef _open_inline(self, int row, int role)
    cdef _close(self, int row, int role)
    cdef _close_leaf(self, int row, int role)
    cdef _restyle(self)
