from duramen.parse.lexicon cimport NAME_LIMIT
from duramen.parse.names cimport *
from duramen.parse.rows cimport Rows

cdef enum:
    MARKER = -1
    LIST_LIMIT = 256
    COPY_SLACK = 65536


cdef class Stack(Rows):
    cdef Py_ssize_t open_capacity, listed_capacity
    cdef object open_store, listed_store
    cdef int[::1] open_row_of, open_name, open_kind, same_below, listed_as
    cdef int[::1] scope_below, button_below, list_below, table_below, special_below, stop_below, html_below
    cdef int[::1] listed_row, listed_name, listed_at
    cdef int[::1] top_html, top_foreign
    cdef Py_ssize_t depth, listed, form_row
    cdef Py_ssize_t scope_at, button_at, list_at, table_at, special_at, stop_at, html_at
    cdef int fostering, fosters, tables_follow, detached
    cdef int flag
    cdef Py_ssize_t comment_row, blank_row
    cdef Py_ssize_t copies, moves, copy_limit

    cdef view_open(self)
    cdef clear_stack(self)
    cdef int grow_open(self) except -1 nogil
    cdef int grow_listed(self) except -1 nogil
    cdef Py_ssize_t push(self, Py_ssize_t name, int kind, Py_ssize_t row) except -1 nogil
    cdef int set_boundaries(self, Py_ssize_t at, int kind) except -1 nogil
    cdef int unlink(self) except -1 nogil
    cdef int pop(self) except -1 nogil
    cdef int pop_to(self, Py_ssize_t at) except -1 nogil
    cdef int remove(self, Py_ssize_t at) except -1 nogil
    cdef int in_scope(self, Py_ssize_t name) except -1 nogil
    cdef int in_table_scope(self, Py_ssize_t name) except -1 nogil
    cdef int close_p(self) except -1 nogil
    cdef int close_implied(self, Py_ssize_t kept) except -1 nogil
    cdef int current_is(self, Py_ssize_t name) except -1 nogil
    cdef int current_kind(self) except -1 nogil
    cdef Py_ssize_t insert(self, Py_ssize_t name, int kind) except -1 nogil
    cdef Py_ssize_t insert_bare(self, Py_ssize_t name, int kind) except -1 nogil
    cdef int insert_text(self, Py_ssize_t stop) except -1 nogil
    cdef int foster(self, Py_ssize_t row) except -1 nogil
    cdef int list_marker(self) except -1 nogil
    cdef int clear_to_marker(self) except -1 nogil
    cdef int unlist(self, Py_ssize_t entry) except -1 nogil
    cdef int list_element(self, Py_ssize_t at) except -1 nogil
    cdef int last_listed(self, Py_ssize_t name) except -1 nogil
    cdef int reconstruct(self) except -1 nogil
